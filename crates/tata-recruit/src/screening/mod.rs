//! The screening templates: questions for the recruiter's and for the hiring manager's interview.
//!
//! Both are composed in the same way, from the profile and native question texts; the hiring manager's has room for
//! notes after every question. The same input gives the same questions. What a model wrote itself is taken over once it
//! passes the same rules: one main question, two or three follow-ups, one language, nothing private.

mod artifact;
mod classify;
mod compose;
mod given;
mod intro;
mod protected;
mod render;
mod reword;
mod select;
mod withheld;

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use tata_core::{FieldKind, Tool, ToolNameError};

pub use artifact::*;
pub use given::{GivenPractical, GivenQuestions, GivenType};
pub(crate) use render::render;
pub use select::MOST_AREAS;

use crate::{
    Audience, FormWish, Gate, Kind, Made, Notice, Profile, ProfileStatus, Project, Refusal,
    document::listed,
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Said, Written},
    },
    job_ad,
    module::module,
    profile, tidy, tool,
    withheld::Sieve,
};

/// What a screening template is made from, besides the requirement profile of the project.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScreeningInput {
    /// Whether the good-to-haves of the profile get questions too. Default: false.
    pub include_good_to_haves: bool,
    /// Whether the template begins with a short introduction of the role, taken from the profile. Default: false.
    pub include_role_intro: bool,
    /// The skills of the profile that get questions, as the recruiter confirmed them. Leave out for all four must-haves;
    /// the recruiter is then asked to confirm. A skill that is not in the profile is refused.
    pub skills_to_include: Option<Vec<String>>,
    /// Further areas the recruiter wants to ask about, at most 10. Job-related only.
    pub additional_areas: Option<Vec<String>>,
    /// The language of the template: en, sv, da, no or de. Default: the language of the project.
    pub language: Option<String>,
    /// How a German template addresses the candidate. Default: what the context suggests.
    pub german_form: Option<FormWish>,
    /// Your own classification of skills, each with a reason. Leave out to let word lists decide.
    pub skill_types: Option<Vec<GivenType>>,
    /// Your own questions, one entry per skill, in the language of the template. Skills without an entry get built-in
    /// questions.
    pub questions: Option<Vec<GivenQuestions>>,
    /// Your own questions on motivation, 3 to 5.
    pub motivation: Option<Vec<String>>,
    /// Your own wording of the practical questions.
    pub practical: Option<GivenPractical>,
    /// Your own closing, 3 to 6 lines: thanks, when feedback comes, next stage, contact, last questions. No dates, names
    /// or addresses.
    pub closing: Option<Vec<String>>,
}

/// Creates the recruiter's template.
pub fn create_ta_screening_template(
    input: ScreeningInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    create(input, project, now, Kind::TaScreeningTemplate)
}

/// Creates the hiring manager's template.
pub fn create_hm_screening_template(
    input: ScreeningInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    create(input, project, now, Kind::HmScreeningTemplate)
}

fn create(mut input: ScreeningInput, project: &Project, now: Timestamp, kind: Kind) -> Result<Made, Refusal> {
    let texts = project.texts();
    let profile = profile::needed(project, kind)?;
    let spoken =
        project.speak_in(input.language.as_deref(), job_ad::form_beside(project, input.german_form, None));
    let mut selection = select::select(&input, &profile, texts)?;
    withheld::check(&input, &Sieve::new(texts, project.voice().language(), profile.job_country()))?;
    given::verify(&mut input, &selection, &profile, spoken.voice, texts)?;
    let mut notices = spoken.notices;
    if profile.status == ProfileStatus::Draft {
        notices.push(Notice::say("requirement_profile", texts, key!("screening.notice.draft"), &[]));
    }
    notices.append(&mut selection.notices);

    let notes = kind == Kind::HmScreeningTemplate;
    let mut template = compose::compose(&profile, &selection, &input, spoken.voice, notes);
    template.form = spoken.form;
    template.created_at = now;
    template.role_intro =
        input.include_role_intro.then(|| intro::introduce(&profile, spoken.voice, &mut notices, texts));

    let document = render(&template);
    let verbatim = verbatim(&profile, &template);
    let verbatim: Vec<&str> = verbatim.iter().map(String::as_str).collect();
    let gate = Gate { voice: spoken.voice, audience: Audience::Colleagues, verbatim: &verbatim };
    let mut made = Made::passing(&gate, kind, &template, document, notices, texts)?;
    if input.skills_to_include.is_none() {
        let skills = listed(&selection.must_haves, texts);
        made.questions.push(texts.say(key!("screening.question.confirm"), &[("skills", &skills)]));
    }
    let other = if template.is_hm_template { key!("screening.next.ta") } else { key!("screening.next.hm") };
    made.next_steps.push(texts.get(key!("screening.next.candidate_report")).to_owned());
    made.next_steps.push(texts.get(other).to_owned());
    Ok(made)
}

/// What stands in the template as others wrote it.
fn verbatim(profile: &Profile, template: &ScreeningTemplate) -> Vec<String> {
    let title = &template.position_title;
    let in_sentence = crate::wording::title_in_sentence(title, template.voice.language());
    let mut verbatim = vec![title.clone(), in_sentence];
    verbatim.extend(profile.items().map(|item| tidy(&item.text)));
    verbatim.extend(template.additional_areas.iter().cloned());
    verbatim.retain(|text| !text.is_empty());
    verbatim
}

/// The recruiter's screening template of a project.
pub fn ta_template(project: &Project) -> Option<ScreeningTemplate> {
    project.read(Kind::TaScreeningTemplate, "")
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(vec![
        module(
            tool::CREATE_TA_SCREENING_TEMPLATE,
            "Creates the recruiter's interview template from the requirement profile: questions on motivation, on each \
             skill (one main question and follow-ups) and on practical matters, a closing, and what a 1, 3 and 5 look \
             like. Call it when the recruiter wants to prepare a screening; confirm first which skills get questions.",
            Kind::TaScreeningTemplate,
            create_ta_screening_template,
        )?,
        module(
            tool::CREATE_HM_SCREENING_TEMPLATE,
            "Creates the hiring manager's interview template: the same as the recruiter's, with room for notes after \
             every question. Call it when the hiring manager is going to interview; confirm first which skills get \
             questions.",
            Kind::HmScreeningTemplate,
            create_hm_screening_template,
        )?,
    ])
}

impl Asked for ScreeningInput {
    const FIELDS: Fields = Fields(&[
        (Choice, "skills_to_include/* language german_form"),
        (Said, "additional_areas/*"),
        (Choice, "skill_types/*/{skill,type} questions/*/skill"),
        (Written, "skill_types/*/reason"),
        (Written, "questions/*/main_question questions/*/follow_ups/* questions/*/anchors/{1,3,5}"),
        (Written, "motivation/* closing/*"),
        (Written, "practical/{notice_period,salary_expectation,location,candidate_questions}"),
    ]);
    const ASKS: &'static [Spec] = &[field("additional_areas", FieldKind::List, Need::Never)];
}
