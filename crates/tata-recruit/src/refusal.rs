//! What a module says beside its document, or instead of one: what the recruiter should know, what is missing and how to go
//! on.

use serde::{Deserialize, Serialize};
use tata_core::{Problem, ToolFailure};

use crate::{Key, Kind, Texts, mapping::NeedsMapping};

/// The most characters of a text somebody hands over; a day of talking has fewer.
pub(crate) const MOST_CHARACTERS: usize = 1_000_000;

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

    /// A notice that a text says.
    pub(crate) fn say(about: impl Into<String>, texts: &Texts, key: Key, values: &[(&str, &str)]) -> Self {
        Self::new(about, texts.say(key, values))
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

    /// One problem that a text says, with its way out.
    pub(crate) fn saying(field: impl Into<String>, texts: &Texts, key: Key, values: &[(&str, &str)]) -> Self {
        let mut refusal = Self::default();
        refusal.say(field, texts, key, values);
        refusal
    }

    /// One more problem that a text says, with its way out: `<key>_way_out`, else the `way_out` that stands beside it.
    pub(crate) fn say(&mut self, field: impl Into<String>, texts: &Texts, key: Key, values: &[(&str, &str)]) {
        let name = key.name();
        let beside = || format!("{}.way_out", name.rsplit_once('.').map_or(name, |(branch, _)| branch));
        let way_out = Key::find(&format!("{name}_way_out")).or_else(|| Key::find(&beside()));
        let way_out = way_out.map_or_else(String::new, |way_out| texts.say(way_out, values));
        self.add(field, texts.say(key, values), way_out);
    }

    /// A problem if a text is too long to be read.
    pub fn check_length(&mut self, field: &str, text: &str, texts: &Texts) {
        self.check_most(field, text, MOST_CHARACTERS, texts);
    }

    /// A problem if a text has more than so many characters.
    pub fn check_most(&mut self, field: &str, text: &str, most: usize, texts: &Texts) {
        self.check_count(field, text.chars().count(), most, key!("project.too_long"), texts);
    }

    /// A problem if there are more than so many, which the text of a key says; whether there are.
    pub(crate) fn check_count(
        &mut self,
        field: &str,
        count: usize,
        most: usize,
        key: Key,
        texts: &Texts,
    ) -> bool {
        if count > most {
            let values = [("count", &*count.to_string()), ("most", &*most.to_string())];
            self.say(field, texts, key, &values);
        }
        count > most
    }

    /// Documents that are missing for one of this kind, by their natural names, and the offer to make them.
    pub(crate) fn lacking(kind: Kind, missing: &[Kind], texts: &Texts) -> Self {
        let missing: Vec<&str> = missing
            .iter()
            .map(|kind| texts.get(group!("project.services").key(format_args!("{}.the", kind.name()))))
            .collect();
        let values = [("document", kind.display(texts)), ("missing", &*texts.enumerate(&missing))];
        Self::saying("", texts, key!("project.missing"), &values)
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
