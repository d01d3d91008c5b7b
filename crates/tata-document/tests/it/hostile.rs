//! Files made to do harm end in a message, within their limits.

use std::{io::Write as _, time::Duration};

use flate2::{Compression, write::ZlibEncoder};
use tata_document::{Hint, Limits, ReadError, in_process::read};

use crate::files::{archive, docx, pdf, pdf_of};

fn refused(name: &str, bytes: Vec<u8>, limits: &Limits) -> String {
    read(bytes, &Hint::named(name), limits).unwrap_err().to_string()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_zip_bomb_is_stopped_at_what_it_unpacks_to() {
    let limits = Limits { unpacked: 1_000_000, ..Limits::default() };
    let bomb = docx(&" ".repeat(20_000_000));
    assert!(bomb.len() < 100_000);
    let said = refused("bomb.docx", bomb, &limits);
    assert!(said.contains("unpacked bytes") && said.contains("1000000"), "{said}");
}

#[test]
fn an_archive_of_many_files_is_stopped_at_their_number() {
    let limits = Limits { entries: 100, ..Limits::default() };
    let names: Vec<String> = (0..500).map(|at| format!("f{at}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"".as_slice())).collect();
    let said = refused("many.docx", archive(&files), &limits);
    assert!(said.contains("500 entries") && said.contains("100"), "{said}");
}

#[test]
fn a_pdf_bomb_is_seen_before_the_parser_unpacks_it() {
    let limits = Limits { unpacked: 1_000_000, ..Limits::default() };
    let inner = packed(&vec![b' '; 50_000_000]);
    let one = pdf_of(vec![("/Filter /FlateDecode".into(), inner.clone())]);
    assert!(one.len() < 100_000);
    let twice = pdf_of(vec![("/Filter [/FlateDecode /FlateDecode]".into(), packed(&inner))]);
    for bytes in [one, twice] {
        let said = refused("bomb.pdf", bytes, &limits);
        assert!(said.contains("unpacked bytes"), "{said}");
    }
}

#[test]
fn a_pdf_of_500_pages_is_read_or_refused_by_its_pages() {
    let lines: &[&str] = &["Chapter", "Some words that fill a line of the page.", "And some more of them."];
    let pages = vec![lines; 500];
    // A debug build on a busy machine needs longer than people would wait.
    let patient = Limits { time: Duration::from_secs(150), ..Limits::default() };
    let found = read(pdf(&pages), &Hint::named("long.pdf"), &patient).unwrap();
    assert_eq!(found.blocks.last().and_then(|block| block.page), Some(500));
    let said = refused("long.pdf", pdf(&pages), &Limits { entries: 100, ..Limits::default() });
    assert!(said.contains("500 entries, pages or rows"), "{said}");
}

#[test]
fn html_of_100_megabytes_is_refused_by_its_bytes() {
    let said = refused("big.html", vec![b'a'; 100 * 1024 * 1024], &Limits::default());
    assert!(said.contains("104857600 bytes") && said.contains("smaller parts"), "{said}");
}

#[test]
fn nesting_without_end_is_refused_in_every_format() {
    let deep = 300_000;
    let cases = [
        ("a.html", "<div>".repeat(deep).into_bytes()),
        ("a.html", "<b><i><font>".repeat(deep / 3).into_bytes()),
        ("a.docx", docx(&"<w:sdt>".repeat(deep))),
        ("a.md", format!("{} x", "> ".repeat(2_000)).into_bytes()),
    ];
    for (name, bytes) in cases {
        let said = refused(name, bytes, &Limits::default());
        assert!(said.contains("levels of nesting") && said.contains("256"), "{name}: {said}");
    }
}

#[test]
fn open_paragraphs_are_no_nesting() {
    let page = format!("<html><body>{}</body></html>", "<p>One more<br><li>point".repeat(2_000));
    assert!(read(page.into_bytes(), &Hint::named("a.html"), &Limits::default()).is_ok());
}

#[test]
fn a_slow_file_ends_at_its_time() {
    let limits = Limits { time: Duration::ZERO, ..Limits::default() };
    let lines: &[&str] = &["Chapter", "Words."];
    for (name, bytes) in [
        ("a.pdf", pdf(&[lines])),
        ("a.html", b"<html><body><p>x</p></body></html>".to_vec()),
        ("a.csv", b"a,b\n1,2\n".to_vec()),
        ("a.md", b"# x\n\ny".to_vec()),
    ] {
        let error = read(bytes, &Hint::named(name), &limits).unwrap_err();
        assert!(matches!(error, ReadError::TooSlow { .. }), "{name}: {error}");
    }
}

#[test]
fn entities_of_a_document_are_not_expanded() {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
                <w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>x&b;y</w:t></w:r></w:p></w:body></w:document>";
    let bytes = archive(&[("word/document.xml", bomb.as_bytes())]);
    let found = read(bytes, &Hint::named("a.docx"), &Limits::default()).unwrap();
    assert_eq!(found.blocks[0].text, "xy");
}

#[test]
fn files_cut_anywhere_are_read_or_refused() {
    let lines: &[&str] = &["Chapter", "Words of a page."];
    let files = [("a.pdf", pdf(&[lines, lines])), ("a.docx", docx("<w:p><w:r><w:t>Words</w:t></w:r></w:p>"))];
    for (name, bytes) in files {
        for end in (0..bytes.len()).step_by(37) {
            // Either is right; breaking down is not.
            let _ = read(bytes[..end].to_vec(), &Hint::named(name), &Limits::default());
        }
    }
}
