//! Patterns as people write them.
//!
//! `*` stands for the rest of a word (`rockstar*`, `*stjärna`), `(a|b)` for one of several, `~` for up to two words
//! between. A pattern is kept as the ways through its letters, never written out: `(a|b) (c|d)` has six words, not eight.

use std::collections::BTreeSet;

use crate::words::{Style, spelled_as};

/// A piece of a phrase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// A word.
    Word {
        /// Its letters, made comparable.
        literal: String,
        /// More letters may come before.
        open_start: bool,
        /// More letters may come after.
        open_end: bool,
    },
    /// Up to two words.
    Between,
}

/// The ways through a pattern, letter by letter.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// From each place: a letter or nothing, and the place it leads to.
    transitions: Vec<Vec<(Option<char>, usize)>>,
    end: usize,
    style: Style,
}

/// Words, and the place after each.
pub(crate) type Words = BTreeSet<(Vec<Part>, Option<usize>)>;

/// The most words that may stand in one place of a pattern.
const MOST_WORDS: usize = 4000;

impl Pattern {
    /// Reads a pattern, or says what is wrong with it.
    pub(crate) fn read(text: &str, style: Style) -> Result<Self, String> {
        let mut pattern = Self { transitions: vec![Vec::new()], end: 0, style };
        // The open choices: the place before each, and the place after it.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        for letter in text.chars() {
            match letter {
                '(' => {
                    let (before, after) = (at, pattern.place());
                    open.push((before, after));
                    at = pattern.step(before, None);
                }
                '|' => {
                    let (before, after) = *open.last().ok_or("a choice needs brackets")?;
                    pattern.join(at, after);
                    at = pattern.step(before, None);
                }
                ')' => {
                    let (_, after) = open.pop().ok_or("a bracket is not opened")?;
                    pattern.join(at, after);
                    at = after;
                }
                letter => at = pattern.step(at, Some(letter)),
            }
        }
        if !open.is_empty() {
            return Err("a bracket is not closed".to_owned());
        }
        pattern.end = at;
        Ok(pattern)
    }

    /// The words that may come at a place, with the place after each: nothing after the last one. No word at all means
    /// that the pattern may end here.
    pub(crate) fn words(&self, place: usize) -> Result<Words, String> {
        let mut pieces = BTreeSet::new();
        self.follow(place, &mut String::new(), &mut pieces)?;
        let parts = |(piece, next): (String, Option<usize>)| Ok((parts(&piece, self.style)?, next));
        pieces.into_iter().map(parts).collect()
    }

    fn follow(
        &self,
        place: usize,
        piece: &mut String,
        pieces: &mut BTreeSet<(String, Option<usize>)>,
    ) -> Result<(), String> {
        if pieces.len() > MOST_WORDS {
            return Err("too many words in one place".to_owned());
        }
        if place == self.end {
            pieces.insert((piece.clone(), None));
        }
        for (letter, to) in self.transitions.get(place).into_iter().flatten() {
            match letter {
                None => self.follow(*to, piece, pieces)?,
                Some(blank) if blank.is_whitespace() => {
                    if piece.is_empty() {
                        self.follow(*to, piece, pieces)?;
                    } else {
                        pieces.insert((piece.clone(), Some(*to)));
                    }
                }
                Some(letter) => {
                    piece.push(*letter);
                    self.follow(*to, piece, pieces)?;
                    piece.pop();
                }
            }
        }
        Ok(())
    }

    fn place(&mut self) -> usize {
        self.transitions.push(Vec::new());
        self.transitions.len() - 1
    }

    fn step(&mut self, from: usize, letter: Option<char>) -> usize {
        let to = self.place();
        if let Some(transitions) = self.transitions.get_mut(from) {
            transitions.push((letter, to));
        }
        to
    }

    fn join(&mut self, from: usize, to: usize) {
        if let Some(transitions) = self.transitions.get_mut(from) {
            transitions.push((None, to));
        }
    }
}

/// The words of a piece without blanks; a hyphen makes two of it.
fn parts(piece: &str, style: Style) -> Result<Vec<Part>, String> {
    if piece == "~" {
        return Ok(vec![Part::Between]);
    }
    let words = spelled_as(piece, style);
    if words.is_empty() && !piece.is_empty() {
        return Err(format!("{piece:?} is no word"));
    }
    let (open_start, open_end) = (piece.starts_with('*'), piece.ends_with('*'));
    let last = words.len().saturating_sub(1);
    let part = |(at, literal): (usize, String)| Part::Word {
        literal,
        open_start: open_start && at == 0,
        open_end: open_end && at == last,
    };
    Ok(words.into_iter().map(|word| word.text.into_owned()).enumerate().map(part).collect())
}
