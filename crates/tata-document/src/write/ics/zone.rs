//! The rules of a time zone, as far as a meeting needs them.

use jiff::{
    SignedDuration, Timestamp,
    civil::{DateTime, Weekday},
    tz::{Dst, Offset, TimeZone, TimeZoneTransition},
};

use super::lines::Lines;

/// How many years of changes are looked at to find a rule.
const YEARS: usize = 6;

/// A change of the clock.
struct Change {
    at: Timestamp,
    /// The clock just before it.
    local: DateTime,
    from: Offset,
    to: Offset,
    name: String,
    summer: bool,
}

impl Change {
    fn is_like(&self, other: &Self) -> bool {
        (self.from, self.to, &self.name, self.summer) == (other.from, other.to, &other.name, other.summer)
    }
}

/// Writes the zone with all changes around a moment, as rules where there are any.
pub(super) fn write(zone: &TimeZone, name: &str, around: Timestamp, out: &mut Lines) {
    out.push("BEGIN:VTIMEZONE");
    out.push(&format!("TZID:{name}"));
    let changes = changes(zone, around);
    let covered = changes.first().is_some_and(|first| first.at <= around);
    if !covered {
        let info = zone.to_offset_info(around);
        let only = Change {
            at: Timestamp::UNIX_EPOCH,
            local: DateTime::constant(1970, 1, 1, 0, 0, 0, 0),
            from: info.offset(),
            to: info.offset(),
            name: info.abbreviation().to_owned(),
            summer: false,
        };
        observe(&only, None, out);
    }
    let mut written: Vec<&Change> = Vec::new();
    for change in &changes {
        if written.iter().any(|known| known.is_like(change)) {
            continue;
        }
        let alike: Vec<&Change> = changes.iter().filter(|other| other.is_like(change)).collect();
        match rule(&alike) {
            Some(rule) => {
                observe(change, Some(&rule), out);
                written.push(change);
            }
            // Some countries set the date each year: every change stands for itself.
            None => observe(change, None, out),
        }
    }
    out.push("END:VTIMEZONE");
}

/// The changes from a year before the moment on.
fn changes(zone: &TimeZone, around: Timestamp) -> Vec<Change> {
    let most = YEARS * 2;
    // A change at that very moment is none of those before nor of those after it.
    let around = around.checked_add(SignedDuration::from_secs(1)).unwrap_or(around);
    let mut before: Vec<TimeZoneTransition<'_>> = zone.preceding(around).take(3).collect();
    before.reverse();
    // The first one only tells which offset was in force before the second.
    let all: Vec<TimeZoneTransition<'_>> =
        before.into_iter().chain(zone.following(around).take(most)).collect();
    let pairs = all.windows(2).filter_map(|pair| match pair {
        [one, next] => Some((one.offset(), next)),
        _ => None,
    });
    pairs
        .map(|(from, change)| Change {
            at: change.timestamp(),
            local: from.to_datetime(change.timestamp()),
            from,
            to: change.offset(),
            name: change.abbreviation().to_owned(),
            summer: change.dst() == Dst::Yes,
        })
        // A change long ago is no rule of today.
        .filter(|change| change.local.year() >= from_year(around))
        .collect()
}

fn from_year(around: Timestamp) -> i16 {
    Offset::UTC.to_datetime(around).year() - 2
}

/// The rule behind changes that are alike: the same weekday of the same month, once a year.
fn rule(alike: &[&Change]) -> Option<String> {
    let (first, others) = alike.split_first()?;
    if others.len() + 1 < YEARS - 1 {
        return None;
    }
    let at = |change: &Change| (change.local.month(), change.local.weekday(), change.local.time());
    let yearly = alike.windows(2).all(|pair| match pair {
        [one, next] => one.local.year() + 1 == next.local.year(),
        _ => true,
    });
    if !yearly || others.iter().any(|other| at(other) != at(first)) {
        return None;
    }
    let is_last = |change: &Change| change.local.day() + 7 > change.local.days_in_month();
    let week = |change: &Change| (change.local.day() - 1) / 7 + 1;
    let week = if alike.iter().all(|change| is_last(change)) {
        -1
    } else if others.iter().all(|other| week(other) == week(first)) {
        week(first)
    } else {
        return None;
    };
    let day = match first.local.weekday() {
        Weekday::Monday => "MO",
        Weekday::Tuesday => "TU",
        Weekday::Wednesday => "WE",
        Weekday::Thursday => "TH",
        Weekday::Friday => "FR",
        Weekday::Saturday => "SA",
        Weekday::Sunday => "SU",
    };
    Some(format!("FREQ=YEARLY;BYMONTH={};BYDAY={week}{day}", first.local.month()))
}

fn observe(change: &Change, rule: Option<&str>, out: &mut Lines) {
    let kind = if change.summer { "DAYLIGHT" } else { "STANDARD" };
    out.push(&format!("BEGIN:{kind}"));
    out.push(&format!("DTSTART:{}", change.local.strftime("%Y%m%dT%H%M%S")));
    if let Some(rule) = rule {
        out.push(&format!("RRULE:{rule}"));
    }
    out.push(&format!("TZOFFSETFROM:{}", offset(change.from)));
    out.push(&format!("TZOFFSETTO:{}", offset(change.to)));
    out.push(&format!("TZNAME:{}", change.name));
    out.push(&format!("END:{kind}"));
}

fn offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let seconds = seconds.unsigned_abs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if rest == 0 {
        format!("{sign}{hours:02}{minutes:02}")
    } else {
        format!("{sign}{hours:02}{minutes:02}{rest:02}")
    }
}
