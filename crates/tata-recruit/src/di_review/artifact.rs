//! The inclusion review as it is stored.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_language::{
    book::{Category, Element, Severity},
    named,
    review::{Balance, Readability, TitleForm},
};

use crate::{Country, Language, ReviewDecision, Texts, Voice, review::missing_line};

/// How inclusive an ad is, and what would make it better. It never changes the ad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiReview {
    /// The position, if it is known.
    pub position_title: Option<String>,
    /// The language whose word lists were used.
    pub language: Language,
    /// The language the text seems to be in.
    pub detected_language: Option<Language>,
    /// The country whose law is cited; nothing in reviews that are older than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<Country>,
    /// How the explanations speak.
    pub voice: Voice,
    /// How German titles should be marked.
    pub title_form: TitleForm,
    /// The text, byte for byte as it came.
    pub original_text: String,
    /// 0 to 100.
    pub overall_score: u32,
    /// What the score means.
    pub score_band: ScoreBand,
    /// Findings per hundred words: a long ad is not worse for being long.
    pub flags_per_100_words: f64,
    /// 0 to 100 for every category, also the clean ones.
    pub category_scores: BTreeMap<Category, u32>,
    /// How many findings each has.
    pub category_issues: BTreeMap<Category, usize>,
    /// What was found, in the order of the text.
    pub flagged_items: Vec<FlaggedItem>,
    /// What a good ad says and this one does not.
    pub missing_elements: Vec<Element>,
    /// What the law says about the findings.
    pub compliance_notes: Vec<String>,
    /// Words that readers take as typical of men or women, both ways.
    pub balance: Balance,
    /// How hard it is to read.
    pub readability: Readability,
    /// What the recruiter decided about findings.
    #[serde(default)]
    pub decisions: Vec<ReviewDecision>,
    /// The text with what was accepted; nothing until something was.
    pub revised_text: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl DiReview {
    /// The law behind a finding, with its country.
    pub fn law_line(&self, law: &str) -> String {
        let texts = Texts::of(self.voice);
        match self.country {
            Some(country) => {
                texts.say(key!("review.di.law"), &[("country", country.display(texts)), ("law", law)])
            }
            None => texts.say(key!("review.di.ground"), &[("law", law)]),
        }
    }

    /// What readers need to know and the text does not say, each with what is expected of it.
    pub fn missing_lines(&self, texts: &Texts) -> Vec<String> {
        let country = self.country.unwrap_or(Country::of_language(self.language));
        self.missing_elements.iter().map(|element| missing_line(*element, country, texts)).collect()
    }
}

/// Something that shuts people out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlaggedItem {
    /// Its number in this review, from 1.
    pub number: usize,
    /// As it stands in the text.
    pub text: String,
    /// The first character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// The first byte.
    pub byte_start: usize,
    /// The byte after the last.
    pub byte_end: usize,
    /// Whom it shuts out.
    pub category: Category,
    /// How bad it is.
    pub severity: Severity,
    /// Why, in the recruiter's language.
    pub explanation: String,
    /// The law behind it, where there is one.
    pub legal_ground: Option<String>,
    /// Better words, in the language of the ad; at least one.
    pub alternatives: Vec<String>,
    /// The rule that found it.
    pub rule: String,
}

named! {
    /// What a score means.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ScoreBand {
        /// Something high was found: not ready to publish, whatever the score.
        NotReady = "not_ready",
        /// Below 70.
        Excluding = "excluding",
        /// 70 to 89.
        SlightlyBiased = "slightly_biased",
        /// 90 to 99.
        Inclusive = "inclusive",
        /// 100.
        Clean = "clean",
    }
}

impl ScoreBand {
    /// Of a score.
    pub fn of(score: u32) -> Self {
        match score {
            0..70 => Self::Excluding,
            70..90 => Self::SlightlyBiased,
            90..100 => Self::Inclusive,
            100.. => Self::Clean,
        }
    }

    /// Of a score and what was found: anything high caps it.
    pub(crate) fn capped(score: u32, mut found: impl Iterator<Item = Severity>) -> Self {
        if found.any(|severity| severity >= Severity::High) { Self::NotReady } else { Self::of(score) }
    }
}
