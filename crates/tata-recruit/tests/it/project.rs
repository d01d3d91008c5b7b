//! The project's own rules: greeting, menu, settings.

use tata_recruit::{
    FormWish, Kind, Language, Project, Settings, SettingsInput, Texts, Voice, greeting, set_project,
};

/// Names that the greeting must show, in English.
const SERVICES: [&str; 9] = [
    "Requirement Profile",
    "Job Ad",
    "Screening Template (TA)",
    "Screening Template (HM)",
    "Headhunting",
    "Candidate Report",
    "Funnel Report",
    "Job Ad Review",
    "D&I Review",
];

/// Properties 9 and 31 for what a recruiter reads first.
#[test]
fn the_greeting_introduces_tata_lists_ten_services_and_asks_for_the_position() {
    let english = greeting(Voice::En, None).plain();
    assert!(english.contains("Tata") && english.contains("position"));
    assert!(SERVICES.iter().all(|name| english.contains(name)), "{english}");
    assert!(english.contains("Calendar Invitation"));
    for voice in Voice::ALL {
        let text = greeting(voice, None).plain();
        let texts = Texts::of(voice);
        assert_eq!(text.lines().filter(|line| line.starts_with('•')).count(), 10, "{text}");
        assert!(Kind::SERVICES.iter().all(|kind| text.contains(kind.display(texts))));
        let builds = texts.get("project.greeting.builds_on_profile");
        assert_eq!(text.matches(builds).count(), 5, "{text}");
        assert!(!text.to_lowercase().contains("module a"));
        let known = greeting(voice, Some("Network Engineer")).plain();
        assert!(
            known.contains("Network Engineer") && !known.contains(texts.get("project.greeting.ask_position"))
        );
    }
}

#[test]
fn a_project_keeps_its_language_until_somebody_changes_it() {
    let now = "2026-11-15T09:00:00Z".parse().unwrap();
    let set = |project: &Project, input: SettingsInput| {
        let made = set_project(input, project, now).unwrap();
        (project.clone().with(Kind::ProjectSettings, "", &made.json), made)
    };
    let swedish = SettingsInput { language: Some("svenska".to_owned()), ..SettingsInput::default() };
    let (project, made) = set(&Project::default(), swedish);
    assert_eq!(project.voice(), Voice::Sv);
    assert!(made.title.is_none() && made.notices.is_empty());
    let named = SettingsInput {
        position_name: Some("  Nätverks\ntekniker ".to_owned()),
        ..SettingsInput::default()
    };
    let (project, made) = set(&project, named);
    assert_eq!(made.title.as_deref(), Some("Nätverks tekniker"));
    assert_eq!(project.settings().language, Language::Sv);
    let finnish = SettingsInput { language: Some("Finnish".to_owned()), ..SettingsInput::default() };
    let (project, made) = set(&project, finnish);
    assert_eq!((project.settings().language, made.notices.len()), (Language::En, 1));
    let du = SettingsInput {
        language: Some("de".to_owned()),
        german_form: Some(FormWish::Du),
        ..SettingsInput::default()
    };
    let (project, _) = set(&project, du);
    assert_eq!(project.voice(), Voice::DeDu);
    assert_eq!(project.speak(Some("da"), None, "").voice, Voice::Da);
    assert_eq!(project.speak(None, Some(FormWish::Sie), "").voice, Voice::DeSie);
    let read: Settings = project.read(Kind::ProjectSettings, "").unwrap();
    assert_eq!(read, project.settings());
}

#[test]
fn what_builds_on_what() {
    assert_eq!(
        Kind::RequirementProfile.dependents(),
        [
            Kind::JobAd,
            Kind::TaScreeningTemplate,
            Kind::HmScreeningTemplate,
            Kind::HeadhuntingMessages,
            Kind::CandidateReport
        ]
    );
    assert_eq!(Kind::TaScreeningTemplate.dependents(), [Kind::CandidateReport]);
    assert!(Kind::FunnelReport.requires().is_empty() && Kind::CalendarInvite.requires().is_empty());
}
