//! One German form throughout: a du text never says Sie, and a Sie text never says du.
//!
//! "Sie" and "Ihr…" at the beginning of a sentence may also mean "they" and "her". In a du text they are an address where
//! nothing stands before that they could refer to: at the beginning of a paragraph, a heading, a point or after a colon,
//! "Sie" only with a plural verb. Later sentences of a paragraph get the benefit of the doubt. In the middle of a
//! sentence a capital always means the reader.

use super::{Finding, Rule, text::Text};
use tata_phrases::{Case, Gap, Word, WordSet};

use crate::{
    GermanForm,
    lists::{GERMAN_BEFORE_DU, GERMAN_DU, GERMAN_POSSESSIVES},
};

static DU: WordSet = WordSet::of(&GERMAN_DU);
static POSSESSIVES: WordSet = WordSet::of(&GERMAN_POSSESSIVES);

/// Words that address the reader in the other form.
pub(super) fn other_form(text: &Text<'_>, form: GermanForm, findings: &mut Vec<Finding>) {
    for at in 0..text.words.len() {
        let wrong = match form {
            GermanForm::Du => is_formal(text, at),
            GermanForm::Sie => is_informal(text, at),
        };
        if wrong && !text.is_verbatim(at) {
            findings.extend(text.finding(Rule::Address, at, at));
        }
    }
}

fn is_formal(text: &Text<'_>, at: usize) -> bool {
    let Some(word) = text.words.get(at) else { return false };
    if word.case == Case::Lower || text.is_hyphenated(at) {
        return false;
    }
    let next = text.words.get(at + 1).filter(|next| next.gap <= Gap::Blank);
    let possessive = || POSSESSIVES.has(&word.text);
    match (word.gap, &*word.text) {
        // It may refer back.
        (Gap::Sentence, _) => false,
        (Gap::Hyphen | Gap::Blank, text) => text == "sie" || possessive(),
        (Gap::Colon | Gap::Paragraph, "sie") => next.is_some_and(is_plural_verb),
        // "Ihr habt": several people, each of them du.
        (Gap::Colon | Gap::Paragraph, "ihr") => !next.is_some_and(|next| {
            next.case == Case::Lower && (next.text.ends_with('t') || next.text == "seid")
        }),
        (Gap::Colon | Gap::Paragraph, _) => possessive(),
    }
}

fn is_plural_verb(word: &Word<'_>) -> bool {
    word.case == Case::Lower
        && (word.text == "sind"
            || ["en", "ern", "eln", "tun"].iter().any(|ending| word.text.ends_with(ending)))
}

fn is_informal(text: &Text<'_>, at: usize) -> bool {
    let Some(word) = text.words.get(at) else { return false };
    let address = DU.has(&word.text);
    // "Du-Kultur", "per Du", "Deutsch (du)": they speak about the form.
    let before = at.checked_sub(1).and_then(|before| text.words.get(before)).map_or("", |word| &*word.text);
    let spoken_of = word.text == "du" && GERMAN_BEFORE_DU.contains(&before);
    let sign = |at: Option<usize>| at.and_then(|at| text.characters().get(at));
    let bracketed = sign(word.start.checked_sub(1)) == Some(&'(') && sign(Some(word.end)) == Some(&')');
    address && !spoken_of && !bracketed && !text.is_hyphenated(at)
}
