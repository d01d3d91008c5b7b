//! Text in, spans out: one tokenizer, values, sentences, and `claims`, which decides whether a text says only what its
//! sources say.
//!
//! This crate knows nothing of projects, documents or JSON. Offsets are characters everywhere; [`Offsets`] is the one
//! place that converts.

pub mod book;
pub mod claims;
mod cue;
mod detect;
pub mod identify;
mod language;
mod lists;
mod numbers;
pub mod review;
mod sentences;
mod spans;
mod stem;
mod tokens;
mod values;

pub use self::{
    detect::{Detected, detect},
    language::Language,
    sentences::sentences,
    spans::{Offsets, Span},
    tokens::{Kind, Token, tokens},
    values::{Amount, Date, Unit, Value, values},
};
pub use tata_phrases::{folded, named, runs};
