//! A text read once for all rules, and what is found in it: what shuts people out, how it is coded, how hard it is to read.

mod balance;
mod findings;
mod readability;
mod reading;
mod titles;

pub use balance::{Balance, CodedWord, Coding, balance};
pub use findings::{Place, flagged, places};
pub use readability::{Band, Formula, Readability, readability};
pub use reading::{Reading, ends};
pub use titles::TitleForm;
