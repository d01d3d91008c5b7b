//! With nothing configured: whole recruitments in a pseudo-terminal, in five languages, by rules alone.

use std::{fs, path::Path};
use tata_language::identify::identify;

use serde::Deserialize;
use serde_json::Value;
use tata_recruit::{Audience, Gate, Kind, Texts, Voice};

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
    let mut before = String::new();
    for step in &script {
        let answer = chat.say(step.say.trim_end());
        if let Some(kind) = &step.makes {
            let context = format!("{code}, {:?}: {answer}\nbefore: {before}", step.say);
            let name = Kind::find(kind).unwrap().display(Texts::of(Voice::En));
            assert!(answer.contains(&format!("stored: {name}")), "{context}");
        }
        before = answer;
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
            // Greeted by the first name, as people write; by the whole name with Sie.
            let first_name = candidate.split(' ').next().unwrap();
            assert!(json["body"].as_str().unwrap().lines().next().unwrap().contains(first_name), "{context}");
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
    assert_eq!(
        answer["tool_calls"].as_array().unwrap().len(),
        0,
        "what is missing is asked first: {answer:#}"
    );
    let ask = &answer["understood"]["ask"];
    assert_eq!(
        (&ask["what"], &ask["tool"]),
        (&"form".into(), &"create_calendar_invite".into()),
        "{answer:#}"
    );
    let arguments = &ask["arguments"];
    for (field, value) in
        [("interview_type", "case"), ("city", "oslo"), ("date", "2026-11-19"), ("time", "14:00")]
    {
        assert_eq!(arguments[field], value, "{answer:#}");
    }
    assert_eq!(arguments["duration"], 90);
    assert!(arguments["candidate_name"].is_null(), "a name is proposed, not taken: {answer:#}");
    let content = answer["content"].as_str().unwrap();
    assert!(content.contains("“yes” takes: Robin Lund"), "{content}");
    assert_eq!(answer["model"], "guided");
}

/// A language that the candidate must speak is not one to write in (trial 2.5).
#[test]
fn languages_are_told_apart() {
    let world = world();
    let ask = |text: &str| -> Value {
        let said = world.run(&["ask", "--agent", "tata", "--model", "guided", "--json", text]);
        assert_eq!(said.code, 0, "{}", said.err);
        serde_json::from_str(&said.out).unwrap()
    };
    for (text, language) in [
        ("Make a requirement profile for a network engineer who speaks Norwegian", "en"),
        ("she speaks Swedish", "en"),
        ("Jag behöver en kravprofil för en ny tjänst", "sv"),
        ("hej", "sv"),
        ("hei", "no"),
    ] {
        let answer = ask(text);
        assert_eq!(answer["understood"]["language"], language, "{text}: {answer:#}");
    }
}

/// Programs fill the same forms: what is missing or must be sorted comes back, answers go on from there.
#[test]
fn programs_answer_forms() {
    let world = world();
    let write = |name: &str, value: &Value| fs::write(world.folder.join(name), value.to_string()).unwrap();
    write(
        "notes.json",
        &serde_json::json!({
            "startup_notes": "Must have:\n- SQL\n- Python\n- English\nShe wants somebody calm. Budget work every month."
        }),
    );
    let asked = world.run(&["run", "create_requirement_profile", "--json", "--input", "notes.json"]);
    let form: Value =
        serde_json::from_str(&asked.out).unwrap_or_else(|_| panic!("{}{}", asked.out, asked.err));
    assert_eq!(form["status"], "needs_input", "{form:#}");
    let fields = form["form"]["fields"].as_array().unwrap();
    let field =
        |id: &str| fields.iter().find(|field| field["id"] == id).unwrap_or_else(|| panic!("{id}: {form:#}"));
    assert_eq!(field("position_title")["required"], true);
    assert_eq!((&field("line_1")["proposed"], &field("line_4")["proposed"]), (&"must".into(), &Value::Null));
    assert_eq!(field("line_4")["question"], "She wants somebody calm.");
    assert!(field("line_4")["span"].is_array() && field("line_4")["kind"] == "choice");
    write(
        "answers.json",
        &serde_json::json!({ "position_title": "Controller", "line_4": "trait", "line_5": "must" }),
    );
    let arguments =
        ["run", "create_requirement_profile", "--json", "--input", "notes.json", "--answers", "answers.json"];
    let made = world.run(&arguments);
    let made: Value = serde_json::from_str(&made.out).unwrap_or_else(|_| panic!("{}{}", made.out, made.err));
    let profile = &made["result"]["artifact"];
    assert_eq!(profile["must_have_skills"].as_array().map(Vec::len), Some(4), "{made:#}");
    assert_eq!(profile["soft_skills"][0]["text"], "She wants somebody calm.", "{made:#}");
    let table = "Phase;Anzahl\nBewerbungen;73\nVorauswahl;28\nTelefoninterview;14\n";
    write(
        "table.json",
        &serde_json::json!({
            "job_title": "Bauleiter", "number_of_positions": 1, "hiring_manager_name": "Kim Dahl", "pasted_table": table
        }),
    );
    let funnel = ["run", "create_funnel_report", "--json", "--input", "table.json"];
    let asked: Value = serde_json::from_str(&world.run(&funnel).out).unwrap();
    let field = &asked["form"]["fields"][0];
    assert_eq!((&field["id"], &field["kind"]), (&"mapping.Vorauswahl".into(), &"choice".into()), "{asked:#}");
    write("mapped.json", &serde_json::json!({ "mapping.Vorauswahl": "qualified_applications" }));
    let funnel = [&funnel[..], &["--answers", "mapped.json"]].concat();
    let report: Value = serde_json::from_str(&world.run(&funnel).out).unwrap();
    let stages = report["result"]["artifact"]["stages"].as_array().map(Vec::len);
    assert_eq!(stages, Some(3), "{report:#}");
    write("answers.json", &serde_json::json!({ "line_9": "must" }));
    let refused = world.run(&arguments);
    assert!(
        refused.code != 0 && refused.out.contains("line_9") && refused.out.contains("5 lines"),
        "{refused:?}"
    );
}

#[test]
fn nothing_is_pretended() {
    let world = world();
    let mut chat = Chat::open(&world, &["chat"]);
    for noise in ["qwrt zzz plugh", "xyzzy"] {
        let answer = chat.say(noise);
        let honest = ["I did not understand that.", "I am not certain what you want", "Requirement Profile:"];
        assert!(honest.iter().any(|words| answer.contains(words)), "{answer}");
        assert!(!answer.contains("stored:"), "{answer}");
    }
    chat.leave();
}

/// What a newcomer types.
const FIRST_MINUTE: [&str; 6] = [
    "I need a requirement profile for a network engineer",
    "2: Must have: BGP; Linux; Python; English",
    "yes",
    "replace the third with Ansible",
    "yes",
    "yes, that is right",
];

/// The guides show a real terminal; `scripts/examples` records it anew.
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
    if bless {
        return fs::write(root.join("docs/first-minute.txt"), &shown).unwrap();
    }
    let kept = fs::read_to_string(root.join("docs/first-minute.txt")).unwrap_or_default();
    assert_eq!(kept, shown, "docs/first-minute.txt is out of date: run scripts/examples");
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
