//! What an ad says twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use tata_language::review::Reading;

/// Shorter sentences may stand twice: headings, "Read more".
const SHORTEST_SENTENCE: usize = 20;
/// A phrase may be used so often.
const MOST_USES: usize = 2;
/// A phrase needs two words longer than this to be noticed: "you will be" is in every ad.
const SHORT_WORD: usize = 3;
/// The most phrases that are told.
const MOST_PHRASES: usize = 5;

/// Sentences that stand in the text before: the words of each repetition.
pub(super) fn sentences(reading: &Reading<'_>) -> Vec<Range<usize>> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut repeated = Vec::new();
    for sentence in &reading.sentences {
        let words: Vec<&str> = reading.words[sentence.clone()].iter().map(|word| &*word.text).collect();
        let text = words.join(" ");
        if text.chars().count() > SHORTEST_SENTENCE && !seen.insert(text) {
            repeated.push(sentence.clone());
        }
    }
    repeated
}

/// Phrases of three words that are used too often: the words of the last use, and how often. Most used first.
pub(super) fn phrases(reading: &Reading<'_>) -> Vec<(Range<usize>, usize)> {
    let mut uses: BTreeMap<[&str; 3], (usize, usize)> = BTreeMap::new();
    for sentence in &reading.sentences {
        for (at, words) in reading.words[sentence.clone()].windows(3).enumerate() {
            let [first, second, third] = words else { continue };
            let words = [&*first.text, &*second.text, &*third.text];
            if words.iter().filter(|word| word.chars().count() > SHORT_WORD).count() >= 2 {
                let (count, last) = uses.entry(words).or_default();
                *count += 1;
                *last = sentence.start + at;
            }
        }
    }
    let mut often: Vec<(Range<usize>, usize)> = uses
        .into_values()
        .filter(|(count, _)| *count > MOST_USES)
        .map(|(count, last)| (last..last + 3, count))
        .collect();
    often.sort_by_key(|(words, count)| (std::cmp::Reverse(*count), words.start));
    // Overlapping phrases are one longer phrase: it is told once.
    let mut told: Vec<(Range<usize>, usize)> = Vec::new();
    for (words, count) in often {
        if told.len() < MOST_PHRASES
            && !told.iter().any(|(other, _)| other.start < words.end && words.start < other.end)
        {
            told.push((words, count));
        }
    }
    told
}
