//! Lists as linguists write them; claims, measured on labelled sentences and held to their promises on any text.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests fail by panicking, and figures are printed"
)]

mod labelled;
mod lists;
#[path = "../../../tata/src/commands/claims/labelled.rs"]
mod measure;
mod promises;
