//! A light stem: endings are taken off while enough of the word is left.
//!
//! It is rougher than a dictionary's. A source is short, so that two words of one stem in it are nearly always kin.

use crate::{hash::Map, language::Language};

/// Letters that must remain.
const LEAST: usize = 3;
/// More than the longest word needs; until then nothing but the letters left decides, so that all forms end alike.
const ROUNDS: usize = 8;

/// The endings of a language, by their last byte, the longest first.
#[derive(Debug)]
pub(crate) struct Endings(Map<u8, Vec<&'static str>>);

impl Endings {
    pub(crate) fn new(all: &[&'static str]) -> Self {
        let mut endings: Map<u8, Vec<&str>> = Map::default();
        for ending in all {
            endings.entry(ending.bytes().last().unwrap_or_default()).or_default().push(*ending);
        }
        for list in endings.values_mut() {
            list.sort_by_key(|ending| std::cmp::Reverse(ending.len()));
        }
        Self(endings)
    }

    /// The longest that can be taken off.
    fn of(&self, word: &str) -> Option<&'static str> {
        let list = self.0.get(&word.bytes().last()?)?;
        list.iter().copied().find(|ending| leaves_enough(word, ending))
    }
}

/// The stem of a normalised word.
pub(crate) fn stem(language: Language, endings: &Endings, norm: &str) -> String {
    let mut word = plain(language, norm);
    if language == Language::De {
        word = without_ge(word);
    }
    for _ in 0..ROUNDS {
        undouble(&mut word);
        let Some(ending) = endings.of(&word) else { break };
        word.truncate(word.len() - ending.len());
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

fn leaves_enough(word: &str, ending: &str) -> bool {
    word.strip_suffix(ending).is_some_and(|rest| {
        rest.chars().nth(LEAST - 1).is_some() && rest.chars().any(|c| "aeiouyåäöæøü".contains(c))
    })
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
