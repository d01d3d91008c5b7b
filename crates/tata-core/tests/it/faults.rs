//! Bad upstreams, byte by byte, through the real transport: every turn ends typed, in time, with a plain sentence (R4).

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tata_core::{
    Agent, AgentParts, Clock, Entry, Event, Input, ModelChoice, NewSession, Store, TurnEnd, TurnReport,
};
use tata_llm::{Catalog, Endpoint, HttpModel, Retry, Timeouts, Transport};
use tata_store::MemoryStore;
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};
use tokio_util::sync::CancellationToken;

use crate::support::told;

const PATIENCE: Duration = Duration::from_millis(300);

fn model(upstream: &Upstream) -> ModelChoice {
    let (spec, provider) = Catalog::built_in().unwrap().resolve("gpt-6.1-sol").unwrap();
    let endpoint = Endpoint { base_url: upstream.base_url(), key: Some("sk-x".into()), headers: Vec::new() };
    let timeouts = Timeouts { connect: PATIENCE, first_byte: PATIENCE, idle: PATIENCE, total: PATIENCE * 10 };
    let retry = Retry { most: 1, ..Retry::default() };
    let transport = Transport::new(timeouts, retry).unwrap();
    ModelChoice::new(Arc::new(HttpModel::new(spec, provider, endpoint, transport)))
}

/// One turn against these answers; what it came to, and what the journal says of its end.
async fn turn(exchanges: Vec<Exchange>, fallback: Vec<Exchange>) -> (TurnReport, Vec<Event>, TurnEnd) {
    let (first, second) = (Upstream::start(exchanges).await, Upstream::start(fallback).await);
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let session = store.create_session(NewSession::with("t", Clock::System.now())).await.unwrap().id;
    let agent = Agent::new(AgentParts::new("t", vec![model(&first), model(&second)], Arc::clone(&store)));
    let told = told(agent.turn(session, Input::say("Hello?"), CancellationToken::new())).await;
    let records = store.records(session, 0).await.unwrap();
    let Some(Entry::TurnFinished { end, .. }) = records.last().map(|record| record.entry.clone()) else {
        panic!("the turn has no end: {records:?}");
    };
    assert!(!store.session(session).await.unwrap().unwrap().open_turn);
    (told.report().clone(), told.0, end)
}

fn hello() -> String {
    script::responses(&Turn::text(&["Hello", ", world"]))
}

fn refuse(status: u16, code: &str) -> Exchange {
    Exchange::json(status, &json!({"error": {"code": code, "type": code, "message": "E-TECH 0x1F"}}))
}

/// Every fault, by name, and the kind in which a turn ends when nobody steps in.
fn faults() -> Vec<(&'static str, Exchange, &'static str)> {
    let half = hello();
    let half = &half.as_bytes()[..half.len() / 2];
    let inside = "data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"E-TECH\"}\n\n";
    vec![
        ("429", refuse(429, "rate_limit_exceeded"), "rate_limit"),
        ("429 with a wait", refuse(429, "rate_limit_exceeded").header("retry-after", "0"), "rate_limit"),
        (
            "429 with a long wait",
            refuse(429, "rate_limit_exceeded").header("retry-after", "99999"),
            "rate_limit",
        ),
        ("quota", refuse(429, "insufficient_quota"), "quota"),
        ("500", refuse(500, "server_error"), "server"),
        (
            "502",
            Exchange::status(502).header("content-type", "text/html").bytes("<html>bad gateway"),
            "server",
        ),
        ("503", refuse(503, "unavailable"), "overloaded"),
        ("529", refuse(529, "overloaded_error"), "overloaded"),
        ("no first byte", Exchange::sse("").late(PATIENCE * 30), "timeout_first_byte"),
        ("a stall", Exchange::sse(half).hang(), "timeout_idle"),
        ("a cut", Exchange::sse(half), "stream_truncated"),
        ("an error inside 200", Exchange::sse(inside), "server"),
        (
            "a page with 200",
            Exchange::status(200).header("content-type", "text/html").bytes("<html>"),
            "unreadable_response",
        ),
        ("comments only", Exchange::sse(": ping\n\n: ping\n\n"), "stream_truncated"),
    ]
}

#[tokio::test]
async fn every_fault_ends_the_turn_typed_with_a_plain_sentence() {
    for (name, fault, kind) in faults() {
        let many = |fault: &Exchange| vec![fault.clone(); 6];
        let begun = std::time::Instant::now();
        let (report, _, end) = turn(many(&fault), many(&fault)).await;
        assert!(begun.elapsed() < Duration::from_secs(20), "{name} took {:?}", begun.elapsed());
        let TurnEnd::Failed { error, message } = &end else { panic!("{name}: {end:?}") };
        assert!(error == kind || kind == "overloaded" && error == "server", "{name}: {error}");
        assert_eq!(report.error.as_ref(), Some(message), "{name}");
        assert!(message.ends_with('.') && message.contains(' '), "{name}: {message}");
        for technical in ["E-TECH", "HTTP", "status", "_", "{", "<", "json", "0x"] {
            assert!(!message.contains(technical), "{name}: {message}");
        }
        assert!(!report.requests.is_empty() && report.cost.is_none(), "{name}: unknown is not zero");
    }
}

#[tokio::test]
async fn whatever_happens_to_the_first_model_the_second_answers() {
    for (name, fault, _) in faults() {
        let (report, events, end) = turn(vec![fault; 6], vec![Exchange::sse(hello())]).await;
        assert_eq!((report.content.as_str(), end), ("Hello, world", TurnEnd::Answered), "{name}");
        // What was shown before the reset does not count: after it comes the whole answer, once.
        let at = events.iter().rposition(|event| matches!(event, Event::Reset { .. })).expect(name);
        let said: String = events[at..]
            .iter()
            .filter_map(|event| match event {
                Event::TextDelta { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(said, "Hello, world", "{name}");
    }
}
