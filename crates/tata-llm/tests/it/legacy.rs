//! Messages in the legacy shape: read, written, and refused by name when they break their rules (B2).

use serde_json::{Value, json};
use tata_core::{CallKind, Message, Role};
use tata_llm::{messages_from_json, messages_to_json};

fn legacy_conversation() -> Value {
    json!([
        {"role": "system", "content": "Answer from the documents."},
        {"role": "user", "content": "What is the notice period?"},
        {"role": "assistant", "function_call": {"name": "search_docs", "arguments": "{\"query\": \"notice\"}"}},
        {"role": "function", "name": "search_docs", "content": "{\"results\":[]}"},
        {"role": "assistant", "content": "I found nothing."}
    ])
}

#[test]
fn the_legacy_form_is_read_and_written_without_loss() {
    let wire = legacy_conversation();
    let messages = messages_from_json(wire.as_array().unwrap()).unwrap();
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
    let call = messages[2].tool_calls().next().unwrap();
    assert_eq!((call.kind, call.name.as_str()), (CallKind::LegacyFunction, "search_docs"));
    assert_eq!(messages[3].results().next().unwrap().call_id, call.call_id);
    assert_eq!(json!(messages_to_json(&messages).unwrap()), wire);
}

#[test]
fn two_open_calls_of_one_name_are_answered_in_call_order() {
    let call = |query: &str| json!({"role": "assistant", "function_call": {"name": "f", "arguments": format!("{{\"q\":\"{query}\"}}")}});
    let answer = |text: &str| json!({"role": "function", "name": "f", "content": text});
    let wire = [call("a"), call("b"), answer("for a"), answer("for b")];
    let messages = messages_from_json(&wire).unwrap();
    let ids: Vec<_> = messages.iter().flat_map(Message::call_ids).collect();
    let answered: Vec<_> = messages.iter().flat_map(Message::results).map(|result| &result.call_id).collect();
    assert_eq!(ids, answered);
}

#[test]
fn broken_rules_are_named_with_the_message() {
    let check = |message: Value, expected: &str| {
        let error =
            messages_from_json(&[json!({"role": "user", "content": "x"}), message.clone()]).unwrap_err();
        assert_eq!(error.to_string(), expected, "{message}");
    };
    check(
        json!({"role": "robot", "content": "x"}),
        "message 2: role must be one of system, developer, user, assistant, tool, function, not \"robot\"",
    );
    check(
        json!({"role": "user"}),
        "message 2: content is required for role \"user\" unless the message calls a tool",
    );
    check(
        json!({"role": "function", "content": "x"}),
        "message 2: name is required when role is \"function\"",
    );
    check(
        json!({"role": "user", "content": "x", "function_call": {"name": "f", "arguments": "{}"}}),
        "message 2: function_call and tool_calls are only valid when role is \"assistant\", not \"user\"",
    );
    check(
        json!({"role": "tool", "content": "x"}),
        "message 2: tool_call_id is required when role is \"tool\"",
    );
    assert!(messages_from_json(&[json!("text")]).unwrap_err().to_string().starts_with("message 1:"));
}
