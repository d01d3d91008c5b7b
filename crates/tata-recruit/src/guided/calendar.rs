//! How people speak of days and hours, in all five languages at once.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{lexicon::words, tokens::Token};

/// How a language speaks of days and hours, as its file has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DateWords {
    pub(super) months: Vec<Vec<String>>,
    pub(super) weekdays: Vec<Vec<String>>,
    today: Vec<String>,
    tomorrow: Vec<String>,
    after_tomorrow: Vec<String>,
    yesterday: Vec<String>,
    before_yesterday: Vec<String>,
    next_week: Vec<String>,
    week: Vec<String>,
    day: Vec<String>,
    last: Vec<String>,
    ordinal_endings: Vec<String>,
    at: Vec<String>,
    to: Vec<String>,
    hour: Vec<String>,
    minute: Vec<String>,
    o_clock: Vec<String>,
    am: Vec<String>,
    pm: Vec<String>,
    half_hour: Vec<String>,
    hour_and_half: Vec<String>,
    half_past: Vec<String>,
    half_to: Vec<String>,
    quarter_past: Vec<String>,
    quarter_to: Vec<String>,
    noon: Vec<String>,
}

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

/// The words of all languages.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    months: BTreeMap<String, i8>,
    weekdays: BTreeMap<String, i8>,
    senses: BTreeMap<Sense, Vec<Vec<String>>>,
}

impl Calendar {
    /// Takes in one language.
    pub(super) fn add(&mut self, file: &DateWords) {
        for (into, lists, first) in
            [(&mut self.months, &file.months, 1_i8), (&mut self.weekdays, &file.weekdays, 0)]
        {
            for (value, names) in (first..).zip(lists) {
                for name in names.iter().map(|name| words(name).concat()) {
                    into.entry(name).or_insert(value);
                }
            }
        }
        let senses = [
            (Sense::Day(0), &file.today),
            (Sense::Day(1), &file.tomorrow),
            (Sense::Day(2), &file.after_tomorrow),
            (Sense::Day(-1), &file.yesterday),
            (Sense::Day(-2), &file.before_yesterday),
            (Sense::NextWeek, &file.next_week),
            (Sense::Week, &file.week),
            (Sense::Days, &file.day),
            (Sense::Last, &file.last),
            (Sense::OrdinalEnding, &file.ordinal_endings),
            (Sense::At, &file.at),
            (Sense::To, &file.to),
            (Sense::Hour, &file.hour),
            (Sense::Minute, &file.minute),
            (Sense::OClock, &file.o_clock),
            (Sense::Am, &file.am),
            (Sense::Pm, &file.pm),
            (Sense::HalfHour, &file.half_hour),
            (Sense::HourAndHalf, &file.hour_and_half),
            (Sense::HalfPast, &file.half_past),
            (Sense::HalfTo, &file.half_to),
            (Sense::QuarterPast, &file.quarter_past),
            (Sense::QuarterTo, &file.quarter_to),
            (Sense::Noon, &file.noon),
        ];
        for (sense, wordings) in senses {
            let known = self.senses.entry(sense).or_default();
            known.extend(wordings.iter().map(|wording| words(wording)).filter(|words| !words.is_empty()));
            known.sort_by_key(|words| std::cmp::Reverse(words.len()));
        }
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
            ending.filter_map(|ending| word.strip_suffix(ending)).find_map(|stem| {
                self.weekdays.get(stem).filter(|_| stem.chars().count() > 4)
            })
        };
        own.or_else(longer).copied()
    }

    /// The weekday that a mistyped word names.
    pub(super) fn meant_weekday(&self, word: &str) -> Option<i8> {
        let long = word.chars().count() >= 5;
        let close = |name: &&String| name.chars().count() >= 6 && strsim::osa_distance(name, word) == 1;
        self.weekdays.iter().find(|(name, _)| long && close(name)).map(|(_, day)| *day)
    }

    /// How many tokens a wording of this sense takes from here.
    pub(super) fn at(&self, sense: Sense, tokens: &[Token<'_>], start: usize) -> Option<usize> {
        self.senses.get(&sense)?.iter().find(|words| begins(tokens, start, words)).map(Vec::len)
    }

    /// Whether a wording of this sense ends just before a token.
    pub(super) fn ends_before(&self, sense: Sense, tokens: &[Token<'_>], end: usize) -> bool {
        let fits = |words: &Vec<String>| {
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
pub(super) fn begins(tokens: &[Token<'_>], start: usize, words: &[String]) -> bool {
    words.iter().enumerate().all(|(at, word)| tokens.get(start + at).is_some_and(|token| token.text == *word))
}
