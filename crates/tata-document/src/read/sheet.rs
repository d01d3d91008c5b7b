//! Rows of values, from CSV files and workbooks alike.

use csv::{ReaderBuilder, StringRecord};

use crate::{BlockKind, Format, Hint, Limits, ReadError, Reading, limits::Guard};

/// A table as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    let text = text.trim_start_matches('\u{feff}');
    // Excel tells its delimiter in a line of its own.
    let (told, text) = match text.strip_prefix("sep=").or_else(|| text.strip_prefix("SEP=")) {
        Some(rest) => {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            (line.bytes().next().filter(u8::is_ascii), after)
        }
        None => (None, text),
    };
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |c: char| first.matches(c).count();
    let delimiter = match told {
        Some(told) => told,
        None if tabs || count('\t') > count(',').max(count(';')) => b'\t',
        None if count(';') > count(',') => b';',
        None => b',',
    };
    let mut rows = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut sheet = Sheet::default();
    let mut row = StringRecord::new();
    while rows.read_record(&mut row).map_err(|error| ReadError::damaged(Format::Csv, error))? {
        sheet.push(row.iter().map(|cell| cell.trim_matches('\0').trim().to_owned()).collect());
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
    pub(super) fn tell(&self, reading: &mut Reading) {
        let Some((names, rows)) = self.rows.split_first() else { return };
        if let Some(name) = &self.name {
            reading.push(BlockKind::Heading(1), name, None);
        }
        for row in rows {
            reading.push(BlockKind::Row, &told(names, row), None);
        }
        if rows.is_empty() {
            reading.push(BlockKind::Row, &names.join(" | "), None);
        }
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
