//! Rows as they are, also those that nobody can read: for the search for damage, and for saving what is left.

use serde_json::{Value, json};
use sqlx::{Column, Row as _, TypeInfo, ValueRef, postgres::PgRow};

use crate::{failure::Fault, rows::Cells};

/// What stands in one cell.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Flag(bool),
    Text(String),
    /// Not text, or text that is no UTF-8.
    Bytes(Vec<u8>),
}

/// A row of either database.
#[derive(Clone, Debug)]
pub(crate) struct Row(Vec<Cell>);

impl Row {
    pub(crate) fn of_sqlite(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        use rusqlite::types::ValueRef as Stored;
        let cells = (0..row.as_ref().column_count()).map(|column| {
            Ok(match row.get_ref(column)? {
                Stored::Null => Cell::Null,
                Stored::Integer(number) => Cell::Int(number),
                Stored::Real(number) => Cell::Text(number.to_string()),
                Stored::Text(bytes) => match str::from_utf8(bytes) {
                    Ok(text) => Cell::Text(text.to_owned()),
                    Err(_) => Cell::Bytes(bytes.to_vec()),
                },
                Stored::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
            })
        });
        Ok(Self(cells.collect::<Result<_, rusqlite::Error>>()?))
    }

    pub(crate) fn of_postgres(row: &PgRow) -> Result<Self, sqlx::Error> {
        let cells = row.columns().iter().enumerate().map(|(column, about)| {
            if row.try_get_raw(column)?.is_null() {
                return Ok(Cell::Null);
            }
            Ok(match about.type_info().name() {
                "INT8" => Cell::Int(row.try_get(column)?),
                "BOOL" => Cell::Flag(row.try_get(column)?),
                _ => Cell::Text(row.try_get(column)?),
            })
        });
        Ok(Self(cells.collect::<Result<_, sqlx::Error>>()?))
    }

    /// What stands in a column, without loss.
    pub(crate) fn value(&self, column: usize) -> Value {
        match self.0.get(column) {
            None | Some(Cell::Null) => Value::Null,
            Some(Cell::Int(number)) => json!(number),
            Some(Cell::Flag(flag)) => json!(flag),
            Some(Cell::Text(text)) => json!(text),
            Some(Cell::Bytes(bytes)) => {
                let mut digits = String::with_capacity(2 * bytes.len());
                for byte in bytes {
                    digits.push_str(&format!("{byte:02x}"));
                }
                json!({ "hex": digits })
            }
        }
    }

    fn cell(&self, column: usize) -> &Cell {
        self.0.get(column).unwrap_or(&Cell::Null)
    }
}

impl Cells for Row {
    fn int(&self, column: usize) -> Result<i64, Fault> {
        self.maybe_int(column)?.ok_or(Fault::Cell("a number is missing"))
    }
    fn maybe_int(&self, column: usize) -> Result<Option<i64>, Fault> {
        match self.cell(column) {
            Cell::Null => Ok(None),
            Cell::Int(number) => Ok(Some(*number)),
            Cell::Flag(_) | Cell::Text(_) | Cell::Bytes(_) => Err(Fault::Cell("a number is none")),
        }
    }
    fn text(&self, column: usize) -> Result<&str, Fault> {
        self.maybe_text(column)?.ok_or(Fault::Cell("a text is missing"))
    }
    fn maybe_text(&self, column: usize) -> Result<Option<&str>, Fault> {
        match self.cell(column) {
            Cell::Null => Ok(None),
            Cell::Text(text) => Ok(Some(text)),
            Cell::Bytes(_) => Err(Fault::Cell("a text is no UTF-8")),
            Cell::Int(_) | Cell::Flag(_) => Err(Fault::Cell("a text is none")),
        }
    }
    fn flag(&self, column: usize) -> Result<bool, Fault> {
        match self.cell(column) {
            Cell::Flag(flag) => Ok(*flag),
            Cell::Int(number) => Ok(*number != 0),
            Cell::Null | Cell::Text(_) | Cell::Bytes(_) => Err(Fault::Cell("yes or no is neither")),
        }
    }
}
