//! What nobody may be asked: private matters, and earlier pay.

use tata_recruit::{GivenPractical, GivenQuestions, Language, ScreeningInput, Voice};

use super::{given, hm, project, refused, sample, spoken, ta};

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
