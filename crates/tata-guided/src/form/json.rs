//! Forms for programs: what is asked as JSON, and answers by id.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use thiserror::Error;

use super::{Entry, Filled, Form, Setting};
use crate::answer::{Problem, Read, json::read_json};

/// Answers of a program: `{"id": value}`.
pub type Answers = Map<String, Value>;

/// An answer that could not be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The field.
    pub id: String,
    /// Why.
    pub problem: Problem,
    /// What it may mean, if it has several readings.
    pub readings: Vec<Value>,
}

/// Answers that cannot be used at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadAnswers {
    /// Not an object.
    #[error("answers must be a JSON object: {{\"id\": value}}")]
    NotAnObject,
    /// A field that is not asked for.
    #[error("{id:?} is no field of this form; it has: {known}")]
    UnknownField {
        /// What stands there.
        id: String,
        /// The ids there are.
        known: String,
    },
}

impl Form {
    /// What is asked: `{"status":"needs_input","form":{"fields":[…]}}`.
    pub fn needs_input(&self) -> Value {
        let field = |field: &super::Field| {
            let mut shown = json!({
                "id": field.id,
                "kind": field.kind,
                "question": field.question,
                "choices": field.choices,
                "proposed": field.proposed,
                "required": field.required,
            });
            if let (Some(span), Some(shown)) = (field.span, shown.as_object_mut()) {
                shown.insert("span".to_owned(), json!(span));
            }
            shown
        };
        let fields: Vec<Value> = self.fields.iter().map(field).collect();
        json!({ "status": "needs_input", "form": { "fields": fields } })
    }
}

impl Filled {
    /// What still waits, as JSON.
    pub fn needs_input(&self) -> Value {
        let open = |entry: &Entry| matches!(entry, Entry::Missing | Entry::Unsure(_));
        let fields = self.form.fields.iter().zip(&self.entries).filter(|(_, entry)| open(entry));
        Form::new(fields.map(|(field, _)| field.clone()).collect()).needs_input()
    }

    /// Takes the answers of a program. A null skips an optional field. What cannot be taken is returned and stays open.
    pub fn take(&mut self, answers: &Value, setting: Setting) -> Result<Vec<Refused>, BadAnswers> {
        let answers = answers.as_object().ok_or(BadAnswers::NotAnObject)?;
        let ids: BTreeSet<&str> = self.form.fields.iter().map(|field| field.id.as_str()).collect();
        if let Some(id) = answers.keys().find(|id| !ids.contains(id.as_str())) {
            let known: Vec<&str> = self.form.fields.iter().map(|field| field.id.as_str()).collect();
            return Err(BadAnswers::UnknownField { id: id.clone(), known: known.join(", ") });
        }
        let mut refused = Vec::new();
        let mut undo = Vec::new();
        for at in 0..self.form.fields.len() {
            let Some(field) = self.form.fields.get(at) else { continue };
            let Some(value) = answers.get(&field.id) else { continue };
            let id = field.id.clone();
            if value.is_null() && !field.required {
                self.put(at, Entry::Skipped, &mut undo);
                continue;
            }
            match read_json(field.kind, value, &field.context(setting)) {
                Ok(Read::Certain(answer)) => self.put(at, Entry::Answered(answer), &mut undo),
                Ok(Read::Choose(several)) => {
                    let readings = several.iter().map(crate::answer::Answer::to_json).collect();
                    self.put(at, Entry::Unsure(several), &mut undo);
                    refused.push(Refused { id, problem: Problem::Ambiguous, readings });
                }
                Err(problem) => refused.push(Refused { id, problem, readings: Vec::new() }),
            }
        }
        self.remember(undo);
        Ok(refused)
    }

    /// What was answered, by id; what was skipped is null.
    pub fn answers(&self) -> Answers {
        let value = |entry: &Entry| match entry {
            Entry::Answered(answer) => Some(answer.to_json()),
            Entry::Skipped => Some(Value::Null),
            Entry::Missing | Entry::Unsure(_) => None,
        };
        let pairs = self.form.fields.iter().zip(&self.entries);
        pairs.filter_map(|(field, entry)| Some((field.id.clone(), value(entry)?))).collect()
    }
}
