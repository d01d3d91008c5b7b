//! What is asked: by the sort of requirement, by what the profile knows, by what was chosen.

use std::collections::BTreeSet;

use tata_recruit::{Language, MOST_AREAS, Requirement, ScreeningInput, SkillType, Voice};
use tata_recruit::{group, key};

use super::{hm, items, project, read, sample, spoken, ta};

/// Property 13: the questions fit the sort of requirement: nobody is asked for a project about a driving licence.
#[test]
fn property_13_the_style_follows_the_requirement() {
    let input = ScreeningInput { include_good_to_haves: true, ..spoken(Voice::En) };
    let template = read(&ta(&input, &project(&sample(), Language::En)).unwrap());
    let kinds: Vec<(SkillType, Requirement)> =
        template.skills.iter().map(|set| (set.skill_type, set.requirement)).collect();
    assert_eq!(
        kinds,
        [
            (SkillType::Technical, Requirement::Experience),
            (SkillType::Functional, Requirement::Language),
            (SkillType::Functional, Requirement::Credential),
            (SkillType::Leadership, Requirement::Experience),
            (SkillType::GoodToHave, Requirement::Experience),
            (SkillType::GoodToHave, Requirement::Availability),
        ]
    );
    for set in &template.skills {
        let special = set.requirement != Requirement::Experience;
        assert!(!special || !set.main_question.text.contains("project"), "{}", set.main_question.text);
        assert!(!special || set.type_reason.contains("Asked about as"), "{}", set.type_reason);
    }
    // What is welcome is not called a requirement or a condition of the role.
    let welcome = &template.skills[5];
    assert!(!welcome.anchors.one.contains("requirement"), "{}", welcome.anchors.one);
    assert!(
        welcome.main_question.text.contains("not")
            || welcome.main_question.text.contains("good to have")
            || welcome.main_question.text.contains("no condition"),
        "{}",
        welcome.main_question.text
    );
    let anchors: BTreeSet<&str> = template.skills.iter().map(|set| set.anchors.five.as_str()).collect();
    assert_eq!(anchors.len(), 6);
}

/// Property 13: in all voices there are enough wordings that four skills of one sort share none.
#[test]
fn property_13_there_are_enough_wordings() {
    for voice in Voice::ALL {
        let texts = tata_recruit::Texts::of(voice);
        for (style, main, follow_ups) in [
            ("technical", 5, 12),
            ("leadership", 5, 12),
            ("functional", 5, 12),
            ("good_to_have", 5, 6),
            ("language", 4, 6),
            ("languages", 4, 6),
            ("credential", 4, 6),
            ("education", 4, 6),
            ("availability", 4, 6),
            ("welcome_formal", 4, 5),
        ] {
            let list =
                |part: &str| texts.list(group!("screening.questions").key(format_args!("{style}.{part}")));
            assert!(list("main").len() >= main, "{} {style}", voice.name());
            assert!(list("follow_ups").len() >= follow_ups, "{} {style}", voice.name());
            assert!(list("main").iter().all(|text| text.contains("{skill}")), "{} {style}", voice.name());
        }
        assert_eq!(texts.list(key!("screening.area")).len(), MOST_AREAS, "{}", voice.name());
        assert!(texts.list(key!("screening.area")).iter().all(|text| text.contains("{area}")));
        assert_eq!(texts.list(key!("screening.closing")).len(), 5);
    }
}

/// A good-to-have is asked about when it is named, and all of them when they are wanted.
#[test]
fn good_to_haves_can_be_chosen() {
    let names = |input: ScreeningInput| {
        let template = read(&ta(&input, &project(&sample(), Language::En)).unwrap());
        template.skills.into_iter().filter(|set| !set.must_have).map(|set| set.skill_name).collect::<Vec<_>>()
    };
    assert!(names(ScreeningInput::default()).is_empty());
    let all = ScreeningInput { include_good_to_haves: true, ..ScreeningInput::default() };
    assert_eq!(names(all).len(), 2);
    let one = ScreeningInput {
        skills_to_include: Some(vec![
            "Experience of ServiceNow".to_owned(),
            sample().must_have_skills[0].text.clone(),
        ]),
        ..ScreeningInput::default()
    };
    assert_eq!(names(one), ["experience of ServiceNow"]);
}

/// The pay range is told, never asked for in the past; the place is told when it is known.
#[test]
fn practical_questions_use_what_the_profile_knows() {
    let mut profile = sample();
    profile.pay_range = serde_json::from_value(serde_json::json!({
        "min": 45000, "max": 52000, "currency": "SEK", "period": "month",
        "source": "startup_notes", "start": 0, "end": 1, "quote": "x",
    }))
    .unwrap();
    profile.team_info.location = items(&["Stockholm"]).pop();
    let template = read(&ta(&spoken(Voice::En), &project(&profile, Language::En)).unwrap());
    let practical: Vec<&str> = template.practical.iter().map(|question| question.text.as_str()).collect();
    assert!(practical[1].contains("SEK 45,000–52,000 per month"), "{practical:?}");
    assert!(practical[2].contains("Stockholm"), "{practical:?}");
}

/// After delivery: the candidate report, and the other template.
#[test]
fn the_next_steps_name_the_report_and_the_other_template() {
    for language in Language::ALL {
        let project = project(&sample(), language);
        let (first, second) =
            (ta(&ScreeningInput::default(), &project), hm(&ScreeningInput::default(), &project));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!((first.next_steps.len(), second.next_steps.len()), (2, 2));
        assert_eq!(first.next_steps[0], second.next_steps[0]);
        assert_ne!(first.next_steps[1], second.next_steps[1]);
        assert!(first.questions[0].contains("fluent Swedish"), "{:?}", first.questions);
    }
}

/// A place in other words than its name stands behind a label, in no sentence.
#[test]
fn a_place_in_other_words_stands_behind_a_label() {
    for (voice, place, wanted) in [
        (Voice::En, "Sits in Malmö, 2-3 days a week", "Place of work: Sits in Malmö, 2-3 days a week."),
        (Voice::Sv, "Man kör mest i Värmland", "Arbetsort: Man kör mest i Värmland."),
        (Voice::Da, "Sidder i Kolding", "Arbejdssted: Sidder i Kolding."),
        (Voice::No, "Sitter på Fornebu", "Arbeidssted: Sitter på Fornebu."),
        (Voice::DeSie, "Sitzt in Kiel", "Arbeitsort: Sitzt in Kiel."),
    ] {
        let mut profile = sample();
        profile.content_language = Some(voice.language());
        profile.team_info.location = items(&[place]).pop();
        let template = read(&ta(&spoken(voice), &project(&profile, Language::En)).unwrap());
        let question = &template.practical[2].text;
        assert!(question.starts_with(wanted), "{question}");
    }
}
