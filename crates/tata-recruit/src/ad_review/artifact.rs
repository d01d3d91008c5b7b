//! The job-ad review as it is stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_language::{
    book::{AdSection, Element, Severity},
    named,
    review::Readability,
};

use crate::{Language, ReviewDecision, Voice, review::revise::offered};

/// How good an ad is, and what would make it better. It never changes the ad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobAdReview {
    /// The position, if it is known.
    pub position_title: Option<String>,
    /// The language whose word lists were used.
    pub language: Language,
    /// The language the text seems to be in.
    pub detected_language: Option<Language>,
    /// How the remarks speak.
    pub voice: Voice,
    /// The text, byte for byte as it came.
    pub original_text: String,
    /// 0 to 100.
    pub overall_score: u32,
    /// What the score means; anything high caps it.
    #[serde(default)]
    pub score_band: AdBand,
    /// Whether all parts are there: 0 to 100.
    pub structure_score: u32,
    /// How good the parts are: 0 to 100.
    pub content_score: u32,
    /// Whether the text rules are kept: 0 to 100.
    pub compliance_score: u32,
    /// The twelve parts of an ad.
    pub sections: Vec<SectionReview>,
    /// What was noticed, in order of the text; what has no place comes first.
    pub issues: Vec<AdIssue>,
    /// What a good ad says and this one does not.
    pub missing_elements: Vec<Element>,
    /// What to do first; at most ten.
    pub recommendations: Vec<String>,
    /// How hard it is to read.
    pub readability: Readability,
    /// What the recruiter decided about remarks.
    #[serde(default)]
    pub decisions: Vec<ReviewDecision>,
    /// The text with what was accepted; nothing until something was.
    pub revised_text: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl JobAdReview {
    /// The better words that surely fit into the sentence of a remark, each with its number.
    pub fn offered<'a>(&self, issue: &'a AdIssue) -> Vec<(usize, &'a str)> {
        offered(&issue.alternatives, issue.bytes, (&self.original_text, self.language))
    }

    /// Whether readers miss this part: neither it nor another one tells what it is for.
    pub fn lacks(&self, section: AdSection) -> bool {
        let mut missing = self.issues.iter().filter(|issue| issue.rule.starts_with("missing_"));
        missing.any(|issue| issue.location == Some(section))
    }
}

named! {
    /// What the score of an ad means.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AdBand {
        /// Something high or critical was found: not ready to publish, whatever the score.
        #[default]
        NotReady = "not_ready",
        /// Below 70.
        Weak = "weak",
        /// 70 to 89.
        Good = "good",
        /// 90 and above.
        Strong = "strong",
    }
}

impl AdBand {
    /// Of a score and what was found. A part that is missing, or stands where nobody looks for it, is no reason: an ad
    /// need not look like ours.
    pub(super) fn of(score: u32, issues: &[AdIssue]) -> Self {
        let caps =
            |issue: &AdIssue| issue.severity >= Severity::High && issue.category != AdIssueKind::Structure;
        match score {
            _ if issues.iter().any(caps) => Self::NotReady,
            0..70 => Self::Weak,
            70..90 => Self::Good,
            90.. => Self::Strong,
        }
    }
}

/// A part of the ad.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionReview {
    /// Which.
    pub section: AdSection,
    /// Whether it is there.
    pub found: bool,
    /// How good it is, if it is there: 0 to 100.
    pub quality_score: u32,
    /// How many words it has.
    pub word_count: usize,
    /// Its characters in the text.
    pub places: Vec<[usize; 2]>,
    /// What is wrong with it.
    pub issues: Vec<String>,
    /// What would make it better.
    pub suggestions: Vec<String>,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdIssue {
    /// Its number in this review, from 1.
    pub number: usize,
    /// What it is about.
    pub category: AdIssueKind,
    /// How bad it is.
    pub severity: Severity,
    /// What it says, in the recruiter's language.
    pub description: String,
    /// The part it is about, if it is about one.
    pub location: Option<AdSection>,
    /// What to do.
    pub suggestion: String,
    /// As it stands in the text, if it has a place.
    pub text: Option<String>,
    /// The first character.
    pub start: Option<usize>,
    /// The character after the last.
    pub end: Option<usize>,
    /// The first byte and the one after the last.
    pub bytes: Option<(usize, usize)>,
    /// Words that could stand there instead.
    pub alternatives: Vec<String>,
    /// The rule that found it.
    pub rule: String,
}

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdIssueKind {
    /// A part is missing.
    Structure,
    /// A part could be better.
    Content,
    /// A text rule is broken.
    Compliance,
    /// Something is said twice.
    Duplication,
    /// Something a reader needs is not said.
    MissingElement,
    /// The ad and the requirement profile disagree.
    Profile,
}
