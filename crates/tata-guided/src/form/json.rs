//! Forms for programs: what is asked as JSON, and answers by id.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use thiserror::Error;

use tata_core::Form;

use super::{Entry, Filled, Setting, context};
use crate::answer::{Problem, Read, json::read_json};

/// So many answers can be taken back later.
const MOST_BACK: usize = 8;

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

impl Filled {
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
            match read_json(field.kind, value, &context(field, setting)) {
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

    /// What is known of each field, as JSON: to go on with the same form later.
    pub fn state(&self) -> Value {
        let entry = |entry: &Entry| match entry {
            Entry::Missing => Value::Null,
            Entry::Skipped => json!("skipped"),
            Entry::Answered(answer) => json!({ "answer": answer.to_json() }),
            Entry::Unsure(several) => {
                json!({ "unsure": several.iter().map(crate::answer::Answer::to_json).collect::<Vec<_>>() })
            }
        };
        let before: Vec<Value> = self
            .history
            .iter()
            .rev()
            .take(MOST_BACK)
            .rev()
            .map(|undo| undo.iter().map(|(at, before)| json!([at, entry(before)])).collect())
            .collect();
        json!({ "entries": self.entries.iter().map(entry).collect::<Vec<_>>(), "turn": self.turn, "before": before })
    }

    /// The same form as it was. What cannot be read any more is missing.
    pub fn restored(form: Form, state: &Value, setting: Setting) -> Self {
        let mut filled = Self::new(form);
        let read = |at: usize, value: &Value, form: &Form| -> Entry {
            let Some(field) = form.fields.get(at) else { return Entry::Missing };
            let answer = |value: &Value| {
                let read = read_json(field.kind, value, &context(field, setting)).ok()?;
                read.readings().first().cloned()
            };
            if value == "skipped" {
                Entry::Skipped
            } else if let Some(found) = value.get("answer").and_then(answer) {
                Entry::Answered(found)
            } else {
                let several = value["unsure"].as_array().map(Vec::as_slice).unwrap_or_default();
                let several: Vec<_> = several.iter().filter_map(answer).collect();
                if several.is_empty() { Entry::Missing } else { Entry::Unsure(several) }
            }
        };
        let entries = state["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (at, value) in entries.iter().enumerate().take(filled.entries.len()) {
            let entry = read(at, value, &filled.form);
            if let Some(place) = filled.entries.get_mut(at) {
                *place = entry;
            }
        }
        for undo in state["before"].as_array().into_iter().flatten() {
            let one = |pair: &Value| {
                let at = usize::try_from(pair[0].as_u64()?).ok()?;
                Some((at, read(at, &pair[1], &filled.form)))
            };
            let undo = undo.as_array().into_iter().flatten().filter_map(one).collect();
            filled.history.push(undo);
        }
        filled.turn = state["turn"].as_u64().and_then(|turn| usize::try_from(turn).ok());
        filled
    }

    /// Puts an answer in its place, as if it had been given: a value that is known already.
    pub fn prefill(&mut self, id: &str, value: &Value, setting: Setting) {
        let Some(at) = self.form.fields.iter().position(|field| field.id == id) else { return };
        let Some(field) = self.form.fields.get(at) else { return };
        if let Ok(Read::Certain(answer)) = read_json(field.kind, value, &context(field, setting))
            && let Some(place) = self.entries.get_mut(at)
        {
            *place = Entry::Answered(answer);
        }
    }
}
