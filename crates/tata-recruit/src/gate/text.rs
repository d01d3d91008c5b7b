//! A text as the rules see it: its words, and which of them are somebody else's.

use std::{cell::OnceCell, ops::Range};

use tata_language::identify::asides;

use super::{Finding, Level, Rule, verbatim::Verbatim};
use tata_phrases::{Gap, Hit, Word, spell};

/// The most characters of a place that are shown.
const MOST_SHOWN: usize = 80;

/// The texts of a document as one run of words: phrases are looked up in all of them at once, and as no phrase reaches
/// into another paragraph, none reaches into another text.
#[derive(Default)]
pub(super) struct Pieces<'a> {
    all: Vec<Piece<'a>>,
    words: Vec<Word<'a>>,
    verbatim: Vec<bool>,
    any_language: Vec<bool>,
    questions: Vec<Hit>,
}

struct Piece<'a> {
    text: &'a str,
    words: Range<usize>,
    quoted: bool,
}

impl<'a> Pieces<'a> {
    /// Texts of our own.
    pub(super) fn of(texts: &[&'a str]) -> Self {
        let mut pieces = Self::default();
        for text in texts {
            pieces.push(text, false);
        }
        pieces
    }

    /// One more text; one that is quoted is somebody else's as a whole.
    pub(super) fn push(&mut self, text: &'a str, quoted: bool) {
        let first = self.words.len();
        spell(text, &mut self.words);
        self.all.push(Piece { text, words: first..self.words.len(), quoted });
    }

    /// Finds out which words are somebody else's, and where the phrases are.
    pub(super) fn read(mut self, verbatim: &Verbatim) -> Self {
        self.verbatim = vec![false; self.words.len()];
        for Piece { words, quoted, .. } in &self.all {
            let Some(marks) = self.verbatim.get_mut(words.clone()) else { continue };
            if *quoted {
                marks.fill(true);
            } else {
                verbatim.mark(self.words.get(words.clone()).unwrap_or_default(), marks);
            }
        }
        let asides = asides(&self.words);
        self.any_language.clone_from(&self.verbatim);
        for hit in asides.expressions {
            self.any_language.get_mut(hit.first..=hit.last).into_iter().for_each(|marks| marks.fill(true));
        }
        self.questions = asides.questions;
        self
    }

    /// The texts, in order.
    pub(super) fn texts(&self) -> impl Iterator<Item = Text<'_>> {
        self.all.iter().map(|Piece { text, words, .. }| {
            let from = self.questions.partition_point(|hit| hit.first < words.start);
            let to = self.questions.partition_point(|hit| hit.first < words.end);
            Text {
                written: text,
                words: self.words.get(words.clone()).unwrap_or_default(),
                verbatim: self.verbatim.get(words.clone()).unwrap_or_default(),
                any_language: self.any_language.get(words.clone()).unwrap_or_default(),
                before: words.start,
                questions: self.questions.get(from..to).unwrap_or_default(),
                characters: OnceCell::new(),
            }
        })
    }
}

/// A text to be checked.
pub(super) struct Text<'a> {
    pub(super) written: &'a str,
    pub(super) words: &'a [Word<'a>],
    /// For each word, whether it stands there as somebody else wrote it.
    verbatim: &'a [bool],
    /// For each word, whether it says nothing about the language: somebody else's, or an expression at home everywhere.
    pub(super) any_language: &'a [bool],
    /// How many words the texts before have.
    before: usize,
    questions: &'a [Hit],
    /// Few texts are asked for single characters.
    characters: OnceCell<Vec<char>>,
}

impl Text<'_> {
    pub(super) fn characters(&self) -> &[char] {
        self.characters.get_or_init(|| self.written.chars().collect())
    }

    pub(super) fn is_verbatim(&self, word: usize) -> bool {
        self.verbatim.get(word).copied().unwrap_or(false)
    }

    /// Whether a word is part of a compound with a hyphen.
    pub(super) fn is_hyphenated(&self, word: usize) -> bool {
        let joined = |at: usize| self.words.get(at).is_some_and(|word| word.gap == Gap::Hyphen);
        joined(word) || joined(word + 1)
    }

    /// Questions for a name: their first and last words.
    pub(super) fn questions(&self) -> impl Iterator<Item = (usize, usize)> {
        self.questions.iter().map(|hit| (hit.first - self.before, hit.last - self.before))
    }

    /// What is wrong with some words.
    pub(super) fn finding(&self, rule: Rule, first: usize, last: usize) -> Option<Finding> {
        Some(self.place(rule, self.words.get(first)?.start, self.words.get(last)?.end))
    }

    /// What is wrong with some characters.
    pub(super) fn place(&self, rule: Rule, start: usize, end: usize) -> Finding {
        let shown = self.characters().get(start..end).unwrap_or_default();
        let mut excerpt: String = shown.iter().take(MOST_SHOWN).collect();
        if shown.len() > MOST_SHOWN {
            excerpt.push('…');
        }
        Finding { rule, level: Level::Error, start, end, excerpt, suggestion: None }
    }

    /// The characters between two words.
    pub(super) fn between(&self, first: &Word<'_>, second: &Word<'_>) -> &[char] {
        self.characters().get(first.end..second.start).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_phrase_reaches_into_another_text() {
        let mut pieces = Pieces::default();
        for text in ["Head", "of", "head of sales", "What is your name?"] {
            pieces.push(text, false);
        }
        let pieces = pieces.read(&Verbatim::new(&["name head"]));
        let marks: Vec<&[bool]> = pieces.texts().map(|text| text.any_language).collect();
        assert_eq!(marks, [&[false][..], &[false], &[true, true, false], &[false; 4]]);
        let questions: Vec<usize> = pieces.texts().map(|text| text.questions().count()).collect();
        assert_eq!(questions, [0, 0, 0, 1]);
    }
}
