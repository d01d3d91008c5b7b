//! Whatever the bytes are, reading ends in a value.

use std::time::Duration;

use proptest::prelude::*;
use tata_document::{Hint, Limits, read};

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
