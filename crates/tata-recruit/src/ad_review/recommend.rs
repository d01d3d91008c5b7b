//! What to do first.

use super::{AdIssue, AdIssueKind, JobAdReview};
use tata_language::book::Severity;

use crate::Texts;

/// The most that are given: nobody does more at once.
const MOST: usize = 10;
const WEAK_SECTION: u32 = 70;

/// In order: required parts, critical and high remarks, recommended parts, weak parts, the whole.
pub(super) fn recommendations(review: &JobAdReview, texts: &Texts) -> Vec<String> {
    let of = |severity: Severity| review.issues.iter().filter(move |issue| issue.severity == severity);
    let is_part = |issue: &&AdIssue| issue.category == AdIssueKind::Structure;
    let mut all: Vec<String> = Vec::new();
    let mut add = |text: String| {
        if !all.contains(&text) {
            all.push(text);
        }
    };
    of(Severity::High).filter(is_part).for_each(|issue| add(issue.suggestion.clone()));
    for issue in of(Severity::Critical).chain(of(Severity::High)).filter(|issue| !is_part(issue)) {
        add(format!("{} {}", issue.description, issue.suggestion));
    }
    of(Severity::Low).filter(is_part).take(2).for_each(|issue| add(issue.suggestion.clone()));
    let weak = review.sections.iter().filter(|part| part.found && part.quality_score < WEAK_SECTION);
    for part in weak.take(2) {
        let name = texts.get(group!("review.sections").key(part.section.name()));
        let values = [("section", name), ("score", &*part.quality_score.to_string())];
        add(texts.say(key!("review.recommendations.section_quality"), &values));
    }
    match review.overall_score {
        0..50 => add(texts.get(key!("review.recommendations.general_weak")).to_owned()),
        50..70 => add(texts.get(key!("review.recommendations.general_fair")).to_owned()),
        _ => {}
    }
    all.truncate(MOST);
    all
}
