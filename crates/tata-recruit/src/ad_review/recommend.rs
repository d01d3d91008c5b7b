//! What to do first.

use super::{AdIssueKind, JobAdReview};
use tata_language::book::Severity;

use crate::Texts;

/// The most that are given: nobody does more at once.
const MOST: usize = 10;
const WEAK_SECTION: u32 = 70;

/// In order: required parts, critical and high remarks, recommended parts, weak parts, the whole.
pub(super) fn recommendations(review: &JobAdReview, texts: &Texts) -> Vec<String> {
    let of = |kind: Option<AdIssueKind>, severity: Severity| {
        review
            .issues
            .iter()
            .filter(move |issue| issue.severity == severity && kind.is_none_or(|kind| issue.category == kind))
    };
    let mut all: Vec<String> = Vec::new();
    let mut add = |text: String| {
        if !all.contains(&text) {
            all.push(text);
        }
    };
    for issue in of(Some(AdIssueKind::Structure), Severity::High) {
        add(issue.suggestion.clone());
    }
    for severity in [Severity::Critical, Severity::High] {
        for issue in of(None, severity).filter(|issue| issue.category != AdIssueKind::Structure) {
            add(format!("{} {}", issue.description, issue.suggestion));
        }
    }
    for issue in of(Some(AdIssueKind::Structure), Severity::Low).take(2) {
        add(issue.suggestion.clone());
    }
    let weak = review.sections.iter().filter(|part| part.found && part.quality_score < WEAK_SECTION);
    for part in weak.take(2) {
        let name = texts.get(group!("review.sections").key(part.section.name()));
        let score = part.quality_score.to_string();
        add(texts
            .say(key!("review.recommendations.section_quality"), &[("section", name), ("score", &score)]));
    }
    match review.overall_score {
        0..50 => add(texts.get(key!("review.recommendations.general_weak")).to_owned()),
        50..70 => add(texts.get(key!("review.recommendations.general_fair")).to_owned()),
        _ => {}
    }
    all.truncate(MOST);
    all
}
