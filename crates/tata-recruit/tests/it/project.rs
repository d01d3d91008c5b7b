//! The project's own rules: greeting, menu, settings.

use tata_recruit::key;
use tata_recruit::{
    FormWish, HeadhuntingInput, JobAdInput, Kind, Language, ProfileInput, Project, ScreeningInput, Settings,
    SettingsInput, Texts, Voice, create_headhunting_messages, create_job_ad, create_requirement_profile,
    create_ta_screening_template, greeting, set_project,
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
        let builds = texts.get(key!("project.greeting.builds_on_profile"));
        assert_eq!(text.matches(builds).count(), 5, "{text}");
        assert!(!text.to_lowercase().contains("module a"));
        let known = greeting(voice, Some("Network Engineer")).plain();
        assert!(
            known.contains("Network Engineer")
                && !known.contains(texts.get(key!("project.greeting.ask_position")))
        );
    }
}

/// A profile that was made in Swedish makes Swedish documents, until somebody sets something else.
#[test]
fn a_project_without_settings_speaks_as_its_profile_does() {
    let voice = |language: &str| serde_json::json!({ "voice": language });
    let project = Project::default().with(Kind::RequirementProfile, "", &voice("sv"));
    assert_eq!((project.voice(), project.speak(None, None, "").voice), (Voice::Sv, Voice::Sv));
    let formal = Project::default().with(Kind::RequirementProfile, "", &voice("de_sie"));
    assert_eq!((formal.voice(), formal.speak(None, None, "").voice), (Voice::DeSie, Voice::DeSie));
    let english = project.with(Kind::ProjectSettings, "", &Settings::default());
    assert_eq!(english.voice(), Voice::En);
    let unreadable = Project::default().with(Kind::RequirementProfile, "", &voice("klingon"));
    assert_eq!(unreadable.voice(), Voice::En);
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

/// Property 3: one form of address in all German documents of a project, whatever each of them is given.
#[test]
fn property_3_all_documents_of_a_project_say_du_or_all_say_sie() {
    let now = "2026-11-15T09:00:00Z".parse().unwrap();
    let notes = "Muss\n* Erfahrung mit BGP und MPLS\n* Erfahrung im Betrieb von Netzen\n* Fließendes Deutsch\n\
        * Führerschein Klasse B\n\nAufgaben\n* Backbone betreiben und ausbauen\n* Wartungsfenster planen\n\
        * Störungen analysieren\n\nEigenschaften: ruhig, gründlich\n\nWarum die Stelle\n* Das Netz wird neu gebaut\n\n\
        Team: acht Personen\nOrt: Hamburg\n\n";
    let check = |about: &str, company: Option<&str>, expected: Voice| {
        let settings = Settings { language: Language::De, ..Settings::default() };
        let project = Project::default().with(Kind::ProjectSettings, "", &settings);
        let input = ProfileInput {
            position_title: "Netzwerkingenieur (m/w/d)".to_owned(),
            startup_notes: format!("{notes}{about}"),
            ..ProfileInput::default()
        };
        let profile = create_requirement_profile(input, &project, now).unwrap();
        let project = project.with(Kind::RequirementProfile, "", &profile.json);
        let company = company.map(str::to_owned);
        let ad = JobAdInput { company_context: company, ..JobAdInput::default() };
        let ad = create_job_ad(ad, &project, now).unwrap_or_else(|no| panic!("{no:?}"));
        assert_eq!(ad.json["voice"], expected.name(), "the ad: {about}");
        let project = project.with(Kind::JobAd, "", &ad.json);
        let messages = create_headhunting_messages(HeadhuntingInput::default(), &project, now).unwrap();
        assert_eq!(messages.json["shown"], expected.name(), "the messages: {about}");
        let questions = create_ta_screening_template(ScreeningInput::default(), &project, now).unwrap();
        assert_eq!(questions.json["voice"], expected.name(), "the questions: {about}");
    };
    check("Bei uns gilt die Du-Kultur, auch im Management.", None, Voice::DeDu);
    check("Wir siezen uns, obwohl wir agil arbeiten.", None, Voice::DeSie);
    check("", None, Voice::DeSie);
    check("", Some("Wir sind ein junges, agiles Unternehmen."), Voice::DeDu);
}
