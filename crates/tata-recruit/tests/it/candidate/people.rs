//! What people do with a report: confirm, change, compare.

use serde_json::{Value, json};
use tata_core::{Effect, ToolRegistry};
use tata_recruit::key;
use tata_recruit::{
    CandidateInput, CompareInput, Comparison, ConfirmInput, Kind, Made, Project, Rating, Recommendation,
    Refusal, ReportStatus, Source, Texts, Voice, compare_candidates, confirm_candidate_report,
};

use super::{
    CASES, Case, holds, input, made, names_in, now, project, ratings, refused, report, with_content,
};

pub(super) fn confirm(project: &Project, key: &str, decisions: Value) -> Result<Made, Refusal> {
    let input =
        ConfirmInput { candidate_key: key.to_owned(), decisions: serde_json::from_value(decisions).unwrap() };
    confirm_candidate_report(input, project, now())
}

pub(super) fn compare(project: &Project, transposed: bool) -> Comparison {
    compare_candidates(&CompareInput { transposed, ..CompareInput::default() }, project).unwrap()
}

/// The first English interview with ratings that a model proposes.
fn proposed() -> Made {
    with_content(json!({
        "motivation": {"rating": 4, "explanation": "Ties the wish to this backbone.",
            "quotes": ["I want to work on a backbone that spans several countries"]},
        "skills": [{"skill_name": "Supplier negotiation", "rating": 4, "explanation": "Prepared three scenarios.",
            "quotes": ["I prepared three scenarios"]}],
    }))
    .unwrap_or_else(|no| panic!("{no:?}"))
}

#[test]
fn a_person_confirms_changes_and_rates() {
    let first = proposed();
    let project = project(Voice::En).with(Kind::CandidateReport, &first.key, &first.json);
    let some = json!([{"about": "Motivation", "choice": "confirm"},
        {"about": "supplier negotiation", "choice": "rate", "rating": 5, "reason": "Led the whole framework contract."}]);
    let second = confirm(&project, "js", some).unwrap_or_else(|no| panic!("{no:?}"));
    let report_two = report(&second);
    assert_eq!((report_two.version, report_two.status, second.key.as_str()), (2, ReportStatus::Draft, "JS"));
    assert_eq!(ratings(&report_two), [4, 0, 0, 5, 0]);
    assert_eq!((report_two.mean_tenths, report_two.not_assessed), (None, 3));
    let changed = &report_two.skill_assessments[2];
    assert_eq!(changed.explanation, "Led the whole framework contract.");
    assert_eq!(changed.decision.as_ref().unwrap().proposed, Rating::new(4));
    assert!(!second.questions.is_empty() && second.document.plain().contains("Proposed before: 4/5"));
    let project = project.with(Kind::CandidateReport, "JS", &report_two);
    let rest = json!([
        {"about": "Five years of experience with BGP and MPLS", "choice": "rate", "rating": 4, "reason": "Eight years."},
        {"about": "Project management of network rollouts", "choice": "rate", "rating": 3, "reason": "Technical lead of twelve sites."},
        {"about": "Fluent in English", "choice": "rate", "rating": 5, "reason": "Written test passed."},
    ]);
    let third = confirm(&project, "JS", rest).unwrap_or_else(|no| panic!("{no:?}"));
    let done = report(&third);
    assert_eq!(
        (done.status, done.version, done.recommendation),
        (ReportStatus::Confirmed, 3, Recommendation::Recommended)
    );
    assert_eq!((done.mean_tenths, done.not_assessed), (Some(42), 0));
    assert!(done.conclusion.contains("4.2") && third.questions.is_empty());
    assert!(done.quotes().all(|quote| holds(quote, &done.sources)));
}

#[test]
fn decisions_need_a_reason_and_a_rating() {
    let first = proposed();
    let project = project(Voice::En).with(Kind::CandidateReport, &first.key, &first.json);
    let check = |decision: Value, field: &str| {
        let refusal = confirm(&project, "JS", json!([decision])).map(|made| made.json).unwrap_err();
        assert!(
            refusal.problems[0].field.ends_with(field) && refusal.problems[0].hint.is_some(),
            "{refusal:?}"
        );
    };
    check(json!({"about": "Motivation", "choice": "rate", "rating": 5}), "reason");
    check(json!({"about": "Motivation", "choice": "rate", "reason": "Good."}), "rating");
    check(json!({"about": "Motivation", "choice": "rate", "rating": 9, "reason": "Good."}), "rating");
    check(json!({"about": "Motivation", "choice": "confirm", "rating": 2}), "rating");
    check(json!({"about": "Fluent in English", "choice": "confirm"}), "choice");
    check(json!({"about": "Cooking", "choice": "confirm"}), "about");
    check(
        json!({"about": "Motivation", "choice": "rate", "rating": 1, "reason": "Too young for it."}),
        "reason",
    );
    assert!(confirm(&project, "JS", json!([])).is_err());
    assert!(confirm(&project, "XX", json!([{"about": "Motivation", "choice": "confirm"}])).is_err());
    let open = confirm(&project, "JS", json!([{"about": "Motivation", "choice": "leave_open"}])).unwrap();
    assert_eq!(ratings(&report(&open))[0], 0);
}

#[test]
fn keys_stand_for_people() {
    let project = project(Voice::En);
    let named = |name: &str, key: Option<&str>| CandidateInput {
        candidate_name: name.to_owned(),
        candidate_speaker: Some("Johan Svensson (Extern)".to_owned()),
        candidate_key: key.map(str::to_owned),
        ..input(&CASES[0])
    };
    let one = made(named("Johan Svensson", None), &project);
    let project = project.with(Kind::CandidateReport, &one.key, &one.json);
    let other = made(named("Jana Stein", None), &project);
    assert_eq!((one.key.as_str(), other.key.as_str()), ("JS", "JS2"));
    let again = made(named("svensson,  johan", None), &project);
    assert_eq!((again.key.as_str(), report(&again).version), ("JS", 2));
    let namesake = made(named("Johan Svensson", Some("new")), &project);
    assert_eq!(namesake.key, "JS2");
    let project = project.with(Kind::CandidateReport, "JS2", &namesake.json);
    assert_eq!(refused(named("Johan Svensson", None), &project).problems[0].field, "candidate_key");
    assert_eq!(report(&made(named("Johan Svensson", Some("js2")), &project)).version, 2);
    assert_eq!(refused(named("Jana Stein", Some("JS")), &project).problems[0].field, "candidate_key");
    assert_eq!(made(named("Jana Stein", None), &project).key, "JS3");
}

/// Property 37 beyond the first report: nicknames and labels stay out when a person confirms, too.
#[test]
fn property_37_nicknames_stay_out_of_every_version() {
    let text = "Eva Lind: Hi Jojo. Supplier negotiation?\nJohan S (Extern): They call me Jojo and I negotiated 12 contracts as Jojo.";
    let input = CandidateInput {
        transcript: text.to_owned(),
        candidate_name: "Johan Svensson".to_owned(),
        also_known_as: vec!["Jojo".to_owned()],
        interview_date: "2026-11-15".to_owned(),
        ..CandidateInput::default()
    };
    let first = made(input, &project(Voice::En));
    let project = project(Voice::En).with(Kind::CandidateReport, &first.key, &first.json);
    let decision = json!([{"about": "motivation", "choice": "rate", "rating": 3, "reason": "Jojo Svensson said so by mail."}]);
    let second = confirm(&project, "JS", decision).unwrap_or_else(|no| panic!("{no:?}"));
    for made in [first, second] {
        let answer = made.answer().to_string();
        assert!(answer.contains("negotiated 12 contracts"), "{answer}");
        assert!(names_in(&answer, "Jojo Johan Svensson").is_empty(), "{answer}");
    }
}

#[test]
fn a_cv_is_woven_in_without_private_lines() {
    let cv = "Johan Svensson\nBorn in 1985, married\njohan@example.com 2020\n2021–2026 Network engineer, Regional Carrier\n2017 to 2021  Support, Hosting AB\nHobbies: sailing";
    let made =
        made(CandidateInput { candidate_cv: Some(cv.to_owned()), ..input(&CASES[0]) }, &project(Voice::En));
    let report = report(&made);
    let listed: Vec<_> = report
        .background
        .iter()
        .filter(|one| one.quotes[0].source() == Source::CandidateCv)
        .map(|one| one.text.as_str())
        .collect();
    assert_eq!(listed, ["2021–2026 Network engineer, Regional Carrier", "2017 to 2021 Support, Hosting AB"]);
    assert!(report.quotes().all(|quote| holds(quote, &report.sources)));
    assert!(made.document.plain().contains("Hosting AB” (CV)"));
}

/// Properties 21 and 37 for tables: initials, one profile version, a dash where nothing is.
#[test]
fn candidates_are_compared_by_initials_only() {
    for voice in Voice::ALL {
        let mut project = project(voice);
        // Without a report there is nothing to compare, and the refusal says what to do.
        let refusal = compare_candidates(&CompareInput::default(), &project).unwrap_err();
        assert!(refusal.problems.iter().all(|problem| problem.hint.is_some()), "{refusal:?}");
        let cases: Vec<&Case> = CASES.iter().filter(|case| case.language == voice.language()).collect();
        for case in &cases {
            let made = made(input(case), &project);
            project = project.with(Kind::CandidateReport, &made.key, &made.json);
            let rate = json!([{"about": "motivation", "choice": "rate", "rating": 4, "reason": "Heard it."}]);
            let rated = confirm(&project, &made.key, rate).unwrap();
            project = project.with(Kind::CandidateReport, &made.key, &rated.json);
        }
        let mut old = report(&made(input(cases[0]), &project));
        (old.key, old.profile_version) = ("ZZ".to_owned(), 7);
        project = project.with(Kind::CandidateReport, "ZZ", &old);
        for transposed in [false, true] {
            let found = compare(&project, transposed);
            let texts = format!("{}{}", found.document.markdown(), found.document.plain());
            assert_eq!((found.compared.len(), &found.not_comparable), (2, &vec!["ZZ".to_owned()]), "{texts}");
            assert!(cases.iter().all(|case| names_in(&texts, case.name).is_empty()), "{texts}");
            assert!(texts.contains("4/5") && texts.contains("| - |") && texts.contains("ZZ"), "{texts}");
            let mean = Texts::of(voice).get(key!("candidate.comparison.mean"));
            assert_eq!(texts.contains(mean), transposed, "{texts}");
        }
        let wish = CompareInput { candidate_keys: vec!["QQ".to_owned()], ..CompareInput::default() };
        assert!(compare_candidates(&wish, &project).is_err());
    }
}

#[test]
fn the_tools_are_there() {
    let tools = tata_recruit::tools().unwrap();
    let find = |name: &str| tools.iter().find(|tool| tool.spec().name == name).unwrap().spec().clone();
    assert_eq!(find("compare_candidates").effect, Effect::Read);
    assert_eq!(find("create_candidate_report").requires.len(), 2);
    assert_eq!(find("confirm_candidate_report").effect, Effect::Own);
    // Schemas of types are taken at their word when the program starts, so they are looked at here.
    ToolRegistry::new(tools).unwrap().verify().unwrap();
}
