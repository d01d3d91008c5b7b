//! The words of answers: `[sense]`, then its wordings, one a line; a file for each language and one for all.

use std::{collections::BTreeMap, str::FromStr, sync::OnceLock};

use tata_language::{Language, entries, named};

use super::pieces::{Piece, pieces};
use crate::sort::Place;

named! {
    /// What a wording means. A wording may have several; the field decides which one is looked for.
    pub(crate) enum Sense {
        Month = "month",
        /// From Monday as 0.
        Weekday = "weekday",
        Number = "number",
        Ordinal = "ordinal",
        Scale = "scale",
        Currency = "currency",
        Place = "place",
        /// A list, as somebody calls it who speaks of its items.
        Name = "name",
        /// So many days from today.
        Day = "on_day",
        NextWeek = "next_week",
        ThisWeek = "this_week",
        Next = "next",
        Last = "last",
        In = "in",
        Ago = "ago",
        AgoBefore = "ago_before",
        OrdinalEnding = "ordinal_ending",
        Minutes = "minute",
        Hours = "hour",
        Days = "day",
        Weeks = "week",
        Months = "month_unit",
        Years = "year",
        HalfHour = "half_hour",
        HourAndHalf = "hour_and_half",
        At = "at",
        To = "to",
        OClock = "o_clock",
        Am = "am",
        Pm = "pm",
        HalfPast = "half_past",
        HalfTo = "half_to",
        QuarterPast = "quarter_past",
        QuarterTo = "quarter_to",
        Noon = "noon",
        PerHour = "per_hour",
        PerMonth = "per_month",
        PerYear = "per_year",
        Filler = "filler",
        Courtesy = "courtesy",
        Want = "edit.want",
        And = "and",
        Or = "or",
        Yes = "yes",
        No = "no",
        Doubt = "doubt",
        /// "But", "except", "not": takes back part of what is said.
        Except = "except",
        Explain = "explain",
        Skip = "skip",
        Back = "back",
        Cancel = "cancel",
        Show = "show",
        Rest = "rest",
        Remove = "edit.remove",
        /// "Take", which needs its "out".
        Take = "edit.take",
        Away = "edit.away",
        Change = "edit.change",
        /// Between what goes and what comes.
        With = "edit.with",
        /// Between what comes and what goes.
        Instead = "edit.instead",
        Add = "edit.add",
        Move = "edit.move",
        /// Before the list that something belongs to.
        As = "edit.as",
        /// Says nothing around a change.
        Small = "edit.small",
        Article = "edit.article",
        Title = "edit.title",
        Accept = "edit.accept",
        Ignore = "edit.ignore",
        All = "edit.all",
        Because = "edit.because",
        Undo = "undo",
        /// "Not".
        Not = "edit.not",
        /// A verb that comes in two parts.
        Parted = "edit.parted",
        /// Its second part.
        Particle = "edit.particle",
        /// Ends a message and says nothing.
        Closing = "edit.closing",
        /// Joins a place to the rest.
        Join = "edit.join",
        /// Only points to what is meant, before it.
        Pointing = "edit.pointing",
        /// And behind it.
        PointingEnd = "edit.pointing_end",
        /// Begins a polite wish.
        Asking = "edit.asking",
        /// Who is asked.
        Asked = "edit.asked",
        /// Says nothing around a rating.
        Rating = "rating",
        /// "Number" before a number.
        NumberWord = "number_word",
        /// A small word in a name: "von".
        NameParticle = "name_particle",
    }
}

/// A sense, and for some the value behind a dot: `month.3`, `place.must`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning {
    pub(crate) sense: Sense,
    pub(crate) value: &'static str,
}

/// Looks for a sense.
pub(crate) fn is(wanted: Sense) -> impl Fn(Meaning) -> Option<()> + Copy {
    move |meaning| (meaning.sense == wanted).then_some(())
}

/// Looks for one of several senses, each with what it stands for.
pub(crate) fn among<T: Copy, const N: usize>(table: [(Sense, T); N]) -> impl Fn(Meaning) -> Option<T> {
    move |meaning| table.iter().find(|(known, _)| *known == meaning.sense).map(|(_, value)| *value)
}

impl Meaning {
    /// The meaning with this name in the files.
    fn find(name: &'static str) -> Option<Self> {
        let plain = Sense::find(name).map(|sense| Self { sense, value: "" });
        plain.or_else(|| {
            let (sense, value) = name.split_once('.')?;
            Some(Self { sense: Sense::find(sense)?, value })
        })
    }

    fn value<T: FromStr>(self, wanted: Sense) -> Option<T> {
        if self.sense == wanted { self.value.parse().ok() } else { None }
    }

    /// A number, small or a scale.
    pub(crate) fn number(self) -> Option<u64> {
        self.value(Sense::Number).or_else(|| self.scale())
    }

    /// A scale.
    pub(crate) fn scale(self) -> Option<u64> {
        self.value(Sense::Scale)
    }

    /// A place in an order.
    pub(crate) fn ordinal(self) -> Option<u64> {
        self.value(Sense::Ordinal)
    }

    /// A month, from 1.
    pub(crate) fn month(self) -> Option<u64> {
        self.value(Sense::Month)
    }

    /// A day of the week, from Monday as 0.
    pub(crate) fn weekday(self) -> Option<i8> {
        self.value(Sense::Weekday)
    }

    /// Days from today.
    pub(crate) fn day(self) -> Option<i64> {
        self.value(Sense::Day)
    }

    /// A list that is spoken of.
    pub(crate) fn list(self) -> Option<Place> {
        Place::find(self.value).filter(|_| self.sense == Sense::Name)
    }

    /// A place for a line of notes.
    pub(crate) fn place(self) -> Option<Place> {
        Place::find(self.value).filter(|_| self.sense == Sense::Place)
    }

    /// A list, as the headings of notes call it.
    pub(crate) fn heading(self) -> Option<Place> {
        let lists = [
            Place::Must,
            Place::Task,
            Place::Good,
            Place::Trait,
            Place::Reason,
            Place::Measure,
            Place::Challenge,
        ];
        self.place().filter(|place| lists.contains(place))
    }
}

/// A wording: its pieces and what they mean.
type Wording = (Vec<String>, Meaning);

/// The words of one language.
#[derive(Debug)]
pub(crate) struct Words {
    /// By the first piece, the longest first.
    wordings: BTreeMap<String, Vec<Wording>>,
}

const SHARED: &str = include_str!("../../data/words/shared.txt");

/// In the order of the languages.
const FILES: [&str; 5] = [
    include_str!("../../data/words/en.txt"),
    include_str!("../../data/words/sv.txt"),
    include_str!("../../data/words/da.txt"),
    include_str!("../../data/words/no.txt"),
    include_str!("../../data/words/de.txt"),
];

impl Words {
    /// The words of a language, read at first use.
    pub(crate) fn of(language: Language) -> &'static Self {
        static WORDS: [OnceLock<Words>; 5] = [const { OnceLock::new() }; 5];
        WORDS[language as usize].get_or_init(|| Self::read(FILES[language as usize]))
    }

    fn read(file: &'static str) -> Self {
        let mut wordings: BTreeMap<String, Vec<Wording>> = BTreeMap::new();
        // A test names every line that is left out here.
        for (name, wording) in entries(SHARED).chain(entries(file)) {
            let wording: Vec<String> = pieces(wording).into_iter().map(|piece| piece.text).collect();
            if let (Some(first), Some(meaning)) = (wording.first(), Meaning::find(name)) {
                wordings.entry(first.clone()).or_default().push((wording, meaning));
            }
        }
        for wordings in wordings.values_mut() {
            wordings.sort_by_key(|(wording, _)| std::cmp::Reverse(wording.len()));
        }
        Self { wordings }
    }

    /// The wordings that stand here, the longest first: how many pieces they have, and what they mean.
    fn standing<'w>(&'w self, pieces: &'w [Piece], at: usize) -> impl Iterator<Item = (usize, Meaning)> + 'w {
        let rest = pieces.get(at..).unwrap_or_default();
        let known = rest.first().and_then(|first| self.wordings.get(&first.text));
        let fits = move |wording: &[String]| {
            rest.len() >= wording.len() && wording.iter().zip(rest).all(|(word, piece)| *word == piece.text)
        };
        let known = known.into_iter().flatten().filter(move |(wording, _)| fits(wording));
        known.map(|(wording, meaning)| (wording.len(), *meaning))
    }

    /// The longest wording here that is looked for, and how many pieces it has.
    pub(crate) fn at<T>(
        &self,
        pieces: &[Piece],
        at: usize,
        pick: impl Fn(Meaning) -> Option<T>,
    ) -> Option<(T, usize)> {
        self.standing(pieces, at).find_map(|(length, meaning)| Some((pick(meaning)?, length)))
    }

    /// What a single word means, of what is looked for.
    fn of_word<T>(&self, word: &str, pick: impl Fn(Meaning) -> Option<T>) -> Option<T> {
        let known = self.wordings.get(word)?.iter().filter(|(wording, _)| wording.len() == 1);
        known.into_iter().find_map(|(_, meaning)| pick(*meaning))
    }

    /// The number that a single word names.
    pub(crate) fn number(&self, word: &str) -> Option<u64> {
        self.of_word(word, Meaning::number)
    }

    /// Whether a single word, in small letters, has this sense.
    pub(crate) fn is(&self, word: &str, sense: Sense) -> bool {
        self.of_word(word, is(sense)).is_some()
    }

    /// Whether a wording of this sense stands anywhere in the text.
    pub(crate) fn is_inside(&self, text: &str, sense: Sense) -> bool {
        let pieces = pieces(text);
        (0..pieces.len()).any(|at| self.at(&pieces, at, is(sense)).is_some())
    }

    /// Whether a text is nothing but wordings of one sense and courtesies: "yep, looks good, thanks".
    pub(crate) fn is_all(&self, text: &str, sense: Sense) -> bool {
        let marks = ['.', '!', ',', ')', ';', ':'];
        let pieces: Vec<Piece> =
            pieces(text).into_iter().filter(|piece| !marks.into_iter().any(|mark| piece.is(mark))).collect();
        // "Yes that is right" and "yes" both begin "yes that is right profile": every way through is followed. A place is
        // reached with a wording of the sense, or by courtesies alone.
        let mut reached = vec![(false, false); pieces.len() + 1];
        if let Some(first) = reached.first_mut() {
            first.0 = true;
        }
        for at in 0..pieces.len() {
            let (polite, meant) = reached.get(at).copied().unwrap_or_default();
            for (length, meaning) in self.standing(&pieces, at) {
                let Some(next) = reached.get_mut(at + length) else { continue };
                if meaning.sense == sense {
                    next.1 |= polite || meant;
                } else if meaning.sense == Sense::Courtesy {
                    *next = (next.0 || polite, next.1 || meant);
                }
            }
        }
        reached.last().is_some_and(|last| last.1)
    }

    /// Whether the whole text is a wording of this sense, but for marks at its ends. A question mark is no such mark.
    pub(crate) fn is_whole(&self, text: &str, sense: Sense) -> bool {
        let mut pieces = pieces(text);
        let ends = |piece: &Piece| ['.', '!', ',', ')', ';', ':'].into_iter().any(|mark| piece.is(mark));
        while pieces.len() > 1 && pieces.last().is_some_and(ends) {
            pieces.pop();
        }
        // "yes, please": a comma inside says nothing.
        let inside: Vec<Piece> = pieces.into_iter().filter(|piece| !piece.is(',')).collect();
        let found = self.at(&inside, 0, is(sense));
        found.is_some_and(|((), length)| length == inside.len())
    }
}

/// What is left of an answer while it is read.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'p> {
    pub(crate) words: &'static Words,
    pub(crate) pieces: &'p [Piece],
    pub(crate) at: usize,
}

impl<'p> Cursor<'p> {
    /// At the beginning.
    pub(crate) fn new(language: Language, pieces: &'p [Piece]) -> Self {
        Self { words: Words::of(language), pieces, at: 0 }
    }

    /// The piece so many places ahead.
    pub(crate) fn peek(&self, ahead: usize) -> Option<&'p Piece> {
        self.pieces.get(self.at + ahead)
    }

    /// Whether everything was read.
    pub(crate) fn done(&self) -> bool {
        self.at >= self.pieces.len()
    }

    /// Takes the longest wording here whose sense is looked for.
    pub(crate) fn take<T>(&mut self, pick: impl Fn(Meaning) -> Option<T>) -> Option<T> {
        let (found, length) = self.words.at(self.pieces, self.at, pick)?;
        self.at += length;
        Some(found)
    }

    /// Takes a wording of this sense.
    pub(crate) fn eat(&mut self, sense: Sense) -> bool {
        self.take(is(sense)).is_some()
    }

    /// Takes this mark.
    pub(crate) fn mark(&mut self, mark: char) -> bool {
        let is = self.peek(0).is_some_and(|piece| piece.is(mark));
        self.at += usize::from(is);
        is
    }

    /// Takes a run of so many digits.
    pub(crate) fn digits(&mut self, lengths: std::ops::RangeInclusive<usize>) -> Option<u64> {
        let piece = self.peek(0).filter(|piece| lengths.contains(&piece.text.len()))?;
        let number = piece.number()?;
        self.at += 1;
        Some(number)
    }

    /// Takes words and marks that say nothing.
    pub(crate) fn fillers(&mut self) {
        while self.eat(Sense::Filler) || self.mark(',') || self.mark('.') || self.mark('!') {}
    }

    /// Tries a reading; what it took is given back if it fails.
    pub(crate) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = before;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Currency;

    #[test]
    fn every_entry_is_sorted_and_known() {
        let known = |name| {
            let meaning = Meaning::find(name)?;
            let valued = [
                meaning.number().is_some(),
                meaning.ordinal().is_some(),
                meaning.month().is_some_and(|month| (1..=12).contains(&month)),
                meaning.weekday().is_some_and(|day| (0..=6).contains(&day)),
                meaning.day().is_some(),
                meaning.place().or_else(|| meaning.list()).is_some(),
                Currency::find(meaning.value).is_some() || name == "currency.crown",
            ];
            (meaning.value.is_empty() || valued.contains(&true)).then_some(())
        };
        for file in FILES.into_iter().chain([SHARED]) {
            for (name, wording) in entries(file) {
                assert!(known(name).is_some(), "no known sense: {name:?}");
                assert!(!pieces(wording).is_empty(), "no wording: {wording:?}");
            }
            let all: Vec<_> = entries(file).collect();
            let wrong = all.windows(2).find(|pair| pair[0] >= pair[1]);
            assert_eq!(wrong, None, "not sorted, or twice");
        }
    }

    #[test]
    fn no_wording_is_both_yes_and_no_or_doubt() {
        for language in Language::ALL {
            for (wording, _) in Words::of(language).wordings.values().flatten() {
                let text = wording.join(" ");
                let is = |sense| Words::of(language).is_whole(&text, sense);
                let both =
                    [Sense::Yes, Sense::No, Sense::Doubt].into_iter().filter(|sense| is(*sense)).count();
                assert!(both <= 1, "{text:?} is more than one of yes, no and doubt");
            }
        }
    }
}
