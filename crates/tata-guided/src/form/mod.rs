//! Forms: all that is missing at once, answered in any order, each answer read by the parser of its field.
//!
//! ```
//! use jiff::civil::date;
//! use serde_json::json;
//! use tata_core::{Field, FieldKind, Form};
//! use tata_guided::{
//!     answer::{Answer, Context},
//!     form::{Filled, fill},
//! };
//! use tata_language::Language;
//!
//! let mut filled = Filled::new(Form::new(vec![
//!     Field::new("office", FieldKind::Choice, "Which office?").choices(["Malmö", "Oslo"]),
//!     Field::new("date", FieldKind::Date, "Which day?"),
//! ]));
//! let context = Context::new(Language::En, date(2026, 11, 16));
//! // A person answers by number, in any order ...
//! fill(&mut filled, "2: 24 November\n1: Oslo", context);
//! assert!(filled.is_complete());
//! // ... a program by id.
//! filled.take(&json!({"date": "2026-11-25"}), context)?;
//! assert_eq!(filled.answer("office"), Some(&Answer::Choice("Oslo".to_owned())));
//! assert_eq!(filled.answer("date"), Some(&Answer::Date(date(2026, 11, 25))));
//! # Ok::<(), tata_guided::form::BadAnswers>(())
//! ```

mod command;
mod fill;
mod json;

pub use self::{
    command::Command,
    fill::{Entry, Filled, Outcome, fill},
    json::{BadAnswers, Refused},
};
