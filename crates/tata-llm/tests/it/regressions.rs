//! Bugs that were once there, each with the smallest input that showed it.

use serde_json::{Value, json};
use tata_core::{
    Block, Message, ModelErrorKind, ModelRequest, Origin, Outcome, Reasoning, Reply, Role, ToolCall,
    ToolResult, WireWarningCode,
};
use tata_llm::{ReplyReader, Wire, encode_request};
use tata_testkit::{Exchange, Upstream, script};

use crate::support::{ask, model_at, question, resolve};

/// Reads events given as JSON, with matching event lines unless `bare`.
fn read(wire: Wire, events: &[Value], bare: bool) -> Reply {
    let mut reader =
        ReplyReader::new(wire, Origin::new("test", wire.as_str()), None, ReplyReader::EVENT_LIMIT);
    for event in events {
        let name = event["type"].as_str().filter(|_| !bare).map(|name| format!("event: {name}\n"));
        reader.push(format!("{}data: {event}\n\n", name.unwrap_or_default()).as_bytes()).unwrap();
    }
    reader.finish(None).1
}

fn calls(reply: &Reply) -> Vec<(&str, &str)> {
    reply.runnable_calls().map(|call| (call.call_id.as_str(), call.arguments.as_str())).collect()
}

fn added(index: u64, id: &str, call: &str) -> Value {
    json!({"type": "response.output_item.added", "output_index": index,
        "item": {"type": "function_call", "id": id, "call_id": call, "name": "f", "arguments": ""}})
}

fn done(index: u64, id: &str, call: &str, arguments: &str) -> Value {
    json!({"type": "response.output_item.done", "output_index": index,
        "item": {"type": "function_call", "id": id, "call_id": call, "name": "f", "arguments": arguments}})
}

fn delta(index: u64, id: &str, piece: &str) -> Value {
    json!({"type": "response.function_call_arguments.delta", "output_index": index, "item_id": id, "delta": piece})
}

fn completed(output: &Value) -> Value {
    json!({"type": "response.completed", "response": {"status": "completed", "output": output}})
}

#[test]
fn an_unannounced_call_does_not_take_the_slot_of_a_finished_one() {
    let reply = read(
        Wire::Responses,
        &[
            added(0, "fc_1", "call_a"),
            done(0, "fc_1", "call_a", "{\"n\":1}"),
            delta(0, "fc_2", "{\"n\":2}"),
            done(0, "fc_2", "call_b", "{\"n\":2}"),
            completed(&json!([])),
        ],
        false,
    );
    assert_eq!(calls(&reply), [("call_a", "{\"n\":1}"), ("call_b", "{\"n\":2}")]);
}

#[test]
fn two_calls_that_share_an_item_id_stay_two_calls() {
    let reply = read(
        Wire::Responses,
        &[
            added(0, "fc", "call_a"),
            added(1, "fc", "call_b"),
            done(0, "fc", "call_a", "{\"n\":1}"),
            done(1, "fc", "call_b", "{\"n\":2}"),
            completed(&json!([])),
        ],
        false,
    );
    assert_eq!(calls(&reply), [("call_a", "{\"n\":1}"), ("call_b", "{\"n\":2}")]);
}

#[test]
fn items_that_look_alike_in_the_terminal_event_are_all_kept() {
    let thought = |id: &str| json!({"type": "reasoning", "id": id, "summary": [], "encrypted_content": id});
    let call = |id: &str| json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "f", "arguments": "{}"});
    let output = json!([thought("rs_1"), call("c1"), thought("rs_2"), call("c2")]);
    let reply = read(Wire::Responses, &[completed(&output)], false);
    let thoughts =
        reply.message.blocks.iter().filter(|block| matches!(block, Block::Reasoning(Reasoning::Item { .. })));
    assert_eq!((thoughts.count(), calls(&reply).len()), (2, 2));
    // One announced at another place, one never announced.
    let announced = json!({"type": "response.output_item.done", "output_index": 1, "item": call("c1")});
    let reply = read(Wire::Responses, &[announced, completed(&json!([call("c1"), call("c2")]))], false);
    assert_eq!(calls(&reply), [("c1", "{}"), ("c2", "{}")]);
}

#[test]
fn arguments_that_came_before_their_item_are_never_lost() {
    let only_done = [delta(0, "fc_1", "{\"n\":1}"), done(0, "fc_1", "c", ""), completed(&json!([]))];
    assert_eq!(calls(&read(Wire::Responses, &only_done, false)), [("c", "{\"n\":1}")]);
    let final_first = json!({"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "fc_1",
        "arguments": "{\"n\":1}"});
    let late = [final_first, added(0, "fc_1", "c"), completed(&json!([]))];
    assert_eq!(calls(&read(Wire::Responses, &late, false)), [("c", "{\"n\":1}")]);
}

#[test]
fn one_habit_of_a_server_does_not_hide_another() {
    let mut events: Vec<Value> = vec![json!({"type": "response.output_item.added", "output_index": 0,
        "item": {"type": "message", "id": "m", "role": "assistant", "content": []}})];
    events.extend((0..200).map(|_| {
        json!({"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "x"})
    }));
    events.push(added(1, "fc_1", ""));
    events.push(completed(&json!([])));
    let codes: Vec<WireWarningCode> =
        read(Wire::Responses, &events, true).warnings.iter().map(|warning| warning.code).collect();
    assert!(
        codes.contains(&WireWarningCode::MissingCallId)
            && codes.contains(&WireWarningCode::EventNameMismatch)
    );
    assert!(codes.len() < 30, "{}", codes.len());
}

#[test]
fn a_late_id_without_an_index_belongs_to_the_open_call() {
    let chunk = |call: &Value, finish: Option<&str>| json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": finish}]});
    let reply = read(
        Wire::Chat,
        &[
            chunk(&json!({"function": {"name": "f", "arguments": ""}}), None),
            chunk(&json!({"id": "c1", "function": {"arguments": "{\"a\":1}"}}), Some("tool_calls")),
        ],
        false,
    );
    assert_eq!(calls(&reply), [("c1", "{\"a\":1}")]);
}

#[test]
fn absurd_counts_and_indices_do_not_overflow() {
    let reply = read(
        Wire::Messages,
        &[
            json!({"type": "message_start", "message": {"usage": {"input_tokens": u64::MAX, "cache_read_input_tokens": 1}}}),
            json!({"type": "content_block_start", "index": u64::MAX, "content_block": {"type": "text", "text": "a"}}),
            json!({"type": "content_block_start", "content_block": {"type": "text", "text": "b"}}),
            json!({"type": "message_stop"}),
        ],
        false,
    );
    assert_eq!(reply.message.joined_text(), "ab");
}

#[test]
fn a_list_is_not_an_event() {
    let reply =
        read(Wire::Responses, &[json!([]), json!(["response.completed"]), completed(&json!([]))], false);
    assert_eq!(reply.warnings.iter().filter(|w| w.code == WireWarningCode::MalformedEvent).count(), 2);
}

#[tokio::test]
async fn json_that_is_no_answer_is_not_an_empty_answer() {
    for name in ["gpt-6-sol", "ollama/x", "claude-sonnet-5-5"] {
        for body in [json!({"detail": "Not authenticated"}), json!({}), json!([]), json!("ok")] {
            let upstream = Upstream::start([Exchange::json(200, &body)]).await;
            let reply = ask(&model_at(name, &upstream.base_url()), question()).await;
            assert_eq!(
                reply.error().map(|error| error.kind),
                Some(ModelErrorKind::UnreadableResponse),
                "{name} {body}"
            );
        }
        let failed = json!({"error": {"code": "insufficient_quota", "message": "m"}});
        let upstream = Upstream::start([Exchange::json(200, &failed)]).await;
        let reply = ask(&model_at(name, &upstream.base_url()), question()).await;
        assert_eq!(reply.error().map(|error| error.kind), Some(ModelErrorKind::QuotaExhausted), "{name}");
    }
}

#[tokio::test]
async fn the_default_cap_of_a_wire_counts_as_a_cap() {
    let mut turn = script::Turn::text(&[]).call("c1", "f", &["{}"]);
    turn.tokens = (5, 16_000);
    let upstream = Upstream::start([Exchange::sse(script::messages(&turn))]).await;
    let reply = ask(&model_at("claude-sonnet-5-5", &upstream.base_url()), question()).await;
    assert!(matches!(reply.outcome, Outcome::Incomplete) && calls(&reply).is_empty(), "{:?}", reply.outcome);
}

/// Reasoning another account has made is refused; the same request without it goes through.
#[tokio::test]
async fn refused_reasoning_is_left_out_once() {
    let thought = Reasoning::Item {
        id: Some("rs_1".into()),
        summary: Vec::new(),
        content: Vec::new(),
        encrypted: Some("gAAA".into()),
    };
    let blocks = vec![Block::Reasoning(thought), Block::text("Hi")];
    let origin = Some(Origin::new("openai", "responses"));
    let mut request = question();
    request.messages.push(Message { role: Role::Assistant, blocks: blocks.into(), origin });
    request.messages.push(Message::user("Go on"));
    let refusal = json!({"error": {"code": "invalid_encrypted_content", "type": "invalid_request_error",
        "message": "The encrypted content could not be verified."}});
    let answer = script::responses(&script::Turn::text(&["ok"]));
    let upstream = Upstream::start([Exchange::json(400, &refusal), Exchange::sse(answer)]).await;
    let reply = ask(&model_at("gpt-6-sol", &upstream.base_url()), request).await;
    assert_eq!(reply.message.joined_text(), "ok");
    let sent: Vec<bool> = upstream.requests().iter().map(|r| r.json().to_string().contains("gAAA")).collect();
    assert_eq!(sent, [true, false]);
}

/// A refused field that was never sent, or that guards privacy, does not cause a second request.
#[tokio::test]
async fn only_what_was_sent_is_left_out() {
    for message in ["metadata is not allowed", "Items are not persisted when `store` is set to false"] {
        let upstream = Upstream::start([Exchange::json(400, &json!({"error": {"message": message}}))]).await;
        ask(&model_at("gpt-6-sol", &upstream.base_url()), question()).await;
        assert_eq!(upstream.requests().len(), 1, "{message}");
    }
    let refusal = json!({"error": {"param": "max_tokens", "message": "use max_completion_tokens"}});
    let upstream = Upstream::start([
        Exchange::json(400, &refusal),
        Exchange::sse(script::chat(&script::Turn::text(&["ok"]))),
    ])
    .await;
    let request = ModelRequest { max_output_tokens: Some(9), ..question() };
    ask(&model_at("ollama/x", &upstream.base_url()), request).await;
    let second = upstream.requests()[1].json();
    assert_eq!(
        (second.get("max_tokens"), second["max_completion_tokens"].as_u64()),
        (None, Some(9)),
        "never uncapped"
    );
}

/// A call to a tool that cannot exist, and two calls with one id, stay sendable.
#[test]
fn odd_calls_in_the_history_do_not_block_the_conversation() {
    let odd = ToolCall::function("c", "functions.get weather", "{}");
    let nameless = ToolCall::function("c", "", "{}");
    let blocks = [&odd, &nameless].map(|call| Block::ToolCall(call.clone())).to_vec();
    let request = ModelRequest {
        messages: vec![
            Message::user("q"),
            Message { role: Role::Assistant, blocks: blocks.into(), origin: None },
            Message::tool_results([ToolResult::text(&odd, "one"), ToolResult::text(&nameless, "two")]),
        ],
        ..ModelRequest::default()
    };
    let body = |name: &str| -> Value {
        let (spec, provider) = resolve(name);
        serde_json::from_slice(&encode_request(&request, &spec, &provider).unwrap()).unwrap()
    };
    let chat = body("ollama/x");
    let made = &chat["messages"][1]["tool_calls"];
    assert_eq!(
        (made[0]["function"]["name"].as_str(), made[1]["function"]["name"].as_str()),
        (Some("functions_get_weather"), Some("unnamed"))
    );
    let results: Vec<&Value> = (2..4).map(|at| &chat["messages"][at]).collect();
    assert_eq!([&results[0]["tool_call_id"], &results[1]["tool_call_id"]], [&made[0]["id"], &made[1]["id"]]);
    assert_ne!(made[0]["id"], made[1]["id"]);
    assert_eq!((results[0]["content"].as_str(), results[1]["content"].as_str()), (Some("one"), Some("two")));
    let messages = body("claude-sonnet-5-5");
    let uses = &messages["messages"][1]["content"];
    assert_eq!(messages["messages"][2]["content"][1]["tool_use_id"], uses[1]["id"]);
}

#[tokio::test]
async fn an_address_without_its_version_works_on_the_messages_wire() {
    let upstream = Upstream::start([Exchange::sse(script::messages(&script::Turn::text(&["ok"])))]).await;
    ask(&model_at("claude-sonnet-5-5", &upstream.origin()), question()).await;
    assert_eq!(upstream.requests()[0].target, "/v1/messages");
}

/// A server that announces items without end, or renames one on every piece, costs bounded time and memory.
#[test]
fn a_flood_of_items_or_ids_is_bounded() {
    let flood: Vec<Value> = (0..6_000).map(|at| added(at, &format!("fc_{at}"), &format!("c_{at}"))).collect();
    let reply = read(Wire::Responses, &flood, false);
    assert_eq!(reply.error().map(|error| error.kind), Some(ModelErrorKind::EventTooLarge));
    assert!(reply.message.blocks.len() < 5_000);
    let mut renamed = vec![added(0, "fc_0", "c")];
    renamed.extend(
        (0..20_000).map(|at| delta(0, &format!("fc_x{at}"), if at == 0 { "{\"n\":\"" } else { "1" })),
    );
    renamed.extend([delta(0, "fc_end", "\"}"), completed(&json!([]))]);
    assert_eq!(calls(&read(Wire::Responses, &renamed, false)).len(), 1);
}

/// Ids are written down as they are, however long: only a request maps them.
#[test]
fn written_messages_keep_their_ids() {
    let call = ToolCall::function("chatcmpl-tool-0123456789abcdef0123456789abcdef", "f", "{}");
    let origin = Some(Origin::new("", "chat"));
    let messages = vec![
        Message { role: Role::Assistant, blocks: vec![Block::ToolCall(call.clone())].into(), origin },
        Message::tool_results([ToolResult::text(&call, "ok")]),
    ];
    let json = tata_llm::messages_to_json(&messages).unwrap();
    assert_eq!(tata_llm::messages_from_json(&json).unwrap(), messages);
}
