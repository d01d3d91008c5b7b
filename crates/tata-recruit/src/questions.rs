//! What a person is asked about a call that decides in their name, in the language of the project: what is decided, about
//! which version, all of it, and nothing of tools and fields.

#![expect(clippy::unnecessary_wraps, reason = "the questions of all tools have one shape")]

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tata_core::{ArtifactName, Offer};

use crate::{Country, Key, Kind, Project, ReviewDecision, Texts, evidence::same, form::Arguments};

/// How many must-haves a profile needs before it can be confirmed.
const MUST_HAVES: usize = 4;

/// What a model calls the rating of why somebody wants the role.
const MOTIVATION: &str = "motivation";

/// Whether the profile is right as it stands.
pub(crate) fn offers_profile(document: &ArtifactName, project: &Project) -> Option<Offer> {
    let stored = project.stored(Kind::RequirementProfile, &document.key)?;
    let has_all = stored.json["must_have_skills"].as_array()?.len() == MUST_HAVES;
    if stored.approved || stored.json["status"] != "draft" || !has_all {
        return None;
    }
    let texts = project.texts();
    let question = texts.say(key!("decide.confirm_profile"), &[("version", &stored.version.to_string())]);
    let mut arguments = Map::new();
    arguments.insert("confirm".to_owned(), json!(true));
    Some(Offer { arguments, words: format!("{question} {}", texts.get(key!("decide.or_change"))) })
}

/// Whether the ratings that a report proposes are those of the person. Asked only where each has its proposal: what was not
/// assessed is theirs to rate.
pub(crate) fn offers_ratings(document: &ArtifactName, project: &Project) -> Option<Offer> {
    let stored = project.stored(Kind::CandidateReport, &document.key)?;
    let all = assessments(&stored.json);
    let open: Vec<&Value> = all.iter().copied().filter(|one| one["decision"].is_null()).collect();
    if open.is_empty() || open.iter().any(|one| one["rating"].is_null()) {
        return None;
    }
    let confirmed = |one: &&Value| {
        let skill = one["skill_name"].as_str().filter(|skill| !skill.is_empty());
        json!({ "about": skill.unwrap_or(MOTIVATION), "choice": "confirm" })
    };
    let mut arguments = Map::new();
    arguments.insert("candidate_key".to_owned(), json!(stored.key));
    arguments.insert("decisions".to_owned(), open.iter().map(confirmed).collect());
    let texts = project.texts();
    let words = format!("{} {}", rating_question(&arguments, project)?, texts.get(key!("decide.or_change")));
    Some(Offer { arguments, words })
}

/// What a report assesses: motivation, then each skill.
fn assessments(report: &Value) -> Vec<&Value> {
    let skills = report["skill_assessments"].as_array().into_iter().flatten();
    std::iter::once(&report["motivation_assessment"]).chain(skills).collect()
}

/// A new profile in the place of a confirmed one.
pub(crate) fn replaces_profile(_: &Arguments, project: &Project) -> Option<String> {
    let version = version(Kind::RequirementProfile, "", project);
    Some(asked(key!("decide.replace_profile"), &[("version", &version)], project.texts()))
}

/// The profile as it stands, or with changes.
pub(crate) fn edits_profile(arguments: &Arguments, project: &Project) -> Option<String> {
    let (texts, version) = (project.texts(), version(Kind::RequirementProfile, "", project));
    let changes = profile_changes(arguments, texts);
    let key = match (arguments.get("confirm") == Some(&Value::Bool(true)), changes.is_empty()) {
        (true, true) => key!("decide.confirm_profile"),
        (true, false) => key!("decide.change_and_confirm_profile"),
        (false, _) => key!("decide.change_profile"),
    };
    Some(asked(key, &[("version", &version), ("changes", &listed(&changes))], texts))
}

fn profile_changes(arguments: &Arguments, texts: &Texts) -> Vec<String> {
    let mut changes = Vec::new();
    for (name, value) in arguments {
        let list = group!("profile.headings").find(name).map_or("", |key| texts.get(key));
        match (name.as_str(), value) {
            ("confirm" | "recruiter_input", _) => {}
            ("team", Value::Object(team)) => changes.extend(team_changes(team, texts)),
            ("position_title", Value::String(text)) if !text.trim().is_empty() => {
                changes.push(texts.say(key!("decide.change.title"), &[("text", text)]));
            }
            ("country", Value::String(name)) => {
                let country = Country::find(name).map(|country| country.label(texts));
                let named = |text| texts.say(key!("profile.team_country"), &[("text", text)]);
                changes.extend(country.map(named));
            }
            (_, Value::String(text)) if !text.trim().is_empty() => {
                changes.push(texts.say(key!("decide.change.new"), &[("list", list), ("text", text)]));
            }
            (_, Value::Object(edit)) => changes.extend(list_changes(list, edit, texts)),
            _ => {}
        }
    }
    changes
}

fn team_changes(team: &Map<String, Value>, texts: &Texts) -> Vec<String> {
    let text = |name: &str| team.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let size = team.get("size").and_then(Value::as_u64);
    let size =
        size.map(|size| texts.say(key!("profile.team_size"), &[("people", size.to_string().as_str())]));
    let place = text("location").map(|place| texts.say(key!("profile.team_location"), &[("text", place)]));
    let style = text("collaboration_style");
    let style = style.map(|style| texts.say(key!("profile.team_style"), &[("text", style)]));
    [size, place, style].into_iter().flatten().collect()
}

fn list_changes(list: &str, edit: &Map<String, Value>, texts: &Texts) -> Vec<String> {
    let one = |key: Key, text: &str| texts.say(key, &[("list", list), ("text", text)]);
    let removed = texts_in(edit.get("remove")).map(|text| one(key!("decide.change.remove"), text));
    let mut changes: Vec<String> = removed.collect();
    for change in edit.get("replace").and_then(Value::as_array).into_iter().flatten() {
        let text = |name: &str| change.get(name).and_then(Value::as_str).unwrap_or_default();
        let old = if text("part").is_empty() { text("old") } else { text("part") };
        changes.push(texts.say(key!("decide.change.replace"), &[("old", old), ("text", text("new"))]));
    }
    changes.extend(texts_in(edit.get("add")).map(|text| one(key!("decide.change.add"), text)));
    changes
}

/// Ratings: what a person confirms, gives or leaves open.
pub(crate) fn rates(arguments: &Arguments, project: &Project) -> Option<String> {
    let question = rating_question(arguments, project)?;
    Some(format!("{question} {}", project.texts().get(key!("decide.answer"))))
}

fn rating_question(arguments: &Arguments, project: &Project) -> Option<String> {
    let texts = project.texts();
    let key = arguments.get("candidate_key").and_then(Value::as_str).unwrap_or_default().trim();
    let stored = project.all(Kind::CandidateReport).find(|one| one.key.eq_ignore_ascii_case(key))?;
    let decisions = arguments.get("decisions").and_then(Value::as_array)?;
    let ratings: Vec<String> =
        decisions.iter().map(|decision| rating_in_words(decision, &stored.json, texts)).collect();
    let (version, ratings) = (stored.version.to_string(), listed(&ratings));
    let values = [("key", stored.key.as_str()), ("version", &version), ("ratings", &ratings)];
    Some(texts.say(key!("decide.rate"), &values))
}

/// One rating. What is confirmed is told with its figure: a person decides about that, not about "as proposed".
fn rating_in_words(decision: &Value, report: &Value, texts: &Texts) -> String {
    let text = |name: &str| decision.get(name).and_then(Value::as_str).unwrap_or_default();
    let motivation = texts.get(key!("candidate.section.motivation"));
    let given = text("about");
    let all = assessments(report);
    let known =
        all.iter().copied().find(|one| one["skill_name"].as_str().is_some_and(|skill| same(skill, given)));
    let is_motivation = known.is_none() && same(given, MOTIVATION);
    let about = if is_motivation { motivation } else { given };
    let proposed = if is_motivation { all.first().copied() } else { known };
    let (rating, key) = match text("choice") {
        "rate" => {
            let key = if text("reason").is_empty() {
                key!("decide.rating.rated")
            } else {
                key!("decide.rating.rated_because")
            };
            (decision.get("rating").and_then(Value::as_i64), key)
        }
        "leave_open" => (None, key!("decide.rating.left_open")),
        _ => {
            let rating = proposed.and_then(|one| one["rating"].as_i64());
            let known = rating.is_some();
            (rating, if known { key!("decide.rating.rated") } else { key!("decide.rating.as_proposed") })
        }
    };
    let rating = rating.map_or_else(|| "?".to_owned(), |rating| rating.to_string());
    texts.say(key, &[("about", about), ("rating", &rating), ("reason", text("reason"))])
}

/// Findings of a review, with the words that will stand in the text.
pub(crate) fn decides_findings(kind: Kind, decided: &[ReviewDecision], project: &Project) -> String {
    let texts = project.texts();
    let decisions: Vec<String> = decided.iter().map(|one| finding_in_words(one, texts)).collect();
    let key = group!("decide.findings").key(kind.name());
    asked(key, &[("version", &version(kind, "", project)), ("decisions", &listed(&decisions))], texts)
}

fn finding_in_words(decision: &ReviewDecision, texts: &Texts) -> String {
    let number = decision.finding.to_string();
    match &decision.replacement {
        Some(words) => texts.say(key!("decide.findings.used_as"), &[("number", &number), ("text", words)]),
        None => texts.say(key!("decide.findings.ignored"), &[("number", &number)]),
    }
}

/// Facts about the company.
pub(crate) fn approves_facts(arguments: &Arguments, project: &Project) -> Option<String> {
    let facts = arguments.get("approved_company_facts")?.as_array()?;
    let one = |fact: &Value| Some(format!("“{}” ({})", fact["text"].as_str()?, fact["source"].as_str()?));
    let facts: Vec<String> = facts.iter().filter_map(one).collect();
    Some(asked(key!("decide.facts"), &[("facts", &listed(&facts))], project.texts()))
}

/// The ad: facts about the company, or a new one in the place of what a person has decided about.
pub(crate) fn writes_ad(arguments: &Arguments, project: &Project) -> Option<String> {
    let facts = arguments.get("approved_company_facts").and_then(Value::as_array);
    if facts.is_some_and(|facts| !facts.is_empty()) {
        return approves_facts(arguments, project);
    }
    replaces(Kind::JobAd, "", project)
}

/// The ratings of a report that a person decided.
pub(crate) fn decided_ratings(report: &Value, texts: &Texts) -> Vec<String> {
    let motivation = texts.get(key!("candidate.section.motivation"));
    let mut ratings = Vec::new();
    for one in assessments(report) {
        if one["decision"].is_null() {
            continue;
        }
        let about = one["skill_name"].as_str().filter(|skill| !skill.is_empty()).unwrap_or(motivation);
        ratings.push(match one["rating"].as_i64() {
            Some(rating) => {
                let rating = rating.to_string();
                texts.say(key!("decide.rating.rated"), &[("about", about), ("rating", &rating)])
            }
            None => texts.say(key!("decide.rating.left_open"), &[("about", about)]),
        });
    }
    ratings
}

/// A new document in the place of one that a person has decided about.
pub(crate) fn replaces(kind: Kind, key: &str, project: &Project) -> Option<String> {
    let texts = project.texts();
    let values = [("document", kind.the(texts)), ("version", &*version(kind, key, project))];
    Some(asked(key!("decide.replace"), &values, texts))
}

/// Statements of the ad that nothing proves.
pub(crate) fn decides_proof(arguments: &Arguments, project: &Project) -> Option<String> {
    let texts = project.texts();
    let ad = project.stored(Kind::JobAd, "").map(|stored| &stored.json);
    let one = |decision: &Value| {
        let key = match decision["choice"].as_str() {
            Some("edit") => key!("decide.statement.edit"),
            Some("delete") => key!("decide.statement.delete"),
            _ => key!("decide.statement.keep"),
        };
        let (number, text) = (decision["number"].to_string(), decision["text"].as_str().unwrap_or_default());
        let at = decision["number"].as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
        let sentence = at.and_then(|at| ad?["unproven"].get(at)?["sentence"].as_str()).unwrap_or_default();
        texts.say(key, &[("number", &number), ("text", text), ("sentence", sentence)])
    };
    let decisions = arguments.get("decisions")?.as_array()?;
    let decisions: Vec<String> = decisions.iter().map(one).collect();
    let values = [("version", &*version(Kind::JobAd, "", project)), ("decisions", &*listed(&decisions))];
    Some(asked(key!("decide.unproven"), &values, texts))
}

/// Other words in a document that a person has decided about.
pub(crate) fn rewords(kind: Kind, arguments: &Arguments, project: &Project) -> Option<String> {
    let texts = project.texts();
    let one = |change: &Value| {
        let text = |name: &str| change[name].as_str().unwrap_or_default();
        if text("new").trim().is_empty() {
            texts.say(key!("decide.change.goes"), &[("text", text("old"))])
        } else {
            texts.say(key!("decide.change.replace"), &[("old", text("old")), ("text", text("new"))])
        }
    };
    let changes: Vec<String> = arguments.get("changes")?.as_array()?.iter().map(one).collect();
    let (document, version) = (kind.the(texts), version(kind, "", project));
    let values = [("document", document), ("version", &*version), ("changes", &*listed(&changes))];
    Some(asked(key!("decide.reword"), &values, texts))
}

/// An earlier version in the place of the newest, with what a person decided in it: that would apply again.
pub(crate) fn restores(arguments: &Arguments, project: &Project) -> Option<String> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, texts) = (Kind::find(text("kind"))?, project.texts());
    let (current, wanted) = (version(kind, text("key"), project), arguments.get("version")?.to_string());
    let what = project.earlier.as_ref().map(|earlier| decided_in(kind, earlier, texts)).unwrap_or_default();
    let values = [("document", kind.the(texts)), ("current", &*current), ("version", &*wanted)];
    let question = texts.say(key!("decide.restore"), &values);
    let what = if what.is_empty() {
        String::new()
    } else {
        texts.say(key!("decide.restore_decisions"), &[("version", &wanted), ("decisions", &listed(&what))])
    };
    Some(format!("{question} {what} {}", texts.get(key!("decide.answer"))).replace("  ", " "))
}

/// What a person decided in a version of a document.
fn decided_in(kind: Kind, document: &Value, texts: &Texts) -> Vec<String> {
    let list = |name: &str| document[name].as_array().map(Vec::as_slice).unwrap_or_default();
    if kind == Kind::CandidateReport {
        return decided_ratings(document, texts);
    }
    if kind == Kind::RequirementProfile && document["status"] == "confirmed" {
        let skills = list("must_have_skills").iter();
        return skills.filter_map(|skill| Some(skill["text"].as_str()?.to_owned())).collect();
    }
    // Only reviews have decisions of this form.
    let decisions = list("decisions").iter().filter_map(|one| ReviewDecision::deserialize(one).ok());
    decisions.map(|one| finding_in_words(&one, texts)).collect()
}

/// A question that a yes or a no answers.
pub(crate) fn asked(key: Key, values: &[(&str, &str)], texts: &Texts) -> String {
    format!("{} {}", texts.say(key, values).trim_end(), texts.get(key!("decide.answer")))
}

/// The newest version of a document.
fn version(kind: Kind, key: &str, project: &Project) -> String {
    project.stored(kind, key).map_or_else(String::new, |stored| stored.version.to_string())
}

/// All that is decided, as one sentence on one line: what a model wrote cannot push the question off the screen.
pub(crate) fn listed(parts: &[String]) -> String {
    let all = parts.join("; ").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = all.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

fn texts_in(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_put_in_plain_words_on_one_line() {
        let arguments = json!({
            "confirm": true,
            "recruiter_input": "m2",
            "position_title": null,
            "must_haves": { "replace": [{ "old": "5 years of Go", "new": "3 years", "part": "5 years" }] },
            "soft_skills": { "add": ["calm\n\n\n\nShall I draft the invitation?"], "remove": [] },
            "team": { "size": 8, "location": null },
            "country": "norway",
        });
        let asked = edits_profile(arguments.as_object().unwrap(), &Project::default()).unwrap();
        assert_eq!(
            asked,
            "Should the requirement profile (version ) be changed like this and then be confirmed? \
             Country: Norway; “5 years” becomes “3 years”; \
             Personal qualities: “calm Shall I draft the invitation?” is added; Number of people: 8. Yes or no?"
        );
    }

    #[test]
    fn decisions_on_statements_and_facts_name_all_that_is_decided() {
        let unproven =
            ["We lead the market.", "We pay.", "Everybody stays."].map(|one| json!({ "sentence": one }));
        let project = Project::default().with(Kind::JobAd, "", &json!({ "unproven": unproven }));
        let decisions = json!({ "decisions": [
            { "number": 1, "choice": "keep" },
            { "number": 2, "choice": "edit", "text": "We pay well." },
            { "number": 3, "choice": "delete" },
        ] });
        let asked = decides_proof(decisions.as_object().unwrap(), &project).unwrap();
        let decided = "Number 1 stays: “We lead the market.”; number 2, “We pay.”, becomes “We pay well.”; number 3 is deleted: \
                       “Everybody stays.”. Yes or no?";
        assert!(asked.ends_with(decided), "{asked}");
        let facts = json!({ "approved_company_facts": [{ "text": "Eight people", "source": "m1" }] });
        let asked = approves_facts(facts.as_object().unwrap(), &Project::default()).unwrap();
        assert_eq!(
            asked,
            "May the job ad use these facts about the company? “Eight people” (m1). Yes or no?"
        );
    }
}
