//! The tables of a document as rows of values, one table after the other.

use super::{WriteError, tables::tables};
use crate::Document;

const FORMAT: &str = "csv";

/// Writes the tables; an empty line parts them. The mark at the start tells spreadsheets that it is UTF-8, the delimiter
/// is the one they expect where the comma is part of a number.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let tables = tables(document);
    if tables.is_empty() {
        return Err(WriteError::Nothing { what: "table", format: FORMAT });
    }
    let delimiter = if document.language.primary() == "en" { b',' } else { b';' };
    let mut bytes = "\u{feff}".as_bytes().to_vec();
    for (at, (_, rows)) in tables.iter().enumerate() {
        if at > 0 {
            bytes.extend_from_slice(b"\r\n");
        }
        let mut writer = csv::WriterBuilder::new()
            .delimiter(delimiter)
            .terminator(csv::Terminator::CRLF)
            .flexible(true)
            .from_writer(Vec::new());
        for row in rows {
            writer
                .write_record(row.iter().map(|cell| guarded(cell.as_str())))
                .map_err(|error| WriteError::failed(FORMAT, error))?;
        }
        bytes.extend(writer.into_inner().map_err(|error| WriteError::failed(FORMAT, error.into_error()))?);
    }
    Ok(bytes)
}

/// A value that no spreadsheet takes for a formula: an apostrophe in front keeps it text. Numbers stay numbers.
fn guarded(text: &str) -> String {
    let text: String = text.chars().filter(|letter| *letter != '\0').collect();
    let first = text.trim_start().chars().next();
    let starts =
        text.starts_with(['\t', '\r', '\n']) || first.is_some_and(|letter| "=+-@|%＝＋－＠".contains(letter));
    let number = text.len() > 1
        && text.strip_prefix('-').is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest.chars().all(|c| c.is_ascii_digit() || ".,\u{a0}\u{202f}".contains(c))
        });
    if starts && !number { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_is_a_formula() {
        let check = |text: &str, written: &str| assert_eq!(guarded(text), written);
        check("=1+1", "'=1+1");
        check("  =cmd|' /C calc'!A0", "'  =cmd|' /C calc'!A0");
        check("+46 8 123", "'+46 8 123");
        check("@SUM(A1)", "'@SUM(A1)");
        check("-", "'-");
        check("-3,5", "-3,5");
        check("-3+cmd", "'-3+cmd");
        check("\t=1", "'\t=1");
        check("＝1", "'＝1");
        check("a\0b", "ab");
        check("12 %", "12 %");
        check("", "");
    }
}
