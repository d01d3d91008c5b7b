//! Dates: "24 november", "on Thursday", "24.11.", "2026-11-24", "in two weeks". The whole answer must be one.

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{
    Context, Direction, Problem, Read,
    numbers::whole,
    pieces::pieces,
    words::{Cursor, Sense, among, value},
};
use tata_language::Language;

/// Reads a date.
pub(super) fn read(text: &str, context: &Context<'_>) -> Result<Read<Date>, Problem> {
    let pieces = pieces(text);
    let mut cursor = Cursor::new(context.language, &pieces);
    // "i morgon" before the small word "i" is passed over.
    if let Some(date) = relative(&mut cursor, context.today) {
        cursor.fillers();
        return if cursor.done() { Ok(Read::Certain(date)) } else { Err(Problem::NotADate) };
    }
    cursor.fillers();
    let said = cursor.attempt(|cursor| {
        let day = weekday(cursor)?;
        cursor.fillers();
        exact(&mut cursor.clone(), context).map(|_| day)
    });
    if let Some(mut dates) = exact(&mut cursor, context) {
        cursor.fillers();
        if !cursor.done() {
            return Err(Problem::NotADate);
        }
        let date = *dates.first().ok_or(Problem::NoSuchDay)?;
        let Some(said) = said else { return Read::of(dates).ok_or(Problem::NoSuchDay) };
        // The day of the week decides between readings.
        dates.retain(|date| date.weekday() == said);
        return Read::of(dates).ok_or(Problem::WeekdayDiffers { date, said });
    }
    let found = by_weekday(&mut cursor, context)
        .or_else(|| relative(&mut cursor, context.today).map(|date| vec![date]));
    cursor.fillers();
    found.filter(|_| cursor.done()).and_then(Read::of).ok_or(Problem::NotADate)
}

fn weekday(cursor: &mut Cursor<'_>) -> Option<Weekday> {
    let day = cursor.take(value(Sense::Weekday))?;
    Weekday::from_monday_zero_offset(day).ok()
}

/// A date by its numbers: its readings, none if there is no such day.
fn exact(cursor: &mut Cursor<'_>, context: &Context<'_>) -> Option<Vec<Date>> {
    [iso, numeric, named, day_only]
        .into_iter()
        .find_map(|read| cursor.attempt(|cursor| read(cursor, context)))
}

/// `2026-11-24`.
fn iso(cursor: &mut Cursor<'_>, _: &Context<'_>) -> Option<Vec<Date>> {
    let year = cursor.digits(4..=4)?;
    let dashed = cursor.mark('-');
    let month = cursor.digits(1..=2).filter(|_| dashed)?;
    let dashed = cursor.mark('-');
    let day = cursor.digits(1..=2).filter(|_| dashed)?;
    Some(date(Some(year), month, day).into_iter().collect())
}

/// `24.11.`, `24/11`, `24.11.2026`, `24-11-2026`, `24/11-26`.
fn numeric(cursor: &mut Cursor<'_>, context: &Context<'_>) -> Option<Vec<Date>> {
    let first = cursor.peek(0)?;
    let day = cursor.digits(1..=2)?;
    let slash = cursor.mark('/');
    let dash = !slash && cursor.mark('-');
    if !slash && !dash && !cursor.mark('.') {
        return None;
    }
    let padded = first.text.len() == 2 && cursor.peek(0)?.text.len() == 2;
    let month = cursor.digits(1..=2)?;
    let mark = [cursor.mark('.'), cursor.mark('/'), cursor.mark('-')].contains(&true);
    let year = cursor
        .digits(4..=4)
        .or_else(|| if mark { cursor.digits(2..=2).map(|year| 2000 + year) } else { None });
    // "8-12" is a range, not a date.
    if dash && year.is_none() {
        return None;
    }
    let one = |month, day| in_year(year, month, day, context);
    let mut found: Vec<Date> = one(month, day).into_iter().collect();
    // With slashes the month may stand first: to English readers always, to others in the long form.
    let either = slash
        && day <= 12
        && month != day
        && (context.language == Language::En || (padded && year.is_some()));
    if either || (slash && month > 12 && context.language == Language::En) {
        found.extend(one(day, month));
    }
    Some(found)
}

/// "24 November", "den 24. november 2026", "November 24th, 2026".
fn named(cursor: &mut Cursor<'_>, context: &Context<'_>) -> Option<Vec<Date>> {
    let (month, day) = if let Some(month) = cursor.take(value(Sense::Month)) {
        cursor.mark('.');
        cursor.fillers();
        (month, day_of_month(cursor)?)
    } else {
        let day = day_of_month(cursor)?;
        cursor.fillers();
        (cursor.take(value(Sense::Month))?, day)
    };
    cursor.mark('.');
    cursor.mark(',');
    let year = cursor.digits(4..=4);
    Some(in_year(year, month, day, context).into_iter().collect())
}

/// "the 24th", "den 24.", "24:e": the next such day.
fn day_only(cursor: &mut Cursor<'_>, context: &Context<'_>) -> Option<Vec<Date>> {
    let plain = cursor.peek(0)?.number();
    let day = day_of_month(cursor)?;
    let marked = plain.is_none()
        || cursor.pieces.get(cursor.at.saturating_sub(1)).is_some_and(|piece| piece.number().is_none())
        || cursor.at > 1;
    let clock = cursor.peek(0).is_some_and(|next| next.number().is_some() || next.is(':') || next.is('/'));
    if !marked || clock || !(1..=31).contains(&day) {
        return None;
    }
    let months = (0..12_i64).filter_map(|ahead| {
        let step = if context.direction == Direction::Behind { -ahead } else { ahead };
        let first = context.today.first_of_month().checked_add(step.months()).ok()?;
        date(u64::try_from(first.year()).ok(), u64::try_from(first.month()).ok()?, day)
    });
    Some(months.filter(|date| lies_there(*date, context)).take(1).collect())
}

/// "24", "24.", "24th", "24:e", "first".
fn day_of_month(cursor: &mut Cursor<'_>) -> Option<u64> {
    let Some(day) = cursor.digits(1..=2) else { return cursor.take(value(Sense::Ordinal)) };
    let colon = cursor.peek(0).is_some_and(|piece| piece.is(':') && piece.glued)
        && cursor.peek(1).is_some_and(|piece| piece.glued && piece.number().is_none());
    cursor.at += usize::from(colon);
    if cursor.peek(0).is_some_and(|piece| piece.glued) {
        cursor.eat(Sense::OrdinalEnding);
    }
    cursor.mark('.');
    Some(day)
}

/// "Thursday", "next Thursday", "Thursday next week", "last Friday".
fn by_weekday(cursor: &mut Cursor<'_>, context: &Context<'_>) -> Option<Vec<Date>> {
    cursor.attempt(|cursor| {
        let mut last = cursor.eat(Sense::Last);
        let mut next_week = cursor.eat(Sense::NextWeek);
        let next = !next_week && cursor.eat(Sense::Next);
        cursor.fillers();
        let day = weekday(cursor)?;
        cursor.fillers();
        next_week |= cursor.eat(Sense::NextWeek);
        let this_week = !next_week && cursor.eat(Sense::ThisWeek);
        last |= cursor.eat(Sense::Last);
        let today = context.today;
        let monday = today.checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days()).ok()?;
        let here = monday.checked_add(i64::from(day.to_monday_zero_offset()).days()).ok()?;
        let week_later = here.checked_add(1.week()).ok()?;
        let week_before = here.checked_sub(1.week()).ok()?;
        Some(if next_week {
            vec![week_later]
        } else if this_week {
            vec![here]
        } else if last || context.direction == Direction::Behind {
            // "Thursday" on a Thursday, of something that was: today or a week ago.
            match here.cmp(&today) {
                std::cmp::Ordering::Less => vec![here],
                std::cmp::Ordering::Equal if !last => vec![here, week_before],
                std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => vec![week_before],
            }
        } else {
            match here.cmp(&today) {
                // The coming one lies in the next week anyway.
                std::cmp::Ordering::Less => vec![week_later],
                std::cmp::Ordering::Equal if next => vec![week_later],
                std::cmp::Ordering::Equal => vec![here, week_later],
                std::cmp::Ordering::Greater if next => vec![here, week_later],
                std::cmp::Ordering::Greater => vec![here],
            }
        })
    })
}

/// "tomorrow", "in two weeks", "three days ago", "vor drei Tagen".
fn relative(cursor: &mut Cursor<'_>, today: Date) -> Option<Date> {
    if let Some(days) = cursor.take(value::<i64>(Sense::Day)) {
        return today.checked_add(days.days()).ok();
    }
    cursor.attempt(|cursor| {
        let before = cursor.eat(Sense::AgoBefore);
        let ahead = !before && cursor.eat(Sense::In);
        let count = i64::try_from(whole(cursor)?).ok().filter(|count| *count <= 1000)?;
        let unit = cursor.take(among([
            (Sense::Days, 1.day()),
            (Sense::Weeks, 1.week()),
            (Sense::Months, 1.month()),
            (Sense::Years, 1.year()),
        ]))?;
        let span = unit.checked_mul(count).ok()?;
        let ago = before || cursor.eat(Sense::Ago);
        if ago == ahead {
            return None;
        }
        if ago { today.checked_sub(span).ok() } else { today.checked_add(span).ok() }
    })
}

fn date(year: Option<u64>, month: u64, day: u64) -> Option<Date> {
    Date::new(i16::try_from(year?).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// A day, in the year that is meant when none is named.
fn in_year(year: Option<u64>, month: u64, day: u64, context: &Context<'_>) -> Option<Date> {
    if year.is_some() {
        return date(year, month, day);
    }
    let this = u64::try_from(context.today.year()).ok()?;
    // 29 February is in one of eight years at most.
    let mut years = (0..=8).map(|step| match context.direction {
        Direction::Ahead => this + step,
        Direction::Behind => this.saturating_sub(step),
    });
    years.find_map(|year| date(Some(year), month, day).filter(|date| lies_there(*date, context)))
}

/// Whether a day lies where it is looked for.
fn lies_there(date: Date, context: &Context<'_>) -> bool {
    match context.direction {
        Direction::Ahead => date >= context.today,
        Direction::Behind => date <= context.today,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, direction: Direction, text: &str, expected: &[&str]) {
        // A Monday.
        let context = Context { direction, ..Context::new(language, Date::constant(2026, 11, 16)) };
        let shown: Vec<String> = match read(text, &context) {
            Ok(read) => read.readings().iter().map(ToString::to_string).collect(),
            Err(problem) => vec![problem.key().to_owned()],
        };
        assert_eq!(shown, expected, "{} {text:?}", language.code());
    }

    #[test]
    fn dates_are_read_as_people_type_them() {
        use Language::{Da, De, En, No, Sv};
        let cases: &[(Language, &str, &[&str])] = &[
            (En, "24 November", &["2026-11-24"]),
            (En, "on the 9th of January", &["2027-01-09"]),
            (En, "Nov 24th, 2026", &["2026-11-24"]),
            (En, "2026-12-01", &["2026-12-01"]),
            (En, "03/04/2026", &["2026-04-03", "2026-03-04"]),
            (En, "25/12", &["2026-12-25"]),
            (En, "12/25/2026", &["2026-12-25"]),
            (Sv, "03/04/2026", &["2026-04-03", "2026-03-04"]),
            (Da, "3/4", &["2027-04-03"]),
            (De, "24.11.", &["2026-11-24"]),
            (De, "am 24. November 2026", &["2026-11-24"]),
            (De, "24.11.26", &["2026-11-24"]),
            (Sv, "den 24:e", &["2026-11-24"]),
            (Sv, "på torsdag", &["2026-11-19"]),
            (Sv, "nästa torsdag", &["2026-11-19", "2026-11-26"]),
            (Sv, "torsdag nästa vecka", &["2026-11-26"]),
            (Da, "mandag", &["2026-11-16", "2026-11-23"]),
            (No, "i morgen", &["2026-11-17"]),
            (No, "om to uker", &["2026-11-30"]),
            (En, "in a week", &["2026-11-23"]),
            (De, "in drei Monaten", &["2027-02-16"]),
            (De, "Freitag, 20. November", &["2026-11-20"]),
            (De, "Donnerstag, 20. November", &["answer.weekday_differs"]),
            (En, "Tuesday 12/1/2026", &["2026-12-01"]),
            (En, "30 February", &["answer.no_such_day"]),
            (En, "1 February works, or later", &["answer.not_a_date"]),
            (En, "not sure", &["answer.not_a_date"]),
            (En, "24", &["answer.not_a_date"]),
            (En, "at 14:30", &["answer.not_a_date"]),
        ];
        for (language, text, expected) in cases {
            check(*language, Direction::Ahead, text, expected);
        }
        check(En, Direction::Behind, "last Friday", &["2026-11-13"]);
        check(En, Direction::Behind, "Friday", &["2026-11-13"]);
        check(En, Direction::Behind, "20 December", &["2025-12-20"]);
        check(De, Direction::Behind, "vor drei Tagen", &["2026-11-13"]);
        check(Sv, Direction::Behind, "för tre dagar sedan", &["2026-11-13"]);
        check(En, Direction::Behind, "two weeks ago", &["2026-11-02"]);
    }
}
