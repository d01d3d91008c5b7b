//! A job ad as it is stored: sections in order, each with where it comes from.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Evidence, FormDecision, Notice, Voice};

/// An advertisement for a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobAd {
    /// The position.
    pub position_title: String,
    /// How it speaks.
    pub voice: Voice,
    /// Why this German form.
    pub form: Option<FormDecision>,
    /// The version of the profile it was made from.
    pub profile_version: u32,
    /// The sections, in the order of [`SectionName::ALL`].
    pub sections: Vec<Section>,
    /// Other headlines to choose from.
    pub alternative_headlines: Vec<String>,
    /// Other intros to choose from.
    pub alternative_intros: Vec<String>,
    /// What the comparison with the sources and the language rules found.
    pub checks: Vec<Notice>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl JobAd {
    /// One section.
    pub fn section(&self, name: SectionName) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

/// A part of an ad.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Which.
    pub name: SectionName,
    /// Prose, if it has any.
    pub text: String,
    /// Points, if it has any.
    #[serde(default)]
    pub points: Vec<String>,
    /// Where it comes from: fields of the profile, or texts.
    pub sources: Vec<String>,
    /// The places in the sources behind it.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// The parts of an ad.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SectionName {
    /// With the position's title.
    #[default]
    Headline,
    /// Two sentences at most.
    Intro,
    /// What the role is.
    RoleDescription,
    /// Why it matters.
    TheWhy,
    /// Three to five points.
    Responsibilities,
    /// The four must-haves word for word, and what is welcome.
    Requirements,
    /// The person, in prose.
    SoftSkillsParagraph,
    /// The team and the company.
    TeamAndWhyGc,
    /// The steps.
    Process,
    /// The call to apply.
    Ending,
}

impl SectionName {
    /// In order.
    pub const ALL: [Self; 10] = [
        Self::Headline,
        Self::Intro,
        Self::RoleDescription,
        Self::TheWhy,
        Self::Responsibilities,
        Self::Requirements,
        Self::SoftSkillsParagraph,
        Self::TeamAndWhyGc,
        Self::Process,
        Self::Ending,
    ];

    /// Its name in JSON and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Intro => "intro",
            Self::RoleDescription => "role_description",
            Self::TheWhy => "the_why",
            Self::Responsibilities => "responsibilities",
            Self::Requirements => "requirements",
            Self::SoftSkillsParagraph => "soft_skills_paragraph",
            Self::TeamAndWhyGc => "team_and_why_gc",
            Self::Process => "process",
            Self::Ending => "ending",
        }
    }
}
