//! Headhunting messages: properties 3, 5 to 8, 15 to 19, 36 and 39 of the specification.

mod candidates;
mod promises;
mod properties;
mod reasons;
mod refusals;
mod wording;
mod written;

use jiff::Timestamp;
use proptest::strategy::Strategy;
use tata_recruit::{
    HeadhuntingInput, HeadhuntingMessages, Kind, Language, Made, Profile, Project, Refusal, Settings,
    create_headhunting_messages,
};

use crate::profiles::any_profile;

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn project(profile: &Profile) -> Project {
    // Refusals in English, whatever the profile is written in.
    Project::default().with(Kind::ProjectSettings, "", &Settings::default()).with(
        Kind::RequirementProfile,
        "",
        profile,
    )
}

fn create(profile: &Profile, input: HeadhuntingInput) -> Result<Made, Refusal> {
    create_headhunting_messages(input, &project(profile), now())
}

fn read(made: &Made) -> HeadhuntingMessages {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn about(candidate: &str) -> HeadhuntingInput {
    HeadhuntingInput { candidate_profile: Some(candidate.to_owned()), ..Default::default() }
}

/// A profile with facts that can be said in every language.
fn profile() -> Profile {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    loop {
        let tree = any_profile(Language::Sv).new_tree(&mut runner).unwrap();
        let profile = proptest::strategy::ValueTree::current(&tree);
        if profile.team_info.size.is_some() && profile.team_info.location.is_some() {
            return profile;
        }
    }
}

fn problems(result: Result<Made, Refusal>) -> Vec<(String, String)> {
    let refusal = result.map(|made| made.json).unwrap_err();
    refusal.problems.into_iter().map(|problem| (problem.field, problem.message)).collect()
}
