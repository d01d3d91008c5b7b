//! Servers that answer in their own way: what is shown is what is recorded, a hole is told, a limit is named, nothing is
//! asked more often than it may be.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{
    Model, ModelErrorKind as K, ModelEvent, Origin, Outcome, Phase, Reply, StopReason, WireWarningCode,
};
use tata_llm::{ReplyReader, Retry, Timeouts, Transport, Wire};
use tata_testkit::{
    Exchange, Framing, Upstream,
    script::{self, Turn},
};

use crate::support::{MODELS, ask, model_at, model_with, patient, question, stream_of, weather_tool};

/// The text as a listener has it in the end.
pub(crate) fn shown(events: &[ModelEvent]) -> String {
    let mut shown = String::new();
    for event in events {
        match event {
            ModelEvent::TextDelta { text, .. } | ModelEvent::RefusalDelta { text, .. } => {
                shown.push_str(text);
            }
            ModelEvent::TextRevoked => shown.clear(),
            _ => {}
        }
    }
    shown
}

fn pieces(events: &[ModelEvent]) -> usize {
    events.iter().filter(|event| matches!(event, ModelEvent::TextDelta { .. })).count()
}

fn reader(wire: Wire, cap: Option<u64>) -> ReplyReader {
    ReplyReader::new(wire, Origin::new("test", wire.as_str()), cap, ReplyReader::EVENT_LIMIT)
}

fn read(wire: Wire, body: &str) -> (Vec<ModelEvent>, Reply) {
    let mut reader = reader(wire, None);
    reader.push(body.as_bytes()).unwrap();
    let mut events: Vec<ModelEvent> = reader.events().collect();
    let (last, reply) = reader.finish(None);
    events.extend(last);
    (events, reply)
}

/// Everything that a model says, and the reply at its end.
async fn hear(model: &dyn Model) -> (Vec<ModelEvent>, Reply) {
    let mut events: Vec<ModelEvent> = model.stream(Arc::new(question())).collect().await;
    let Some(ModelEvent::Finished(reply)) = events.pop() else { panic!("not finished: {events:?}") };
    (events, *reply)
}

fn event(kind: &str, mut fields: Value) -> String {
    fields["type"] = json!(kind);
    format!("event: {kind}\ndata: {fields}\n\n")
}

/// A Responses answer whose text stands only where `places` say.
fn responses_with(places: &[&str]) -> String {
    let has = |place: &str| places.contains(&place);
    let text = |place: &str| if has(place) { "Hello, world" } else { "" };
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
    let item = |text: &str| {
        let content = if text.is_empty() { json!([]) } else { json!([part(text)]) };
        json!({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content})
    };
    let place = json!({"item_id": "msg_1", "output_index": 0, "content_index": 0});
    let at = |fields: Value| {
        let mut all = place.clone();
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    let mut out = event("response.created", json!({"response": {"id": "resp_1", "model": "m"}}));
    out += &event("response.output_item.added", json!({"output_index": 0, "item": item("")}));
    if has("delta") {
        for piece in ["Hel", "lo, ", "world"] {
            out += &event("response.output_text.delta", at(json!({"delta": piece})));
        }
    }
    if has("lossy delta") {
        for piece in ["Hel", "world"] {
            out += &event("response.output_text.delta", at(json!({"delta": piece})));
        }
    }
    if has("text.done") {
        out += &event("response.output_text.done", at(json!({"text": text("text.done")})));
    }
    out += &event("response.output_item.done", json!({"output_index": 0, "item": item(text("item.done"))}));
    let output = if has("completed") { json!([item("Hello, world")]) } else { json!([]) };
    let end = json!({"id": "resp_1", "status": "completed", "output": output,
        "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}});
    out + &event("response.completed", json!({"response": end}))
}

#[test]
fn responses_text_that_does_not_come_as_deltas_is_shown() {
    for places in [
        &["text.done"][..],
        &["item.done"],
        &["text.done", "item.done"],
        &["text.done", "item.done", "completed"],
        &["delta"],
        &["delta", "text.done", "item.done", "completed"],
        &["item.done", "completed"],
    ] {
        let (events, reply) = read(Wire::Responses, &responses_with(places));
        assert_eq!(reply.message.joined_text(), "Hello, world", "{places:?}");
        assert_eq!(shown(&events), "Hello, world", "{places:?}");
        assert!(!events.iter().any(|event| matches!(event, ModelEvent::TextRevoked)), "once: {places:?}");
    }
}

#[test]
fn responses_text_only_in_the_completed_event_is_shown() {
    let body = event(
        "response.completed",
        json!({"response": {"id": "resp_1", "status": "completed", "output": [
            {"id": "msg_1", "type": "message", "role": "assistant",
             "content": [{"type": "output_text", "text": "Hello, ", "annotations": []},
                         {"type": "output_text", "text": "world", "annotations": []}]}
        ]}}),
    );
    let (events, reply) = read(Wire::Responses, &body);
    assert_eq!(
        (shown(&events).as_str(), reply.message.joined_text().as_str()),
        ("Hello, world", "Hello, world")
    );
    assert_eq!(pieces(&events), 2, "each part once");
}

#[test]
fn after_a_lost_delta_the_screen_ends_up_equal_to_the_record() {
    for places in [&["lossy delta", "text.done"][..], &["lossy delta", "item.done"]] {
        let (events, reply) = read(Wire::Responses, &responses_with(places));
        assert_eq!(reply.message.joined_text(), "Hello, world", "{places:?}");
        assert_eq!(shown(&events), "Hello, world", "{places:?}");
        let revoked = events.iter().filter(|event| matches!(event, ModelEvent::TextRevoked)).count();
        assert_eq!(revoked, 1, "what was shown is taken back, once: {places:?}");
    }
    // A lost end is only added.
    let body = responses_with(&["delta", "item.done"]).replacen("\"delta\":\"world\"", "\"delta\":\"\"", 1);
    let (events, _) = read(Wire::Responses, &body);
    assert_eq!(shown(&events), "Hello, world");
    assert!(!events.iter().any(|event| matches!(event, ModelEvent::TextRevoked)));
}

#[tokio::test]
async fn a_server_that_ignores_stream_true_is_shown_on_every_wire() {
    let bodies = [
        json!({"id": "r", "object": "response", "status": "completed", "output": [{"type": "message", "id": "m",
            "role": "assistant", "content": [{"type": "output_text", "text": "Sunny."}]}]}),
        json!({"id": "c", "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": "Sunny."}}]}),
        json!({"id": "m", "type": "message", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "Sunny."}], "usage": {"input_tokens": 1, "output_tokens": 1}}),
    ];
    for ((name, wire), body) in MODELS.into_iter().zip(bodies) {
        let upstream = Upstream::start([Exchange::json(200, &body)]).await;
        let (events, reply) = hear(&model_at(name, &upstream.base_url())).await;
        assert_eq!((shown(&events).as_str(), pieces(&events)), ("Sunny.", 1), "{wire:?}");
        assert_eq!(reply.message.joined_text(), "Sunny.", "{wire:?}");
    }
}

#[test]
fn chat_a_whole_message_in_the_last_chunk_is_shown_once() {
    let chunk = |choice: Value| format!("data: {}\n\n", json!({"id": "c", "choices": [choice]}));
    let delta = |text: &str| chunk(json!({"index": 0, "delta": {"content": text}}));
    let end = |text: &str| {
        chunk(
            json!({"index": 0, "delta": {}, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}),
        )
    };
    let done = "data: [DONE]\n\n";
    for (body, revoked) in [
        (end("Hello") + done, 0),
        (delta("Hel") + &delta("lo") + &end("Hello") + done, 0),
        (delta("Hel") + &end("Hello") + done, 0),
        (delta("lo") + &end("Hello") + done, 1),
    ] {
        let (events, reply) = read(Wire::Chat, &body);
        assert_eq!(
            (shown(&events).as_str(), reply.message.joined_text().as_str()),
            ("Hello", "Hello"),
            "{body}"
        );
        let count = events.iter().filter(|event| matches!(event, ModelEvent::TextRevoked)).count();
        assert_eq!(count, revoked, "{body}");
    }
    // Calls that came in pieces are not made again by the whole message.
    let call =
        json!([{"index": 0, "id": "a", "type": "function", "function": {"name": "t", "arguments": "{}"}}]);
    let body = chunk(json!({"index": 0, "delta": {"tool_calls": call}}))
        + &chunk(json!({"index": 0, "message": {"tool_calls": call}, "finish_reason": "tool_calls"}))
        + done;
    assert_eq!(read(Wire::Chat, &body).1.runnable_calls().count(), 1);
}

#[test]
fn warnings_raised_at_the_end_of_a_stream_reach_the_events() {
    // No usage, no end mark: both are seen only when it is over.
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let (events, reply) = read(Wire::Chat, body);
    let told: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            ModelEvent::Warning(warning) => Some(warning.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(told, reply.warnings);
    assert!(told.iter().any(|warning| warning.code == WireWarningCode::MissingUsage), "{told:?}");
    assert!(told.iter().any(|warning| warning.code == WireWarningCode::MissingDoneSentinel), "{told:?}");
}

#[test]
fn a_malformed_event_leaves_a_hole_that_is_counted() {
    let turn = Turn::text(&["one ", "two ", "three"]);
    for wire in [Wire::Chat, Wire::Messages] {
        let body = stream_of(wire, &turn);
        let at = body.find("two").unwrap();
        let mut broken = body.clone();
        broken.replace_range(at..=at, "\"");
        let (events, reply) = read(wire, &broken);
        assert!(matches!(reply.outcome, Outcome::Complete), "{wire:?}: {:?}", reply.outcome);
        assert_eq!(reply.lost_events, 1, "{wire:?}");
        assert_eq!(shown(&events), reply.message.spoken(), "{wire:?}");
        assert_eq!(read(wire, &body).1.lost_events, 0, "{wire:?}");
    }
    // Where the whole text comes again at its end, nothing is lost.
    let broken = |places: &[&str]| responses_with(places).replacen("\"delta\":\"lo, \"", "\"delta\":\"lo", 1);
    assert_eq!(read(Wire::Responses, &broken(&["delta", "item.done"])).1.lost_events, 0);
    let (events, reply) = read(Wire::Responses, &broken(&["delta"]));
    assert_eq!((reply.lost_events, shown(&events).as_str()), (1, "Helworld"));
}

#[tokio::test]
async fn retry_most_is_the_number_of_repetitions_whatever_breaks() {
    let hello = Turn::text(&["Hello", ", ", "world"]);
    for most in [0, 1, 2] {
        let (timeouts, retry) = patient();
        let transport = Transport::new(timeouts, Retry { most, ..retry }).unwrap();
        for (name, wire) in MODELS {
            let body = stream_of(wire, &hello);
            let opening = body.find("Hello").map_or(0, |at| body[..at].rfind("\n\n").map_or(0, |at| at + 2));
            let faults = [
                ("before any byte", Exchange::sse("").cut()),
                (
                    "before any text",
                    Exchange::sse(&body.as_bytes()[..opening]).framing(Framing::Chunked).cut(),
                ),
                ("a server's fault", Exchange::json(500, &json!({}))),
            ];
            for (what, fault) in faults {
                let upstream = Upstream::start(vec![fault; 9]).await;
                let reply = ask(&model_with(name, &upstream.base_url(), "k", &transport), question()).await;
                assert!(reply.error().is_some(), "{wire:?} {what}");
                let sent = u32::try_from(upstream.requests().len()).unwrap();
                assert_eq!(
                    (sent, reply.attempts, reply.attempts_left),
                    (most + 1, most + 1, 0),
                    "{wire:?} {what}"
                );
            }
            // What was sent before counts as well, and nothing is repeated once something was shown.
            let upstream = Upstream::start(vec![Exchange::json(500, &json!({})); 9]).await;
            let request = tata_core::ModelRequest { sent_before: 1, ..question() };
            ask(&model_with(name, &upstream.base_url(), "k", &transport), request).await;
            assert_eq!(upstream.requests().len(), usize::try_from(most.max(1)).unwrap(), "{wire:?}");
            let half = body.find("world").unwrap();
            let upstream = Upstream::start([Exchange::sse(&body.as_bytes()[..half]).cut()]).await;
            let reply = ask(&model_with(name, &upstream.base_url(), "k", &transport), question()).await;
            assert_eq!((upstream.requests().len(), reply.attempts_left), (1, most), "{wire:?}");
        }
    }
}

#[tokio::test]
async fn a_complete_stream_in_the_wrong_dialect_is_recognised_and_not_asked_again() {
    let hello = Turn::text(&["Hello", ", ", "world"]);
    for (name, asked) in MODELS {
        for spoken in [Wire::Responses, Wire::Chat, Wire::Messages].into_iter().filter(|wire| *wire != asked)
        {
            let upstream = Upstream::start(vec![Exchange::sse(stream_of(spoken, &hello)); 9]).await;
            let reply = ask(&model_at(name, &upstream.base_url()), question()).await;
            let error = reply.error().unwrap_or_else(|| panic!("{asked:?} read {spoken:?}: {reply:?}"));
            assert_eq!(
                (error.kind, upstream.requests().len()),
                (K::UnreadableResponse, 1),
                "{asked:?} {spoken:?}"
            );
            let hint = error.detail.clone().unwrap_or_default();
            assert!(hint.contains(&format!("wire: {}", spoken.as_str())), "{hint}");
            assert_eq!(error.message, None, "our words are not the provider's");
        }
    }
    // The same for an answer in one piece.
    let body = json!({"id": "c", "object": "chat.completion", "choices": [{"message": {"content": "Hi"}}]});
    let upstream = Upstream::start([Exchange::json(200, &body)]).await;
    let reply = ask(&model_at("gpt-6-sol", &upstream.base_url()), question()).await;
    assert!(reply.error().unwrap().detail.as_deref().unwrap_or_default().contains("wire: chat"));
}

#[tokio::test]
async fn quota_inside_a_429_of_a_gateway_is_asked_once() {
    let inside = "litellm.RateLimitError: OpenAIException - {\"error\":{\"type\":\"insufficient_quota\"}}";
    let body =
        json!({"error": {"message": inside, "type": "rate_limit_error", "param": null, "code": "429"}});
    for (name, wire) in MODELS {
        let upstream = Upstream::start(vec![Exchange::json(429, &body); 3]).await;
        let reply = ask(&model_at(name, &upstream.base_url()), question()).await;
        assert_eq!(
            (reply.error().unwrap().kind, upstream.requests().len()),
            (K::QuotaExhausted, 1),
            "{wire:?}"
        );
    }
}

#[tokio::test]
async fn headers_at_once_and_a_body_later_name_the_limit_that_ran_out() {
    let short = Duration::from_millis(300);
    let first = Timeouts { first_byte: short, idle: Duration::from_secs(20), ..patient().0 };
    let idle = Timeouts { first_byte: Duration::from_secs(20), idle: short, ..patient().0 };
    for (name, wire) in MODELS {
        // The body takes longer than `first_byte`: the headers were the first byte.
        let transport = Transport::new(first, Retry::none()).unwrap();
        let body = stream_of(wire, &Turn::text(&["Hello"]));
        let upstream = Upstream::start([Exchange::sse("").pause(short * 2).bytes(body)]).await;
        let reply = ask(&model_with(name, &upstream.base_url(), "k", &transport), question()).await;
        assert_eq!(reply.message.joined_text(), "Hello", "{wire:?}: {:?}", reply.outcome);
        let silent = Upstream::start([Exchange::sse("").late(Duration::from_mins(1))]).await;
        let reply = ask(&model_with(name, &silent.base_url(), "k", &transport), question()).await;
        let error = reply.error().unwrap();
        assert_eq!(error.kind, K::TimedOut(Phase::FirstByte), "{wire:?}");
        let words = error.detail.clone().unwrap_or_default();
        assert!(
            words.contains("0.3 s") && words.contains("first_byte") && words.contains("--timeout"),
            "{words}"
        );
        let transport = Transport::new(idle, Retry::none()).unwrap();
        let silent = Upstream::start([Exchange::sse("").hang()]).await;
        let reply = ask(&model_with(name, &silent.base_url(), "k", &transport), question()).await;
        let error = reply.error().unwrap();
        assert_eq!(error.kind, K::TimedOut(Phase::Idle), "{wire:?}");
        let words = error.detail.clone().unwrap_or_default();
        assert!(words.contains("0.3 s") && words.contains("`idle`"), "{words}");
    }
}

#[tokio::test]
async fn a_stall_costs_the_idle_limit_once() {
    let idle = Timeouts { idle: Duration::from_millis(300), ..patient().0 };
    let transport = Transport::new(idle, patient().1).unwrap();
    for (name, wire) in MODELS {
        let body = stream_of(wire, &Turn::text(&["Hello", ", ", "world"]));
        for part in [0, body.len() / 2] {
            let upstream = Upstream::start(vec![Exchange::sse(&body.as_bytes()[..part]).hang(); 3]).await;
            let reply = ask(&model_with(name, &upstream.base_url(), "k", &transport), question()).await;
            assert_eq!(reply.error().unwrap().kind, K::TimedOut(Phase::Idle), "{wire:?}");
            assert_eq!(upstream.requests().len(), 1, "{wire:?} after {part} bytes");
        }
    }
}

#[test]
fn a_runaway_answer_is_ended_at_its_cap_and_what_came_is_kept() {
    const CAP: u64 = 100;
    let most = 100 * 16 + 64 * 1024;
    let piece = "word ".repeat(200);
    let text: Vec<&str> = vec![&piece; 500];
    for wire in [Wire::Responses, Wire::Chat, Wire::Messages] {
        let body = stream_of(wire, &Turn::text(&text));
        let mut reader = reader(wire, Some(CAP));
        let mut events = Vec::new();
        for bytes in body.as_bytes().chunks(16 * 1024) {
            reader.push(bytes).unwrap();
            events.extend(reader.events());
            if reader.is_done() {
                break;
            }
        }
        assert!(reader.is_done(), "{wire:?}: nobody reads on");
        let (last, reply) = reader.finish(None);
        events.extend(last);
        let said = reply.message.spoken();
        assert_eq!(said.len(), most, "{wire:?}");
        assert_eq!(shown(&events), said, "{wire:?}");
        assert!(matches!(reply.outcome, Outcome::Incomplete), "{wire:?}: {:?}", reply.outcome);
        assert_eq!(reply.stop.unwrap().reason, StopReason::MaxTokens, "{wire:?}");
        assert!(
            reply.warnings.iter().any(|warning| warning.code == WireWarningCode::AnswerTooLong),
            "{wire:?}"
        );
    }
}

#[test]
fn a_runaway_of_arguments_of_reasoning_or_of_calls_is_ended_as_well() {
    let long = format!("{{\"x\":\"{}\"}}", "y".repeat(200_000));
    for wire in [Wire::Responses, Wire::Chat, Wire::Messages] {
        let many = (0..5_000).fold(Turn::text(&[]), |turn, at| turn.call(&format!("c{at}"), "t", &["{}"]));
        for turn in [Turn::text(&[]).call("c", "get_weather", &[&long]), many] {
            let mut reader = reader(wire, Some(100));
            reader.push(stream_of(wire, &turn).as_bytes()).unwrap();
            let (_, reply) = reader.finish(None);
            assert!(matches!(reply.outcome, Outcome::Incomplete), "{wire:?}: {:?}", reply.outcome);
            assert_eq!(reply.runnable_calls().count(), 0, "{wire:?}");
            let bytes: usize = reply.message.tool_calls().map(|call| call.arguments.len() + 64).sum();
            assert!(bytes <= 100 * 16 + 64 * 1024 + 64, "{wire:?}: {bytes}");
        }
    }
    let thought =
        format!("data: {}\n\n", json!({"choices": [{"delta": {"reasoning": "z".repeat(200_000)}}]}));
    let mut reader = reader(Wire::Chat, Some(100));
    reader.push(thought.as_bytes()).unwrap();
    assert!(reader.is_done());
}

#[tokio::test]
async fn a_runaway_answer_closes_the_connection() {
    let piece = "word ".repeat(2_000);
    let text: Vec<&str> = vec![&piece; 100];
    for (name, wire) in MODELS {
        let body = stream_of(wire, &Turn::text(&text));
        let upstream = Upstream::start([Exchange::sse(&body.as_bytes()[..body.len() * 3 / 4]).hang()]).await;
        let request = tata_core::ModelRequest { max_output_tokens: Some(200), ..question() };
        let reply = ask(&model_at(name, &upstream.base_url()), request).await;
        assert!(matches!(reply.outcome, Outcome::Incomplete), "{wire:?}: {:?}", reply.outcome);
        assert!(reply.message.spoken().len() <= 200 * 16 + 64 * 1024, "{wire:?}");
    }
}

#[tokio::test]
async fn a_chat_only_server_behind_a_configured_address_is_recognised() {
    let hello = || Exchange::sse(script::chat(&Turn::text(&["Hello"])));
    let lacking = [
        Exchange::json(404, &json!({"detail": "Not Found"})),
        Exchange::json(
            404,
            &json!({"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}),
        ),
        Exchange::status(404).header("content-type", "text/html").bytes("Cannot POST /v1/responses"),
        Exchange::json(405, &json!({"detail": "Method Not Allowed"})),
        Exchange::status(501),
        Exchange::json(
            200,
            &json!({"error": "Unexpected endpoint or method. (POST /v1/responses). Returning 200 anyway"}),
        ),
    ];
    for fault in lacking {
        let upstream = Upstream::start([fault, hello(), hello()]).await;
        let request = || tata_core::ModelRequest {
            tools: vec![weather_tool()].into(),
            max_output_tokens: Some(50),
            ..question()
        };
        let reply = ask(&model_at("gpt-6-sol", &upstream.base_url()), request()).await;
        assert_eq!(reply.message.joined_text(), "Hello", "{:?}", reply.outcome);
        assert!(reply.warnings.iter().any(|warning| warning.code == WireWarningCode::WireChanged));
        // Remembered: another model of the same address does not ask in vain.
        let reply = ask(&model_at("gpt-6-sol", &upstream.base_url()), request()).await;
        assert_eq!(reply.message.joined_text(), "Hello");
        assert!(!reply.warnings.iter().any(|warning| warning.code == WireWarningCode::WireChanged));
        let sent = upstream.requests();
        let targets: Vec<&str> = sent.iter().map(|request| request.target.as_str()).collect();
        assert_eq!(targets, ["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]);
        let body = sent[1].json();
        assert_eq!(
            (body["max_tokens"].as_u64(), body["tools"].as_array().unwrap().len()),
            (Some(50), 1),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_server_with_neither_path_is_named_with_the_way_out() {
    let missing = || Exchange::json(404, &json!({"detail": "Not Found"}));
    let upstream = Upstream::start([missing(), missing()]).await;
    let reply = ask(&model_at("gpt-6-sol", &upstream.base_url()), question()).await;
    let error = reply.error().unwrap();
    assert_eq!((error.kind, error.status, upstream.requests().len()), (K::UnreadableResponse, Some(404), 2));
    let hint = error.detail.clone().unwrap_or_default();
    assert!(
        hint.contains("/responses") && hint.contains("wire: chat") && hint.contains("base URL"),
        "{hint}"
    );
    // A model that is not there is no missing path.
    let unknown = Exchange::json(404, &json!({"error": {"message": "The model `x` does not exist"}}));
    let upstream = Upstream::start([unknown]).await;
    let reply = ask(&model_at("gpt-6-sol", &upstream.base_url()), question()).await;
    assert_eq!((reply.error().unwrap().kind, upstream.requests().len()), (K::ModelNotFound, 1));
    // What is wrong on the other path is told as it is.
    let refused = Exchange::json(401, &json!({"error": {"code": "invalid_api_key"}}));
    let upstream = Upstream::start([missing(), refused]).await;
    let reply = ask(&model_at("gpt-6-sol", &upstream.base_url()), question()).await;
    assert_eq!(reply.error().unwrap().kind, K::Unauthorized);
}
