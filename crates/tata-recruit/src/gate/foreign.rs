//! One language throughout, apart from what others wrote.

use tata_language::identify::{LanguageEvidence, is_leftover};

use super::{Finding, Rule, text::Text};
use tata_phrases::{Case, Gap};

use crate::Language;

/// The fewest words that are judged alone; shorter sentences are judged with the next ones.
const FEWEST_WORDS: usize = 8;
/// How sure the judgment must be for a sentence, and for a whole text.
const SURE: f32 = 0.45;

/// Sentences in another language, and English words left inside. What the words say is added to the `whole`.
pub(super) fn other_language(
    text: &Text<'_>,
    language: Language,
    whole: &mut LanguageEvidence,
    findings: &mut Vec<Finding>,
) {
    let mut wrong: Vec<(usize, usize)> = Vec::new();
    for (first, last) in portions(text) {
        let evidence = LanguageEvidence::of(own_words(text, first, last));
        whole.add_all(&evidence);
        if is_other(&evidence, language) {
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

/// Whether words are in another language: those of a sentence, or of a whole text, although no sentence alone showed it.
pub(super) fn is_other(evidence: &LanguageEvidence, language: Language) -> bool {
    evidence.all >= FEWEST_WORDS
        && evidence.identified().is_some_and(|found| found.language != language && found.confidence >= SURE)
}

fn own_words<'a>(text: &'a Text<'_>, first: usize, last: usize) -> impl Iterator<Item = &'a str> {
    let words = text.words.iter().enumerate().take(last + 1).skip(first);
    words.filter(|(at, _)| !is_any_language(text, *at)).map(|(_, word)| &*word.text)
}

/// Sentences, short ones together with their neighbors in the paragraph, as first and last words.
fn portions(text: &Text<'_>) -> Vec<(usize, usize)> {
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
fn leftovers(text: &Text<'_>, language: Language, told: &[(usize, usize)], findings: &mut Vec<Finding>) {
    let mut told = told.iter().peekable();
    for (at, word) in text.words.iter().enumerate() {
        while told.next_if(|(_, last)| *last < at).is_some() {}
        // Few words are, so it is asked first.
        if !is_leftover(&word.text, language) {
            continue;
        }
        let excused = told.peek().is_some_and(|(first, _)| *first <= at)
            || is_any_language(text, at)
            // "IT", "US", "AS" are abbreviations; "end-to-end" is one word.
            || word.case == Case::Upper
            || text.is_hyphenated(at)
            || is_within_name(text, at, language);
        if !excused {
            findings.extend(text.finding(Rule::Language, at, at));
        }
    }
}

fn is_any_language(text: &Text<'_>, at: usize) -> bool {
    text.any_language.get(at).copied().unwrap_or(false)
}

/// "Bank of America": capitals on both sides. German writes every noun with one, so there it says nothing.
fn is_within_name(text: &Text<'_>, at: usize, language: Language) -> bool {
    let capital = |at: Option<usize>| {
        at.and_then(|at| text.words.get(at))
            .is_some_and(|word| word.case != Case::Lower && word.gap != Gap::Sentence)
    };
    language != Language::De && capital(at.checked_sub(1)) && capital(Some(at + 1))
}
