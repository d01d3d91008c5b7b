//! A message as the buckets of its character n-grams.

use tata_language::folded;

use super::weights::BUCKETS;

/// From so many characters to so many.
const SHORTEST: usize = 2;
const LONGEST: usize = 5;

/// A wish stands at the beginning of a message or at its end; between them lie pasted notes.
const HEAD: usize = 400;
const TAIL: usize = 200;

/// Around the whole message, so that "no" alone is not "no" in a sentence.
const FIRST: char = '^';
const LAST: char = '$';

/// The buckets of a message, each once, in order.
pub fn features(text: &str) -> Vec<u32> {
    let letters = normalized(text);
    let mut found = Vec::with_capacity(letters.len() * 5);
    for start in 0..letters.len() {
        let mut hash = Fnv::new();
        for (length, letter) in letters.iter().skip(start).take(LONGEST).enumerate() {
            hash.add(*letter);
            if length + 1 >= SHORTEST {
                found.push(hash.bucket());
            }
        }
    }
    words(&letters, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// Whole words and pairs of neighbours: longer than five letters is common in our languages.
fn words(letters: &[char], found: &mut Vec<u32>) {
    let mut before: Option<&[char]> = None;
    for word in letters.split(|letter| *letter == ' ').filter(|word| !word.is_empty()) {
        let mut hash = Fnv::new();
        hash.add('\u{1}');
        for letter in word {
            hash.add(*letter);
        }
        if word.len() > LONGEST {
            found.push(hash.bucket());
        }
        if let Some(before) = before {
            hash.add('\u{2}');
            for letter in before {
                hash.add(*letter);
            }
            found.push(hash.bucket());
        }
        before = Some(word);
    }
}

/// Small letters, one blank between words, any digit a nought; a question mark and a colon stay, other marks are blanks.
fn normalized(text: &str) -> Vec<char> {
    let text = text.trim();
    let count = text.chars().count();
    let kept = text.chars().enumerate().filter(|(at, _)| *at < HEAD || *at + TAIL >= count);
    let kept: String = kept.map(|(_, letter)| letter).collect();
    let mut letters = vec![FIRST, ' '];
    for letter in folded(&kept).chars() {
        let blank = letters.last() == Some(&' ');
        match letter {
            '?' | ':' | '%' => {
                if !blank {
                    letters.push(' ');
                }
                letters.extend([letter, ' ']);
            }
            _ if letter.is_numeric() => letters.push('0'),
            '\'' => {}
            _ if letter.is_alphabetic() => letters.push(letter),
            _ if blank => {}
            _ => letters.push(' '),
        }
    }
    if letters.last() != Some(&' ') {
        letters.push(' ');
    }
    letters.push(LAST);
    letters
}

/// FNV-1a with a last stir: the low bits of the plain one are weak.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, letter: char) {
        self.0 = (self.0 ^ u64::from(u32::from(letter))).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn bucket(&self) -> u32 {
        let stirred = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
        u32::try_from(stirred % u64::from(BUCKETS)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        normalized(text).into_iter().collect()
    }

    #[test]
    fn spellings_that_mean_the_same_are_the_same() {
        assert_eq!(shown("  Write  the AD, please!"), "^ write the ad please $");
        assert_eq!(shown("at 14:30?"), "^ at 00 : 00 ? $");
        assert_eq!(features("I don’t know"), features("i dont know"));
    }

    #[test]
    fn long_messages_cost_no_more_than_their_ends() {
        let long = format!("write an ad {} thanks", "x ".repeat(100_000));
        assert!(normalized(&long).len() <= HEAD + TAIL + 5);
        assert!(features("").len() < 5);
    }
}
