//! Names and words of others, found by their words: letter case and signs around them do not matter.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use tata_phrases::{Word, spell};

/// Longer ones are left to an automaton: it is slow to build, but reads any text in one pass.
const MOST_WORDS: usize = 64;
/// How many bits tell whether a word may be the first of one.
const BITS: usize = 1 << 12;

/// What others wrote.
pub(super) struct Verbatim<'a> {
    words: Vec<Word<'a>>,
    /// The words of each, sorted by their letters, none twice.
    phrases: Vec<Range<usize>>,
    /// Most words begin none of them.
    firsts: [u64; BITS / 64],
    /// In place of all that, if one is long.
    automaton: Option<AhoCorasick>,
}

impl<'a> Verbatim<'a> {
    pub(super) fn new(texts: &[&'a str]) -> Self {
        let mut texts = texts.to_vec();
        texts.sort_unstable();
        texts.dedup();
        let mut words = Vec::new();
        let mut phrases: Vec<Range<usize>> = Vec::with_capacity(texts.len());
        for text in texts {
            let first = words.len();
            spell(text, &mut words);
            phrases.push(first..words.len());
        }
        phrases.retain(|phrase| !phrase.is_empty());
        if phrases.iter().any(|phrase| phrase.len() > MOST_WORDS) {
            let automaton = automaton(phrases.iter().filter_map(|phrase| words.get(phrase.clone())));
            return Self { words, phrases: Vec::new(), firsts: [0; BITS / 64], automaton };
        }
        let letters = |phrase: &Range<usize>| {
            words.get(phrase.clone()).unwrap_or_default().iter().map(|word: &Word<'_>| &*word.text)
        };
        phrases.sort_unstable_by(|one, other| letters(one).cmp(letters(other)));
        phrases.dedup_by(|one, other| letters(one).eq(letters(other)));
        let mut firsts = [0; BITS / 64];
        for first in phrases.iter().filter_map(|phrase| words.get(phrase.start)) {
            let bit = bit(&first.text);
            firsts[bit / 64] |= 1 << (bit % 64);
        }
        Self { words, phrases, firsts, automaton: None }
    }

    /// Marks the words that stand there as others wrote them; of overlapping ones the first and longest.
    pub(super) fn mark(&self, words: &[Word<'_>], marks: &mut [bool]) {
        if let Some(automaton) = &self.automaton {
            return mark_by(automaton, words, marks);
        }
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let length = self.longest(rest);
            marks.iter_mut().skip(at).take(length).for_each(|mark| *mark = true);
            at += length.max(1);
        }
    }

    /// How many words the longest phrase has that some words begin with.
    fn longest(&self, words: &[Word<'_>]) -> usize {
        let bit = words.first().map_or(0, |word| bit(&word.text));
        if self.firsts[bit / 64] >> (bit % 64) & 1 == 0 {
            return 0;
        }
        let (mut phrases, mut longest) = (self.phrases.as_slice(), 0);
        for (at, word) in words.iter().enumerate() {
            // Those that go on with this word; those that have ended come before them.
            let next = |phrase: &Range<usize>| {
                let words = self.words.get(phrase.clone()).unwrap_or_default();
                words.get(at).map(|next| (*next.text).cmp(&*word.text))
            };
            let from = phrases.partition_point(|phrase| next(phrase).is_none_or(std::cmp::Ordering::is_lt));
            phrases = phrases.get(from..).unwrap_or_default();
            let to = phrases.partition_point(|phrase| next(phrase).is_some_and(std::cmp::Ordering::is_eq));
            phrases = phrases.get(..to).unwrap_or_default();
            let Some(first) = phrases.first() else { break };
            if first.len() == at + 1 {
                longest = at + 1;
            }
        }
        longest
    }
}

/// Words of the same bit may be the same.
fn bit(word: &str) -> usize {
    let byte = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or_default());
    let bytes = word.as_bytes();
    (byte(bytes.first()) ^ byte(bytes.last()) << 4 ^ byte(bytes.get(bytes.len() / 2)) << 2 ^ bytes.len() << 7)
        % BITS
}

fn automaton<'a>(phrases: impl Iterator<Item = &'a [Word<'a>]>) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        // A full table takes minutes to build for one long text that repeats itself.
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(phrases.map(|words| joined(words).0))
        .ok()
}

fn mark_by(automaton: &AhoCorasick, words: &[Word<'_>], marks: &mut [bool]) {
    let (text, starts) = joined(words);
    for found in automaton.find_iter(&text) {
        let first = starts.partition_point(|start| *start < found.start());
        let last = starts.partition_point(|start| *start < found.end());
        marks.iter_mut().take(last).skip(first).for_each(|mark| *mark = true);
    }
}

/// The words with two blanks between, so that neighbors share none, and the byte each begins at.
fn joined(words: &[Word<'_>]) -> (String, Vec<usize>) {
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
    use tata_phrases::spelled;

    fn marked(verbatim: &[&str], text: &str) -> Vec<bool> {
        let words = spelled(text);
        let mut marks = vec![false; words.len()];
        Verbatim::new(verbatim).mark(&words, &mut marks);
        marks
    }

    /// A full table over this text took minutes to build.
    #[test]
    fn a_long_text_that_repeats_itself_does_not_stall() {
        let long = "x ".repeat(5_000);
        assert_eq!(marked(&[&long], "x and y"), [false; 3]);
        assert_eq!(marked(&[&long, "x"], "x and y"), [true, false, false]);
    }

    proptest::proptest! {
        /// Short ones are found as the automaton finds them.
        #[test]
        fn the_first_and_longest_are_marked(
            phrases in proptest::collection::vec("[ab]( [abc]){0,3}|[-. ]", 0..6),
            text in "([abc]( |, |-|\\. )){0,30}",
        ) {
            let mut phrases: Vec<&str> = phrases.iter().map(String::as_str).collect();
            let short = marked(&phrases, &text);
            let long = "z ".repeat(MOST_WORDS + 1);
            phrases.push(&long);
            proptest::prop_assert_eq!(short, marked(&phrases, &text));
        }
    }
}
