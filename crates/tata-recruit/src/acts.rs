//! Which calls decide something in a person's name, and what exactly. Whether a person did decide it is not judged here.
//! The words of an act are for the audit; a person is asked with those of `questions.rs`.

#![expect(clippy::unnecessary_wraps, reason = "the functions of all tools have one shape")]

use serde_json::Value;
use tata_core::{Act, ArtifactIndex, ArtifactName};

use crate::{
    Kind,
    form::Arguments,
    module::{Decides, Words},
    questions,
};

/// A new profile in the place of a confirmed one.
pub(crate) const REPLACES_PROFILE: Decides = asking(replaces_profile, questions::replaces_profile);
/// To confirm the profile, or to change a confirmed one.
pub(crate) const EDITS_PROFILE: Decides =
    Decides { offer: Some(questions::offers_profile), ..asking(edits_profile, questions::edits_profile) };
/// To confirm, give or leave open ratings.
pub(crate) const RATES: Decides =
    Decides { offer: Some(questions::offers_ratings), ..asking(rates, questions::rates) };
/// A new review in the place of one that a person has decided about.
pub(crate) const REPLACES_AD_REVIEW: Decides = asking(
    |_, documents| replaces(Kind::JobAdReview, documents),
    |_, project| questions::replaces(Kind::JobAdReview, "", project),
);
/// A new D&I review in the place of one that a person has decided about.
pub(crate) const REPLACES_DI_REVIEW: Decides = asking(
    |_, documents| replaces(Kind::DiReview, documents),
    |_, project| questions::replaces(Kind::DiReview, "", project),
);
/// To approve facts about the company, or a new ad in the place of one that a person has decided about.
pub(crate) const WRITES_AD: Decides = asking(writes_ad, questions::writes_ad);
/// To keep, edit or delete statements that nothing proves.
pub(crate) const DECIDES_PROOF: Decides = asking(decides_proof, questions::decides_proof);
/// To go back from a document that a person has decided about, or to one.
pub(crate) const RESTORES: Decides =
    Decides { earlier: Some(earlier), ..asking(restores, questions::restores) };

/// Decisions that are never offered: a person comes to them by themselves.
pub(crate) const fn asking(act: fn(&Arguments, &ArtifactIndex) -> Option<Act>, words: Words) -> Decides {
    Decides { act, words, offer: None, earlier: None }
}

/// A new profile in the place of a confirmed one.
fn replaces_profile(arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
    let words = "Make a new requirement profile in the place of the confirmed one.".to_owned();
    let act = changes_settled(name(Kind::RequirementProfile, ""), words, documents);
    act.filter(|_| arguments.get("replace") == Some(&Value::Bool(true)))
}

/// To confirm the profile, or to change a confirmed one.
fn edits_profile(arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
    let document = name(Kind::RequirementProfile, "");
    let confirms = arguments.get("confirm") == Some(&Value::Bool(true));
    let changes = described(arguments, &["confirm", "recruiter_input"]);
    let words = match (confirms, changes.as_str()) {
        (true, "") => "Confirm the requirement profile as it was shown.".to_owned(),
        (true, changes) => format!("Change the requirement profile and confirm it: {changes}."),
        (false, _) if !documents.is_settled(&document) => return None,
        (false, changes) => format!("Change the confirmed requirement profile: {changes}."),
    };
    Some(Act { document, words, plain: changes.is_empty(), settles: confirms })
}

/// To confirm, give or leave open ratings.
fn rates(arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
    let key = arguments.get("candidate_key").and_then(Value::as_str).unwrap_or_default().trim();
    let kind = Kind::CandidateReport.artifact();
    let known = documents.names().find(|name| name.kind == kind && name.key.eq_ignore_ascii_case(key));
    let decisions =
        arguments.get("decisions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |decision: &Value, name: &str| decision[name].as_str().unwrap_or_default().to_owned();
    let one = |decision: &Value| {
        let (about, reason) = (text(decision, "about"), text(decision, "reason"));
        let what = match (decision["choice"].as_str(), &decision["rating"]) {
            (Some("rate"), rating) => format!("rated {rating}"),
            (Some("leave_open"), _) => "left open".to_owned(),
            _ => "confirmed as proposed".to_owned(),
        };
        let why = if reason.is_empty() { String::new() } else { format!(" (“{reason}”)") };
        format!("{about}: {what}{why}")
    };
    let all: Vec<String> = decisions.iter().map(one).collect();
    let plain = decisions.iter().all(|decision| {
        matches!(decision["choice"].as_str(), None | Some("confirm"))
            && decision["reason"].is_null()
            && decision["rating"].is_null()
    });
    let words = format!("Decide the ratings of {}: {}.", known.map_or(key, |name| &name.key), all.join("; "));
    Some(Act {
        document: known.cloned().unwrap_or_else(|| name(Kind::CandidateReport, key)),
        words,
        plain,
        settles: true,
    })
}

/// To accept or ignore the findings of the job-ad review.
pub(crate) fn decides_ad_findings(arguments: &Arguments, _: &ArtifactIndex) -> Option<Act> {
    Some(decision(Kind::JobAdReview, "findings of the job ad review", arguments))
}

/// To accept or ignore the findings of the D&I review.
pub(crate) fn decides_di_findings(arguments: &Arguments, _: &ArtifactIndex) -> Option<Act> {
    Some(decision(Kind::DiReview, "findings of the D&I review", arguments))
}

/// To approve facts about the company.
fn approves_facts(arguments: &Arguments, _: &ArtifactIndex) -> Option<Act> {
    let facts = arguments.get("approved_company_facts")?.as_array()?;
    let one = |fact: &Value| Some(format!("“{}” ({})", fact["text"].as_str()?, fact["source"].as_str()?));
    let facts: Vec<String> = facts.iter().filter_map(one).collect();
    let words = format!("Approve these facts about the company for the ad: {}.", facts.join("; "));
    (!facts.is_empty()).then(|| Act { document: name(Kind::JobAd, ""), words, plain: false, settles: false })
}

/// To keep, edit or delete statements that nothing proves.
fn decides_proof(arguments: &Arguments, _: &ArtifactIndex) -> Option<Act> {
    Some(decision(Kind::JobAd, "unproven statements of the job ad", arguments))
}

fn decision(kind: Kind, what: &str, arguments: &Arguments) -> Act {
    let words = format!("Decide the {what}: {}.", described(arguments, &[]));
    Act { document: name(kind, ""), words, plain: false, settles: true }
}

/// To change the words of a document that a person has decided about.
pub(crate) fn rewords(kind: Kind, arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
    let (document, changes) = (kind.name().replace('_', " "), described(arguments, &[]));
    let words = format!("Change the wording of the {document}: {changes}.");
    let act = changes_settled(name(kind, ""), words, documents)?;
    // What was decided before stands in it still.
    Some(Act { settles: true, ..act })
}

/// To go back from a document that a person has decided about, or to one: what they decided then would apply again.
fn restores(arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
    let (document, version) = earlier(arguments)?;
    let words = format!("Go back to version {version} of {}.", document.kind);
    let settles = documents.was_settled(&document, version);
    let asks = settles || documents.is_settled(&document);
    asks.then_some(Act { document, words, plain: false, settles })
}

/// The version that is brought back.
fn earlier(arguments: &Arguments) -> Option<(ArtifactName, u32)> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let version = u32::try_from(arguments.get("version")?.as_u64()?).ok()?;
    Some((name(Kind::find(text("kind"))?, text("key")), version))
}

/// A new document in the place of one that a person has decided about.
fn replaces(kind: Kind, documents: &ArtifactIndex) -> Option<Act> {
    let words = format!("Make the {} anew that a person has decided about.", kind.name().replace('_', " "));
    changes_settled(name(kind, ""), words, documents)
}

/// To approve facts about the company, or a new ad in the place of one that a person has decided about.
fn writes_ad(arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
    approves_facts(arguments, documents).or_else(|| replaces(Kind::JobAd, documents))
}

/// Something else in the place of what a person has decided about; nothing where nobody has.
pub(crate) fn changes_settled(
    document: ArtifactName,
    words: String,
    documents: &ArtifactIndex,
) -> Option<Act> {
    documents.is_settled(&document).then_some(Act { document, words, plain: false, settles: false })
}

fn name(kind: Kind, key: &str) -> ArtifactName {
    ArtifactName { kind: kind.artifact(), key: key.to_owned() }
}

/// What arguments say, on one line, the empty ones left out.
fn described(arguments: &Arguments, without: &[&str]) -> String {
    let shown = |value: &Value| describe(value).filter(|text| !text.is_empty());
    let parts = arguments.iter().filter(|(name, _)| !without.contains(&name.as_str()));
    let parts =
        parts.filter_map(|(name, value)| Some(format!("{}: {}", name.replace('_', " "), shown(value)?)));
    parts.collect::<Vec<_>>().join("; ")
}

fn describe(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(format!("“{text}”")).filter(|_| !text.trim().is_empty()),
        Value::Array(members) => {
            let all: Vec<String> = members.iter().filter_map(describe).collect();
            Some(all.join(", ")).filter(|all| !all.is_empty())
        }
        Value::Object(members) => Some(described(members, &[])).filter(|all| !all.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn act(decides: fn(&Arguments, &ArtifactIndex) -> Option<Act>, arguments: &Value) -> Option<Act> {
        decides(arguments.as_object().unwrap(), &ArtifactIndex::default())
    }

    #[test]
    fn a_plain_yes_is_told_from_everything_else() {
        let confirm =
            act(edits_profile, &json!({"confirm": true, "must_haves": {}, "team": {"size": null}})).unwrap();
        assert!(confirm.plain && confirm.settles, "{confirm:?}");
        let more =
            json!({"confirm": true, "must_haves": {"replace": [{"old": "2", "new": "Three years of Go"}]}});
        let more = act(edits_profile, &more).unwrap();
        assert!(!more.plain && more.words.contains("Three years of Go"), "{more:?}");
        assert_eq!(
            act(edits_profile, &json!({"must_haves": {"add": ["Go"]}})),
            None,
            "a draft stays a draft"
        );
    }

    #[test]
    fn a_rating_is_put_to_the_person_as_it_is() {
        let call = json!({"candidate_key": "JS", "decisions": [
            {"about": "motivation", "choice": "confirm"},
            {"about": "Terraform", "choice": "rate", "rating": 4, "reason": "she runs it daily"},
        ]});
        let act = act(rates, &call).unwrap();
        assert!(!act.plain);
        let words = "Decide the ratings of JS: motivation: confirmed as proposed; Terraform: rated 4 (“she runs it daily”).";
        assert_eq!(act.words, words);
    }
}
