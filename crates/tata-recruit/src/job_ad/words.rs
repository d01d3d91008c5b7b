//! Small readers of text: sentences, words, numbers, names.

use std::collections::BTreeSet;

use tata_language::{Language, tokens};
use tata_phrases::runs;

/// How many sentences a text has.
pub(super) fn sentences(text: &str, language: Language) -> usize {
    tata_language::sentences(language, &tokens(text)).len()
}

/// Whether a text is a sentence of its own and not a phrase.
pub(super) fn is_sentence(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase) && text.ends_with(['.', '!', '?'])
}

/// A phrase that a sentence can go on after.
pub(super) fn unstopped(text: &str) -> &str {
    text.trim().trim_end_matches(['.', ',', ';', ':', ' '])
}

/// The words of a text in lower case that have more than this many letters.
pub(super) fn long_words(text: &str, more_than: usize) -> BTreeSet<String> {
    runs(text).filter(|word| word.chars().count() > more_than).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_counted() {
        let check = |text: &str, language: Language, count: usize| {
            assert_eq!(sentences(text, language), count, "{text:?}");
        };
        let en = Language::En;
        check("", en, 0);
        check("One phrase", en, 1);
        check("One. Two.", en, 2);
        check("One! Two? \"Three.\" Four", en, 4);
        check("Tools, e.g. Go and Rust.", en, 1);
        check("Verktyg, t.ex. Go och Rust.", Language::Sv, 1);
        check("Ansök senast 15. december 2026.", Language::Sv, 1);
        check("Bewerbung bis zum 3. Dezember 2026. Danach nicht.", Language::De, 2);
        check("We have 12. Join us.", en, 2);
        check("Line one\nLine two", en, 2);
        check("Version 2.5 is fine.", en, 1);
        check("... . !", en, 0);
    }
}
