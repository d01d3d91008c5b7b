//! With nothing configured: whole recruitments in a pseudo-terminal, in five languages, by rules alone.

use std::{fs, path::Path};

use serde::Deserialize;
use serde_json::Value;
use tata_recruit::{Audience, Gate, Voice, identify};

use crate::{program::World, pty::Chat};

/// One message, and the document that must be there after it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    say: String,
    #[serde(default)]
    makes: Option<String>,
}

/// The ten documents.
const KINDS: [&str; 10] = [
    "requirement_profile",
    "job_ad",
    "ta_screening_template",
    "hm_screening_template",
    "headhunting_messages",
    "candidate_reports",
    "funnel_report",
    "job_ad_review",
    "di_review",
    "calendar_invite",
];

fn script(code: &str) -> Vec<Step> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/conversations/{code}.yaml"));
    serde_saphyr::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn world() -> World {
    World::new().set("TATA_NOW", "2026-11-16T08:00:00Z")
}

/// Plays a recruitment, checks every answer and every document, and goes on with it in a second run.
fn recruitment(code: &str) {
    let world = world();
    let mut chat = Chat::open(&world, &["chat"]);
    assert!(chat.seen().contains("Model: guided (rules on this machine, no AI)"), "{}", chat.seen());
    assert!(chat.seen().contains("Requirement Profile:"), "{}", chat.seen());
    let script = script(code);
    for step in &script {
        let answer = chat.say(step.say.trim_end());
        if let Some(kind) = &step.makes {
            assert!(answer.contains(&format!("stored: {kind}")), "{code}, {:?}: {answer}", step.say);
        }
    }
    chat.leave();
    let answers = answers(&world);
    assert!(answers.len() >= script.len(), "{code}: {} answers", answers.len());
    for answer in &answers {
        passes_the_gate(code, answer);
    }
    let documents: Vec<(&str, Value, String)> = KINDS
        .into_iter()
        .map(|kind| {
            let json = world.run(&["artifact", "show", kind, "--format", "json"]);
            assert_eq!(json.code, 0, "{code}, {kind}: {}", json.err);
            let shown = world.run(&["artifact", "show", kind, "--format", "md"]);
            (kind, serde_json::from_str(&json.out).unwrap(), shown.out)
        })
        .collect();
    for (kind, json, shown) in &documents {
        as_specified(code, kind, document(json), shown, &documents);
    }
    let mut second = Chat::open(&world, &["chat", "--continue"]);
    assert!(second.seen().contains(script[0].say.trim()), "{code}: {}", second.seen());
    let answer = second.say("D&I");
    assert!(!answer.contains("error"), "{code}: {answer}");
    second.leave();
}

/// `artifact show` wraps a document with its name and version.
fn document(json: &Value) -> &Value {
    json.get("artifact").or_else(|| json.get("document")).filter(|inner| inner.is_object()).unwrap_or(json)
}

/// What the assistant said, message by message.
fn answers(world: &World) -> Vec<String> {
    let said = world.run(&["session", "show", "last", "--json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let session: Value = serde_json::from_str(&said.out).unwrap();
    let mut answers = Vec::new();
    collect(&session, &mut answers);
    answers
}

/// The texts of assistant messages, wherever they stand.
fn collect(value: &Value, answers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if fields.get("role").and_then(Value::as_str) == Some("assistant") {
                let blocks = fields.get("blocks").or_else(|| fields.get("content"));
                let texts = blocks.and_then(Value::as_array).into_iter().flatten();
                let text: String = texts
                    .filter_map(|block| block["text"]["text"].as_str().or(block["text"].as_str()))
                    .collect();
                if !text.is_empty() {
                    answers.push(text);
                }
            }
            fields.values().for_each(|value| collect(value, answers));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, answers)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// No emoji, no dash bullets, no module letters, nobody asks for the recruiter's name.
fn passes_the_gate(code: &str, answer: &str) {
    let voice = Voice::ALL.into_iter().find(|voice| voice.language().code() == code).unwrap();
    let gate = Gate { voice, audience: Audience::Colleagues, verbatim: &[] };
    let wrong: Vec<_> = gate
        .check(answer)
        .into_iter()
        .filter(|finding| {
            matches!(finding.rule.name(), "emoji" | "dash_bullet" | "module_letter" | "name_question")
        })
        .collect();
    assert!(wrong.is_empty(), "{code}: {wrong:?} in {answer}");
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// What the specification says about each document.
fn as_specified(code: &str, kind: &str, json: &Value, shown: &str, all: &[(&str, Value, String)]) {
    let context = format!("{code}, {kind}: {json:#}");
    let other = |kind: &str| document(&all.iter().find(|(name, ..)| *name == kind).unwrap().1);
    let must_haves = || -> Vec<String> {
        let items = other("requirement_profile")["must_have_skills"].as_array().unwrap();
        items.iter().map(|item| item["text"].as_str().unwrap().to_owned()).collect()
    };
    // The pasted reviews and reports quote; what they say themselves is in the language of the project.
    if let Some(found) = identify(shown) {
        assert_eq!(found.language.code(), code, "{context}");
    }
    match kind {
        "requirement_profile" => {
            assert_eq!(must_haves().len(), 4, "{context}");
            assert_eq!(json["status"], "confirmed", "{context}");
            for item in json["must_have_skills"].as_array().unwrap() {
                let span = |end: &str| usize::try_from(item[end].as_u64().unwrap()).unwrap();
                let source = json["sources"][item["source"].as_str().unwrap()].as_str().unwrap();
                let there: String =
                    source.chars().skip(span("start")).take(span("end") - span("start")).collect();
                assert_eq!(item["quote"].as_str().unwrap(), there, "{context}");
            }
        }
        "job_ad" => {
            let lower = shown.to_lowercase();
            for must_have in must_haves() {
                assert!(lower.contains(&must_have.to_lowercase()), "{must_have}: {shown}");
            }
        }
        "ta_screening_template" | "hm_screening_template" => {
            let sets = json["skills"].as_array().unwrap();
            assert_eq!(sets.len(), 4, "{context}");
            for set in sets {
                let follow_ups = set["follow_ups"].as_array().map_or(0, Vec::len);
                assert!((2..=3).contains(&follow_ups) && set["main_question"]["text"].is_string(), "{set:#}");
                let room = set["main_question"]["notes_space"].as_bool().unwrap();
                assert_eq!(room, kind == "hm_screening_template", "{set:#}");
            }
        }
        "headhunting_messages" => {
            let versions = json["versions"].as_object().unwrap();
            let texts: Vec<&str> = versions
                .values()
                .flat_map(|version| version.as_object().unwrap().values())
                .map(|message| message["text"].as_str().unwrap())
                .collect();
            assert_eq!(texts.len(), 18, "{context}");
            assert!(texts.iter().all(|text| words(text) < 100), "{context}");
            let short = json["versions"]["short_direct"].as_object().unwrap();
            assert!(short.values().all(|message| message["text"].as_str().unwrap().chars().count() <= 400));
        }
        "candidate_reports" => {
            let skills = json["skill_assessments"].as_array().unwrap();
            let rated: Vec<&Value> = skills.iter().filter(|skill| skill["rating"].is_number()).collect();
            assert!(!rated.is_empty(), "{context}");
            for skill in rated {
                assert!((1..=5).contains(&skill["rating"].as_i64().unwrap()), "{skill:#}");
                assert!(!skill["examples"].as_array().unwrap().is_empty(), "{skill:#}");
            }
            let title = shown.lines().next().unwrap();
            assert!(!title.contains(json["candidate_name"].as_str().unwrap()), "{title}");
        }
        "funnel_report" => {
            let (bottlenecks, fixes) =
                (json["bottlenecks"].as_array().unwrap(), json["fixes"].as_array().unwrap());
            assert_eq!(bottlenecks.len(), fixes.len(), "{context}");
            assert!(fixes.iter().all(|fix| fix["owner"].is_string()), "{context}");
        }
        "job_ad_review" => {
            assert_eq!(json["sections"].as_array().unwrap().len(), 12, "{context}");
            assert!((0..=100).contains(&json["overall_score"].as_i64().unwrap()), "{context}");
            assert!(!json["original_text"].as_str().unwrap().is_empty(), "{context}");
        }
        "di_review" => {
            let scores = json["category_scores"].as_object().unwrap();
            assert!(scores.len() >= 13, "{context}");
            for flag in json["flagged_items"].as_array().unwrap() {
                assert!(!flag["alternatives"].as_array().unwrap().is_empty(), "{flag:#}");
            }
        }
        "calendar_invite" => {
            let candidate = json["candidate_name"].as_str().unwrap();
            assert!(json["subject"].as_str().unwrap().contains(candidate), "{context}");
            assert!(json["body"].as_str().unwrap().lines().next().unwrap().contains(candidate), "{context}");
        }
        other => unreachable!("{other} is no document"),
    }
}

#[test]
fn a_recruitment_in_english() {
    recruitment("en");
}

#[test]
fn a_recruitment_in_swedish() {
    recruitment("sv");
}

#[test]
fn a_recruitment_in_danish() {
    recruitment("da");
}

#[test]
fn a_recruitment_in_norwegian() {
    recruitment("no");
}

#[test]
fn a_recruitment_in_german() {
    recruitment("de");
}

#[test]
fn one_question_says_what_was_understood() {
    let world = world();
    let said = world.run(&[
        "ask",
        "--agent",
        "tata",
        "--model",
        "guided",
        "--json",
        "Invite Robin Lund to a case interview in Oslo on Thursday at 2pm, 90 minutes",
    ]);
    assert_eq!(said.code, 0, "{}", said.err);
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(answer["intent"], "calendar_invite");
    let call = &answer["tool_calls"][0];
    assert_eq!(call["tool"], "create_calendar_invite");
    let arguments = &call["arguments"];
    for (field, value) in [
        ("candidate_name", "Robin Lund"),
        ("interview_type", "case"),
        ("location_type", "onsite"),
        ("city", "oslo"),
        ("date", "2026-11-19"),
        ("time", "14:00"),
        ("booking_method", "manual"),
    ] {
        assert_eq!(arguments[field], value, "{answer:#}");
    }
    assert_eq!(arguments["duration"], 90);
    assert_eq!(answer["model"], "guided");
}

/// A language that the candidate must speak, one to write in, and the one that is spoken.
#[test]
fn languages_are_told_apart() {
    let world = world();
    let ask = |text: &str| -> (Value, String) {
        let said = world.run(&["ask", "--agent", "tata", "--model", "guided", "--json", text]);
        assert_eq!(said.code, 0, "{}", said.err);
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        (answer["tool_calls"][0]["arguments"].clone(), answer["content"].as_str().unwrap().to_owned())
    };
    let profile = "Make a requirement profile for a network engineer in Oslo";
    let (arguments, content) = ask(&format!("{profile}. Must have: 5 years of BGP, Norwegian."));
    assert_eq!(arguments["enrichments"]["must_haves"], serde_json::json!(["5 years of BGP", "Norwegian"]));
    assert!(arguments["language"].is_null() && content.contains("Found so far: 2"), "{content}");
    let (arguments, content) = ask(&format!("{profile} who speaks Norwegian"));
    assert!(arguments["language"].is_null() && content.contains("Found so far: 1"), "{content}");
    let (arguments, content) = ask("Make a requirement profile in Norwegian for a network engineer");
    assert_eq!(arguments["language"], "no");
    assert!(content.starts_with("Paste the notes from your start-up meeting"), "{content}");
}

#[test]
fn nothing_is_pretended_and_the_second_miss_shows_the_menu() {
    let world = world();
    let mut chat = Chat::open(&world, &["chat"]);
    let first = chat.say("qwrt zzz plugh");
    assert!(first.contains("I did not understand that."), "{first}");
    let second = chat.say("xyzzy");
    assert!(second.contains("Requirement Profile:") && second.contains("no AI"), "{second}");
    chat.leave();
}

/// What a newcomer types.
const FIRST_MINUTE: [&str; 3] = [
    "We need a requirement profile for a network engineer in Stockholm: BGP, Linux, Python and English",
    "replace the third with Ansible",
    "yes, that is right",
];

/// The README shows a real terminal; `scripts/examples` records it anew.
#[test]
fn the_first_minute_is_what_the_program_shows() {
    #[expect(clippy::disallowed_methods, reason = "set by scripts/examples")]
    let bless = std::env::var_os("TATA_BLESS_EXAMPLES").is_some();
    let world = world();
    let mut chat = Chat::open(&world, &["chat"]);
    for message in FIRST_MINUTE {
        chat.say(message);
    }
    let seen = chat.leave();
    let lines: Vec<String> = seen.lines().map(|line| timeless(line.trim_end())).collect();
    let shown = lines.join("\n");
    let shown = shown.split("\nKept. ").next().unwrap().trim_end().trim_end_matches('>').trim_end();
    let shown = format!("$ tata\n{shown}\n");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (before, rest) = readme.split_once("<!-- first minute -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of first minute -->").unwrap();
    let expected =
        format!("{before}<!-- first minute -->\n```text\n{shown}```\n<!-- end of first minute -->{after}");
    if bless {
        fs::write(root.join("docs/first-minute.txt"), &shown).unwrap();
        return fs::write(root.join("README.md"), expected).unwrap();
    }
    let kept = fs::read_to_string(root.join("docs/first-minute.txt")).unwrap_or_default();
    assert_eq!(kept, shown, "docs/first-minute.txt is out of date: run scripts/examples");
    assert_eq!(readme, expected, "README.md is out of date: run scripts/examples");
}

/// A line without how long something took: that is never the same twice.
fn timeless(line: &str) -> String {
    let mut timeless = String::new();
    for word in line.split_inclusive(' ') {
        let bare = word.trim_matches(['(', ' ']);
        let seconds = bare.split_once('.').is_some_and(|(whole, part)| {
            !whole.is_empty()
                && part.len() == 1
                && (whole.to_owned() + part).bytes().all(|byte| byte.is_ascii_digit())
        });
        timeless.push_str(&if seconds { word.replace(bare, "0.0") } else { word.to_owned() });
    }
    timeless
}
