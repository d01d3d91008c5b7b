//! What is missing or wrong is named with the way out, and what the project knows is not asked for.

use serde_json::{Value, json};
use tata_recruit::group;
use tata_recruit::{Kind, Project, Settings, Texts, Voice, create_funnel_report, tools};

use super::{make, make_in, project, read, request};

/// Property 39: what is missing is named, with the way out, in the language of the project.
#[test]
fn property_39_refusals_speak_the_language_of_the_project() {
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        let check = |fields: Value, field: &str, key: &str| {
            let refusal = make_in(&project(voice), &fields).unwrap_err();
            let problem = refusal.problems.iter().find(|problem| problem.field == field);
            let problem = problem.unwrap_or_else(|| panic!("{field}: {refusal:?}"));
            let beginning = texts.get(group!("funnel.refusals").key(key));
            let beginning = beginning.rsplit('}').next().unwrap();
            assert!(problem.message.ends_with(beginning) && !beginning.is_empty(), "{problem:?}");
            assert!(problem.hint.is_some(), "{problem:?}");
        };
        let some = json!({"ta_screenings": 3});
        check(json!({}), "attraction", "no_data");
        check(json!({"process": {"offers_rejected": 2}, "time": {"tests": 3}}), "attraction", "no_data");
        check(json!({"job_title": " \u{200B}", "process": some}), "job_title", "job_title");
        check(
            json!({"hiring_manager_name": "", "process": some}),
            "hiring_manager_name",
            "hiring_manager_name",
        );
        check(
            json!({"number_of_positions": 0, "process": some}),
            "number_of_positions",
            "number_of_positions",
        );
        check(json!({"pasted_table": "views;-3"}), "attraction.job_ad_views", "negative");
        check(json!({"pasted_table": "views;3,5"}), "attraction.job_ad_views", "fraction");
        check(json!({"process": {"tests": u64::MAX}}), "process.tests", "too_big");
        check(json!({"process": some, "time": {"tests": -1}}), "time.tests", "days");
        let crossed = json!([{"stage": "tests", "high_below": 50, "medium_below": 40}]);
        check(json!({"process": some, "thresholds": crossed}), "thresholds.tests", "threshold");
    }
}

/// Property 39: what is left out is asked for by the module, in the project's language and in the order of asking.
#[test]
fn property_39_a_call_with_nothing_is_refused_by_the_module() {
    let now = "2026-11-15T09:00:00Z".parse().unwrap();
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        let nothing = serde_json::from_value(json!({})).unwrap();
        let refusal = create_funnel_report(nothing, &project(voice), now).unwrap_err();
        let told: Vec<(&str, &str)> =
            refusal.problems.iter().map(|one| (one.field.as_str(), one.message.as_str())).collect();
        let expected = [
            ("job_title", "job_title"),
            ("number_of_positions", "no_number_of_positions"),
            ("hiring_manager_name", "hiring_manager_name"),
            ("attraction", "no_data"),
        ]
        .map(|(field, key)| (field, texts.get(group!("funnel.refusals").key(key))));
        assert_eq!(told, expected);
        assert!(refusal.problems.iter().all(|one| one.hint.is_some()));
    }
}

/// Property 2: the project knows the position, so nobody is asked for it.
#[test]
fn property_2_the_position_is_taken_from_the_project() {
    let settings = Settings { position_name: Some("Controller".to_owned()), ..Settings::default() };
    let project = Project::default().with(Kind::ProjectSettings, "", &settings);
    let fields = json!({"job_title": null, "process": {"ta_screenings": 3}});
    assert_eq!(read(&make_in(&project, &fields).unwrap()).job_title, "Controller");
}

#[test]
fn missing_blocks_are_told() {
    let about = |fields: Value| -> Vec<String> {
        make(&fields).notices.into_iter().map(|notice| notice.about).collect()
    };
    assert_eq!(about(json!({"sourcing": {"contacted": 9}})), ["attraction", "process", "time"]);
    assert_eq!(
        about(json!({"attraction": {"job_ad_views": 9}, "time": {"job_ad_views": 1}})),
        ["sourcing", "process"]
    );
}

#[test]
fn the_tool_has_a_schema_that_refuses_negative_counts() {
    let tools = tools().unwrap();
    let tool = tools.iter().find(|tool| tool.spec().name.as_str() == "create_funnel_report").unwrap();
    let schema = serde_json::to_value(&tool.spec().schema).unwrap();
    assert!(schema.get("required").is_none(), "what is missing is asked for by the module: {schema}");
    assert!(schema.to_string().contains("\"minimum\":0"), "{schema}");
    assert!(
        serde_json::from_value::<tata_recruit::FunnelInput>(request(&json!({"process": {"tests": -1}})))
            .is_err()
    );
    assert!(
        serde_json::from_value::<tata_recruit::FunnelInput>(request(&json!({"process": {"tests": 1.5}})))
            .is_err()
    );
    assert!(
        serde_json::from_value::<tata_recruit::FunnelInput>(request(&json!({"process": {"typo": 1}})))
            .is_err()
    );
}
