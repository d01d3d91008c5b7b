//! Forms: all that is missing at once, answered in any order, each answer read by the parser of its field.
//!
//! ```
//! use jiff::civil::date;
//! use serde_json::json;
//! use tata_guided::{
//!     answer::Kind,
//!     form::{Field, Filled, Form, Setting, fill},
//! };
//! use tata_language::Language;
//!
//! let mut filled = Filled::new(Form::new(vec![
//!     Field::new("office", Kind::Choice, "Which office?").choices(["Malmö", "Oslo"]),
//!     Field::new("date", Kind::Date, "Which day?"),
//! ]));
//! let setting = Setting::new(Language::En, date(2026, 11, 16));
//! // A person answers by number, in any order ...
//! fill(&mut filled, "2: 24 November\n1: Oslo", setting);
//! assert!(filled.is_complete());
//! // ... a program by id.
//! filled.take(&json!({"date": "2026-11-25"}), setting)?;
//! assert_eq!(json!(filled.answers()), json!({"office": "Oslo", "date": "2026-11-25"}));
//! # Ok::<(), tata_guided::form::BadAnswers>(())
//! ```

mod command;
mod fill;
mod json;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    command::Command,
    fill::{Entry, Filled, Outcome, fill},
    json::{Answers, BadAnswers, Refused},
};
use crate::answer::{Answer, Context, Currency, Direction, Kind};

/// A field that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name for programs.
    pub id: String,
    /// What it takes.
    pub kind: Kind,
    /// The question a person reads.
    pub question: String,
    /// The labels to choose from, if it takes a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// What is there already, or a default, in words the field's parser reads.
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
    /// Where a date without a year lies.
    #[serde(skip)]
    pub direction: Direction,
}

impl Field {
    /// A field that must be answered.
    pub fn new(id: impl Into<String>, kind: Kind, question: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            kind,
            question: question.into(),
            choices: Vec::new(),
            proposed: None,
            required: true,
            why: None,
            span: None,
            direction: Direction::Ahead,
        }
    }

    /// The same, from these choices.
    #[must_use]
    pub fn choices<L: Into<String>>(mut self, labels: impl IntoIterator<Item = L>) -> Self {
        self.choices = labels.into_iter().map(Into::into).collect();
        self
    }

    /// The same, with a proposal.
    #[must_use]
    pub fn proposed(mut self, answer: &Answer) -> Self {
        self.proposed = Some(answer.to_json());
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
    pub fn about(mut self, span: tata_language::Span) -> Self {
        self.span = Some((span.start, span.end));
        self
    }

    /// The same, for something that has happened.
    #[must_use]
    pub fn behind(mut self) -> Self {
        self.direction = Direction::Behind;
        self
    }

    fn context(&self, setting: Setting) -> Context<'_> {
        Context {
            direction: self.direction,
            currency: setting.currency,
            choices: &self.choices,
            ..Context::new(setting.language, setting.today)
        }
    }
}

/// Where a form is filled.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The language of the conversation.
    pub language: tata_language::Language,
    /// Today, where the person is.
    pub today: jiff::civil::Date,
    /// The currency of the project.
    pub currency: Option<Currency>,
}

impl Setting {
    /// A setting without a currency.
    pub fn new(language: tata_language::Language, today: jiff::civil::Date) -> Self {
        Self { language, today, currency: None }
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
}
