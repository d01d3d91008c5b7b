//! The offline model, from outside.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod answers;
mod forms;
mod sorting;
mod wishes;
