//! Bad upstreams end in a typed state, within the limits, and nothing is run twice (pain 14, promise R4).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use serde_json::json;
use tata_core::{Delivery, Model, ModelErrorKind as K, ModelEvent, ModelRequest, Outcome, Phase, Reply};
use tata_llm::{Retry, Transport, Wire};
use tata_testkit::{
    Exchange, Framing, Upstream,
    script::{self, Turn},
};

use crate::support::{
    MODELS, ask, impatient, model_at, model_with, patient, question, stream_of, weather_tool,
};

fn hello() -> Turn {
    Turn::text(&["Hello", ", ", "world"])
}

/// Asks every wire's model at an upstream with this script; returns the replies and the number of requests.
async fn on_every_wire(script: impl Fn(Wire) -> Vec<Exchange>) -> Vec<(Wire, Reply, usize)> {
    let mut out = Vec::new();
    for (name, wire) in MODELS {
        let upstream = Upstream::start(script(wire)).await;
        let reply = ask(&model_at(name, &upstream.base_url()), question()).await;
        out.push((wire, reply, upstream.requests().len()));
    }
    out
}

async fn check_failure(script: impl Fn(Wire) -> Vec<Exchange>, kind: K, requests: usize) {
    for (wire, reply, sent) in on_every_wire(script).await {
        let error = reply.error().unwrap_or_else(|| panic!("{wire:?} should fail, got {:?}", reply.outcome));
        assert_eq!((error.kind, sent), (kind, requests), "{wire:?}: {error}");
        assert!(reply.runnable_calls().next().is_none());
        assert!(!error.for_user().is_empty());
    }
}

async fn check_answer(script: impl Fn(Wire) -> Vec<Exchange>, requests: usize) {
    for (wire, reply, sent) in on_every_wire(script).await {
        assert!(matches!(reply.outcome, Outcome::Complete), "{wire:?}: {:?}", reply.outcome);
        assert_eq!((reply.message.joined_text().as_str(), sent), ("Hello, world", requests), "{wire:?}");
    }
}

#[tokio::test]
async fn a_whole_answer_in_any_framing() {
    let body = |wire| stream_of(wire, &hello());
    check_answer(|wire| vec![Exchange::sse(body(wire))], 1).await;
    check_answer(|wire| vec![Exchange::sse(body(wire)).framing(Framing::Chunked)], 1).await;
    let slowly = |wire| {
        vec![Exchange::sse("").framing(Framing::Chunked).drip(body(wire), 40, Duration::from_millis(1))]
    };
    check_answer(slowly, 1).await;
}

#[tokio::test]
async fn an_answer_in_one_piece_is_the_same_answer() {
    let bodies = [
        json!({"id": "resp_1", "object": "response", "status": "completed", "model": "m", "output": [
            {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
             "content": [{"type": "output_text", "text": "Sunny.", "annotations": []}]},
            {"id": "fc_1", "type": "function_call", "call_id": "c1", "name": "get_weather", "arguments": "{\"city\":\"Oslo\"}"}
        ], "usage": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}}),
        json!({"id": "cmpl_1", "object": "chat.completion", "model": "m", "choices": [{"index": 0,
            "finish_reason": "tool_calls", "message": {"role": "assistant", "content": "Sunny.", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\":\"Oslo\"}"}}]}}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}}),
        json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [
            {"type": "text", "text": "Sunny."},
            {"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Oslo"}}
        ], "stop_reason": "tool_use", "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 4}}),
    ];
    for ((name, wire), body) in MODELS.into_iter().zip(bodies) {
        let upstream = Upstream::start([Exchange::json(200, &body)]).await;
        let request = ModelRequest { delivery: Delivery::Whole, ..question() };
        let reply = ask(&model_at(name, &upstream.base_url()), request).await;
        assert_eq!(upstream.requests()[0].json()["stream"], false, "{wire:?}");
        assert_eq!(reply.message.joined_text(), "Sunny.", "{wire:?}: {reply:?}");
        let calls: Vec<_> =
            reply.runnable_calls().map(|c| (c.call_id.as_str(), c.arguments.as_str())).collect();
        assert_eq!(calls, [("c1", "{\"city\":\"Oslo\"}")], "{wire:?}");
        let usage = reply.usage.unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.total_tokens),
            (Some(9), Some(4), Some(13))
        );
        assert!(reply.warnings.is_empty(), "{wire:?}: {:?}", reply.warnings);
    }
}

#[tokio::test]
async fn a_server_that_streams_unasked_or_does_not_when_asked_is_understood() {
    let upstream = Upstream::start([Exchange::sse(script::chat(&hello()))]).await;
    let request = ModelRequest { delivery: Delivery::Whole, ..question() };
    let reply = ask(&model_at("ollama/x", &upstream.base_url()), request).await;
    assert_eq!(reply.message.joined_text(), "Hello, world");
    let whole = json!({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]});
    let upstream = Upstream::start([Exchange::json(200, &whole)]).await;
    let reply = ask(&model_at("ollama/x", &upstream.base_url()), question()).await;
    assert_eq!(reply.message.joined_text(), "Hi");
}

#[tokio::test]
async fn passing_faults_are_tried_again() {
    let busy = |status: u16| Exchange::json(status, &json!({"error": {"message": "busy"}}));
    for status in [408, 409, 429, 500, 502, 503, 504, 529] {
        check_answer(|wire| vec![busy(status), Exchange::sse(stream_of(wire, &hello()))], 2).await;
    }
    check_failure(|_| vec![busy(500), busy(500), busy(500)], K::Server, 3).await;
    check_failure(|_| vec![busy(529), busy(529), busy(529)], K::Overloaded, 3).await;
    check_failure(|_| vec![busy(429), busy(429), busy(429)], K::RateLimited, 3).await;
}

#[tokio::test]
async fn lasting_faults_are_not() {
    let refuse = |status: u16, code: &str| {
        vec![Exchange::json(status, &json!({"error": {"code": code, "message": "no"}}))]
    };
    check_failure(|_| refuse(401, "invalid_api_key"), K::Unauthorized, 1).await;
    check_failure(|_| refuse(403, ""), K::Forbidden, 1).await;
    check_failure(|_| refuse(404, "model_not_found"), K::ModelNotFound, 1).await;
    check_failure(|_| refuse(400, "context_length_exceeded"), K::ContextTooLong, 1).await;
    check_failure(|_| refuse(429, "insufficient_quota"), K::QuotaExhausted, 1).await;
    check_failure(|_| refuse(402, ""), K::QuotaExhausted, 1).await;
    let advised = || vec![Exchange::json(500, &json!({})).header("x-should-retry", "false")];
    check_failure(|_| advised(), K::Server, 1).await;
}

#[tokio::test]
async fn retry_after_is_obeyed() {
    let wait = [("retry-after-ms", "300".to_owned()), ("retry-after", "1".to_owned())];
    for (header, value) in wait {
        let busy =
            Exchange::json(429, &json!({"error": {"code": "rate_limit_exceeded"}})).header(header, &value);
        let upstream = Upstream::start([busy, Exchange::sse(script::chat(&hello()))]).await;
        let begun = Instant::now();
        let model = model_at("ollama/x", &upstream.base_url());
        let events: Vec<ModelEvent> = model.stream(Arc::new(question())).collect().await;
        let asked = if header == "retry-after" { 1000 } else { 300 };
        assert!(begun.elapsed() >= Duration::from_millis(asked), "{header}: {:?}", begun.elapsed());
        let pauses: Vec<u128> = events
            .iter()
            .filter_map(|event| match event {
                ModelEvent::Retrying { after, .. } => Some(after.as_millis()),
                _ => None,
            })
            .collect();
        assert!(matches!(pauses.as_slice(), [pause] if *pause >= u128::from(asked)), "{pauses:?}");
    }
    // A wait beyond all patience is given to the caller instead.
    let busy = Exchange::json(429, &json!({"error": {}})).header("retry-after", "3600");
    let upstream = Upstream::start([busy]).await;
    let reply = ask(&model_at("ollama/x", &upstream.base_url()), question()).await;
    assert_eq!(reply.error().unwrap().retry_after, Some(Duration::from_hours(1)));
}

#[tokio::test]
async fn silence_ends_within_its_limit() {
    let begun = Instant::now();
    let transport = Transport::new(impatient(), Retry::none()).unwrap();
    for (name, wire) in MODELS {
        let never = Upstream::start([Exchange::sse("").late(Duration::from_mins(1))]).await;
        let reply = ask(&model_with(name, &never.base_url(), "sk-0123456789", &transport), question()).await;
        assert_eq!(reply.error().unwrap().kind, K::TimedOut(Phase::FirstByte), "{wire:?}");
        let silent = Upstream::start([Exchange::sse("").hang()]).await;
        let reply = ask(&model_with(name, &silent.base_url(), "sk-0123456789", &transport), question()).await;
        assert_eq!(reply.error().unwrap().kind, K::TimedOut(Phase::Idle), "{wire:?}");
        let body = stream_of(wire, &hello());
        let stalls = Upstream::start([Exchange::sse(&body.as_bytes()[..body.len() / 2]).hang()]).await;
        let reply = ask(&model_with(name, &stalls.base_url(), "sk-0123456789", &transport), question()).await;
        assert_eq!(reply.error().unwrap().kind, K::TimedOut(Phase::Idle), "{wire:?}");
        assert!("Hello, world".starts_with(&reply.message.joined_text()) && !reply.message.blocks.is_empty());
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn comments_are_signs_of_life_but_not_for_ever() {
    let timeouts = tata_llm::Timeouts { idle: Duration::from_secs(2), ..patient().0 };
    let transport = Transport::new(timeouts, Retry::none()).unwrap();
    let alive = Exchange::sse("").drip(": still here\n\n".repeat(12), 14, Duration::from_millis(200));
    let upstream = Upstream::start([alive.bytes(script::chat(&hello()))]).await;
    let reply = ask(&model_with("ollama/x", &upstream.base_url(), "k", &transport), question()).await;
    assert_eq!(reply.message.joined_text(), "Hello, world", "2.4 s of comments outlast an idle limit of 2 s");

    let timeouts = tata_llm::Timeouts { total: Duration::from_millis(900), ..timeouts };
    let transport = Transport::new(timeouts, Retry::default()).unwrap();
    let forever = Exchange::sse("").drip(": still here\n\n".repeat(100), 14, Duration::from_millis(100));
    let upstream = Upstream::start([forever]).await;
    let reply = ask(&model_with("ollama/x", &upstream.base_url(), "k", &transport), question()).await;
    assert_eq!(reply.error().unwrap().kind, K::TimedOut(Phase::Total));
}

#[tokio::test]
async fn a_cut_answer_is_truncated_and_runs_nothing() {
    let turn = Turn::text(&["Let me look."]).call("c1", "get_weather", &["{\"city\":", "\"Oslo\"}"]);
    for (name, wire) in MODELS {
        let body = stream_of(wire, &turn);
        for framing in [Framing::Close, Framing::Chunked] {
            for part in [3, 5, 6, 7] {
                let end = body.len() * part / 10;
                let exchange = Exchange::sse(&body.as_bytes()[..end]).framing(framing).cut();
                let upstream = Upstream::start(vec![exchange; 3]).await;
                let request = ModelRequest { tools: vec![weather_tool()].into(), ..question() };
                let reply = ask(&model_at(name, &upstream.base_url()), request).await;
                assert!(
                    matches!(reply.outcome, Outcome::Truncated(_)),
                    "{wire:?} at {part}/10: {:?}",
                    reply.outcome
                );
                assert_eq!(reply.error().unwrap().kind, K::StreamTruncated);
                assert!(reply.runnable_calls().next().is_none());
                let sent = upstream.requests().len();
                let shown = !reply.message.blocks.is_empty();
                assert_eq!(
                    sent,
                    if shown { 1 } else { 3 },
                    "{wire:?} at {part}/10: repeated only if nothing was shown"
                );
            }
        }
    }
}

#[tokio::test]
async fn errors_inside_a_good_status_are_errors() {
    let overloaded = |wire: Wire| match wire {
        Wire::Responses => {
            "event: error\ndata: {\"type\":\"error\",\"code\":\"server_is_overloaded\",\"message\":\"m\"}\n\n"
        }
        Wire::Chat => "data: {\"error\":{\"message\":\"m\",\"code\":503}}\n\n",
        Wire::Messages => {
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}\n\n"
        }
    };
    // Held open after the error: nobody waits for the end.
    check_failure(|wire| vec![Exchange::sse(overloaded(wire)).hang(); 3], K::Overloaded, 3).await;
    check_answer(|wire| vec![Exchange::sse(overloaded(wire)), Exchange::sse(stream_of(wire, &hello()))], 2)
        .await;
}

#[tokio::test]
async fn what_is_not_the_api_is_recognised() {
    let page = Exchange::status(200).header("content-type", "text/html").bytes("<html>Sign in</html>");
    check_failure(|_| vec![page.clone()], K::UnreadableResponse, 1).await;
    let garbage = Exchange::status(200).header("content-type", "application/json").bytes("not json");
    check_failure(|_| vec![garbage.clone()], K::UnreadableResponse, 1).await;
    let moved = Exchange::status(302).header("location", "http://127.0.0.1:1/elsewhere");
    check_failure(|_| vec![moved.clone()], K::UnreadableResponse, 1).await;
    let nothing = || Exchange::status(404).bytes("nothing here");
    // A configured server without Responses may have Chat Completions: that is one more question, and the last.
    for (wire, reply, sent) in on_every_wire(|_| vec![nothing(), nothing()]).await {
        assert_eq!(reply.error().unwrap().kind, K::UnreadableResponse, "{wire:?}");
        assert_eq!(sent, if wire == Wire::Responses { 2 } else { 1 }, "{wire:?}");
    }
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    for (name, wire) in MODELS {
        let reply = ask(&model_at(name, "http://127.0.0.1:9/v1"), question()).await;
        assert_eq!(reply.error().unwrap().kind, K::Unreachable, "{wire:?}");
    }
}

#[tokio::test]
async fn an_event_over_the_limit_is_refused() {
    let (timeouts, retry) = patient();
    let transport = Transport::new(timeouts, retry).unwrap().with_event_limit(10_000);
    for (name, wire) in MODELS {
        let huge = format!("data: {{\"x\":\"{}\"}}\n\n", "y".repeat(20_000));
        let upstream = Upstream::start([Exchange::sse(huge)]).await;
        let reply = ask(&model_with(name, &upstream.base_url(), "k", &transport), question()).await;
        assert_eq!(reply.error().unwrap().kind, K::EventTooLarge, "{wire:?}");
    }
}

#[tokio::test]
async fn a_refused_optional_field_is_left_out_once() {
    let refuse = |param: &str| {
        Exchange::json(
            400,
            &json!({"error": {"code": "unsupported_parameter", "param": param, "message": "no"}}),
        )
    };
    let request = || ModelRequest { temperature: Some(0.5), ..question() };
    let upstream = Upstream::start([refuse("temperature"), Exchange::sse(script::chat(&hello()))]).await;
    let reply = ask(&model_at("ollama/x", &upstream.base_url()), request()).await;
    assert_eq!(reply.message.joined_text(), "Hello, world");
    let bodies: Vec<_> = upstream.requests().iter().map(tata_testkit::Captured::json).collect();
    assert_eq!((bodies[0]["temperature"].as_f64(), bodies[1].get("temperature")), (Some(0.5), None));
    assert!(reply.warnings.iter().any(|w| w.code == tata_core::WireWarningCode::FieldDropped));
    // A second refusal is final, and so is one of a field that matters.
    let upstream = Upstream::start([refuse("temperature"), refuse("stream_options")]).await;
    let reply = ask(&model_at("ollama/x", &upstream.base_url()), request()).await;
    assert_eq!((reply.error().unwrap().kind, upstream.requests().len()), (K::InvalidRequest, 2));
    let upstream = Upstream::start([refuse("messages")]).await;
    let reply = ask(&model_at("ollama/x", &upstream.base_url()), request()).await;
    assert_eq!((reply.error().unwrap().param.as_deref(), upstream.requests().len()), (Some("messages"), 1));
}

#[tokio::test]
async fn an_answer_that_used_its_whole_cap_runs_nothing() {
    let mut turn = Turn::text(&[]).call("c1", "get_weather", &["{\"city\":\"Oslo\"}"]);
    turn.tokens = (20, 64);
    for (name, wire) in MODELS {
        for (cap, runnable) in [(64, 0), (65, 1)] {
            let upstream = Upstream::start([Exchange::sse(stream_of(wire, &turn))]).await;
            let request = ModelRequest { max_output_tokens: Some(cap), ..question() };
            let reply = ask(&model_at(name, &upstream.base_url()), request).await;
            assert_eq!(reply.runnable_calls().count(), runnable, "{wire:?} with a cap of {cap}");
        }
    }
}

#[tokio::test]
async fn the_request_id_is_kept() {
    let upstream = Upstream::start([
        Exchange::sse(script::chat(&hello())).header("x-request-id", "req_1"),
        Exchange::json(400, &json!({"error": {"message": "no"}})).header("x-request-id", "req_2"),
    ])
    .await;
    let model = model_at("ollama/x", &upstream.base_url());
    assert_eq!(ask(&model, question()).await.request_id.as_deref(), Some("req_1"));
    let failed = ask(&model, question()).await;
    assert_eq!(failed.error().unwrap().request_id.as_deref(), Some("req_2"));
}

#[tokio::test]
async fn dropping_the_stream_stops_the_request() {
    let upstream = Upstream::start([Exchange::sse(script::chat(&hello())).hang()]).await;
    let model = model_at("ollama/x", &upstream.base_url());
    let mut stream = model.stream(Arc::new(question()));
    while let Some(event) = stream.next().await {
        if matches!(event, ModelEvent::TextDelta { .. }) {
            break;
        }
    }
    drop(stream);
    assert_eq!(upstream.requests().len(), 1);
}

#[tokio::test]
async fn calls_and_results_are_counted() {
    let turn = Turn::text(&[]).call("c1", "get_weather", &["{}"]);
    let upstream = Upstream::start([
        Exchange::sse(script::responses(&turn)),
        Exchange::sse(script::responses(&hello())),
    ])
    .await;
    let transport = crate::support::transport();
    let model = model_with("gpt-6-sol", &upstream.base_url(), "k", &transport);
    let mut request = question();
    let reply = ask(&model, request.clone()).await;
    let call = reply.message.tool_calls().next().unwrap().clone();
    request.messages.push(reply.message);
    let stray = tata_core::ToolCall::function("nobody", "t", "{}");
    request.messages.push(tata_core::Message::tool_results([
        tata_core::ToolResult::text(&call, "sunny"),
        tata_core::ToolResult::text(&stray, "lost"),
    ]));
    ask(&model, request).await;
    let counts = transport.metrics().counts();
    assert_eq!((counts.requests, counts.call_ids_extracted, counts.call_id_fallbacks), (2, 1, 0));
    assert_eq!((counts.results_correlated, counts.results_uncorrelated), (1, 1));
    let sent = upstream.requests()[1].json();
    let outputs: Vec<_> =
        sent["input"].as_array().unwrap().iter().filter(|i| i["type"] == "function_call_output").collect();
    assert_eq!((outputs.len(), outputs[0]["call_id"].as_str()), (1, Some("c1")));
}
