//! What a model or a recruiter hands over.

use schemars::JsonSchema;
use serde::Deserialize;
use tata_core::FieldKind;

use super::artifact::Version;
use crate::{
    FormWish, Voice,
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Said, Source, Written},
    },
};

/// What headhunting messages are made from, beside the requirement profile of the project.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HeadhuntingInput {
    /// The language shown first: en, sv, da, no or de. All are written in any case. Left out: that of the project.
    pub language: Option<String>,
    /// Which of the two German forms is shown; auto decides by the context. Both are written.
    pub german_form: Option<FormWish>,
    /// The name of the person the messages are for, if it is known: the greeting uses the first name.
    pub candidate_name: Option<String>,
    /// The public profile of the person the messages are for, pasted as it is. Leave it out if there is none.
    pub candidate_profile: Option<String>,
    /// What kind of company or team this is, in the recruiter's words. It decides between du and Sie.
    pub company_context: Option<String>,
    /// One statement about work from the candidate's profile to take up. Left out: one is chosen.
    pub personalization_detail: Option<DetailQuote>,
    /// One reason for the role in several languages, translated from a statement of the requirement profile.
    pub value_propositions: Option<Reasons>,
    /// Texts you wrote yourself, any of the eighteen. The others are written from templates.
    pub messages: Vec<GivenMessage>,
}

/// Words of a candidate's profile.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DetailQuote {
    /// 10 to 100 characters, word for word: a role or employer, years of experience, a skill. Nothing private.
    pub quote: String,
}

/// One reason in several voices. Each is a whole sentence; numbers stay as they are.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reasons {
    /// The statement of the requirement profile it translates, word for word: a motivation, the mission, the unit.
    pub based_on: String,
    /// In English.
    #[serde(default)]
    pub en: Option<String>,
    /// In Swedish.
    #[serde(default)]
    pub sv: Option<String>,
    /// In Danish.
    #[serde(default)]
    pub da: Option<String>,
    /// In Norwegian.
    #[serde(default)]
    pub no: Option<String>,
    /// In German, du.
    #[serde(default)]
    pub de_du: Option<String>,
    /// In German, Sie.
    #[serde(default)]
    pub de_sie: Option<String>,
}

impl Reasons {
    pub(super) fn by_voice(&self) -> impl Iterator<Item = (Voice, &str)> {
        let texts = [&self.en, &self.sv, &self.da, &self.no, &self.de_du, &self.de_sie];
        Voice::ALL.into_iter().zip(texts).filter_map(|(voice, text)| Some((voice, text.as_deref()?)))
    }
}

/// A text a model wrote.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenMessage {
    /// Which version.
    pub version: Version,
    /// Which voice.
    pub voice: Voice,
    /// The whole text with greeting and closing: under 100 words; `short_direct` at most 400 characters.
    pub text: String,
    /// The sentence of the text that names the position, exactly as the requirement profile names it.
    pub hook: String,
    /// The sentence of the text with the one reason for the role.
    pub value_proposition: String,
    /// The statement of the requirement profile that this reason tells, word for word.
    pub based_on: String,
    /// The sentence of the text that says what the reader should do.
    pub call_to_action: String,
}

impl Asked for HeadhuntingInput {
    const FIELDS: Fields = Fields(&[
        (Choice, "language german_form"),
        (Said, "candidate_name personalization_detail/quote"),
        (Source, "candidate_profile company_context"),
        (Written, "value_propositions/{en,sv,da,no,de_du,de_sie}"),
        (Written, "messages/*/{text,hook,value_proposition,call_to_action}"),
        (Choice, "value_propositions/based_on messages/*/{version,voice,based_on}"),
    ]);
    const ASKS: &'static [Spec] = &[field("candidate_profile", FieldKind::Material, Need::Never)];
}
