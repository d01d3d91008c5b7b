//! Which words of a text are the same: most come again, and what was found out about one holds for all of them.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use crate::{rows::number, words::Word};

/// The different words of a text, numbered as they come.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary<'a> {
    /// The number of each word.
    pub(crate) numbers: Vec<u32>,
    /// The different words, by their numbers.
    pub(crate) words: Vec<&'a str>,
}

impl<'a> Vocabulary<'a> {
    /// Of the words of a text.
    pub(crate) fn of(words: &'a [Word<'_>]) -> Self {
        // A slot has the number after that of its word. Half of them stay free, so one is found.
        let mut slots = vec![0_u32; (words.len() * 2).next_power_of_two()];
        let last = slots.len() - 1;
        let mut vocabulary =
            Self { numbers: Vec::with_capacity(words.len()), words: Vec::with_capacity(words.len() / 2) };
        for word in words.iter().map(|word| &*word.text) {
            let mut slot = mixed(word) & last;
            while let Some(place) = slots.get_mut(slot) {
                if *place == 0 {
                    vocabulary.words.push(word);
                    *place = number(vocabulary.words.len());
                }
                let at = *place - 1;
                if vocabulary.words.get(at as usize) == Some(&word) {
                    vocabulary.numbers.push(at);
                    break;
                }
                slot = (slot + 1) & last;
            }
        }
        vocabulary
    }
}

/// A number for a word: the same letters give the same.
fn mixed(word: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    usize::try_from(hasher.finish() >> 32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spelled;

    #[test]
    fn words_that_come_again_have_one_number() {
        let words = spelled("One two one, three. Two ONE internationalisation Internationalisation four");
        let vocabulary = Vocabulary::of(&words);
        assert_eq!(vocabulary.numbers, [0, 1, 0, 2, 1, 0, 3, 3, 4]);
        assert_eq!(vocabulary.words, ["one", "two", "three", "internationalisation", "four"]);
        assert!(Vocabulary::of(&[]).numbers.is_empty());
    }
}
