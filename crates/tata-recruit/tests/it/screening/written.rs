//! Questions that a model wrote: taken word for word, or refused field by field.

use tata_recruit::{
    Anchors, GivenPractical, GivenQuestions, GivenType, Language, Profile, ScreeningInput, SkillType, Voice,
};

use super::{given, project, read, refused, sample, spoken, ta};

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
            anchors: Some(Anchors {
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
        let again = ta(&own, &project).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", voice.name()));
        assert_eq!(read(&again), template, "{}", voice.name());
    }
}
