//! Statements of an ad that nothing proves: a person keeps, edits or deletes each of them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

use super::JobAd;
use crate::{Audience, Gate, Kind, Made, Project, Refusal, Texts, Unproven, prose::ProofChoice, tidy};

/// What a person decided about the statements of the ad that are not proven.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofInput {
    /// One for each statement that is decided.
    pub decisions: Vec<ProofDecision>,
}

/// What becomes of one statement.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofDecision {
    /// Its number in the list of the ad, from 1.
    pub number: usize,
    /// What becomes of it.
    pub choice: ProofChoice,
    /// The words in its place, as the recruiter wrote them, when the choice is edit.
    #[serde(default)]
    pub text: Option<String>,
}

/// Carries out what a person decided, as a new version of the ad.
#[expect(clippy::needless_pass_by_value, reason = "every tool owns its input")]
pub fn decide_unproven_statements(
    input: ProofInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let Some(mut ad) = super::of(project) else {
        return Err(Refusal::lacking(Kind::JobAd, &[Kind::JobAd], texts));
    };
    let open = std::mem::take(&mut ad.unproven);
    let mut refusal = Refusal::default();
    let mut refuse = |field: String, message: String| refusal.add(field, message, listed(&open, texts));
    let (mut decided, mut written) = (vec![false; open.len()], Vec::new());
    for (at, decision) in input.decisions.iter().enumerate() {
        let place = decision.number.checked_sub(1);
        let statement = place.and_then(|place| Some((open.get(place)?, decided.get_mut(place)?)));
        let Some((statement, decided)) = statement else {
            let message =
                texts.say(key!("project.unproven.unknown"), &[("number", &decision.number.to_string())]);
            refuse(format!("decisions/{at}/number"), message);
            continue;
        };
        let words = decision.text.as_deref().map(tidy).filter(|words| !words.is_empty());
        match (decision.choice, words) {
            (ProofChoice::Keep, _) => {}
            (ProofChoice::Delete, _) => replace(&mut ad, statement, ""),
            (ProofChoice::Edit, Some(words)) => {
                replace(&mut ad, statement, &words);
                written.push(words);
            }
            (ProofChoice::Edit, None) => {
                refuse(
                    format!("decisions/{at}/text"),
                    texts.get(key!("project.unproven.no_words")).to_owned(),
                );
            }
        }
        *decided = true;
    }
    if input.decisions.is_empty() {
        refuse("decisions".to_owned(), texts.get(key!("project.unproven.nothing")).to_owned());
    }
    refusal.or_ok()?;
    ad.unproven = open.into_iter().zip(decided).filter(|(_, decided)| !decided).map(|(one, _)| one).collect();
    ad.created_at = now;
    // All else has passed before.
    let gate = Gate { voice: ad.voice, audience: Audience::Candidates, verbatim: &[&ad.position_title] };
    let written: Vec<&str> = written.iter().map(String::as_str).collect();
    let cleared = gate.pass_lines(&written, texts)?;
    let mut made = Made::new(Kind::JobAd, &ad, ad.document(), &cleared);
    made.questions.extend(question(&ad.unproven, texts));
    Ok(made)
}

/// Forgets statements that no longer stand in the ad.
pub(super) fn forget(ad: &mut JobAd) {
    let mut open = std::mem::take(&mut ad.unproven);
    let stands = |sentence: &str| {
        let sections = ad.sections.iter().flat_map(super::Section::texts);
        let others = ad.alternative_headlines.iter().chain(&ad.alternative_intros).map(String::as_str);
        sections.chain(others).any(|text| text.contains(sentence))
    };
    open.retain(|one| stands(&one.sentence));
    ad.unproven = open;
}

/// What the recruiter is asked about the statements that are left.
pub(super) fn question(unproven: &[Unproven], texts: &Texts) -> Option<String> {
    let all = || texts.say(key!("project.unproven.ask"), &[("statements", &listed(unproven, texts))]);
    (!unproven.is_empty()).then(all)
}

/// The statements with their numbers.
pub(super) fn listed(unproven: &[Unproven], texts: &Texts) -> String {
    let lines = unproven.iter().zip(1..).map(|(one, number)| format!("{number}. {}", one.shown(texts)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Other words in the place of a sentence. A point that is empty then goes.
fn replace(ad: &mut JobAd, statement: &Unproven, words: &str) {
    for section in ad.sections.iter_mut().filter(|section| section.name.name() == statement.part) {
        let points = section.points.iter_mut();
        let further = section.further.iter_mut().flat_map(|more| &mut more.points);
        for text in std::iter::once(&mut section.text).chain(points).chain(further) {
            if text.contains(&statement.sentence) {
                let changed = text.replacen(&statement.sentence, words, 1);
                *text =
                    changed.lines().map(tidy).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
                break;
            }
        }
        section.points.retain(|point| !point.is_empty());
    }
    ad.alternative_headlines.retain(|headline| !headline.contains(&statement.sentence));
    ad.alternative_intros.retain(|intro| !intro.contains(&statement.sentence));
}
