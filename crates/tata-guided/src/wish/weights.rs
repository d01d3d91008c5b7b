//! The weights as they lie in the program: a fixed layout, checked when the program is compiled.
//!
//! `magic(8) fingerprint(8) scales(4·W) biases(4·L·W) temperature(4) margins(4·L) weights(W/2 rounded up, per bucket)`,
//! numbers little-endian, W wishes, L languages. A weight is four bits, -7 to 7, times the scale of its wish.

use tata_language::Language;

use super::{label::Wish, softmax::Row};

/// N-grams fall into so many buckets.
pub(crate) const BUCKETS: u32 = 36_864;

/// A bucket's weights, two to a byte.
pub(crate) const ROW: usize = Wish::COUNT.div_ceil(2);

const LANGUAGES: usize = Language::ALL.len();
const MAGIC: &[u8; 8] = b"wishes\x001";
const SCALES: usize = 16;
const BIASES: usize = SCALES + 4 * Wish::COUNT;
const TEMPERATURE: usize = BIASES + 4 * LANGUAGES * Wish::COUNT;
const MARGINS: usize = TEMPERATURE + 4;
const TABLE: usize = MARGINS + 4 * LANGUAGES;
const SIZE: usize = TABLE + BUCKETS as usize * ROW;

/// What was trained.
static TRAINED: &[u8; SIZE] = include_bytes!("../../data/wishes/weights.bin");

// The requirement: at most 500 KB in the program.
const _: () = assert!(SIZE <= 500_000);

/// Weights in the layout above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights<'b> {
    bytes: &'b [u8; SIZE],
}

/// What training found, before it is packed.
#[derive(Clone, Debug)]
pub(crate) struct Unpacked {
    pub(crate) fingerprint: u64,
    pub(crate) biases: [Row; LANGUAGES],
    pub(crate) temperature: f32,
    pub(crate) margins: [f32; LANGUAGES],
    /// One row for each bucket.
    pub(crate) table: Vec<Row>,
}

impl Weights<'static> {
    /// Those in the program.
    pub(crate) fn trained() -> Self {
        Self { bytes: TRAINED }
    }
}

impl<'b> Weights<'b> {
    /// Those in a file; none if it is no such file.
    pub(crate) fn new(bytes: &'b [u8]) -> Option<Self> {
        let bytes: &[u8; SIZE] = bytes.try_into().ok()?;
        bytes.starts_with(MAGIC).then_some(Self { bytes })
    }

    /// The fingerprint of the sentences it was trained on.
    pub(crate) fn fingerprint(self) -> u64 {
        let part = self.bytes.get(8..16).and_then(|part| part.first_chunk());
        part.map_or(0, |part| u64::from_le_bytes(*part))
    }

    /// The scores of a message with these features.
    pub(crate) fn scores(self, features: &[u32], language: Language) -> Row {
        let mut sums = [0_i32; Wish::COUNT];
        for bucket in features {
            let start = TABLE + *bucket as usize * ROW;
            let row = self.bytes.get(start..start + ROW).unwrap_or_default();
            let weights = row.iter().flat_map(|byte| [byte & 15, byte >> 4]);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += i32::from(weight) - 8;
            }
        }
        let share = share(features.len());
        let mut scores = [0.0; Wish::COUNT];
        for (at, (score, sum)) in scores.iter_mut().zip(sums).enumerate() {
            let bias = self.number(BIASES + 4 * (language_index(language) * Wish::COUNT + at));
            // Sums stay far below 2^24, where a float counts exactly.
            #[expect(clippy::cast_precision_loss, reason = "see above")]
            let sum = sum as f32;
            *score = (bias + sum * share * self.number(SCALES + 4 * at)) / self.temperature();
        }
        scores
    }

    /// How far the first must be ahead of the second to be certain.
    pub(crate) fn margin(self, language: Language) -> f32 {
        self.number(MARGINS + 4 * language_index(language))
    }

    fn temperature(self) -> f32 {
        self.number(TEMPERATURE).max(0.01)
    }

    fn number(self, at: usize) -> f32 {
        let part = self.bytes.get(at..at + 4).and_then(|part| part.first_chunk());
        part.map_or(0.0, |part| f32::from_le_bytes(*part))
    }
}

impl Unpacked {
    /// In the layout above.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SIZE);
        bytes.extend(MAGIC);
        bytes.extend(self.fingerprint.to_le_bytes());
        let scales = self.scales();
        bytes.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
        bytes.extend(self.biases.iter().flatten().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(self.temperature.to_le_bytes());
        bytes.extend(self.margins.iter().flat_map(|margin| margin.to_le_bytes()));
        for row in &self.table {
            let mut packed = [0x88_u8; ROW];
            for (at, (weight, scale)) in row.iter().zip(scales).enumerate() {
                let step = quantized(*weight, scale);
                if let Some(byte) = packed.get_mut(at / 2) {
                    *byte = if at % 2 == 0 { *byte & 0xf0 | step } else { *byte & 0x0f | step << 4 };
                }
            }
            bytes.extend(packed);
        }
        bytes
    }

    /// A step of each wish, so large that few weights are cut off: seven steps reach five of its mean squares.
    fn scales(&self) -> Row {
        let mut squares = [0.0_f64; Wish::COUNT];
        for row in &self.table {
            for (square, weight) in squares.iter_mut().zip(row) {
                *square += f64::from(*weight) * f64::from(*weight);
            }
        }
        let count = f64::from(BUCKETS);
        #[expect(clippy::cast_possible_truncation, reason = "a float of half the width is stored")]
        squares.map(|square| ((square / count).sqrt() * REACH / 7.0).max(1e-9) as f32)
    }
}

/// How many mean squares seven steps reach.
const REACH: f64 = 5.0;

/// The nearest of fifteen steps, stored from 1 to 15.
fn quantized(weight: f32, scale: f32) -> u8 {
    let steps = (weight / scale).clamp(-7.0, 7.0);
    (1..=15_u8)
        .min_by(|a, b| {
            let far = |step: u8| (f32::from(step) - 8.0 - steps).abs();
            far(*a).total_cmp(&far(*b))
        })
        .unwrap_or(8)
}

/// What one feature of so many counts, so that long messages do not shout.
pub(crate) fn share(features: usize) -> f32 {
    let count = u16::try_from(features.max(1)).unwrap_or(u16::MAX);
    1.0 / f32::from(count).sqrt()
}

pub(crate) fn language_index(language: Language) -> usize {
    Language::ALL.iter().position(|known| *known == language).unwrap_or_default()
}
