//! What the recruiter sees and what a model reads, on all three wires (A8.1, A8.3, A8.5).

use std::fs;

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::program::World;

type Write = fn(&Turn) -> String;

const WIRES: [(&str, Write); 3] = [
    ("gpt-6.1-sol", script::responses),
    ("claude-sonnet-5-5", script::messages),
    ("ollama/qwen3:8b", script::chat),
];

const NOTES: &str = "Position: Network engineer\nMust have:\n- BGP and OSPF\n- Juniper routers\n- Linux\n- fluent English\n\
    Tasks:\n- run the core network\n- plan changes with the field teams\n- be on call every sixth week\nAs a person:\n- structured\n- calm when things break\nMotivation:\n- you decide how the network is built\n\
    Team: seven people in Malmö";

fn world(upstream: &Upstream, model: &str) -> World {
    World::new()
        .set("OPENAI_API_KEY", "sk-x")
        .set("ANTHROPIC_API_KEY", "sk-y")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .set("ANTHROPIC_BASE_URL", &upstream.base_url())
        .set("OLLAMA_BASE_URL", &upstream.base_url())
        .set("TATA_MODEL", model)
        .set("TZ", "Europe/Stockholm")
        .set("TATA_NOW", "2026-11-15T09:00:00Z")
}

/// The names of the tools in a request, whatever the wire.
fn tools(request: &Value) -> Vec<String> {
    let all = request["tools"].as_array().cloned().unwrap_or_default();
    let name =
        |tool: &Value| tool["name"].as_str().or_else(|| tool["function"]["name"].as_str()).map(str::to_owned);
    all.iter().filter_map(name).collect()
}

/// The conversation in a request, without prompt and tools.
fn said(request: &Value) -> &Value {
    if request.get("input").is_some() { &request["input"] } else { &request["messages"] }
}

fn profile() -> Turn {
    let arguments = json!({"position_title": "Network engineer", "startup_notes": "m1"}).to_string();
    Turn::default().call("c1", "create_requirement_profile", &[&arguments])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recruiter_sees_the_document_and_the_model_a_short_form() {
    for (model, write) in WIRES {
        let turns = [profile(), Turn::text(&["Please look at it."]), Turn::text(&["Four of them."])];
        let upstream = Upstream::start(turns.iter().map(|turn| Exchange::sse(write(turn)))).await;
        let world = world(&upstream, model);
        let shown = tokio::task::spawn_blocking(move || {
            let shown = world.run(&["ask", "--agent", "tata", NOTES]);
            assert_eq!(shown.code, 0, "{shown:?}");
            let more = world.run(&["ask", "--agent", "tata", "--continue", "How many must-haves?"]);
            assert_eq!(more.code, 0, "{more:?}");
            let list = world.run(&["artifact", "list"]);
            assert!(list.out.contains("draft"), "{list:?}");
            let found = world.run(&["artifact", "list", "--search", "juniper", "--json"]);
            let found: Value = serde_json::from_str(&found.out).unwrap();
            assert_eq!(found["documents"][0]["state"], "draft", "{found}");
            let none = world.run(&["artifact", "list", "--search", "sailing"]);
            assert!(none.err.contains("No document has these words"), "{none:?}");
            shown
        })
        .await
        .unwrap();
        for words in ["BGP and OSPF", "Juniper routers", "Please look at it."] {
            assert!(shown.out.contains(words), "{model}: {words} in {}", shown.out);
        }
        let requests: Vec<Value> = upstream.requests().iter().map(tata_testkit::Captured::json).collect();
        // The day, the hour, the zone, what there is; and no tool that could do nothing yet.
        let first = requests[0].to_string();
        assert!(first.contains("now: Sunday 2026-11-15 10:00 Europe/Stockholm"), "{model}: {first}");
        assert!(first.contains("documents: none yet"), "{model}");
        assert!(!tools(&requests[0]).contains(&"create_job_ad".to_owned()), "{model}");
        // The result is whole JSON without spans; the model is told that the recruiter sees the document.
        let second = said(&requests[1]).to_string();
        assert!(second.contains("The recruiter sees this document on the screen"), "{model}: {second}");
        assert!(!second.contains("said_in") && !second.contains("evidence"), "{model}: {second}");
        assert!(tools(&requests[1]).contains(&"create_job_ad".to_owned()), "{model}");
        // A later request begins with the same bytes, and tells how things stand now.
        let (before, after) =
            (said(&requests[1]).as_array().unwrap(), said(&requests[2]).as_array().unwrap());
        assert_eq!(&after[..before.len()], before, "{model}");
        let third = requests[2].to_string();
        assert!(third.contains("requirement_profile v1 (draft)"), "{model}: {third}");
        assert!(third.contains("materials: m1 to m2"), "{model}");
    }
}

/// B1: `verbose` in an agent's file shows what its steps are given and what its requests use; others do not.
#[tokio::test(flavor = "multi_thread")]
async fn a_verbose_agent_shows_its_steps() {
    for verbose in [true, false] {
        let turns = [profile(), Turn::text(&["Please look at it."])];
        let upstream = Upstream::start(turns.iter().map(|turn| Exchange::sse(script::responses(turn)))).await;
        let file = format!(
            "description: Recruits\nsystem_prompt: Recruit.\ntools: [create_requirement_profile]\nverbose: {verbose}\n"
        );
        let world = world(&upstream, "gpt-6.1-sol").file("recruits.yaml", &file);
        let shown =
            tokio::task::spawn_blocking(move || world.run(&["ask", "--agent", "recruits.yaml", NOTES]));
        let shown = shown.await.unwrap();
        assert_eq!(shown.code, 0, "{shown:?}");
        assert_eq!(shown.err.contains("startup_notes"), verbose, "{}", shown.err);
        assert_eq!(shown.err.contains("tokens read"), verbose, "{}", shown.err);
    }
}

/// After 200 messages, the oldest no longer fit; what a document says is read when it is needed.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_conversation_still_knows_its_documents() {
    let mut turns = vec![profile(), Turn::text(&["Please look at it."])];
    turns.extend((0..40).map(|_| Turn::text(&["Noted."])));
    turns.push(Turn::default().call("c9", "read_document", &[r#"{"document": "requirement_profile"}"#]));
    turns.push(Turn::text(&["BGP and OSPF, Juniper routers, Linux, fluent English."]));
    let upstream = Upstream::start(turns.iter().map(|turn| Exchange::sse(script::responses(turn)))).await;
    let world = world(&upstream, "gpt-6.1-sol");
    tokio::task::spawn_blocking(move || {
        assert_eq!(world.run(&["ask", "--agent", "tata", NOTES]).code, 0);
        for at in 0..40 {
            let said = format!("Remark {at}: nothing of importance.");
            assert_eq!(world.run(&["ask", "--agent", "tata", "--continue", &said]).code, 0);
        }
        let said = world.run(&["ask", "--agent", "tata", "--continue", "What are the four must-haves?"]);
        assert_eq!(said.code, 0, "{said:?}");
    })
    .await
    .unwrap();
    let last = upstream.requests().last().map(tata_testkit::Captured::json).unwrap();
    let read = said(&last).to_string();
    assert!(read.contains("Juniper routers") && read.contains("Linux"), "{read}");
}

/// A fact that a search brought is used once the recruiter said yes to it, with its source; until then nothing is stored.
#[tokio::test(flavor = "multi_thread")]
async fn facts_of_documents_wait_for_the_recruiter() {
    let fact = "GlobalConnect runs 155,000 kilometres of fibre in Northern Europe.";
    let ad = json!({"approved_company_facts": [{"text": fact, "source": "[1]"}]}).to_string();
    let turns = [
        profile(),
        Turn::text(&["Is this the right profile?"]),
        Turn::default().call("c1b", "edit_requirement_profile", &[r#"{"confirm": true}"#]),
        Turn::text(&["It is confirmed."]),
        Turn::default().call(
            "c2",
            "search_docs",
            &[r#"{"query": "kilometres of fibre in Northern Europe"}"#],
        ),
        Turn::default().call("c3", "create_job_ad", &[&ad]),
        Turn::text(&["Done."]),
    ];
    let upstream = Upstream::start(turns.iter().map(|turn| Exchange::sse(script::responses(turn)))).await;
    let world = world(&upstream, "gpt-6.1-sol");
    let (waits, shown) = tokio::task::spawn_blocking(move || {
        let guide = world.folder.join("guide.md");
        fs::write(&guide, format!("# About us\n\n{fact} Call it a network, not a cable.")).unwrap();
        assert_eq!(world.run(&["ingest", &guide.display().to_string()]).code, 0);
        assert_eq!(world.run(&["ask", "--agent", "tata", NOTES]).code, 0);
        let yes = world.run(&["ask", "--agent", "tata", "--continue", "Yes."]);
        assert_eq!(yes.code, 0, "{yes:?} {}", world.run(&["session", "show", "last"]).out);
        let waits = world.run(&["ask", "--agent", "tata", "--continue", "Now the ad, with a line about us."]);
        let decided = world.run(&["session", "resume", "last", "--decide", "c3=run"]);
        assert_eq!(decided.code, 0, "{decided:?}");
        let shown = world.run(&["artifact", "show", "job_ad", "--format", "json"]);
        (waits, shown)
    })
    .await
    .unwrap();
    assert_eq!(waits.code, 8, "{waits:?}");
    let told =
        upstream.requests().last().map(|request| said(&request.json()).to_string()).unwrap_or_default();
    let told: String = told.chars().rev().take(1_500).collect::<Vec<_>>().into_iter().rev().collect();
    assert_eq!(shown.code, 0, "{told}");
    assert!(shown.out.contains("\"found_in\"") && shown.out.contains("155,000 kilometres"), "{}", shown.out);
}
