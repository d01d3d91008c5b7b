//! How well the inclusion review does on sentences that people labelled.

use std::collections::BTreeMap;

use serde::Deserialize;
use tata_core::{FileError, from_yaml};

use super::{
    findings::{Place, places},
    reading::Reading,
    titles::TitleForm,
};
use crate::{Category, Language};

/// A sentence and what should be found in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labelled {
    /// The sentence.
    pub text: String,
    /// What must be found; nothing in a clean sentence.
    #[serde(default)]
    pub flags: Vec<Label>,
    /// What may be found or not.
    #[serde(default)]
    pub optional: Vec<Label>,
}

/// A piece of a sentence and what is wrong with it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The piece, as it stands in the sentence.
    pub text: String,
    /// What is wrong with it.
    pub category: Category,
}

/// Counts of what was found and should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Labels that were found.
    pub hits: usize,
    /// Labels that were not.
    pub missed: usize,
    /// Findings that no label speaks of.
    pub wrong: usize,
}

/// A measurement.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// How many sentences there were.
    pub sentences: usize,
    /// The counts of each category.
    pub categories: BTreeMap<Category, Tally>,
    /// What went wrong, sentence by sentence: category, piece, sentence, and whether it was missed.
    pub mistakes: Vec<(Category, String, String, bool)>,
}

impl Tally {
    /// The share of findings that are right; 1 if there are none.
    pub fn precision(self) -> f64 {
        share(self.hits, self.hits + self.wrong)
    }

    /// The share of labels that were found; 1 if there are none.
    pub fn recall(self) -> f64 {
        share(self.hits, self.hits + self.missed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl Measured {
    /// All categories together.
    pub fn total(&self) -> Tally {
        self.categories.values().fold(Tally::default(), |sum, tally| Tally {
            hits: sum.hits + tally.hits,
            missed: sum.missed + tally.missed,
            wrong: sum.wrong + tally.wrong,
        })
    }
}

/// Reads labelled sentences. A label that does not stand in its sentence is a mistake.
pub fn read_labelled(path: &str, text: &str) -> Result<Vec<Labelled>, FileError> {
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
pub fn measure(sentences: &[Labelled], language: Language) -> Measured {
    let mut measured = Measured { sentences: sentences.len(), ..Measured::default() };
    for sentence in sentences {
        let reading = Reading::new(&sentence.text, language);
        let places = places(&reading, TitleForm::default());
        for label in &sentence.flags {
            let found = places
                .iter()
                .any(|place| place.category == label.category && overlaps(place, &reading, label));
            let tally = measured.categories.entry(label.category).or_default();
            if found {
                tally.hits += 1;
            } else {
                tally.missed += 1;
                measured.mistakes.push((label.category, label.text.clone(), sentence.text.clone(), true));
            }
        }
        for place in &places {
            let known = |label: &&Label| place.category == label.category && overlaps(place, &reading, label);
            let allowed = sentence.optional.iter().any(|label| overlaps(place, &reading, label));
            if sentence.flags.iter().find(known).is_none() && !allowed {
                measured.categories.entry(place.category).or_default().wrong += 1;
                let text = reading.cut(place.start, place.end).to_owned();
                measured.mistakes.push((place.category, text, sentence.text.clone(), false));
            }
        }
    }
    measured
}

fn overlaps(place: &Place, reading: &Reading<'_>, label: &Label) -> bool {
    let (start, end) = (reading.byte(place.start), reading.byte(place.end));
    reading.text.match_indices(&label.text).any(|(at, text)| at < end && start < at + text.len())
}
