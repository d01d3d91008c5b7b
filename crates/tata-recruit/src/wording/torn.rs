//! Statements that depend on a sentence which is not there: they begin or end with a word that joins.

use super::german;
use crate::{
    Language,
    lists::{TORN_ADVERBS, TORN_CLOSING, TORN_OPENING, TORN_POINTING},
};

/// A statement of so few words that ends with a pronoun does not say what it is about.
const SHORT: usize = 5;

/// Whether a statement is torn out of its sentence.
pub(super) fn is_torn(text: &str, language: Language) -> bool {
    if language == Language::De {
        return german::is_torn(text);
    }
    let words: Vec<String> =
        text.split_whitespace().map(|word| word.trim_matches([',', '.', ';']).to_lowercase()).collect();
    let [first, .., last] = words.as_slice() else { return false };
    // "ikke gir seg", "allerede har": only a clause has the verb after its adverb.
    let adverb = TORN_ADVERBS.contains(&first.as_str());
    let clause = adverb && words.get(1).is_some_and(|word| word.ends_with('r'));
    // "Har vært borti det": what "it" is stood in the sentence before.
    let pointing = words.len() <= SHORT && TORN_POINTING.contains(&last.as_str());
    clause
        || pointing
        || TORN_OPENING[language as usize].contains(&first.as_str())
        || TORN_CLOSING[language as usize].contains(&last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_stand_alone() {
        for (language, text) in [
            (Language::En, "And somebody who double-checks"),
            (Language::En, "They will also help to move people"),
            (Language::Sv, "Och gärna engelska"),
            (Language::Da, "Og samler op på det, vi lærte"),
            (Language::No, "Ikke gir seg med en gang"),
            (Language::No, "Erfaring med kunder og"),
            (Language::No, "Har vært borti det"),
            (Language::No, "Allerede har nettverk i bransjen"),
            (Language::Sv, "Inom kundservice"),
            (Language::De, "Dass die Kunden zufrieden sind"),
        ] {
            assert!(is_torn(text, language), "{text:?}");
        }
        for (language, text) in [
            (Language::En, "Somebody who listens"),
            (Language::Sv, "Inte rädd för höga höjder"),
            (Language::Da, "Ikke bare teknisk stærk"),
            (Language::No, "Tålmodig"),
            (Language::En, ""),
        ] {
            assert!(!is_torn(text, language), "{text:?}");
        }
    }
}
