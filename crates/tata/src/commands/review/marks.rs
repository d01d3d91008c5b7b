//! What both reviews found, in one shape: places in a text with a reason and better words.

use std::path::PathBuf;

use tata_recruit::{DiReview, JobAdReview, Kind, Made, Severity};

/// A text that was reviewed.
pub(super) struct Reviewed {
    pub(super) path: PathBuf,
    pub(super) made: Made,
}

/// A finding.
pub(super) struct Mark {
    pub(super) number: usize,
    pub(super) rule: String,
    pub(super) severity: Severity,
    /// The first byte and the one after the last; nothing if it has no place.
    pub(super) bytes: Option<(usize, usize)>,
    /// What it is and why, in whole sentences.
    pub(super) message: String,
    pub(super) alternatives: Vec<String>,
    /// The law behind it.
    pub(super) ground: Option<String>,
}

impl Reviewed {
    pub(super) fn score(&self) -> u32 {
        self.made.json["overall_score"].as_u64().and_then(|score| u32::try_from(score).ok()).unwrap_or(0)
    }

    pub(super) fn text(&self) -> &str {
        self.made.json["original_text"].as_str().unwrap_or_default()
    }

    pub(super) fn di(&self) -> Option<DiReview> {
        serde_json::from_value(self.made.json.clone()).ok().filter(|_| self.made.kind == Kind::DiReview)
    }

    pub(super) fn ad(&self) -> Option<JobAdReview> {
        serde_json::from_value(self.made.json.clone()).ok().filter(|_| self.made.kind == Kind::JobAdReview)
    }

    /// The findings, in order.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let mut marks = Vec::new();
        for item in self.di().into_iter().flat_map(|review| review.flagged_items) {
            marks.push(Mark {
                number: item.number,
                rule: item.rule,
                severity: item.severity,
                bytes: Some((item.byte_start, item.byte_end)),
                message: item.explanation,
                alternatives: item.alternatives,
                ground: item.legal_ground,
            });
        }
        for issue in self.ad().into_iter().flat_map(|review| review.issues) {
            marks.push(Mark {
                number: issue.number,
                rule: issue.rule,
                severity: issue.severity,
                bytes: issue.bytes,
                message: format!("{} {}", issue.description, issue.suggestion),
                alternatives: issue.alternatives,
                ground: None,
            });
        }
        marks
    }
}

/// A line of a text and the part of it that a finding marks.
pub(super) struct Spot<'a> {
    /// Counted from 1.
    pub(super) line: usize,
    /// Characters before the finding, from 0.
    pub(super) before: usize,
    /// Characters of the finding on this line.
    pub(super) length: usize,
    pub(super) text: &'a str,
}

/// Where a finding stands. One that goes over several lines is marked on its first.
pub(super) fn spot(text: &str, (start, end): (usize, usize)) -> Spot<'_> {
    let before = text.get(..start).unwrap_or_default();
    let first = before.rfind('\n').map_or(0, |at| at + 1);
    let last = text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| start + at);
    let marked = text.get(start..end.min(last)).unwrap_or_default();
    Spot {
        line: before.matches('\n').count() + 1,
        before: text.get(first..start).unwrap_or_default().chars().count(),
        length: marked.chars().count().max(1),
        text: text.get(first..last).unwrap_or_default().trim_end_matches('\r'),
    }
}
