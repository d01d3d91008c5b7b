//! How people speak of days and hours, in all five languages at once.

use std::collections::BTreeMap;

use super::{lexicon::slips, shelf::Lines, tokens::Token};

/// A meaning that several wordings have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sense {
    Day(i64),
    NextWeek,
    Week,
    Days,
    Last,
    OrdinalEnding,
    At,
    To,
    Hour,
    Minute,
    OClock,
    Am,
    Pm,
    HalfHour,
    HourAndHalf,
    HalfPast,
    HalfTo,
    QuarterPast,
    QuarterTo,
    Noon,
}

/// The names of the meanings in the files.
const SENSES: [(&str, Sense); 24] = [
    ("today", Sense::Day(0)),
    ("tomorrow", Sense::Day(1)),
    ("after_tomorrow", Sense::Day(2)),
    ("yesterday", Sense::Day(-1)),
    ("before_yesterday", Sense::Day(-2)),
    ("next_week", Sense::NextWeek),
    ("week", Sense::Week),
    ("day", Sense::Days),
    ("last", Sense::Last),
    ("ordinal_endings", Sense::OrdinalEnding),
    ("at", Sense::At),
    ("to", Sense::To),
    ("hour", Sense::Hour),
    ("minute", Sense::Minute),
    ("o_clock", Sense::OClock),
    ("am", Sense::Am),
    ("pm", Sense::Pm),
    ("half_hour", Sense::HalfHour),
    ("hour_and_half", Sense::HourAndHalf),
    ("half_past", Sense::HalfPast),
    ("half_to", Sense::HalfTo),
    ("quarter_past", Sense::QuarterPast),
    ("quarter_to", Sense::QuarterTo),
    ("noon", Sense::Noon),
];

/// The words of all languages.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    months: BTreeMap<&'static str, i8>,
    weekdays: BTreeMap<&'static str, i8>,
    senses: BTreeMap<Sense, Vec<Vec<&'static str>>>,
}

impl Calendar {
    /// Takes the lines in: a sense and a wording, a name and its place.
    pub(super) fn read(senses: Lines, months: Lines, weekdays: Lines) -> Self {
        let mut calendar = Self::default();
        for (name, wording) in senses.iter().filter_map(|line| line.split_once('\t')) {
            let sense = SENSES.iter().find(|(known, _)| *known == name).map(|(_, sense)| *sense);
            let words: Vec<&str> = wording.split(' ').filter(|word| !word.is_empty()).collect();
            if let Some(sense) = sense.filter(|_| !words.is_empty()) {
                calendar.senses.entry(sense).or_default().push(words);
            }
        }
        for wordings in calendar.senses.values_mut() {
            wordings.sort_by_key(|words| std::cmp::Reverse(words.len()));
        }
        let place = |line: &'static str| {
            let (name, at) = line.split_once('\t')?;
            Some((name, at.parse::<i8>().ok()?))
        };
        calendar.months = months.iter().filter_map(place).map(|(name, at)| (name, at + 1)).collect();
        calendar.weekdays = weekdays.iter().filter_map(place).collect();
        calendar
    }

    /// The month a word names, from 1.
    pub(super) fn month(&self, word: &str) -> Option<i8> {
        self.months.get(word).copied()
    }

    /// The weekday a word names, from Monday as 0. Genitives and plurals count: "torsdags".
    pub(super) fn weekday(&self, word: &str) -> Option<i8> {
        let own = self.weekdays.get(word);
        let longer = || {
            let ending = ["en", "s", "ens", "er"].into_iter();
            ending
                .filter_map(|ending| word.strip_suffix(ending))
                .find_map(|stem| self.weekdays.get(stem).filter(|_| stem.chars().count() > 4))
        };
        own.or_else(longer).copied()
    }

    /// The weekday that a mistyped word names.
    pub(super) fn meant_weekday(&self, word: &str) -> Option<i8> {
        let long = word.chars().count() >= 5;
        let close = |name: &&&str| name.chars().count() >= 6 && slips(name, word, 1) == Some(1);
        self.weekdays.iter().find(|(name, _)| long && close(name)).map(|(_, day)| *day)
    }

    /// How many tokens a wording of this sense takes from here.
    pub(super) fn at(&self, sense: Sense, tokens: &[Token<'_>], start: usize) -> Option<usize> {
        self.senses.get(&sense)?.iter().find(|words| begins(tokens, start, words)).map(Vec::len)
    }

    /// Whether a wording of this sense ends just before a token.
    pub(super) fn ends_before(&self, sense: Sense, tokens: &[Token<'_>], end: usize) -> bool {
        let fits = |words: &Vec<&'static str>| {
            end.checked_sub(words.len()).is_some_and(|start| begins(tokens, start, words))
        };
        self.senses.get(&sense).is_some_and(|wordings| wordings.iter().any(fits))
    }

    /// Whether a wording of this sense stands anywhere.
    pub(super) fn anywhere(&self, sense: Sense, tokens: &[Token<'_>]) -> Option<usize> {
        (0..tokens.len()).find(|start| self.at(sense, tokens, *start).is_some())
    }
}

/// Whether these words stand here.
fn begins(tokens: &[Token<'_>], start: usize, words: &[&str]) -> bool {
    words.iter().enumerate().all(|(at, word)| tokens.get(start + at).is_some_and(|token| token.text == *word))
}
