//! What the reviews sort by: whom a phrase shuts out, how bad that is, what an ad says and in which part.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whom a phrase shuts out, or what else an inclusion review scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Titles, pronouns, phrases that mean one gender.
    Gender,
    /// Youth and old age.
    Age,
    /// Disability and health.
    Disability,
    /// Mother tongue, accent, origin, citizenship.
    Nationality,
    /// Ethnicity and skin color.
    Ethnicity,
    /// Religion and belief.
    Religion,
    /// Marriage, children, pregnancy.
    Family,
    /// Sexual orientation and gender identity.
    Orientation,
    /// Money, class, car, elite schools.
    Socioeconomic,
    /// German titles that mean men only.
    GermanTitle,
    /// Demands that are higher than the work is.
    Requirements,
    /// Where somebody must live.
    Location,
    /// How hard the text is to read.
    Readability,
    /// What the ad does not say.
    MissingElements,
}

impl Category {
    /// All, in the order of a report.
    pub const ALL: [Self; 14] = [
        Self::Gender,
        Self::Age,
        Self::Disability,
        Self::Nationality,
        Self::Ethnicity,
        Self::Religion,
        Self::Family,
        Self::Orientation,
        Self::Socioeconomic,
        Self::GermanTitle,
        Self::Requirements,
        Self::Location,
        Self::Readability,
        Self::MissingElements,
    ];

    /// Its name in the word lists, in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gender => "gender",
            Self::Age => "age",
            Self::Disability => "disability",
            Self::Nationality => "nationality",
            Self::Ethnicity => "ethnicity",
            Self::Religion => "religion",
            Self::Family => "family",
            Self::Orientation => "orientation",
            Self::Socioeconomic => "socioeconomic",
            Self::GermanTitle => "german_title",
            Self::Requirements => "requirements",
            Self::Location => "location",
            Self::Readability => "readability",
            Self::MissingElements => "missing_elements",
        }
    }

    /// Twice what it counts in the whole: halves are whole numbers then.
    pub(crate) fn weight(self) -> u32 {
        match self {
            Self::Gender
            | Self::Age
            | Self::Disability
            | Self::Ethnicity
            | Self::Religion
            | Self::Orientation => 4,
            Self::Nationality | Self::Family => 3,
            Self::Socioeconomic | Self::GermanTitle => 2,
            Self::Requirements | Self::Location | Self::Readability | Self::MissingElements => 1,
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth a thought.
    Low,
    /// Should be changed.
    Medium,
    /// Must be changed.
    High,
    /// The ad should not be published like this.
    Critical,
}

/// What an ad says that a good ad says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    /// What is paid.
    Pay,
    /// That the process can be adapted.
    Accommodation,
    /// That everybody is welcome.
    EqualOpportunity,
    /// Whom to ask.
    Contact,
    /// Until when to apply.
    Deadline,
    /// Permanent, full time.
    Contract,
    /// Where the work is done.
    Workplace,
}

/// A part of an ad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdSection {
    /// The first line.
    Headline,
    /// What catches the reader.
    Intro,
    /// What the job is.
    RoleDescription,
    /// What is to be done.
    Responsibilities,
    /// What is required.
    Requirements,
    /// What sort of person.
    SoftSkills,
    /// What is welcome.
    GoodToHaves,
    /// With whom.
    Team,
    /// For whom.
    Company,
    /// What is offered.
    Benefits,
    /// How it goes on.
    Process,
    /// What to do now.
    CallToAction,
}

impl Severity {
    /// All, the least first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// Its name in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl Element {
    /// All, in the order of the word lists.
    pub const ALL: [Self; 7] = [
        Self::Pay,
        Self::Accommodation,
        Self::EqualOpportunity,
        Self::Contact,
        Self::Deadline,
        Self::Contract,
        Self::Workplace,
    ];

    /// Its name in the word lists, in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::Accommodation => "accommodation",
            Self::EqualOpportunity => "equal_opportunity",
            Self::Contact => "contact",
            Self::Deadline => "deadline",
            Self::Contract => "contract",
            Self::Workplace => "workplace",
        }
    }
}

impl AdSection {
    /// All, in the order in which a reader expects them.
    pub const ALL: [Self; 12] = [
        Self::Headline,
        Self::Intro,
        Self::RoleDescription,
        Self::Responsibilities,
        Self::Requirements,
        Self::SoftSkills,
        Self::GoodToHaves,
        Self::Team,
        Self::Company,
        Self::Benefits,
        Self::Process,
        Self::CallToAction,
    ];
    /// Its name in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Intro => "intro",
            Self::RoleDescription => "role_description",
            Self::Responsibilities => "responsibilities",
            Self::Requirements => "requirements",
            Self::SoftSkills => "soft_skills",
            Self::GoodToHaves => "good_to_haves",
            Self::Team => "team",
            Self::Company => "company",
            Self::Benefits => "benefits",
            Self::Process => "process",
            Self::CallToAction => "call_to_action",
        }
    }
}
