//! A job ad as it is stored: sections in order, each with where it comes from.

use std::collections::BTreeSet;

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use tata_language::named;

use super::AdGiven;
use crate::{Block, Document, Evidence, FormDecision, Notice, PayRange, Sources, Texts, Unproven, Voice};

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
    /// Statements that no source proves. While there are any, the ad is not ready to be published.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unproven: Vec<Unproven>,
    /// How it compares with ads that the recruiter pasted, if there were any.
    pub market: Option<AdMarket>,
    /// The pay it names.
    pub pay_range: Option<PayRange>,
    /// The last day to apply.
    pub apply_by: Option<Date>,
    /// What the recruiter gave for it, for its next version.
    #[serde(default)]
    pub given: AdGiven,
    /// The texts behind it: those of the profile, and what came with the ad.
    #[serde(default)]
    pub sources: Sources,
    /// When it was made.
    pub created_at: Timestamp,
}

impl JobAd {
    /// One section.
    pub fn section(&self, name: SectionName) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// As candidates read it. The alternatives and the checks are for the recruiter and not part of it.
    pub fn document(&self) -> Document {
        super::render::document(self)
    }

    /// As the recruiter is shown it: the ad, under a line that says so while it may not be published.
    pub fn shown(&self) -> Document {
        let mut document = self.document();
        if let Some(not_ready) = self.not_ready(Texts::of(self.voice)) {
            document.blocks.insert(0, Block::paragraph(not_ready));
        }
        document
    }

    /// What keeps it from being published, in words: high findings of the inclusion review.
    pub fn not_ready(&self, texts: &Texts) -> Option<String> {
        let text = self.document().plain();
        crate::review::ready::not_ready([(self.voice.language(), text.as_str())], texts)
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
    /// More points under a line of their own: what is welcome beside what is required.
    #[serde(default)]
    pub further: Vec<AdPoints>,
    /// Where it comes from: fields of the profile, or texts.
    pub sources: Vec<String>,
    /// The places in the sources behind it.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

impl Section {
    /// Every piece of text in it, in the order in which it is read.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let further = self.further.iter().flat_map(|more| std::iter::once(&more.lead).chain(&more.points));
        std::iter::once(&self.text).chain(&self.points).chain(further).map(String::as_str)
    }

    /// The same without the lines that introduce points, to be changed.
    pub(super) fn words_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let further = self.further.iter_mut().flat_map(|more| &mut more.points);
        std::iter::once(&mut self.text).chain(&mut self.points).chain(further)
    }
}

/// Points under a line that introduces them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdPoints {
    /// The line.
    pub lead: String,
    /// The points.
    pub points: Vec<String>,
}

/// What could be compared mechanically between this ad and others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdMarket {
    /// This ad.
    pub own: AdFacts,
    /// The ads that were pasted, in their order.
    pub others: Vec<AdFacts>,
}

/// What can be seen in an ad without understanding it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdFacts {
    /// How many words.
    pub words: usize,
    /// How many points in lists.
    pub bullets: usize,
    /// What it has.
    pub parts: BTreeSet<AdPart>,
}

named! {
    /// Something that an ad has or lacks.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AdPart {
        /// What there is to do.
        Tasks = "tasks",
        /// What is required.
        Requirements = "requirements",
        /// What is offered.
        Offer = "offer",
        /// The team.
        Team = "team",
        /// How the recruitment goes.
        Process = "process",
        /// The pay.
        Pay = "pay",
        /// Somebody to ask.
        Contact = "contact",
        /// The last day to apply.
        Deadline = "deadline",
    }
}

named! {
    /// The parts of an ad.
    #[derive(Default, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum SectionName {
        /// With the position's title.
        #[default]
        Headline = "headline",
        /// Two sentences at most.
        Intro = "intro",
        /// What the role is.
        RoleDescription = "role_description",
        /// Why it matters.
        TheWhy = "the_why",
        /// Three to five points.
        Responsibilities = "responsibilities",
        /// The four must-haves word for word, and what is welcome.
        Requirements = "requirements",
        /// The person, in prose.
        SoftSkillsParagraph = "soft_skills_paragraph",
        /// The team and the company.
        TeamAndWhyGc = "team_and_why_gc",
        /// The steps.
        Process = "process",
        /// The call to apply.
        Ending = "ending",
    }
}

impl SectionName {
    /// What people call it.
    pub(crate) fn display(self, texts: &Texts) -> &str {
        texts.get(group!("job_ad.names").key(self.name()))
    }
}
