//! Calendar entries, line by line and against the clock.

use jiff::{SignedDuration, Timestamp, civil::DateTime, tz::TimeZone};
use proptest::prelude::*;
use tata_document::{Act, Attendee, Invitation, WriteError, ics};

use crate::samples::invitation;

/// The unfolded lines; fails unless every line ends and is folded as it must be.
fn lines(invitation: &Invitation) -> Vec<String> {
    let bytes = ics(invitation).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.ends_with("\r\n"));
    assert!(!text.replace("\r\n", "").contains(|c: char| c.is_control()), "{text:?}");
    for line in text.split("\r\n") {
        assert!(line.len() <= 75, "{line}");
    }
    text.replace("\r\n ", "").lines().map(str::to_owned).collect()
}

fn has(lines: &[String], line: &str) -> bool {
    lines.iter().any(|known| known == line)
}

#[test]
fn a_request_has_people_and_a_zone() {
    let lines = lines(&invitation());
    for line in [
        "METHOD:REQUEST",
        "TZID:Europe/Stockholm",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        "DTSTAMP:20261117T093000Z",
        "DTSTART;TZID=Europe/Stockholm:20261201T130000",
        "DTEND;TZID=Europe/Stockholm:20261201T143000",
        "SEQUENCE:1",
        "STATUS:CONFIRMED",
        "SUMMARY;LANGUAGE=sv:Intervju: Nätverksingenjör\\; Åsa\\, \\\\ Öberg",
        "ORGANIZER;CN=\"Talent ^'TA^' Team\":mailto:ta@example.com",
        "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=\"Bo: Ek\":mailto:bo@example.com",
    ] {
        assert!(has(&lines, line), "{line} in {lines:#?}");
    }
    assert!(lines.iter().any(|line| line.starts_with("DESCRIPTION;LANGUAGE=sv:Hej Åsa\\,\\n\\nvi ses")));
}

#[test]
fn without_addresses_it_is_published_and_what_is_taken_back_is_cancelled() {
    let alone = Invitation { organizer: None, attendees: Vec::new(), ..invitation() };
    assert!(has(&lines(&alone), "METHOD:PUBLISH"));
    let back = lines(&Invitation { act: Act::Cancel, sequence: 2, ..invitation() });
    for line in ["METHOD:CANCEL", "STATUS:CANCELLED", "SEQUENCE:2", "UID:interview-17@tata.example"] {
        assert!(has(&back, line), "{line}");
    }
    let utc = lines(&Invitation { zone: "UTC".into(), ..alone });
    assert!(has(&utc, "DTSTART:20261201T120000Z") && !has(&utc, "BEGIN:VTIMEZONE"));
}

#[test]
fn what_cannot_be_written_is_named() {
    let check = |invitation: Invitation, wanted: &str| match ics(&invitation) {
        Err(WriteError::Invalid { field, .. }) => assert_eq!(field, wanted),
        other => panic!("{wanted}: {other:?}"),
    };
    check(Invitation { uid: "a\r\nX:1".into(), ..invitation() }, "uid");
    check(Invitation { end: invitation().start, ..invitation() }, "end");
    check(Invitation { zone: "Mars/Base".into(), ..invitation() }, "zone");
    check(Invitation { summary: " ".into(), ..invitation() }, "summary");
    check(Invitation { description: "x".repeat(40_000), ..invitation() }, "description");
    let person = |address: &str| vec![Attendee { name: None, address: address.into() }];
    for address in
        ["a@b", "a b@example.com", "a@example.com\r\nX:1", "@example.com", "å@example.com", "a@b@example.com"]
    {
        check(Invitation { attendees: person(address), ..invitation() }, "attendees");
    }
}

/// The moment a local time stands for by the entry's own rules, as a calendar without a database reads it.
fn by_its_rules(lines: &[String], local: DateTime) -> Timestamp {
    let mut onsets: Vec<(DateTime, i32)> = Vec::new();
    let (mut start, mut rule, mut to) = (None, None, None);
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        match name {
            "DTSTART" if rule.is_none() => start = Some(DateTime::strptime("%Y%m%dT%H%M%S", value).unwrap()),
            "RRULE" => rule = Some(value.to_owned()),
            "TZOFFSETTO" => {
                let sign = if value.starts_with('-') { -1 } else { 1 };
                let part = |range: std::ops::Range<usize>| value[range].parse::<i32>().unwrap();
                to = Some(sign * (part(1..3) * 3600 + part(3..5) * 60));
            }
            "END" if value == "STANDARD" || value == "DAYLIGHT" => {
                let start: DateTime = start.take().unwrap();
                let offset = to.take().unwrap();
                match rule.take() {
                    None => onsets.push((start, offset)),
                    Some(rule) => {
                        let day = rule.split("BYDAY=").nth(1).unwrap();
                        let week: i8 = day[..day.len() - 2].parse().unwrap();
                        for year in start.year()..=local.year() {
                            let month = start.date().with().year(year).day(1).build().unwrap();
                            let date = month.nth_weekday_of_month(week, start.weekday()).unwrap();
                            onsets.push((date.to_datetime(start.time()), offset));
                        }
                    }
                }
            }
            "BEGIN" if value == "VEVENT" => break,
            _ => {}
        }
    }
    onsets.sort();
    let (_, offset) = onsets.iter().rev().find(|(onset, _)| *onset <= local).unwrap();
    let offset = jiff::tz::Offset::from_seconds(*offset).unwrap();
    offset.to_timestamp(local).unwrap()
}

proptest! {
    /// Property: what a calendar shows by the rules of the entry is the moment that was meant, in every office's zone.
    #[test]
    fn the_clock_is_right_across_changes(
        zone in prop::sample::select(vec![
            "Europe/Stockholm", "Europe/Copenhagen", "Europe/Oslo", "Europe/Berlin", "America/New_York", "Asia/Kolkata",
            "Africa/Casablanca", "Atlantic/Reykjavik",
        ]),
        seconds in 1_767_225_600_i64..1_956_528_000,
    ) {
        let start = Timestamp::from_second(seconds / 900 * 900).unwrap();
        let end = start + SignedDuration::from_mins(90);
        let lines = lines(&Invitation { start, end, zone: zone.into(), ..invitation() });
        let prefix = format!("DTSTART;TZID={zone}:");
        let shown = lines.iter().find_map(|line| line.strip_prefix(&prefix)).unwrap();
        let local = DateTime::strptime("%Y%m%dT%H%M%S", shown).unwrap();
        let zone = TimeZone::get(zone).unwrap();
        // In the hour that comes twice, one clock time stands for two moments; no calendar can tell them apart.
        prop_assume!(!zone.to_ambiguous_timestamp(local).is_ambiguous());
        prop_assert_eq!(by_its_rules(&lines, local), start);
    }

    /// Whatever the texts hold, they stay inside their lines.
    #[test]
    fn texts_stay_where_they_belong(summary in ".{1,80}", description in any::<String>(), name in any::<String>(), place in any::<String>()) {
        prop_assume!(!summary.trim().is_empty());
        let attendees = vec![Attendee { name: Some(name), address: "a@example.com".into() }];
        let changed = Invitation { summary, description, attendees, location: Some(place), ..invitation() };
        let found = lines(&changed);
        let known = |line: &str| {
            line.split([':', ';']).next().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_uppercase()))
        };
        prop_assert!(found.iter().all(|line| known(line)), "{found:#?}");
        prop_assert_eq!(found.iter().filter(|line| line.starts_with("BEGIN:VEVENT")).count(), 1);
        prop_assert_eq!(found.iter().filter(|line| line.starts_with("ATTENDEE")).count(), 1);
    }
}
