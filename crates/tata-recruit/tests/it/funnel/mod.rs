//! The funnel report: its arithmetic against an oracle written apart from it, its reading of tables, its words.

mod bottlenecks;
mod figures;
mod oracle;
mod people;
mod properties;
mod refusals;
mod tables;

use serde_json::{Value, json};
use tata_recruit::{
    FormWish, FunnelReport, GermanForm, Kind, Made, Project, Refusal, Settings, StageRow, Voice,
    create_funnel_report,
};

const LANES: [(&str, &[&str]); 3] = [
    ("attraction", &["job_ad_views", "apply_clicks", "applications_received", "qualified_applications"]),
    ("sourcing", &["candidates_sourced", "contacted", "replied", "interested"]),
    (
        "process",
        &[
            "ta_screenings",
            "hm_interviews",
            "case_interviews",
            "team_interviews",
            "tests",
            "references",
            "offers_made",
            "offers_accepted",
        ],
    ),
];

fn project(voice: Voice) -> Project {
    let german_form = match voice.form() {
        Some(GermanForm::Du) => FormWish::Du,
        Some(GermanForm::Sie) | None => FormWish::Sie,
    };
    let settings = Settings { language: voice.language(), german_form, position_name: None };
    Project::default().with(Kind::ProjectSettings, "", &settings)
}

fn request(fields: &Value) -> Value {
    let mut request =
        json!({"job_title": "Network Engineer", "number_of_positions": 2, "hiring_manager_name": "Kim Berg"});
    for (name, value) in fields.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

fn make_in(project: &Project, fields: &Value) -> Result<Made, Refusal> {
    let input = serde_json::from_value(request(fields)).unwrap();
    create_funnel_report(input, project, "2026-11-15T09:00:00Z".parse().unwrap())
}

fn make(fields: &Value) -> Made {
    make_in(&Project::default(), fields).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

fn read(made: &Made) -> FunnelReport {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn report(fields: &Value) -> FunnelReport {
    read(&make(fields))
}

fn row<'a>(report: &'a FunnelReport, stage: &str) -> &'a StageRow {
    report.stages.iter().find(|row| row.stage.name() == stage).unwrap_or_else(|| panic!("{stage}"))
}
