//! A pasted table: where its headings stand, and what stands in its columns. What the headings mean is said from outside.

use super::{figure::is_number, rows::rows};

/// How many rows are looked at for the headings: reports begin with a title, a date, a filter.
const HEADER_ROWS: usize = 12;

/// A table in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// What stands above it.
    pub above: Vec<Vec<String>>,
    /// Its headings, if it has any.
    pub header: Option<Vec<String>>,
    /// The rest. A row may be shorter or longer than the headings.
    pub body: Vec<Vec<String>>,
}

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Nothing.
    Blank,
    /// Numbers, for the most part.
    Numbers,
    /// Shares in per cent.
    Shares,
    /// Words.
    Text,
}

impl Grid {
    /// Reads a table, or a name and a number on each line. `known` tells how many cells of a row are certainly headings:
    /// the row among the first that has the most becomes the header.
    pub fn read(text: &str, known: impl Fn(&[String]) -> usize) -> Self {
        let mut above = rows(text);
        let scores = above.iter().enumerate().take(HEADER_ROWS).take(above.len().saturating_sub(1));
        let scores = scores.map(|(at, row)| {
            let filled = row.iter().filter(|cell| !cell.is_empty()).count();
            // A name above a number is a table of one column.
            let alone = above.len() == 2
                && row.len() == 1
                && matches!(above.get(at + 1).map(Vec::as_slice), Some([cell]) if is_number(cell));
            if filled > 1 || alone { (known(row), at) } else { (0, at) }
        });
        let best = scores.filter(|(score, _)| *score > 0).max_by_key(|(score, at)| (*score, usize::MAX - at));
        let first = || above.iter().position(|row| row.iter().any(|cell| is_number(cell))).unwrap_or(0);
        let start = best.map_or_else(first, |(_, at)| at);
        let mut body = above.split_off(start);
        let header = best.map(|_| body.remove(0));
        Self { above, header, body }
    }

    /// The name of a column; nameless ones are called by their number.
    pub fn name(&self, at: usize) -> String {
        let own = self.header.as_ref().and_then(|header| header.get(at)).map_or("", String::as_str);
        if own.is_empty() { format!("column {}", at + 1) } else { own.to_owned() }
    }

    /// How many columns it has.
    pub fn width(&self) -> usize {
        let body = || self.body.iter().map(Vec::len).max().unwrap_or(0);
        self.header.as_ref().map_or_else(body, Vec::len)
    }

    /// The cells of a column.
    pub fn cells(&self, at: usize) -> impl Iterator<Item = &str> {
        self.body.iter().filter_map(move |row| row.get(at)).map(String::as_str)
    }

    /// What stands in a column, apart from cells that say nothing.
    pub fn kind(&self, at: usize, says_nothing: impl Fn(&str) -> bool) -> ColumnKind {
        let (mut numbers, mut shares, mut words) = (0_usize, 0_usize, 0_usize);
        for cell in self.cells(at).filter(|cell| !says_nothing(cell)) {
            if is_number(cell) {
                numbers += 1;
            } else if cell.trim_end().ends_with('%') {
                shares += 1;
            } else {
                words += 1;
            }
        }
        match (numbers, shares, words) {
            (0, 0, 0) => ColumnKind::Blank,
            _ if numbers > 0 && numbers >= words + shares => ColumnKind::Numbers,
            _ if shares > words => ColumnKind::Shares,
            _ => ColumnKind::Text,
        }
    }
}
