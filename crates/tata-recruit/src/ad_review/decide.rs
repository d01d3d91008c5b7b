//! What the recruiter accepts and ignores of a job-ad review.

use jiff::Timestamp;

use super::{JobAdReview, made};
use crate::{
    DecideInput, Kind, Made, Project, Refusal,
    job_ad::carry_over,
    review::revise::{Decidable, decided_review, record},
};

/// Records decisions and writes the revised text anew from all that was accepted.
#[expect(clippy::needless_pass_by_value, reason = "every module is handed its input")]
pub fn decide_job_ad_findings(
    input: DecideInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let mut review: JobAdReview = decided_review(project, Kind::JobAdReview)?;
    let items = review
        .issues
        .iter()
        .map(|issue| (issue.number, Decidable { bytes: issue.bytes, alternatives: &issue.alternatives }));
    let decided = (&mut review.decisions, &mut review.revised_text);
    let original = (review.original_text.as_str(), review.language);
    let ([before, after], notices) = record(&input, &items.collect(), original, decided, project.texts())?;
    let mut made = made(&review, notices, project.texts())?;
    carry_over(&mut made, project, (&before, &after), now);
    Ok(made)
}
