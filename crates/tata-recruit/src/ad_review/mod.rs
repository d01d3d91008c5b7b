//! The job-ad review: whether an ad has all its parts, how good they are, and whether the text rules are kept. The ad
//! stays as it is.

mod artifact;
mod check;
mod decide;
mod duplicates;
mod recommend;
mod render;
mod sections;

use std::sync::Arc;
use tata_language::review::{Reading, readability};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use tata_core::{FieldKind, Tool, ToolNameError};

pub(crate) use artifact::SectionReview;
pub use artifact::{AdBand, AdIssue, AdIssueKind, JobAdReview};
pub use decide::decide_job_ad_findings;
pub(crate) use render::render;

use self::check::Check;

use crate::{
    Audience, Country, Gate, Kind, Made, Notice, Project, Refusal, Texts,
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Said, Source},
    },
    module::deciding,
    profile,
    review::input::{ReviewedText, country, given_text, reviewed},
    tool,
};

/// Shorter texts are reviewed with a warning.
const SHORT: usize = 100;

/// What a job-ad review needs: the text.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JobAdReviewInput {
    /// The ad, word for word as the recruiter gave it. Left out, the job ad of this project is reviewed.
    pub job_ad_text: Option<String>,
    /// The language of the ad: en, sv, da, no or de. Left out, it is found out.
    pub language: Option<String>,
    /// The position, if it is known.
    pub position_title: Option<String>,
    /// The country of the job, only where the recruiter named it.
    pub country: Option<Country>,
    /// The language of the explanations, where the project has none yet: en, sv, da, no or de.
    pub explain_in: Option<String>,
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(vec![
        deciding(
            tool::CREATE_JOB_AD_REVIEW,
            "Reviews a job ad: structure, content and compliance scores, each of the twelve parts of an ad, vague and \
             banned words, duplication, pay, contact and deadline, and whether it agrees with the requirement profile. \
             It never changes the text. Call it when the recruiter wants feedback on an ad.",
            Kind::JobAdReview,
            Kind::JobAdReview.requires(),
            Some(crate::acts::REPLACES_AD_REVIEW),
            create_job_ad_review,
        )?,
        deciding(
            tool::DECIDE_JOB_AD_FINDINGS,
            "Records which remarks of the job-ad review the recruiter accepts or ignores, by number, and writes a \
             revised text from the accepted ones only. Call it only after the recruiter decided.",
            Kind::JobAdReview,
            &[Kind::JobAdReview],
            Some(decide::DECIDES),
            decide_job_ad_findings,
        )?,
    ])
}

/// Reviews an ad.
pub fn create_job_ad_review(
    input: JobAdReviewInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let text = given_text(input.job_ad_text.as_deref(), project)?;
    let ReviewedText { words, language, detected, notices } =
        reviewed(&text, input.language.as_deref(), SHORT, project)?;
    let reading = Reading::of(&text, words, language);
    let profile = profile::of(project);
    let country = country(input.country, &text, language, project);
    let checked = Check::new(&reading, texts, detected, country).run(profile.as_ref());
    let mut review = JobAdReview {
        position_title: input.position_title.filter(|title| !title.trim().is_empty()),
        language,
        detected_language: detected,
        voice: project.voice(),
        original_text: text.clone().into_owned(),
        overall_score: checked.overall(),
        score_band: AdBand::of(checked.overall(), &checked.issues),
        structure_score: checked.structure,
        content_score: checked.content,
        compliance_score: checked.compliance,
        sections: checked.sections,
        issues: checked.issues,
        missing_elements: checked.missing,
        recommendations: Vec::new(),
        readability: readability(&reading),
        decisions: Vec::new(),
        revised_text: None,
        created_at: now,
    };
    review.recommendations = recommend::recommendations(&review, texts);
    let mut made = made(&review, notices, texts)?;
    let next = [key!("review.next.decide"), key!("review.next.inclusion")];
    made.next_steps = next.map(|key| texts.get(key).to_owned()).into();
    Ok(made)
}

/// The report behind the gate; what it quotes from the ad is the ad's.
fn made(review: &JobAdReview, notices: Vec<Notice>, texts: &Texts) -> Result<Made, Refusal> {
    let quoted = review.issues.iter().filter_map(|issue| issue.text.as_deref());
    let alternatives = review.issues.iter().flat_map(|issue| &issue.alternatives).map(String::as_str);
    let descriptions = review.issues.iter().flat_map(|issue| [&issue.description, &issue.suggestion]);
    let position = review.position_title.as_deref();
    let verbatim: Vec<&str> =
        quoted.chain(alternatives).chain(descriptions.map(String::as_str)).chain(position).collect();
    let gate = Gate { voice: review.voice, audience: Audience::Colleagues, verbatim: &verbatim };
    Made::passing(&gate, Kind::JobAdReview, review, render(review), notices, texts)
}

impl Asked for JobAdReviewInput {
    const FIELDS: Fields =
        Fields(&[(Source, "job_ad_text"), (Choice, "language explain_in country"), (Said, "position_title")]);
    // The language of a review's input is that of the ad; what explains it has a field of its own.
    const LANGUAGE: &'static str = "explain_in";
    const ASKS: &'static [Spec] = &[field("job_ad_text", FieldKind::Material, Need::Always)];
}
