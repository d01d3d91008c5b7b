//! What notes say and no document may: remarks in confidence, and wishes about people that the law forbids.
//!
//! A remark withholds its own sentence and, where it points back ("don't write that"), the one before. A wish is found by
//! lists of its own in all languages (`data/withheld`) and by what the inclusion review calls high, where the sentence
//! speaks of the person sought or of the group. A neutral mention ("parental leave cover") is none.

mod lines;
mod sieve;

use std::ops::Range;

use tata_phrases::{Hit, Matcher, spelled};

use crate::{
    Category, Language, Severity, TitleForm,
    book::{GROUNDS, REMARKS},
    gate::identify_words,
    review::{findings::places, reading::Reading},
};
use lines::{Sentence, sentences};
pub(crate) use sieve::{Sieve, blanked, overlaps};

/// Why a sentence is withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ground {
    /// Somebody said it in confidence.
    Confidence,
    /// It wishes for or against people on a ground that the law protects.
    Protected(Category),
}

/// A sentence that must not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Withheld {
    /// Its first character.
    pub(crate) start: usize,
    /// The character after its last, with the signs that end it.
    pub(crate) end: usize,
    /// As it stands there.
    pub(crate) text: String,
    /// Why; at least one.
    pub(crate) grounds: Vec<Ground>,
    /// Whose law is named.
    pub(crate) language: Language,
}

// The numbers of [`REMARKS`].
const CONFIDENTIAL: usize = 0;
const POINTING: usize = 1;
const WHOM: usize = 2;
const NEUTRAL: usize = 3;
const PAY: usize = 4;
/// A remark that begins within so many words of its sentence has nothing to point to but the one before.
const OPENING: usize = 2;
/// A remark alone in a line of at most so many words is a heading: what stands under it is meant.
const HEADING: usize = 7;
/// Reasons of the inclusion review that are about words, not about whom somebody wants.
const WORDING: [&str; 11] = [
    "pronoun",
    "masculine_title",
    "feminine_title",
    "generic_masculine",
    "metaphor",
    "outdated",
    "energy",
    "graduate",
    "appropriation",
    "color_metaphor",
    "availability",
];

/// The sentences of a text that must not pass, in order. The language decides where the text itself cannot be told.
pub(crate) fn find(text: &str, language: Language) -> Vec<Withheld> {
    let words = spelled(text);
    let language = identify_words(&words).map_or(language, |found| found.language);
    let reading = Reading::of(text, words, language);
    let mut search = Search::new(&reading);
    search.remarks();
    search.wishes();
    search.finish()
}

/// One text being searched.
struct Search<'a> {
    reading: &'a Reading<'a>,
    hits: Vec<Hit>,
    /// What is only mentioned.
    neutral: Vec<Hit>,
    sentences: Vec<Sentence>,
    /// Why each sentence is withheld.
    grounds: Vec<Vec<Ground>>,
}

impl<'a> Search<'a> {
    fn new(reading: &'a Reading<'a>) -> Self {
        static MATCHER: Matcher = Matcher::of(include_bytes!(concat!(env!("OUT_DIR"), "/withheld.graph")));
        let mut hits = MATCHER.all(&reading.words);
        hits.sort_unstable_by_key(|hit| (hit.first, hit.last));
        let neutral = hits.iter().filter(|hit| hit.id == NEUTRAL).copied().collect();
        let sentences = sentences(reading);
        let grounds = vec![Vec::new(); sentences.len()];
        Self { reading, hits, neutral, sentences, grounds }
    }

    fn sentence_of(&self, word: usize) -> usize {
        self.sentences.partition_point(|sentence| sentence.words.end <= word)
    }

    fn has(&self, id: usize, words: &Range<usize>) -> bool {
        let first = self.hits.partition_point(|hit| hit.first < words.start);
        let inside = self.hits.iter().skip(first).take_while(|hit| hit.first < words.end);
        inside.into_iter().any(|hit| hit.id == id)
    }

    fn withhold(&mut self, sentence: usize, ground: Ground) {
        if let Some(grounds) = self.grounds.get_mut(sentence)
            && !grounds.contains(&ground)
        {
            grounds.push(ground);
        }
    }

    /// What was said in confidence, and what such remarks point to.
    fn remarks(&mut self) {
        let remarks: Vec<Hit> =
            self.hits.iter().filter(|hit| matches!(hit.id, CONFIDENTIAL | POINTING)).copied().collect();
        let mut about_pay = false;
        for hit in remarks {
            let at = self.sentence_of(hit.first);
            let Some(sentence) = self.sentences.get(at).cloned() else { continue };
            self.withhold(at, Ground::Confidence);
            if hit.id == POINTING && hit.first - sentence.words.start <= OPENING && at > 0 {
                self.withhold(at - 1, Ground::Confidence);
            }
            if sentence.opens_list && sentence.words.len() <= HEADING {
                let under = self.sentences.iter().enumerate().skip(at + 1);
                let under = under.take_while(|(_, next)| !next.after_blank && !next.opens_list);
                let under: Vec<usize> = under.map(|(number, _)| number).collect();
                for number in under {
                    self.withhold(number, Ground::Confidence);
                }
            }
            about_pay |= self.has(PAY, &sentence.words);
        }
        if about_pay {
            self.withhold_pay();
        }
    }

    /// "Do not print the pay": wherever its figures stand.
    fn withhold_pay(&mut self) {
        let figure = |sentence: &Sentence| {
            let words = self.reading.words.get(sentence.words.clone()).unwrap_or_default();
            words.iter().any(|word| word.text.starts_with(|letter: char| letter.is_ascii_digit()))
        };
        let all = self.sentences.iter().enumerate();
        let paying = all.filter(|(_, sentence)| figure(sentence) && self.has(PAY, &sentence.words));
        let paying: Vec<usize> = paying.map(|(at, _)| at).collect();
        for at in paying {
            self.withhold(at, Ground::Confidence);
        }
    }

    /// Wishes on protected grounds.
    fn wishes(&mut self) {
        let wishes =
            self.hits.iter().filter(|hit| hit.id >= REMARKS.len() && !self.is_neutral(hit.first, hit.last));
        let wishes: Vec<(usize, Option<Category>)> =
            wishes.map(|hit| (hit.first, ground(hit.id - REMARKS.len()))).collect();
        for (word, category) in wishes {
            if let Some(category) = category {
                self.withhold(self.sentence_of(word), Ground::Protected(category));
            }
        }
        for place in places(self.reading, TitleForm::default()) {
            let family = place.category == Category::Family && place.severity >= Severity::Medium;
            let high = place.severity >= Severity::High || family;
            let protected = GROUNDS.contains(&place.category.name()) && !WORDING.contains(&place.reason);
            let first = self.reading.words.partition_point(|word| word.end <= place.start);
            let last = self.reading.words.partition_point(|word| word.start < place.end).saturating_sub(1);
            let at = self.sentence_of(first);
            let whom = self.sentences.get(at).is_some_and(|sentence| self.has(WHOM, &sentence.words));
            if high && protected && whom && !self.is_neutral(first, last) {
                self.withhold(at, Ground::Protected(place.category));
            }
        }
    }

    fn is_neutral(&self, first: usize, last: usize) -> bool {
        self.neutral.iter().any(|hit| hit.first <= last && first <= hit.last)
    }

    fn finish(self) -> Vec<Withheld> {
        let Self { reading, sentences, grounds, .. } = self;
        let withheld = sentences.into_iter().zip(grounds).filter(|(_, grounds)| !grounds.is_empty());
        withheld
            .map(|(sentence, mut grounds)| {
                grounds.sort_unstable();
                let span = reading.span(sentence.words.start, sentence.words.end.saturating_sub(1));
                Withheld {
                    start: span.start,
                    end: sentence.end.max(span.end),
                    text: reading.cut(span.start, span.end).to_owned(),
                    grounds,
                    language: reading.language,
                }
            })
            .collect()
    }
}

/// The category of a ground by its number.
fn ground(at: usize) -> Option<Category> {
    Category::find(GROUNDS.get(at)?)
}

#[cfg(test)]
mod tests;
