//! Tables of other programs.

use proptest::prelude::*;
use tata_document::{
    Format, Hint, Limits, ReadError, Sheet, Target,
    in_process::{read, read_sheets},
    write,
};

use crate::{files::archive, samples};

fn sheets(name: &str, bytes: impl Into<Vec<u8>>) -> Vec<Sheet> {
    read_sheets(bytes.into(), &Hint::named(name), &Limits::default()).unwrap()
}

#[test]
fn csv_as_spreadsheets_write_it() {
    let check = |name: &str, bytes: &[u8], rows: &[&[&str]]| {
        let found = sheets(name, bytes);
        assert_eq!(found.first().unwrap().rows, rows, "{name}");
    };
    check(
        "a.csv",
        "\u{feff}Steg;Antal\r\nAnsökningar;1 204\r\n\"a;b\";\"1,5\"\r\n".as_bytes(),
        &[&["Steg", "Antal"], &["Ansökningar", "1 204"], &["a;b", "1,5"]],
    );
    check("a.csv", b"Stage,Count\nApplied,12\n,\n", &[&["Stage", "Count"], &["Applied", "12"], &[]]);
    check("a.csv", b"sep=|\r\nStage|Count\r\nApplied|12\r\n", &[&["Stage", "Count"], &["Applied", "12"]]);
    check("a.tsv", b"\n\nStage\tCount\nA\t1\n", &[&["Stage", "Count"], &["A", "1"]]);
    // Latin-1, as older programs write it.
    check(
        "a.csv",
        b"Steg;Antal\r\nAns\xf6kningar och fler ord s\xe5 att spr\xe5ket syns;3\r\n",
        &[&["Steg", "Antal"], &["Ansökningar och fler ord så att språket syns", "3"]],
    );
}

#[test]
fn a_workbook_gives_its_sheets() {
    let (_, funnel) = samples::documents().remove(0);
    let bytes = write(&funnel, Target::Xlsx, &samples::options()).unwrap();
    let found = sheets("report.xlsx", bytes.clone());
    let names: Vec<&str> = found.iter().filter_map(|sheet| sheet.name.as_deref()).collect();
    assert_eq!(names, ["Summary", "Process", "Figures"]);
    assert_eq!(found[1].rows[1], ["Applications", "1204"]);
    let reading = read(bytes, &Hint::named("x"), &Limits::default()).unwrap();
    assert_eq!(reading.format, Format::Xlsx);
    assert!(reading.blocks.iter().any(|block| block.text == "Stage: Applications | Count: 1204"));
}

fn workbook(sheet: &str) -> Vec<u8> {
    archive(&[
        ("[Content_Types].xml", b"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"),
        ("_rels/.rels", b"<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"),
        ("xl/workbook.xml", b"<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"),
        ("xl/_rels/workbook.xml.rels", b"<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"),
        ("xl/worksheets/sheet1.xml", format!("<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">{sheet}</worksheet>").as_bytes()),
    ])
}

#[test]
fn a_sheet_that_claims_a_milliard_cells_costs_nothing() {
    let cell = |at: &str| format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>x</t></is></c>");
    let sheet = format!(
        "<dimension ref=\"A1:XFD1048576\"/><sheetData><row r=\"1\">{}</row><row r=\"1048576\">{}</row></sheetData>",
        cell("A1"),
        cell("B1048576")
    );
    let found = sheets("x.xlsx", workbook(&sheet));
    assert_eq!(found[0].rows, [vec!["x"], vec!["", "x"]]);
    let wide = format!("<sheetData><row r=\"1\">{}</row></sheetData>", cell("XFD1"));
    let error = read_sheets(workbook(&wide), &Hint::named("x.xlsx"), &Limits::default()).unwrap_err();
    assert!(matches!(error, ReadError::TooMuch { .. }), "{error}");
}

#[test]
fn a_bomb_is_not_unpacked() {
    let text = format!("<sheetData>{}</sheetData>", " ".repeat(60 * 1024 * 1024));
    let error = read_sheets(workbook(&text), &Hint::named("x.xlsx"), &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("unpack"), "{error}");
    let error = read_sheets(b"%PDF-1.7".to_vec(), &Hint::named("x.xlsx"), &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("save it as CSV or XLSX"), "{error}");
}

proptest! {
    /// Whatever the bytes are, tables are read or refused.
    #[test]
    fn any_bytes_as_a_table(
        sheet in "(<row r=\"[0-9]{1,9}\">|<c r=\"[A-Z]{0,4}[0-9]{0,8}\"( t=\"[a-z]{1,3}\")?>|<v>|[0-9.eE-]{1,9}|</v>|</c>|</row>|&#[0-9]{1,7};|<is><t>å</t></is>){0,30}",
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        cells in prop::collection::vec(prop::sample::select(vec!["a", ";", ",", "\n", "\"", "\t", "\r", "=1+1", "\u{0}"]), 0..40),
    ) {
        let _ = read_sheets(workbook(&format!("<sheetData>{sheet}</sheetData>")), &Hint::named("x.xlsx"), &Limits::default());
        let mut damaged = workbook("<sheetData/>");
        damaged.extend(&bytes);
        let _ = read_sheets(damaged, &Hint::named("x.xlsx"), &Limits::default());
        let text = [cells.concat().as_bytes(), &bytes].concat();
        if let Ok(found) = read_sheets(text, &Hint::named("x.csv"), &Limits::default()) {
            prop_assert!(found.iter().all(|sheet| !sheet.rows.is_empty()));
        }
    }
}
