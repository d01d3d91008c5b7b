//! The promises over thousands of profiles, in every voice, and over strings that break careless code.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tata_recruit::{
    Anchors, Block, Finding, Gate, GivenQuestions, GivenType, Kind, Language, Level, Made, Profile,
    ScreeningInput, ScreeningTemplate, SkillType, Voice, rendered, same, ta_template,
};

use super::{hm, items, project, read, sample, spoken, ta};
use crate::profiles::any_profile;

/// What the gate would not let out; the names of others may say anything.
fn errors(made: &Made, profile: &Profile, voice: Voice, areas: &[String]) -> Vec<Finding> {
    let mut verbatim: Vec<&str> = profile.items().map(|item| item.text.as_str()).collect();
    verbatim.push(&profile.position_title);
    verbatim.extend(areas.iter().map(String::as_str));
    let gate = Gate { voice, audience: tata_recruit::Audience::Colleagues, verbatim: &verbatim };
    let mut found = gate.check(&made.document.plain());
    found.retain(|finding| finding.level == Level::Error);
    found
}

fn check_template(
    template: &ScreeningTemplate,
    profile: &Profile,
    hiring_manager: bool,
) -> Result<(), TestCaseError> {
    // Property 13: one main question, two or three follow-ups, as many as the sort of skill wants.
    for set in &template.skills {
        prop_assert!(!set.main_question.text.trim().is_empty());
        prop_assert_eq!(set.follow_ups.len(), if set.must_have { 3 } else { 2 });
        prop_assert_eq!(set.skill_type == SkillType::GoodToHave, !set.must_have);
        // In quotation marks it begins with a capital letter; the rest is as somebody wrote it.
        let mut skill = set.skill_name.trim_end_matches(['.', ' ']).chars();
        skill.next();
        prop_assert!(set.main_question.text.contains(skill.as_str()));
        let open = set.type_reason.contains(['{', '}']);
        prop_assert!(!open && !set.type_reason.is_empty(), "{}", set.type_reason);
        for anchor in [&set.anchors.one, &set.anchors.three, &set.anchors.five] {
            prop_assert!(!anchor.is_empty());
        }
    }
    // Property 14: room for notes after each question of the hiring manager, and nowhere else.
    prop_assert!(template.questions().all(|question| question.notes_space == hiring_manager));
    // The formula of the total, and nothing twice.
    let total = template.motivation.len()
        + template.skills.iter().map(|set| 1 + set.follow_ups.len()).sum::<usize>()
        + template.practical.len();
    prop_assert_eq!(template.questions().count(), total);
    prop_assert_eq!(template.motivation.len(), 4);
    prop_assert_eq!(template.practical.len(), 4 + template.additional_areas.len());
    let distinct: BTreeSet<&str> = template.questions().map(|question| question.text.as_str()).collect();
    prop_assert_eq!(distinct.len(), total);
    for question in template.questions() {
        prop_assert!(
            question.text.matches('?').count() <= 1 && !question.text.contains(['{', '}']),
            "{}",
            question.text
        );
    }
    // Property 10: every must-have is there, asked or named as not asked.
    for skill in &profile.must_have_skills {
        let asked = template.skills.iter().any(|set| set.must_have && set.skill_name == skill.text);
        prop_assert!(asked != template.not_asked.contains(&skill.text), "{}", skill.text);
    }
    Ok(())
}

fn any_voice() -> impl Strategy<Value = Voice> {
    proptest::sample::select(&Voice::ALL[..])
}

fn profile_and_voice() -> impl Strategy<Value = (Profile, Voice)> {
    any_voice().prop_flat_map(|voice| (any_profile(voice.language()), Just(voice)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    /// Properties 13, 14, 10, 36, 1, 3, 5, 6, 9: whatever the profile, both templates keep every promise.
    #[test]
    fn properties_13_14_10_36_1_every_profile_gives_both_templates(
        (profile, voice) in profile_and_voice(),
        good in any::<bool>(),
        intro in any::<bool>(),
        areas in proptest::sample::subsequence(vec!["remote work", "Lieferanten", "dokumentation", "C++"], 0..=4),
    ) {
        let areas: Vec<String> = areas.into_iter().map(str::to_owned).collect();
        let input = ScreeningInput {
            include_good_to_haves: good,
            include_role_intro: intro,
            additional_areas: Some(areas.clone()),
            ..spoken(voice)
        };
        let project = project(&profile, voice.language());
        let (first, second) = (ta(&input, &project), hm(&input, &project));
        let (first, second) = (first.map_err(|refusal| TestCaseError::fail(format!("{refusal:?}")))?, second.unwrap());
        let (short, long) = (read(&first), read(&second));
        check_template(&short, &profile, false)?;
        check_template(&long, &profile, true)?;

        // Property 14, as rendered.
        let notes = |made: &Made| made.document.blocks.iter().filter(|block| matches!(block, Block::Notes(_))).count();
        prop_assert_eq!((notes(&first), notes(&second)), (0, long.questions().count()));

        // Property 36: equal input, equal output. The two templates ask the same.
        let again = ta(&input, &project).unwrap();
        prop_assert_eq!(&first.json, &again.json);
        prop_assert_eq!(&first.document, &again.document);
        let texts = |template: &ScreeningTemplate| {
            template.questions().map(|question| question.text.clone()).collect::<Vec<_>>()
        };
        prop_assert_eq!(texts(&short), texts(&long));

        // Property 1: what is stored reads back equal.
        let stored = project.with(Kind::TaScreeningTemplate, "", &short);
        prop_assert_eq!(ta_template(&stored), Some(short.clone()));
        prop_assert_eq!(rendered(Kind::HmScreeningTemplate, &second.json), Some(second.document.clone()));

        // Properties 3, 5, 6, 9: what the gate looks for is not there.
        prop_assert_eq!(errors(&first, &profile, voice, &areas), vec![]);
        prop_assert_eq!(short.role_intro.is_some(), intro);
        prop_assert_eq!(first.questions.len(), 1);
        prop_assert_eq!(short.voice, voice);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Property 10: skills that are left out are named as left out; the others stay, whatever the typography.
    #[test]
    fn property_10_any_choice_of_skills_is_honored(
        (profile, voice) in profile_and_voice(),
        chosen in proptest::sample::subsequence(vec![0_usize, 1, 2, 3], 1..=4),
    ) {
        // "ß" has no capital letter of its own, so such skills stay as they are.
        let loud = |text: &str| Some(text.to_uppercase()).filter(|loud| loud.to_lowercase() == text.to_lowercase());
        let wishes = chosen.iter().map(|at| {
            let skill = &profile.must_have_skills[*at].text;
            format!(" {}. ", loud(skill).unwrap_or_else(|| skill.clone()))
        });
        let input = ScreeningInput { skills_to_include: Some(wishes.collect()), ..spoken(voice) };
        let made = ta(&input, &project(&profile, voice.language()));
        let made = made.map_err(|refusal| TestCaseError::fail(format!("{refusal:?}")))?;
        let template = read(&made);
        check_template(&template, &profile, false)?;
        prop_assert_eq!(template.skills.len(), chosen.len());
        prop_assert!(made.questions.is_empty());
        // A heading or a point begins with a capital letter; what is stored does not change.
        let plain = made.document.plain().to_lowercase();
        for skill in &profile.must_have_skills {
            prop_assert!(plain.contains(&skill.text.to_lowercase()), "{}", skill.text);
        }
    }

    /// A profile in another language: names of skills stay, its prose does not.
    #[test]
    fn property_3_prose_of_another_language_stays_out(
        profile in any_profile(Language::Sv),
        voice in proptest::sample::select(vec![Voice::En, Voice::DeDu, Voice::DeSie]),
    ) {
        let input = ScreeningInput { include_role_intro: true, ..spoken(voice) };
        let made = ta(&input, &project(&profile, Language::En)).unwrap();
        let intro = read(&made).role_intro.unwrap();
        for item in profile.primary_responsibilities.iter().chain(&profile.bu_description) {
            prop_assert!(!intro.contains(&item.text), "{intro}");
        }
        let told = made.notices.iter().filter(|notice| notice.about == "role_intro").count();
        prop_assert!(told >= profile.primary_responsibilities.len().min(3));
    }

}

proptest! {
    /// No string can make the module panic, loop or invent.
    #[test]
    fn hostile_strings_do_no_harm(
        texts in proptest::collection::vec(hostile(), 12),
        good in any::<bool>(),
        intro in any::<bool>(),
        voice in any_voice(),
    ) {
        let mut profile = sample();
        profile.content_language = None;
        profile.position_title = texts[0].clone();
        let skills: Vec<&str> = texts[1..5].iter().map(String::as_str).collect();
        profile.must_have_skills = items(&skills);
        profile.good_to_haves = items(&[&texts[5]]);
        let input = ScreeningInput {
            include_good_to_haves: good,
            include_role_intro: intro,
            skills_to_include: good.then(|| vec![texts[1].clone(), texts[6].clone()]),
            additional_areas: Some(vec![texts[7].clone()]),
            skill_types: Some(vec![GivenType {
                skill: texts[1].clone(),
                skill_type: SkillType::Technical,
                reason: texts[8].clone(),
            }]),
            questions: intro.then(|| vec![GivenQuestions {
                skill: texts[2].clone(),
                main_question: texts[9].clone(),
                follow_ups: vec![texts[10].clone(), texts[11].clone()],
                anchors: Some(Anchors { one: texts[3].clone(), three: texts[4].clone(), five: texts[5].clone() }),
            }]),
            motivation: good.then(|| texts[6..9].to_vec()),
            closing: intro.then(|| texts[6..9].to_vec()),
            language: Some(texts[11].clone()).filter(|_| good).or(spoken(voice).language),
            ..ScreeningInput::default()
        };
        let project = project(&profile, voice.language());
        match (ta(&input, &project), hm(&input, &project)) {
            (Ok(made), Ok(_)) => {
                let template = read(&made);
                for set in &template.skills {
                    let known = profile.must_have_skills.iter().chain(&profile.good_to_haves);
                    prop_assert!(known.into_iter().any(|item| same(&item.text, &set.skill_name)));
                }
            }
            (Err(refusal), Err(_)) => prop_assert!(!refusal.problems.is_empty()),
            (one, other) => prop_assert!(false, "{} {}", one.is_ok(), other.is_ok()),
        }
    }
}

fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "\\PC{0,40}",
        Just(String::new()),
        Just("\0\u{202E}\u{200F}".to_owned()),
        Just("- bullet\n– another".to_owned()),
        Just("🚀 rocket {skill} {title}".to_owned()),
        Just("experience of BGP".to_owned()),
        Just("Tell me about your work?".to_owned()),
        Just("x ".repeat(5_000)),
        Just("İßŒ\u{301}ﬀ".to_owned()),
        Just("What is your current salary?".to_owned()),
    ]
}
