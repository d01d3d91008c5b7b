//! What must be said about the names in a table before anything is computed from it, and how a table was read.

use serde::{Deserialize, Serialize};
use tata_language::named;

/// A table whose names are not all certain: the person says what they stand for, and nothing is computed before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NeedsMapping {
    /// The headings of the table: an answer is remembered for tables with the same ones.
    pub source: String,
    /// The table without what is about persons, the headings first.
    pub table: Vec<Vec<String>>,
    /// One per name that is not certain.
    pub questions: Vec<MappingQuestion>,
}

/// A question about one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MappingQuestion {
    /// The name as it stands in the table: the key of the answer in `mapping`.
    pub label: String,
    /// What has this name.
    pub part: MappingPart,
    /// The figures beside or below it.
    pub figures: Vec<String>,
    /// The question.
    pub question: String,
    /// The answers, to be numbered from 1.
    pub choices: Vec<MappingChoice>,
    /// The answer that seems likely; one of the choices.
    pub proposed: Option<String>,
}

impl MappingQuestion {
    /// The choice that seems likely.
    pub fn proposal(&self) -> Option<&MappingChoice> {
        self.choices.iter().find(|choice| self.proposed.as_ref() == Some(&choice.value))
    }
}

named! {
    /// What a name belongs to.
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MappingPart {
        /// A row.
        Row = "row",
        /// A column.
        Column = "column",
        /// A figure in a sentence.
        Figure = "figure",
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MappingChoice {
    /// Its name in `mapping`.
    pub value: String,
    /// As people call it.
    pub text: String,
}

/// How a table was read: it stands in the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableReading {
    /// The headings of the table.
    pub source: String,
    /// What each name was taken for.
    pub labels: Vec<ReadLabel>,
    /// Rows that were not read.
    pub unread_rows: Vec<String>,
    /// Columns that were not read.
    pub unread_columns: Vec<String>,
    /// How many columns about persons were dropped.
    pub personal_columns: usize,
    /// How many rows were counted, where each is a person.
    pub people: Option<u64>,
    /// Whether figures with the same meaning were added up.
    pub summed: bool,
}

/// A name and what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadLabel {
    /// The name.
    pub label: String,
    /// What it stands for, as in `mapping`.
    pub means: String,
    /// Whether a person said so.
    pub by_person: bool,
}
