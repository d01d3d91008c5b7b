//! Words that readers take as typical of men or of women, as a balance of both: no single word is an error.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use tata_core::{FileError, from_yaml};

use super::reading::Reading;
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

/// Which way a text leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coding {
    /// No coded word at all.
    Empty,
    /// As many of one as of the other.
    Neutral,
    /// One to three more communal words.
    FeminineCoded,
    /// More than three.
    StronglyFeminineCoded,
    /// One to three more agentic words.
    MasculineCoded,
    /// More than three.
    StronglyMasculineCoded,
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

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Neutral => "neutral",
            Self::FeminineCoded => "feminine_coded",
            Self::StronglyFeminineCoded => "strongly_feminine_coded",
            Self::MasculineCoded => "masculine_coded",
            Self::StronglyMasculineCoded => "strongly_masculine_coded",
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

/// The published stems.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stems {
    feminine: Vec<String>,
    masculine: Vec<String>,
}

impl Stems {
    fn built_in() -> &'static Self {
        static STEMS: OnceLock<Stems> = OnceLock::new();
        // The built-in file is read by a test, so it is never wrong here.
        STEMS.get_or_init(|| Self::read().unwrap_or_default())
    }

    fn read() -> Result<Self, FileError> {
        from_yaml("data/coding/decoder.yaml", include_str!("../../data/coding/decoder.yaml"))
    }
}

/// What the published Gender Decoder says, word for word: letters beyond ASCII and most signs part words, a word with
/// a hyphen stays whole only if it is coded itself.
pub(crate) fn decoder(text: &str) -> DecoderVerdict {
    const PARTING: &str = ".\t,<>*?!\"[]@':;()/&";
    let stems = Stems::built_in();
    let begins = |stems: &[String], word: &str| stems.iter().any(|stem| word.starts_with(stem.as_str()));
    let parts = |letter: char| !letter.is_ascii() || letter.is_ascii_whitespace() || PARTING.contains(letter);
    let mut verdict = DecoderVerdict { feminine: Vec::new(), masculine: Vec::new(), verdict: Coding::Empty };
    let mut take = |word: &str| {
        let masculine = begins(&stems.masculine, word);
        let feminine = begins(&stems.feminine, word);
        verdict.masculine.extend(masculine.then(|| word.to_owned()));
        verdict.feminine.extend(feminine.then(|| word.to_owned()));
        masculine || feminine
    };
    for word in text.split(parts).filter(|word| !word.is_empty()) {
        let word = word.to_ascii_lowercase();
        if !take(&word) && word.contains('-') {
            word.split('-').for_each(|part| {
                take(part);
            });
        }
    }
    verdict.verdict = Coding::of(verdict.feminine.len(), verdict.masculine.len());
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_stems_are_all_there() {
        let stems = Stems::read().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((stems.feminine.len(), stems.masculine.len()), (50, 52));
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
