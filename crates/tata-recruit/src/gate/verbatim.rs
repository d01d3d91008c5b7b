//! Names and words of others, found by their words: letter case and signs around them do not matter.

use tata_phrases::{Word, spelled};

/// What others wrote, as one text for each: the words with two blanks between, so that neighbors share none. Sorted.
pub(super) struct Verbatim {
    phrases: Vec<String>,
    /// The letters they begin with, by their first byte: most words begin none of them.
    firsts: [bool; 256],
}

impl Verbatim {
    pub(super) fn new(texts: &[&str]) -> Self {
        let phrases = texts.iter().map(|text| joined(&spelled(text)).0).filter(|phrase| !phrase.is_empty());
        let mut phrases: Vec<String> = phrases.collect();
        phrases.sort_unstable();
        let mut firsts = [false; 256];
        for letter in phrases.iter().filter_map(|phrase| first(phrase)) {
            firsts[usize::from(letter)] = true;
        }
        Self { phrases, firsts }
    }

    /// Marks the words that stand there as others wrote them; of overlapping ones the first and longest.
    pub(super) fn mark(&self, words: &[Word<'_>], marks: &mut [bool]) {
        if self.phrases.is_empty() {
            return;
        }
        let (text, starts) = joined(words);
        let mut places = starts.iter().zip(marks).peekable();
        while let Some((start, mark)) = places.next() {
            let length = self.longest(text.get(*start..).unwrap_or_default());
            *mark = length > 0;
            while let Some((_, mark)) = places.next_if(|(next, _)| **next < start + length) {
                *mark = true;
            }
        }
    }

    /// The bytes of the longest phrase that a text begins with.
    fn longest(&self, text: &str) -> usize {
        let letter = first(text).filter(|letter| self.firsts[usize::from(*letter)]);
        if letter.is_none() {
            return 0;
        }
        // What the text begins with stands before the text in order, and only longer ones that begin so stand between.
        let until = self.phrases.partition_point(|phrase| phrase.as_str() <= text);
        let mut before = self.phrases.iter().take(until).rev().take_while(|phrase| first(phrase) == letter);
        before.find(|phrase| text.starts_with(phrase.as_str())).map_or(0, String::len)
    }
}

/// The first byte of the first word.
fn first(joined: &str) -> Option<u8> {
    joined.as_bytes().get(1).copied()
}

/// The words with two blanks between, and the byte each begins at.
fn joined(words: &[Word<'_>]) -> (String, Vec<usize>) {
    let letters = words.iter().map(|word| word.text.len() + 2).sum();
    let (mut text, mut starts) = (String::with_capacity(letters), Vec::with_capacity(words.len()));
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

    fn marked(verbatim: &[&str], text: &str) -> Vec<bool> {
        let words = spelled(text);
        let mut marks = vec![false; words.len()];
        Verbatim::new(verbatim).mark(&words, &mut marks);
        marks
    }

    /// An automaton over such a text took minutes to build, and word by word it took minutes to compare.
    #[test]
    fn a_long_text_that_repeats_itself_does_not_stall() {
        let long = "x ".repeat(20_000);
        assert_eq!(marked(&[&long], "x and y"), [false; 3]);
        assert_eq!(marked(&[&long, "x"], "x and y"), [true, false, false]);
        let other = format!("{long} y");
        assert!(marked(&[&other], &long).iter().all(|mark| !mark));
    }

    proptest::proptest! {
        /// As one would look for them by hand.
        #[test]
        fn the_first_and_longest_are_marked(
            phrases in proptest::collection::vec("[ab]( [abc]){0,3}|[-. ]", 0..6),
            text in "([abc]( |, |-|\\. )){0,30}",
        ) {
            let phrases: Vec<&str> = phrases.iter().map(String::as_str).collect();
            let letters = |text| spelled(text).iter().map(|word| word.text.to_string()).collect::<Vec<_>>();
            let (words, mut by_hand) = (letters(&text), Vec::new());
            while let Some(rest) = words.get(by_hand.len()..).filter(|rest| !rest.is_empty()) {
                let begins = phrases.iter().map(|phrase| letters(phrase)).filter(|phrase| rest.starts_with(phrase));
                let longest = begins.map(|phrase| phrase.len()).max().unwrap_or_default();
                by_hand.extend(vec![longest > 0; longest.max(1)]);
            }
            proptest::prop_assert_eq!(by_hand, marked(&phrases, &text));
        }
    }
}
