//! Days, times and lengths anywhere in a line: what was understood elsewhere is held against these.

use jiff::civil::{Date, Time};
use tata_core::FieldKind;
use tata_language::{Language, folded};
use tata_phrases::whole_words;

use super::{
    Answer, Context, Direction, Duration, Read, date, duration,
    numbers::in_one_word,
    only,
    pieces::{Shape, pieces},
    time,
    words::{Sense, Words, is},
};

/// A line is looked at in pieces of so many letters, as long as a value can be.
const WINDOW: usize = 10;
/// So many words of a line are looked at.
const MOST_WORDS: usize = 4_000;

fn begins_date(sense: Sense) -> bool {
    matches!(sense, Sense::Month | Sense::Weekday | Sense::Day | Sense::NextWeek | Sense::In | Sense::Next)
        || matches!(sense, Sense::Last | Sense::AgoBefore | Sense::Number | Sense::Ordinal)
}

fn begins_time(sense: Sense) -> bool {
    matches!(sense, Sense::At | Sense::HalfPast | Sense::HalfTo | Sense::QuarterPast | Sense::QuarterTo)
        || matches!(sense, Sense::Noon | Sense::Number)
}

fn begins_length(sense: Sense) -> bool {
    matches!(sense, Sense::HalfHour | Sense::HourAndHalf | Sense::Number)
}

fn all<T: Clone>(found: Windows<T>) -> Vec<T> {
    found.into_iter().flat_map(|(reading, _)| reading.readings().to_vec()).collect()
}

fn dates(line: &str, context: &Context<'_>) -> Windows<Date> {
    windows(line, context.language, begins_date, |text| date::read(text, context).ok())
}

fn times(line: &str, language: Language) -> Windows<Time> {
    windows(line, language, begins_time, |text| time::read(text, language).ok())
}

fn lengths(line: &str, language: Language) -> Windows<Duration> {
    windows(line, language, begins_length, |text| duration::read(text, language).ok())
}

/// The days that a line names, counted from a day; every reading of each.
pub fn dates_in(line: &str, from: Date, language: Language) -> Vec<Date> {
    let context = Context::new(language, from);
    let directions = [Direction::Ahead, Direction::Behind].into_iter();
    directions.flat_map(|direction| all(dates(line, &Context { direction, ..context }))).collect()
}

/// The times of day that a line names.
pub fn times_in(line: &str, language: Language) -> Vec<Time> {
    all(times(line, language))
}

/// The lengths of time that a line names.
pub fn lengths_in(line: &str, language: Language) -> Vec<Duration> {
    all(lengths(line, language))
}

/// The one value of this kind that a message names beyond doubt; none if it names none or several, or if a bare number
/// may be anything.
pub fn unmistakable(kind: FieldKind, line: &str, context: &Context<'_>) -> Option<Answer> {
    let language = context.language;
    match kind {
        FieldKind::Date => certain(dates(line, context)).map(Answer::Date),
        FieldKind::Time => certain(times(line, language)).map(Answer::Time),
        FieldKind::Duration => certain(lengths(line, language)).map(Answer::Duration),
        FieldKind::Email => {
            let addresses = line.split(|letter: char| letter.is_whitespace() || "<>(),;".contains(letter));
            only(addresses.filter_map(|word| super::text::email(word).ok())).map(Answer::Email)
        }
        FieldKind::Choice => {
            let said = folded(line);
            let is_named = |label: &&String| whole_words(&said, &folded(label)).next().is_some();
            only(context.choices.iter().filter(is_named)).cloned().map(Answer::Choice)
        }
        FieldKind::Money
        | FieldKind::Count
        | FieldKind::YesNo
        | FieldKind::Name
        | FieldKind::List
        | FieldKind::Text
        | FieldKind::Material => None,
    }
}

/// The one certain value that is no bare number.
fn certain<T: Clone + PartialEq>(found: Windows<T>) -> Option<T> {
    let mut certain = found.into_iter().filter(|(_, bare)| !bare).filter_map(|(reading, _)| match reading {
        Read::Certain(value) => Some(value),
        Read::Choose(_) => None,
    });
    let first = certain.next()?;
    certain.all(|other| other == first).then_some(first)
}

/// Readings, and whether each is of a bare number.
type Windows<T> = Vec<(Read<T>, bool)>;

/// The readings of the longest stretch at each place where one may begin.
fn windows<T: Clone>(
    line: &str,
    language: Language,
    begins: fn(Sense) -> bool,
    read: impl Fn(&str) -> Option<Read<T>>,
) -> Windows<T> {
    let words: Vec<&str> = line.split_whitespace().take(MOST_WORDS).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let rest = words.get(at..words.len().min(at + WINDOW)).unwrap_or_default();
        let first = pieces(&rest.iter().take(3).copied().collect::<Vec<_>>().join(" "));
        let digits = first.first().is_some_and(|piece| piece.shape == Shape::Digits);
        let known =
            || Words::of(language).at(&first, 0, |meaning| begins(meaning.sense).then_some(())).is_some();
        // A number may be written in one word: "femton".
        let spoken =
            || first.first().is_some_and(|piece| in_one_word(Words::of(language), &piece.text).is_some());
        let mut length = 1;
        if digits || known() || spoken() {
            let longest = (1..=rest.len()).rev().find_map(|length| {
                let text = rest.get(..length)?.join(" ");
                let text = text.trim_matches(|letter: char| "()[],;.!?:\"“”".contains(letter));
                Some((length, read(text)?))
            });
            if let Some((words, reading)) = longest {
                // "13", "a", "second": a number that may count anything.
                let alone = rest.first().map(|word| pieces(word)).unwrap_or_default();
                let ordinal = Words::of(language).at(&alone, 0, is(Sense::Ordinal)).is_some();
                let counts = |word: &str| ordinal || Words::of(language).number(word).is_some();
                let number = alone.iter().all(|piece| piece.shape != Shape::Word || counts(&piece.text));
                let bare = words == 1 && number && !alone.iter().any(|piece| piece.is(':'));
                found.push((reading, bare));
                length = words;
            }
        }
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_found_however_they_are_named() {
        let today = date(2026, 11, 17);
        for (line, day, language) in [
            ("Interview on 12 November with Anna", date(2026, 11, 12), Language::En),
            ("Intervjun hölls 2026-11-12", date(2026, 11, 12), Language::Sv),
            ("either 19 November or 24 November", date(2026, 11, 24), Language::En),
            ("am 24.11. um zehn", date(2026, 11, 24), Language::De),
            ("tomorrow at two", date(2026, 11, 18), Language::En),
            ("Invite her on Thursday at 2pm, 90 minutes", date(2026, 11, 19), Language::En),
        ] {
            assert!(dates_in(line, today, language).contains(&day), "{line}");
        }
        assert!(!dates_in("Interview on 12 November", today, Language::En).contains(&date(2026, 11, 13)));
        assert!(dates_in("she was born in Malmö", today, Language::En).is_empty());
    }

    #[test]
    fn only_what_is_beyond_doubt_is_taken() {
        let context = Context::new(Language::En, date(2026, 11, 16));
        let said =
            "Invite Robin Lund to a case interview on site in Stockholm on 24 November at 13:00, 90 minutes";
        let found = |kind| unmistakable(kind, said, &context);
        assert_eq!(found(FieldKind::Date), Some(Answer::Date(date(2026, 11, 24))));
        assert_eq!(found(FieldKind::Time), Some(Answer::Time(jiff::civil::time(13, 0, 0, 0))));
        assert_eq!(found(FieldKind::Duration), Some(Answer::Duration(Duration::minutes(90))));
        let danish = Context::new(Language::Da, date(2026, 11, 16));
        let called = "Indkald Signe Holm til anden samtale torsdag den 26. november kl. 10.30";
        let day = Some(Answer::Date(date(2026, 11, 26)));
        assert_eq!(unmistakable(FieldKind::Date, called, &danish), day);
        let twice = "on 24 November or on 25 November";
        assert_eq!(unmistakable(FieldKind::Date, twice, &context), None);
        let offices = ["Stockholm", "Oslo"].map(str::to_owned);
        let context = Context { choices: &offices, ..context };
        let stockholm = Some(Answer::Choice("Stockholm".to_owned()));
        assert_eq!(unmistakable(FieldKind::Choice, said, &context), stockholm);
    }

    #[test]
    fn times_and_lengths_are_found() {
        let four = jiff::civil::time(16, 0, 0, 0);
        assert!(times_in("Thursday at 14:30, or at 16.00", Language::En).contains(&four));
        assert!(lengths_in("det tar en timme", Language::Sv).contains(&Duration::minutes(60)));
        assert!(lengths_in("on Thursday at 2pm, 90 minutes", Language::En).contains(&Duration::minutes(90)));
        assert!(times_in("no time at all", Language::En).is_empty());
    }
}
