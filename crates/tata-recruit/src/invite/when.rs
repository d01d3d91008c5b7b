//! When people meet: a strict date, a weekday that agrees with it, a time that exists, a zone that is named.

use jiff::{
    Timestamp, Zoned,
    civil::{Time, Weekday},
    tz::TimeZone,
};

use super::Check;
use crate::{Key, Texts, Voice, figures::iso_date};

/// A meeting's beginning and end.
#[derive(Clone, Debug)]
pub(super) struct When {
    pub(super) start: Zoned,
    pub(super) end: Zoned,
}

/// Reads what is asked for, in this zone and for so many minutes; every problem is told.
pub(super) fn read(check: &mut Check<'_>, zone_name: &str, minutes: u32, now: Timestamp) -> Option<When> {
    let (input, texts) = (check.input, check.texts);
    let [wished, named, clock] = [&input.date, &input.weekday, &input.time]
        .map(|text| text.as_deref().map(str::trim).filter(|text| !text.is_empty()));
    let (written, in_date) = split_weekday(wished.unwrap_or_default());
    let (date, time) = (iso_date(written), clock.and_then(parse_time));
    for (field, wish, known) in [("date", wished, date.is_some()), ("time", clock, time.is_some())] {
        if let Some(text) = check.needed(field, wish).filter(|_| !known) {
            let key = group!("invite.problems").key(format_args!("bad_{field}"));
            check.problem(field, key, &[(field, text)]);
        }
    }
    let zone = TimeZone::get(zone_name).ok();
    if zone.is_none() {
        check.problem("time_zone", key!("invite.problems.bad_zone"), &[("zone", zone_name)]);
    }
    let date = date?;
    for named in [named, in_date].into_iter().flatten() {
        let actual = weekday_name(texts, date.weekday());
        match find_weekday(named) {
            None => check.problem("weekday", key!("invite.problems.bad_weekday"), &[("weekday", named)]),
            Some(day) if day != date.weekday() => {
                let values = [("date", written), ("weekday", named), ("actual", actual)];
                check.problem("weekday", key!("invite.problems.wrong_weekday"), &values);
            }
            Some(_) => {}
        }
    }
    // A clock that is set forward skips an hour, one that is set back repeats it: neither can be agreed on.
    let Ok(start) = zone?.to_ambiguous_zoned(date.to_datetime(time?)).unambiguous() else {
        let values = [("date", written), ("time", clock.unwrap_or_default()), ("zone", zone_name)];
        check.problem("time", key!("invite.problems.no_such_time"), &values);
        return None;
    };
    if start.timestamp() <= now {
        check.problem("date", key!("invite.problems.past"), &[("date", written)]);
    }
    let end = start.checked_add(jiff::Span::new().try_minutes(minutes).ok()?).ok()?;
    Some(When { start, end })
}

/// `HH:MM`, 24 hours.
fn parse_time(text: &str) -> Option<Time> {
    let (hour, minute) = text.trim().split_once([':', '.'])?;
    let number = |part: &str, most: usize| {
        let fits = (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse::<i8>().ok()).flatten()
    };
    if minute.len() != 2 {
        return None;
    }
    Time::new(number(hour, 2)?, number(minute, 2)?, 0, 0).ok()
}

/// "Tuesday 2026-11-17" names the weekday beside the date.
fn split_weekday(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    match text.rsplit_once(char::is_whitespace) {
        Some((day, date)) => (date, Some(day.trim().trim_end_matches([',', '.']))),
        None => (text, None),
    }
}

/// A weekday by its name in any of the five languages, or the first letters of it.
fn find_weekday(name: &str) -> Option<Weekday> {
    let name = name.trim().trim_end_matches('.').to_lowercase();
    if name.chars().count() < 2 {
        return None;
    }
    let day = |voice: Voice| {
        let days = Texts::of(voice).list(key!("invite.weekdays")).iter();
        days.map(|day| day.to_lowercase()).position(|day| day.starts_with(&name))
    };
    let at = Voice::ALL.into_iter().find_map(day)?;
    Weekday::from_monday_zero_offset(i8::try_from(at).ok()?).ok()
}

fn weekday_name(texts: &Texts, day: Weekday) -> &str {
    let at = usize::try_from(day.to_monday_zero_offset()).unwrap_or_default();
    texts.list(key!("invite.weekdays")).get(at).map_or("", String::as_str)
}

impl When {
    /// Day, hours and zone as people write them.
    pub(super) fn said(&self, texts: &Texts) -> String {
        let clock = |moment: &Zoned| {
            let [hour, minute] = ["%H", "%M"].map(|format| moment.strftime(format).to_string());
            texts.say(key!("invite.clock"), &[("hour", &hour), ("minute", &minute)])
        };
        let (start, end) = (clock(&self.start), clock(&self.end));
        let values =
            [("day", &*self.day(texts)), ("start", &start), ("end", &end), ("zone", &self.zone(texts))];
        texts.say(key!("invite.when"), &values)
    }

    /// The day as people write it.
    fn day(&self, texts: &Texts) -> String {
        let date = self.start.date();
        let values = [
            ("weekday", weekday_name(texts, date.weekday())),
            ("day", &*date.day().to_string()),
            ("month", texts.month(date)),
            ("year", &*date.year().to_string()),
        ];
        texts.say(key!("invite.day"), &values)
    }

    /// The zone by its city and how far it is from UTC on that day.
    fn zone(&self, texts: &Texts) -> String {
        let seconds = self.start.offset().seconds();
        let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
        let offset = match (minutes / 60, minutes % 60) {
            (hours, 0) => format!("UTC{sign}{hours}"),
            (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
        };
        match city(self.start.time_zone().iana_name().unwrap_or_default(), texts) {
            Some(city) => texts.say(key!("invite.zone"), &[("city", &city), ("offset", &offset)]),
            None => offset,
        }
    }
}

/// The city a zone is named after, as the reader calls it. "Etc/GMT-2" and "UTC" are named after none.
pub(super) fn city(zone: &str, texts: &Texts) -> Option<String> {
    let (area, name) = zone.split_once('/').filter(|(area, _)| *area != "Etc")?;
    let name = name.rsplit('/').next().unwrap_or(area);
    let known = Key::find(&format!("invite.cities.{}", name.to_lowercase()));
    Some(known.map_or_else(|| name.replace('_', " "), |known| texts.get(known).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_strict() {
        let time = |text| parse_time(text).map(|time| time.strftime("%H:%M").to_string());
        assert_eq!(time("9:30").as_deref(), Some("09:30"));
        assert_eq!(time("14.00").as_deref(), Some("14:00"));
        for text in ["24:00", "9:5", "9", "2 pm", "12:60", "", ":30", "009:30"] {
            assert_eq!(time(text), None, "{text:?}");
        }
    }

    #[test]
    fn weekdays_are_known_in_five_languages() {
        for (name, day) in [
            ("Tuesday", Weekday::Tuesday),
            ("tis", Weekday::Tuesday),
            ("Tirsdag", Weekday::Tuesday),
            ("Dienstag", Weekday::Tuesday),
            ("fre.", Weekday::Friday),
            ("lördag", Weekday::Saturday),
        ] {
            assert_eq!(find_weekday(name), Some(day), "{name}");
        }
        assert_eq!(find_weekday("x"), None);
        assert_eq!(find_weekday(""), None);
    }
}
