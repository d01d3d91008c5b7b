//! Forms: what is missing in a tool's input, as fields that a person or a program can fill.
//!
//! One form serves the terminal, pages, MCP and programs. Nothing is parsed here: who asks, reads the answers.

use std::{future::Future, pin::Pin};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A length of time.
    Duration,
    /// A sum with currency and period.
    Money,
    /// A whole number.
    Count,
    /// One of several.
    Choice,
    /// Yes or no.
    YesNo,
    /// The name of a person.
    Name,
    /// Several short texts.
    List,
    /// An e-mail address.
    Email,
    /// Anything in a few words.
    Text,
    /// A text that somebody brings: notes, an ad, a transcript, a table.
    Material,
}

impl FieldKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Date,
        Self::Time,
        Self::Duration,
        Self::Money,
        Self::Count,
        Self::Choice,
        Self::YesNo,
        Self::Name,
        Self::List,
        Self::Email,
        Self::Text,
        Self::Material,
    ];
}

/// A field that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name for programs: the path of the argument, parts parted by dots.
    pub id: String,
    /// What it takes.
    pub kind: FieldKind,
    /// The question a person reads.
    pub question: String,
    /// The labels to choose from, if it takes a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// What the choices are called in the arguments, in the same order; none if they are called by their labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// What is there already, or a default, in words that are an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<Value>,
    /// Whether it must be answered.
    pub required: bool,
    /// Why it is asked, shown on `?`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The characters of the text it is about, from and to, if it is about a part of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(usize, usize)>,
    /// A day without a year has passed; it lies ahead otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub behind: bool,
}

impl Field {
    /// A field that must be answered.
    pub fn new(id: impl Into<String>, kind: FieldKind, question: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            kind,
            question: question.into(),
            choices: Vec::new(),
            values: Vec::new(),
            proposed: None,
            required: true,
            why: None,
            span: None,
            behind: false,
        }
    }

    /// The same, from these choices.
    #[must_use]
    pub fn choices<L: Into<String>>(mut self, labels: impl IntoIterator<Item = L>) -> Self {
        self.choices = labels.into_iter().map(Into::into).collect();
        self
    }

    /// The same, whose choices are called so in the arguments.
    #[must_use]
    pub fn values<L: Into<String>>(mut self, values: impl IntoIterator<Item = L>) -> Self {
        self.values = values.into_iter().map(Into::into).collect();
        self
    }

    /// The same, with a proposal.
    #[must_use]
    pub fn proposed(mut self, value: impl Into<Value>) -> Self {
        self.proposed = Some(value.into());
        self
    }

    /// The same, but it may be skipped.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// The same, with the reason why it is asked.
    #[must_use]
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// The same, about these characters of a text.
    #[must_use]
    pub fn about(mut self, start: usize, end: usize) -> Self {
        self.span = Some((start, end));
        self
    }

    /// The same, for something that has happened.
    #[must_use]
    pub fn behind(mut self) -> Self {
        self.behind = true;
        self
    }

    /// What an argument is called for an answer: the name of a choice instead of its label.
    pub fn argument(&self, answer: Value) -> Value {
        let named = answer.as_str().and_then(|label| {
            let at = self.choices.iter().position(|choice| choice == label)?;
            self.values.get(at)
        });
        named.map_or(answer, |name| json!(name))
    }
}

/// What is missing, in the order it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// The fields, numbered from 1 when shown.
    pub fields: Vec<Field>,
}

impl Form {
    /// A form of these fields.
    pub fn new(fields: Vec<Field>) -> Self {
        Self { fields }
    }

    /// What is asked: `{"status":"needs_input","form":{"fields":[…]}}`.
    pub fn needs_input(&self) -> Value {
        let field = |field: &Field| {
            let mut shown = json!({
                "id": field.id,
                "kind": field.kind,
                "question": field.question,
                "choices": field.choices,
                "proposed": field.proposed,
                "required": field.required,
            });
            if let Some(fields) = shown.as_object_mut() {
                if let Some(span) = field.span {
                    fields.insert("span".to_owned(), json!(span));
                }
                if let Some(why) = &field.why {
                    fields.insert("why".to_owned(), json!(why));
                }
            }
            shown
        };
        let fields: Vec<Value> = self.fields.iter().map(field).collect();
        json!({ "status": "needs_input", "form": { "fields": fields } })
    }
}

/// Puts a value at a dotted path.
pub fn put(arguments: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            arguments.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = arguments.entry(first).or_insert_with(|| json!({}));
            if !inner.is_object() {
                *inner = json!({});
            }
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, value);
            }
        }
    }
}

/// What a tool would ask.
pub type FormFuture<'a> = Pin<Box<dyn Future<Output = Option<Form>> + Send + 'a>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_go_where_their_fields_say() {
        let form = Form::new(vec![
            Field::new("place", FieldKind::Choice, "Where?")
                .choices(["On Teams", "On site"])
                .values(["teams", "onsite"]),
            Field::new("manager.name", FieldKind::Name, "Who?"),
            Field::new("note", FieldKind::Text, "What else?").optional(),
        ]);
        let mut arguments = Map::new();
        put(&mut arguments, "place", form.fields[0].argument(json!("On site")));
        put(&mut arguments, "manager.name", form.fields[1].argument(json!("Anna Berg")));
        assert_eq!(json!(arguments), json!({"place": "onsite", "manager": {"name": "Anna Berg"}}));
        let asked = form.needs_input();
        assert_eq!(asked["status"], "needs_input");
        assert_eq!(asked["form"]["fields"][0]["choices"], json!(["On Teams", "On site"]));
    }
}
