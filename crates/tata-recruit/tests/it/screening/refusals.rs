//! What is missing or wrong is named with the way out.

use tata_recruit::{Kind, Language, Profile, Project, ScreeningInput, Settings};

use super::{problems, project, refused, sample, ta};

/// Property 39: what is missing or wrong is named with the way out, in the language of the project.
#[test]
fn property_39_refusals_name_the_way_out() {
    for language in Language::ALL {
        let settings = Settings { language, ..Settings::default() };
        let empty = Project::default().with(Kind::ProjectSettings, "", &settings);
        assert_eq!(problems(ta(&ScreeningInput::default(), &empty)).len(), 1);
        let project = |change: fn(&mut Profile)| {
            let mut profile = sample();
            change(&mut profile);
            project(&profile, language)
        };
        let plain = ScreeningInput::default();
        refused(ta(&plain, &project(|profile| profile.must_have_skills.truncate(3))), "must_have_skills");
        refused(ta(&plain, &project(|profile| profile.position_title = " ".to_owned())), "position_title");
        refused(
            ta(&plain, &project(|profile| profile.position_title = "x".repeat(1_000_000))),
            "position_title",
        );
        refused(
            ta(&plain, &project(|profile| profile.must_have_skills[1] = profile.must_have_skills[0].clone())),
            "must_have_skills",
        );
        refused(
            ta(&plain, &project(|profile| profile.must_have_skills[1].text = "x".repeat(1_000_000))),
            "skills_to_include",
        );
        let wish = |wishes: &[&str]| ScreeningInput {
            skills_to_include: Some(wishes.iter().map(|wish| (*wish).to_owned()).collect()),
            ..ScreeningInput::default()
        };
        let fine = project(|_| {});
        refused(ta(&wish(&[]), &fine), "skills_to_include");
        refused(ta(&wish(&["Cobol"]), &fine), "skills_to_include[0]");
        refused(
            ta(&wish(&["fluent Swedish, spoken and written", "\u{200B}"]), &fine),
            "skills_to_include[1]",
        );
        refused(ta(&wish(&["x"; 500]), &fine), "skills_to_include");
        let areas = |areas: Vec<String>| ScreeningInput {
            additional_areas: Some(areas),
            ..ScreeningInput::default()
        };
        refused(ta(&areas((0..300).map(|at| format!("area {at}")).collect()), &fine), "additional_areas");
        refused(ta(&areas(vec![" ".to_owned()]), &fine), "additional_areas[0]");
        refused(ta(&areas(vec!["a ".repeat(500_000)]), &fine), "additional_areas[0]");
    }
}

/// The nearest names are offered for a skill that is not in the profile.
#[test]
fn a_slip_in_a_skill_is_recognized() {
    let input = ScreeningInput {
        skills_to_include: Some(vec!["a valid driving license, class B".to_owned()]),
        ..ScreeningInput::default()
    };
    let refusal = ta(&input, &project(&sample(), Language::En)).unwrap_err();
    let hint = refusal.problems[0].hint.as_deref().unwrap_or_default();
    assert!(hint.contains("a valid driving licence, class B"), "{hint}");
}
