//! Candidate reports: transcripts as Teams writes them, in five languages, and everything that must not count.

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use tata_core::{Effect, ToolRegistry};
use tata_recruit::{
    Anchors, CandidateInput, CandidateReport, CompareInput, Comparison, ConfirmInput, Content, FormWish,
    GermanForm, Kind, Language, Made, Profile, ProfileStatus, Project, Question, Rating, Recommendation,
    Refusal, ReportStatus, ScreeningInput, ScreeningTemplate, SettingsInput, Shape, SkillSet, Source,
    Sources, Texts, Tracer, Transcript, Voice, compare_candidates, confirm_candidate_report,
    create_candidate_report, create_ta_screening_template, rendered, set_project,
};

mod evidence;
mod people;
mod trial;

use people::{compare, confirm};

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

/// An interview as it was exported.
struct Case {
    file: &'static str,
    language: Language,
    name: &'static str,
    interviewers: &'static [&'static str],
}

const CASES: [Case; 10] = [
    case("en-1-teams-unpadded.vtt", Language::En, "Johan Svensson", &[]),
    case("en-2-times-and-names.txt", Language::En, "Priya Nair", &[]),
    case("sv-1-document.txt", Language::Sv, "Anna Berg", &[]),
    case("sv-2-teams-open-voices.vtt", Language::Sv, "Erik Sjö", &[]),
    case("da-1-older-document.txt", Language::Da, "Mette Skov", &[]),
    case("da-2-names.txt", Language::Da, "Søren Bak", &[]),
    case("no-1-document-unnamed.txt", Language::No, "Ingrid Solberg", &["Kari Dahl", "Hans Moe"]),
    case("no-2-teams-padded.vtt", Language::No, "Ola Nordmann", &[]),
    case("de-1-document-after-an-hour.txt", Language::De, "Lena Weber", &[]),
    case("de-2-names-and-times.txt", Language::De, "Jonas Lang", &[]),
];

const fn case(
    file: &'static str,
    language: Language,
    name: &'static str,
    interviewers: &'static [&'static str],
) -> Case {
    Case { file, language, name, interviewers }
}

fn transcript(file: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/transcripts/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn role(language: Language) -> (&'static str, [&'static str; 4], &'static str, &'static str) {
    match language {
        Language::En => (
            "Network Engineer",
            [
                "Five years of experience with BGP and MPLS",
                "Project management of network rollouts",
                "Supplier negotiation",
                "Fluent in English",
            ],
            "Run the core network across several countries",
            "One of our must-haves is “{skill}”. Tell me about a situation that shows it: what did you do and what came of it?",
        ),
        Language::Sv => (
            "Projektledare fiber",
            [
                "Projektledning av fiberprojekt",
                "Upphandling enligt LOU",
                "Ledarskap utan personalansvar",
                "Goda kunskaper i engelska",
            ],
            "Leda fiberprojekt över hela Norden",
            "Ett av kraven är ”{skill}”. Beskriv en situation som visar det: vad gjorde du och vad blev resultatet?",
        ),
        Language::Da => (
            "Driftstekniker datacenter",
            [
                "Drift af køling og nødstrøm",
                "Leverandørstyring",
                "Sikkerhed efter ISO 27001",
                "Engelsk i skrift og tale",
            ],
            "Drift af vores datacentre",
            "Et af kravene er »{skill}«. Beskriv en situation, der viser det: Hvad gjorde du, og hvad kom der ud af det?",
        ),
        Language::No => (
            "Selger offentlig sektor",
            ["Salg til offentlig sektor", "Anbud og tilbudsskriving", "Kundeoppfølging", "Flytende norsk"],
            "Selge fiber til kommuner i hele Norden",
            "Et av kravene er «{skill}». Beskriv en situasjon som viser det: Hva gjorde du, og hva ble resultatet?",
        ),
        Language::De => (
            "Teamleitung SAP",
            [
                "Erfahrung mit SAP S/4HANA",
                "Führung eines Teams",
                "Abstimmung mit den Fachbereichen",
                "Verhandlungssicheres Deutsch",
            ],
            "Verantwortung für die Abrechnung in SAP",
            "Eine Anforderung ist „{skill}“. Beschreiben Sie eine Situation, die das zeigt: Was haben Sie getan, und was kam dabei heraus?",
        ),
    }
}

/// A profile as a recruiter would have it, with the four must-haves of [`role`].
fn profile(language: Language) -> Profile {
    let (title, skills, task, _) = role(language);
    let notes = format!("{title}\n{}\n{task}", skills.join("\n"));
    let sources = Sources::default().with(Source::StartupNotes, Some(&notes));
    let tracer = Tracer::new(&sources);
    let item = |text: &str| tracer.item(text, None).unwrap();
    Profile {
        position_title: title.to_owned(),
        status: ProfileStatus::Confirmed,
        version: 1,
        voice: Voice::new(language, GermanForm::Sie),
        must_have_skills: skills.iter().map(|skill| item(skill)).collect(),
        primary_responsibilities: vec![item(task)],
        created_at: now(),
        sources: sources.clone(),
        ..Profile::default()
    }
}

/// A small template for a profile.
fn template(profile: &Profile) -> ScreeningTemplate {
    let language = profile.voice.language();
    let question = |text: String| Question { text, notes_space: false };
    let skill = |name: &str| SkillSet {
        skill_name: name.to_owned(),
        must_have: true,
        main_question: question(role(language).3.replace("{skill}", name)),
        anchors: Anchors { one: format!("1 {name}"), three: format!("3 {name}"), five: format!("5 {name}") },
        ..SkillSet::default()
    };
    ScreeningTemplate {
        position_title: profile.position_title.clone(),
        voice: profile.voice,
        profile_version: profile.version,
        skills: profile.must_have_skills.iter().map(|item| skill(&item.text)).collect(),
        created_at: now(),
        ..ScreeningTemplate::default()
    }
}

/// A project in a language with a profile and a template.
fn project(voice: Voice) -> Project {
    let form = if voice == Voice::DeDu { FormWish::Du } else { FormWish::Sie };
    let settings = SettingsInput {
        language: Some(voice.language().code().to_owned()),
        german_form: Some(form),
        ..SettingsInput::default()
    };
    let settings = set_project(settings, &Project::default(), now()).unwrap();
    let profile = profile(voice.language());
    let template = template(&profile);
    Project::default()
        .with(Kind::ProjectSettings, "", &settings.json)
        .with(Kind::RequirementProfile, "", &profile)
        .with(Kind::TaScreeningTemplate, "", &template)
}

fn voice(language: Language) -> Voice {
    Voice::new(language, GermanForm::Sie)
}

fn input(case: &Case) -> CandidateInput {
    CandidateInput {
        transcript: transcript(case.file),
        candidate_name: case.name.to_owned(),
        interview_date: "2026-03-24".to_owned(),
        interviewers: case.interviewers.iter().map(|name| (*name).to_owned()).collect(),
        ..CandidateInput::default()
    }
}

fn made(input: CandidateInput, project: &Project) -> Made {
    create_candidate_report(input, project, now()).unwrap_or_else(|no| panic!("{no:?}"))
}

fn refused(input: CandidateInput, project: &Project) -> Refusal {
    create_candidate_report(input, project, now()).map(|made| made.json).unwrap_err()
}

fn report(made: &Made) -> CandidateReport {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn ratings(report: &CandidateReport) -> Vec<u8> {
    report.counted().map(|one| one.rating.map_or(0, Rating::value)).collect()
}

/// Every part of every name that stands in a text as a word, also with an s.
fn names_in(text: &str, name: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
    let parts = name.split(|letter: char| !letter.is_alphabetic()).filter(|part| part.chars().count() > 1);
    let parts = parts.filter(|part| !["von", "de", "af", "der"].contains(part));
    parts
        .filter(|part| words.iter().any(|word| word == part || *word == format!("{part}s")))
        .map(str::to_owned)
        .collect()
}

/// Every interview is quoted for motivation and most skills, and nothing is rated by code.
#[test]
fn every_fixture_is_quoted_and_left_to_people() {
    let check = |file: &str, salary: &str, notice: &str| {
        let case = CASES.iter().find(|case| case.file.starts_with(file)).unwrap();
        let report = report(&made(input(case), &project(voice(case.language))));
        assert_eq!(ratings(&report), [0; 5], "{file}");
        assert_eq!((report.mean_tenths, report.recommendation), (None, Recommendation::NotEnoughAssessed));
        let quoted = report.counted().filter(|one| !one.examples.is_empty() || !one.against.is_empty());
        assert!(quoted.count() >= 3, "{file}: {:#?}", report.skill_assessments);
        let details = &report.practical_details;
        assert!(details.salary_expectation.text.contains(salary), "{file}: {details:?}");
        assert!(details.notice_period.text.contains(notice), "{file}: {details:?}");
    };
    check("en-1", "58 thousand", "three months, but I could start in January");
    check("en-2", "5,400", "one-month notice");
    check("sv-1", "55 000", "tre månaders uppsägningstid");
    check("sv-2", "Hittades inte automatiskt", "en månad");
    check("da-1", "46.000", "løbende måned plus 3");
    check("da-2", "45.000", "1. februar");
    check("no-1", "760 000", "Tre måneder");
    check("no-2", "650 000", "med en gang");
    check("de-1", "80.000", "drei Monaten zum Monatsende");
    check("de-2", "65.000", "Ab sofort");
}

/// What somebody earned, what is private and what others said never enters a report.
#[test]
fn former_pay_private_matters_and_other_voices_stay_out() {
    let forbidden = [
        "make 52",
        "49 000",
        "41.000",
        "690 000",
        "72.000",
        "wife",
        "kids",
        "gravid",
        "kone",
        "sykmeldt",
        "Elternzeit",
        "Akzent",
        "forty percent",
        "tjugo procent",
        "hundra miljoner",
        "mobile kølere",
        "halv million",
        "seksti millioner",
        "vier Tage gespart",
        "hundert Tickets",
        "five hundred",
    ];
    for case in &CASES {
        let made = made(input(case), &project(voice(case.language)));
        let text = format!("{} {}", made.document.plain(), made.answer());
        let found: Vec<_> = forbidden.iter().filter(|word| text.contains(*word)).collect();
        assert!(found.is_empty(), "{}: {found:?}", case.file);
        assert!(made.next_steps.len() >= 3 && !made.questions.is_empty(), "{}", case.file);
    }
}

/// Property 33: every quotation stands in the transcript as it is, inside words of the candidate.
#[test]
fn property_33_quotations_are_verbatim_and_from_the_candidate() {
    for case in &CASES {
        let report = report(&made(input(case), &project(voice(case.language))));
        let text = transcript(case.file);
        let read = Transcript::read(&text, &[case.name]);
        let surname = case.name.split(' ').next_back().unwrap();
        let first = case.name.split(' ').next().unwrap();
        let own: Vec<_> = read
            .utterances
            .iter()
            .filter(|one| {
                let speaker = read.speaker(one).unwrap();
                speaker.contains(surname) || speaker.starts_with(first) || speaker == "Taler 1"
            })
            .collect();
        assert!(own.len() >= 10 && own.len() < read.utterances.len(), "{}", case.file);
        assert!(report.quotes().count() >= 8, "{}", case.file);
        for quote in report.quotes() {
            assert!(quote.holds(&report.sources), "{quote:?}");
            for span in &quote.spans {
                let inside = own.iter().any(|one| one.start <= span.start && span.end <= one.end);
                assert!(inside, "{}: {span:?}", case.file);
            }
            assert_eq!(quote.at_ms.is_some(), case.file != "da-2-names.txt", "{quote:?}");
        }
    }
}

/// Properties 1 and 36: what is stored reads back equal, renders the same, and comes out the same every time.
#[test]
fn properties_1_and_36_read_back_equality_and_determinism() {
    for case in &CASES {
        let project = project(voice(case.language));
        let (one, two) = (made(input(case), &project), made(input(case), &project));
        assert_eq!((&one.json, one.answer(), &one.document), (&two.json, two.answer(), &two.document));
        let report = report(&one);
        assert_eq!(serde_json::to_value(&report).unwrap(), one.json);
        let stored = project.with(Kind::CandidateReport, &one.key, &report);
        let back: CandidateReport = stored.read(Kind::CandidateReport, &one.key).unwrap();
        assert_eq!(back, report);
        assert_eq!(rendered(Kind::CandidateReport, &one.json).unwrap(), one.document);
    }
}

/// Property 20: a rating is an integer from 1 to 5 with an explanation; what is not assessed says why.
#[test]
fn property_20_ratings_are_one_to_five_with_an_explanation() {
    for case in &CASES {
        let report = report(&made(input(case), &project(voice(case.language))));
        for one in report.assessments() {
            assert!(!one.explanation.trim().is_empty());
            assert!(one.rating.is_none_or(|rating| (1..=5).contains(&rating.value())));
            assert!(one.examples.len() <= 3 && (one.rating.is_none() || !one.examples.is_empty()));
        }
        let label = Texts::of(report.voice).get("candidate.conclusion.draft").to_owned();
        assert!(report.conclusion.contains(&label) && report.status == ReportStatus::Draft);
    }
    for bad in [json!(0), json!(6), json!(3.5), json!("4"), json!(-1)] {
        assert!(serde_json::from_value::<Rating>(bad.clone()).is_err(), "{bad}");
    }
    for (value, explanation, refused) in
        [(0, "Good.", true), (6, "Good.", true), (4, " ", true), (4, "Good.", false)]
    {
        let skill = json!({"skill_name": "Supplier negotiation", "rating": value, "explanation": explanation,
            "quotes": ["I negotiated the framework contract"]});
        assert_eq!(with_content(json!({"skills": [skill]})).is_err(), refused, "{value} {explanation:?}");
    }
}

/// The first English interview with content from a model.
fn with_content(content: Value) -> Result<Made, Refusal> {
    let content: Content = serde_json::from_value(content).unwrap();
    let input = CandidateInput { content: Some(content), ..input(&CASES[0]) };
    create_candidate_report(input, &project(Voice::En), now())
}

#[test]
fn content_is_taken_when_every_word_can_be_found() {
    let made = with_content(json!({
        "summary": [{"text": "A network engineer for about nine years.", "quotes": ["network engineer for about nine years"]}],
        "motivation": {"rating": 5, "explanation": "Ties the wish to this backbone.", "quotes":
            // Over two cues of the transcript, with other quotation marks and blanks.
            ["I want to work on a backbone that spans several countries, and  GlobalConnect’s network is one of the few up here"]},
        "skills": [{"skill_name": "supplier negotiation", "rating": 4, "explanation": "Prepared and saved money.",
            "summary": "Negotiated with a vendor.", "quotes": ["I prepared three scenarios"]}],
        "practical": {"notice_period": "It's three months"},
        "risks": [{"text": "Has never had the budget.", "quotes": ["I have never had the budget"]}],
    }))
    .unwrap_or_else(|no| panic!("{no:?}"));
    let report = report(&made);
    assert_eq!(ratings(&report), [5, 0, 0, 4, 0]);
    assert_eq!(report.recommendation, Recommendation::NotEnoughAssessed);
    assert_eq!(report.practical_details.notice_period.text, "It's three months");
    assert!(report.quotes().all(|quote| quote.holds(&report.sources)));
    assert!(report.motivation_assessment.examples[0].spans.len() > 1);
    assert!(report.risks.iter().any(|risk| risk.text.starts_with("Has never")));
    assert!(made.document.plain().contains("A network engineer for about nine"));
}

#[test]
fn content_that_nobody_said_is_refused_by_name() {
    let check = |content: Value, field: &str, word: &str| {
        let refusal = with_content(content.clone()).map(|made| made.json).unwrap_err();
        let hit = refusal.problems.iter().any(|one| one.field.contains(field) && one.message.contains(word));
        assert!(hit && refusal.problems.iter().all(|one| one.hint.is_some()), "{content}: {refusal:?}");
    };
    let skill = |rating: Value, explanation: &str, quotes: Value| json!({"skills": [{"skill_name": "Supplier negotiation", "rating": rating, "explanation": explanation, "quotes": quotes}]});
    let said = json!(["I prepared three scenarios"]);
    // The interviewer's words, a paraphrase, words of two turns, a part of a word.
    check(skill(json!(4), "Fine.", json!(["We usually get ten"])), "skills/0", "We usually get ten");
    check(skill(json!(4), "Fine.", json!(["I prepared 3 scenarios"])), "skills/0", "I prepared 3");
    check(skill(json!(4), "Fine.", json!(["a bit more. I rolled it back"])), "skills/0", "rolled");
    check(skill(json!(4), "Fine.", json!(["scenario"])), "skills/0", "scenario");
    check(skill(json!(4), "Fine.", json!([])), "skills/0", "backed by a quotation");
    check(skill(json!(4), "Saved 250 thousand.", said.clone()), "skills/0", "250");
    check(skill(json!(4), "Too old for this pace.", said.clone()), "skills/0", "age");
    check(skill(json!(4), "Sounded nervous when asked.", said.clone()), "skills/0", "feelings");
    check(skill(json!(2), "Heavy accent.", said), "skills/0", "accent");
    check(json!({"skills": [{"skill_name": "Cooking", "explanation": "x"}]}), "skill_name", "Cooking");
    check(json!({"risks": [{"text": "May leave soon.", "quotes": []}]}), "risks/0", "May leave");
    check(json!({"practical": {"salary_expectation": "I make 52 today"}}), "salary", "52");
    let language = json!({"skill_name": "Fluent in English", "rating": 5, "explanation": "Heard it.", "quotes": ["loud and clear"]});
    check(json!({"skills": [language]}), "skills/0", "language");
}

/// Nothing about a person that nobody may be judged by, in any of the languages.
#[test]
fn protected_grounds_are_refused_in_five_languages() {
    let check = |language: Language, explanation: &str| {
        let case = CASES.iter().find(|case| case.language == language).unwrap();
        let quote = report(&made(input(case), &project(voice(language)))).motivation_assessment.examples[0]
            .text
            .clone();
        let content = json!({"motivation": {"rating": 3, "explanation": explanation, "quotes": [quote]}});
        let content = Some(serde_json::from_value(content).unwrap());
        let refusal = refused(CandidateInput { content, ..input(case) }, &project(voice(language)));
        assert!(refusal.problems[0].field == "content/motivation", "{explanation}: {refusal:?}");
    };
    check(Language::En, "She has small children and may be away a lot.");
    check(Language::En, "Comes across as a bit too old for the team.");
    check(Language::En, "Wears a headscarf.");
    check(Language::Sv, "Hon är gravid och kommer att vara borta.");
    check(Language::Sv, "Verkade osäker och hade svårt med ögonkontakt.");
    check(Language::Sv, "Talar med tydlig brytning.");
    check(Language::Da, "Hun har små børn derhjemme.");
    check(Language::Da, "Han er lidt for gammel til rollen.");
    check(Language::No, "Hun har vært sykmeldt lenge.");
    check(Language::No, "Han hørtes nervøs ut hele veien.");
    check(Language::De, "Sie ist schwanger und fällt bald aus.");
    check(Language::De, "Man hört den Akzent deutlich.");
    check(Language::De, "Mit Migrationshintergrund passt das nicht zum Team.");
}

const NAMES: [&str; 14] = [
    "Anna Berg",
    "Jean-Luc Picard",
    "Ole von Holst",
    "Björn Åström",
    "Søren Kær",
    "Øyvind Næss",
    "Müller, Jürgen",
    "Zoë O'Hara",
    "Per Lund",
    "Grace Hopper",
    "Anne Marie af Klint",
    "Ng Thi Lan",
    "Aïsha Ben Salah",
    "Will Young",
];

proptest! {
    /// Properties 21 and 37: no part of a name reaches the model or a comparison, whatever was said.
    #[test]
    fn properties_21_and_37_no_name_for_the_model(
        name in proptest::sample::select(&NAMES[..]),
        voice in proptest::sample::select(&Voice::ALL[..]),
        spoken in proptest::sample::select(vec!["{n}", "{first}", "{first}s", "{last}", "{FIRST}", "{first} {first}"]),
    ) {
        let project = project(voice);
        let plain: Vec<&str> = name.split([' ', ',']).filter(|part| !part.is_empty()).collect();
        let fill = |text: &str| text
            .replace("{n}", name)
            .replace("{first}", plain[0])
            .replace("{FIRST}", &plain[0].to_uppercase())
            .replace("{last}", plain[plain.len() - 1]);
        let said = fill(spoken);
        let skill = &project.profile().unwrap().must_have_skills[1].text;
        let text = format!(
            "Eva Lind: Hi {said}. {skill}?\n{name}: I am {said} and I built {skill} with {said}, in 12 places.\nEva Lind: Thanks {said}\n{name}: Bye from {said} and all."
        );
        let this_is = match voice {
            Voice::En => "This is",
            Voice::Sv => "Det här är",
            Voice::Da | Voice::No => "Dette er",
            Voice::DeDu | Voice::DeSie => "Das ist",
        };
        let content = json!({"summary": [{"text": format!("{this_is} {said}."), "quotes": [format!("I am {said}")]}]});
        let input = CandidateInput {
            transcript: text,
            candidate_name: name.to_owned(),
            interview_date: "2026-11-15".to_owned(),
            content: serde_json::from_value(content).ok(),
            ..CandidateInput::default()
        };
        let made = create_candidate_report(input, &project, now()).unwrap();
        let answer = made.answer().to_string();
        prop_assert_eq!(names_in(&answer, name), Vec::<String>::new(), "{}", answer);
        prop_assert!(made.document.title.contains(&made.key) && names_in(&made.document.title, name).is_empty());
        prop_assert!((2..=3).contains(&made.key.chars().count()), "{}", made.key);
        let report = report(&made);
        prop_assert!(report.quotes().all(|quote| quote.holds(&report.sources)));
        let project = project.with(Kind::CandidateReport, &made.key, &report);
        let table = compare(&project, false).document.plain();
        prop_assert_eq!(names_in(&table, name), Vec::<String>::new(), "{}", table);
    }

    /// No text can make the module panic, loop or invent.
    #[test]
    fn any_transcript_is_read_or_refused(
        pieces in proptest::collection::vec(proptest::sample::select(vec![
            "WEBVTT\n\n", "00:00:01.000 --> 00:00:02.000\n", "0:0:1.90 --> 0:0:2.5\n", "<v Anna Berg>", "</v>", "<v Eva>",
            "<v>", "<", ">", "\n", "\n\n", "\r", "\u{0}", "\u{202E}", "NOTE x\n", "Anna Berg: ", "Eva: ", "[00:01:02] ",
            "Anna Berg   0:03\n", "Eva Lind   0:0", "9:15", " ", "I led the rollout with 12 sites and saved 3 percent. ",
            "Notice period? ", "&amp;", "&", "😀", "é", "e\u{301}", "\u{F8FF}", "I earn 500 today, ", "- ", "startade transkribering",
        ]), 0..40),
        noise in any::<String>(),
        voice in proptest::sample::select(&Voice::ALL[..]),
    ) {
        let text = format!("{}{noise}", pieces.concat());
        let known = ["Anna Berg"];
        let read = Transcript::read(&text, &known);
        let length = text.chars().count();
        for one in &read.utterances {
            prop_assert!(one.start < one.end && one.end <= length);
            prop_assert!(one.speaker.is_none_or(|speaker| speaker < read.speakers.len()));
        }
        let input = CandidateInput {
            transcript: text,
            candidate_name: "Anna Berg".to_owned(),
            interview_date: "2026-11-15".to_owned(),
            candidate_cv: Some(noise),
            ..CandidateInput::default()
        };
        match create_candidate_report(input, &project(voice), now()) {
            Ok(made) => {
                let report = report(&made);
                for quote in report.quotes() {
                    prop_assert!(quote.holds(&report.sources), "{:?}", quote);
                }
            }
            Err(refusal) => prop_assert!(refusal.problems.iter().all(|one| !one.message.is_empty())),
        }
    }

    /// Names and answers of any kind are data.
    #[test]
    fn any_name_and_any_decision_is_data(name in any::<String>(), about in any::<String>(), reason in any::<String>(), rating in any::<i64>()) {
        let name = if name.trim().is_empty() { "x".to_owned() } else { name.chars().take(150).collect() };
        let input = CandidateInput {
            transcript: "Interviewer: Why?\nCandidate: Because I led a team of 12 and saved 3 percent.".to_owned(),
            candidate_name: name,
            interview_date: "2026-11-15".to_owned(),
            ..CandidateInput::default()
        };
        let Ok(made) = create_candidate_report(input, &project(Voice::En), now()) else { return Ok(()) };
        let project = project(Voice::En).with(Kind::CandidateReport, &made.key, &made.json);
        let verdict = json!({"about": about, "choice": "rate", "rating": rating, "reason": reason});
        drop(confirm(&project, &made.key, json!([verdict])));
        drop(confirm(&project, &reason, json!([])));
    }
}

/// Long texts are read in one pass: any of these would take hours if they were not.
#[test]
fn a_million_characters_are_read() {
    let long =
        |start: &str, piece: &str, end: &str| format!("{start}{}{end}", piece.repeat(900_000 / piece.len()));
    let texts = [
        long("Anna Berg: ", "word ", ""),
        long("Anna Berg: ", "I built 12 networks. ", ""),
        long("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Anna Berg>", "<i>", ""),
        long("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Anna Berg>", "x\n\n", ""),
        long("", "0:0:1.0 --> 0:0:2.0\n", "<v Anna Berg>Hi"),
        long("Anna Berg: Hi\nEva: ", "a:", ""),
        long("", "Anna Berg   0:03\nyes\nEva   0:03\nno\n", ""),
        long("Anna Berg: ", "\u{300}", ""),
    ];
    for text in texts {
        let input = CandidateInput {
            transcript: text,
            candidate_name: "Anna Berg".to_owned(),
            interview_date: "2026-11-15".to_owned(),
            ..CandidateInput::default()
        };
        if let Ok(made) = create_candidate_report(input, &project(Voice::En), now()) {
            let report = report(&made);
            assert!(report.quotes().all(|quote| quote.holds(&report.sources)));
        }
    }
}

/// A day stands in a report as its language writes it.
#[test]
fn the_day_of_the_interview_is_written_as_in_each_language() {
    for case in &CASES {
        let day = match case.language {
            Language::En => "24 March 2026",
            Language::Sv => "den 24 mars 2026",
            Language::Da => "24. marts 2026",
            Language::No => "24. mars 2026",
            Language::De => "24. März 2026",
        };
        let text = made(input(case), &project(voice(case.language))).document.plain();
        assert!(text.contains(day) && !text.contains("2026-03-24"), "{text}");
    }
}

/// What did not come up is said once: no second sentence says that there is nothing to quote.
#[test]
fn that_nothing_was_said_is_said_once() {
    let mut silent = 0;
    for case in &CASES {
        let made = made(input(case), &project(voice(case.language)));
        let texts = Texts::of(voice(case.language));
        let report = report(&made);
        silent += report.assessments().filter(|one| one.examples.is_empty()).count();
        assert!(!made.document.plain().contains(texts.get("candidate.assessment.summary_none")));
    }
    assert!(silent > 0);
}

/// Property 39: what is left out is asked for by the module, in the project's language and in the order of asking.
#[test]
fn property_39_a_call_with_nothing_is_refused_by_the_module() {
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        let refusal = refused(serde_json::from_value(json!({})).unwrap(), &project(voice));
        let told: Vec<(&str, &str)> =
            refusal.problems.iter().map(|one| (one.field.as_str(), one.message.as_str())).collect();
        let expected =
            [("candidate_name", "name"), ("interview_date", "no_date"), ("transcript", "transcript")]
                .map(|(field, key)| (field, texts.get(&format!("candidate.input.{key}.message"))));
        assert_eq!(told, expected);
        assert!(refusal.problems.iter().all(|one| one.hint.is_some()));
    }
}

/// Property 39: a refusal says what is missing and how to go on, in the language of the project.
#[test]
fn property_39_refusals_say_what_is_missing_and_how_to_go_on() {
    for voice in Voice::ALL {
        let project = project(voice);
        let texts = Texts::of(voice);
        let good = || input(&CASES[0]);
        let check = |input: CandidateInput, field: &str, key: &str| {
            let refusal = refused(input, &project);
            let problem = refusal
                .problems
                .iter()
                .find(|one| one.field == field)
                .unwrap_or_else(|| panic!("{refusal:?}"));
            let start = texts.get(&format!("candidate.{key}.message")).split('{').next().unwrap();
            assert!(problem.message.starts_with(start) && !start.is_empty(), "{problem:?}");
            assert_eq!(problem.hint.as_deref(), Some(texts.get(&format!("candidate.{key}.way_out"))));
        };
        check(CandidateInput { transcript: " \n".to_owned(), ..good() }, "transcript", "input.transcript");
        check(CandidateInput { candidate_name: String::new(), ..good() }, "candidate_name", "input.name");
        check(
            CandidateInput { candidate_name: "x".repeat(500), ..good() },
            "candidate_name",
            "input.long_name",
        );
        for date in ["24.3.2026", "2026-02-30", "2026-3-24", "tomorrow", "2026-03-24T09:00", "+002026-03-24"]
        {
            check(
                CandidateInput { interview_date: date.to_owned(), ..good() },
                "interview_date",
                "input.date",
            );
        }
        let no_date = CandidateInput { interview_date: " ".to_owned(), ..good() };
        check(no_date, "interview_date", "input.no_date");
        let future = "2026-11-17".to_owned();
        check(CandidateInput { interview_date: future, ..good() }, "interview_date", "input.future");
        let stream = transcript("en-3-stream-without-speakers.vtt");
        assert_eq!(Transcript::read(&stream, &[]).shape, Shape::Timed);
        check(CandidateInput { transcript: stream, ..good() }, "transcript", "no_speakers");
        check(
            CandidateInput { transcript: "WEBVTT\n\n00:01.000 --> 00:02.000\n".to_owned(), ..good() },
            "transcript",
            "transcript_empty",
        );
        let stranger = CandidateInput { candidate_name: "Kim Falk".to_owned(), ..good() };
        check(stranger, "candidate_speaker", "speaker_unclear");
        let wrong = CandidateInput { candidate_speaker: Some("Kim".to_owned()), ..good() };
        check(wrong, "candidate_speaker", "speaker_unknown");
        let unnamed = CandidateInput { interviewers: Vec::new(), ..input(&CASES[6]) };
        check(unnamed, "candidate_speaker", "speaker_unclear");
        check(
            CandidateInput { candidate_key: Some("ZZ".to_owned()), ..good() },
            "candidate_key",
            "key.unknown",
        );
        let refusal = confirm(&project, "JS", json!([])).unwrap_err();
        assert_eq!(refusal.problems[0].message, texts.get("candidate.report_key.none.message"));
        let settings = project.settings();
        let empty = Project::default().with(Kind::ProjectSettings, "", &settings);
        let missing = refused(good(), &empty).problems[0].clone();
        assert!(
            missing.message.contains(texts.get("project.services.ta_screening_template.the")),
            "{missing:?}"
        );
        assert!(missing.hint.is_some());
    }
}
