//! The step that makes a rating count: a person confirms it, changes it with a reason, or rates what was not assessed.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    artifact::{Assessment, Basis, CandidateReport, Rating, RatingDecision, ReportStatus},
    compose::{self, no_report},
    content::short,
    finish,
    lexicon::protected,
    next_version,
};
use crate::{Key, Kind, Made, Notice, Project, Refusal, Texts, Voice, profile, same, screening, tidy};

/// The most decisions of one call.
const MOST_DECISIONS: usize = 100;

/// What a person decided about a report.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ConfirmInput {
    /// The key of the report, such as JS or JS2.
    pub candidate_key: String,
    /// The decisions, one per rating. Only what a person has said; never your own view.
    pub decisions: Vec<Verdict>,
}

/// What a person decided about one rating.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Verdict {
    /// "motivation", or the skill as the report has it.
    pub about: String,
    /// What to do with the proposed rating.
    pub choice: Choice,
    /// The rating from 1 to 5, when the choice is rate.
    #[serde(default)]
    pub rating: Option<i64>,
    /// Why, in the person's own words. Needed when the choice is rate.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What a person does with a proposed rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// It stands.
    #[default]
    Confirm,
    /// Another rating, or the first one for what was not assessed.
    Rate,
    /// It stays, or becomes, not assessed.
    LeaveOpen,
}

/// Records decisions in a new version of the report. It is confirmed once every rating has been decided.
#[expect(clippy::needless_pass_by_value, reason = "the functions of all modules have one shape")]
pub fn confirm_candidate_report(
    input: ConfirmInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let mut report = find(&input.candidate_key, project)?;
    let mut refusal = Refusal::default();
    if input.decisions.is_empty() || input.decisions.len() > MOST_DECISIONS {
        refusal.say("decisions", texts, key!("candidate.confirm.no_decision.message"), &[]);
    }
    let mut decided: Vec<String> = Vec::new();
    for (at, verdict) in input.decisions.iter().take(MOST_DECISIONS).enumerate() {
        let voice = report.voice;
        let names = compose::named(report.assessments(), texts);
        let unknown = ("about", key!("candidate.confirm.unknown.message"), String::new());
        let refused = place(&mut report, &verdict.about).ok_or(unknown).and_then(|place| {
            if decided.contains(&place.skill_name) {
                return Err(("about", key!("candidate.confirm.twice.message"), String::new()));
            }
            decided.push(place.skill_name.clone());
            decide(place, verdict, voice, texts, now)
        });
        if let Err((part, key, value)) = refused {
            let values =
                [("about", &*short(&verdict.about)), ("names", &*names.join(", ")), ("value", &*value)];
            refusal.say(format!("decisions/{at}/{part}"), texts, key, &values);
        }
    }
    refusal.or_ok()?;
    let open = report.assessments().any(|assessment| assessment.decision.is_none());
    report.status = if open { ReportStatus::Draft } else { ReportStatus::Confirmed };
    report.version = next_version(&report.key, project);
    report.created_at = now;
    let own = Texts::of(report.voice);
    compose::conclude(&mut report, own);
    let mut notices = Vec::new();
    let current = profile::of(project).map_or(report.profile_version, |profile| profile.version);
    if current != report.profile_version {
        notices.push(Notice::new("requirement_profile", texts.get(key!("candidate.notice.old_profile"))));
    }
    finish(&report, notices, screening::ta_template(project).as_ref(), texts)
}

/// The report with this key.
fn find(key: &str, project: &Project) -> Result<CandidateReport, Refusal> {
    let texts = project.texts();
    let mut stored = project.all(Kind::CandidateReport);
    let found = stored.find(|stored| stored.key.eq_ignore_ascii_case(key.trim()));
    let report = found.and_then(|stored| project.read(Kind::CandidateReport, &stored.key));
    report.ok_or_else(|| {
        let mut keys: Vec<&str> =
            project.all(Kind::CandidateReport).map(|stored| stored.key.as_str()).collect();
        keys.sort_unstable();
        no_report("candidate_key", &keys, texts)
    })
}

/// The assessment somebody means. Motivation goes by its name in any of the languages.
fn place<'a>(report: &'a mut CandidateReport, about: &str) -> Option<&'a mut Assessment> {
    let is_motivation = |about: &str| {
        let names = Voice::ALL.map(|voice| Texts::of(voice).get(key!("candidate.section.motivation")));
        same(about, "motivation") || names.iter().any(|name| same(about, name))
    };
    if tidy(about).is_empty() {
        return None;
    }
    match report.skill_assessments.iter().position(|one| same(&one.skill_name, about)) {
        Some(at) => report.skill_assessments.get_mut(at),
        None => is_motivation(about).then_some(&mut report.motivation_assessment),
    }
}

/// Records one decision; otherwise which part is wrong, the text that says so, and a value for it.
fn decide(
    assessment: &mut Assessment,
    verdict: &Verdict,
    voice: Voice,
    texts: &Texts,
    now: Timestamp,
) -> Result<(), (&'static str, Key, String)> {
    let fail = |part: &'static str, key: Key| Err((part, key, String::new()));
    let reason = verdict.reason.as_deref().map(tidy).filter(|reason| !reason.is_empty());
    if let Some((ground, found)) = reason.as_deref().and_then(|reason| protected(reason, voice.language())) {
        let ground = texts.get(group!("candidate.protected").key(ground));
        let value = format!("{ground} ({})", compose::quoted(&found, texts));
        return Err(("reason", key!("candidate.confirm.protected.message"), value));
    }
    let proposed = assessment.rating;
    let rating = match (verdict.choice, verdict.rating) {
        (Choice::Confirm, _) if proposed.is_none() => {
            return fail("choice", key!("candidate.confirm.nothing_to_confirm.message"));
        }
        (Choice::Confirm, Some(value)) if Rating::new(value) != proposed => {
            return fail("rating", key!("candidate.confirm.contradiction.message"));
        }
        (Choice::Confirm, _) => proposed,
        (Choice::LeaveOpen, _) => None,
        (Choice::Rate, None) => return fail("rating", key!("candidate.confirm.no_rating.message")),
        (Choice::Rate, Some(value)) => match (Rating::new(value), &reason) {
            (None, _) => {
                return Err(("rating", key!("candidate.confirm.bad_rating.message"), value.to_string()));
            }
            (Some(_), None) => return fail("reason", key!("candidate.confirm.no_reason.message")),
            (rating, Some(why)) => {
                assessment.explanation.clone_from(why);
                rating
            }
        },
    };
    if rating.is_none() && proposed.is_some() {
        let left_open = || Texts::of(voice).get(key!("candidate.not_assessed.left_open")).to_owned();
        assessment.explanation = reason.clone().unwrap_or_else(left_open);
    }
    assessment.rating = rating;
    assessment.basis = if rating.is_some() { Basis::Person } else { Basis::NotAssessed };
    // What was first proposed stays on record, however often somebody decides.
    let first = assessment.decision.as_ref().map_or(proposed, |decision| decision.proposed);
    assessment.decision = Some(RatingDecision { proposed: first, reason, decided_at: now });
    Ok(())
}
