//! A text as words with their places. Cues are found among words, so blanks, line breaks, hyphens and letter case between
//! them do not matter.

use std::{collections::BTreeMap, ops::Range};

use unicode_normalization::UnicodeNormalization;

/// A word and where it stands, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Lower case, composed, without invisible characters.
    pub(super) text: String,
    /// Only blanks, hyphens or marks of emphasis stand between the word before and this one, or the comma that German and
    /// Danish put before "that" and "who".
    pub(super) glued: bool,
}

/// A text and its words.
pub(super) struct View<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<Word>,
    /// Beginnings of words that mean the person who is sought.
    names: Vec<String>,
}

impl<'a> View<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, words: words(text), names: Vec::new() }
    }

    /// The same view, for a position of this title: its long words and its initials mean the person.
    pub(super) fn with_title(mut self, title: &str) -> Self {
        let long = |word: &Word| word.text.chars().count() >= 5;
        self.names = words(title).into_iter().filter(long).map(|word| word.text).take(8).collect();
        let initials: String = title
            .chars()
            .take(200)
            .filter(|letter| letter.is_uppercase())
            .flat_map(char::to_lowercase)
            .collect();
        if (2..=6).contains(&initials.chars().count()) {
            self.names.push(initials);
        }
        self
    }

    /// Whether a word means the person who is sought: "teamledaren" for a teamledare.
    pub(super) fn is_name(&self, word: &Word) -> bool {
        // "teamledaren" for a teamledare, "rådgiveren" for a kommunikasjonsrådgiver.
        let stem = |count: usize| {
            let (end, _) = word.text.char_indices().rev().nth(count.checked_sub(1)?)?;
            word.text.get(..end)
        };
        let stems = [Some(word.text.as_str()), stem(1), stem(2), stem(3)];
        self.names.iter().any(|name| {
            word.text.strip_prefix(name.as_str()).is_some_and(|ending| {
                // Initials begin too many words: "neue" is no Network Engineer.
                ending.chars().count() <= if name.chars().count() >= 5 { 3 } else { 1 }
            }) || stems.iter().flatten().any(|stem| stem.chars().count() >= 6 && name.ends_with(stem))
        })
    }

    /// What stands in a range.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The words that begin in a range.
    pub(super) fn words_in(&self, range: &Range<usize>) -> &[Word] {
        let first = self.words.partition_point(|word| word.start < range.start);
        let last = self.words.partition_point(|word| word.start < range.end);
        self.words.get(first..last).unwrap_or_default()
    }

    /// The range without blanks and stops around it.
    pub(super) fn trim(&self, range: Range<usize>, unwanted: fn(char) -> bool) -> Range<usize> {
        let text = self.slice(&range);
        let start = range.start + (text.len() - text.trim_start_matches(unwanted).len());
        let end = range.end.saturating_sub(text.len() - text.trim_end_matches(unwanted).len());
        start..end.max(start)
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut glued = true;
    let mut commas = 0;
    let mut open: Option<usize> = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let inside = letter.is_alphanumeric()
            || (open.is_some() && is_silent(letter))
            || (open.is_some() && is_apostrophe(letter) && next.is_some_and(char::is_alphanumeric));
        if inside {
            open.get_or_insert(at);
            continue;
        }
        if let Some(start) = open.take() {
            words.push(word(text, start..at, glued, commas));
            (glued, commas) = (true, 0);
        }
        if letter == ',' {
            commas += 1;
            continue;
        }
        // "z.B.", "K.-o.": the stop of a single letter parts nothing.
        let dotted = letter == '.'
            && words.last().is_some_and(|word| word.end == at && word.text.chars().count() == 1)
            && next.is_some_and(|next| next.is_alphabetic() || matches!(next, '-' | ' '));
        glued &= letter.is_whitespace()
            || dotted
            || is_silent(letter)
            || matches!(letter, '-' | '\u{2010}' | '\u{2011}' | '*' | '_' | '>' | '|' | '"' | '/')
            || matches!(letter, '\u{201C}' | '\u{201D}' | '\u{201E}');
    }
    if let Some(start) = open {
        words.push(word(text, start..text.len(), glued, commas));
    }
    words
}

/// Words that open a clause which a comma does not part from the one before.
const RELATIVES: [&str; 9] = ["der", "die", "das", "som", "at", "att", "dass", "that", "who"];

fn word(text: &str, range: Range<usize>, glued: bool, commas: usize) -> Word {
    let raw = text.get(range.clone()).unwrap_or_default();
    let text: String = raw
        .nfc()
        .filter(|letter| !matches!(letter, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}'))
        .map(|letter| if is_apostrophe(letter) { '\'' } else { letter })
        .flat_map(char::to_lowercase)
        .collect();
    let glued = glued && (commas == 0 || (commas == 1 && RELATIVES.contains(&text.as_str())));
    Word { start: range.start, end: range.end, text, glued }
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2019}' | '\u{B4}' | '`')
}

/// Characters inside words that are not read: accents of their own, soft hyphens, marks of direction.
fn is_silent(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{300}'..='\u{36F}')
}

/// Phrases and what they mean, found word by word.
#[derive(Clone, Debug)]
pub(super) struct Phrases<T> {
    meaning: Option<T>,
    next: BTreeMap<String, Phrases<T>>,
}

impl<T> Default for Phrases<T> {
    fn default() -> Self {
        Self { meaning: None, next: BTreeMap::new() }
    }
}

impl<T: Default> Phrases<T> {
    /// Adds a phrase in the notation of the files: `a (b|c) [d]` stands for four phrases.
    pub(super) fn add(&mut self, notation: &str, mut meaning: impl FnMut(&mut T)) {
        for phrase in expand(notation) {
            let words = words(&phrase);
            let empty = words.is_empty();
            let node =
                words.into_iter().fold(&mut *self, |node, word| node.next.entry(word.text).or_default());
            if !empty {
                meaning(node.meaning.get_or_insert_default());
            }
        }
    }

    /// The longest phrase at the beginning of these words: how many words it has, and its meaning.
    pub(super) fn at(&self, words: &[Word]) -> Option<(usize, &T)> {
        let (mut node, mut longest) = (self, None);
        for (at, word) in words.iter().enumerate() {
            let Some(next) = node.next.get(&word.text).filter(|_| at == 0 || word.glued) else { break };
            node = next;
            longest = node.meaning.as_ref().map(|meaning| (at + 1, meaning)).or(longest);
        }
        longest
    }

    /// Whether a phrase begins somewhere among these words.
    pub(super) fn within(&self, words: &[Word]) -> bool {
        (0..words.len()).any(|at| self.at(words.get(at..).unwrap_or_default()).is_some())
    }

    /// Whether one phrase is all of these words.
    pub(super) fn is(&self, words: &[Word]) -> bool {
        self.at(words).is_some_and(|(length, _)| length == words.len())
    }

    /// All phrases.
    #[cfg(test)]
    pub(super) fn all(&self) -> Vec<String> {
        let own = self.meaning.iter().map(|_| String::new());
        let longer = self.next.iter().flat_map(|(word, node)| {
            node.all().into_iter().map(move |rest| format!("{word} {rest}").trim_end().to_owned())
        });
        own.chain(longer).collect()
    }
}

/// All phrases that a notation stands for.
fn expand(notation: &str) -> Vec<String> {
    let (phrases, _) = choices(notation);
    phrases
}

/// The phrases up to the bracket that closes this choice, and what follows it.
fn choices(notation: &str) -> (Vec<String>, &str) {
    let mut all = Vec::new();
    let mut phrases = vec![String::new()];
    let mut rest = notation;
    loop {
        let (plain, from) = rest.split_at(rest.find(['(', '[', '|', ')', ']']).unwrap_or(rest.len()));
        for phrase in &mut phrases {
            phrase.push_str(plain);
        }
        let mut signs = from.chars();
        let sign = signs.next();
        rest = signs.as_str();
        match sign {
            Some('|') => all.extend(std::mem::replace(&mut phrases, vec![String::new()])),
            Some(open @ ('(' | '[')) => {
                let (mut inner, after) = choices(rest);
                if open == '[' {
                    inner.push(String::new());
                }
                phrases = phrases
                    .iter()
                    .flat_map(|phrase| inner.iter().map(move |choice| format!("{phrase}{choice}")))
                    .collect();
                rest = after;
            }
            Some(_) | None => {
                all.extend(phrases);
                return (all, rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_places_and_phrases_are_found_among_them() {
        let view = View::new("We can’t do\n > without C++, MUST-HAVE: a\u{308}ra");
        let texts: Vec<&str> = view.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["we", "can't", "do", "without", "c", "must", "have", "ära"]);
        let mut phrases: Phrases<u8> = Phrases::default();
        phrases.add("(can't|cannot) do [absolutely] without", |value| *value = 1);
        phrases.add("can't do", |value| *value = 2);
        phrases.add("without c must", |value| *value = 3);
        assert_eq!(phrases.at(&view.words[1..]), Some((3, &1)));
        assert_eq!(phrases.at(&view.words[3..]), None, "a comma parts words");
        assert!(phrases.within(&view.words) && !phrases.is(&view.words));
    }

    #[test]
    fn notations_stand_for_phrases() {
        assert_eq!(expand("a (b|c) [d]"), ["a b d", "a b ", "a c d", "a c "]);
        assert_eq!(expand("a [b (c|d)]"), ["a b c", "a b d", "a "]);
        assert_eq!(expand("(a"), ["a"]);
    }
}
