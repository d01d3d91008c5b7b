//! What the recruiter accepts and ignores of an inclusion review.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{DiReview, FlaggedItem, made};
use crate::{
    DecideInput, Kind, Made, Project, Refusal, ReviewDecision, acts,
    form::Arguments,
    job_ad::carry_over,
    module::Decides,
    questions,
    review::revise::{Decidable, Findings, decided_review, record, replacements},
};

/// To accept or ignore findings.
pub(super) const DECIDES: Decides = acts::asking(acts::decides_di_findings, question);

fn question(arguments: &Arguments, project: &Project) -> Option<String> {
    let input = DecideInput::deserialize(Value::Object(arguments.clone())).ok()?;
    let decided = chosen(&input, project).ok()?;
    Some(questions::decides_findings(Kind::DiReview, &decided, project))
}

/// Records decisions and writes the revised text anew from all that was accepted.
#[expect(clippy::needless_pass_by_value, reason = "every module is handed its input")]
pub fn decide_di_findings(input: DecideInput, project: &Project, now: Timestamp) -> Result<Made, Refusal> {
    let texts = project.texts();
    let mut review: DiReview = decided_review(project, Kind::DiReview)?;
    let decided = (&mut review.decisions, &mut review.revised_text);
    let original = (review.original_text.as_str(), review.language);
    let ([before, after], notices) =
        record(&input, &findings(&review.flagged_items), original, decided, texts)?;
    let mut made = made(&review, notices, texts)?;
    carry_over(&mut made, project, (&before, &after), now);
    Ok(made)
}

/// What new decisions come to: the words that would stand in the text.
fn chosen(input: &DecideInput, project: &Project) -> Result<Vec<ReviewDecision>, Refusal> {
    let review: DiReview = decided_review(project, Kind::DiReview)?;
    let original = (review.original_text.as_str(), review.language);
    replacements(input, &findings(&review.flagged_items), original, project.texts())
}

fn findings(items: &[FlaggedItem]) -> Findings<'_> {
    let mut findings = Findings::new();
    for item in items {
        let bytes = Some((item.byte_start, item.byte_end));
        findings.insert(item.number, Decidable { bytes, alternatives: &item.alternatives });
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::di_review::{DiReviewInput, create_di_review};

    /// "Suggestion 2 is used": which words were to stand in the text, nobody could see.
    #[test]
    fn the_question_about_findings_names_the_words_that_will_stand() {
        let ad = "Sales role\nWe look for a salesman who is a digital native. Our guys work hard.";
        for (language, yes_or_no) in [
            ("en", "Yes or no?"),
            ("sv", "Ja eller nej?"),
            ("da", "Ja eller nej?"),
            ("no", "Ja eller nei?"),
            ("de", "Ja oder nein?"),
        ] {
            let project = Project::default().speaking(Some(language));
            let text = json!({ "job_ad_text": ad, "language": "en" });
            let review = DiReviewInput::deserialize(text).unwrap();
            let made = create_di_review(review, &project, Timestamp::UNIX_EPOCH).unwrap();
            let items = made.json["flagged_items"].as_array().unwrap();
            let item = items.iter().find(|item| item["text"] == "salesman").unwrap();
            let number = item["number"].clone();
            let second = item["alternatives"][1].as_str().unwrap().to_owned();
            let project = project.with(Kind::DiReview, "", &made.json);
            let asked_about = |accepted: Value| {
                let arguments = json!({ "accept": [accepted] });
                question(arguments.as_object().unwrap(), &project)
            };
            let asked = asked_about(json!({ "finding": number })).unwrap();
            assert!(asked.contains("salesperson") && asked.ends_with(yes_or_no), "{language}: {asked}");
            let asked = asked_about(json!({ "finding": number, "alternative": 2 })).unwrap();
            assert!(asked.contains(&second), "{language}: {asked}");
            assert_eq!(asked_about(json!({ "finding": 99 })), None, "{language}");
        }
    }
}
