//! What is missing or cannot be traced stops an ad, and the way out is named.

use tata_recruit::{JobAdInput, Kind, Language, Project, Settings, Voice, create_job_ad};

use super::{create, explained, fields, form, now, sample};

/// Property 39: one refusal says everything that is missing and how to go on, in the language of the project.
#[test]
fn property_39_a_refusal_names_all_that_is_missing() {
    for voice in Voice::ALL {
        let mut profile = sample(voice.language());
        profile.position_title = "  ".to_owned();
        profile.must_have_skills.pop();
        profile.primary_responsibilities.truncate(2);
        profile.soft_skills.clear();
        profile.motivations.clear();
        profile.contribution_to_mission = None;
        let refusal = create(&profile, voice, JobAdInput::default()).unwrap_err();
        let wanted =
            ["position_title", "must_have_skills", "primary_responsibilities", "motivations", "soft_skills"];
        assert_eq!(fields(&refusal), wanted, "{voice:?}");
        assert!(explained(&refusal), "{refusal:?}");
        let parts =
            refusal.problems.iter().flat_map(|one| [one.message.as_str(), one.hint.as_deref().unwrap()]);
        let text = parts.collect::<Vec<_>>().join("\n");
        let found = whatlang::detect_lang(&text).unwrap();
        let code = match voice.language() {
            Language::En => "eng",
            Language::Sv => "swe",
            Language::Da => "dan",
            Language::No => "nob",
            Language::De => "deu",
        };
        let nordic = ["dan", "nob"];
        assert!(
            found.code() == code || nordic.contains(&code) && nordic.contains(&found.code()),
            "{found}: {text}"
        );
    }
}

/// A missing profile is refused in natural words.
#[test]
fn property_8_without_a_profile_the_way_there_is_offered() {
    for voice in Voice::ALL {
        let settings = Settings { language: voice.language(), german_form: form(voice), position_name: None };
        let project = Project::default().with(Kind::ProjectSettings, "", &settings);
        let refusal = create_job_ad(JobAdInput::default(), &project, now()).unwrap_err();
        assert!(explained(&refusal), "{refusal:?}");
        assert!(!refusal.problems[0].message.contains('_'), "{refusal:?}");
    }
}

/// A statement of the profile that its source does not contain stops the ad.
#[test]
fn an_untraced_item_is_refused() {
    let mut profile = sample(Language::En);
    profile.must_have_skills[1].text = "a licence to fly".to_owned();
    let refusal = create(&profile, Voice::En, JobAdInput::default()).unwrap_err();
    assert_eq!(fields(&refusal), ["must_have_skills[1]"]);
}
