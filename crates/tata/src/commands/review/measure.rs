//! How well the inclusion review does on sentences that people labelled. The tests of tata-recruit measure by this file, too.

use std::{collections::BTreeMap, ops::Range};
use tata_language::{book::Category, review::flagged};

use serde::Deserialize;
use tata_core::{FileError, from_yaml};
use tata_recruit::Language;

/// A sentence and what should be found in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Labelled {
    /// The sentence.
    pub(crate) text: String,
    /// What must be found; nothing in a clean sentence.
    #[serde(default)]
    pub(crate) flags: Vec<Label>,
    /// What may be found or not.
    #[serde(default)]
    pub(crate) optional: Vec<Label>,
}

/// A piece of a sentence and what is wrong with it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    /// The piece, as it stands in the sentence.
    pub(crate) text: String,
    /// What is wrong with it.
    pub(crate) category: Category,
}

/// Counts of what was found and should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Labels that were found.
    pub(crate) hits: usize,
    /// Labels that were not.
    pub(crate) missed: usize,
    /// Findings that no label speaks of.
    pub(crate) wrong: usize,
}

/// A measurement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// How many sentences there were.
    pub(crate) sentences: usize,
    /// The counts of each category.
    pub(crate) categories: BTreeMap<Category, Tally>,
    /// What went wrong, sentence by sentence: category, piece, sentence, and whether it was missed.
    pub(crate) mistakes: Vec<(Category, String, String, bool)>,
}

impl Tally {
    /// The share of findings that are right; 1 if there are none.
    pub(crate) fn precision(self) -> f64 {
        share(self.hits, self.hits + self.wrong)
    }

    /// The share of labels that were found; 1 if there are none.
    pub(crate) fn recall(self) -> f64 {
        share(self.hits, self.hits + self.missed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl Measured {
    /// All categories together.
    pub(crate) fn total(&self) -> Tally {
        self.categories.values().fold(Tally::default(), |sum, tally| Tally {
            hits: sum.hits + tally.hits,
            missed: sum.missed + tally.missed,
            wrong: sum.wrong + tally.wrong,
        })
    }
}

/// Reads labelled sentences. A label that does not stand in its sentence is a mistake.
pub(crate) fn read_labelled(path: &str, text: &str) -> Result<Vec<Labelled>, FileError> {
    let sentences: Vec<Labelled> = from_yaml(path, text)?;
    for (at, sentence) in sentences.iter().enumerate() {
        let labels = sentence.flags.iter().chain(&sentence.optional);
        if let Some(label) = labels.into_iter().find(|label| !sentence.text.contains(&label.text)) {
            let problem = format!("sentence {}: the label {:?} does not stand in it", at + 1, label.text);
            return Err(FileError { path: path.to_owned(), line: None, problem, hint: None });
        }
    }
    Ok(sentences)
}

/// Reviews every sentence and compares. A label counts as found if a finding of its category overlaps it.
pub(crate) fn measure(sentences: &[Labelled], language: Language) -> Measured {
    let mut measured = Measured { sentences: sentences.len(), ..Measured::default() };
    for sentence in sentences {
        let found = flagged(&sentence.text, language);
        let overlaps = |place: &Range<usize>, label: &Label| {
            let mut all = sentence.text.match_indices(&label.text);
            all.any(|(at, text)| at < place.end && place.start < at + text.len())
        };
        let is_of = |category: Category, place: &Range<usize>, label: &Label| {
            category == label.category && overlaps(place, label)
        };
        for label in &sentence.flags {
            let tally = measured.categories.entry(label.category).or_default();
            if found.iter().any(|(category, place)| is_of(*category, place, label)) {
                tally.hits += 1;
            } else {
                tally.missed += 1;
                measured.mistakes.push((label.category, label.text.clone(), sentence.text.clone(), true));
            }
        }
        for (category, place) in found {
            let known = sentence.flags.iter().any(|label| is_of(category, &place, label));
            if !known && !sentence.optional.iter().any(|label| overlaps(&place, label)) {
                measured.categories.entry(category).or_default().wrong += 1;
                let text = sentence.text.get(place).unwrap_or_default().to_owned();
                measured.mistakes.push((category, text, sentence.text.clone(), false));
            }
        }
    }
    measured
}
