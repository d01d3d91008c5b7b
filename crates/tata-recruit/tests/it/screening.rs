//! The screening templates: what they ask, in every voice, from thousands of profiles.

use std::collections::BTreeSet;

use jiff::Timestamp;
use proptest::prelude::*;
use tata_recruit::{
    Block, Finding, FormWish, Gate, GermanForm, GivenAnchors, GivenPractical, GivenQuestions, GivenType,
    Item, Kind, Language, Level, MOST_AREAS, Made, Profile, ProfileStatus, Project, Refusal, Requirement,
    ScreeningInput, ScreeningTemplate, Settings, SkillType, Voice, create_hm_screening_template,
    create_ta_screening_template, rendered, same,
};

use crate::profiles::any_profile;

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn project(profile: &Profile, language: Language) -> Project {
    let settings = Settings { language, ..Settings::default() };
    Project::default().with(Kind::ProjectSettings, "", &settings).with(Kind::RequirementProfile, "", profile)
}

fn spoken(voice: Voice) -> ScreeningInput {
    ScreeningInput {
        language: Some(voice.language().code().to_owned()),
        german_form: voice.form().map(|form| match form {
            GermanForm::Du => FormWish::Du,
            GermanForm::Sie => FormWish::Sie,
        }),
        ..ScreeningInput::default()
    }
}

fn read(made: &Made) -> ScreeningTemplate {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn ta(input: &ScreeningInput, project: &Project) -> Result<Made, Refusal> {
    create_ta_screening_template(input.clone(), project, now())
}

fn hm(input: &ScreeningInput, project: &Project) -> Result<Made, Refusal> {
    create_hm_screening_template(input.clone(), project, now())
}

fn items(texts: &[&str]) -> Vec<Item> {
    texts.iter().map(|text| Item { text: (*text).to_owned(), ..Item::default() }).collect()
}

fn sample() -> Profile {
    Profile {
        position_title: "Network Engineer".to_owned(),
        status: ProfileStatus::Confirmed,
        version: 3,
        content_language: Some(Language::En),
        must_have_skills: items(&[
            "at least five years' experience of BGP and MPLS",
            "fluent Swedish, spoken and written",
            "a valid driving licence, class B",
            "experience of leading technicians in the field",
        ]),
        good_to_haves: items(&["experience of ServiceNow", "on-call every fourth week"]),
        primary_responsibilities: items(&["run the core network", "plan changes with the field teams"]),
        ..Profile::default()
    }
}

/// The problems of a refusal: field and message.
fn problems(result: Result<Made, Refusal>) -> Vec<(String, String)> {
    let refusal = result.map(|made| made.document.plain()).unwrap_err();
    for problem in &refusal.problems {
        assert!(problem.hint.as_ref().is_some_and(|hint| !hint.trim().is_empty()), "no way out: {problem:?}");
        assert!(!problem.message.contains("screening.") && !problem.message.contains('{'), "{problem:?}");
    }
    refusal.problems.into_iter().map(|problem| (problem.field, problem.message)).collect()
}

#[track_caller]
fn refused(result: Result<Made, Refusal>, field: &str) {
    let problems = problems(result);
    assert!(problems.iter().any(|(found, _)| found == field), "{field} in {problems:?}");
}

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
        prop_assert_eq!(stored.ta_template(), Some(short.clone()));
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
                anchors: Some(GivenAnchors { one: texts[3].clone(), three: texts[4].clone(), five: texts[5].clone() }),
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
            let list = |part: &str| texts.list(&format!("screening.questions.{style}.{part}"));
            assert!(list("main").len() >= main, "{} {style}", voice.code());
            assert!(list("follow_ups").len() >= follow_ups, "{} {style}", voice.code());
            assert!(list("main").iter().all(|text| text.contains("{skill}")), "{} {style}", voice.code());
        }
        assert_eq!(texts.list("screening.area").len(), MOST_AREAS, "{}", voice.code());
        assert!(texts.list("screening.area").iter().all(|text| text.contains("{area}")));
        assert_eq!(texts.list("screening.closing").len(), 5);
    }
}

/// Property 38: private areas are refused in every language, with the reason in the language of the project.
#[test]
fn property_38_private_areas_are_refused() {
    let areas = [
        "age",
        "family plans",
        "religion",
        "ålder",
        "graviditet",
        "sjukfrånvaro",
        "etnisk bakgrund",
        "barsel",
        "seksuel orientering",
        "fagforening",
        "politisk holdning",
        "alder",
        "helse",
        "sivilstand",
        "Familienstand",
        "Schwangerschaft",
        "Gewerkschaft",
        "politische Einstellung",
        "current salary",
        "nuvarande lön",
        "nuværende løn",
        "nåværende lønn",
        "bisheriges Gehalt",
        "union membership",
        "sexual orientation",
        "health",
        "pregnancy",
        "ethnicity",
    ];
    for language in Language::ALL {
        for area in areas {
            let input = ScreeningInput {
                additional_areas: Some(vec!["documentation".to_owned(), area.to_owned()]),
                ..ScreeningInput::default()
            };
            refused(ta(&input, &project(&sample(), language)), "additional_areas[1]");
        }
    }
    for area in
        ["health and safety", "race conditions", "remote work", "SQL: ALTER TABLE", "change of suppliers"]
    {
        let input =
            ScreeningInput { additional_areas: Some(vec![area.to_owned()]), ..ScreeningInput::default() };
        assert!(ta(&input, &project(&sample(), Language::En)).is_ok(), "{area}");
    }
}

/// Property 38: a private question by the model is refused, and so is one on earlier pay.
#[test]
fn property_38_private_questions_are_refused() {
    let check = |main: &str, field: &str| {
        let questions = GivenQuestions { main_question: main.to_owned(), ..given() };
        let input = ScreeningInput { questions: Some(vec![questions]), ..spoken(Voice::En) };
        refused(hm(&input, &project(&sample(), Language::En)), field);
    };
    check("Do you have children at home?", "questions[0].main_question");
    check("How much do you earn today?", "questions[0].main_question");
    check("What is your religion?", "questions[0].main_question");
    let practical = GivenPractical {
        salary_expectation: Some("What was your previous salary?".to_owned()),
        ..GivenPractical::default()
    };
    let input = ScreeningInput { practical: Some(practical), ..spoken(Voice::En) };
    refused(ta(&input, &project(&sample(), Language::En)), "practical.salary_expectation");
}

fn given() -> GivenQuestions {
    GivenQuestions {
        skill: "At least five years’ experience of BGP and MPLS".to_owned(),
        main_question: "Tell me about a migration of yours: what was the task and what came of it?"
            .to_owned(),
        follow_ups: vec!["Which tools did you use?".to_owned(), "What would you change?".to_owned()],
        anchors: Some(GivenAnchors {
            one: "Names no migration.".to_owned(),
            three: "Describes one with its result.".to_owned(),
            five: "Explains the risks and how they were handled.".to_owned(),
        }),
    }
}

/// What a model wrote is taken over word for word if it keeps the rules.
#[test]
fn good_questions_of_the_model_are_used() {
    let input = ScreeningInput {
        questions: Some(vec![given()]),
        skill_types: Some(vec![GivenType {
            skill: "a valid driving licence, class B".to_owned(),
            skill_type: SkillType::Functional,
            reason: "It is a formal requirement.".to_owned(),
        }]),
        motivation: Some(vec!["Why us?".to_owned(), "Why now?".to_owned(), "What drives you?".to_owned()]),
        practical: Some(GivenPractical {
            notice_period: Some("How soon could you begin?".to_owned()),
            ..GivenPractical::default()
        }),
        closing: Some(vec![
            "Thank you.".to_owned(),
            "You will hear from us.".to_owned(),
            "Any questions?".to_owned(),
        ]),
        ..spoken(Voice::En)
    };
    let template = read(&ta(&input, &project(&sample(), Language::En)).unwrap());
    assert_eq!(template.skills[0].main_question.text, given().main_question);
    assert_eq!(template.skills[0].follow_ups.len(), 2);
    assert_eq!(template.skills[0].anchors.one, "Names no migration.");
    assert!(template.skills[2].type_reason.starts_with("It is a formal requirement."));
    assert_eq!(template.motivation[1].text, "Why now?");
    assert_eq!(template.practical[0].text, "How soon could you begin?");
    assert_eq!(template.practical.len(), 4);
    assert_eq!(template.closing[0], "Thank you.");
}

/// Properties 13 and 39: what breaks the rules is refused field by field.
#[test]
fn properties_13_39_bad_content_of_the_model_is_refused() {
    let project = project(&sample(), Language::En);
    let with = |change: fn(&mut GivenQuestions)| {
        let mut questions = given();
        change(&mut questions);
        ta(&ScreeningInput { questions: Some(vec![questions]), ..spoken(Voice::En) }, &project)
    };
    refused(with(|one| one.follow_ups.truncate(1)), "questions[0].follow_ups");
    refused(
        with(|one| one.follow_ups.extend(["Why?".to_owned(), "When?".to_owned()])),
        "questions[0].follow_ups",
    );
    refused(with(|one| one.follow_ups[1] = one.follow_ups[0].to_uppercase()), "questions[0].follow_ups[1]");
    refused(with(|one| one.main_question = "BGP.".to_owned()), "questions[0].main_question");
    refused(with(|one| one.main_question = "What? Why?".to_owned()), "questions[0].main_question");
    refused(with(|one| one.main_question = " \0".to_owned()), "questions[0].main_question");
    refused(with(|one| one.main_question = "why? ".repeat(200_000)), "questions[0].main_question");
    refused(with(|one| one.skill = "Cobol".to_owned()), "questions[0].skill");
    refused(with(|one| one.skill = "experience of ServiceNow".to_owned()), "questions[0].skill");
    refused(
        with(|one| {
            let anchors = one.anchors.get_or_insert_default();
            anchors.three = anchors.one.clone();
        }),
        "questions[0].anchors",
    );
    let twice = ScreeningInput { questions: Some(vec![given(), given()]), ..spoken(Voice::En) };
    refused(ta(&twice, &project), "questions[1]");
    let kind = |skill_type, reason: &str| ScreeningInput {
        skill_types: Some(vec![GivenType {
            skill: "fluent Swedish, spoken and written".to_owned(),
            skill_type,
            reason: reason.to_owned(),
        }]),
        ..spoken(Voice::En)
    };
    refused(ta(&kind(SkillType::Technical, " "), &project), "skill_types[0].reason");
    refused(ta(&kind(SkillType::GoodToHave, "Because."), &project), "skill_types[0]");
    let lines = |lines: &[&str]| Some(lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
    let closing =
        ScreeningInput { closing: lines(&["Thanks.", "We call on 3 May.", "Bye."]), ..spoken(Voice::En) };
    refused(ta(&closing, &project), "closing[1]");
    refused(ta(&ScreeningInput { closing: lines(&["Thanks."]), ..spoken(Voice::En) }, &project), "closing");
    refused(
        ta(&ScreeningInput { motivation: lines(&["Why?"]), ..spoken(Voice::En) }, &project),
        "motivation",
    );
}

/// Property 3: questions in another language than the template are refused.
#[test]
fn property_3_questions_in_another_language_are_refused() {
    let questions = GivenQuestions {
        main_question: "Berätta om en gång när du ledde en flytt av nätet: vad gjorde du och hur gick det?"
            .to_owned(),
        follow_ups: vec![
            "Vilka verktyg använde du, och varför just dem?".to_owned(),
            "Vad skulle du göra annorlunda i dag?".to_owned(),
        ],
        anchors: None,
        ..given()
    };
    let input = |voice| ScreeningInput { questions: Some(vec![questions.clone()]), ..spoken(voice) };
    let project = project(&sample(), Language::En);
    assert!(ta(&input(Voice::Sv), &project).is_ok());
    refused(ta(&input(Voice::En), &project), "questions[0]");
    refused(ta(&input(Voice::DeSie), &project), "questions[0]");
}

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

/// Every question that is built in has the form that a model's question must have.
#[test]
fn built_in_questions_keep_the_rules_for_the_model() {
    for voice in Voice::ALL {
        let profile = Profile { content_language: Some(Language::En), ..sample() };
        let project = project(&profile, Language::En);
        let input = ScreeningInput { include_good_to_haves: true, ..spoken(voice) };
        let template = read(&ta(&input, &project).unwrap());
        let questions = template.skills.iter().map(|set| GivenQuestions {
            skill: set.skill_name.clone(),
            main_question: set.main_question.text.clone(),
            follow_ups: set.follow_ups.iter().map(|question| question.text.clone()).collect(),
            anchors: Some(GivenAnchors {
                one: set.anchors.one.clone(),
                three: set.anchors.three.clone(),
                five: set.anchors.five.clone(),
            }),
        });
        let own = ScreeningInput {
            questions: Some(questions.collect()),
            motivation: Some(template.motivation.iter().map(|question| question.text.clone()).collect()),
            closing: Some(template.closing.clone()),
            ..input
        };
        let again = ta(&own, &project).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", voice.code()));
        assert_eq!(read(&again), template, "{}", voice.code());
    }
}
