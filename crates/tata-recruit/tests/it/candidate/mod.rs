//! Candidate reports: transcripts as Teams writes them, in five languages, and everything that must not count.

mod complete;
mod content;
mod evidence;
mod fixtures;
mod people;
mod properties;
mod refusals;
mod spoken;
mod trial;

use jiff::Timestamp;
use serde_json::Value;
use tata_document::{Names, Talk};
use tata_recruit::{
    Anchors, CandidateInput, CandidateReport, Content, FormWish, GermanForm, Kind, Language, Made, Profile,
    ProfileStatus, Project, Question, Quote, Rating, Refusal, ScreeningTemplate, SettingsInput, SkillSet,
    Source, Sources, Tracer, Voice, create_candidate_report, same, set_project,
};

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

/// Whether the words of a quotation stand where it says, typographic differences aside.
fn holds(quote: &Quote, sources: &Sources) -> bool {
    let there: Vec<&str> = quote.spans.iter().map(|span| span.quote.as_str()).collect();
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let said =
        entities.into_iter().fold(there.join(" "), |said, (written, meant)| said.replace(written, meant));
    !there.is_empty()
        && quote.spans.iter().all(|span| span.holds(sources))
        && same(&quote.text, &said.replace('\u{F8FF}', " "))
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

/// Who spoke in a transcript in which one name is known.
fn talk(text: &str, known: &str) -> Talk {
    Talk::read(text, &Names { known: &|name| name == known, role: &|_| false, service: &|_| false })
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

/// The first English interview with content from a model.
fn with_content(content: Value) -> Result<Made, Refusal> {
    let content: Content = serde_json::from_value(content).unwrap();
    let input = CandidateInput { content: Some(content), ..input(&CASES[0]) };
    create_candidate_report(input, &project(Voice::En), now())
}
