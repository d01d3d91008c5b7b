//! Writes every sample in every format into a folder, for programs of others to judge: `cargo run --example exports -- DIR`.
#![expect(clippy::panic, clippy::unwrap_used, reason = "it is part of the tests")]

#[path = "../tests/it/samples.rs"]
mod samples;

use std::{fs, path::PathBuf};

use tata_document::{Act, Invitation, Target, WriteError, ics, write};

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap());
    fs::create_dir_all(&folder).unwrap();
    for (name, document) in samples::documents() {
        fs::write(folder.join(format!("{name}.json")), serde_json::to_vec(&document).unwrap()).unwrap();
        for target in Target::ALL {
            match write(&document, target, &samples::options()) {
                Ok(bytes) => fs::write(folder.join(format!("{name}.{}", target.ending())), bytes).unwrap(),
                Err(WriteError::Nothing { .. }) => {}
                Err(error) => panic!("{name}, {}: {error}", target.ending()),
            }
        }
    }
    let request = samples::invitation();
    let publish = Invitation { organizer: None, attendees: Vec::new(), ..request.clone() };
    let cancel = Invitation { act: Act::Cancel, sequence: 2, ..request.clone() };
    for (name, invitation) in [("request", request), ("publish", publish), ("cancel", cancel)] {
        fs::write(folder.join(format!("{name}.ics")), ics(&invitation).unwrap()).unwrap();
    }
    // The same clock on both sides of the changes, in each office.
    for zone in [
        "Europe/Stockholm",
        "Europe/Copenhagen",
        "Europe/Oslo",
        "Europe/Berlin",
        "America/New_York",
        "Atlantic/Reykjavik",
    ] {
        for day in ["2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25", "2027-03-28", "2028-11-05"] {
            let start: jiff::Timestamp = format!("{day}T11:00:00Z").parse().unwrap();
            let end = start + jiff::SignedDuration::from_mins(60);
            let place = zone.replace('/', "-");
            let invitation = Invitation { start, end, zone: zone.into(), ..samples::invitation() };
            fs::write(folder.join(format!("zone-{place}-{day}.ics")), ics(&invitation).unwrap()).unwrap();
        }
    }
}
