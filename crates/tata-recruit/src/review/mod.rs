//! What both reviews share: a text read once, what is found in it, and a revision of it from what was accepted.

pub(crate) mod balance;
pub(crate) mod findings;
pub(crate) mod input;
pub(crate) mod law;
pub(crate) mod readability;
pub(crate) mod reading;
pub(crate) mod ready;
pub(crate) mod revise;
pub(crate) mod shown;
pub(crate) mod titles;

pub use balance::Coding;
pub(crate) use balance::{Balance, CodedWord};
pub use findings::flagged;
pub(crate) use readability::Readability;
pub use revise::{Accepted, DecideInput, Decision as ReviewDecision};
pub use titles::TitleForm;

use crate::{Category, Severity, Texts};

impl Category {
    /// What people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(group!("review.categories").key(self.name()))
    }
}

impl Severity {
    /// What people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(group!("review.severities").key(self.name()))
    }
}
