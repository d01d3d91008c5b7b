//! Words that readers take as typical of men or of women, as a balance of both: no single word is an error.

use crate::named;
use serde::{Deserialize, Serialize};

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
pub fn balance(reading: &Reading<'_>) -> Balance {
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
pub(super) fn decoder(text: &str) -> DecoderVerdict {
    let stems = Trie::of(STEMS);
    let (mut feminine, mut masculine) = (Vec::new(), Vec::new());
    let mut take = |word: &str| {
        let mut coded = 0;
        stems.beginnings(word.as_bytes(), |stem, _| coded |= stem);
        feminine.extend((coded & FEMININE != 0).then(|| word.to_owned()));
        masculine.extend((coded & MASCULINE != 0).then(|| word.to_owned()));
        coded != 0
    };
    let lower = text.to_ascii_lowercase();
    for word in lower.split(is_parting) {
        if !take(word) && word.contains('-') {
            word.split('-').for_each(|part| _ = take(part));
        }
    }
    let verdict = Coding::of(feminine.len(), masculine.len());
    DecoderVerdict { feminine, masculine, verdict }
}

fn is_parting(letter: char) -> bool {
    !letter.is_ascii()
        || letter.is_ascii_whitespace()
        || matches!(letter, '.' | ',' | '<' | '>' | '*' | '?' | '!' | '"' | '[' | ']' | '@' | '\'')
        || matches!(letter, ':' | ';' | '(' | ')' | '/' | '&')
}

#[cfg(test)]
mod tests {
    use super::*;

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
        check("self\u{AD}reliant \u{C9}agree -- lead-, _lead", &["agree"], &["lead-"], Coding::Neutral);
        check("caring, kind, loyal, warm people", &["kind", "loyal", "warm"], &[], Coding::FeminineCoded);
    }
}
