//! What a person can decide about a document with one click: each choice is a call of the tool that does it.

use serde::Deserialize;
use serde_json::{Value, json};
use tata_recruit::{
    Assessment, CandidateReport, DiReview, JobAd, JobAdReview, Kind, LISTS, Profile, ProfileStatus,
    ReviewDecision, Texts, group, key, text_parts, tool,
};
use tata_web::{Choice, ChoiceKind, Finding, TextPiece};

const DI: &str = tool::DECIDE_DI_FINDINGS;
const AD: &str = tool::DECIDE_JOB_AD_FINDINGS;
const RATE: &str = tool::CONFIRM_CANDIDATE_REPORT;
const PROOF: &str = tool::DECIDE_UNPROVEN_STATEMENTS;

/// What should be decided about parts of a document.
pub(super) fn findings(kind: Kind, json: &Value, texts: &Texts) -> Vec<Finding> {
    match kind {
        Kind::DiReview => {
            DiReview::deserialize(json).map(|review| of_inclusion(&review, texts)).unwrap_or_default()
        }
        Kind::JobAdReview => {
            JobAdReview::deserialize(json).map(|review| of_ad(&review, texts)).unwrap_or_default()
        }
        Kind::JobAd => JobAd::deserialize(json).map(|ad| of_proof(&ad, texts)).unwrap_or_default(),
        Kind::CandidateReport => {
            CandidateReport::deserialize(json).map(|report| of_ratings(&report, texts)).unwrap_or_default()
        }
        Kind::RequirementProfile
        | Kind::TaScreeningTemplate
        | Kind::HmScreeningTemplate
        | Kind::HeadhuntingMessages
        | Kind::FunnelReport
        | Kind::CalendarInvite
        | Kind::ProjectSettings => Vec::new(),
    }
}

/// What can be decided about a whole document.
pub(super) fn choices(kind: Kind, json: &Value) -> Vec<Choice> {
    if kind != Kind::RequirementProfile {
        return Vec::new();
    }
    let open = Profile::deserialize(json).is_ok_and(|profile| profile.status != ProfileStatus::Confirmed);
    let confirm = Choice {
        kind: ChoiceKind::Settle,
        words: String::new(),
        tool: tool::EDIT_REQUIREMENT_PROFILE,
        arguments: json!({ "confirm": true }),
        own_words: None,
        rating: None,
    };
    open.then_some(confirm).into_iter().collect()
}

/// The text of a review, cut at its findings.
pub(super) fn marked(kind: Kind, json: &Value) -> Vec<TextPiece> {
    let (text, mut places, decisions) = if kind == Kind::DiReview {
        let Ok(review) = DiReview::deserialize(json) else { return Vec::new() };
        let place = |item: &tata_recruit::FlaggedItem| (item.byte_start, item.byte_end, item.number);
        (review.original_text, review.flagged_items.iter().map(place).collect::<Vec<_>>(), review.decisions)
    } else if kind == Kind::JobAdReview {
        let Ok(review) = JobAdReview::deserialize(json) else { return Vec::new() };
        let place =
            |issue: &tata_recruit::AdIssue| issue.bytes.map(|(start, end)| (start, end, issue.number));
        (review.original_text, review.issues.iter().filter_map(place).collect(), review.decisions)
    } else {
        return Vec::new();
    };
    places.sort_unstable();
    let (mut pieces, mut done) = (Vec::new(), 0);
    for (start, end, number) in places {
        // Of two that overlap, the first is marked; the other stands in the list.
        let (Some(before), Some(words)) = (text.get(done..start), text.get(start..end)) else { continue };
        let decision = decisions.iter().rev().find(|decision| decision.finding == number);
        let replaced = decision.and_then(|decision| decision.replacement.clone());
        pieces.push(TextPiece { words: before.to_owned(), ..TextPiece::default() });
        pieces.push(TextPiece { words: words.to_owned(), finding: Some(number), replaced });
        done = end;
    }
    pieces.push(TextPiece { words: text.get(done..).unwrap_or_default().to_owned(), ..TextPiece::default() });
    pieces
}

/// Parts of a document that can be worded otherwise or taken out.
pub(super) fn edits(kind: Kind, json: &Value, texts: &Texts) -> Vec<Finding> {
    if kind == Kind::RequirementProfile { statements(json, texts) } else { parts(kind, json) }
}

fn parts(kind: Kind, json: &Value) -> Vec<Finding> {
    let Some((tool, parts)) = text_parts(kind, json) else { return Vec::new() };
    let one = |(part, number): (tata_recruit::TextPart, usize)| {
        let choice = |kind, own_words| Choice {
            kind,
            words: String::new(),
            tool,
            arguments: json!({ "changes": [{ "old": part.text, "new": "", "number": number }] }),
            own_words,
            rating: None,
        };
        let delete = part.optional.then(|| choice(ChoiceKind::Delete, None));
        Finding {
            choices: std::iter::once(choice(ChoiceKind::Replace, Some("/changes/0/new")))
                .chain(delete)
                .collect(),
            number,
            text: part.text,
            label: part.label,
            ..Finding::default()
        }
    };
    parts.into_iter().zip(1..).map(one).collect()
}

/// The statements of a profile, each to be worded otherwise or taken out, and room for one more in every list. Of the four
/// must-haves none is taken out and none added: they stay four.
fn statements(json: &Value, texts: &Texts) -> Vec<Finding> {
    let Ok(profile) = Profile::deserialize(json) else { return Vec::new() };
    let choice = |kind, list: &str, change: Value, own_words| Choice {
        kind,
        words: String::new(),
        tool: tool::EDIT_REQUIREMENT_PROFILE,
        arguments: json!({ list: change }),
        own_words,
        rating: None,
    };
    let mut edits = Vec::new();
    for ((list, items), paths) in LISTS.iter().zip(profile.lists()).zip(PATHS) {
        let label = texts.get(group!("guided.sort.place").key(list.place.name()));
        let list = list.name;
        let mut edit = |text: &str, choices| {
            edits.push(Finding {
                number: edits.len() + 1,
                text: text.to_owned(),
                label: label.to_owned(),
                choices,
                ..Finding::default()
            });
        };
        for item in items {
            let replace = json!({ "replace": [{ "old": item.text, "new": "" }] });
            let mut choices = vec![choice(ChoiceKind::Replace, list, replace, Some(paths.0))];
            if list != "must_haves" {
                choices.push(choice(ChoiceKind::Delete, list, json!({ "remove": [item.text] }), None));
            }
            edit(&item.text, choices);
        }
        if list != "must_haves" {
            edit("", vec![choice(ChoiceKind::Add, list, json!({ "add": [""] }), Some(paths.1))]);
        }
    }
    edits
}

/// Where the person's words go when a statement of a list is replaced, and when one is added.
const PATHS: [(&str, &str); LISTS.len()] = [
    ("/must_haves/replace/0/new", "/must_haves/add/0"),
    ("/responsibilities/replace/0/new", "/responsibilities/add/0"),
    ("/good_to_haves/replace/0/new", "/good_to_haves/add/0"),
    ("/soft_skills/replace/0/new", "/soft_skills/add/0"),
    ("/motivations/replace/0/new", "/motivations/add/0"),
    ("/performance_measures/replace/0/new", "/performance_measures/add/0"),
    ("/challenges/replace/0/new", "/challenges/add/0"),
    ("/dates/replace/0/new", "/dates/add/0"),
    ("/process_steps/replace/0/new", "/process_steps/add/0"),
    ("/employment/replace/0/new", "/employment/add/0"),
];

fn of_inclusion(review: &DiReview, texts: &Texts) -> Vec<Finding> {
    let one = |item: &tata_recruit::FlaggedItem| {
        let category = texts.category(item.category);
        let law = item
            .legal_ground
            .as_deref()
            .map(|law| format!(" ({})", review.law_line(law)))
            .unwrap_or_default();
        Finding {
            number: item.number,
            text: item.text.clone(),
            label: format!("{category}, {}", texts.severity(item.severity)),
            reason: format!("{}{law}", item.explanation),
            decided: decided(&review.decisions, item.number),
            choices: words_of(DI, item.number, &item.alternatives),
        }
    };
    review.flagged_items.iter().map(one).collect()
}

fn of_ad(review: &JobAdReview, texts: &Texts) -> Vec<Finding> {
    let one = |issue: &tata_recruit::AdIssue| Finding {
        number: issue.number,
        text: issue.text.clone().unwrap_or_else(|| issue.description.clone()),
        label: texts.severity(issue.severity).to_owned(),
        reason: format!("{} {}", issue.description, issue.suggestion),
        decided: decided(&review.decisions, issue.number),
        choices: words_of(AD, issue.number, &issue.alternatives),
    };
    review.issues.iter().map(one).collect()
}

fn of_proof(ad: &JobAd, texts: &Texts) -> Vec<Finding> {
    let choice = |number: usize, kind, choice: &str, own_words: Option<&'static str>| Choice {
        kind,
        words: String::new(),
        tool: PROOF,
        arguments: match own_words {
            Some(_) => json!({ "decisions": [{ "number": number, "choice": choice, "text": "" }] }),
            None => json!({ "decisions": [{ "number": number, "choice": choice }] }),
        },
        own_words,
        rating: None,
    };
    let one = |(at, unproven): (usize, &tata_recruit::Unproven)| Finding {
        number: at + 1,
        text: unproven.sentence.clone(),
        label: unproven.words.clone(),
        reason: unproven.why(texts).to_owned(),
        decided: None,
        choices: vec![
            choice(at + 1, ChoiceKind::Keep, "keep", None),
            choice(at + 1, ChoiceKind::Delete, "delete", None),
            choice(at + 1, ChoiceKind::Replace, "edit", Some("/decisions/0/text")),
        ],
    };
    ad.unproven.iter().enumerate().map(one).collect()
}

/// The ratings of a report: a proposed one is confirmed, changed with a reason, or left open.
fn of_ratings(report: &CandidateReport, texts: &Texts) -> Vec<Finding> {
    let one = |(at, assessment): (usize, &Assessment)| {
        let motivation = assessment.skill_name.is_empty();
        let about = if motivation { "motivation" } else { assessment.skill_name.as_str() };
        let shown = if motivation { texts.get(key!("candidate.section.motivation")) } else { about };
        let rated = assessment.rating.map(|rating| format!("{}/5", rating.value()));
        let choice = |kind, words: &str, decision: Value, asked: bool| Choice {
            kind,
            words: words.to_owned(),
            tool: RATE,
            arguments: json!({ "candidate_key": report.key, "decisions": [decision] }),
            own_words: asked.then_some("/decisions/0/reason"),
            rating: asked.then_some("/decisions/0/rating"),
        };
        let confirm = rated.as_ref().map(|rated| {
            choice(ChoiceKind::Settle, rated, json!({ "about": about, "choice": "confirm" }), false)
        });
        let rate = json!({ "about": about, "choice": "rate", "rating": 0, "reason": "" });
        let open = json!({ "about": about, "choice": "leave_open" });
        let others =
            [choice(ChoiceKind::Rate, "", rate, true), choice(ChoiceKind::LeaveOpen, "", open, false)];
        Finding {
            number: at + 1,
            text: shown.to_owned(),
            label: rated.clone().unwrap_or_else(|| "–".to_owned()),
            reason: assessment.explanation.clone(),
            decided: assessment.decision.as_ref().map(|decision| {
                let reason =
                    decision.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
                format!("{}{reason}", rated.as_deref().unwrap_or("–"))
            }),
            choices: confirm.into_iter().chain(others).collect(),
        }
    };
    report.assessments().enumerate().map(one).collect()
}

/// What was decided, as it reads now.
fn decided(decisions: &[ReviewDecision], number: usize) -> Option<String> {
    let decision = decisions.iter().rev().find(|decision| decision.finding == number)?;
    Some(decision.replacement.clone().unwrap_or_else(|| "–".to_owned()))
}

/// The words that could stand in the place of a finding, the person's own, or those that stand there.
fn words_of(tool: &'static str, number: usize, alternatives: &[String]) -> Vec<Choice> {
    let offered = alternatives.iter().enumerate().map(|(at, words)| Choice {
        kind: ChoiceKind::Accept,
        words: words.clone(),
        tool,
        arguments: json!({ "accept": [{ "finding": number, "alternative": at + 1 }] }),
        own_words: None,
        rating: None,
    });
    let own = (!alternatives.is_empty()).then(|| Choice {
        kind: ChoiceKind::Replace,
        words: String::new(),
        tool,
        arguments: json!({ "accept": [{ "finding": number, "text": "" }] }),
        own_words: Some("/accept/0/text"),
        rating: None,
    });
    let ignore = Choice {
        kind: ChoiceKind::Ignore,
        words: String::new(),
        tool,
        arguments: json!({ "ignore": [number] }),
        own_words: None,
        rating: None,
    };
    offered.chain(own).chain([ignore]).collect()
}
