//! Words of which most texts have few.

/// Some words. Most others are told from them by one look.
#[derive(Clone, Copy, Debug)]
pub struct WordSet {
    /// In order.
    words: &'static [&'static str],
    /// A bit for the ends and the length of each.
    bits: [u64; BITS / 64],
}

const BITS: usize = 512;

impl WordSet {
    /// Of words in order.
    pub const fn of(words: &'static [&'static str]) -> Self {
        let (mut bits, mut at) = ([0; BITS / 64], 0);
        while at < words.len() {
            let bit = bit(words[at].as_bytes());
            bits[bit / 64] |= 1 << (bit % 64);
            at += 1;
        }
        Self { words, bits }
    }

    /// Whether a word is one of them.
    #[inline]
    pub fn has(&self, word: &str) -> bool {
        let bit = bit(word.as_bytes());
        self.bits[bit / 64] >> (bit % 64) & 1 != 0 && self.words.binary_search(&word).is_ok()
    }
}

/// The bit of a word.
const fn bit(word: &[u8]) -> usize {
    let (first, last) = match word {
        [first, .., last] => (*first, *last),
        [only] => (*only, 0),
        [] => (0, 0),
    };
    (first as usize ^ (last as usize) << 3 ^ word.len() << 5) % BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_it_or_not() {
        static WORDS: WordSet = WordSet::of(&["", "a", "and", "ant", "the"]);
        for (word, expected) in [("", true), ("a", true), ("ant", true), ("art", false), ("th", false)] {
            assert_eq!(WORDS.has(word), expected, "{word:?}");
        }
    }
}
