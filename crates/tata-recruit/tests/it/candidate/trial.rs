//! Trial 2.8: ten interviews as people hold them, with short answers, doubts and questions in between.

use serde_json::{Value, json};
use tata_recruit::{
    CandidateInput, CandidateReport, Kind, Language, Made, Project, Recommendation, confirm_candidate_report,
};

use super::{evidence, made, now, report, transcript};

/// A requirement, and words of the answer that speaks of it; in doubt, whether the answer may speak against it.
type Expected = (&'static str, &'static str, bool);

struct Trial {
    file: &'static str,
    language: Language,
    name: &'static str,
    skills: [Expected; 4],
    notice: &'static str,
    salary: &'static str,
}

const TRIALS: [Trial; 10] = [
    Trial {
        file: "sv-a.txt",
        language: Language::Sv,
        name: "Mehmet Yildiz",
        skills: [
            ("B-körkort", "Ja, sedan 2011, och BE också.", false),
            ("vana att svetsa fiber (minst ett år)", "Tre år på Ramnäs Nät.", false),
            ("kunna läsa ritningar och förbindelsescheman", "Ritningar är jag sämre på", true),
            ("svenska så att man klarar kunddialogen", "kundkontakt på svenska hela tiden", true),
        ],
        notice: "En månad.",
        salary: "34 500",
    },
    Trial {
        file: "en-a.txt",
        language: Language::En,
        name: "Priya Raman",
        skills: [
            (
                "Terraform in production, at least two years",
                "cut the plan time from twenty minutes to four",
                false,
            ),
            ("Kubernetes, operating clusters", "No, not in production.", true),
            ("Able to take part in the on-call rota", "I've done on-call for four years", false),
            ("Fluent English", "I've worked in English for the last eight years", false),
        ],
        notice: "Three months",
        salary: "62",
    },
    Trial {
        file: "de-b.vtt",
        language: Language::De,
        name: "Svenja Petersen",
        skills: [
            (
                "abgeschlossene kaufmännische Ausbildung oder Studium",
                "gelernte Kauffrau für Büromanagement",
                false,
            ),
            ("2+ Jahre operative Personalarbeit", "Seit sechs Jahren", false),
            ("Arbeitsrecht sicher (Abmahnung, Kündigung, BR-Anhörung)", "Ja, etwa fünfzehn.", true),
            ("Englisch B2, wegen Konzern", "B1, höchstens.", true),
        ],
        notice: "",
        salary: "",
    },
    Trial {
        file: "no-b.txt",
        language: Language::No,
        name: "Kari Nordli",
        skills: [
            ("minst tre års erfaring fra HR i en større bedrift", "HR-rådgiver i Veidekke i fire år", false),
            ("arbeidsrett, særlig oppsigelser og nedbemanning", "34 stillinger", false),
            ("har jobbet med lønnsoppgjør", "Nei, egentlig ikke.", true),
            ("trygg på å veilede ledere", "Det er det jeg liker best.", false),
        ],
        notice: "Tre måneder",
        salary: "720",
    },
    Trial {
        file: "da-a.txt",
        language: Language::Da,
        name: "Jesper Holm",
        skills: [
            ("har styret anlægsprojekter før, helst fiber", "fjernvarmeledning i Assens", false),
            ("har haft budgetansvar", "22 millioner, og det var mig, der godkendte alle fakturaer.", false),
            ("kan forhandle med entreprenører", "fik det ned på 350.000", false),
            ("kørekort", "Ja, det har jeg, B og trailer.", false),
        ],
        notice: "tre måneder",
        salary: "56.000",
    },
    Trial {
        file: "sv-1.txt",
        language: Language::Sv,
        name: "Fatima Öberg",
        skills: [
            (
                "Minst tre års erfarenhet av lönehantering för tjänstemän",
                "Jag har kört lön för ungefär 450",
                false,
            ),
            ("Goda kunskaper i Hogia Lön eller motsvarande lönesystem", "Hogia Lön sedan 2020", true),
            ("Har arbetat med kollektivavtal", "Vi ligger under Teknikavtalet", true),
            ("Flytande svenska i tal och skrift", "Jag skriver alla utskick", false),
        ],
        notice: "Tre månader",
        salary: "42 000",
    },
    Trial {
        file: "da-1.txt",
        language: Language::Da,
        name: "Peter Holm",
        skills: [
            ("Mindst 5 års erfaring med B2B-salg til store kunder", "elleve store kunder hos Netkom", false),
            ("Erfaring med udbud og rammeaftaler i det offentlige", "ni udbud og vundet fire", false),
            ("Dansk i skrift og tale og godt engelsk", "Fint nok til møder.", true),
            ("Kørekort", "Ja, siden 1996.", false),
        ],
        notice: "Løbende måned plus en.",
        salary: "57.000",
    },
    Trial {
        file: "no-1.txt",
        language: Language::No,
        name: "Ingrid Solheim",
        skills: [
            ("Minst fem års erfaring som HR-rådgiver eller HRBP", "HR-rådgiver i åtte år", false),
            ("God kjennskap til arbeidsmiljøloven og erfaring med omstilling", "kuttet vi 38 årsverk", false),
            (
                "Erfaring med å gi råd til ledere i vanskelige personalsaker",
                "ledet faktaundersøkelsen",
                false,
            ),
            ("Norsk og engelsk, skriftlig og muntlig", "to år i London", false),
        ],
        notice: "Tre måneder.",
        salary: "820 000",
    },
    Trial {
        file: "de-1.txt",
        language: Language::De,
        name: "Murat Yilmaz",
        skills: [
            ("Abgeschlossene kaufmännische Ausbildung", "gelernter Steuerfachangestellter", false),
            ("Mindestens 3 Jahre Erfahrung in der Entgeltabrechnung", "seit sechs Jahren", false),
            ("Sicherer Umgang mit DATEV LODAS oder SAP HCM", "DATEV kenne ich nur aus der Ausbildung.", true),
            ("Sehr gute Deutschkenntnisse und gutes Englisch", "telefonieren fällt mir schwerer", true),
        ],
        notice: "Drei Monate zum Quartalsende.",
        salary: "54.000",
    },
    Trial {
        file: "en-1.txt",
        language: Language::En,
        name: "Priya Nair",
        skills: [
            ("4+ years building data pipelines in Python and SQL", "I've done that for six years.", false),
            ("Hands-on experience with Spark or Databricks in production", "Databricks since 2022", false),
            ("Has owned a pipeline end to end, incl. monitoring and on-call", "On-call, not formally.", true),
            ("Professional English", "It's my working language.", false),
        ],
        notice: "Three months",
        salary: "62,000 DKK",
    },
];

fn trial_project(trial: &Trial) -> Project {
    let skills = trial.skills.map(|(skill, _, _)| skill);
    evidence::project_with(trial.language, skills)
}

fn trial_report(trial: &Trial) -> (Made, CandidateReport) {
    let input = CandidateInput {
        candidate_name: trial.name.to_owned(),
        interview_date: "2026-11-12".to_owned(),
        transcript: transcript(&format!("trial/{}", trial.file)),
        ..CandidateInput::default()
    };
    let made = made(input, &trial_project(trial));
    let report = report(&made);
    (made, report)
}

/// No requirement that was talked about is declared absent: it is quoted, or among the nearest passages; what may speak
/// against it stands apart.
#[test]
fn trial_2_8_an_answer_belongs_to_the_question_before_it() {
    let (mut quoted, mut near, mut problems) = (0, 0, Vec::new());
    for trial in &TRIALS {
        let (_, report) = trial_report(trial);
        for ((skill, words, doubtful), assessment) in trial.skills.iter().zip(&report.skill_assessments) {
            let has = |quotes: &[tata_recruit::Quote]| quotes.iter().any(|quote| quote.text.contains(words));
            let (fore, against) = (has(&assessment.examples), has(&assessment.against));
            let nearest = has(&assessment.nearest);
            quoted += usize::from(fore || against);
            near += usize::from(nearest);
            if !(fore || against || nearest) || (fore || against) && against != *doubtful {
                let said: Vec<&str> = assessment.quotes().map(|quote| quote.text.as_str()).collect();
                problems.push(format!("{}: {skill}: for {fore}, against {against}: {said:#?}", trial.file));
            }
            assert_eq!(assessment.rating, None, "code gives no number");
        }
    }
    println!(
        "requirements talked about: 40, quoted as answers: {quoted}, among the nearest passages: {near}"
    );
    assert!(problems.is_empty() && quoted >= 38, "{quoted} {near}\n{}", problems.join("\n"));
}

/// A question about something else is not about the requirement before it, even where nothing in the profile asks for it.
#[test]
fn trial_2_8_an_answer_about_something_else_is_not_filed_under_the_requirement_before() {
    let elsewhere = [
        ("en-1.txt", "The migration, honestly"),
        ("en-1.txt", "dbt every day"),
        ("en-1.txt", "None, I'm afraid"),
        ("en-1.txt", "two interns"),
        ("sv-1.txt", "Jag såg att ni ska byta"),
        ("sv-1.txt", "det har jag aldrig använt"),
        ("sv-a.txt", "den har gått ut"),
        ("no-1.txt", "vi har Unit4"),
        ("no-b.txt", "i Econa"),
        ("de-1.txt", "Direktversicherung"),
        ("de-b.vtt", "mit Personio"),
        ("de-b.vtt", "die habe ich, seit 2019"),
    ];
    for trial in &TRIALS {
        let (_, report) = trial_report(trial);
        for assessment in &report.skill_assessments {
            for quote in assessment.examples.iter().chain(&assessment.against) {
                let wrong = |(file, words): &&(&str, &str)| *file == trial.file && quote.text.contains(words);
                assert_eq!(elsewhere.iter().find(wrong), None, "{}", assessment.skill_name);
            }
        }
    }
}

/// Notice and pay are found when they were said, and former pay is not among them.
#[test]
fn trial_2_8_notice_and_pay_are_found_when_said() {
    for trial in &TRIALS {
        let (made, report) = trial_report(trial);
        let details = &report.practical_details;
        for (detail, words) in
            [(&details.notice_period, trial.notice), (&details.salary_expectation, trial.salary)]
        {
            assert!(detail.text.contains(words), "{}: {words}: {}", trial.file, detail.text);
            assert!(words.is_empty() || detail.quote.is_some(), "{}: {}", trial.file, detail.text);
        }
        let text = made.document.plain();
        for secret in [
            " 56 today",
            "54.000 nu",
            "Nu har jag 31",
            "gravid",
            "ordblind",
            "schwerbehindert",
            "små barn",
            "small kids",
            "knæproblemer",
        ] {
            assert!(!text.contains(secret), "{}: {secret}", trial.file);
        }
    }
}

/// No mean and no recommendation before a person has rated everything; the quotation shows question and answer.
#[test]
fn trial_2_8_no_number_that_a_person_did_not_give() {
    let trial = &TRIALS[0];
    let (made, report) = trial_report(trial);
    assert_eq!((report.mean_tenths, report.recommendation), (None, Recommendation::NotEnoughAssessed));
    let licence = &report.skill_assessments[0];
    assert_eq!(licence.examples[0].question.as_deref(), Some("Har du B-körkort?"));
    assert_eq!(licence.examples[0].at_ms, Some(283_000));
    let text = made.document.plain();
    assert!(text.contains("Har du B-körkort?") && text.contains("4:43"), "{text}");
    assert!(!text.contains("/5"), "{text}");
    let project = trial_project(trial).with(Kind::CandidateReport, &report.key, &report);
    let rate = |about: &str, rating: i64| json!({"about": about, "choice": "rate", "rating": rating, "reason": "Heard it"});
    let names = trial.skills.map(|(skill, _, _)| skill);
    let some: Vec<Value> = names.iter().map(|name| rate(name, 4)).collect();
    let confirmed = |decisions: Vec<Value>| {
        let input =
            serde_json::from_value(json!({"candidate_key": report.key, "decisions": decisions})).unwrap();
        self::report(&confirm_candidate_report(input, &project, now()).unwrap())
    };
    let four = confirmed(some.clone());
    assert_eq!((four.mean_tenths, four.recommendation), (None, Recommendation::NotEnoughAssessed));
    let five = confirmed([some, vec![rate("motivation", 4)]].concat());
    assert_eq!((five.mean_tenths, five.recommendation), (Some(40), Recommendation::Recommended));
}

/// Where nothing matched the report says so and shows the nearest passages.
#[test]
fn trial_2_8_what_was_not_found_is_to_be_checked() {
    let skills = ["Entstörung von Kupferleitungen", "Personalabrechnung", "Englisch", "Arbeitsrecht"];
    let input = CandidateInput {
        candidate_name: "Svenja Petersen".to_owned(),
        interview_date: "2026-11-12".to_owned(),
        transcript: transcript("trial/de-b.vtt"),
        ..CandidateInput::default()
    };
    let made = made(input, &evidence::project_with(Language::De, skills));
    let report = report(&made);
    let copper = &report.skill_assessments[0];
    assert!(copper.examples.is_empty() && copper.explanation.contains("bitte prüfen"), "{copper:?}");
    assert!(!made.document.plain().contains("nichts gefunden"), "{}", made.document.plain());
}
