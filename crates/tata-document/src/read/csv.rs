//! Rows of values: each row is told with the names of its columns, so that it can be understood alone.

use csv::{ReaderBuilder, StringRecord};

use crate::{BlockKind, Format, ReadError, Reading, limits::Guard};

pub(super) fn read(text: &str, tabs: bool, guard: &Guard) -> Result<Reading, ReadError> {
    let first = text.lines().next().unwrap_or_default();
    let count = |c: char| first.matches(c).count();
    // Spreadsheets in half of Europe write semicolons.
    let delimiter = match () {
        () if tabs || count('\t') > count(',').max(count(';')) => b'\t',
        () if count(';') > count(',') => b';',
        () => b',',
    };
    let mut rows = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let names = rows.headers().map_err(|error| ReadError::damaged(Format::Csv, error))?.clone();
    let mut reading = Reading::new(Format::Csv);
    let mut row = StringRecord::new();
    while rows.read_record(&mut row).map_err(|error| ReadError::damaged(Format::Csv, error))? {
        reading.push(BlockKind::Row, &told(&names, &row), None);
        guard.entries(reading.blocks.len())?;
        guard.time()?;
    }
    if reading.is_empty() {
        reading.push(BlockKind::Row, &names.iter().collect::<Vec<_>>().join(" | "), None);
    }
    Ok(reading)
}

fn told(names: &StringRecord, row: &StringRecord) -> String {
    let cells = row.iter().enumerate().filter(|(_, value)| !value.trim().is_empty());
    let told = cells.map(|(at, value)| match names.get(at).map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}: {}", value.trim()),
        None => value.trim().to_owned(),
    });
    told.collect::<Vec<_>>().join(" | ")
}
