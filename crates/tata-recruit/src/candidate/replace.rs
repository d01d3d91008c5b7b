//! A new report in the place of one whose ratings a person has decided.

use serde::Deserialize;
use serde_json::Value;
use tata_core::{Act, ArtifactIndex, ArtifactName};

use super::{CandidateInput, names::initials};
use crate::{
    Kind, Project, acts,
    form::Arguments,
    module::Decides,
    questions::{asked, decided_ratings, listed},
};

/// Nobody's ratings are lost unasked.
pub(super) const REPLACES: Decides = acts::asking(act, question);

/// A new report in the place of one whose ratings a person has decided. Without a key the report of this name is meant, and
/// the name is known by its initials only.
fn act(arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
    let mut settled = documents.names().filter(|name| documents.is_settled(name));
    let document = settled.find(|name| means_report(arguments, name))?.clone();
    let words =
        format!("Make the report on {} anew; the ratings that were decided no longer apply.", document.key);
    acts::changes_settled(document, words, documents)
}

/// Whether a new report could take the place of this one.
fn means_report(arguments: &Arguments, report: &ArtifactName) -> bool {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().trim();
    if report.kind != Kind::CandidateReport.artifact() {
        return false;
    }
    let wish = text("candidate_key");
    if !wish.is_empty() {
        return report.key.eq_ignore_ascii_case(wish);
    }
    sorted_letters(&report.key) == sorted_letters(&initials(text("candidate_name")))
}

/// The letters of a key in one order: "Lund, Robin" and "Robin Lund" are one name.
fn sorted_letters(key: &str) -> Vec<char> {
    let mut letters: Vec<char> = key.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    letters.sort_unstable();
    letters
}

fn question(arguments: &Arguments, project: &Project) -> Option<String> {
    let input = CandidateInput::deserialize(Value::Object(arguments.clone())).ok()?;
    let (key, texts) = (super::key(&input, project).ok()?, project.texts());
    let Some(stored) = project.stored(Kind::CandidateReport, &key) else {
        // Somebody else with the same initials: nothing of a decided report changes.
        return Some(asked(key!("decide.new_report"), &[("key", &key)], texts));
    };
    let ratings = decided_ratings(&stored.json, texts);
    let version = stored.version.to_string();
    let values = [("key", key.as_str()), ("version", &version), ("ratings", &listed(&ratings))];
    Some(asked(key!("decide.replace_report"), &values, texts))
}
