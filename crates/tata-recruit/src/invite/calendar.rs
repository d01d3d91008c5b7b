//! An invitation as calendars take it.

use serde::Deserialize;
use serde_json::Value;
use tata_document::{Act, Invitation};

use super::CalendarInvite;

/// The calendar entry of a stored invitation. Every version of one invitation has the same `uid`; a later one replaces the
/// earlier. Without an agreed time there is none, and that is said.
pub fn invitation(json: &Value, uid: &str, version: u32) -> Result<Invitation, String> {
    let invite = CalendarInvite::deserialize(json)
        .map_err(|_| "only a calendar invitation becomes a calendar entry".to_owned())?;
    let Some(meeting) = invite.meeting else {
        return Err("no time is agreed yet: a calendar entry needs a day and an hour".to_owned());
    };
    let place = [invite.location.address.clone(), invite.location.city.clone()];
    let place: Vec<String> = place.into_iter().flatten().collect();
    Ok(Invitation {
        act: Act::Invite,
        uid: uid.to_owned(),
        sequence: version.saturating_sub(1),
        stamp: invite.created_at,
        start: meeting.start,
        end: meeting.end,
        zone: meeting.time_zone,
        summary: invite.subject,
        description: invite.body,
        location: (!place.is_empty()).then(|| place.join(", ")),
        language: invite.voice.language().code().into(),
        organizer: None,
        attendees: Vec::new(),
    })
}
