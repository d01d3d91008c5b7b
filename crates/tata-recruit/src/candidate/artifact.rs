//! A candidate report as it is stored: every statement with the words behind it, every rating with its reason.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use tata_language::named;

use super::names::Scrubber;
use crate::{Evidence, FormDecision, Source, Sources, Voice};

/// What an interview showed. Ratings are drafts until a person has confirmed them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateReport {
    /// The candidate's name: here and nowhere else, apart from the texts that were handed over.
    #[serde(default)]
    pub candidate_name: String,
    /// What else the candidate is called, in the transcript or by people; kept from the model like the name.
    #[serde(default)]
    pub other_names: Vec<String>,
    /// What stands for the name everywhere: initials, with a number where two people share them.
    pub key: String,
    /// Two or three letters.
    pub candidate_initials: String,
    /// Whether a person has confirmed the ratings.
    pub status: ReportStatus,
    /// The version, from 1.
    pub version: u32,
    /// How it speaks.
    pub voice: Voice,
    /// Why this German form.
    pub form: Option<FormDecision>,
    /// The position.
    pub position_name: String,
    /// The version of the profile the candidate was measured against.
    pub profile_version: u32,
    /// The day of the interview.
    pub interview_date: Date,
    /// Who this is, in short.
    pub summary: Vec<Statement>,
    /// The career so far.
    pub background: Vec<Statement>,
    /// Why the candidate wants the role.
    pub motivation_assessment: Assessment,
    /// One per must-have, then one per good-to-have that the template asks about.
    pub skill_assessments: Vec<Assessment>,
    /// Notice, pay, place, languages.
    pub practical_details: PracticalDetails,
    /// What to think about.
    pub risks: Vec<Statement>,
    /// What the ratings add up to.
    pub recommendation: Recommendation,
    /// The mean of motivation and must-haves, in tenths, over what was assessed.
    pub mean_tenths: Option<u32>,
    /// How many of motivation and must-haves were not assessed.
    pub not_assessed: u32,
    /// The end, in words.
    pub conclusion: String,
    /// Answers about work that no other part of the report quotes: nothing a candidate said is dropped silently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_answers: Vec<Quote>,
    /// The interview and the CV, so that every quotation can be checked later.
    #[serde(default)]
    pub sources: Sources,
    /// When this version was made.
    pub created_at: Timestamp,
}

impl CandidateReport {
    /// Every form of the candidate's name.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.candidate_name).chain(&self.other_names).map(String::as_str)
    }

    /// Takes the candidate's name out of texts: the key stands for it.
    pub(super) fn scrubber(&self) -> Scrubber {
        Scrubber::default().with(self.names(), &self.key)
    }

    /// What counts for the recommendation: motivation, then the must-haves.
    pub fn counted(&self) -> impl Iterator<Item = &Assessment> {
        let must_haves = self.skill_assessments.iter().filter(|assessment| assessment.must_have);
        std::iter::once(&self.motivation_assessment).chain(must_haves)
    }

    /// Motivation and every skill.
    pub fn assessments(&self) -> impl Iterator<Item = &Assessment> {
        std::iter::once(&self.motivation_assessment).chain(&self.skill_assessments)
    }

    /// Every quotation in it.
    pub fn quotes(&self) -> impl Iterator<Item = &Quote> {
        let stated = [&self.summary, &self.background, &self.risks].into_iter().flatten();
        let assessed = self.assessments().flat_map(Assessment::quotes);
        let practical = self.practical_details.all().into_iter();
        let practical = practical.flat_map(|detail| detail.quote.iter().chain(&detail.corrected));
        let stated = stated.flat_map(|statement| &statement.quotes);
        stated.chain(assessed).chain(practical).chain(&self.other_answers)
    }
}

named! {
    /// How far a report is.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ReportStatus {
        /// Nobody has confirmed every rating yet.
        #[default]
        Draft = "draft",
        /// A person stands behind every rating.
        Confirmed = "confirmed",
    }
}

/// A sentence, and the words behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The sentence.
    pub text: String,
    /// What was said or written.
    #[serde(default)]
    pub quotes: Vec<Quote>,
}

/// Somebody's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The words on one line, as they were said.
    pub text: String,
    /// Where they stand; several places where a transcript cuts a sentence.
    #[serde(default)]
    pub spans: Vec<Evidence>,
    /// When they were said, in milliseconds from the start.
    pub at_ms: Option<u64>,
    /// How an obvious slip of the transcription reads; never put into the words themselves.
    #[serde(default)]
    pub reads_as: Option<String>,
    /// The question it answers, in the words of whoever asked; never evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

impl Quote {
    /// The text the words come from.
    pub fn source(&self) -> Source {
        self.spans.first().map_or(Source::Transcript, |span| span.source)
    }
}

/// How well the candidate meets one thing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// The skill as the profile has it; empty for motivation.
    pub skill_name: String,
    /// Whether it counts for the recommendation.
    pub must_have: bool,
    /// In short.
    pub summary: String,
    /// Up to three, from the candidate's mouth.
    pub examples: Vec<Quote>,
    /// Up to three answers with something that may speak against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Quote>,
    /// The passages that come nearest, where nothing was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Quote>,
    /// The rating; none when it was not assessed.
    pub rating: Option<Rating>,
    /// Why this rating, or why none. Never empty.
    pub explanation: String,
    /// Who proposed or decided it.
    pub basis: Basis,
    /// What a person decided.
    #[serde(default)]
    pub decision: Option<RatingDecision>,
}

impl Assessment {
    /// Takes over what a model proposes; what rules found against it stays.
    pub(super) fn take_over(&mut self, proposed: Self) {
        let against = std::mem::take(&mut self.against);
        *self = Self { against, ..proposed };
        let known: Vec<&str> = self.examples.iter().map(|quote| quote.text.as_str()).collect();
        self.against.retain(|quote| !known.contains(&quote.text.as_str()));
    }

    /// Every quotation in it.
    pub fn quotes(&self) -> impl Iterator<Item = &Quote> {
        self.examples.iter().chain(&self.against).chain(&self.nearest)
    }
}

/// An integer from 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8")]
pub struct Rating(u8);

impl Rating {
    /// A rating, if it is one.
    pub fn new(value: i64) -> Option<Self> {
        u8::try_from(value).ok().filter(|value| (1..=5).contains(value)).map(Self)
    }

    /// Its value.
    pub fn value(self) -> u8 {
        self.0
    }

    /// As it is shown: "3/5".
    pub(super) fn of_five(self) -> String {
        format!("{}/5", self.0)
    }

    /// Weak, or nothing relevant.
    pub fn is_low(self) -> bool {
        self.0 <= 2
    }
}

impl TryFrom<u8> for Rating {
    type Error = String;

    fn try_from(value: u8) -> Result<Self, Self::Error> {
        Self::new(i64::from(value)).ok_or_else(|| format!("a rating is 1 to 5, not {value}"))
    }
}

/// Where a rating comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Nobody rated it: a person is needed.
    #[default]
    NotAssessed,
    /// A rule found what an anchor of the screening template asks for; only in reports of earlier versions.
    Anchor,
    /// The assistant proposed it with quotations.
    Assistant,
    /// A person decided it.
    Person,
}

/// What a person decided about a rating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingDecision {
    /// What was proposed before.
    pub proposed: Option<Rating>,
    /// The reason; a changed rating always has one.
    pub reason: Option<String>,
    /// When.
    pub decided_at: Timestamp,
}

/// What must fit besides skills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PracticalDetails {
    /// How long the candidate is bound.
    pub notice_period: Detail,
    /// When the candidate can begin; empty in reports of earlier versions, which had no line for it.
    #[serde(default)]
    pub start: Detail,
    /// For how much; never what somebody earned.
    pub salary_expectation: Detail,
    /// Where.
    pub location: Detail,
    /// Which languages the candidate speaks about.
    pub languages: Detail,
}

impl PracticalDetails {
    /// What they are called, in the order of documents.
    pub(super) const NAMES: [&str; 5] =
        ["notice_period", "start", "salary_expectation", "location", "languages"];

    /// In the same order.
    pub fn all(&self) -> [&Detail; 5] {
        [&self.notice_period, &self.start, &self.salary_expectation, &self.location, &self.languages]
    }

    /// The same to change.
    pub(super) fn all_mut(&mut self) -> [&mut Detail; 5] {
        let Self { notice_period, start, salary_expectation, location, languages } = self;
        [notice_period, start, salary_expectation, location, languages]
    }
}

/// One practical detail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// What was said, or that it was not discussed.
    pub text: String,
    /// The words behind it; none when it was not discussed.
    pub quote: Option<Quote>,
    /// What the candidate had said before and took back with these words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Quote>,
}

impl Detail {
    /// A detail in these words.
    pub(super) fn said(quote: Quote) -> Self {
        Self { text: quote.text.clone(), quote: Some(quote), corrected: None }
    }
}

named! {
    /// What the ratings add up to. A person decides.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Recommendation {
        /// A mean of 4.0 or more, everything assessed, nothing at 2 or below.
        Recommended = "recommended",
        /// In between.
        Borderline = "borderline",
        /// A mean below 2.5, or two or more at 2 or below.
        NotRecommended = "not_recommended",
        /// A person has not rated motivation and every must-have yet: no judgment.
        #[default]
        NotEnoughAssessed = "not_enough_assessed",
    }
}
