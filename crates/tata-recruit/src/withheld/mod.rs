//! What notes say and no document may: remarks in confidence, and wishes about people that the law forbids.
//!
//! A remark withholds its own sentence and, where it points back ("don't write that"), the one before; in a point of a
//! list, behind an arrow or in capitals it takes its whole line. A wish is found by
//! lists of its own in all languages (`data/withheld`) and by what the inclusion review calls high, where the sentence
//! speaks of the person sought or of the group. A neutral mention ("parental leave cover") is none.

mod lines;
mod order;
mod sieve;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use tata_language::{
    book::{Category, Severity},
    identify::identify_words,
    review::{Reading, TitleForm, places},
};

use tata_phrases::{Hit, Matcher, spelled};

use crate::{Language, lists::WITHHELD_WORDING};
use lines::{Sentence, sentences};
pub(crate) use order::GROUNDS;
use order::REMARKS;
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
    /// The language of the text it stands in.
    pub(crate) language: Language,
}

impl Withheld {
    /// What of it the law protects.
    fn categories(&self) -> Vec<Category> {
        let category = |ground: &Ground| match ground {
            Ground::Confidence => None,
            Ground::Protected(category) => Some(*category),
        };
        self.grounds.iter().filter_map(category).collect()
    }
}

// The numbers of [`REMARKS`].
const CONFIDENTIAL: usize = 0;
const POINTING: usize = 1;
const WHOM: usize = 2;
const NEUTRAL: usize = 3;
const PAY: usize = 4;
const MARK: usize = 5;
/// A line with more words is a paragraph: a mark takes its own sentence of it.
const LONGEST_LINE: usize = 40;
/// A remark that begins within so many words of its sentence has nothing to point to but the one before.
const OPENING: usize = 2;
/// Capitals of fewer letters may be an abbreviation.
const SHOUTED: usize = 4;
/// A remark alone in a line of at most so many words is a heading: what stands under it is meant.
const HEADING: usize = 7;

/// The sentences of a text that must not pass, in order. The language decides where the text itself cannot be told.
pub(crate) fn find(text: &str, language: Language) -> Vec<Withheld> {
    let words = spelled(text);
    let language = identify_words(&words).map_or(language, |found| found.language);
    let reading = Reading::of(text, words, language);
    let search = Search::new(&reading);
    let mut grounds: BTreeMap<usize, BTreeSet<Ground>> = BTreeMap::new();
    let confided = search.confided().into_iter().map(|at| (at, Ground::Confidence));
    let wishes = search.wishes().into_iter().map(|(at, category)| (at, Ground::Protected(category)));
    for (at, ground) in confided.chain(wishes) {
        grounds.entry(at).or_default().insert(ground);
    }
    let withheld = grounds.into_iter().filter_map(|(at, grounds)| {
        let sentence = search.sentences.get(at)?;
        let span = reading.span(sentence.words.start, sentence.words.end.saturating_sub(1));
        Some(Withheld {
            start: span.start,
            end: sentence.end.max(span.end),
            text: closed(reading.cut(span.start, span.end), reading.cut(span.end, sentence.end)),
            grounds: grounds.into_iter().collect(),
            language: reading.language,
        })
    });
    withheld.collect()
}

/// The marks that quotations begin or end with.
const QUOTATION_MARKS: [char; 6] = ['"', '“', '”', '„', '«', '»'];

/// A sentence with the mark that ends its quotation; no other sign behind its last word is part of it.
fn closed(sentence: &str, behind: &str) -> String {
    let is_open = sentence.matches(QUOTATION_MARKS).count() % 2 == 1;
    let signs = behind.split_whitespace().next().unwrap_or_default();
    let mark = signs.find(QUOTATION_MARKS).filter(|_| is_open);
    let end = mark.and_then(|at| Some(at + signs.get(at..)?.chars().next()?.len_utf8()));
    format!("{sentence}{}", end.and_then(|end| signs.get(..end)).unwrap_or_default())
}

/// One text being searched.
struct Search<'a> {
    reading: &'a Reading<'a>,
    hits: Vec<Hit>,
    /// What is only mentioned.
    neutral: Vec<Hit>,
    sentences: Vec<Sentence>,
}

impl<'a> Search<'a> {
    fn new(reading: &'a Reading<'a>) -> Self {
        static MATCHER: Matcher = Matcher::of(include_bytes!(concat!(env!("OUT_DIR"), "/withheld.graph")));
        let mut hits = MATCHER.all(&reading.words);
        hits.sort_unstable_by_key(|hit| (hit.first, hit.last));
        let neutral = hits.iter().filter(|hit| hit.id == NEUTRAL).copied().collect();
        Self { reading, hits, neutral, sentences: sentences(reading) }
    }

    fn sentence_of(&self, word: usize) -> usize {
        self.sentences.partition_point(|sentence| sentence.words.end <= word)
    }

    fn has(&self, id: usize, words: &Range<usize>) -> bool {
        let first = self.hits.partition_point(|hit| hit.first < words.start);
        let mut inside = self.hits.iter().skip(first).take_while(|hit| hit.first < words.end);
        inside.any(|hit| hit.id == id)
    }

    /// What was said in confidence, and what such remarks point to: the numbers of the sentences.
    fn confided(&self) -> Vec<usize> {
        let mut confided = Vec::new();
        let mut about_pay = false;
        for hit in self.hits.iter().filter(|hit| matches!(hit.id, CONFIDENTIAL | POINTING | MARK)) {
            let at = self.sentence_of(hit.first);
            let Some(sentence) = self.sentences.get(at) else { continue };
            let line = self.line_of(hit);
            let marked = self.is_set_off(hit);
            if hit.id == MARK && !marked && hit.last + 1 != line.end {
                continue;
            }
            confided.push(at);
            // "This stays between us: we lost two" speaks of what follows, and of nothing before it.
            let announces = hit.id != MARK && self.between(hit.last).is_some_and(|text| text.contains(':'));
            if line.len() <= LONGEST_LINE && (marked || hit.id == MARK || self.is_point(&line)) {
                let last = self.sentence_of(line.end.saturating_sub(1));
                let first = if announces { at } else { self.sentence_of(line.start) };
                confided.extend(first..=last);
            }
            let opens = hit.first - sentence.words.start <= OPENING;
            if hit.id == POINTING && opens && at > 0 && !announces {
                confided.push(at - 1);
            }
            if sentence.opens_list && sentence.words.len() <= HEADING {
                let under = self.sentences.iter().skip(at + 1);
                let under = under.take_while(|next| !next.after_blank && !next.opens_list).count();
                confided.extend(at + 1..=at + under);
            }
            // With figures of its own it is about them, and about no others.
            about_pay |= self.has(PAY, &sentence.words) && !self.has_figures(&sentence.words);
        }
        // "Do not print the pay": wherever its figures stand.
        let pays = |sentence: &Sentence| self.has_figures(&sentence.words) && self.has(PAY, &sentence.words);
        let paying = self.sentences.iter().enumerate().filter(|(_, sentence)| about_pay && pays(sentence));
        confided.extend(paying.map(|(at, _)| at));
        confided
    }

    fn has_figures(&self, words: &Range<usize>) -> bool {
        let words = self.reading.words.get(words.clone()).unwrap_or_default();
        words.iter().any(|word| word.text.starts_with(|letter: char| letter.is_ascii_digit()))
    }

    /// The words of the line that a remark stands in.
    fn line_of(&self, hit: &Hit) -> Range<usize> {
        let words = &self.reading.words;
        let ends = |at: usize| self.between(at).is_none_or(|text| text.contains(['\n', '\u{2028}']));
        let first = (0..=hit.first).rev().find(|at| *at == 0 || ends(at - 1)).unwrap_or_default();
        let last = (hit.last..words.len()).find(|at| ends(*at)).unwrap_or(hit.last);
        first..last + 1
    }

    /// What stands between a word and the next one; nothing behind the last.
    fn between(&self, at: usize) -> Option<&str> {
        let (word, next) = (self.reading.words.get(at)?, self.reading.words.get(at + 1)?);
        Some(self.reading.cut(word.end, next.start))
    }

    /// Whether a remark is in capitals, or stands behind an arrow or a dash.
    fn is_set_off(&self, hit: &Hit) -> bool {
        let span = self.reading.span(hit.first, hit.last);
        let written = self.reading.cut(span.start, span.end);
        let capital = |word: &str| word.chars().count() > 2 && word.chars().all(char::is_uppercase);
        let before = hit.first.checked_sub(1).and_then(|before| self.between(before)).unwrap_or_default();
        let pointed = ["->", "=>", "→", " – ", " — ", " - "].iter().any(|mark| before.contains(mark));
        // "EJ UT": short words, all of them in capitals.
        let letters = written.chars().filter(|letter| letter.is_alphabetic()).count();
        let shouted = letters >= SHOUTED && !written.chars().any(char::is_lowercase);
        pointed || shouted || written.split_whitespace().any(capital)
    }

    /// Whether a line is a point of a list.
    fn is_point(&self, line: &Range<usize>) -> bool {
        let before = line.start.checked_sub(1).and_then(|before| self.between(before));
        let first = self.reading.words.first().map_or(0, |word| word.start);
        let before = before.unwrap_or_else(|| self.reading.cut(0, first));
        let bullet = before.rsplit(['\n', '\u{2028}']).next().unwrap_or_default();
        bullet.trim_start().starts_with(['-', '*', '•', '–', '·', '>'])
    }

    /// Wishes on protected grounds: the numbers of the sentences, and the grounds.
    fn wishes(&self) -> Vec<(usize, Category)> {
        let hits = self.hits.iter().filter(|hit| !self.is_neutral(hit.first, hit.last));
        let listed = hits.filter_map(|hit| {
            let name = GROUNDS.get(hit.id.checked_sub(REMARKS.len())?)?;
            Some((self.sentence_of(hit.first), Category::find(name)?))
        });
        let reviewed = places(self.reading, TitleForm::default()).into_iter().filter_map(|place| {
            let family = place.category == Category::Family && place.severity >= Severity::Medium;
            let high = place.severity >= Severity::High || family;
            let protected =
                GROUNDS.contains(&place.category.name()) && !WITHHELD_WORDING.contains(&place.reason);
            let first = self.reading.words.partition_point(|word| word.end <= place.start);
            let last = self.reading.words.partition_point(|word| word.start < place.end).saturating_sub(1);
            let at = self.sentence_of(first);
            let whom = self.sentences.get(at).is_some_and(|sentence| self.has(WHOM, &sentence.words));
            let wished = high && protected && whom && !self.is_neutral(first, last);
            wished.then_some((at, place.category))
        });
        listed.chain(reviewed).collect()
    }

    fn is_neutral(&self, first: usize, last: usize) -> bool {
        self.neutral.iter().any(|hit| hit.first <= last && first <= hit.last)
    }
}

#[cfg(test)]
mod tests;
