//! The requirement profile as it is stored: every statement with its evidence.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::named;

use crate::{Country, Item, Language, Source, Sources, Voice};

/// How many must-haves a profile has.
pub(crate) const MUST_HAVES: usize = 4;

/// What a role needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The position.
    pub position_title: String,
    /// Whether the recruiter confirmed it.
    pub status: ProfileStatus,
    /// The version, from 1.
    pub version: u32,
    /// How it is rendered.
    pub voice: Voice,
    /// The language its statements are written in, as far as it could be told.
    pub content_language: Option<Language>,
    /// Exactly four.
    pub must_have_skills: Vec<Item>,
    /// At most five per source.
    pub primary_responsibilities: Vec<Item>,
    /// Welcome, not required.
    #[serde(default)]
    pub good_to_haves: Vec<Item>,
    /// Personal qualities.
    #[serde(default)]
    pub soft_skills: Vec<Item>,
    /// Why somebody would want the role.
    #[serde(default)]
    pub motivations: Vec<Item>,
    /// The team.
    #[serde(default)]
    pub team_info: TeamInfo,
    /// The country of the job, where the recruiter named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<Country>,
    /// The business unit.
    pub bu_description: Option<Item>,
    /// What the role adds to the mission.
    pub contribution_to_mission: Option<Item>,
    /// How success is measured.
    #[serde(default)]
    pub performance_measures: Vec<Item>,
    /// What is hard about it.
    #[serde(default)]
    pub challenges: Vec<Item>,
    /// When the work begins, until when to apply, and other days.
    #[serde(default)]
    pub dates: Vec<Item>,
    /// The steps of the recruitment.
    #[serde(default)]
    pub process_steps: Vec<Item>,
    /// The form of employment, and its hours.
    #[serde(default)]
    pub employment: Vec<Item>,
    /// The pay, if it was told.
    pub pay_range: Option<PayRange>,
    /// The collective agreement, if there is one.
    pub collective_agreement: Option<Item>,
    /// The texts it was made from.
    pub sources: Sources,
    /// When this version was made.
    pub created_at: Timestamp,
}

impl Profile {
    /// The language of its statements; where that could not be told, the one it is rendered in.
    pub(crate) fn written_in(&self) -> Language {
        self.content_language.unwrap_or(self.voice.language())
    }

    /// The country of the job, as far as anything tells it.
    pub(crate) fn job_country(&self) -> Option<Country> {
        let place = self.team_info.location.as_ref().map(|place| place.text.as_str());
        job_country(place, self.country, &self.sources)
    }
}

/// The country of a job: of the place of work, else as the recruiter set it, else the one that the notes speak of.
pub(super) fn job_country(place: Option<&str>, set: Option<Country>, sources: &Sources) -> Option<Country> {
    let noted = || {
        let notes = [Source::StartupNotes, Source::HiringManagerInput, Source::RecruiterInput];
        let notes: Vec<&str> = notes.into_iter().filter_map(|source| sources.get(source)).collect();
        Country::of_text(&notes.join("\n"))
    };
    place.and_then(Country::of_place).or(set).or_else(noted)
}

/// Whether a profile may still change without an explicit edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfileStatus {
    /// The recruiter has not said yes yet.
    #[default]
    Draft,
    /// Locked; it changes by an explicit edit only.
    Confirmed,
}

/// The team around the role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamInfo {
    /// How many people.
    pub size: Option<Size>,
    /// Where.
    pub location: Option<Item>,
    /// How they work together.
    pub collaboration_style: Option<Item>,
}

/// A number of people with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// How many.
    pub people: u32,
    /// Where it says so.
    #[serde(flatten)]
    pub evidence: crate::Evidence,
}

/// What the role pays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayRange {
    /// The least; nothing where only the most was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// The most; nothing where only the least was said, and the same as the least where one sum was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// An ISO 4217 code such as SEK.
    pub currency: String,
    /// What the amount is for.
    pub period: PayPeriod,
    /// What comes with it, in the words in which it was said: "plus 10% pension".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// Where it says so.
    #[serde(flatten)]
    pub evidence: crate::Evidence,
}

named! {
    /// The time a pay is for.
    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum PayPeriod {
        /// An hour.
        Hour = "hour",
        /// A month.
        #[default]
        Month = "month",
        /// A year.
        Year = "year",
    }
}
