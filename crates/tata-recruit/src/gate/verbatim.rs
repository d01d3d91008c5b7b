//! Names and words of others, found by their words: letter case and signs around them do not matter.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use tata_phrases::{Word, spelled};

/// What others wrote.
pub(super) struct Verbatim(Option<AhoCorasick>);

impl Verbatim {
    pub(super) fn new(texts: &[&str]) -> Self {
        let phrases = texts.iter().map(|text| joined(&spelled(text)).0).filter(|phrase| !phrase.is_empty());
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            // A full table takes minutes to build for one long text that repeats itself.
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(phrases);
        Self(automaton.ok())
    }

    /// Marks the words that stand there as others wrote them; of overlapping ones the first and longest.
    pub(super) fn mark(&self, words: &[Word<'_>], marks: &mut [bool]) {
        let (text, starts) = joined(words);
        for found in self.0.iter().flat_map(|automaton| automaton.find_iter(&text)) {
            let first = starts.partition_point(|start| *start < found.start());
            let last = starts.partition_point(|start| *start < found.end());
            marks.iter_mut().take(last).skip(first).for_each(|mark| *mark = true);
        }
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
