//! Statements of an ad that nothing proves: a person keeps, edits or deletes each of them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{JobAd, Section};
use crate::{Audience, Gate, Key, Kind, Made, Project, Refusal, Texts, Unproven, prose::ProofChoice, tidy};

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
    let mut refuse = |field: String, key: Key, values: &[(&str, &str)]| {
        refusal.add(field, texts.say(key, values), listed(&open, texts));
    };
    let (mut decided, mut written) = (BTreeSet::new(), Vec::new());
    for (at, decision) in input.decisions.iter().enumerate() {
        let Some((place, statement)) = (1..).zip(&open).find(|(number, _)| *number == decision.number) else {
            let number = [("number", &*decision.number.to_string())];
            refuse(format!("decisions/{at}/number"), key!("project.unproven.unknown"), &number);
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
                refuse(format!("decisions/{at}/text"), key!("project.unproven.no_words"), &[]);
            }
        }
        decided.insert(place);
    }
    if input.decisions.is_empty() {
        refuse("decisions".to_owned(), key!("project.unproven.nothing"), &[]);
    }
    refusal.or_ok()?;
    let left = (1..).zip(open).filter(|(number, _)| !decided.contains(number));
    ad.unproven = left.map(|(_, one)| one).collect();
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
    let JobAd { sections, alternative_headlines, alternative_intros, unproven, .. } = ad;
    let others = alternative_headlines.iter().chain(alternative_intros.iter()).map(String::as_str);
    let texts: Vec<&str> = sections.iter().flat_map(Section::texts).chain(others).collect();
    unproven.retain(|one| texts.iter().any(|text| text.contains(&one.sentence)));
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
        if let Some(text) = section.words_mut().find(|text| text.contains(&statement.sentence)) {
            let changed = text.replacen(&statement.sentence, words, 1);
            let lines = changed.lines().map(tidy).filter(|line| !line.is_empty());
            *text = lines.collect::<Vec<_>>().join("\n");
        }
        section.points.retain(|point| !point.is_empty());
    }
    ad.alternative_headlines.retain(|headline| !headline.contains(&statement.sentence));
    ad.alternative_intros.retain(|intro| !intro.contains(&statement.sentence));
}
