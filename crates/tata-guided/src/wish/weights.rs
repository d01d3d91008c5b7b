//! The weights as they lie in the program.
//!
//! `magic(8) fingerprint(8) scales(4·W) biases(4·L·W) temperature(4) margins(4·L) steps`, numbers little-endian, W wishes, L
//! languages. A weight is a step from -7 to 7 times the scale of its wish. Bucket by bucket and wish by wish, a step is so many
//! ones as its place in [`STEPS`], then a nought, from the lowest bit of each byte on: most steps take one bit or two.

use std::sync::LazyLock;

use tata_language::Language;

use super::{label::Wish, softmax::Row};

/// N-grams fall into so many buckets.
pub const BUCKETS: u32 = 36_864;

/// How a file of weights begins.
pub const MAGIC: [u8; 8] = *b"wishes\x002";

/// The steps, the most frequent first.
pub const STEPS: [i8; 15] = [0, -1, 1, -2, 2, -3, 3, -4, -5, 4, -6, -7, 5, 6, 7];

const LANGUAGES: usize = Language::ALL.len();

/// What was trained.
static FILE: &[u8] = include_bytes!("../../data/wishes.bin");

const _: () = assert!(FILE.len() <= 350_000);

/// What training found.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// Of the sentences it was trained on.
    pub fingerprint: u64,
    /// What a step of each wish counts.
    pub scales: Row,
    /// What each wish has ahead in each language.
    pub biases: [Row; LANGUAGES],
    /// Scores are divided by it.
    pub temperature: f32,
    /// How far the first must be ahead of the second to be certain, in each language.
    pub margins: [f32; LANGUAGES],
    /// The steps of each wish, bucket by bucket.
    pub steps: Vec<i8>,
}

impl Weights {
    /// Those in the program, read at first use.
    pub fn trained() -> &'static Self {
        static TRAINED: LazyLock<Weights> = LazyLock::new(|| Weights::read(FILE).unwrap_or_default());
        &TRAINED
    }

    /// Those in a file; none if it is no such file.
    fn read(file: &[u8]) -> Option<Self> {
        let (fingerprint, mut rest) = file.strip_prefix(&MAGIC)?.split_first_chunk()?;
        let mut weights = Self { fingerprint: u64::from_le_bytes(*fingerprint), ..Self::default() };
        let numbers = weights.scales.iter_mut().chain(weights.biases.iter_mut().flatten());
        for number in numbers.chain([&mut weights.temperature]).chain(&mut weights.margins) {
            let (bytes, behind) = rest.split_first_chunk()?;
            *number = f32::from_le_bytes(*bytes);
            rest = behind;
        }
        let mut ones = 0;
        for bit in rest.iter().flat_map(|byte| (0..8).map(move |at| byte >> at & 1)) {
            if bit == 1 {
                ones += 1;
            } else {
                weights.steps.push(*STEPS.get(ones)?);
                ones = 0;
            }
        }
        // The last byte may have noughts left over.
        let count = BUCKETS as usize * Wish::COUNT;
        weights.steps.truncate(count);
        (weights.steps.len() == count).then_some(weights)
    }

    /// The scores of a message with these features.
    pub fn scores(&self, features: &[u32], language: Language) -> Row {
        let mut sums = [0_i32; Wish::COUNT];
        for bucket in features {
            let start = *bucket as usize * Wish::COUNT;
            let steps = self.steps.get(start..start + Wish::COUNT).unwrap_or_default();
            for (sum, step) in sums.iter_mut().zip(steps) {
                *sum += i32::from(*step);
            }
        }
        let share = share(features.len());
        let mut scores = self.biases[language as usize];
        for ((score, sum), scale) in scores.iter_mut().zip(sums).zip(self.scales) {
            // Sums stay far below 2^24, where a float counts exactly.
            #[expect(clippy::cast_precision_loss, reason = "see above")]
            let sum = sum as f32;
            *score = (*score + sum * share * scale) / self.temperature.max(0.01);
        }
        scores
    }
}

/// What one feature of so many counts, so that long messages do not shout.
pub fn share(features: usize) -> f32 {
    let count = u16::try_from(features.max(1)).unwrap_or(u16::MAX);
    1.0 / f32::from(count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_program_is_whole_and_others_are_refused() {
        assert!(Weights::read(FILE).is_some());
        assert!(Weights::read(&FILE[1..]).is_none());
        assert!(Weights::read(&FILE[..FILE.len() - 1]).is_none());
        let unknown_step = [&FILE[..FILE.len() - 2], &[0xff; 2]].concat();
        assert!(Weights::read(&unknown_step).is_none());
    }
}
