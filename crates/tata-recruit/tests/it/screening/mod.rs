//! The screening templates: what they ask, in every voice, from thousands of profiles.

mod private;
mod properties;
mod questions;
mod refusals;
mod written;

use jiff::Timestamp;
use tata_recruit::{
    Anchors, FormWish, GermanForm, GivenQuestions, Item, Kind, Language, Made, Profile, ProfileStatus,
    Project, Refusal, ScreeningInput, ScreeningTemplate, Settings, Voice, create_hm_screening_template,
    create_ta_screening_template,
};

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn project(profile: &Profile, language: Language) -> Project {
    let settings = Settings { language, ..Settings::default() };
    Project::default().with(Kind::ProjectSettings, "", &settings).with(Kind::RequirementProfile, "", profile)
}

fn spoken(voice: Voice) -> ScreeningInput {
    ScreeningInput {
        language: Some(voice.language().code().to_owned()),
        german_form: voice.form().map(|form| match form {
            GermanForm::Du => FormWish::Du,
            GermanForm::Sie => FormWish::Sie,
        }),
        ..ScreeningInput::default()
    }
}

fn read(made: &Made) -> ScreeningTemplate {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn ta(input: &ScreeningInput, project: &Project) -> Result<Made, Refusal> {
    create_ta_screening_template(input.clone(), project, now())
}

fn hm(input: &ScreeningInput, project: &Project) -> Result<Made, Refusal> {
    create_hm_screening_template(input.clone(), project, now())
}

fn items(texts: &[&str]) -> Vec<Item> {
    texts.iter().map(|text| Item { text: (*text).to_owned(), ..Item::default() }).collect()
}

fn sample() -> Profile {
    Profile {
        position_title: "Network Engineer".to_owned(),
        status: ProfileStatus::Confirmed,
        version: 3,
        content_language: Some(Language::En),
        must_have_skills: items(&[
            "at least five years' experience of BGP and MPLS",
            "fluent Swedish, spoken and written",
            "a valid driving licence, class B",
            "experience of leading technicians in the field",
        ]),
        good_to_haves: items(&["experience of ServiceNow", "on-call every fourth week"]),
        primary_responsibilities: items(&["run the core network", "plan changes with the field teams"]),
        ..Profile::default()
    }
}

/// The problems of a refusal: field and message.
fn problems(result: Result<Made, Refusal>) -> Vec<(String, String)> {
    let refusal = result.map(|made| made.document.plain()).unwrap_err();
    for problem in &refusal.problems {
        assert!(problem.hint.as_ref().is_some_and(|hint| !hint.trim().is_empty()), "no way out: {problem:?}");
        assert!(!problem.message.contains("screening.") && !problem.message.contains('{'), "{problem:?}");
    }
    refusal.problems.into_iter().map(|problem| (problem.field, problem.message)).collect()
}

#[track_caller]
fn refused(result: Result<Made, Refusal>, field: &str) {
    let problems = problems(result);
    assert!(problems.iter().any(|(found, _)| found == field), "{field} in {problems:?}");
}

fn given() -> GivenQuestions {
    GivenQuestions {
        skill: "At least five years’ experience of BGP and MPLS".to_owned(),
        main_question: "Tell me about a migration of yours: what was the task and what came of it?"
            .to_owned(),
        follow_ups: vec!["Which tools did you use?".to_owned(), "What would you change?".to_owned()],
        anchors: Some(Anchors {
            one: "Names no migration.".to_owned(),
            three: "Describes one with its result.".to_owned(),
            five: "Explains the risks and how they were handled.".to_owned(),
        }),
    }
}
