//! The offline model, from outside.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests fail by panicking, and figures are printed"
)]

mod answers;
mod forms;
mod sorting;
mod wishes;
