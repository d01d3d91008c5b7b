//! What the recruiter accepts and ignores of a job-ad review.

use jiff::Timestamp;

use super::{JobAdReview, passed, render};
use crate::{
    DecideInput, Kind, Made, Project, Refusal,
    job_ad::carry_over,
    review::revise::{Decidable, decide, revised},
};

/// Records decisions and writes the revised text anew from all that was accepted.
#[expect(clippy::needless_pass_by_value, reason = "every module is handed its input")]
pub fn decide_job_ad_findings(
    input: DecideInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let Some(mut review) = project.read::<JobAdReview>(Kind::JobAdReview, "") else {
        let message = texts.say("review.refuse.review", &[("review", Kind::JobAdReview.display(texts))]);
        return Err(Refusal::of("", message, texts.get("review.refuse.review_way_out")));
    };
    let items: Vec<Decidable<'_>> = review
        .issues
        .iter()
        .map(|issue| Decidable {
            number: issue.number,
            bytes: issue.bytes,
            alternatives: &issue.alternatives,
        })
        .collect();
    let decisions =
        decide(&input, &items, &review.decisions, (&review.original_text, review.language), texts)?;
    let text = revised(&review.original_text, &items, &decisions);
    drop(items);
    let before = std::mem::replace(&mut review.revised_text, text);
    review.decisions = decisions;
    let document = render(&review);
    let cleared = passed(&review, &document, project)?;
    let mut made = Made::new(Kind::JobAdReview, &review, document, &cleared);
    let [before, after] =
        [&before, &review.revised_text].map(|text| text.as_deref().unwrap_or(&review.original_text));
    carry_over(&mut made, project, (before, after), now);
    Ok(made)
}
