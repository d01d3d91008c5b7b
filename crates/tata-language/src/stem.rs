//! A light stem: endings are taken off while enough of the word is left.
//!
//! It is rougher than a dictionary's. A source is short, so that two words of one stem in it are nearly always kin.

use crate::language::Language;

/// Letters that must remain.
const LEAST: usize = 3;
/// More than the longest word needs; until then nothing but the letters left decides, so that all forms end alike.
const ROUNDS: usize = 8;

/// The stem of a normalised word. The endings come longest first.
pub(crate) fn stem(language: Language, endings: &[&str], norm: &str) -> String {
    let mut word: String = norm.chars().filter(|c| *c != '\'').collect();
    if language.compounds() {
        word = plain_vowels(&word);
    }
    if language == Language::De {
        word = without_ge(word);
    }
    for _ in 0..ROUNDS {
        undouble(&mut word);
        let Some(ending) = endings.iter().find(|ending| leaves_enough(&word, ending)) else { break };
        word.truncate(word.len() - ending.len());
    }
    if language == Language::En && word.ends_with('y') {
        word.pop();
        word.push('i');
    }
    word
}

/// "Planning" is "plan", "budgetter" is "budget".
fn undouble(word: &mut String) {
    let mut last = word.chars().rev();
    if let (Some(a), Some(b)) = (last.next(), last.next())
        && a == b
        && word.chars().count() > LEAST
    {
        word.truncate(word.len() - a.len_utf8());
    }
}

fn leaves_enough(word: &str, ending: &str) -> bool {
    word.strip_suffix(ending)
        .is_some_and(|rest| rest.chars().count() >= LEAST && rest.chars().any(|c| "aeiouyåäöæøü".contains(c)))
}

/// Plurals change vowels: Nacht and Nächte, natt and nätter.
fn plain_vowels(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'ä' | 'æ' => plain.push('a'),
            'ö' | 'ø' => plain.push('o'),
            'ü' => plain.push('u'),
            'ß' => plain.push_str("ss"),
            'é' | 'è' => plain.push('e'),
            _ => plain.push(c),
        }
    }
    plain
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
