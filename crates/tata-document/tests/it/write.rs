//! What is written can be read, by our own readers and by those of others.

use std::io::{Cursor, Read};

use calamine::{Data, Reader, Xlsx};
use proptest::prelude::*;
use tata_document::{Block, Document, Hint, Limits, Options, Target, WriteError, in_process::read, write};

use crate::{render::any_document, samples};

fn text_of(bytes: Vec<u8>, name: &str) -> String {
    let reading = read(bytes, &Hint::named(name), &Limits::default()).unwrap();
    reading.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Letters and digits only: how a format breaks lines does not matter.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn samples() -> impl Iterator<Item = (&'static str, Document)> {
    samples::documents().into_iter().filter(|(name, _)| *name != "hostile")
}

#[test]
fn word_files_and_pdfs_say_what_the_document_says() {
    for (name, document) in samples() {
        for target in [Target::Docx, Target::Pdf] {
            let bytes = write(&document, target, &samples::options()).unwrap();
            let found = letters(&text_of(bytes, &format!("x.{}", target.ending())));
            for block in &document.blocks {
                // The names of a chart's columns are not drawn, and Word draws the chart itself.
                let Block::Chart(_) = block else {
                    for text in block.inlines() {
                        let words = text.as_str().split_whitespace().map(letters);
                        for word in words.filter(|word| !word.is_empty()) {
                            assert!(found.contains(&word), "{name}.{}: {word} of {text}", target.ending());
                        }
                    }
                    continue;
                };
            }
            let notice = samples::options().notice.unwrap();
            assert!(found.contains(&letters(&notice)), "{name}.{}: {found}", target.ending());
        }
    }
}

fn parts(bytes: Vec<u8>) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let part = |at: usize| {
        let mut file = archive.by_index(at).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        (file.name().unwrap().into_owned(), text)
    };
    (0..count).map(part).collect()
}

/// Fails unless the text is XML to its end.
fn check_xml(name: &str, text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    loop {
        let event = reader.read_event();
        assert!(event.is_ok(), "{name}: {event:?} in {text}");
        if matches!(event, Ok(quick_xml::events::Event::Eof)) {
            break;
        }
    }
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r') || c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}');
    assert!(text.chars().all(allowed), "{name}");
}

#[test]
fn a_word_file_has_styles_numbering_header_rows_notes_and_language() {
    let document =
        |wanted: &str| samples::documents().into_iter().find(|(name, _)| *name == wanted).unwrap().1;
    let body = |name: &str| {
        let all = parts(write(&document(name), Target::Docx, &samples::options()).unwrap());
        for (name, text) in &all {
            check_xml(name, text);
        }
        all
    };
    let find =
        |all: &[(String, String)], name: &str| all.iter().find(|(known, _)| known == name).unwrap().1.clone();
    let screening = find(&body("screening-da"), "word/document.xml");
    assert_eq!(screening.matches("w:val=\"NotesLines\"").count(), 4);
    assert_eq!(screening.matches("<w:tblHeader/>").count(), 1);
    assert!(
        screening.contains("<w:lang w:val=\"da-DK\"/>")
            && screening.contains("<w:pStyle w:val=\"Heading1\"/>")
    );
    let messages = find(&body("messages-no"), "word/document.xml");
    assert!(messages.contains("<w:lang w:val=\"nb-NO\"/>") && messages.contains("<w:lang w:val=\"de-DE\"/>"));
    let profile = body("profile-sv");
    assert!(find(&profile, "word/document.xml").contains("<w:numId w:val=\"2\"/>"));
    assert!(find(&profile, "word/document.xml").contains("<w:vertAlign w:val=\"superscript\"/>"));
    assert!(find(&profile, "word/numbering.xml").contains("<w:startOverride w:val=\"1\"/>"));
    let core = find(&profile, "docProps/core.xml");
    assert!(
        core.contains("<dc:language>sv-SE</dc:language>") && core.contains("2026-11-17T09:30:00Z"),
        "{core}"
    );
    assert!(core.contains("<dc:creator>Talent Acquisition</dc:creator>") && core.contains("Drafted with AI"));
    let funnel = body("funnel-en");
    assert!(find(&funnel, "word/charts/chart1.xml").contains("<c:v>1204</c:v>"));
    assert!(
        find(&funnel, "word/document.xml").contains("descr=\"Process: Applications 1 204, Qualified 310")
    );
    assert!(
        find(&funnel, "word/_rels/document.xml.rels")
            .contains("Target=\"https://example.com/benchmark?a=1&amp;b=2\"")
    );
}

/// Equal documents are equal files, or nobody can tell whether one was changed.
#[test]
fn the_same_document_is_the_same_file() {
    for (_, document) in samples::documents() {
        for target in [Target::Docx, Target::Pdf, Target::Html, Target::Markdown, Target::Text] {
            let once = || write(&document, target, &samples::options()).unwrap();
            assert_eq!(once(), once(), "{target:?}");
        }
    }
}

#[test]
fn a_pdf_is_tagged_with_its_language() {
    for (name, document) in samples() {
        let bytes = write(&document, Target::Pdf, &samples::options()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            text.contains(&format!("/Lang ({})", document.language.with_region())) || text.contains("/Lang("),
            "{name}"
        );
        assert!(text.contains("/StructTreeRoot") && text.contains("/Marked true"), "{name}");
    }
}

#[test]
fn spreadsheets_hold_values_and_no_formulas() {
    let (_, funnel) = samples::documents().remove(0);
    let bytes = write(&funnel, Target::Xlsx, &samples::options()).unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    assert_eq!(book.sheet_names(), ["Summary", "Process", "Figures"]);
    let sheet = book.worksheet_range("Process").unwrap();
    assert_eq!(sheet.get_value((0, 0)), Some(&Data::String("Stage".into())));
    assert_eq!(sheet.get_value((1, 1)), Some(&Data::Float(1204.0)));
    let (_, hostile) = samples::documents().pop().unwrap();
    let bytes = write(&hostile, Target::Xlsx, &samples::options()).unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    for name in book.sheet_names() {
        assert!(book.worksheet_formula(&name).unwrap().is_empty(), "{name}");
    }
    let csv = String::from_utf8(write(&hostile, Target::Csv, &samples::options()).unwrap()).unwrap();
    assert!(csv.contains("'=1+1") && csv.contains("'@x") && csv.contains(",-2,"), "{csv}");
    let (_, report) = samples::documents().remove(3);
    let csv = String::from_utf8(write(&report, Target::Csv, &samples::options()).unwrap()).unwrap();
    assert!(csv.starts_with("\u{feff}Thema;Aussage;Fundstelle\r\n"), "{csv}");
}

#[test]
fn a_format_that_holds_nothing_of_the_document_says_so() {
    let mut document = Document::new("en", "Ad");
    document.paragraph("Words.");
    for (target, what) in [(Target::Csv, "table"), (Target::Xlsx, "table"), (Target::Svg, "chart")] {
        let error = write(&document, target, &Options::default()).unwrap_err();
        assert!(matches!(error, WriteError::Nothing { what: found, .. } if found == what), "{error}");
        assert!(error.to_string().contains("choose docx, pdf, md, html or txt"));
    }
}

#[test]
fn without_options_nothing_is_added() {
    for (_, document) in samples() {
        let text =
            |target| String::from_utf8(write(&document, target, &Options::default()).unwrap()).unwrap();
        assert_eq!(text(Target::Markdown), document.markdown());
        assert_eq!(text(Target::Text), document.plain());
    }
    assert_eq!(Target::of_ending("DOCX"), Some(Target::Docx));
    assert_eq!(Target::of_ending("doc"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever a document holds, every format takes it, and what is XML is XML.
    #[test]
    fn every_document_can_be_written(document in any_document()) {
        for target in Target::ALL {
            match write(&document, target, &samples::options()) {
                Ok(bytes) if target == Target::Docx => {
                    for (name, text) in parts(bytes) {
                        check_xml(&name, &text);
                    }
                }
                Ok(bytes) if target == Target::Svg => check_xml("svg", &String::from_utf8(bytes).unwrap()),
                Ok(bytes) => prop_assert!(!bytes.is_empty()),
                Err(error) => prop_assert!(matches!(error, WriteError::Nothing { .. }), "{error}"),
            }
        }
    }
}
