//! Which of the five languages a text is in, by its most frequent words and by typical groups of letters.
//!
//! A word counts the more, the fewer languages have it. Between two languages only what they do not share decides:
//! Danish and Norwegian share most words, so a single "av" may settle it, while a text that is half Swedish and half
//! English settles nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use aho_corasick::AhoCorasick;
use serde::Deserialize;
use tata_core::{FileError, from_yaml};

use crate::{Language, phrases::spelled};

/// A guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identified {
    /// The language.
    pub language: Language,
    /// How sure: 0 to 1.
    pub confidence: f32,
}

/// The fewest words that can be told.
const FEWEST_WORDS: usize = 4;
/// The share of frequent words that any text in one of the languages has.
const FREQUENT_SHARE: f32 = 0.2;
/// How clearly the language must lead each other one, of what the two do not share.
const LEAD: f32 = 0.5;
/// How much of a word's weight is enough to be sure.
const ENOUGH: f32 = 6.0;
/// The weight of a word, by the number of languages that have it.
const WORD_WEIGHTS: [f32; 6] = [0.0, 3.0, 1.5, 0.8, 0.4, 0.0];
/// The weight of a group of letters.
const PART_WEIGHTS: [f32; 6] = [0.0, 1.0, 0.6, 0.3, 0.1, 0.0];

/// Which language a text is in; nothing when it is too short or too mixed to tell, or in none of the five.
pub fn identify(text: &str) -> Option<Identified> {
    identify_words(spelled(text).iter().map(|word| word.text.as_str()))
}

/// The same for words that are already spelled.
pub(super) fn identify_words<'a>(words: impl Iterator<Item = &'a str>) -> Option<Identified> {
    let knowledge = Knowledge::get();
    let (folded, words) = joined(words);
    if words < FEWEST_WORDS {
        return None;
    }
    // What speaks for each set of languages, as bits.
    let mut evidence = [0.0_f32; 32];
    let mut frequent = [0_usize; 32];
    for found in knowledge.automaton.as_ref()?.find_overlapping_iter(&folded) {
        let Some(sign) = knowledge.signs.get(found.pattern().as_usize()) else { continue };
        let at = usize::from(sign.languages);
        evidence[at] += sign.weight;
        frequent[at] += usize::from(sign.word);
    }
    let total = |wanted: u8, unwanted: u8| -> f32 {
        let counts = |set: usize| set & usize::from(wanted) != 0 && set & usize::from(unwanted) == 0;
        (0..32).filter(|set| counts(*set)).map(|set| evidence[set]).sum()
    };
    let best = Language::ALL
        .into_iter()
        .max_by(|one, other| total(bit(*one), 0).total_cmp(&total(bit(*other), 0)))?;
    let hits: usize = (0..32).filter(|set| set & usize::from(bit(best)) != 0).map(|set| frequent[set]).sum();
    if hits < 2 || portion(hits, words) < FREQUENT_SHARE {
        return None;
    }
    let mut confidence = 1.0_f32;
    for other in Language::ALL.into_iter().filter(|other| *other != best) {
        let (for_it, against) = (total(bit(best), bit(other)), total(bit(other), bit(best)));
        let lead = (for_it - against) / (for_it + against).max(f32::EPSILON);
        if lead < LEAD || for_it < 0.5 {
            return None;
        }
        confidence = confidence.min(lead * (for_it / ENOUGH).min(1.0));
    }
    Some(Identified { language: best, confidence })
}

/// What speaks for each of the languages, in their order; for texts that are too short to be told.
pub(crate) fn language_evidence<'a>(words: impl Iterator<Item = &'a str>) -> [f32; 5] {
    let knowledge = Knowledge::get();
    let (folded, _) = joined(words);
    let mut evidence = [0.0_f32; 5];
    let found = knowledge.automaton.iter().flat_map(|automaton| automaton.find_overlapping_iter(&folded));
    for sign in found.filter_map(|found| knowledge.signs.get(found.pattern().as_usize())) {
        for (language, value) in Language::ALL.into_iter().zip(&mut evidence) {
            if sign.languages & bit(language) != 0 {
                *value += sign.weight;
            }
        }
    }
    evidence
}

/// Whether a word is one of the most frequent of a language.
pub(crate) fn is_frequent(word: &str) -> bool {
    Knowledge::get().frequent.contains(word)
}

/// English words that have no place in a text of this language.
pub(super) fn is_leftover(word: &str, language: Language) -> bool {
    Knowledge::get().leftovers.get(&language).is_some_and(|words| words.contains(word))
}

/// English expressions that are at home in the other languages, one per line.
pub(super) fn borrowed() -> &'static [String] {
    &Knowledge::get().borrowed
}

struct Knowledge {
    automaton: Option<AhoCorasick>,
    signs: Vec<Sign>,
    frequent: BTreeSet<String>,
    leftovers: BTreeMap<Language, BTreeSet<String>>,
    borrowed: Vec<String>,
}

/// Something that speaks for some languages.
struct Sign {
    languages: u8,
    weight: f32,
    word: bool,
}

/// A file of frequent words as people write it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordFile {
    #[serde(rename = "words")]
    frequent: String,
    parts: String,
    /// English only.
    #[serde(default)]
    telling: String,
    borrowed: String,
}

const FILES: [&str; 5] = [
    include_str!("../../data/words/en.yaml"),
    include_str!("../../data/words/sv.yaml"),
    include_str!("../../data/words/da.yaml"),
    include_str!("../../data/words/no.yaml"),
    include_str!("../../data/words/de.yaml"),
];

impl Knowledge {
    fn get() -> &'static Self {
        static KNOWLEDGE: OnceLock<Knowledge> = OnceLock::new();
        // The built-in files are read by a test, so none of them is ever wrong here.
        KNOWLEDGE.get_or_init(|| Self::of(&Self::read().unwrap_or_default()))
    }

    fn read() -> Result<Vec<(Language, WordFile)>, FileError> {
        let read = |(language, text): (Language, &str)| {
            Ok((language, from_yaml(&format!("data/words/{}.yaml", language.code()), text)?))
        };
        Language::ALL.into_iter().zip(FILES).map(read).collect()
    }

    fn of(files: &[(Language, WordFile)]) -> Self {
        let mut signs: BTreeMap<String, (u8, bool)> = BTreeMap::new();
        for (language, words) in files {
            for word in words.frequent.split_whitespace() {
                signs.entry(format!(" {word} ")).or_insert((0, true)).0 |= bit(*language);
            }
            for part in words.parts.split_whitespace() {
                let pattern = match (part.strip_prefix('-'), part.strip_suffix('-')) {
                    (Some(ending), _) => format!("{ending} "),
                    (None, Some(beginning)) => format!(" {beginning}"),
                    (None, None) => part.to_owned(),
                };
                signs.entry(pattern).or_insert((0, false)).0 |= bit(*language);
            }
        }
        let weigh = |(languages, word): (u8, bool)| {
            let weights = if word { WORD_WEIGHTS } else { PART_WEIGHTS };
            Sign { languages, weight: weights[languages.count_ones() as usize % 6], word }
        };
        let (patterns, signs): (Vec<String>, Vec<Sign>) =
            signs.into_iter().map(|(pattern, sign)| (pattern, weigh(sign))).unzip();
        let english = files.iter().find(|(language, _)| *language == Language::En);
        let (telling, expressions) =
            english.map_or(("", ""), |(_, words)| (words.telling.as_str(), words.borrowed.as_str()));
        let leftovers =
            files.iter().filter(|(language, _)| *language != Language::En).map(|(language, words)| {
                let own = |word: &&str| {
                    words
                        .frequent
                        .split_whitespace()
                        .chain(words.borrowed.split_whitespace())
                        .all(|own| own != *word)
                };
                (*language, telling.split_whitespace().filter(own).map(str::to_owned).collect())
            });
        Self {
            // Only an automaton of millions of states could fail; nothing is identified then.
            automaton: AhoCorasick::new(&patterns).ok(),
            signs,
            frequent: files
                .iter()
                .flat_map(|(_, words)| words.frequent.split_whitespace())
                .map(str::to_owned)
                .collect(),
            leftovers: leftovers.collect(),
            borrowed: expressions
                .lines()
                .map(|line| line.trim().to_owned())
                .filter(|line| !line.is_empty())
                .collect(),
        }
    }
}

fn bit(language: Language) -> u8 {
    1 << (language as u8)
}

/// The words with one blank around each, and how many there are.
fn joined<'a>(words: impl Iterator<Item = &'a str>) -> (String, usize) {
    let (mut folded, mut count) = (String::from(" "), 0);
    // Numbers are in no language.
    for word in words.filter(|word| word.chars().any(char::is_alphabetic)) {
        folded.push_str(word);
        folded.push(' ');
        count += 1;
    }
    (folded, count)
}

#[expect(clippy::cast_precision_loss, reason = "shares of words need no more than 24 bits")]
fn portion(part: usize, whole: usize) -> f32 {
    part as f32 / whole.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_files_can_be_read_and_are_rich() {
        for (language, words) in Knowledge::read().unwrap_or_else(|error| panic!("{error}")) {
            let count = words.frequent.split_whitespace().count();
            assert!((150..=300).contains(&count), "{language:?}: {count}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        let check = |text: &str| assert_eq!(identify(text), None, "{text:?}");
        check("");
        check("GlobalConnect");
        check("Teams, Kubernetes, BGP, MPLS, Docker, Python");
        check("12 345 67 89 2026 10 11 12");
        check("Vi ses!");
        check(
            "Nous cherchons une personne qui aime travailler avec notre équipe et nos clients dans toute la France.",
        );
        check("Etsimme kokenutta asiantuntijaa, joka haluaa kehittää verkkojamme yhdessä meidän kanssamme.");
        check("Szukamy osoby, która chce razem z nami budować sieci światłowodowe w całej Polsce.");
        check("The network is large and you will like it. Nätet är stort och du kommer att tycka om det.");
    }
}
