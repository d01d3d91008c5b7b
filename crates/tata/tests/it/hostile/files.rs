//! Files made to do harm, written by code: none of them is large on disk before it is made here.
#![expect(clippy::format_collect, reason = "texts for tests are made as they read best")]

use std::io::{Cursor, Write as _};

use flate2::{Compress, Compression, FlushCompress, write::ZlibEncoder};
use zip::{ZipWriter, write::SimpleFileOptions};

/// A file by its name.
pub(super) struct Hostile {
    pub(super) name: &'static str,
    pub(super) bytes: Vec<u8>,
}

fn hostile(name: &'static str, bytes: impl Into<Vec<u8>>) -> Hostile {
    Hostile { name, bytes: bytes.into() }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A million times this letter, so many times: packed once and repeated, because packing takes longer than harm does.
fn packed(letter: u8, millions: usize) -> Vec<u8> {
    let mut compress = Compress::new(Compression::fast(), true);
    let mut million = Vec::with_capacity(100_000);
    compress.compress_vec(&vec![letter; 1_000_000], &mut million, FlushCompress::Full).unwrap();
    // Two letters say which packer it was; the last block is an empty one.
    let (head, million) = million.split_at(2);
    [head.to_vec(), million.repeat(millions), vec![3, 0]].concat()
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A PDF of these objects, the first of which is the catalog.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", at + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    let size = objects.len() + 1;
    file.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").into_bytes());
    file
}

fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    stream_after("\n", entries, content)
}

/// A stream whose data begin after these letters; not every reader agrees on what may stand there.
fn stream_after(begin: &str, entries: &str, content: &[u8]) -> Vec<u8> {
    let mut object = format!("<< /Length {} {entries} >>\nstream{begin}", content.len()).into_bytes();
    object.extend(content);
    object.extend(b"\nendstream");
    object
}

const CATALOG: &[u8] = b"<< /Type /Catalog /Pages 2 0 R >>";
const FONT: &[u8] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/// One page that draws this stream, and what it refers to from object 6 on.
fn page(content: Vec<u8>, resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let mut objects = vec![
        CATALOG.to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << {resources} >> >>"
        )
        .into_bytes(),
        content,
        FONT.to_vec(),
    ];
    objects.extend_from_slice(more);
    pdf(&objects)
}

/// Codes of LZW that say "what was said last, and a letter more" again and again.
fn lzw_bomb(rounds: usize) -> Vec<u8> {
    let (mut out, mut bits, mut held) = (Vec::new(), 0_u64, 0_u32);
    let mut put = |code: u64, width: u32| {
        bits = (bits << width) | code;
        held += width;
        while held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 0xff).unwrap());
        }
    };
    for _ in 0..rounds {
        put(256, 9);
        put(32, 9);
        for code in 258_u64..4_094 {
            put(
                code,
                if code < 511 {
                    9
                } else if code < 1_023 {
                    10
                } else if code < 2_047 {
                    11
                } else {
                    12
                },
            );
        }
    }
    // The next clear mark is read with the width that was reached; both readings end or go on.
    put(257, 12);
    put(0, 8);
    out
}

pub(super) fn pdfs() -> Vec<Hostile> {
    let all = [pdfs_without_end(), pdfs_that_unpack(), pdfs_that_claim()];
    all.into_iter().flatten().collect()
}

const DRAWN: &str = "/XObject << /X 6 0 R >>";
const SET: &str = "/Font << /F1 5 0 R >>";

/// Rings and trees that double.
fn pdfs_without_end() -> Vec<Hostile> {
    let form = |resources: &str, content: &[u8]| {
        stream(
            &format!(
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << {resources} >> >>"
            ),
            content,
        )
    };
    // Each of 26 forms draws the next one twice.
    let forms: Vec<Vec<u8>> = (6..32).map(|at| form(&format!("/X {} 0 R", at + 1), b"/X Do /X Do")).collect();
    let ring = pdf(&[
        CATALOG.to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 4 0 R >>".to_vec(),
        b"<< /Type /Page /Parent 4 0 R /Contents 5 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 2 0 R >>".to_vec(),
        stream("", b"BT (x) Tj ET"),
    ]);
    let kids = pdf(&[
        CATALOG.to_vec(),
        b"<< /Type /Pages /Kids [2 0 R 2 0 R 3 0 R] /Count 3 >>".to_vec(),
        b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 /Parent 2 0 R >>".to_vec(),
    ]);
    let deep = [vec![b'['; 2_000_000], vec![b']'; 2_000_000]].concat();
    vec![
        hostile("form-in-itself.pdf", page(stream("", b"/X Do"), DRAWN, &[form("/X 6 0 R", b"/X Do")])),
        hostile("forms-doubled.pdf", page(stream("", b"/X Do"), DRAWN, &forms)),
        hostile("parents-in-a-ring.pdf", ring),
        hostile("kids-in-a-ring.pdf", kids),
        hostile("deep.pdf", page(stream("", b"BT (x) Tj ET"), SET, &[deep])),
    ]
}

/// Little that becomes much, in every way of packing and of beginning a stream.
fn pdfs_that_unpack() -> Vec<Hostile> {
    let spaces = packed(b' ', 400);
    let one = |content: Vec<u8>| page(content, SET, &[]);
    let map = format!(
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange \
         1 beginbfchar <01> <{}> endbfchar endcmap end",
        "0041".repeat(100_000)
    );
    let book = page(
        stream("", format!("BT /F1 9 Tf ({}) Tj ET", "\\001".repeat(30_000)).as_bytes()),
        "/Font << /F1 6 0 R >>",
        &[
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>".to_vec(),
            stream("/Filter /FlateDecode", &deflated(map.as_bytes())),
        ],
    );
    let lzw = deflated(&lzw_bomb(60));
    let operands = deflated("1 0 0 1 0 0 cm q ".repeat(500_000).as_bytes());
    vec![
        hostile("one-letter-a-book.pdf", book),
        hostile("packed.pdf", one(stream("/Filter /FlateDecode", &spaces))),
        hostile("packed-cr.pdf", one(stream_after("\r", "/Filter /FlateDecode", &spaces))),
        hostile("packed-space.pdf", one(stream_after(" \r\n", "/Filter /FlateDecode", &spaces))),
        hostile("lzw.pdf", one(stream("/Filter /LZWDecode", &lzw_bomb(1)))),
        hostile("lzw-packed.pdf", one(stream("/Filter [/FlateDecode /LZWDecode]", &lzw))),
        hostile("ascii85.pdf", one(stream("/Filter [/FlateDecode /ASCII85Decode]", &packed(b'z', 100)))),
        hostile("operands.pdf", one(stream("/Filter /FlateDecode", &operands))),
    ]
}

/// Numbers that no file of this size can mean.
fn pdfs_that_claim() -> Vec<Hostile> {
    let rows = "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2147483647 /Colors 4 >>";
    let objects = "/Type /ObjStm /N 999999999999 /First 999999999";
    vec![
        hostile("wide-rows.pdf", page(stream(rows, &deflated(&[2; 100_000])), SET, &[])),
        hostile("claims.pdf", page(stream(objects, b"1 0 2 0"), SET, &[])),
    ]
}

fn word(body: &[u8]) -> Vec<u8> {
    let begin: &[u8] = b"<?xml version=\"1.0\"?><w:document xmlns:w=\"w\"><w:body>";
    archive(&[("word/document.xml", &[begin, body, b"</w:body></w:document>"].concat())])
}

pub(super) fn words() -> Vec<Hostile> {
    let attributes: String = (0..1_000_000).map(|at| format!(" a{at}=\"\"")).collect();
    let one_tag = "a".repeat(20_000_000);
    vec![
        hostile("packed.docx", word(&vec![b' '; 60_000_000])),
        hostile("nested.docx", word("<w:sdt>".repeat(1_000_000).as_bytes())),
        hostile("breaks.docx", word("<w:p/>".repeat(3_000_000).as_bytes())),
        hostile("line-breaks.docx", word(format!("<w:p>{}</w:p>", "<w:br/>".repeat(3_000_000)).as_bytes())),
        hostile("one-tag.docx", word(format!("<w:p></{one_tag}>").as_bytes())),
        hostile("one-open-tag.docx", word(format!("<w:p a=\"{one_tag}").as_bytes())),
        hostile("attributes.docx", word(format!("<w:p{attributes}/>").as_bytes())),
        hostile("paragraphs.docx", word("<w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(500_000).as_bytes())),
        hostile(
            "cells.docx",
            word(format!("<w:tbl><w:tr>{}</w:tr></w:tbl>", "<w:tc/>".repeat(2_000_000)).as_bytes()),
        ),
    ]
}

fn workbook(texts: &str, sheet: &str) -> Vec<u8> {
    archive(&[
        (
            "[Content_Types].xml",
            br#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#,
        ),
        (
            "xl/workbook.xml",
            br#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            br#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#,
        ),
        ("xl/sharedStrings.xml", texts.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

pub(super) fn workbooks() -> Vec<Hostile> {
    const MAIN: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
    let sheet = |rows: &str| format!("<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>");
    let texts = |claim: &str, text: &str| format!("<sst {MAIN} {claim}><si><t>{text}</t></si></sst>");
    let same: String = (1..=90_000)
        .map(|row| format!("<row r=\"{row}\"><c r=\"A{row}\" t=\"s\"><v>0</v></c></row>"))
        .collect();
    let headings: String = (0..900).map(|_| "<c t=\"s\"><v>0</v></c>").collect();
    let values: String = (0..900).map(|_| "<c><v>1</v></c>").collect();
    let told: String = std::iter::once(format!("<row>{headings}</row>"))
        .chain((0..900).map(|_| format!("<row>{values}</row>")))
        .collect();
    let one = |cell: &str| sheet(&format!("<row r=\"1\">{cell}</row>"));
    vec![
        hostile(
            "claim.xlsx",
            workbook(&texts("uniqueCount=\"99999999999\"", "x"), &one("<c r=\"A1\"><v>1</v></c>")),
        ),
        hostile(
            "claim-small.xlsx",
            workbook(&texts("uniqueCount=\"40000000\"", "x"), &one("<c r=\"A1\"><v>1</v></c>")),
        ),
        hostile("one-text.xlsx", workbook(&texts("", &"x".repeat(1_000_000)), &sheet(&same))),
        hostile("long-headings.xlsx", workbook(&texts("", &"x".repeat(30_000)), &sheet(&told))),
        hostile("far-cell.xlsx", workbook(&texts("", "x"), &one("<c r=\"XFD1048576\"><v>1</v></c>"))),
        hostile(
            "columns.xlsx",
            workbook(&texts("", "x"), &one("<c r=\"ZZZZZZZZZZZZ99999999999999\"><v>1</v></c>")),
        ),
        hostile("packed.xlsx", workbook(&texts("", "x"), &" ".repeat(40_000_000))),
        hostile("rich-texts.xlsx", workbook(&texts("", &"<r><t>x</t></r>".repeat(1_000_000)), &one(""))),
        hostile("one-tag.xlsx", workbook(&texts("", "x"), &one(&format!("<c {}", "a".repeat(20_000_000))))),
    ]
}

pub(super) fn pages() -> Vec<Hostile> {
    let attributes: String = (0..2_500_000).map(|at| format!(" a{at}")).collect();
    vec![
        hostile("breaks.html", format!("<html><body>{}", "<br>".repeat(7_000_000))),
        hostile("deep.html", format!("<html>{}", "<div>".repeat(5_000_000))),
        hostile("formatting.html", format!("<html><body>{}", "<b><i><a>x".repeat(500_000))),
        hostile("attributes.html", format!("<html><body{attributes}>x")),
        hostile("open.html", format!("<html>{}", "<".repeat(30_000_000))),
        hostile("entities.html", format!("<html><body>{}", "&amp".repeat(7_000_000))),
        hostile("table.html", format!("<html><body>{}", "<table>".repeat(3_000_000))),
        hostile("paragraphs.html", format!("<html><body>{}", "<p>x".repeat(6_000_000))),
        hostile("comments.html", format!("<html><body>{}", "<!--".repeat(7_000_000))),
        hostile("one-word.html", format!("<html><body><p>{}</p>", "x".repeat(30_000_000))),
    ]
}

pub(super) fn markdowns() -> Vec<Hostile> {
    vec![
        hostile("quotes.md", "> ".repeat(15_000_000)),
        hostile("brackets.md", "[".repeat(30_000_000)),
        hostile("links.md", "[a](".repeat(7_000_000)),
        hostile("stars.md", "*a **a ".repeat(4_000_000)),
        hostile("ticks.md", (1..7_000).map(|count| "`".repeat(count) + " ").collect::<String>()),
        hostile("lists.md", (0..5_000).map(|depth| "  ".repeat(depth) + "* a\n").collect::<String>()),
        hostile("table.md", format!("|a|\n|-|\n{}", "|".repeat(30_000_000))),
        hostile("references.md", "[a]: b\n".repeat(4_000_000)),
        hostile("headings.md", "# \n".repeat(10_000_000)),
    ]
}

pub(super) fn plain() -> Vec<Hostile> {
    vec![
        hostile("one-line.txt", "x".repeat(32_000_000)),
        hostile("empty-lines.txt", "\n".repeat(32_000_000)),
        hostile("short-lines.txt", "x\n\n".repeat(10_000_000)),
        hostile("returns.txt", "\r".repeat(32_000_000)),
        hostile("zeros.txt", [b"x".to_vec(), vec![0; 32_000_000]].concat()),
        hostile("wide.txt", [b"\xff\xfe".to_vec(), b"\x42\x30".repeat(16_000_000)].concat()),
        hostile("no-charset.txt", [b"x".to_vec(), b"\x81\xfe\xa1".repeat(10_000_000)].concat()),
    ]
}

pub(super) fn tables() -> Vec<Hostile> {
    let headings = format!("{}\n", "x".repeat(500_000));
    vec![
        hostile("commas.csv", ",".repeat(32_000_000)),
        hostile("rows.csv", "1\n".repeat(16_000_000)),
        hostile("cells.csv", "1,2,3,4\n".repeat(4_000_000)),
        hostile("quote.csv", format!("a,\"{}", "x\n".repeat(15_000_000))),
        hostile("quotes.csv", "\"\"".repeat(15_000_000)),
        hostile("long-heading.csv", format!("{headings}{}", "1\n".repeat(90_000))),
        hostile("tabs.tsv", "\t".repeat(32_000_000)),
    ]
}

pub(super) fn transcripts() -> Vec<Hostile> {
    let cue = "00:00:01.000 --> 00:00:02.000\n<v A>x</v>\n\n";
    vec![
        hostile("cues.vtt", format!("WEBVTT\n\n{}", cue.repeat(700_000))),
        hostile(
            "voices.vtt",
            format!("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{}", "<v A>".repeat(6_000_000)),
        ),
        hostile("open.vtt", format!("WEBVTT\n\n{}", "<".repeat(30_000_000))),
        hostile("arrows.vtt", format!("WEBVTT\n\n{}", "-->\n".repeat(8_000_000))),
        hostile(
            "names.vtt",
            format!("WEBVTT\n\n{}", (0..1_500_000).map(|at| format!("A{at}: x\n\n")).collect::<String>()),
        ),
        hostile(
            "one-cue.vtt",
            format!("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{}", "x ".repeat(15_000_000)),
        ),
        hostile(
            "entities.vtt",
            format!("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{}", "&amp;".repeat(6_000_000)),
        ),
    ]
}
