//! Forms for programs: what is asked as JSON, and answers by id.

use serde_json::{Value, json};
use thiserror::Error;

use tata_core::Form;

use super::{Entry, Filled};
use crate::answer::{Answer, Context, Problem, Read, json::read_json};

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
    pub fn take(&mut self, answers: &Value, context: Context<'_>) -> Result<Vec<Refused>, BadAnswers> {
        let answers = answers.as_object().ok_or(BadAnswers::NotAnObject)?;
        let known: Vec<&str> = self.form.fields.iter().map(|field| field.id.as_str()).collect();
        if let Some(id) = answers.keys().find(|id| !known.contains(&id.as_str())) {
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
            match read_json(field.kind, value, &context.of(field)) {
                Ok(Read::Certain(answer)) => self.put(at, Entry::Answered(answer), &mut undo),
                Ok(Read::Choose(several)) => {
                    let readings = several.iter().map(Answer::to_json).collect();
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
                json!({ "unsure": several.iter().map(Answer::to_json).collect::<Vec<_>>() })
            }
        };
        let before = self.history.iter().skip(self.history.len().saturating_sub(MOST_BACK));
        let before: Vec<Value> =
            before.map(|undo| undo.iter().map(|(at, before)| json!([at, entry(before)])).collect()).collect();
        json!({ "entries": self.entries.iter().map(entry).collect::<Vec<_>>(), "turn": self.turn, "before": before })
    }

    /// The same form as it was. What cannot be read any more is missing.
    pub fn restored(form: Form, state: &Value, context: Context<'_>) -> Self {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default().into_iter();
        let place = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let entry = |at: usize, value: &Value| {
            let answer = |value: &Value| {
                let field = form.fields.get(at)?;
                read_json(field.kind, value, &context.of(field)).ok()?.readings().first().cloned()
            };
            if value == "skipped" {
                return Entry::Skipped;
            }
            let several: Vec<Answer> = list(&value["unsure"]).filter_map(|value| answer(&value)).collect();
            let several = Some(several).filter(|several| !several.is_empty());
            let answered = value.get("answer").and_then(answer).map(Entry::Answered);
            answered.or(several.map(Entry::Unsure)).unwrap_or_default()
        };
        let before = |pair: Value| place(&pair[0]).map(|at| (at, entry(at, &pair[1])));
        Self {
            entries: (0..form.fields.len()).map(|at| entry(at, &state["entries"][at])).collect(),
            history: list(&state["before"]).map(|undo| list(&undo).filter_map(before).collect()).collect(),
            turn: place(&state["turn"]),
            form,
        }
    }

    /// Puts an answer in its place, as if it had been given: a value that is known already.
    pub fn prefill(&mut self, id: &str, value: &Value, context: Context<'_>) {
        let Some(at) = self.form.fields.iter().position(|field| field.id == id) else { return };
        let Some(field) = self.form.fields.get(at) else { return };
        if let Ok(Read::Certain(answer)) = read_json(field.kind, value, &context.of(field))
            && let Some(place) = self.entries.get_mut(at)
        {
            *place = Entry::Answered(answer);
        }
    }
}
