//! The worked examples in `docs/examples`: made by the program from their inputs, and never out of date.
//!
//! Every folder holds `input.json`; what the program makes of it is in `artifact.json` and `document.md`. They run in
//! the order of their names, in one conversation. `scripts/examples` writes them anew.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::program::World;

/// Each folder's tool and the document it makes.
const EXAMPLES: [(&str, &str, &str); 10] = [
    ("1-requirement-profile", "create_requirement_profile", "requirement_profile"),
    ("2-job-ad", "create_job_ad", "job_ad"),
    ("3-ta-screening-template", "create_ta_screening_template", "ta_screening_template"),
    ("4-hm-screening-template", "create_hm_screening_template", "hm_screening_template"),
    ("5-headhunting-messages", "create_headhunting_messages", "headhunting_messages"),
    ("6-candidate-report", "create_candidate_report", "candidate_reports"),
    ("7-funnel-report", "create_funnel_report", "funnel_report"),
    ("8-job-ad-review", "create_job_ad_review", "job_ad_review"),
    ("9-di-review", "create_di_review", "di_review"),
    ("10-calendar-invitation", "create_calendar_invite", "calendar_invite"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples")
}

#[test]
fn the_examples_are_what_the_program_makes() {
    #[expect(clippy::disallowed_methods, reason = "set by scripts/examples")]
    let bless = std::env::var_os("TATA_BLESS_EXAMPLES").is_some();
    let world = World::new().set("TATA_NOW", "2026-11-15T09:00:00Z");
    let mut session: Option<String> = None;
    for (name, tool, kind) in EXAMPLES {
        let input = fs::read_to_string(folder().join(name).join("input.json")).unwrap();
        let mut arguments = vec!["run", tool, "--input", "-", "--json"];
        if let Some(session) = &session {
            arguments.extend(["--session", session]);
        }
        let said = world.run_with_input(&arguments, &input);
        assert_eq!(said.code, 0, "{name}: {} {}", said.out, said.err);
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        session = answer["session_id"].as_str().map(str::to_owned);
        let artifact = format!("{:#}\n", answer["result"]);
        check(&folder().join(name).join("artifact.json"), &artifact, bless);
        let shown = world.run(&["artifact", "show", kind, "--format", "md"]);
        assert_eq!(shown.code, 0, "{name}: {}", shown.err);
        check(&folder().join(name).join("document.md"), &shown.out, bless);
    }
}

fn check(path: &Path, made: &str, bless: bool) {
    if bless {
        return fs::write(path, made).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(kept == made, "{} is out of date: run scripts/examples", path.display());
}
