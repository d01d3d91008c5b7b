//! The job ad: ten sections, every one of them true.

mod facts;
mod lists;
mod properties;
mod refusals;
mod sources;
mod titles;
mod written;

use jiff::Timestamp;
use proptest::strategy::Strategy;
use tata_recruit::{
    FormWish, GermanForm, JobAd, JobAdInput, Kind, Language, Made, Profile, Project, Refusal, Settings,
    Voice, create_job_ad,
};

use crate::profiles::any_profile;

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn form(voice: Voice) -> FormWish {
    match voice.form() {
        Some(GermanForm::Du) => FormWish::Du,
        Some(GermanForm::Sie) | None => FormWish::Sie,
    }
}

/// A project in the language of a voice.
fn project(profile: &Profile, voice: Voice) -> Project {
    let settings = Settings { language: voice.language(), german_form: form(voice), position_name: None };
    Project::default().with(Kind::ProjectSettings, "", &settings).with(Kind::RequirementProfile, "", profile)
}

fn create(profile: &Profile, voice: Voice, input: JobAdInput) -> Result<(Made, JobAd), Refusal> {
    let made = create_job_ad(input, &project(profile, voice), now())?;
    let ad = serde_json::from_value(made.json.clone()).unwrap();
    Ok((made, ad))
}

/// The same for texts that were sent back once: what is not proven is marked.
fn create_again(profile: &Profile, voice: Voice, input: JobAdInput) -> Result<(Made, JobAd), Refusal> {
    let made = create_job_ad(input, &project(profile, voice).tried_before(1), now())?;
    let ad = serde_json::from_value(made.json.clone()).unwrap();
    Ok((made, ad))
}

/// A fixed profile of a language, for the tables.
fn sample(language: Language) -> Profile {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    any_profile(language).new_tree(&mut TestRunner::deterministic()).unwrap().current()
}

/// The same words with a capital first letter.
fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Every problem has a field, a message and a way out, and no key or placeholder shows.
fn explained(refusal: &Refusal) -> bool {
    !refusal.problems.is_empty()
        && refusal.problems.iter().all(|problem| {
            let hint = problem.hint.as_deref().unwrap_or_default();
            !problem.message.is_empty()
                && !hint.is_empty()
                && !problem.message.starts_with("job_ad.")
                && !hint.starts_with("job_ad.")
        })
}

fn fields(refusal: &Refusal) -> Vec<&str> {
    refusal.problems.iter().map(|problem| problem.field.as_str()).collect()
}
