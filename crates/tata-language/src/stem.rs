//! A light stem: endings are taken off while enough of the word is left.
//!
//! It is rougher than a dictionary's. A source is short, so that two words of one stem in it are nearly always kin.

use tata_phrases::Trie;

use crate::language::Language;

/// Letters that must remain.
const LEAST: usize = 3;
/// More than the longest word needs; until then nothing but the letters left decides, so that all forms end alike.
const ROUNDS: usize = 8;

/// The stem of a normalised word; endings are written from the last letter to the first.
pub(crate) fn stem(language: Language, endings: Trie<'_>, norm: &str) -> String {
    let mut word = plain(language, norm);
    if language == Language::De {
        word = without_ge(word);
    }
    for _ in 0..ROUNDS {
        undouble(&mut word);
        // The longest that can be taken off.
        let mut left = word.len();
        endings.along(word.bytes().rev(), |_, length| {
            let rest = word.len() - length;
            left = if word.get(..rest).is_some_and(is_enough) { rest } else { left };
        });
        if left == word.len() {
            break;
        }
        word.truncate(left);
    }
    if language == Language::En && word.ends_with('y') {
        word.pop();
        word.push('i');
    }
    word
}

/// A normalised word with the vowels of its stem.
pub(crate) fn plain(language: Language, norm: &str) -> String {
    let mut word = String::with_capacity(norm.len());
    for c in norm.chars().filter(|c| *c != '\'') {
        if c.is_ascii() || !language.compounds() {
            word.push(c);
        } else {
            push_plain(&mut word, c);
        }
    }
    word
}

/// "Planning" is "plan", "budgetter" is "budget".
fn undouble(word: &mut String) {
    let mut last = word.chars().rev();
    if let (Some(a), Some(b)) = (last.next(), last.next())
        && a == b
        && word.chars().nth(LEAST).is_some()
    {
        word.truncate(word.len() - a.len_utf8());
    }
}

fn is_enough(rest: &str) -> bool {
    rest.chars().nth(LEAST - 1).is_some() && rest.chars().any(|c| "aeiouyåäöæøü".contains(c))
}

/// Plurals change vowels: Nacht and Nächte, natt and nätter.
fn push_plain(word: &mut String, c: char) {
    match c {
        'ä' | 'æ' => word.push('a'),
        'ö' | 'ø' => word.push('o'),
        'ü' => word.push('u'),
        'ß' => word.push_str("ss"),
        'é' | 'è' => word.push('e'),
        _ => word.push(c),
    }
}

/// German participles: "gekocht" is "kocht", "eingearbeitet" is "einarbeitet".
fn without_ge(word: String) -> String {
    if !word.ends_with('t') && !word.ends_with("en") {
        return word;
    }
    for first in ["", "ein", "aus", "an", "auf", "ab", "vor", "mit", "zu"] {
        if let Some(rest) = word.strip_prefix(first).and_then(|rest| rest.strip_prefix("ge"))
            && rest.len() >= 5
        {
            return format!("{first}{rest}");
        }
    }
    word
}
