//! Workbooks: a zip file of XML, whose sizes are counted before anything is read from it.

use std::io::{Cursor, Read as _};

use calamine::{Data, DataRef, Reader as _, Xlsx, XlsxError};
use zip::ZipArchive;

use super::sheet::Sheet;
use crate::{Format, ReadError, Reading, error::Limit, limits::Guard};

/// What a workbook may unpack to: its texts are held in memory.
const UNPACKED: usize = 32 * 1024 * 1024;
/// Cells of all sheets, and the widest row.
const CELLS: usize = 1_000_000;
const COLUMNS: usize = 1_000;

/// The sheets of a workbook. Cells are taken one by one: a sheet that says it has a milliard of them costs nothing.
pub(super) fn sheets(bytes: &[u8], guard: &Guard) -> Result<Vec<Sheet>, ReadError> {
    count(bytes, guard)?;
    let mut book: Xlsx<Cursor<&[u8]>> = Xlsx::new(Cursor::new(bytes)).map_err(damaged)?;
    guard.time()?;
    let mut sheets = Vec::new();
    let (mut cells, mut letters) = (0, 0);
    for name in book.sheet_names() {
        let mut sheet = Sheet { name: Some(name.clone()), rows: Vec::new() };
        // Charts are sheets without cells.
        let mut reader = match book.worksheet_cells_reader(&name) {
            Ok(reader) => reader,
            Err(XlsxError::WorksheetNotFound(_) | XlsxError::NotAWorksheet(_)) => continue,
            Err(error) => return Err(damaged(error)),
        };
        let (mut row, mut at) = (Vec::new(), None);
        while let Some(cell) = reader.next_cell().map_err(damaged)? {
            let (line, column) = cell.get_position();
            let text = shown(cell.get_value());
            if text.is_empty() {
                continue;
            }
            if at != Some(line) {
                sheet.push(std::mem::take(&mut row));
                guard.entries(sheet.rows.len())?;
                guard.time()?;
                at = Some(line);
            }
            let column = usize::try_from(column).unwrap_or(usize::MAX);
            Guard::within(Limit::Entries, column, COLUMNS)?;
            cells += 1;
            Guard::within(Limit::Entries, cells, CELLS)?;
            // One text of a workbook can stand in any number of its cells.
            letters += text.len();
            guard.text(letters)?;
            if row.len() <= column {
                row.resize(column + 1, String::new());
            }
            if let Some(slot) = row.get_mut(column) {
                *slot = text;
            }
        }
        sheet.push(row);
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// A workbook as text: the rows of each sheet under its name.
pub(super) fn read(bytes: &[u8], guard: &Guard) -> Result<Reading, ReadError> {
    let mut reading = Reading::new(Format::Xlsx);
    for sheet in sheets(bytes, guard)? {
        sheet.tell(&mut reading, guard)?;
    }
    Ok(reading)
}

/// Unpacks everything once and keeps nothing: what the archive says about sizes is a claim.
fn count(bytes: &[u8], guard: &Guard) -> Result<(), ReadError> {
    let bad = |error: zip::result::ZipError| ReadError::damaged(Format::Xlsx, error);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(bad)?;
    guard.entries(archive.len())?;
    let most = guard.limits.unpacked.min(UNPACKED);
    let mut spent = 0;
    let mut buffer = [0; 16 * 1024];
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).map_err(bad)?;
        loop {
            let found = file.read(&mut buffer).map_err(|error| ReadError::damaged(Format::Xlsx, error))?;
            if found == 0 {
                break;
            }
            spent += found;
            Guard::within(Limit::Unpacked, spent, most)?;
        }
        guard.time()?;
    }
    Ok(())
}

fn damaged(error: XlsxError) -> ReadError {
    if matches!(error, XlsxError::Password) {
        return ReadError::Protected { format: Format::Xlsx };
    }
    ReadError::damaged(Format::Xlsx, error)
}

/// A value as people read it.
fn shown(value: &DataRef<'_>) -> String {
    if let DataRef::DateTime(at) = value
        && at.is_datetime()
    {
        let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
        let date = format!("{year:04}-{month:02}-{day:02}");
        let midnight = (hour, minute, second) == (0, 0, 0);
        return if midnight { date } else { format!("{date} {hour:02}:{minute:02}:{second:02}") };
    }
    Data::from(value.clone()).to_string().trim().to_owned()
}
