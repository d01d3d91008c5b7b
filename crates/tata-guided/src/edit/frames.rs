//! What a change wants done, learned from labelled sentences with slots (`data/frames/`): "We don't need {item}" removes.
//!
//! A message is laid beside them with its own slots filled in, and weighed by its words, two and three in a row. The words of the
//! sentences are also the ones that say nothing about what comes.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use tata_language::Language;

pub(super) use super::act::Act;
use crate::answer::pieces::{Shape, pieces};

/// A number for each act.
type Row = [f32; Act::ALL.len()];

/// What stands for content in a sentence, see the `[sets]` of `data/frames`. No word of a language is written so.
pub(super) const ITEM: &str = "xxitem";
pub(super) const NUMBER: &str = "xxnumber";
pub(super) const LIST: &str = "xxlist";
pub(super) const NEW: &str = "xxnew";

include!(concat!(env!("OUT_DIR"), "/frames.rs"));

/// The sentences of one language, counted.
pub(super) struct Frames {
    /// How often a word, or two or three in a row, stand in sentences of each act.
    counts: HashMap<String, Row>,
    sentences: Row,
    small: HashSet<String>,
}

impl Frames {
    pub(super) fn of(language: Language) -> &'static Self {
        static FRAMES: [OnceLock<Frames>; 5] = [const { OnceLock::new() }; 5];
        FRAMES[language as usize].get_or_init(|| Self::counted(SENTENCES[language as usize]))
    }

    fn counted(all: &[(Act, &[&str])]) -> Self {
        let mut counts: HashMap<String, Row> = HashMap::new();
        let mut sentences = Row::default();
        let mut small: HashSet<String> = HashSet::new();
        for (act, sentence) in all.iter().flat_map(|(act, all)| all.iter().map(|sentence| (*act, sentence))) {
            let words = words(sentence);
            sentences[act as usize] += 1.0;
            for feature in features(&words) {
                counts.entry(feature).or_default()[act as usize] += 1.0;
            }
            small.extend(words.into_iter().filter(|word| !is_slot(word)));
        }
        Self { counts, sentences, small }
    }

    /// Whether a word belongs to how changes are said, not to what comes.
    pub(super) fn is_small(&self, word: &str) -> bool {
        self.small.contains(word)
    }

    /// Whether what comes begins behind this word.
    pub(super) fn opens(&self, word: &str) -> bool {
        self.counts.contains_key(&format!("{word} {NEW}"))
    }

    /// Whether what comes ends before this word, which may end the message itself.
    pub(super) fn closes(&self, word: &str) -> bool {
        self.counts.contains_key(&format!("{NEW} {word}"))
    }

    /// Whether a message may end with this word.
    pub(super) fn ends(&self, word: &str) -> bool {
        self.counts.contains_key(&format!("{word} {END}"))
    }

    /// What a sentence may want, from 0 to 1, the likeliest first.
    pub(super) fn acts(&self, words: &[String]) -> [(Act, f32); Act::ALL.len()] {
        self.weighed(features(words).iter())
    }

    /// The same by its own words alone, whatever it is about.
    pub(super) fn acts_by_words(&self, words: &[String]) -> [(Act, f32); Act::ALL.len()] {
        let own =
            |feature: &&String| feature.split(' ').any(|word| !is_slot(word) && word != BEGIN && word != END);
        self.weighed(features(words).iter().filter(own))
    }

    fn weighed<'f>(&self, features: impl Iterator<Item = &'f String>) -> [(Act, f32); Act::ALL.len()] {
        let mut scores = self.sentences.map(f32::ln);
        for counts in features.filter_map(|feature| self.counts.get(feature)) {
            for ((score, count), all) in scores.iter_mut().zip(counts).zip(self.sentences) {
                *score += ((count + SMOOTH) / (all + 2.0 * SMOOTH)).ln();
            }
        }
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        let all: f32 = scores.iter().map(|score| (score - best).exp()).sum();
        let mut acts = Act::ALL.map(|act| (act, 0.0));
        for ((_, sure), score) in acts.iter_mut().zip(scores) {
            *sure = (score - best).exp() / all;
        }
        acts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        acts
    }
}

/// What a word that was never seen with an act counts.
const SMOOTH: f32 = 0.3;

/// Before the first word, and behind the last.
const BEGIN: &str = "^";
const END: &str = "$";

fn is_slot(word: &str) -> bool {
    [ITEM, NUMBER, LIST, NEW].contains(&word)
}

/// The words of a sentence, and the marks that say something.
pub(super) fn words(sentence: &str) -> Vec<String> {
    let telling = |text: &str| matches!(text, ":" | "?");
    let pieces = pieces(sentence).into_iter();
    pieces
        .filter(|piece| piece.shape != Shape::Mark || telling(&piece.text))
        .map(|piece| piece.text)
        .collect()
}

/// Every word, and every two and three in a row with what begins and ends the sentence; each once.
fn features(words: &[String]) -> HashSet<String> {
    let around = std::iter::once(BEGIN).chain(words.iter().map(String::as_str)).chain([END]);
    let list: Vec<&str> = around.collect();
    let runs = |length| list.windows(length).map(|run: &[&str]| run.join(" "));
    words.iter().cloned().chain(runs(2)).chain(runs(3)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_many_sentences_and_each_has_a_slot() {
        for (language, all) in Language::ALL.into_iter().zip(SENTENCES) {
            let all: Vec<&str> = all.iter().flat_map(|(_, sentences)| *sentences).copied().collect();
            assert!(all.len() >= 400, "{language:?}");
            for sentence in all {
                let slots = words(sentence).iter().filter(|word| is_slot(word)).count();
                assert!(slots > 0 && !sentence.contains(['{', '}', '\t']), "{language:?}: {sentence}");
            }
        }
    }
}
