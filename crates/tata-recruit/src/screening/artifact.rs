//! A screening template as it is stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_language::named;

use crate::{FormDecision, Voice};

/// The questions of an interview.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreeningTemplate {
    /// The position.
    pub position_title: String,
    /// For the hiring manager: with room for notes after every question.
    pub is_hm_template: bool,
    /// How it speaks.
    pub voice: Voice,
    /// Why this German form.
    #[serde(default)]
    pub form: Option<FormDecision>,
    /// The version of the profile it was made from.
    pub profile_version: u32,
    /// About the role, if it was asked for.
    #[serde(default)]
    pub role_intro: Option<String>,
    /// Why the candidate is here.
    pub motivation: Vec<Question>,
    /// What 1, 3 and 5 mean for motivation.
    pub motivation_anchors: Anchors,
    /// What the candidate can do.
    pub skills: Vec<SkillSet>,
    /// Must-haves that the recruiter does not want to ask about here.
    #[serde(default)]
    pub not_asked: Vec<String>,
    /// Further areas the recruiter asked for; each has a question among the practical ones.
    #[serde(default)]
    pub additional_areas: Vec<String>,
    /// Notice, pay expectation, place, what the recruiter added, and last the candidate's own questions.
    pub practical: Vec<Question>,
    /// What is said at the end.
    pub closing: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl ScreeningTemplate {
    /// Every question, in order.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        let skills =
            self.skills.iter().flat_map(|set| std::iter::once(&set.main_question).chain(&set.follow_ups));
        self.motivation.iter().chain(skills).chain(&self.practical)
    }
}

/// A question, and whether there is room for notes after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The question.
    pub text: String,
    /// Room for notes follows.
    pub notes_space: bool,
}

/// The questions on one skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillSet {
    /// The skill, as the profile has it.
    pub skill_name: String,
    /// What sort of skill.
    pub skill_type: SkillType,
    /// Why it was taken for that.
    pub type_reason: String,
    /// What is required: experience, or something that cannot be asked about like it.
    #[serde(default)]
    pub requirement: Requirement,
    /// Whether the profile requires it.
    pub must_have: bool,
    /// The question.
    pub main_question: Question,
    /// Two or three more.
    pub follow_ups: Vec<Question>,
    /// What 1, 3 and 5 mean for this skill.
    pub anchors: Anchors,
}

named! {
    /// What sort of skill it is, which decides how to ask about it.
    #[derive(Default, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum SkillType {
        /// Tools, methods, systems.
        Technical = "technical",
        /// Leading people.
        Leadership = "leadership",
        /// Business and everything else.
        #[default]
        Functional = "functional",
        /// Welcome, not required.
        GoodToHave = "good_to_have",
    }
}

named! {
    /// What a requirement asks for. A driving licence is no project: each of these has questions of its own.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Requirement {
        /// Experience, knowledge, a quality.
        #[default]
        Experience = "experience",
        /// A language.
        Language = "language",
        /// A licence, a certificate, a permit.
        Credential = "credential",
        /// A degree or a training.
        Education = "education",
        /// Shifts, standby, travel.
        Availability = "availability",
    }
}

/// Descriptions of answers: what can be observed, not what somebody is like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anchors {
    /// A weak answer.
    #[serde(rename(deserialize = "1"), alias = "one")]
    pub one: String,
    /// A sufficient answer.
    #[serde(rename(deserialize = "3"), alias = "three")]
    pub three: String,
    /// A strong answer.
    #[serde(rename(deserialize = "5"), alias = "five")]
    pub five: String,
}

impl Anchors {
    /// All three, the weakest first.
    pub fn all(&self) -> [&String; 3] {
        [&self.one, &self.three, &self.five]
    }
}
