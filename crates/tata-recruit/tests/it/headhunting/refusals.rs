//! What is missing is asked for, and what could not be done is told.

use tata_recruit::{HeadhuntingInput, Kind, Language, Project, Settings, create_headhunting_messages};

use super::{about, create, now, problems, profile};

/// Properties 8 and 39: without a profile, a refusal in the language of the project that offers to make one.
#[test]
fn without_a_requirement_profile_there_are_no_messages() {
    for language in Language::ALL {
        let settings = Settings { language, ..Default::default() };
        let project = Project::default().with(Kind::ProjectSettings, "", &settings);
        let refusal = create_headhunting_messages(HeadhuntingInput::default(), &project, now()).unwrap_err();
        let problem = &refusal.problems[0];
        assert!(problem.message.contains(Kind::HeadhuntingMessages.display(project.texts())), "{problem:?}");
        assert!(problem.hint.is_some());
        let mut profile = profile();
        profile.position_title = "  ".to_owned();
        let project = project.with(Kind::RequirementProfile, "", &profile);
        let refusal = create_headhunting_messages(HeadhuntingInput::default(), &project, now()).unwrap_err();
        assert_eq!(refusal.problems[0].field, "position_title");
    }
}

#[test]
fn what_is_missing_for_a_language_is_asked_for() {
    let mut profile = profile();
    profile.team_info = tata_recruit::TeamInfo::default();
    profile.pay_range = None;
    let fields: Vec<String> =
        problems(create(&profile, HeadhuntingInput::default())).into_iter().map(|(field, _)| field).collect();
    assert_eq!(
        fields,
        ["en", "sv", "da", "no", "de_du", "de_sie"].map(|code| format!("value_propositions.{code}"))
    );
}

#[test]
fn the_recruiter_is_told_what_could_not_be_done() {
    let mut profile = profile();
    drop(profile.must_have_skills.pop());
    let made = create(&profile, about("too short")).unwrap();
    let about: Vec<&str> = made.notices.iter().map(|notice| notice.about.as_str()).collect();
    assert_eq!(about, ["must_have_skills", "candidate_profile", "candidate_profile"]);
    assert!(!made.next_steps.is_empty());
    assert!(made.answer()["artifact"].get("sources").is_none(), "the pasted text is not sent back");
}
