//! What the recruiter accepts and ignores of an inclusion review.

use jiff::Timestamp;

use super::{DiReview, made};
use crate::{
    DecideInput, Kind, Made, Project, Refusal,
    job_ad::carry_over,
    review::revise::{Decidable, decided_review, record},
};

/// Records decisions and writes the revised text anew from all that was accepted.
#[expect(clippy::needless_pass_by_value, reason = "every module is handed its input")]
pub fn decide_di_findings(input: DecideInput, project: &Project, now: Timestamp) -> Result<Made, Refusal> {
    let texts = project.texts();
    let mut review: DiReview = decided_review(project, Kind::DiReview)?;
    let items = review.flagged_items.iter().map(|item| {
        let bytes = Some((item.byte_start, item.byte_end));
        (item.number, Decidable { bytes, alternatives: &item.alternatives })
    });
    let decided = (&mut review.decisions, &mut review.revised_text);
    let original = (review.original_text.as_str(), review.language);
    let ([before, after], notices) = record(&input, &items.collect(), original, decided, texts)?;
    let mut made = made(&review, notices, texts)?;
    carry_over(&mut made, project, (&before, &after), now);
    Ok(made)
}
