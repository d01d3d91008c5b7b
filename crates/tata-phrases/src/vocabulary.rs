//! Which words of a text are the same: most come again, and what was found out about one holds for all of them.

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
        // Half of the slots stay free, so one is found.
        let mut slots = vec![None; (words.len() * 2).next_power_of_two()];
        let last = slots.len() - 1;
        let mut vocabulary =
            Self { numbers: Vec::with_capacity(words.len()), words: Vec::with_capacity(words.len() / 2) };
        for word in words.iter().map(|word| &*word.text) {
            let mut slot = mixed(word) & last;
            while let Some(place) = slots.get_mut(slot) {
                let at = *place.get_or_insert_with(|| {
                    vocabulary.words.push(word);
                    vocabulary.words.len() - 1
                });
                if vocabulary.words.get(at) == Some(&word) {
                    vocabulary.numbers.push(number(at));
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
    let mixed =
        word.bytes().fold(0x811C_9DC5_u32, |mixed, byte| (mixed ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (mixed ^ mixed >> 15) as usize
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
