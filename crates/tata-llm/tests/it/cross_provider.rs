//! After any tool turn the request for each of the three wires is valid (pain 20, D9): against a hand-written
//! schema of that API, with calls and results paired and roles alternating where required.

use std::sync::LazyLock;

use jsonschema::Validator;
use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use serde_json::Value;
use tata_core::{Message, ModelRequest, Origin};
use tata_llm::{Wire, encode_request};
use tata_testkit::conversation::{Shape, Thoughts, conversation, tools};

use crate::support::{MODELS, resolve};

static SCHEMAS: LazyLock<[Validator; 3]> = LazyLock::new(|| {
    [
        include_str!("../schemas/responses.json"),
        include_str!("../schemas/chat.json"),
        include_str!("../schemas/messages.json"),
    ]
    .map(|text| jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap())
});

/// Conversations from anywhere, with ids no provider would take and orphans of both kinds.
fn any_history() -> impl Strategy<Value = Vec<Message>> {
    let origins = prop_oneof![
        any::<bool>().prop_map(|_| ("openai", Wire::Responses, Thoughts::Items)),
        any::<bool>().prop_map(|_| ("ollama", Wire::Chat, Thoughts::Plain)),
        any::<bool>().prop_map(|_| ("anthropic", Wire::Messages, Thoughts::Signed)),
        any::<bool>().prop_map(|_| ("other", Wire::Responses, Thoughts::Items)),
    ];
    let ids = prop_oneof![
        any::<bool>().prop_map(|_| "call_[a-z0-9]{1,8}"),
        any::<bool>().prop_map(|_| "[a-zæ:/. ]{1,90}"),
        any::<bool>().prop_map(|_| "\\PC{1,60}"),
        any::<bool>().prop_map(|_| "0"),
    ];
    (origins, ids).prop_flat_map(|((provider, wire, thoughts), ids)| {
        conversation(&Shape {
            origin: Origin::new(provider, wire.as_str()),
            thoughts,
            ids,
            item_ids: wire == Wire::Responses,
            custom: true,
            refusals: true,
            errors: true,
            orphans: true,
        })
    })
}

/// Checks a body of a wire by schema and structure; returns what is wrong.
fn faults(wire: Wire, body: &Value) -> Vec<String> {
    let validator = match wire {
        Wire::Responses => &SCHEMAS[0],
        Wire::Chat => &SCHEMAS[1],
        Wire::Messages => &SCHEMAS[2],
    };
    let mut faults: Vec<String> =
        validator.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect();
    faults.extend(match wire {
        Wire::Responses => responses_faults(body),
        Wire::Chat => chat_faults(body),
        Wire::Messages => messages_faults(body),
    });
    faults
}

fn id(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Every call is answered once, after it was made; reasoning is followed by an item of the assistant.
fn responses_faults(body: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let items = body["input"].as_array().unwrap();
    let mut made: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match item["type"].as_str().unwrap() {
            "function_call" | "custom_tool_call" => {
                let call = id(&item["call_id"]);
                if made.contains(&call) {
                    faults.push(format!("call_id {call} is used twice"));
                }
                made.push(call.clone());
                open.push(call);
            }
            "function_call_output" | "custom_tool_call_output" => {
                let call = id(&item["call_id"]);
                match open.iter().position(|open| *open == call) {
                    Some(at) => drop(open.remove(at)),
                    None => faults.push(format!("an output for {call}, which is not open")),
                }
            }
            "reasoning" => {
                let next = items.get(at + 1).map(|next| next["type"].as_str().unwrap());
                if !matches!(next, Some("message" | "function_call" | "custom_tool_call" | "reasoning")) {
                    faults.push(format!("reasoning at {at} is followed by {next:?}"));
                }
            }
            _ => {}
        }
    }
    faults.extend(open.iter().map(|call| format!("call {call} has no output")));
    faults
}

/// The answers to a message's calls follow it directly, all of them, before anything else.
fn chat_faults(body: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for (at, message) in body["messages"].as_array().unwrap().iter().enumerate() {
        let role = message["role"].as_str().unwrap();
        if role == "tool" {
            let call = id(&message["tool_call_id"]);
            match open.iter().position(|open| *open == call) {
                Some(at) => drop(open.remove(at)),
                None => faults.push(format!("a result for {call}, which is not open")),
            }
            continue;
        }
        faults.extend(open.drain(..).map(|call| format!("call {call} is not answered before message {at}")));
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let call = id(&call["id"]);
            if open.contains(&call) {
                faults.push(format!("id {call} is used twice"));
            }
            open.push(call);
        }
    }
    faults.extend(open.iter().map(|call| format!("call {call} is never answered")));
    faults
}

/// Roles alternate, the user begins and ends, results come first in the very next turn and cover all calls.
fn messages_faults(body: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let turns = body["messages"].as_array().unwrap();
    let role = |turn: &Value| turn["role"].as_str().unwrap().to_owned();
    if role(&turns[0]) != "user" || role(turns.last().unwrap()) != "user" {
        faults.push("the user does not begin and end".into());
    }
    let mut all = Vec::new();
    for pair in turns.windows(2) {
        if role(&pair[0]) == role(&pair[1]) {
            faults.push("roles do not alternate".into());
        }
    }
    for (at, turn) in turns.iter().enumerate() {
        let blocks = turn["content"].as_array().unwrap();
        let uses: Vec<String> =
            blocks.iter().filter(|b| b["type"] == "tool_use").map(|b| id(&b["id"])).collect();
        all.extend(uses.clone());
        if role(turn) == "assistant" {
            let next =
                turns.get(at + 1).map(|next| next["content"].as_array().unwrap().clone()).unwrap_or_default();
            let mut results: Vec<String> = next
                .iter()
                .take_while(|b| b["type"] == "tool_result")
                .map(|b| id(&b["tool_use_id"]))
                .collect();
            let late =
                next.iter().skip_while(|b| b["type"] == "tool_result").any(|b| b["type"] == "tool_result");
            let mut wanted = uses;
            results.sort();
            wanted.sort();
            if results != wanted || late {
                faults.push(format!("turn {at}: calls {wanted:?}, results {results:?}, late {late}"));
            }
        } else if !uses.is_empty() {
            faults.push("the user calls tools".into());
        }
        if at == 0 && blocks.iter().any(|b| b["type"] == "tool_result") {
            faults.push("a result without a call".into());
        }
    }
    let count = all.len();
    all.sort();
    all.dedup();
    if all.len() != count {
        faults.push("a tool_use id is used twice".into());
    }
    faults
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_history_is_valid_on_every_wire(history in any_history(), tools in tools(), cut in 0..12_usize) {
        // Any prefix is a moment at which the provider might change; any suffix, what a budget leaves.
        let end = history.len() - cut.min(history.len() - 1);
        for messages in [&history[..end], &history[history.len() - end..]] {
            for (name, wire) in MODELS {
                let (spec, provider) = resolve(name);
                let request = ModelRequest {
                    messages: messages.to_vec(),
                    tools: tools.clone().into(),
                    ..ModelRequest::default()
                };
                let body: Value = serde_json::from_slice(&encode_request(&request, &spec, &provider).unwrap()).unwrap();
                prop_assert_eq!(faults(wire, &body), Vec::<String>::new(), "{:?}: {}", wire, body);
            }
        }
    }
}

/// The checker itself can fail: broken requests are recognised.
#[test]
fn broken_requests_are_recognised() {
    let broken = [
        (
            Wire::Responses,
            serde_json::json!({"model": "m", "store": false, "stream": true, "input": [
            {"type": "function_call", "call_id": "a", "name": "t", "arguments": "{}"}]}),
        ),
        (
            Wire::Chat,
            serde_json::json!({"model": "m", "stream": true, "messages": [
            {"role": "tool", "tool_call_id": "a", "content": "x"}]}),
        ),
        (
            Wire::Messages,
            serde_json::json!({"model": "m", "max_tokens": 1, "stream": true, "messages": [
            {"role": "user", "content": [{"type": "text", "text": "x"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "t", "input": {}}]},
            {"role": "user", "content": [{"type": "text", "text": "x"}]}]}),
        ),
        (
            Wire::Messages,
            serde_json::json!({"model": "m", "max_tokens": 1, "stream": true, "messages": [
            {"role": "user", "content": [{"type": "text", "text": " "}]}]}),
        ),
        (Wire::Responses, serde_json::json!({"model": "m", "store": true, "stream": true, "input": []})),
    ];
    for (wire, body) in broken {
        assert!(!faults(wire, &body).is_empty(), "{wire:?} {body}");
    }
}
