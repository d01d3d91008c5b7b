//! Candidates side by side: initials only, and only those who were measured against the same profile.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_core::{Effect, Tool, ToolNameError, ToolOutput, typed_tool};

use super::{
    artifact::{CandidateReport, Rating, ReportStatus},
    compose::{mean, no_report},
    names::Scrubber,
};
use crate::{
    Audience, Block, Document, FormWish, Gate, Key, Kind, Notice, Project, Refusal, Texts, apart::apart,
    capitals::capitalized, module::unreadable, profile, same, tool,
};

/// The most candidates of one call.
const MOST_KEYS: usize = 200;

/// Which candidates to compare.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CompareInput {
    /// Keys of reports, such as JS and JS2; all of them when empty.
    pub candidate_keys: Vec<String>,
    /// Criteria as rows and candidates as columns.
    pub transposed: bool,
    /// The language of the table, if not that of the project.
    pub language: Option<String>,
    /// How a German text addresses its reader.
    pub german_form: Option<FormWish>,
}

/// Candidates side by side. It is shown, not stored: it follows from the reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The version of the profile that all of them were measured against.
    pub profile_version: Option<u32>,
    /// The candidates that were compared, by key.
    pub compared: Vec<String>,
    /// The candidates that were measured against another version.
    pub not_comparable: Vec<String>,
    /// As people read it.
    #[serde(skip)]
    pub document: Document,
    /// What the recruiter should know.
    #[serde(rename = "warnings", skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

/// The tool.
pub(super) fn tool() -> Result<Arc<dyn Tool>, ToolNameError> {
    typed_tool(
        tool::COMPARE_CANDIDATES,
        "Puts the candidates of this project side by side in a table: motivation, every skill and the draft \
         recommendation, by initials only. Call it when the recruiter wants to compare candidates. It does not rank \
         and does not decide.",
        |spec| {
            spec.effect = Effect::Read;
            spec.reads = vec![Kind::ProjectSettings.artifact(), Kind::CandidateReport.artifact()];
        },
        move |input: CompareInput, context| async move {
            let project = Project::load(&context).await.map_err(unreadable)?;
            let comparison = apart(move || compare_candidates(&input, &project)).await?;
            let mut answer = serde_json::to_value(&comparison).unwrap_or_default();
            answer["markdown"] = comparison.document.markdown().into();
            answer["plain_text"] = comparison.document.plain().into();
            Ok(ToolOutput::json(&answer))
        },
    )
}

/// Compares candidates. No reports give an empty table.
pub fn compare_candidates(input: &CompareInput, project: &Project) -> Result<Comparison, Refusal> {
    let texts = project.texts();
    let mut reports: Vec<CandidateReport> = project
        .all(Kind::CandidateReport)
        .filter_map(|stored| project.read(Kind::CandidateReport, &stored.key))
        .collect();
    // JS before JS2 before JS10, whatever order the store gives.
    reports.sort_by_key(|report| {
        (report.candidate_initials.clone(), report.key.chars().count(), report.key.clone())
    });
    let names =
        reports.iter().fold(Scrubber::default(), |names, report| names.with(report.names(), &report.key));
    wanted(input, &mut reports, texts)?;
    let current = profile::of(project).map(|profile| profile.version);
    let newest = reports.iter().map(|report| report.profile_version).max();
    let version =
        current.filter(|current| reports.iter().any(|one| one.profile_version == *current)).or(newest);
    let (compared, others): (Vec<CandidateReport>, Vec<CandidateReport>) =
        reports.into_iter().partition(|report| Some(report.profile_version) == version);
    let spoken = project.speak(input.language.as_deref(), input.german_form, "");
    let own = Texts::of(spoken.voice);
    let keys = |reports: &[CandidateReport], wanted: fn(&CandidateReport) -> bool| -> Vec<String> {
        reports.iter().filter(|report| wanted(report)).map(|report| report.key.clone()).collect()
    };
    let not_comparable = keys(&others, |_| true);
    let drafts = keys(&compared, |report| report.status == ReportStatus::Draft);
    let mut document = Document::new(spoken.voice, own.get(key!("candidate.comparison.title")));
    document.paragraph(own.get(key!("candidate.comparison.draft")));
    document.push(table(&compared, input.transposed, &names, own));
    for (key, keys) in [
        (key!("candidate.comparison.not_comparable"), &not_comparable),
        (key!("candidate.comparison.unconfirmed"), &drafts),
    ] {
        if !keys.is_empty() {
            let keys = own.enumerate(keys);
            document.paragraph(own.say(key, &[("keys", &keys)]));
        }
    }
    let assessed = compared.iter().flat_map(|report| &report.skill_assessments);
    let skills: Vec<&str> = assessed.map(|one| one.skill_name.as_str()).collect();
    let gate = Gate { voice: spoken.voice, audience: Audience::Colleagues, verbatim: &skills };
    let mut notices = spoken.notices;
    notices.extend(gate.pass(&document, texts)?.notices());
    let compared = keys(&compared, |_| true);
    Ok(Comparison { profile_version: version, compared, not_comparable, document, notices })
}

/// Keeps the reports somebody asked for.
fn wanted(input: &CompareInput, reports: &mut Vec<CandidateReport>, texts: &Texts) -> Result<(), Refusal> {
    let wishes: Vec<&str> =
        input.candidate_keys.iter().map(|key| key.trim()).filter(|key| !key.is_empty()).collect();
    // A table without candidates tells nobody anything.
    if wishes.is_empty() && !reports.is_empty() {
        return Ok(());
    }
    let known: Vec<&str> = reports.iter().map(|report| report.key.as_str()).collect();
    let is = |key: &str, wish: &str| key.to_lowercase() == wish.to_lowercase();
    let unknown = wishes.iter().take(MOST_KEYS).any(|wish| !known.iter().any(|key| is(key, wish)));
    if unknown || known.is_empty() || wishes.len() > MOST_KEYS {
        return Err(no_report("candidate_keys", &known, texts));
    }
    reports.retain(|report| wishes.iter().any(|wish| is(&report.key, wish)));
    Ok(())
}

/// The table, in one direction or the other. Names are taken out of every cell.
fn table(reports: &[CandidateReport], transposed: bool, names: &Scrubber, texts: &Texts) -> Block {
    let column = |name: Key| texts.get(name).to_owned();
    let mut skills: Vec<&str> = Vec::new();
    for assessment in reports.iter().flat_map(|report| &report.skill_assessments) {
        if !skills.iter().any(|known| same(known, &assessment.skill_name)) {
            skills.push(&assessment.skill_name);
        }
    }
    let nothing = || "-".to_owned();
    let rating = |rating: Option<Rating>| rating.map_or_else(nothing, Rating::of_five);
    let corner = if transposed {
        key!("candidate.comparison.criterion")
    } else {
        key!("candidate.comparison.candidate")
    };
    let mut header = vec![column(corner), column(key!("candidate.comparison.motivation"))];
    header.extend(skills.iter().map(|skill| capitalized(&names.scrub(&crate::tidy(skill)))));
    if transposed {
        header.push(column(key!("candidate.comparison.mean")));
    }
    header.push(column(key!("candidate.comparison.recommendation")));
    let mut rows = vec![header];
    for report in reports {
        let mut row = vec![report.key.clone(), rating(report.motivation_assessment.rating)];
        row.extend(skills.iter().map(|skill| {
            let found = report.skill_assessments.iter().find(|one| same(&one.skill_name, skill));
            rating(found.and_then(|one| one.rating))
        }));
        if transposed {
            row.push(mean(report, texts).unwrap_or_else(nothing));
        }
        row.push(column(group!("candidate.recommendation").key(report.recommendation.name())));
        rows.push(row);
    }
    if transposed {
        let width = rows.first().map_or(0, Vec::len);
        let column = |at: usize| rows.iter().filter_map(|row| row.get(at).cloned()).collect();
        rows = (0..width).map(column).collect();
    }
    let mut rows = rows.into_iter();
    Block::table(rows.next().unwrap_or_default(), rows)
}
