//! Words that readers take as typical of men or of women, as a balance of both: no single word is an error.

use serde::{Deserialize, Serialize};
use tata_language::named;

use super::reading::Reading;
use tata_phrases::Trie;

use crate::{Language, book::Sign};

/// How a text is coded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balance {
    /// Words more typical of men, as they stand.
    pub agentic: Vec<CodedWord>,
    /// Words more typical of women.
    pub communal: Vec<CodedWord>,
    /// Which way it leans.
    pub verdict: Coding,
    /// The same question by the published word lists; English only.
    pub gender_decoder: Option<DecoderVerdict>,
}

/// A word and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodedWord {
    /// As it is written.
    pub text: String,
    /// The first character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
}

/// What the Gender Decoder says about a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecoderVerdict {
    /// Words that begin with a feminine stem.
    pub feminine: Vec<String>,
    /// Words that begin with a masculine stem.
    pub masculine: Vec<String>,
    /// Its verdict.
    pub verdict: Coding,
}

named! {
    /// Which way a text leans.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Coding {
        /// No coded word at all.
        Empty = "empty",
        /// As many of one as of the other.
        Neutral = "neutral",
        /// One to three more communal words.
        FeminineCoded = "feminine_coded",
        /// More than three.
        StronglyFeminineCoded = "strongly_feminine_coded",
        /// One to three more agentic words.
        MasculineCoded = "masculine_coded",
        /// More than three.
        StronglyMasculineCoded = "strongly_masculine_coded",
    }
}

impl Coding {
    /// By how many words of each sort there are.
    fn of(feminine: usize, masculine: usize) -> Self {
        match (feminine, masculine) {
            (0, 0) => Self::Empty,
            (more, less) if more > less + 3 => Self::StronglyFeminineCoded,
            (more, less) if more > less => Self::FeminineCoded,
            (less, more) if more > less + 3 => Self::StronglyMasculineCoded,
            (less, more) if more > less => Self::MasculineCoded,
            _ => Self::Neutral,
        }
    }
}

/// The balance of a text.
pub(crate) fn balance(reading: &Reading<'_>) -> Balance {
    let words = |wanted: Sign| {
        let mut words: Vec<CodedWord> = Vec::new();
        for hit in reading.signs(|sign| sign == wanted) {
            let span = reading.span(hit.first, hit.last);
            // Of overlapping phrases the first: they come in order.
            if words.last().is_none_or(|last| last.end <= span.start) {
                let text = reading.cut(span.start, span.end).to_owned();
                words.push(CodedWord { text, start: span.start, end: span.end });
            }
        }
        words
    };
    let (agentic, communal) = (words(Sign::Agentic), words(Sign::Communal));
    let verdict = Coding::of(communal.len(), agentic.len());
    let gender_decoder = (reading.language == Language::En).then(|| decoder(reading.text));
    Balance { agentic, communal, verdict, gender_decoder }
}

/// The published stems by their letters, as `build.rs` made them of `data/coding/decoder.txt`.
static STEMS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/decoder.trie"));
/// What a stem is, as bits.
const FEMININE: u32 = 1;
const MASCULINE: u32 = 2;

/// What the published Gender Decoder says, word for word: letters beyond ASCII and most signs part words, a word with
/// a hyphen stays whole only if it is coded itself.
pub(crate) fn decoder(text: &str) -> DecoderVerdict {
    let bytes = text.as_bytes();
    let stems = Trie::of(STEMS);
    // Most words do not begin with the first two letters of any stem.
    let may_be_coded = |at: usize| {
        let Some([first, second, ..]) = bytes.get(at..) else { return false };
        stems.may_begin(first.to_ascii_lowercase(), second.to_ascii_lowercase())
    };
    let coded = |letters: &[u8]| {
        let mut coded = 0;
        stems.beginnings(letters.iter().map(u8::to_ascii_lowercase), |stem, _| coded |= stem);
        coded
    };
    let mut verdict = DecoderVerdict { feminine: Vec::new(), masculine: Vec::new(), verdict: Coding::Empty };
    let mut take = |word: &[u8]| {
        let coded = coded(word);
        let written = || String::from_utf8_lossy(word).into_owned();
        verdict.masculine.extend((coded & MASCULINE != 0).then(written));
        verdict.feminine.extend((coded & FEMININE != 0).then(written));
        coded != 0
    };
    let until = |from: usize, wanted: fn(Kind) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().position(|byte| wanted(KINDS[usize::from(*byte)])).map_or(bytes.len(), |more| from + more)
    };
    let (mut at, mut word) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match KINDS[usize::from(*byte)] {
            Kind::Parting => (at, word) = (at + 1, at + 1),
            Kind::Hyphen => at += 1,
            Kind::Letter if may_be_coded(at) && coded(bytes.get(at..).unwrap_or_default()) != 0 => {
                at = until(at, |kind| kind == Kind::Parting);
                let lower = bytes.get(word..at).unwrap_or_default().to_ascii_lowercase();
                if !take(&lower) && lower.contains(&b'-') {
                    lower.split(|byte| *byte == b'-').for_each(|part| {
                        take(part);
                    });
                }
            }
            Kind::Letter => at = until(at, |kind| kind != Kind::Letter),
        }
    }
    verdict.verdict = Coding::of(verdict.feminine.len(), verdict.masculine.len());
    verdict
}

/// What a byte is in a word of the decoder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Hyphen,
    Parting,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Parting; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        if byte == b'-' {
            kinds[byte as usize] = Kind::Hyphen;
        } else if !is_parting(byte) {
            kinds[byte as usize] = Kind::Letter;
        }
        byte += 1;
    }
    kinds
};

const fn is_parting(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'.' | b',' | b'<' | b'>' | b'*' | b'?' | b'!' | b'"' | b'[' | b']' | b'@' | b'\'')
        || matches!(byte, b':' | b';' | b'(' | b')' | b'/' | b'&')
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// The words of the published decoder, one after the other.
        #[test]
        fn no_word_is_passed_over(pieces in proptest::collection::vec((0..14_usize, 0..9_usize), 0..40)) {
            const WORDS: [&str; 14] = [
                "lead", "Support", "the", "self", "reliant", "SELF-CONFIDENT", "co-operate", "é", "x", "Éagree", "kind",
                "inter", "personal", "_lead",
            ];
            let gaps = [" ", ", ", "-", "", "'", "/", "\u{AD}", "- ", "--"];
            let text: String = pieces.iter().flat_map(|(word, gap)| [WORDS[*word], gaps[*gap]]).collect();
            let stems = Trie::of(STEMS);
            let mut expected = (Vec::new(), Vec::new());
            let mut take = |word: &str| {
                let mut coded = 0;
                stems.beginnings(word.bytes(), |stem, _| coded |= stem);
                expected.0.extend((coded & FEMININE != 0).then(|| word.to_owned()));
                expected.1.extend((coded & MASCULINE != 0).then(|| word.to_owned()));
                coded != 0
            };
            let lower = text.to_ascii_lowercase();
            for word in lower.split(|letter: char| !letter.is_ascii() || is_parting(letter as u8)) {
                if !take(word) {
                    word.split('-').filter(|_| word.contains('-')).for_each(|part| { take(part); });
                }
            }
            let found = decoder(&text);
            proptest::prop_assert_eq!((found.feminine, found.masculine), expected, "{}", text);
        }
    }

    #[test]
    fn the_decoder_counts_prefixes_and_the_difference() {
        let check = |text: &str, feminine: &[&str], masculine: &[&str], verdict: Coding| {
            let found = decoder(text);
            assert_eq!(found.feminine, feminine, "{text}");
            assert_eq!(found.masculine, masculine, "{text}");
            assert_eq!(found.verdict, verdict, "{text}");
        };
        check("We write good code.", &[], &[], Coding::Empty);
        check("You lead and support.", &["support"], &["lead"], Coding::Neutral);
        check(
            "Competitive, driven by challenge",
            &[],
            &["competitive", "driven", "challenge"],
            Coding::MasculineCoded,
        );
        check(
            "ambitious, analytical, decisive and dominant leader",
            &[],
            &["ambitious", "analytical", "decisive", "dominant", "leader"],
            Coding::StronglyMasculineCoded,
        );
        check("a self-reliant, well-supported colleague", &["supported"], &["self-reliant"], Coding::Neutral);
        check("caring, kind, loyal, warm people", &["kind", "loyal", "warm"], &[], Coding::FeminineCoded);
    }
}
