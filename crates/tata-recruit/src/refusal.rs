//! What a module says beside its document, or instead of one: what the recruiter should know, what is missing and how to go
//! on.

use serde::{Deserialize, Serialize};
use tata_core::{Problem, ToolFailure};

use crate::{Texts, mapping::NeedsMapping};

/// The most characters of a text somebody hands over; a day of talking has fewer.
pub const MOST_CHARACTERS: usize = 1_000_000;

/// Something the recruiter should know about a document that was made all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The field or part it is about.
    pub about: String,
    /// What it says.
    pub message: String,
}

impl Notice {
    /// A notice about a field.
    pub fn new(about: impl Into<String>, message: impl Into<String>) -> Self {
        Self { about: about.into(), message: message.into() }
    }
}

/// Why a document was not made: every problem with its field and the way out, in the language of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The problems.
    pub problems: Vec<Problem>,
    /// What must be said about a table first; every question of it is among the problems too.
    pub mapping: Option<Box<NeedsMapping>>,
}

impl Refusal {
    /// One problem.
    pub fn of(field: impl Into<String>, message: impl Into<String>, way_out: impl Into<String>) -> Self {
        let mut refusal = Self::default();
        refusal.add(field, message, way_out);
        refusal
    }

    /// One more problem.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<String>, way_out: impl Into<String>) {
        let hint = Some(way_out.into()).filter(|hint| !hint.is_empty());
        self.problems.push(Problem { field: field.into(), message: message.into(), hint });
    }

    /// A problem if a text is too long to be read.
    pub fn check_length(&mut self, field: &str, text: &str, texts: &Texts) {
        self.check_most(field, text, MOST_CHARACTERS, texts);
    }

    /// A problem if a text has more than so many characters.
    pub fn check_most(&mut self, field: &str, text: &str, most: usize, texts: &Texts) {
        let count = text.chars().count();
        if count > most {
            let (count, most) = (count.to_string(), most.to_string());
            let message =
                texts.say("project.too_long", &[("field", field), ("count", &count), ("most", &most)]);
            self.add(field, message, texts.get("project.too_long_way_out"));
        }
    }

    /// Refuses if there is a problem.
    pub fn or_ok(self) -> Result<(), Self> {
        if self.problems.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<Refusal> for ToolFailure {
    fn from(refusal: Refusal) -> Self {
        Self::Rejected { problems: refusal.problems }
    }
}
