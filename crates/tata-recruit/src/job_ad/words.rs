//! Small readers of text: sentences, words, numbers, names.

use std::collections::BTreeSet;

use tata_phrases::runs;

use crate::lists::{SENTENCE_ABBREVIATIONS, SENTENCE_MONTHS};

/// How many sentences a text has. Where it is unclear, it counts one more rather than one less.
pub(super) fn sentences(text: &str) -> usize {
    text.lines().map(sentences_of_line).sum()
}

fn sentences_of_line(line: &str) -> usize {
    let mut count = 0;
    let mut words = line.split_whitespace().peekable();
    let mut open = false;
    while let Some(word) = words.next() {
        let bare = word.trim_end_matches(['"', '\'', ')', ']', '”', '“', '’', '»', '«']);
        open = open || bare.chars().any(char::is_alphanumeric);
        let Some(next) = words.peek() else { break };
        if !bare.ends_with(['.', '!', '?', '…', '。']) || !open {
            continue;
        }
        let stem = bare.trim_end_matches('.').trim_start_matches(['(', '"', '“', '„']).to_lowercase();
        let small = next.chars().find(|letter| letter.is_alphanumeric()).is_some_and(char::is_lowercase);
        let day = stem.len() < 3
            && stem.chars().all(|letter| letter.is_ascii_digit())
            && SENTENCE_MONTHS.iter().any(|month| next.to_lowercase().starts_with(month));
        let short = bare.ends_with('.')
            && (SENTENCE_ABBREVIATIONS.contains(&stem.as_str())
                || stem.chars().count() == 1 && !stem.chars().all(char::is_numeric));
        if !(small && bare.ends_with('.') || day || short) {
            count += 1;
            open = false;
        }
    }
    count + usize::from(open)
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
        let check = |text: &str, count: usize| assert_eq!(sentences(text), count, "{text:?}");
        check("", 0);
        check("One phrase", 1);
        check("One. Two.", 2);
        check("One! Two? \"Three.\" Four", 4);
        check("Tools, e.g. Go and t.ex. Rust.", 1);
        check("Ansök senast 15. december 2026.", 1);
        check("Bewerbung bis zum 3. Dezember 2026. Danach nicht.", 2);
        check("We have 12. Join us.", 2);
        check("Line one\nLine two", 2);
        check("Version 2.5 is fine.", 1);
        check("... . !", 0);
    }
}
