//! What the reviews sort by: whom a phrase shuts out, how bad that is, what an ad says and in which part.

use serde::{Deserialize, Serialize};
use tata_phrases::named;

named! {
    /// Whom a phrase shuts out, or what else an inclusion review scores.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Category {
        /// Titles, pronouns, phrases that mean one gender.
        Gender = "gender",
        /// Youth and old age.
        Age = "age",
        /// Disability and health.
        Disability = "disability",
        /// Mother tongue, accent, origin, citizenship.
        Nationality = "nationality",
        /// Ethnicity and skin color.
        Ethnicity = "ethnicity",
        /// Religion and belief.
        Religion = "religion",
        /// Marriage, children, pregnancy.
        Family = "family",
        /// Sexual orientation and gender identity.
        Orientation = "orientation",
        /// Money, class, car, elite schools.
        Socioeconomic = "socioeconomic",
        /// German titles that mean men only.
        GermanTitle = "german_title",
        /// Demands that are higher than the work is.
        Requirements = "requirements",
        /// Where somebody must live.
        Location = "location",
        /// How hard the text is to read.
        Readability = "readability",
        /// What the ad does not say.
        MissingElements = "missing_elements",
    }
}

impl Category {
    /// Twice what it counts in the whole: halves are whole numbers then.
    pub fn weight(self) -> u32 {
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

named! {
    /// How bad a finding is.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Severity {
        /// Worth a thought.
        Low = "low",
        /// Should be changed.
        Medium = "medium",
        /// Must be changed.
        High = "high",
        /// The ad should not be published like this.
        Critical = "critical",
    }
}

named! {
    /// Why a word is banned.
    pub enum Family {
        /// It promises more than anybody can check.
        Hype = "hype",
        /// It tells some people that they are not meant.
        Exclusionary = "exclusionary",
    }
}

named! {
    /// Where a word is banned.
    pub enum Scope {
        /// In all texts for candidates.
        All = "all",
        /// In messages to people who did not apply.
        Headhunting = "headhunting",
    }
}

named! {
    /// What an ad says that a good ad says.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Element {
        /// What is paid.
        Pay = "pay",
        /// That the process can be adapted.
        Accommodation = "accommodation",
        /// That everybody is welcome.
        EqualOpportunity = "equal_opportunity",
        /// Whom to ask.
        Contact = "contact",
        /// Until when to apply.
        Deadline = "deadline",
        /// Permanent, full time.
        Contract = "contract",
        /// Where the work is done.
        Workplace = "workplace",
    }
}

named! {
    /// A part of an ad.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AdSection {
        /// The first line.
        Headline = "headline",
        /// What catches the reader.
        Intro = "intro",
        /// What the job is.
        RoleDescription = "role_description",
        /// What is to be done.
        Responsibilities = "responsibilities",
        /// What is required.
        Requirements = "requirements",
        /// What sort of person.
        SoftSkills = "soft_skills",
        /// What is welcome.
        GoodToHaves = "good_to_haves",
        /// With whom.
        Team = "team",
        /// For whom.
        Company = "company",
        /// What is offered.
        Benefits = "benefits",
        /// How it goes on.
        Process = "process",
        /// What to do now.
        CallToAction = "call_to_action",
    }
}
