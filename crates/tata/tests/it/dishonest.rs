//! Models that lie, on all three wires, through the real program: nothing false is stored, nobody's decision is made for
//! them, and the refusals say how to go on (A8.2, A8.9).

use serde_json::Value;
use tata_testkit::{
    Exchange, Upstream,
    dishonest::{Dishonest, NOTES, all},
    script::{self, Turn},
};

use crate::program::World;

/// How an answer is written on a wire.
type Write = fn(&Turn) -> String;

/// A model, and how its answers are written.
const WIRES: [(&str, Write); 3] = [
    ("gpt-6.1-sol", script::responses),
    ("claude-sonnet-5-5", script::messages),
    ("ollama/qwen3:8b", script::chat),
];

/// What a conversation left behind.
struct Left {
    documents: Value,
    /// What the program said to the model, all requests together.
    told: String,
}

/// A program whose every provider is one server.
fn world(model: &str, base_url: &str) -> World {
    World::new()
        .set("OPENAI_API_KEY", "sk-x")
        .set("ANTHROPIC_API_KEY", "sk-y")
        .set("OPENAI_BASE_URL", base_url)
        .set("ANTHROPIC_BASE_URL", base_url)
        .set("OLLAMA_BASE_URL", base_url)
        .set("TATA_MODEL", model)
        .set("TATA_NOW", "2026-11-15T09:00:00Z")
}

async fn run(model: &'static str, write: Write, liar: &Dishonest) -> Left {
    let answers = liar.turns.iter().flat_map(|(_, answers)| answers);
    let upstream = Upstream::start(answers.map(|turn| Exchange::sse(write(turn)))).await;
    let world = world(model, &upstream.base_url());
    let said: Vec<String> = liar.turns.iter().map(|(said, _)| said.clone()).collect();
    let mut asked = liar.refused.clone().into_iter();
    let documents = tokio::task::spawn_blocking(move || {
        for (at, text) in said.iter().enumerate() {
            let mut arguments = vec!["ask", "--agent", "tata", "--json"];
            if at > 0 {
                arguments.extend(["--session", "last"]);
            }
            arguments.push(text);
            let answer = world.run(&arguments);
            // Eight: a person must decide. They say no.
            assert!(matches!(answer.code, 0 | 8), "{}: {}{}", answer.code, answer.out, answer.err);
            if answer.code == 8 {
                let no = format!("{}=refuse", asked.next().unwrap());
                let refused = world.run(&["session", "resume", "last", "--decide", &no]);
                assert_eq!(refused.code, 0, "{}{}", refused.out, refused.err);
            }
        }
        let list = world.run(&["artifact", "list", "--json"]);
        let list: Value = serde_json::from_str(&list.out).unwrap_or_default();
        let mut documents = Vec::new();
        for one in list["documents"].as_array().into_iter().flatten() {
            let (kind, version) = (one["kind"].as_str().unwrap(), one["version"].to_string());
            let mut arguments = vec!["artifact", "show", kind, "--format", "json", "--version", &version];
            if let Some(key) = one["key"].as_str().filter(|key| !key.is_empty()) {
                arguments.extend(["--key", key]);
            }
            let shown = world.run(&arguments);
            assert_eq!(shown.code, 0, "{}", shown.err);
            documents.push(serde_json::from_str::<Value>(&shown.out).unwrap());
        }
        assert_eq!(asked.next(), None, "the person was asked about every decision");
        Value::Array(documents)
    })
    .await
    .unwrap();
    let told = upstream.requests().iter().map(|request| request.json().to_string()).collect();
    Left { documents, told }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_false_is_stored_whatever_a_model_tries() {
    for liar in all() {
        for (model, write) in WIRES {
            let left = run(model, write, &liar).await;
            let stored = left.documents.to_string();
            for lie in &liar.lies {
                assert!(
                    !stored.contains(lie),
                    "{} on {model} stored {lie:?}: {:#}",
                    liar.name,
                    left.documents
                );
            }
            let mut kinds: Vec<&str> =
                left.documents.as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            assert_eq!(kinds, liar.kept, "{} on {model}: {:#}", liar.name, left.documents);
            assert!(
                left.told.contains("what_to_do") || liar.turns.len() > 1,
                "{} on {model} was told how to go on",
                liar.name
            );
        }
    }
}

/// What nothing proves is sent back once; after that it stands in the ad marked, and the ad cannot be approved.
#[tokio::test(flavor = "multi_thread")]
async fn a_flattering_ad_is_marked_and_not_approved() {
    let liar = all().into_iter().find(|liar| liar.name == "flatterer").unwrap();
    for (model, write) in WIRES {
        let left = run(model, write, &liar).await;
        assert!(left.told.contains("unlimited holidays"), "{model}: what is not proven is named");
        let ads: Vec<&Value> =
            left.documents.as_array().unwrap().iter().filter(|one| one["kind"] == "job_ad").collect();
        assert_eq!(ads.len(), 1, "{model}: the first attempt was sent back");
        let unproven = ads[0]["artifact"]["unproven"].as_array();
        assert!(unproven.is_some_and(|all| !all.is_empty()), "{model}: {:#}", ads[0]);
    }
}

/// `verify: model`: what the rules let pass is judged by a request of its own, on every wire. An objection goes back once,
/// then the sentence is marked; each request is in the ledger.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_opinion_marks_what_the_rules_let_pass() {
    let profile =
        serde_json::json!({ "position_title": "Network Engineer", "startup_notes": "m1" }).to_string();
    let ad = serde_json::json!({ "sections": [{
        "name": "the_why",
        "text": "The backbone is being rebuilt and the team decides how.",
        "evidence": [{ "quote": "The backbone is being rebuilt and the team decides how" }],
    }] })
    .to_string();
    let objection = "{\"unsupported\":[{\"number\":1,\"words\":\"the team decides how\"}]}";
    let turns = [
        Turn::default().call("v1", "create_requirement_profile", &[&profile]),
        Turn::text(&["Is this right?"]),
        Turn::default().call("v2", "create_job_ad", &[&ad]),
        Turn::text(&[objection]),
        Turn::default().call("v3", "create_job_ad", &[&ad]),
        Turn::text(&["```json\n", objection, "\n```"]),
        Turn::text(&["Please look at what is not proven."]),
    ];
    let built_in = include_str!("../../agents/tata.yaml");
    for (model, write) in WIRES {
        let upstream = Upstream::start(turns.iter().map(|turn| Exchange::sse(write(turn)))).await;
        let world = world(model, &upstream.base_url());
        let world = world.file("careful.yaml", &format!("verify: model\n{built_in}"));
        let (ad, session) = tokio::task::spawn_blocking(move || {
            let first = world.run(&["ask", "--agent", "careful.yaml", NOTES]);
            assert_eq!(first.code, 0, "{}{}", first.out, first.err);
            let second = world.run(&["ask", "--agent", "careful.yaml", "--session", "last", "Write the ad."]);
            assert_eq!(second.code, 0, "{}{}", second.out, second.err);
            let exported = world.run(&["artifact", "export", "job_ad", "--format", "html", "-o", "-"]);
            assert!(exported.out.contains("with the help of AI"), "{exported:?}");
            let read = |arguments: &[&str]| serde_json::from_str::<Value>(&world.run(arguments).out).unwrap();
            (
                read(&["artifact", "show", "job_ad", "--format", "json"]),
                read(&["session", "export", "last", "--format", "json"]),
            )
        })
        .await
        .unwrap();
        let unproven = &ad["artifact"]["unproven"][0];
        assert_eq!(unproven["words"], "the team decides how", "{model}: {ad:#}");
        assert_eq!(unproven["reason"], "judged", "{model}");
        let requests = upstream.requests();
        assert_eq!(requests.len(), turns.len(), "{model}");
        let asked = requests[3].json().to_string();
        assert!(asked.contains("<evidence>") && asked.contains("1. (evidence "), "{model}: {asked}");
        assert!(!asked.contains("create_job_ad"), "{model}: a judge has no tools");
        assert!(requests[4].json().to_string().contains("a second model finds"), "{model}: it was sent back");
        assert_eq!(session["requests"].as_array().map(Vec::len), Some(turns.len()), "{model}: {session:#}");
    }
}
