//! What the recruiter accepts and ignores of a job-ad review.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{AdIssue, JobAdReview, made};
use crate::{
    DecideInput, Kind, Made, Project, Refusal, ReviewDecision, acts,
    form::Arguments,
    job_ad::carry_over,
    module::Decides,
    questions,
    review::revise::{Decidable, Findings, decided_review, record, replacements},
};

/// To accept or ignore findings.
pub(super) const DECIDES: Decides = acts::asking(acts::decides_ad_findings, question);

fn question(arguments: &Arguments, project: &Project) -> Option<String> {
    let input = DecideInput::deserialize(Value::Object(arguments.clone())).ok()?;
    let decided = chosen(&input, project).ok()?;
    Some(questions::decides_findings(Kind::JobAdReview, &decided, project))
}

/// Records decisions and writes the revised text anew from all that was accepted.
#[expect(clippy::needless_pass_by_value, reason = "every module is handed its input")]
pub fn decide_job_ad_findings(
    input: DecideInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let mut review: JobAdReview = decided_review(project, Kind::JobAdReview)?;
    let decided = (&mut review.decisions, &mut review.revised_text);
    let original = (review.original_text.as_str(), review.language);
    let ([before, after], notices) =
        record(&input, &findings(&review.issues), original, decided, project.texts())?;
    let mut made = made(&review, notices, project.texts())?;
    carry_over(&mut made, project, (&before, &after), now);
    Ok(made)
}

/// What new decisions come to: the words that would stand in the text.
fn chosen(input: &DecideInput, project: &Project) -> Result<Vec<ReviewDecision>, Refusal> {
    let review: JobAdReview = decided_review(project, Kind::JobAdReview)?;
    let original = (review.original_text.as_str(), review.language);
    replacements(input, &findings(&review.issues), original, project.texts())
}

fn findings(issues: &[AdIssue]) -> Findings<'_> {
    let mut findings = Findings::new();
    for issue in issues {
        findings.insert(issue.number, Decidable { bytes: issue.bytes, alternatives: &issue.alternatives });
    }
    findings
}
