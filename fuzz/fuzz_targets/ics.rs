//! Invitations with any texts: refused, or lines that every calendar reads, and no line that somebody smuggled in.
#![no_main]

use arbitrary::Arbitrary;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use tata_document::{Act, Attendee, Invitation, ics};

#[derive(Arbitrary, Debug)]
struct Meeting {
    cancel: bool,
    uid: String,
    sequence: u32,
    start: u32,
    minutes: u16,
    zone: u8,
    summary: String,
    description: String,
    location: Option<String>,
    organizer: Option<(Option<String>, String)>,
    attendees: Vec<(Option<String>, String)>,
}

const ZONES: [&str; 8] = [
    "Europe/Stockholm", "Europe/Copenhagen", "Europe/Oslo", "Europe/Berlin", "UTC", "Africa/Casablanca", "Mars/Base", "",
];

fuzz_target!(|meeting: Meeting| {
    let at = |second: i64| Timestamp::from_second(second).expect("in range");
    let person = |(name, address): (Option<String>, String)| Attendee { name, address };
    let start = i64::from(meeting.start);
    let invitation = Invitation {
        act: if meeting.cancel { Act::Cancel } else { Act::Invite },
        uid: meeting.uid,
        sequence: meeting.sequence,
        stamp: at(start),
        start: at(start),
        end: at(start + i64::from(meeting.minutes) * 60),
        zone: ZONES[usize::from(meeting.zone) % ZONES.len()].to_owned(),
        summary: meeting.summary,
        description: meeting.description,
        location: meeting.location,
        language: "sv".into(),
        organizer: meeting.organizer.map(person),
        attendees: meeting.attendees.into_iter().map(person).collect(),
    };
    let Ok(bytes) = ics(&invitation) else { return };
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert!(text.ends_with("\r\n") && !text.replace("\r\n", "").contains(char::is_control));
    assert!(text.split("\r\n").all(|line| line.len() <= 75));
    let unfolded = text.replace("\r\n ", "");
    let lines: Vec<&str> = unfolded.split("\r\n").filter(|line| !line.is_empty()).collect();
    let count = |name: &str| lines.iter().filter(|line| line.starts_with(name)).count();
    assert_eq!((count("BEGIN:VEVENT"), count("END:VEVENT"), count("UID:"), count("SUMMARY")), (1, 1, 1, 1));
    assert_eq!(count("ATTENDEE"), invitation.attendees.len());
    assert!(lines.iter().all(|line| line.contains(':')));
});
