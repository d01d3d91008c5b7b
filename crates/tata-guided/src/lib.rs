//! The offline model: what is wanted, what an answer says, which fields are missing, where a line of notes belongs.
//!
//! Certain instead of clever. A wish is read by a small trained model that says how sure it is; an answer is read by
//! the parser of its field and by nothing else; whatever is not certain comes back as alternatives to choose from.
//!
//! This crate knows no session, no store, no recruiting and no clock: today is an argument.

pub mod answer;
pub mod decide;
pub mod edit;
pub mod form;
pub mod sort;
pub mod wish;
