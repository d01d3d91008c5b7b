//! The parts of a document.

use serde::{Deserialize, Serialize};

use super::Inline;

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A heading; level 1 is the first below the title.
    Heading {
        /// From 1 to 3.
        level: u8,
        /// The words.
        text: Inline,
    },
    /// Prose. Line breaks inside are kept.
    Paragraph(Inline),
    /// Points without an order.
    Bullets(Vec<Inline>),
    /// Points in order.
    Numbered(Vec<Inline>),
    /// A table with a header row.
    Table(Table),
    /// Somebody's own words, and whose or where.
    Quote {
        /// The words.
        text: Inline,
        /// Whose, where, when.
        source: Inline,
    },
    /// Room to write in, with its label.
    Notes(Inline),
    /// Numbers as a picture.
    Chart(Chart),
}

impl Block {
    /// Prose.
    pub fn paragraph(text: impl Into<Inline>) -> Self {
        Self::Paragraph(text.into())
    }

    /// Points without an order.
    pub fn bulleted(points: impl IntoIterator<Item = impl Into<Inline>>) -> Self {
        Self::Bullets(points.into_iter().map(Into::into).collect())
    }

    /// Points in order.
    pub fn numbered(points: impl IntoIterator<Item = impl Into<Inline>>) -> Self {
        Self::Numbered(points.into_iter().map(Into::into).collect())
    }

    /// A table.
    pub fn table<Cell: Into<Inline>>(
        header: impl IntoIterator<Item = impl Into<Inline>>,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = Cell>>,
    ) -> Self {
        Self::Table(Table::new(header, rows))
    }

    /// Somebody's own words.
    pub fn quote(text: impl Into<Inline>, source: impl Into<Inline>) -> Self {
        Self::Quote { text: text.into(), source: source.into() }
    }

    /// Room to write in.
    pub fn notes(label: impl Into<Inline>) -> Self {
        Self::Notes(label.into())
    }

    /// All texts of the block, in order.
    pub fn inlines(&self) -> Vec<&Inline> {
        match self {
            Self::Heading { text, .. } | Self::Paragraph(text) | Self::Notes(text) => vec![text],
            Self::Bullets(points) | Self::Numbered(points) => points.iter().collect(),
            Self::Table(table) => table.header.iter().chain(table.rows.iter().flatten()).collect(),
            Self::Quote { text, source } => vec![text, source],
            Self::Chart(chart) => {
                let stages = chart.stages.iter().flat_map(|stage| [&stage.label, &stage.shown]);
                chart.columns.iter().chain(stages).collect()
            }
        }
    }
}

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// At its beginning, as words do.
    #[default]
    Start,
    /// At its end, as numbers do.
    End,
}

/// A table with a header row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<Inline>,
    /// The cells.
    pub rows: Vec<Vec<Inline>>,
    /// How the columns stand, from the first on; the others as words do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub align: Vec<Align>,
}

impl Table {
    /// A table of words.
    pub fn new<Cell: Into<Inline>>(
        header: impl IntoIterator<Item = impl Into<Inline>>,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = Cell>>,
    ) -> Self {
        let cells = |row: Vec<Cell>| row.into_iter().map(Into::into).collect();
        Self {
            header: header.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().map(|row| cells(row.into_iter().collect())).collect(),
            align: Vec::new(),
        }
    }

    /// With columns that stand as given.
    #[must_use]
    pub fn aligned(mut self, align: impl IntoIterator<Item = Align>) -> Self {
        self.align = align.into_iter().collect();
        self
    }

    /// How a column stands.
    pub fn align_of(&self, column: usize) -> Align {
        self.align.get(column).copied().unwrap_or_default()
    }
}

/// A funnel: how many are left at each stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// What the picture shows, for those who do not see it; may be empty.
    #[serde(default)]
    pub title: String,
    /// What the labels, the bars and the numbers are called.
    pub columns: [Inline; 3],
    /// From the first to the last.
    pub stages: Vec<Stage>,
}

impl Chart {
    /// The same as a table whose bars are made of blocks.
    pub(crate) fn table(&self, widest: u64) -> Table {
        let row = |stage: &Stage| [stage.label.clone(), stage.bar(widest).into(), stage.shown.clone()];
        Table::new(self.columns.iter().cloned(), self.stages.iter().map(row)).aligned([
            Align::Start,
            Align::Start,
            Align::End,
        ])
    }
}

/// A stage of a funnel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub label: Inline,
    /// How many.
    pub count: u64,
    /// How many, as the language writes it.
    pub shown: Inline,
    /// The length of its bar in thousandths of the longest.
    pub length: u64,
}

impl Stage {
    /// A bar of so many blocks at most; whoever is there is seen, however few they are.
    pub(crate) fn bar(&self, widest: u64) -> String {
        let length = self.length.min(1000);
        let full = (length * widest * 2 + 1000) / 2000;
        match (full, self.count) {
            (0, 0) => String::new(),
            (0, _) => "▏".to_owned(),
            (full, _) => "█".repeat(usize::try_from(full.min(widest)).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_proportional_and_nobody_vanishes() {
        let bar = |length, count| Stage { count, length, ..Stage::default() }.bar(30);
        let check = |length, count, blocks: usize| assert_eq!(bar(length, count), "█".repeat(blocks));
        check(1000, 9, 30);
        check(500, 9, 15);
        check(333, 9, 10);
        check(0, 0, 0);
        check(u64::MAX, 9, 30);
        assert_eq!(bar(1, 1), "▏");
    }
}
