//! Whatever the bytes are, reading ends in a value.

use std::time::Duration;

use proptest::prelude::*;
use tata_document::{Hint, Limits, Target, in_process::read, write};

use crate::{files::docx, samples};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_bytes_under_any_name(
        head in prop::sample::select(vec!["", "%PDF-1.7\n", "PK\u{3}\u{4}", "<html>", "---\n", "\u{feff}"]),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        name in prop::sample::select(vec!["a.pdf", "a.docx", "a.html", "a.md", "a.csv", "a.txt", "a", ""]),
    ) {
        let all = [head.as_bytes(), &bytes].concat();
        let limits = Limits { time: Duration::from_secs(5), ..Limits::default() };
        if let Ok(reading) = read(all, &Hint::named(name), &limits) {
            prop_assert!(!reading.is_empty());
            prop_assert!(reading.blocks.iter().all(|block| !block.text.trim().is_empty()));
        }
    }

    #[test]
    fn every_word_of_a_paragraph_is_kept(words in prop::collection::vec("[a-zåäöæøß]{1,12}", 1..40)) {
        let text = words.join(" ");
        for (name, file) in [
            ("a.txt", text.clone()),
            ("a.md", text.clone()),
            ("a.html", format!("<html><body><p>{text}</p></body></html>")),
        ] {
            let reading = read(file.into_bytes(), &Hint::named(name), &Limits::default()).unwrap();
            let all: Vec<_> = reading.blocks.iter().flat_map(|block| block.text.split_whitespace()).collect();
            prop_assert_eq!(&all, &words, "{}", name);
        }
    }
}

// More cases by PROPTEST_CASES: these are the ones that run for minutes when a reader changes.
proptest! {
    /// Word files of any elements in any order, and real ones with bytes changed: read or refused.
    #[test]
    fn any_word_file(
        body in prop::collection::vec(prop::sample::select(vec![
            "<w:p>", "</w:p>", "<w:r>", "</w:r>", "<w:t>", "</w:t>", "<w:tbl>", "</w:tbl>", "<w:tr>", "</w:tr>", "<w:tc>", "</w:tc>",
            "<w:br/>", "<w:pStyle w:val=\"Heading1\"/>", "<w:outlineLvl w:val=\"999\"/>", "ord", "&amp;", "&#x110000;", "&nope;",
            "<!DOCTYPE x [<!ENTITY a \"b\">]>", "<![CDATA[x]]>", "<!-- -->", "\u{0}", "\u{202e}", "<",
        ]), 0..60),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        which in 0_usize..5,
    ) {
        let _ = read(docx(&body.concat()), &Hint::named("a.docx"), &Limits::default());
        let (_, document) = samples::documents().swap_remove(which);
        let mut real = write(&document, Target::Docx, &samples::options()).unwrap();
        let length = real.len();
        for (at, byte) in changes {
            real[at.index(length)] = byte;
        }
        if let Ok(reading) = read(real, &Hint::named("a.docx"), &Limits::default()) {
            prop_assert!(reading.blocks.iter().all(|block| !block.text.trim().is_empty()));
        }
    }
}
