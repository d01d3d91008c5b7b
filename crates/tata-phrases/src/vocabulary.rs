//! Which words of a text are the same: most come again, and what was found out about one holds for all of them.

use crate::{rows::number, words::Word};

/// The different words of a text, numbered as they come.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The number of each word.
    numbers: Vec<u32>,
    /// Where each number stands first.
    firsts: Vec<u32>,
}

impl Vocabulary {
    /// Of the words of a text.
    pub fn of(words: &[Word<'_>]) -> Self {
        let mut slots = vec![0_u32; (words.len() * 2).next_power_of_two()];
        let last = slots.len() - 1;
        let mut vocabulary =
            Self { numbers: Vec::with_capacity(words.len()), firsts: Vec::with_capacity(words.len() / 2) };
        for (at, word) in words.iter().enumerate() {
            let mut slot = mixed(word.text.as_bytes()) & last;
            // Half of the slots stay free, so one is found.
            while let Some(place) = slots.get_mut(slot) {
                let Some(known) = place.checked_sub(1) else {
                    vocabulary.numbers.push(number(vocabulary.firsts.len()));
                    vocabulary.firsts.push(number(at));
                    *place = number(vocabulary.firsts.len());
                    break;
                };
                let first = vocabulary.firsts.get(known as usize).map_or(0, |first| *first as usize);
                if words.get(first).is_some_and(|first| first.text == word.text) {
                    vocabulary.numbers.push(known);
                    break;
                }
                slot = (slot + 1) & last;
            }
        }
        vocabulary
    }

    /// The number of each word.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.numbers.iter().map(|number| *number as usize)
    }

    /// The number of a word.
    pub fn number(&self, word: usize) -> Option<usize> {
        self.numbers.get(word).map(|number| *number as usize)
    }

    /// The different words, by their numbers.
    pub fn words<'a>(&self, words: &'a [Word<'a>]) -> impl Iterator<Item = &'a str> {
        self.firsts.iter().map(|first| words.get(*first as usize).map_or("", |word| &*word.text))
    }
}

/// What was found out about the different words of a text, each asked for once.
#[derive(Debug)]
pub struct Known<T>(Vec<Option<T>>);

impl<T: Copy> Known<T> {
    /// Nothing yet.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self(vec![None; vocabulary.firsts.len()])
    }

    /// What is known of a word by its number, or is found out now.
    pub fn of(&mut self, number: usize, find: impl FnOnce() -> T) -> T {
        match self.0.get_mut(number) {
            Some(known) => *known.get_or_insert_with(find),
            None => find(),
        }
    }
}

/// A number for some letters: eight at once.
fn mixed(letters: &[u8]) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |mixed: u64, more: u64| {
        let mixed = (mixed ^ more).wrapping_mul(FACTOR);
        mixed ^ mixed >> 32
    };
    // What is left of the last eight is read with those before it.
    let last = match (letters.last_chunk::<8>(), letters.first_chunk::<4>(), letters.last_chunk::<4>()) {
        (Some(last), ..) => u64::from_le_bytes(*last),
        (None, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        (None, ..) => letters.iter().fold(0, |rest, letter| rest << 8 | u64::from(*letter)),
    };
    let (eights, _) = letters.as_chunks::<8>();
    let length = u64::from(number(letters.len()));
    let mixed = eights.iter().fold(length, |mixed, eight| mix(mixed, u64::from_le_bytes(*eight)));
    usize::try_from(mix(mixed, last) & u64::from(u32::MAX)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spelled;

    #[test]
    fn words_that_come_again_have_one_number() {
        let words = spelled("One two one, three. Two ONE internationalisation Internationalisation four");
        let vocabulary = Vocabulary::of(&words);
        assert_eq!(vocabulary.numbers().collect::<Vec<_>>(), [0, 1, 0, 2, 1, 0, 3, 3, 4]);
        let different: Vec<&str> = vocabulary.words(&words).collect();
        assert_eq!(different, ["one", "two", "three", "internationalisation", "four"]);
        assert_eq!(Vocabulary::of(&[]).numbers().count(), 0);
    }
}
