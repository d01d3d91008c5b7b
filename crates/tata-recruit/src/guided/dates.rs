//! Dates as people type them: "24 november", "on Thursday", "24.11.", "in two weeks".

use std::ops::Range;

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{calendar::Sense, lexicon::Lexicon, numerals::number_at, tokens::Token};

/// Where a day without a year lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// An appointment.
    Ahead,
    /// Something that has happened.
    Behind,
}

/// A day that was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundDate {
    pub(super) date: Date,
    /// The tokens that name it.
    pub(super) tokens: Range<usize>,
    /// A weekday that stands beside it.
    pub(super) weekday: Option<usize>,
}

/// The first day that is named.
pub(super) fn find_date(tokens: &[Token<'_>], today: Date, direction: Direction) -> Option<FoundDate> {
    let lexicon = Lexicon::get();
    let exact = (0..tokens.len()).find_map(|at| {
        iso(tokens, at)
            .or_else(|| by_month(tokens, at, today, direction, lexicon))
            .or_else(|| numeric(tokens, at, today, direction, lexicon))
    });
    // "sat" and "fri" are words of other languages; beside a number they are days.
    let beside = |at: usize| {
        let near = at.saturating_sub(2)..tokens.len().min(at + 3);
        tokens.len() <= 4 || near.into_iter().any(|near| tokens[near].number().is_some())
    };
    let weekday = (0..tokens.len()).find_map(|at| {
        let certain = tokens[at].text.chars().count() > 3 || beside(at);
        lexicon.calendar.weekday(&tokens[at].text).filter(|_| certain).map(|day| (at, day))
    });
    if let Some(found) = exact {
        let beside = weekday.filter(|(at, _)| {
            !found.tokens.contains(at)
                && at.abs_diff(found.tokens.start).min(at.abs_diff(found.tokens.end)) <= 2
        });
        return Some(FoundDate { weekday: beside.map(|(at, _)| at), ..found });
    }
    (0..tokens.len())
        .find_map(|at| by_day(tokens, at, today, direction, lexicon).filter(|_| weekday.is_some()))
        .or_else(|| relative(tokens, today, lexicon).filter(|_| !is_week_later(tokens, weekday, lexicon)))
        .or_else(|| weekday.and_then(|(at, day)| by_weekday(tokens, at, day, today, direction, lexicon)))
        .or_else(|| {
            let slip = |at: usize| Some((at, lexicon.calendar.meant_weekday(&tokens[at].text)?));
            let (at, day) = (0..tokens.len()).find_map(slip)?;
            by_weekday(tokens, at, day, today, direction, lexicon)
        })
        .or_else(|| (0..tokens.len()).find_map(|at| by_day(tokens, at, today, direction, lexicon)))
}

/// "Tuesday in a week": the week is counted from the day.
fn is_week_later(tokens: &[Token<'_>], weekday: Option<(usize, i8)>, lexicon: &Lexicon) -> bool {
    weekday.is_some_and(|(at, _)| lexicon.phrase_at("week_after", tokens, at + 1).is_some())
}

/// `2026-11-24`.
fn iso(tokens: &[Token<'_>], at: usize) -> Option<FoundDate> {
    let [year, month, day] = tokens.get(at..at + 3)? else { return None };
    if year.text.len() != 4 || month.before != "-" || day.before != "-" {
        return None;
    }
    let date = Date::new(year.text.parse().ok()?, month.text.parse().ok()?, day.text.parse().ok()?).ok()?;
    Some(FoundDate { date, tokens: at..at + 3, weekday: None })
}

/// `24.11.`, `24/11`, `24.11.2026`, `24/11-26`.
fn numeric(
    tokens: &[Token<'_>],
    at: usize,
    today: Date,
    direction: Direction,
    lexicon: &Lexicon,
) -> Option<FoundDate> {
    let (day, month) = (tokens.get(at)?, tokens.get(at + 1)?);
    // "08-12-2026" is a date; "8-12" is not.
    let dashed = month.before == "-"
        && tokens.get(at + 2).is_some_and(|year| year.before == "-" && year.text.len() == 4);
    if !(matches!(month.before, "." | "/" | ". ") || dashed) || day.text.len() > 2 || month.text.len() > 2 {
        return None;
    }
    let joined = |token: &&Token<'_>| match token.text.len() {
        2 => matches!(token.before, "." | "/" | "-"),
        4 => matches!(token.before, "." | "/" | "-" | ". " | " "),
        _ => false,
    };
    let year = tokens.get(at + 2).filter(joined).and_then(Token::number);
    let year = year
        .map(|year| if year < 100 { year + 2000 } else { year })
        .filter(|year| (2000..2100).contains(year));
    let dotted = month.before != "/";
    // "kl 10.11" and "10.11 Uhr" are times.
    let clock = dotted
        && year.is_none()
        && (lexicon.calendar.ends_before(Sense::At, tokens, at)
            || lexicon.calendar.at(Sense::OClock, tokens, at + 2).is_some());
    if clock {
        return None;
    }
    let (day, month) = (i8::try_from(day.number()?).ok()?, i8::try_from(month.number()?).ok()?);
    let end = at + if year.is_some() { 3 } else { 2 };
    let date = of(year.and_then(|year| i16::try_from(year).ok()), month, day, today, direction)?;
    Some(FoundDate { date, tokens: at..end, weekday: None })
}

/// "24 November", "den 24. november 2026", "November 24th".
fn by_month(
    tokens: &[Token<'_>],
    at: usize,
    today: Date,
    direction: Direction,
    lexicon: &Lexicon,
) -> Option<FoundDate> {
    let month = lexicon.calendar.month(&tokens.get(at)?.text)?;
    let ending = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            lexicon.calendar.at(Sense::OrdinalEnding, tokens, at).is_some()
                || matches!(token.text.as_str(), "of" | "i")
        })
    };
    let mut before = at.checked_sub(1);
    while let Some(index) = before.filter(|index| ending(*index) && at - index <= 2) {
        before = index.checked_sub(1);
    }
    let day_of = |token: &Token<'_>| {
        let day = token.number().or_else(|| lexicon.ordinal(&token.text))?;
        i8::try_from(day).ok().filter(|day| (1..=31).contains(day))
    };
    let earlier = before.and_then(|index| Some((index, day_of(tokens.get(index)?)?)));
    let (start, mut end, day) = if let Some((index, day)) = earlier {
        (index, at + 1, day)
    } else {
        let day = tokens.get(at + 1).filter(|token| token.text.len() <= 2).and_then(day_of)?;
        let clock = tokens.get(at + 2).is_some_and(|token| token.before == ":");
        if clock {
            return None;
        }
        (at, at + 2, day)
    };
    let year = tokens.get(end).and_then(Token::number).filter(|year| (2000..2100).contains(year));
    end += usize::from(year.is_some());
    let date = of(year.and_then(|year| i16::try_from(year).ok()), month, day, today, direction)?;
    Some(FoundDate { date, tokens: start..end, weekday: None })
}

/// "tomorrow", "in two weeks", "a week tomorrow".
fn relative(tokens: &[Token<'_>], today: Date, lexicon: &Lexicon) -> Option<FoundDate> {
    // Longer wordings first: "day after tomorrow" contains "tomorrow".
    for days in [2_i64, -2, 1, -1, 0] {
        for at in 0..tokens.len() {
            let Some(length) = lexicon.calendar.at(Sense::Day(days), tokens, at) else { continue };
            let later = lexicon.phrase_before("week_on", tokens, at);
            let date = today.checked_add((days + if later { 7 } else { 0 }).days()).ok()?;
            return Some(FoundDate { date, tokens: at..at + length, weekday: None });
        }
    }
    for at in 0..tokens.len() {
        let counted = number_at(tokens, at).filter(|(count, _)| (1..60).contains(count));
        let Some((count, end)) = counted else { continue };
        let inside = lexicon.phrase_before("in_words", tokens, at);
        let unit = if lexicon.calendar.at(Sense::Week, tokens, end).is_some() {
            7
        } else if lexicon.calendar.at(Sense::Days, tokens, end).is_some() {
            1
        } else {
            continue;
        };
        // "two days ago", "vor zwei Tagen".
        let ago = lexicon.phrase_before("ago_before", tokens, at)
            || lexicon.phrase_at("ago_after", tokens, end + 1).is_some();
        if inside || ago {
            let days = i64::from(count) * if ago { -unit } else { unit };
            let date = today.checked_add(days.days()).ok()?;
            return Some(FoundDate { date, tokens: at..end + 1, weekday: None });
        }
    }
    None
}

fn by_weekday(
    tokens: &[Token<'_>],
    at: usize,
    day: i8,
    today: Date,
    direction: Direction,
    lexicon: &Lexicon,
) -> Option<FoundDate> {
    let day = Weekday::from_monday_zero_offset(day).ok()?;
    let last = tokens[at].text.ends_with("dags")
        || lexicon.calendar.ends_before(Sense::Last, tokens, at)
        || lexicon.calendar.at(Sense::Last, tokens, at + 1).is_some();
    let later = lexicon.phrase_before("week_on", tokens, at)
        || lexicon.phrase_at("week_after", tokens, at + 1).is_some();
    let forward = i64::from(today.weekday().until(day)) + if later { 7 } else { 0 };
    let days = if last || direction == Direction::Behind {
        let back = i64::from(today.weekday().since(day));
        -(if back == 0 { 7 } else { back })
    } else if lexicon.calendar.anywhere(Sense::NextWeek, tokens).is_some() {
        let to_monday = 7 - i64::from(today.weekday().to_monday_zero_offset());
        to_monday + i64::from(day.to_monday_zero_offset())
    } else if forward == 0 {
        7
    } else {
        forward
    };
    let date = today.checked_add(days.days()).ok()?;
    Some(FoundDate { date, tokens: at..at + 1, weekday: None })
}

/// "the 24th", "den 24.".
fn by_day(
    tokens: &[Token<'_>],
    at: usize,
    today: Date,
    direction: Direction,
    lexicon: &Lexicon,
) -> Option<FoundDate> {
    let token = tokens.get(at)?;
    let day = token.number().and_then(|day| i8::try_from(day).ok()).filter(|day| (1..=31).contains(day))?;
    let glued = tokens.get(at + 1).is_some_and(|next| next.before.is_empty());
    let ending = lexicon.calendar.at(Sense::OrdinalEnding, tokens, at + 1).filter(|_| glued);
    // "den 27. um 8 Uhr": the dot is the ending.
    let dotted = tokens.get(at + 1).is_some_and(|next| next.before == ". ")
        && at.checked_sub(1).is_some_and(|before| lexicon.has("day_leads", &tokens[before].text));
    let ending = if dotted { 0 } else { ending? };
    let mut date = Date::new(today.year(), today.month(), day).ok()?;
    match direction {
        Direction::Ahead if date < today => date = date.checked_add(1.month()).ok()?,
        Direction::Behind if date > today => date = date.checked_sub(1.month()).ok()?,
        Direction::Ahead | Direction::Behind => {}
    }
    Some(FoundDate { date, tokens: at..at + 1 + ending, weekday: None })
}

/// A day, in the year that is meant when none is named.
fn of(year: Option<i16>, month: i8, day: i8, today: Date, direction: Direction) -> Option<Date> {
    if let Some(year) = year {
        return Date::new(year, month, day).ok();
    }
    let date = Date::new(today.year(), month, day).ok()?;
    match direction {
        Direction::Ahead if date < today => Date::new(today.year() + 1, month, day).ok(),
        Direction::Behind if date > today => Date::new(today.year() - 1, month, day).ok(),
        Direction::Ahead | Direction::Behind => Some(date),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guided::tokens::tokens;

    #[test]
    fn days_are_read_as_people_type_them() {
        let today = Date::constant(2026, 11, 16);
        for (text, date) in [
            ("on 24 November", "2026-11-24"),
            ("Nov 24th at 2pm", "2026-11-24"),
            ("the 9th of January", "2027-01-09"),
            ("den 24. november kl 14", "2026-11-24"),
            ("am 24.11. um 14 Uhr", "2026-11-24"),
            ("25/11 13:00", "2026-11-25"),
            ("2026-12-01", "2026-12-01"),
            ("på torsdag klockan 10", "2026-11-19"),
            ("Thursday", "2026-11-19"),
            ("tomorrow", "2026-11-17"),
            ("the day after tomorrow", "2026-11-18"),
            ("a week tomorrow", "2026-11-24"),
            ("in two weeks", "2026-11-30"),
            ("monday", "2026-11-23"),
        ] {
            let found = find_date(&tokens(text), today, Direction::Ahead).map(|found| found.date.to_string());
            assert_eq!(found.as_deref(), Some(date), "{text}");
        }
        for (text, date) in
            [("last friday", "2026-11-13"), ("12 November", "2026-11-12"), ("20 December", "2025-12-20")]
        {
            let found =
                find_date(&tokens(text), today, Direction::Behind).map(|found| found.date.to_string());
            assert_eq!(found.as_deref(), Some(date), "{text}");
        }
        for text in ["kl 10.15", "may we talk", "3 positions", "2pm", "45-52k", ""] {
            assert_eq!(find_date(&tokens(text), today, Direction::Ahead), None, "{text}");
        }
    }
}
