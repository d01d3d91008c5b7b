//! Small readers of text: sentences, words, numbers, names.

use std::collections::BTreeSet;

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

/// A text no longer than this many characters, cut between words.
pub(super) fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most).collect();
    let end = cut.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(&cut).trim_end())
}

/// The words of a text in lower case that have more than this many letters.
pub(super) fn long_words(text: &str, more_than: usize) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().count() > more_than)
        .map(str::to_lowercase)
        .collect()
}

/// The numbers of a text, without the signs that group their digits; and each group by itself.
pub(super) fn numbers(text: &str) -> Vec<Number> {
    let mut numbers: Vec<Number> = Vec::new();
    let mut gap: Option<usize> = None;
    let mut run = String::new();
    let mut close = |run: &mut String, gap: Option<usize>| {
        if run.is_empty() {
            return;
        }
        let part = std::mem::take(run);
        match numbers.last_mut() {
            Some(last)
                if gap == Some(1)
                    && part.len() == 3
                    && last.parts.first().is_some_and(|first| first.len() <= 3)
                    && last.parts.iter().skip(1).all(|group| group.len() == 3) =>
            {
                last.whole.push_str(&part);
                last.parts.push(part);
            }
            Some(_) | None => numbers.push(Number { whole: part.clone(), parts: vec![part] }),
        }
    };
    let mut before = None;
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            run.push(letter);
            continue;
        }
        if !run.is_empty() {
            close(&mut run, before);
            gap = Some(0);
        }
        let grouping =
            matches!(letter, ' ' | '.' | ',' | '\'' | '\u{A0}' | '\u{202F}' | '\u{2009}' | '\u{2019}');
        gap = match gap {
            Some(count) if grouping => Some(count + 1),
            Some(_) | None => None,
        };
        before = gap;
    }
    close(&mut run, before);
    numbers
}

/// A number as digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) whole: String,
    pub(super) parts: Vec<String>,
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

    #[test]
    fn numbers_are_read_with_and_without_groups() {
        let check = |text: &str, wanted: &[&str]| {
            let found: Vec<String> = numbers(text).into_iter().map(|number| number.whole).collect();
            assert_eq!(found, wanted, "{text:?}");
        };
        check("40 000 homes, 24/7", &["40000", "24", "7"]);
        check("45,000-52.000", &["45000", "52000"]);
        check("1 234 567", &["1234567"]);
        check("2026-12-15", &["2026", "12", "15"]);
        check("5 years, 3 people", &["5", "3"]);
        check("none", &[]);
    }

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(clipped("one two three", 9), "one two…");
        assert_eq!(clipped("onetwothree", 4), "onet…");
        assert_eq!(clipped("one", 9), "one");
    }
}
