//! A text as the rules see it: its characters, its words, and which of them are somebody else's.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::{Finding, Level, Rule, foreign::with_expressions};
use crate::phrases::{Word, spelled};

/// The most characters of a place that are shown.
const MOST_SHOWN: usize = 80;

/// A text to be checked.
pub(super) struct Text {
    pub(super) characters: Vec<char>,
    pub(super) words: Vec<Word>,
    /// For each word, whether it stands there as somebody else wrote it.
    pub(super) verbatim: Vec<bool>,
    /// For each word, whether it says nothing about the language: somebody else's, or an expression at home everywhere.
    pub(super) any_language: Vec<bool>,
}

impl Text {
    pub(super) fn new(text: &str, verbatim: &Verbatim) -> Self {
        let words = spelled(text);
        let verbatim = verbatim.mark(&words);
        let any_language = with_expressions(&words, verbatim.clone());
        Self { characters: text.chars().collect(), words, verbatim, any_language }
    }

    /// A text that is somebody else's as a whole.
    pub(super) fn quoted(text: &str) -> Self {
        let words = spelled(text);
        let all = vec![true; words.len()];
        Self { characters: text.chars().collect(), verbatim: all.clone(), any_language: all, words }
    }

    pub(super) fn is_verbatim(&self, word: usize) -> bool {
        self.verbatim.get(word).copied().unwrap_or(false)
    }

    /// What is wrong with some words.
    pub(super) fn finding(&self, rule: Rule, first: usize, last: usize) -> Option<Finding> {
        Some(self.place(rule, self.words.get(first)?.start, self.words.get(last)?.end))
    }

    /// What is wrong with some characters.
    pub(super) fn place(&self, rule: Rule, start: usize, end: usize) -> Finding {
        let shown = self.characters.get(start..end).unwrap_or_default();
        let mut excerpt: String = shown.iter().take(MOST_SHOWN).collect();
        if shown.len() > MOST_SHOWN {
            excerpt.push('…');
        }
        Finding { rule, level: Level::Error, start, end, excerpt, suggestion: None }
    }

    /// The characters between two words.
    pub(super) fn between(&self, first: &Word, second: &Word) -> &[char] {
        self.characters.get(first.end..second.start).unwrap_or_default()
    }
}

/// Names and words of others, found by their words: letter case and signs around them do not matter.
pub(super) struct Verbatim {
    automaton: Option<AhoCorasick>,
}

impl Verbatim {
    pub(super) fn new(texts: &[&str]) -> Self {
        let patterns = texts.iter().map(|text| joined(&spelled(text)).0).filter(|text| !text.is_empty());
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            // A full table takes minutes to build for one long text that repeats itself.
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(patterns)
            .ok();
        Self { automaton: automaton.filter(|automaton| automaton.patterns_len() > 0) }
    }

    fn mark(&self, words: &[Word]) -> Vec<bool> {
        let mut marks = vec![false; words.len()];
        let Some(automaton) = &self.automaton else { return marks };
        let (text, starts) = joined(words);
        for found in automaton.find_iter(&text) {
            let first = starts.partition_point(|start| *start < found.start());
            let last = starts.partition_point(|start| *start < found.end());
            marks.iter_mut().take(last).skip(first).for_each(|mark| *mark = true);
        }
        marks
    }
}

/// The words with two blanks between, so that neighbors share none, and the byte each begins at.
fn joined(words: &[Word]) -> (String, Vec<usize>) {
    let (mut text, mut starts) = (String::new(), Vec::with_capacity(words.len()));
    for word in words {
        starts.push(text.len());
        text.push(' ');
        text.push_str(&word.text);
        text.push(' ');
    }
    (text, starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full table over this text took minutes to build.
    #[test]
    fn a_long_text_that_repeats_itself_does_not_stall() {
        let long = "x ".repeat(5_000);
        let words = spelled("x and y");
        assert_eq!(Verbatim::new(&[&long]).mark(&words), [false; 3]);
        assert_eq!(Verbatim::new(&[&long, "x"]).mark(&words), [true, false, false]);
    }
}
