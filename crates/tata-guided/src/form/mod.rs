//! Forms: all that is missing at once, answered in any order, each answer read by the parser of its field.
//!
//! ```
//! use jiff::civil::date;
//! use serde_json::json;
//! use tata_core::{Field, FieldKind, Form};
//! use tata_guided::{
//!     answer::Answer,
//!     form::{Filled, Setting, fill},
//! };
//! use tata_language::Language;
//!
//! let mut filled = Filled::new(Form::new(vec![
//!     Field::new("office", FieldKind::Choice, "Which office?").choices(["Malmö", "Oslo"]),
//!     Field::new("date", FieldKind::Date, "Which day?"),
//! ]));
//! let setting = Setting::new(Language::En, date(2026, 11, 16));
//! // A person answers by number, in any order ...
//! fill(&mut filled, "2: 24 November\n1: Oslo", setting);
//! assert!(filled.is_complete());
//! // ... a program by id.
//! filled.take(&json!({"date": "2026-11-25"}), setting)?;
//! assert_eq!(filled.answer("office"), Some(&Answer::Choice("Oslo".to_owned())));
//! assert_eq!(filled.answer("date"), Some(&Answer::Date(date(2026, 11, 25))));
//! # Ok::<(), tata_guided::form::BadAnswers>(())
//! ```

mod command;
mod fill;
mod json;

use tata_core::Field;

pub use self::{
    command::Command,
    fill::{Entry, Filled, Outcome, fill},
    json::{BadAnswers, Refused},
};
use crate::answer::{Context, Currency, Direction};

/// What the answers to a field are read against.
fn context(field: &Field, setting: Setting) -> Context<'_> {
    Context {
        direction: if field.behind { Direction::Behind } else { Direction::Ahead },
        currency: setting.currency,
        choices: &field.choices,
        ..Context::new(setting.language, setting.today)
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
