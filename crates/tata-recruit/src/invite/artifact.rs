//! An invitation as it is stored. The moments are kept apart from the words, for calendars.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::named;

use crate::{FormDecision, Voice};

/// An invitation to an interview.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarInvite {
    /// The position.
    pub position_name: String,
    /// How it speaks.
    pub voice: Voice,
    /// Why this German form.
    pub form: Option<FormDecision>,
    /// What sort of interview.
    pub interview_type: InterviewType,
    /// Who is invited; none leaves a placeholder in the text.
    pub candidate_name: Option<String>,
    /// The line above it.
    pub subject: String,
    /// The text: paragraphs with empty lines between.
    pub body: String,
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// How the time is found.
    pub booking_method: BookingMethod,
    /// When it begins and ends, if that is agreed.
    pub meeting: Option<Meeting>,
    /// Where.
    pub location: Location,
    /// How long, in minutes.
    pub duration_minutes: u32,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A part of the text: prose, or points under a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The words.
    pub text: String,
    /// The points, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<String>,
}

/// The moments of a meeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meeting {
    /// Its beginning.
    pub start: Timestamp,
    /// Its end.
    pub end: Timestamp,
    /// The zone its clock time is in.
    pub time_zone: String,
}

/// Where people meet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// On Teams or in an office.
    #[serde(rename = "type")]
    pub kind: LocationType,
    /// The city of the office.
    pub city: Option<String>,
    /// Its address.
    pub address: Option<String>,
    /// Where it is on a map.
    pub map: Option<String>,
}

named! {
    /// The sorts of interviews.
    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum InterviewType {
        /// With the hiring manager.
        #[default]
        HiringManager = "hiring_manager",
        /// About a case.
        Case = "case",
        /// With the team.
        Team = "team",
        /// The first one, with the recruiter.
        TaScreening = "ta_screening",
    }
}

/// On the screen or in a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocationType {
    /// Microsoft Teams.
    #[default]
    Teams,
    /// One of the offices.
    Onsite,
}

/// How the time is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BookingMethod {
    /// The candidate books in Jobylon.
    #[default]
    Jobylon,
    /// The recruiter names it.
    Manual,
}
