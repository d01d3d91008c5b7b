//! What each format gives.

use tata_document::{BlockKind, Format, Hint, Limits, ReadError, Reading, in_process::read};

use crate::files::{archive, docx, pdf, pdf_of, pdf_with, styled};

fn reading(name: &str, bytes: impl Into<Vec<u8>>) -> Reading {
    read(bytes.into(), &Hint::named(name), &Limits::default()).unwrap()
}

fn blocks(reading: &Reading) -> Vec<(BlockKind, &str)> {
    reading.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect()
}

#[test]
fn a_page_gives_its_main_content_and_not_its_navigation() {
    let words = "The company pays for your move to Oslo, and a flat for the first two months. ".repeat(6);
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><title>Moving | Nordvik</title><style>p{{}}</style></head><body>\
         <nav><ul><li>Home</li><li>Careers</li></ul></nav>\
         <article><h1>Moving to Oslo</h1><p>{words}</p><h2>What is paid</h2>\
         <ul><li>The <b>van</b></li><li>Two flights</li></ul>\
         <table><tr><th>City</th><th>Sum</th></tr><tr><td>Oslo</td><td>30&nbsp;000</td></tr></table>\
         <p>{words}</p></article><footer>Imprint</footer><script>alert(1)</script></body></html>"
    );
    let found = reading("https://example.com/moving?x=1.pdf", page);
    assert_eq!((found.format, found.title.as_deref()), (Format::Html, Some("Moving | Nordvik")));
    assert_eq!(found.language.as_deref(), Some("en"));
    let blocks = blocks(&found);
    assert!(blocks.contains(&(BlockKind::Heading(2), "What is paid")), "{blocks:?}");
    assert!(blocks.contains(&(BlockKind::Item, "The van")), "{blocks:?}");
    assert!(blocks.contains(&(BlockKind::Row, "Oslo | 30 000")), "{blocks:?}");
    let all: String = blocks.iter().map(|(_, text)| *text).collect();
    for silent in ["Careers", "Imprint", "alert"] {
        assert!(!all.contains(silent), "{silent}: {all}");
    }
}

#[test]
fn a_page_without_a_main_content_gives_all_of_it() {
    let cards: String =
        (0..30).map(|at| format!("<div><h3>Q{at}</h3><span>Answer {at}.</span></div>")).collect();
    let found = reading("faq.html", format!("<html><body>{cards}</body></html>"));
    for at in 0..30 {
        let wanted = format!("Answer {at}.");
        assert!(found.blocks.iter().any(|block| block.text == wanted), "{wanted} of {:?}", blocks(&found));
    }
}

#[test]
fn markdown_gives_headings_items_rows_and_code() {
    let text = "---\ntitle: \"Tone of voice\"\nlang: sv\n---\n# Ton\n\nVi säger *du*.\nAlltid.\n\n- ett\n- två\n\n\
                | a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\ny = 2\n```\n";
    let found = reading("tone.md", text);
    assert_eq!(found.title.as_deref(), Some("Tone of voice"));
    assert_eq!(found.language.as_deref(), Some("sv"));
    assert_eq!(
        blocks(&found),
        [
            (BlockKind::Heading(1), "Ton"),
            (BlockKind::Paragraph, "Vi säger du. Alltid."),
            (BlockKind::Item, "ett"),
            (BlockKind::Item, "två"),
            (BlockKind::Row, "a | b"),
            (BlockKind::Row, "1 | 2"),
            (BlockKind::Code, "x = 1\ny = 2"),
        ]
    );
}

#[test]
fn a_word_document_gives_headings_in_any_language_of_word_and_tables() {
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let body = [
        styled("Rubrik1", "Semester"),
        "<w:p><w:r><w:t>30 dagar &amp; mer</w:t></w:r><w:r><w:br/><w:t xml:space=\"preserve\"> per \u{e5}r</w:t></w:r></w:p>".into(),
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/></w:numPr></w:pPr><w:r><w:t>punkt</w:t></w:r></w:p>".into(),
        format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", cell("Ort"), cell("Lön")),
        styled("berschrift2", "Urlaub"),
    ];
    let found = reading("handbook.docx", docx(&body.concat()));
    assert_eq!(found.title.as_deref(), Some("Handbook & rules"));
    assert_eq!(
        blocks(&found),
        [
            (BlockKind::Heading(1), "Semester"),
            (BlockKind::Paragraph, "30 dagar & mer\n per år"),
            (BlockKind::Item, "punkt"),
            (BlockKind::Row, "Ort | Lön"),
            (BlockKind::Heading(2), "Urlaub"),
        ]
    );
}

#[test]
fn a_pdf_gives_pages_headings_and_whole_words() {
    let found = reading(
        "policy.pdf",
        pdf(&[
            &["Travel policy", "Trains come first. Flights are for dis-", "tances over 600 km."],
            &["Second", "Hotels."],
        ]),
    );
    assert_eq!(found.format, Format::Pdf);
    let told: Vec<_> =
        found.blocks.iter().map(|block| (block.page.unwrap(), block.kind, block.text.as_str())).collect();
    assert_eq!(
        told,
        [
            (1, BlockKind::Heading(1), "Travel policy"),
            (1, BlockKind::Paragraph, "Trains come first. Flights are for distances over 600 km."),
            (2, BlockKind::Heading(1), "Second"),
            (2, BlockKind::Paragraph, "Hotels."),
        ]
    );
}

/// A browser writes the widths of its fonts as ranges. Words and numbers fell apart: "3 0 0 kronor", "1 2 .0 0".
#[test]
fn a_pdf_printed_by_a_browser_has_whole_words_and_numbers() {
    let printed = include_bytes!("../data/printed-by-chromium.pdf.bin").to_vec();
    let found = reading("policy.pdf", printed);
    let text = found.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
    for whole in [
        "Friskvårdsbidraget är 3 000 kronor per år och anställd.",
        "Kvitton lämnas in senast den 30 november, före klockan 12.00.",
        "Flygresor bokas i ekonomiklass. Hotell betalas upp till 1 450 kronor per natt.",
        "Efter klockan 22 ersätts taxi med högst 350 kronor.",
        "The notice period is 3 months (90 days); version 12.80 applies from 2026-01-15.",
    ] {
        assert!(text.contains(whole), "{whole}: {text}");
    }
    assert_eq!(found.blocks[0].kind, BlockKind::Heading(1), "{text}");
}

/// Only a file without any text is a scan, and nobody reads what a library says about a file.
#[test]
fn a_pdf_without_readable_text_says_why() {
    let field = "<< /FT /Tx /T (name) /V (Karin) >>";
    let nameless = b"BT /F2 12 Tf 1 0 0 1 72 700 Tm <000100020003> Tj ET".to_vec();
    let cases: [(Vec<u8>, &str); 4] = [
        (
            pdf_of(vec![(String::new(), b"0 0 m 9 9 l S".to_vec())]),
            "there is no text in the PDF file: a scan",
        ),
        (pdf_with(vec![(String::new(), nameless)], &[]), "which letters they show"),
        (pdf_with(vec![(String::new(), b"0 0 m 9 9 l S".to_vec())], &[field]), "form fields"),
        (b"%PDF-1.4\nhello".to_vec(), "PDF file is damaged"),
    ];
    for (bytes, words) in cases {
        let error = read(bytes, &Hint::named("a.pdf"), &Limits::default()).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert!(!error.contains("github") && !error.contains("lopdf"), "{error}");
    }
}

/// A list of widths may be anything: no character gets an absurd one, and no file costs more than its limits.
#[test]
fn odd_widths_in_a_pdf_break_nothing() {
    for widths in [
        "[1 3 500]",
        "[1]",
        "[1 [500",
        "[1 2]",
        "[0 99999999999 500 1 3 500]",
        "[-5 9 500 1 [/x 500] 3]",
        "[(a) (b) (c)]",
        "12 0 R",
    ] {
        let font =
            format!("<< /Type /Font /Subtype /CIDFontType2 /DW 1000.0 /W {widths} /FontDescriptor << >> >>");
        let bytes =
            pdf_with(vec![(String::new(), b"BT /F1 12 Tf 72 700 Td (Words) Tj ET".to_vec())], &[&font]);
        let found = reading("a.pdf", bytes);
        assert_eq!(found.blocks[0].text, "Words", "{widths}");
    }
}

#[test]
fn rows_carry_the_names_of_their_columns() {
    for (name, text) in [
        ("a.csv", "city,pay\nOslo,\"31,5\"\n,\nBergen,30\n"),
        ("a.csv", "city;pay\nOslo;31,5\n;\nBergen;30\n"),
        ("a.tsv", "city\tpay\nOslo\t31,5\n\t\nBergen\t30\n"),
    ] {
        let found = reading(name, text);
        assert_eq!(
            blocks(&found),
            [(BlockKind::Row, "city: Oslo | pay: 31,5"), (BlockKind::Row, "city: Bergen | pay: 30")],
            "{text:?}"
        );
    }
}

#[test]
fn text_comes_in_many_charsets() {
    let wanted = "Smörgåsbord på svenska är gott, och en fråga är öppen.";
    let latin: Vec<u8> = wanted.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let wide = |big: bool| -> Vec<u8> {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        wanted.encode_utf16().flat_map(bytes).collect()
    };
    let marked = |mark: &[u8], bytes: Vec<u8>| [mark.to_vec(), bytes].concat();
    for bytes in [
        wanted.as_bytes().to_vec(),
        marked(b"\xef\xbb\xbf", wanted.as_bytes().to_vec()),
        latin,
        wide(false),
        wide(true),
        marked(b"\xff\xfe", wide(false)),
        marked(b"\xfe\xff", wide(true)),
    ] {
        let found = reading("a.txt", bytes.clone());
        assert_eq!(blocks(&found), [(BlockKind::Paragraph, wanted)], "{:?}", &bytes[..8]);
    }
    let hint = Hint { name: None, media_type: Some("text/plain; charset=\"iso-8859-5\"".into()) };
    let found = read(vec![0xbf, 0xe0, 0xd8, 0xd2, 0xd5, 0xe2], &hint, &Limits::default()).unwrap();
    assert_eq!(found.blocks[0].text, "Привет");
}

#[test]
fn a_few_broken_bytes_do_not_make_a_text_something_else() {
    let mut bytes = "Så är det på väg över ån till Åre, där går vägen över bäcken.".as_bytes().to_vec();
    bytes.insert(20, 0xff);
    let found = reading("a.txt", bytes);
    assert!(found.blocks[0].text.contains("över bäcken"), "{:?}", found.blocks);
}

#[test]
fn other_files_are_refused_with_their_kind() {
    let compound = |inside: &str| {
        let name = inside.encode_utf16().flat_map(u16::to_le_bytes);
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".iter().copied().chain(name).collect::<Vec<u8>>()
    };
    let cases: [(&str, Vec<u8>, &str); 9] = [
        ("a.doc", compound("WordDocument"), "save it as DOCX"),
        ("a.xls", compound("Workbook"), "save it as XLSX"),
        // A protected workbook of today was called an old file.
        ("a.xlsx", compound("EncryptedPackage"), "a password"),
        ("a.xlsb", archive(&[("xl/workbook.bin", b"x")]), "save it as XLSX"),
        ("a.png", b"\x89PNG\r\n\x1a\n".to_vec(), "a picture"),
        ("a.xlsx", archive(&[("xl/workbook.xml", b"<x/>")]), "XLSX file is damaged"),
        ("a.bin", vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3], "no text"),
        ("a.txt", (0..=255_u8).cycle().take(2_000).collect(), "no text"),
        ("a.pdf", b"hello".to_vec(), "PDF file is damaged"),
    ];
    for (name, bytes, words) in cases {
        let error = read(bytes, &Hint::named(name), &Limits::default()).unwrap_err();
        assert!(error.to_string().contains(words), "{name}: {error}");
    }
    let error = read(b" \n ".to_vec(), &Hint::named("a.txt"), &Limits::default()).unwrap_err();
    assert!(matches!(error, ReadError::Empty { format: Format::Text }), "{error}");
}
