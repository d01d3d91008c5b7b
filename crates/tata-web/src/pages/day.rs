//! Days and times as people of a language write them.

use jiff::{Timestamp, Zoned, tz::TimeZone};

use super::words::Lang;

/// A moment where the reader is.
pub(crate) fn local(at: Timestamp, zone: &TimeZone) -> Zoned {
    at.to_zoned(zone.clone())
}

/// A day and a time.
pub(crate) fn moment(at: Timestamp, zone: &TimeZone, lang: Lang) -> String {
    let local = local(at, zone);
    format!("{}, {:02}:{:02}", day(&local, lang), local.hour(), local.minute())
}

fn day(local: &Zoned, lang: Lang) -> String {
    let month = usize::try_from(local.month() - 1).unwrap_or_default();
    let month = lang.words().months.get(month).copied().unwrap_or_default();
    match lang {
        Lang::En | Lang::Sv => format!("{} {month} {}", local.day(), local.year()),
        Lang::De | Lang::Da | Lang::No => format!("{}. {month} {}", local.day(), local.year()),
    }
}

/// The heading under which a day stands in a list.
pub(crate) fn group(at: Timestamp, now: Timestamp, zone: &TimeZone, lang: Lang) -> &'static str {
    let (words, then, now) = (lang.words(), local(at, zone).date(), local(now, zone).date());
    let days = then.until(now).map_or(i32::MAX, |span| span.get_days());
    match days {
        i32::MIN..=0 => words.today,
        1 => words.yesterday,
        2..=7 => words.last_week,
        8..=30 => words.last_month,
        31.. => words.older,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_as_its_readers_do() {
        let at: Timestamp = "2026-11-17T09:05:00Z".parse().unwrap();
        let said = Lang::ALL.map(|lang| moment(at, &TimeZone::UTC, lang));
        assert_eq!(
            said,
            [
                "17 Nov 2026, 09:05",
                "17. November 2026, 09:05",
                "17 november 2026, 09:05",
                "17. november 2026, 09:05",
                "17. november 2026, 09:05"
            ]
        );
    }

    #[test]
    fn days_stand_under_their_heading() {
        let now: Timestamp = "2026-11-17T00:30:00Z".parse().unwrap();
        for (at, heading) in [
            ("2026-11-17T00:10:00Z", "Today"),
            ("2026-11-18T00:10:00Z", "Today"),
            ("2026-11-16T23:50:00Z", "Yesterday"),
            ("2026-11-10T12:00:00Z", "Last seven days"),
            ("2026-10-20T12:00:00Z", "Last thirty days"),
            ("2025-10-20T12:00:00Z", "Older"),
        ] {
            assert_eq!(group(at.parse().unwrap(), now, &TimeZone::UTC, Lang::En), heading, "{at}");
        }
    }
}
