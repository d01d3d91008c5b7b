//! What a module brings: a document, or a refusal that says what is missing and how to go on.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tata_core::{MadeArtifact, Problem, RawJson, ToolFailure, ToolOutput};

use crate::{Document, Kind, Texts};

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

/// A document that was made, and what goes with it.
#[derive(Clone, Debug)]
pub struct Made {
    /// What it is.
    pub kind: Kind,
    /// Which one, where there are several.
    pub key: String,
    /// The document as it is stored.
    pub json: Value,
    /// What the model reads instead, where it may not read everything (a candidate's name).
    pub for_model: Option<Value>,
    /// As people read it.
    pub document: Document,
    /// What the recruiter should know.
    pub notices: Vec<Notice>,
    /// What the recruiter is asked now.
    pub questions: Vec<String>,
    /// What could come next.
    pub next_steps: Vec<String>,
    /// A better name for the conversation.
    pub title: Option<String>,
    /// Whether what builds on it is out of date now.
    pub outdates: bool,
}

impl Made {
    /// A document and nothing beside it.
    pub fn new(kind: Kind, document: &impl Serialize, shown: Document) -> Self {
        Self {
            kind,
            key: String::new(),
            json: serde_json::to_value(document).unwrap_or_default(),
            for_model: None,
            document: shown,
            notices: Vec::new(),
            questions: Vec::new(),
            next_steps: Vec::new(),
            title: None,
            outdates: true,
        }
    }

    /// What the model reads.
    pub fn answer(&self) -> Value {
        let mut answer = json!({
            "document": self.kind.name(),
            "artifact": self.for_model.as_ref().unwrap_or(&self.json),
        });
        if !self.key.is_empty() {
            answer["key"] = json!(self.key);
        }
        if !self.notices.is_empty() {
            answer["warnings"] = json!(self.notices);
        }
        if !self.questions.is_empty() {
            answer["ask_the_recruiter"] = json!(self.questions);
        }
        if !self.next_steps.is_empty() {
            answer["next_steps"] = json!(self.next_steps);
        }
        answer
    }

    /// As a tool's output, with what the model reads of it: stored together with the result, its dependents marked as
    /// out of date.
    pub fn into_output(self, answer: &Value) -> ToolOutput {
        let name = tata_core::ArtifactName { kind: self.kind.artifact(), key: self.key.clone() };
        let dependents = if self.outdates { self.kind.dependents() } else { Vec::new() };
        let stale = dependents.into_iter().map(Kind::artifact).collect();
        let made = MadeArtifact { name, json: RawJson::from(&self.json) };
        let answer = ToolOutput::json(answer);
        ToolOutput { artifacts: vec![made], stale, title: self.title, ..answer }
    }
}

/// Why a document was not made: every problem with its field and the way out, in the language of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The problems.
    pub problems: Vec<Problem>,
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
