//! The words of answers: `sense<TAB>wording`, one a line, a file for each language and one for all.

use std::{collections::BTreeMap, sync::OnceLock};

use tata_language::Language;

use super::{
    money::Currency,
    pieces::{Piece, pieces},
};
use crate::sort::Place;

/// What a wording means. A wording may have several; the field decides which one is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Month(i8),
    /// From Monday as 0.
    Weekday(i8),
    Number(u64),
    Ordinal(u64),
    Scale(u64),
    Currency(Option<Currency>),
    Place(Place),
    /// A list, as somebody calls it who speaks of its items.
    Name(Place),
    /// So many days from today.
    Day(i64),
    NextWeek,
    ThisWeek,
    Next,
    Last,
    In,
    Ago,
    AgoBefore,
    OrdinalEnding,
    Minutes,
    Hours,
    Days,
    Weeks,
    Months,
    Years,
    HalfHour,
    HourAndHalf,
    At,
    To,
    OClock,
    Am,
    Pm,
    HalfPast,
    HalfTo,
    QuarterPast,
    QuarterTo,
    Noon,
    PerHour,
    PerMonth,
    PerYear,
    Filler,
    Courtesy,
    Want,
    And,
    Or,
    Yes,
    No,
    Doubt,
    /// "But", "except", "not": takes back part of what is said.
    Except,
    Explain,
    Skip,
    Back,
    Cancel,
    Show,
    Rest,
    Remove,
    /// "Take", which needs its "out".
    Take,
    Away,
    Change,
    /// Between what goes and what comes.
    With,
    /// Between what comes and what goes.
    Instead,
    Add,
    Move,
    /// Before the list that something belongs to.
    As,
    /// Says nothing around a change.
    Small,
    Article,
    Title,
    Accept,
    Ignore,
    All,
    Because,
    Undo,
}

const PLAIN: [(&str, Sense); 66] = [
    ("after_tomorrow", Sense::Day(2)),
    ("ago", Sense::Ago),
    ("ago_before", Sense::AgoBefore),
    ("am", Sense::Am),
    ("and", Sense::And),
    ("at", Sense::At),
    ("back", Sense::Back),
    ("before_yesterday", Sense::Day(-2)),
    ("cancel", Sense::Cancel),
    ("day", Sense::Days),
    ("doubt", Sense::Doubt),
    ("edit.accept", Sense::Accept),
    ("edit.add", Sense::Add),
    ("edit.all", Sense::All),
    ("edit.article", Sense::Article),
    ("edit.as", Sense::As),
    ("edit.away", Sense::Away),
    ("edit.because", Sense::Because),
    ("edit.change", Sense::Change),
    ("edit.ignore", Sense::Ignore),
    ("edit.instead", Sense::Instead),
    ("edit.move", Sense::Move),
    ("edit.remove", Sense::Remove),
    ("edit.small", Sense::Small),
    ("edit.take", Sense::Take),
    ("edit.title", Sense::Title),
    ("edit.want", Sense::Want),
    ("edit.with", Sense::With),
    ("except", Sense::Except),
    ("explain", Sense::Explain),
    ("courtesy", Sense::Courtesy),
    ("filler", Sense::Filler),
    ("half_hour", Sense::HalfHour),
    ("half_past", Sense::HalfPast),
    ("half_to", Sense::HalfTo),
    ("hour", Sense::Hours),
    ("hour_and_half", Sense::HourAndHalf),
    ("in", Sense::In),
    ("last", Sense::Last),
    ("minute", Sense::Minutes),
    ("month_unit", Sense::Months),
    ("next", Sense::Next),
    ("next_week", Sense::NextWeek),
    ("no", Sense::No),
    ("noon", Sense::Noon),
    ("o_clock", Sense::OClock),
    ("or", Sense::Or),
    ("ordinal_ending", Sense::OrdinalEnding),
    ("per_hour", Sense::PerHour),
    ("per_month", Sense::PerMonth),
    ("per_year", Sense::PerYear),
    ("pm", Sense::Pm),
    ("quarter_past", Sense::QuarterPast),
    ("quarter_to", Sense::QuarterTo),
    ("rest", Sense::Rest),
    ("show", Sense::Show),
    ("skip", Sense::Skip),
    ("this_week", Sense::ThisWeek),
    ("to", Sense::To),
    ("today", Sense::Day(0)),
    ("tomorrow", Sense::Day(1)),
    ("undo", Sense::Undo),
    ("week", Sense::Weeks),
    ("year", Sense::Years),
    ("yes", Sense::Yes),
    ("yesterday", Sense::Day(-1)),
];

/// Looks for one of several senses, each with what it stands for.
pub(crate) fn among<T: Copy, const N: usize>(table: [(Sense, T); N]) -> impl Fn(Sense) -> Option<T> {
    move |sense| table.iter().find(|(known, _)| *known == sense).map(|(_, value)| *value)
}

impl Sense {
    /// A number, small or a scale.
    pub(crate) fn number(self) -> Option<u64> {
        if let Self::Number(number) | Self::Scale(number) = self { Some(number) } else { None }
    }

    /// A scale.
    pub(crate) fn scale(self) -> Option<u64> {
        if let Self::Scale(scale) = self { Some(scale) } else { None }
    }

    /// A place in an order.
    pub(crate) fn ordinal(self) -> Option<u64> {
        if let Self::Ordinal(number) = self { Some(number) } else { None }
    }

    /// A month, from 1.
    pub(crate) fn month(self) -> Option<u64> {
        if let Self::Month(month) = self { u64::try_from(month).ok() } else { None }
    }

    /// A day of the week, from Monday as 0.
    pub(crate) fn weekday(self) -> Option<i8> {
        if let Self::Weekday(day) = self { Some(day) } else { None }
    }

    /// Days from today.
    pub(crate) fn day(self) -> Option<i64> {
        if let Self::Day(days) = self { Some(days) } else { None }
    }

    /// A list that is spoken of.
    pub(crate) fn list(self) -> Option<Place> {
        if let Self::Name(place) = self { Some(place) } else { None }
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

    /// A place for a line of notes.
    pub(crate) fn place(self) -> Option<Place> {
        if let Self::Place(place) = self { Some(place) } else { None }
    }
}

/// The sense with this name in the files.
fn sense(name: &str) -> Option<Sense> {
    if let Some((_, sense)) = PLAIN.iter().find(|(known, _)| *known == name) {
        return Some(*sense);
    }
    let (group, rest) = name.split_once('.')?;
    Some(match group {
        "month" => Sense::Month(rest.parse().ok().filter(|month| (1..=12).contains(month))?),
        "weekday" => Sense::Weekday(rest.parse().ok().filter(|day| (0..=6).contains(day))?),
        "number" => Sense::Number(rest.parse().ok()?),
        "ordinal" => Sense::Ordinal(rest.parse().ok()?),
        "scale" => Sense::Scale(rest.parse().ok()?),
        "currency" if rest == "crown" => Sense::Currency(None),
        "currency" => Sense::Currency(Some(Currency::find(rest)?)),
        "place" => Sense::Place(Place::find(rest)?),
        "name" => Sense::Name(Place::find(rest)?),
        _ => return None,
    })
}

/// A wording: its pieces and what they mean.
type Wording = (Vec<String>, Sense);

/// The words of one language.
#[derive(Debug)]
pub(crate) struct Words {
    /// By the first piece, the longest first.
    wordings: BTreeMap<String, Vec<Wording>>,
}

const SHARED: &str = include_str!("../../data/words/shared.txt");

impl Words {
    /// The words of a language, read at first use.
    pub(crate) fn of(language: Language) -> &'static Self {
        static WORDS: [OnceLock<Words>; 5] = [const { OnceLock::new() }; 5];
        let (place, file) = match language {
            Language::En => (0, include_str!("../../data/words/en.txt")),
            Language::Sv => (1, include_str!("../../data/words/sv.txt")),
            Language::Da => (2, include_str!("../../data/words/da.txt")),
            Language::No => (3, include_str!("../../data/words/no.txt")),
            Language::De => (4, include_str!("../../data/words/de.txt")),
        };
        WORDS[place].get_or_init(|| Self::read(file))
    }

    fn read(file: &str) -> Self {
        let mut wordings: BTreeMap<String, Vec<Wording>> = BTreeMap::new();
        // A test names every line that is left out here.
        for (wording, sense) in SHARED.lines().chain(file.lines()).filter_map(line) {
            if let Some(first) = wording.first() {
                wordings.entry(first.clone()).or_default().push((wording, sense));
            }
        }
        for wordings in wordings.values_mut() {
            wordings.sort_by_key(|(wording, _)| std::cmp::Reverse(wording.len()));
        }
        Self { wordings }
    }

    /// The longest wording here whose sense is looked for, and how many pieces it has.
    pub(crate) fn at<T>(
        &self,
        pieces: &[Piece],
        at: usize,
        pick: impl Fn(Sense) -> Option<T>,
    ) -> Option<(T, usize)> {
        let rest = pieces.get(at..)?;
        let fits = |wording: &[String]| {
            rest.len() >= wording.len() && wording.iter().zip(rest).all(|(word, piece)| *word == piece.text)
        };
        let known = self.wordings.get(&rest.first()?.text)?;
        known
            .iter()
            .filter(|(wording, _)| fits(wording))
            .find_map(|(wording, sense)| Some((pick(*sense)?, wording.len())))
    }

    /// The number that a single word names.
    pub(crate) fn number(&self, word: &str) -> Option<u64> {
        let known = self.wordings.get(word)?.iter().filter(|(wording, _)| wording.len() == 1);
        known.into_iter().find_map(|(_, sense)| sense.number())
    }

    /// Whether a wording of this sense stands anywhere in the text.
    pub(crate) fn is_inside(&self, text: &str, sense: Sense) -> bool {
        let pieces = pieces(text);
        (0..pieces.len()).any(|at| self.at(&pieces, at, |found| (found == sense).then_some(())).is_some())
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
            let rest = pieces.get(at..).unwrap_or_default();
            let known = rest.first().and_then(|first| self.wordings.get(&first.text));
            for (wording, known) in known.into_iter().flatten() {
                let fits = rest.len() >= wording.len()
                    && wording.iter().zip(rest).all(|(word, piece)| *word == piece.text);
                let Some(next) = reached.get_mut(at + wording.len()).filter(|_| fits) else { continue };
                if *known == sense {
                    next.1 |= polite || meant;
                } else if *known == Sense::Courtesy {
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
        let found = self.at(&inside, 0, |found| (found == sense).then_some(()));
        found.is_some_and(|((), length)| length == inside.len())
    }
}

/// A line as the pieces of its wording and their sense.
fn line(line: &str) -> Option<Wording> {
    let (name, wording) = line.split_once('\t')?;
    let wording: Vec<String> = pieces(wording).into_iter().map(|piece| piece.text).collect();
    Some((wording, sense(name)?)).filter(|(wording, _)| !wording.is_empty())
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
    pub(crate) fn take<T>(&mut self, pick: impl Fn(Sense) -> Option<T>) -> Option<T> {
        let (found, length) = self.words.at(self.pieces, self.at, pick)?;
        self.at += length;
        Some(found)
    }

    /// Takes a wording of this sense.
    pub(crate) fn eat(&mut self, sense: Sense) -> bool {
        self.take(|found| (found == sense).then_some(())).is_some()
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

    #[test]
    fn every_line_is_sorted_and_known() {
        let files = [
            SHARED,
            include_str!("../../data/words/en.txt"),
            include_str!("../../data/words/sv.txt"),
            include_str!("../../data/words/da.txt"),
            include_str!("../../data/words/no.txt"),
            include_str!("../../data/words/de.txt"),
        ];
        for file in files {
            for text in file.lines() {
                assert!(line(text).is_some(), "no known sense or no wording: {text:?}");
            }
            let lines: Vec<&str> = file.lines().collect();
            let wrong = lines.windows(2).find(|pair| pair[0] >= pair[1]);
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
