//! Rows of values, from CSV files and workbooks alike.

use serde::{Deserialize, Serialize};

use super::rows::{announced, cells, commas_are_thousands, delimiter};
use crate::{BlockKind, Format, Hint, Limits, ReadError, Reading, limits::Guard};

/// A table as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// The name of the sheet, in workbooks.
    pub name: Option<String>,
    /// Its rows from the first that has a value, each without empty cells at its end.
    pub rows: Vec<Vec<String>>,
}

/// Reads the tables of a CSV file or a workbook, within limits.
pub fn read_sheets(bytes: Vec<u8>, hint: &Hint, limits: &Limits) -> Result<Vec<Sheet>, ReadError> {
    super::apart(bytes, hint, limits, |format, bytes, hint, guard| {
        let sheets = match format {
            Format::Xlsx => super::xlsx::sheets(bytes, guard)?,
            Format::Csv | Format::Text => {
                vec![separated(&super::decode(bytes, hint.charset()), hint.tabs(), guard)?]
            }
            Format::Html | Format::Markdown | Format::Pdf | Format::Docx | Format::Vtt => {
                return Err(ReadError::Unknown {
                    seen: format!("{format}, which is no table; save it as CSV or XLSX"),
                });
            }
        };
        let sheets: Vec<Sheet> = sheets.into_iter().filter(|sheet| !sheet.rows.is_empty()).collect();
        if sheets.is_empty() { Err(ReadError::Empty { format }) } else { Ok(sheets) }
    })
}

/// The rows of a CSV file. Spreadsheets in half of Europe write semicolons.
pub(super) fn separated(text: &str, tabs: bool, guard: &Guard) -> Result<Sheet, ReadError> {
    let (announced, text) = announced(text);
    let sign = announced.or(Some('\t').filter(|_| tabs));
    let sign = sign.or_else(|| delimiter(text).filter(|sign| *sign != ':'));
    // "3,400 views" is one cell.
    let sign = sign.unwrap_or(if commas_are_thousands(text) { '\t' } else { ',' });
    let mut sheet = Sheet::default();
    for row in cells(text, sign).filter(|row| !matches!(row.as_slice(), [only] if only.is_empty())) {
        sheet.push(row);
        guard.entries(sheet.rows.len())?;
        guard.time()?;
    }
    Ok(sheet)
}

impl Sheet {
    /// Adds a row; empty ones before the first are left out.
    pub(super) fn push(&mut self, mut row: Vec<String>) {
        while row.last().is_some_and(String::is_empty) {
            row.pop();
        }
        if !row.is_empty() || !self.rows.is_empty() {
            self.rows.push(row);
        }
    }

    /// Each row is told with the names of its columns, so that it can be understood alone.
    pub(super) fn tell(&self, reading: &mut Reading, guard: &Guard) -> Result<(), ReadError> {
        let Some((names, rows)) = self.rows.split_first() else { return Ok(()) };
        let mut letters = reading.len();
        if let Some(name) = &self.name {
            reading.push(BlockKind::Heading(1), name, None);
        }
        for row in rows {
            let told = told(names, row);
            // A long heading is told again with each of its cells.
            letters += told.len();
            guard.text(letters)?;
            guard.time()?;
            reading.push(BlockKind::Row, &told, None);
        }
        if rows.is_empty() {
            reading.push(BlockKind::Row, &names.join(" | "), None);
        }
        Ok(())
    }
}

fn told(names: &[String], row: &[String]) -> String {
    let cells = row.iter().enumerate().filter(|(_, value)| !value.is_empty());
    let told = cells.map(|(at, value)| match names.get(at).filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}: {value}"),
        None => value.clone(),
    });
    told.collect::<Vec<_>>().join(" | ")
}
