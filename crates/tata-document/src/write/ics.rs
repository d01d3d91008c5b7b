//! Calendar invitations (RFC 5545, RFC 5546).

mod lines;
mod zone;

use jiff::{Timestamp, Zoned, tz::TimeZone};

use self::lines::Lines;
use super::WriteError;
use crate::LanguageTag;

/// The longest text of a field; calendars show far less.
const LONGEST: usize = 32_000;
/// The most people one invitation goes to.
const MOST_PEOPLE: usize = 200;

/// What an invitation does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Act {
    /// It invites, or changes an earlier invitation with the same uid and a lower sequence.
    #[default]
    Invite,
    /// It takes the meeting back.
    Cancel,
}

/// Somebody with a mailbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attendee {
    /// The name, if it is known.
    pub name: Option<String>,
    /// The mail address.
    pub address: String,
}

/// A meeting, as calendars need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// What it does.
    pub act: Act,
    /// The same for all versions of one meeting, and for no other.
    pub uid: String,
    /// 0 for the first version, one more for each that follows.
    pub sequence: u32,
    /// When this version was made.
    pub stamp: Timestamp,
    /// When it begins.
    pub start: Timestamp,
    /// When it ends.
    pub end: Timestamp,
    /// The zone whose clock it follows: `Europe/Stockholm`.
    pub zone: String,
    /// The subject.
    pub summary: String,
    /// The text.
    pub description: String,
    /// Where.
    pub location: Option<String>,
    /// The language of the texts.
    pub language: LanguageTag,
    /// Who invites.
    pub organizer: Option<Attendee>,
    /// Who is invited.
    pub attendees: Vec<Attendee>,
}

/// Writes an invitation. Without addresses it is published, not sent: nobody can be asked to answer.
pub fn ics(invitation: &Invitation) -> Result<Vec<u8>, WriteError> {
    check(invitation)?;
    let zone = TimeZone::get(&invitation.zone).map_err(|_| {
        invalid(
            "zone",
            format!("{:?} is no known time zone: Europe/Stockholm is one", short(&invitation.zone)),
        )
    })?;
    let mut out = Lines::default();
    let people = invitation.organizer.is_some() && !invitation.attendees.is_empty();
    let method = match (people, invitation.act) {
        (true, Act::Invite) => "REQUEST",
        (true, Act::Cancel) => "CANCEL",
        (false, _) => "PUBLISH",
    };
    out.push("BEGIN:VCALENDAR");
    out.push("VERSION:2.0");
    out.push("PRODID:-//Tata//Documents//EN");
    out.push("CALSCALE:GREGORIAN");
    out.push(&format!("METHOD:{method}"));
    let utc = zone.iana_name().is_none_or(|name| matches!(name, "UTC" | "Etc/UTC" | "Etc/UCT" | "Zulu"));
    if !utc {
        zone::write(&zone, &invitation.zone, invitation.start, &mut out);
    }
    out.push("BEGIN:VEVENT");
    out.push(&format!("UID:{}", escaped(&invitation.uid)));
    out.push(&format!("DTSTAMP:{}", in_utc(invitation.stamp)));
    for (name, at) in [("DTSTART", invitation.start), ("DTEND", invitation.end)] {
        if utc {
            out.push(&format!("{name}:{}", in_utc(at)));
        } else {
            out.push(&format!("{name};TZID={}:{}", invitation.zone, local(&at.to_zoned(zone.clone()))));
        }
    }
    out.push(&format!("SEQUENCE:{}", invitation.sequence));
    let status = match invitation.act {
        Act::Invite => "CONFIRMED",
        Act::Cancel => "CANCELLED",
    };
    out.push(&format!("STATUS:{status}"));
    let texts = [
        ("SUMMARY", Some(&invitation.summary)),
        ("DESCRIPTION", Some(&invitation.description)),
        ("LOCATION", invitation.location.as_ref()),
    ];
    for (name, text) in texts {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            out.push(&format!("{name};LANGUAGE={}:{}", invitation.language, escaped(text)));
        }
    }
    if let Some(organizer) = &invitation.organizer {
        out.push(&format!("ORGANIZER{}:mailto:{}", named(organizer), organizer.address));
    }
    for attendee in &invitation.attendees {
        out.push(&format!(
            "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE{}:mailto:{}",
            named(attendee),
            attendee.address
        ));
    }
    out.push("TRANSP:OPAQUE");
    out.push("END:VEVENT");
    out.push("END:VCALENDAR");
    Ok(out.bytes)
}

fn invalid(field: &'static str, reason: String) -> WriteError {
    WriteError::Invalid { field, reason }
}

fn check(invitation: &Invitation) -> Result<(), WriteError> {
    let uid = &invitation.uid;
    if uid.trim().is_empty() || uid.len() > 255 || uid.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(invalid("uid", "it must be one word of at most 255 bytes".to_owned()));
    }
    if invitation.summary.trim().is_empty() {
        return Err(invalid(
            "summary",
            "a meeting without a subject cannot be told from others: give one".to_owned(),
        ));
    }
    if invitation.end <= invitation.start {
        return Err(invalid("end", "it must be after the start".to_owned()));
    }
    let known = Timestamp::UNIX_EPOCH..=Timestamp::MAX;
    if !known.contains(&invitation.start) || invitation.end.as_second() > 253_000_000_000 {
        return Err(invalid("start", "only meetings from 1970 to 9980 can be written".to_owned()));
    }
    let texts = [
        ("summary", Some(&invitation.summary)),
        ("description", Some(&invitation.description)),
        ("location", invitation.location.as_ref()),
    ];
    for (field, text) in texts {
        let found = text.map_or(0, String::len);
        if found > LONGEST {
            return Err(invalid(
                field,
                format!("it has {found} bytes, more than the {LONGEST} of a calendar entry: shorten it"),
            ));
        }
    }
    if invitation.attendees.len() > MOST_PEOPLE {
        let found = invitation.attendees.len();
        return Err(invalid(
            "attendees",
            format!("there are {found}, more than {MOST_PEOPLE}: send several invitations"),
        ));
    }
    if let Some(organizer) = &invitation.organizer {
        check_address("organizer", &organizer.address)?;
    }
    invitation.attendees.iter().try_for_each(|one| check_address("attendees", &one.address))
}

/// An address that stands in a calendar as it is.
fn check_address(field: &'static str, address: &str) -> Result<(), WriteError> {
    let plain = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".!#$&'*+-/=_{|}~".contains(&byte))
    };
    let good = address.len() <= 254
        && address
            .split_once('@')
            .is_some_and(|(local, domain)| plain(local) && plain(domain) && domain.contains('.'));
    if good {
        return Ok(());
    }
    Err(invalid(field, format!("{:?} is no mail address: name@example.com is one", short(address))))
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

fn in_utc(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn local(at: &Zoned) -> String {
    at.strftime("%Y%m%dT%H%M%S").to_string()
}

/// A name as a parameter. Quotes cannot stand in one; RFC 6868 says what does.
fn named(person: &Attendee) -> String {
    let Some(name) = person.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) else {
        return String::new();
    };
    let mut out = String::from(";CN=\"");
    for letter in short(name).chars() {
        match letter {
            '"' => out.push_str("^'"),
            '^' => out.push_str("^^"),
            letter if is_hidden(letter) => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Text as calendars want it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' | ';' | ',' => out.extend(['\\', letter]),
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' | '\r' => out.push_str("\\n"),
            '\t' => out.push(' '),
            letter if is_hidden(letter) => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// Control characters, and marks that turn words around.
fn is_hidden(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
