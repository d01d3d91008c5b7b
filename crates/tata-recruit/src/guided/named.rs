//! Days, times and lengths that a line names: what another model understood is held against these.

use jiff::civil::Date;

use super::{
    clock::{find_length, find_time},
    dates::{Direction, find_date},
    tokens::tokens,
};

/// Nobody names more in one line.
const MOST: usize = 40;

/// Whether a line that was written on one day names another.
pub(crate) fn names_day(line: &str, written_on: Date, day: Date) -> bool {
    let all = tokens(line);
    [Direction::Ahead, Direction::Behind].into_iter().any(|direction| {
        let mut from = 0;
        let found = std::iter::from_fn(|| {
            let found = find_date(all.get(from..)?, written_on, direction)?;
            from += found.tokens.end.max(1);
            Some(found.date)
        });
        found.take(MOST).any(|found| found == day)
    })
}

/// The times of day that a line names, in minutes.
pub(crate) fn times_in(line: &str) -> impl Iterator<Item = u32> {
    let all = tokens(line);
    let mut from = 0;
    let found = std::iter::from_fn(move || {
        let found = find_time(all.get(from..)?, None)?;
        from += found.end.max(1);
        Some(found.minutes)
    });
    found.take(MOST)
}

/// The lengths that a line names, in minutes.
pub(crate) fn lengths_in(line: &str) -> impl Iterator<Item = u32> {
    let all = tokens(line);
    let mut from = 0;
    let found = std::iter::from_fn(move || {
        let (minutes, range) = find_length(all.get(from..)?)?;
        from += range.end.max(1);
        Some(minutes)
    });
    found.take(MOST)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_found_however_they_are_named() {
        let today = date(2026, 11, 17);
        for (line, day) in [
            ("Interview on 12 November with Anna", date(2026, 11, 12)),
            ("Intervjun hölls 2026-11-12", date(2026, 11, 12)),
            ("either 19 November or 24 November", date(2026, 11, 24)),
            ("am 24.11. um zehn", date(2026, 11, 24)),
            ("tomorrow at two", date(2026, 11, 18)),
        ] {
            assert!(names_day(line, today, day), "{line}");
        }
        assert!(!names_day("Interview on 12 November", today, date(2026, 11, 13)));
        assert!(!names_day("she was born in Malmö", today, today));
    }

    #[test]
    fn times_and_lengths_are_found() {
        assert!(times_in("Thursday at 14:30, or at 16.00").any(|minutes| minutes == 16 * 60));
        assert!(lengths_in("det tar en timme").any(|minutes| minutes == 60));
        assert_eq!(times_in("no time at all").count(), 0);
    }
}
