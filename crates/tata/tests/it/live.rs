//! The recruiter's assistant against the real APIs, opt-in: set `OPENAI_API_KEY` and/or `ANTHROPIC_API_KEY`
//! (A7.6–A7.9). Each conversation costs some thousand tokens. `TATA_LIVE_OPENAI` and `TATA_LIVE_ANTHROPIC` name other
//! models. What the model says is its own; what is asserted are the documents that Tata's code stored.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "opt-in by environment, and loud when skipped"
)]

use serde_json::Value;

use crate::program::World;

const NOTES: &str = "Start-up notes for the position Network Engineer.\n\nMust have\n* Five years of experience with BGP and \
    MPLS\n* Experience of operating carrier networks\n* Fluent English, spoken and written\n* A driving licence for \
    cars\n\nTasks\n* Operate and develop the backbone\n* Plan and carry out changes at night\n* Find the causes of \
    faults\n\nPersonal qualities: calm, thorough\n\nWhy the role is interesting\n* The backbone is being rebuilt and the \
    team decides how\n\nThe team has eight people and sits in Stockholm.\n\nPlease create the requirement profile from \
    these notes.";

const TRANSCRIPT: &str = "Alex Berg: Why this role?\nRobin Lund: I want to help to rebuild a backbone, that is why I \
    applied.\nAlex Berg: What have you done with BGP and MPLS?\nRobin Lund: I planned and led the move of forty routers \
    to a new BGP and MPLS design last year, and we had no outage.\nAlex Berg: When could you start?\nRobin Lund: My \
    notice period is three months.";

/// A world with the real key, or nothing and a loud word.
fn world(key_name: &str) -> Option<World> {
    let Some(key) = std::env::var(key_name).ok().filter(|key| !key.is_empty()) else {
        eprintln!("SKIPPED: {key_name} is not set, so no conversation was held with the real API");
        return None;
    };
    Some(World::new().set(key_name, &key))
}

fn say(world: &World, model: &str, text: &str, first: bool) -> Value {
    let mut arguments = vec!["ask", "--agent", "tata", "--json", "-m", model];
    if !first {
        arguments.extend(["--session", "last"]);
    }
    arguments.push(text);
    let said = world.run(&arguments);
    assert_eq!(said.code, 0, "{} {}", said.out, said.err);
    serde_json::from_str(&said.out).unwrap()
}

fn documents(world: &World) -> Vec<String> {
    let said = world.run(&["artifact", "list", "--json"]);
    let list: Value = serde_json::from_str(&said.out).unwrap();
    let kinds = list["documents"].as_array().into_iter().flatten();
    kinds.filter_map(|one| one["kind"].as_str().map(str::to_owned)).collect()
}

fn recruitment(key_name: &str, model_name: &str, default: &str) {
    let Some(world) = world(key_name) else { return };
    let model = std::env::var(model_name).unwrap_or_else(|_| default.to_owned());
    say(&world, &model, NOTES, true);
    assert!(documents(&world).contains(&"requirement_profile".to_owned()), "{:?}", documents(&world));
    say(&world, &model, "Yes, this is the right profile. Confirm it.", false);
    let profile: Value =
        serde_json::from_str(&world.run(&["artifact", "show", "profile", "--format", "json"]).out).unwrap();
    assert!(profile.to_string().contains("confirmed"), "{profile:#}");
    say(&world, &model, "Now the job ad and the TA screening template, in English.", false);
    let made = documents(&world);
    for kind in ["job_ad", "ta_screening_template"] {
        assert!(made.iter().any(|one| one == kind), "{kind} in {made:?}");
    }
    say(&world, &model, "Please run the D&I review on this job ad.", false);
    assert!(documents(&world).iter().any(|one| one == "di_review"));
    let interview = format!(
        "Robin Lund was interviewed on 2026-11-13 by Alex Berg. Please write the candidate report. This is the \
         transcript:\n\n{TRANSCRIPT}"
    );
    let said = say(&world, &model, &interview, false);
    assert!(documents(&world).iter().any(|one| one == "candidate_reports"), "{said:#}");
    let list = world.run(&["artifact", "list", "--json"]).out;
    assert!(!list.contains("Robin Lund"), "initials only: {list}");
}

/// Asked for too early, nothing is made and the missing document is named.
fn too_early(key_name: &str, model_name: &str, default: &str) {
    let Some(world) = world(key_name) else { return };
    let model = std::env::var(model_name).unwrap_or_else(|_| default.to_owned());
    let said = say(&world, &model, "Write the job ad for a Network Engineer right now.", true);
    assert!(!documents(&world).iter().any(|one| one == "job_ad"));
    assert!(said["content"].as_str().unwrap_or_default().to_lowercase().contains("profile"), "{said:#}");
}

/// Two must-haves are not four: nothing is made, and nothing is invented to fill the gap.
fn too_few_must_haves(key_name: &str, model_name: &str, default: &str) {
    let Some(world) = world(key_name) else { return };
    let model = std::env::var(model_name).unwrap_or_else(|_| default.to_owned());
    let notes = "Start-up notes for the position Controller. Must have: experience with SAP, fluent German. We sit in \
        Hamburg and the team is small but growing.\n\nPlease create the requirement profile from these notes.";
    let said = say(&world, &model, notes, true);
    assert_eq!(documents(&world), Vec::<String>::new(), "{said:#}");
    // A careful model may ask before it calls; what it calls is refused.
    for call in calls_of(&said, "create_requirement_profile") {
        assert_eq!(call["status"], "rejected", "{said:#}");
        assert!(call["problem"].as_str().is_some_and(|problem| !problem.is_empty()), "{said:#}");
    }
    assert!(said["content"].as_str().is_some_and(|answer| !answer.trim().is_empty()), "{said:#}");
}

/// One request for three documents; whether in one answer or one after the other, each is made and each call has its result.
fn several_calls(key_name: &str, model_name: &str, default: &str) {
    let Some(world) = world(key_name) else { return };
    let model = std::env::var(model_name).unwrap_or_else(|_| default.to_owned());
    say(&world, &model, NOTES, true);
    say(&world, &model, "Yes, this is the right profile. Confirm it.", false);
    let wish = "Make the job ad, the TA screening template and the hiring manager's screening template now, all three \
        at once, in English, for all four must-haves. I have nothing to add.";
    let said = say(&world, &model, wish, false);
    let made = documents(&world);
    let wanted = [
        ("create_job_ad", "job_ad"),
        ("create_ta_screening_template", "ta_screening_template"),
        ("create_hm_screening_template", "hm_screening_template"),
    ];
    for (tool, kind) in wanted {
        assert!(made.iter().any(|one| one == kind), "{kind} in {made:?}");
        assert!(calls_of(&said, tool).any(|call| call["status"] == "succeeded"), "{tool}: {said:#}");
    }
    let mut ids: Vec<&str> = said["tool_calls"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|call| call["call_id"].as_str())
        .collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "each call has one result: {said:#}");
}

/// The calls of one tool in a turn.
fn calls_of<'a>(said: &'a Value, tool: &'a str) -> impl Iterator<Item = &'a Value> {
    said["tool_calls"].as_array().into_iter().flatten().filter(move |call| call["tool"] == tool)
}

#[test]
fn live_recruitment_openai() {
    recruitment("OPENAI_API_KEY", "TATA_LIVE_OPENAI", "gpt-6.1-sol");
}

#[test]
fn live_recruitment_anthropic() {
    recruitment("ANTHROPIC_API_KEY", "TATA_LIVE_ANTHROPIC", "claude-sonnet-5-5");
}

#[test]
fn live_too_early_openai() {
    too_early("OPENAI_API_KEY", "TATA_LIVE_OPENAI", "gpt-6.1-sol");
}

#[test]
fn live_too_early_anthropic() {
    too_early("ANTHROPIC_API_KEY", "TATA_LIVE_ANTHROPIC", "claude-sonnet-5-5");
}

#[test]
fn live_too_few_must_haves_openai() {
    too_few_must_haves("OPENAI_API_KEY", "TATA_LIVE_OPENAI", "gpt-6.1-sol");
}

#[test]
fn live_too_few_must_haves_anthropic() {
    too_few_must_haves("ANTHROPIC_API_KEY", "TATA_LIVE_ANTHROPIC", "claude-sonnet-5-5");
}

#[test]
fn live_several_calls_openai() {
    several_calls("OPENAI_API_KEY", "TATA_LIVE_OPENAI", "gpt-6.1-sol");
}

#[test]
fn live_several_calls_anthropic() {
    several_calls("ANTHROPIC_API_KEY", "TATA_LIVE_ANTHROPIC", "claude-sonnet-5-5");
}
