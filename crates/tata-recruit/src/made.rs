//! What a module brings: a document and what goes with it.

use serde::Serialize;
use serde_json::{Value, json};
use tata_core::{ArtifactName, MadeArtifact, RawJson, ResultPart, ToolOutput};

use crate::{Document, Gate, Kind, Notice, Refusal, Texts, gate::Cleared};

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
    /// How that reads; nothing if it cannot be shown as a document.
    pub shown_to_model: Option<Document>,
    /// As people read it.
    pub document: Document,
    /// What the recruiter should know.
    pub notices: Vec<Notice>,
    /// What the recruiter is asked now.
    pub questions: Vec<String>,
    /// The last of the questions is a decision: below an answer of a model the program asks it itself.
    pub program_asks_last: bool,
    /// What could come next.
    pub next_steps: Vec<String>,
    /// Other documents that changed with it.
    pub also: Vec<(Kind, Value)>,
    /// A better name for the conversation.
    pub title: Option<String>,
    /// Whether what builds on it is out of date now.
    pub outdates: bool,
}

impl Made {
    /// A document that passed the gate, and what that said about it.
    pub fn new(kind: Kind, document: &impl Serialize, shown: Document, cleared: &Cleared) -> Self {
        Self {
            kind,
            key: String::new(),
            json: serde_json::to_value(document).unwrap_or_default(),
            for_model: None,
            shown_to_model: None,
            document: shown,
            notices: cleared.notices().collect(),
            questions: Vec::new(),
            program_asks_last: false,
            next_steps: Vec::new(),
            also: Vec::new(),
            title: None,
            outdates: true,
        }
    }

    /// A document that passes the gate, and what the recruiter should know about it.
    pub(crate) fn passing(
        gate: &Gate<'_>,
        kind: Kind,
        document: &impl Serialize,
        shown: Document,
        notices: Vec<Notice>,
        texts: &Texts,
    ) -> Result<Self, Refusal> {
        let cleared = gate.pass(&shown, texts)?;
        let mut made = Self::new(kind, document, shown, &cleared);
        made.notices.splice(..0, notices);
        Ok(made)
    }

    /// Says what the model reads instead, and how that reads to people.
    pub(crate) fn read_by_model(&mut self, json: Value, shown: Option<Document>) {
        (self.for_model, self.shown_to_model) = (Some(json), shown);
    }

    /// The whole, for the model in this process and for programs.
    pub fn answer(&self) -> Value {
        let mut answer = json!({
            "document": self.kind.name(),
            "artifact": self.for_model.as_ref().unwrap_or(&self.json),
        });
        self.remark(&mut answer, &self.notices, &self.questions);
        answer
    }

    /// What a model reads: the document as the recruiter sees it, in plain text, and what to say about it.
    pub fn brief(&self) -> Value {
        let text = match (&self.for_model, &self.shown_to_model) {
            (Some(_), Some(document)) => document.plain(),
            // A form without what a person may read cannot always be shown as a document.
            (Some(json), None) => {
                let places = ["sources", "said_in", "start", "end", "found_in"];
                reduced(json, &places, &str::to_owned).to_string()
            }
            (None, _) => self.document.plain(),
        };
        let mut brief = json!({ "document": self.kind.name() });
        if self.kind == Kind::ProjectSettings {
            brief["settings"] = self.json.clone();
        } else {
            brief["note"] = json!(SEEN);
            brief["text"] = json!(shortened(&text));
        }
        let said: Vec<&str> = self.notices.iter().map(|notice| notice.message.as_str()).collect();
        let questions = match self.questions.split_last() {
            Some((_, others)) if self.program_asks_last => others,
            Some(_) | None => &self.questions,
        };
        self.remark(&mut brief, &said, questions);
        brief
    }

    /// Adds its key and what goes with it, as far as there is any.
    fn remark(&self, result: &mut Value, warnings: &[impl Serialize], questions: &[String]) {
        if !self.key.is_empty() {
            result["key"] = json!(self.key);
        }
        if !warnings.is_empty() {
            result["warnings"] = json!(warnings);
        }
        for (name, lines) in [("ask_the_recruiter", questions), ("next_steps", &self.next_steps)] {
            if !lines.is_empty() {
                result[name] = json!(lines);
            }
        }
    }

    /// As a tool's output, with what models read of it: stored together with the result, its dependents marked as out of
    /// date.
    pub fn into_output(self, brief: &Value, answer: &Value) -> ToolOutput {
        let dependents = if self.outdates { self.kind.dependents() } else { Vec::new() };
        let stale = dependents.into_iter().map(Kind::artifact).collect();
        let made = |kind: Kind, key: &str, json: &Value| {
            let name = ArtifactName { kind: kind.artifact(), key: key.to_owned() };
            MadeArtifact { name, json: RawJson::from(json) }
        };
        let also = self.also.iter().map(|(kind, json)| made(*kind, "", json));
        let artifacts = std::iter::once(made(self.kind, &self.key, &self.json)).chain(also).collect();
        let content = vec![ResultPart::Text(brief.to_string()), ResultPart::Own(answer.to_string())];
        ToolOutput { content, artifacts, stale, title: self.title, ..ToolOutput::default() }
    }
}

/// What a model must know about the text of a document in a result.
const SEEN: &str = "The recruiter sees this document on the screen. Do not repeat it: add a few lines.";
/// The most characters of a document that go into a result.
const MOST_READ: usize = 6_000;

/// A text as far as it goes into a result; the rest is within reach.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_READ) {
        None => text.to_owned(),
        Some((at, _)) => {
            let shown = text.get(..at).unwrap_or_default();
            format!("{shown}\n[{} more characters: read_document]", text.chars().count() - MOST_READ)
        }
    }
}

/// JSON without the members of these names, each text of it written so.
pub(crate) fn reduced(json: &Value, left_out: &[&str], written: &impl Fn(&str) -> String) -> Value {
    match json {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !left_out.contains(&name.as_str()));
            kept.map(|(name, value)| (name.clone(), reduced(value, left_out, written))).collect()
        }
        Value::Array(members) => members.iter().map(|value| reduced(value, left_out, written)).collect(),
        Value::String(text) => Value::String(written(text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => json.clone(),
    }
}
