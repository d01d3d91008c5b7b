//! What both reviews share: the text that is given, whether it may be published, and a revision of it from what was accepted.

mod fits;
pub(crate) mod input;
pub(crate) mod law;
pub(crate) mod ready;
pub(crate) mod revise;
pub(crate) mod shown;

pub use revise::{Accepted, DecideInput, ReviewDecision};

use tata_language::book::{Category, Element, Severity};

use crate::{Country, Texts};

impl Texts {
    /// What people call a category.
    pub fn category(&self, category: Category) -> &str {
        self.get(group!("review.categories").key(category.name()))
    }

    /// What people call a severity.
    pub fn severity(&self, severity: Severity) -> &str {
        self.get(group!("review.severities").key(severity.name()))
    }
}

/// What an ad does not say; of the pay, also what applicants are to be told there.
pub(crate) fn missing_line(element: Element, country: Country, texts: &Texts) -> String {
    let line = texts.get(group!("review.missing").key(element.name()));
    if element == Element::Pay { format!("{line} {}", country.pay_rule(texts)) } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use tata_language::{Language, book::Book};

    #[test]
    fn every_rule_has_a_known_reason() {
        for language in Language::ALL {
            for flag in Book::of(language).flags() {
                let reason = format!("{}.{}", flag.category.name(), flag.reason);
                assert!(group!("review.reasons").find(reason).is_some(), "{language:?} {}", flag.rule);
            }
        }
    }
}
