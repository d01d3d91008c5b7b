//! One language throughout, apart from what others wrote.

use std::sync::OnceLock;

use super::{
    Finding, Rule,
    language::{borrowed, identify_words, is_leftover},
    text::Text,
};
use crate::{
    Language,
    phrases::{Case, Gap, Matcher, Meaning, Word},
};

/// The fewest words that are judged alone; shorter sentences are judged with the next ones.
const FEWEST_WORDS: usize = 8;
/// How sure the judgment must be for a sentence, and for a whole text.
const SURE: f32 = 0.45;

/// Sentences in another language, and English words left inside.
pub(super) fn other_language(text: &Text, language: Language, findings: &mut Vec<Finding>) {
    let mut wrong: Vec<(usize, usize)> = Vec::new();
    for (first, last) in portions(text) {
        let own = own_words(text, first, last);
        if own.clone().count() >= FEWEST_WORDS && is_other(own, language) {
            wrong.push((first, last));
        }
    }
    for (first, last) in &wrong {
        findings.extend(text.finding(Rule::Language, *first, *last));
    }
    if language != Language::En {
        leftovers(text, language, &wrong, findings);
    }
}

/// Whether a whole text is in another language, although no sentence alone showed it.
pub(super) fn is_other_as_a_whole<'a>(texts: impl Iterator<Item = &'a Text>, language: Language) -> bool {
    let words: Vec<&str> =
        texts.flat_map(|text| own_words(text, 0, text.words.len().saturating_sub(1))).collect();
    words.len() >= FEWEST_WORDS && is_other(words.into_iter(), language)
}

fn is_other<'a>(words: impl Iterator<Item = &'a str>, language: Language) -> bool {
    identify_words(words).is_some_and(|found| found.language != language && found.confidence >= SURE)
}

fn own_words(text: &Text, first: usize, last: usize) -> impl Iterator<Item = &str> + Clone {
    let words = text.words.iter().zip(&text.any_language).take(last + 1).skip(first);
    words.filter(|(_, any_language)| !**any_language).map(|(word, _)| word.text.as_str())
}

/// Sentences, short ones together with their neighbors in the paragraph, as first and last words.
fn portions(text: &Text) -> Vec<(usize, usize)> {
    let mut portions: Vec<(usize, usize)> = Vec::new();
    let (mut first, mut own) = (0, 0);
    for (at, word) in text.words.iter().enumerate() {
        let ends = word.gap == Gap::Paragraph || (word.gap == Gap::Sentence && own >= FEWEST_WORDS);
        if ends && at > first {
            portions.push((first, at - 1));
            (first, own) = (at, 0);
        }
        own += usize::from(!is_any_language(text, at));
    }
    if first < text.words.len() {
        portions.push((first, text.words.len() - 1));
    }
    portions
}

/// English words that no text in another language has of its own.
fn leftovers(text: &Text, language: Language, told: &[(usize, usize)], findings: &mut Vec<Finding>) {
    let mut told = told.iter().peekable();
    for (at, word) in text.words.iter().enumerate() {
        while told.next_if(|(_, last)| *last < at).is_some() {}
        let excused = told.peek().is_some_and(|(first, _)| *first <= at)
            || is_any_language(text, at)
            // "IT", "US", "AS" are abbreviations; "end-to-end" is one word.
            || word.case == Case::Upper
            || is_within_compound(text, at)
            || is_within_name(text, at, language);
        if !excused && is_leftover(&word.text, language) {
            findings.extend(text.finding(Rule::Language, at, at));
        }
    }
}

fn is_any_language(text: &Text, at: usize) -> bool {
    text.any_language.get(at).copied().unwrap_or(false)
}

/// Marks English expressions that are at home in the other languages too.
pub(super) fn with_expressions(words: &[Word], mut marks: Vec<bool>) -> Vec<bool> {
    for hit in expressions().find(words) {
        marks.iter_mut().take(hit.last + 1).skip(hit.first).for_each(|mark| *mark = true);
    }
    marks
}

fn is_within_compound(text: &Text, at: usize) -> bool {
    let joined = |at: usize| text.words.get(at).is_some_and(|word| word.gap == Gap::Hyphen);
    joined(at) || joined(at + 1)
}

/// "Bank of America": capitals on both sides. German writes every noun with one, so there it says nothing.
fn is_within_name(text: &Text, at: usize, language: Language) -> bool {
    let capital = |at: Option<usize>| {
        at.and_then(|at| text.words.get(at))
            .is_some_and(|word| word.case != Case::Lower && word.gap != Gap::Sentence)
    };
    language != Language::De && capital(at.checked_sub(1)) && capital(Some(at + 1))
}

fn expressions() -> &'static Matcher {
    static MATCHER: OnceLock<Matcher> = OnceLock::new();
    MATCHER.get_or_init(|| {
        let patterns = borrowed().iter().map(|expression| (0, Meaning::Hit, expression.as_str()));
        Matcher::new(patterns).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_borrowed_expression_can_be_read() {
        let patterns = borrowed().iter().map(|expression| (0, Meaning::Hit, expression.as_str()));
        assert!(Matcher::new(patterns).is_ok());
        assert!(borrowed().len() > 20);
    }
}
