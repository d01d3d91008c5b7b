//! A key cannot be printed: not at TRACE, not in errors, not when a server echoes it (promise S9).

use serde_json::json;
use tata_testkit::{Exchange, Upstream, script};

use crate::support::{Log, MODELS, ask, model_with, question, transport};

const CANARY: &str = "sk-canary-7f3a9b2c5d8e1f40";

#[tokio::test]
async fn the_canary_is_nowhere_at_trace_level() {
    let log = Log::default();
    tracing_log::LogTracer::init().unwrap();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();

    let mut shown = String::new();
    for (name, _) in MODELS {
        let echo =
            json!({"error": {"message": format!("Incorrect API key provided: {CANARY}"), "code": CANARY}});
        let in_stream =
            format!("data: {}\n\n", json!({"type": "error", "error": {"message": format!("key {CANARY}")}}));
        let upstream = Upstream::start([
            Exchange::json(401, &echo),
            Exchange::sse(in_stream).header("x-request-id", "req_1"),
            Exchange::sse(script::chat(&script::Turn::text(&["fine"]))),
            Exchange::status(302).header("location", "/elsewhere"),
        ])
        .await;
        let model = model_with(name, &upstream.base_url(), CANARY, &transport());
        shown.push_str(&format!("{model:?}"));
        for _ in 0..4 {
            let reply = ask(&model, question()).await;
            shown.push_str(&format!("{reply:?}"));
            if let Some(error) = reply.error() {
                shown.push_str(&error.to_string());
            }
        }
        let sent = upstream.requests();
        assert!(sent[0].headers.iter().any(|(_, value)| value.contains(CANARY)), "the key itself was sent");
        for address in
            [format!("http://u:{CANARY}@127.0.0.1:9/v1"), format!("http://127.0.0.1:9/v1?key={CANARY}")]
        {
            let unreachable = model_with(name, &address, CANARY, &transport());
            shown.push_str(&format!("{unreachable:?}{:?}", ask(&unreachable, question()).await));
        }
        let login = upstream.base_url().replace("http://", &format!("http://u:{CANARY}@"));
        let query = format!("{}?key={CANARY}", upstream.base_url());
        for address in [login, query] {
            let model = model_with(name, &address, CANARY, &transport());
            shown.push_str(&format!("{model:?}{:?}", ask(&model, question()).await));
        }
    }
    let log = log.text();
    assert!(log.len() > 10_000 && log.contains("TRACE"), "the log is really at TRACE: {} bytes", log.len());
    for (place, text) in [("the log", &log), ("debug output and errors", &shown)] {
        if let Some(at) = text.find(CANARY) {
            let around: String =
                text[..at].chars().rev().take(200).collect::<Vec<_>>().into_iter().rev().collect();
            panic!("the key is in {place}, after: {around}");
        }
    }
    assert!(shown.contains("[redacted]"), "the echo was scrubbed, not lost");
}
