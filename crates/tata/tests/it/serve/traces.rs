//! What a collector of traces is told.

use std::time::Duration;

use serde_json::{Value, json};

use super::Serving;
use crate::program::World;

/// Turns are traces for a collector: the turn, its requests and its tools under OpenTelemetry's names, without what was said.
#[tokio::test(flavor = "multi_thread")]
async fn turns_are_traced_without_what_was_said() {
    use tata_testkit::{Exchange, Upstream, script, script::Turn};
    let collector = Upstream::start(vec![Exchange::json(200, &json!({})); 8]).await;
    let call = Turn::default().call("c1", "set_project", &[r#"{"position_name":"Network Engineer"}"#]);
    let answers = [call, Turn::text(&["Secretly done."])].map(|turn| Exchange::sse(script::responses(&turn)));
    let upstream = Upstream::start(answers).await;
    let world = World::new()
        .set("OPENAI_API_KEY", "sk-x")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .set("TATA_MODEL", "gpt-6.1-sol")
        .set("OTEL_SERVICE_NAME", "recruiting")
        .set("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k1")
        .set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.origin());
    tokio::task::spawn_blocking(move || {
        let serving = Serving::start(&world);
        let said = json!({"message": "We look for a Network Engineer"});
        let (status, answer) = serving.ask("POST", "/api/chat", Some(&said));
        assert_eq!(status, 200, "{answer}");
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(serving.stop().0, 0);
    })
    .await
    .unwrap();
    let requests = collector.requests();
    assert!(!requests.is_empty());
    let sent = requests[0].json();
    let told = sent.to_string();
    assert!(told.contains("\"service.name\"") && told.contains("recruiting"), "{told}");
    let spans = sent["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["chat gpt-6.1-sol", "execute_tool set_project", "chat gpt-6.1-sol", "invoke_agent"],
        "{told}"
    );
    let root = spans.last().unwrap();
    assert_eq!(root["parentSpanId"], Value::Null);
    for span in spans {
        assert_eq!(span["traceId"], root["traceId"]);
        assert_eq!(span["traceId"].as_str().unwrap().len(), 32);
        let nanos = |name: &str| span[name].as_str().unwrap().parse::<u128>().unwrap();
        assert!(nanos("startTimeUnixNano") <= nanos("endTimeUnixNano"), "{span}");
    }
    assert_eq!(spans[0]["parentSpanId"], root["spanId"]);
    assert!(told.contains("gen_ai.usage.input_tokens") && told.contains("gen_ai.tool.call.id"), "{told}");
    assert!(
        !told.contains("look for") && !told.contains("Secretly") && !told.contains("position_name"),
        "{told}"
    );
}
