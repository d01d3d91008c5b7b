//! Which words of a text are the same: most come again, and what was found out about one holds for all of them.

use std::collections::BTreeMap;

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
        let (mut vocabulary, mut known) = (Self::default(), BTreeMap::new());
        for word in words {
            let number = *known.entry(&*word.text).or_insert_with(|| {
                vocabulary.words.push(&*word.text);
                number(vocabulary.words.len() - 1)
            });
            vocabulary.numbers.push(number);
        }
        vocabulary
    }
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
