//! One turn of a model, written in the words of each wire.

use serde_json::{Value, json};

/// What a model says in one answer.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// Text, in the pieces in which it streams.
    pub text: Vec<String>,
    /// Calls: id, name, arguments in the pieces in which they stream.
    pub calls: Vec<(String, String, Vec<String>)>,
    /// Tokens in and out.
    pub tokens: (u64, u64),
}

impl Turn {
    /// A plain answer.
    pub fn text(pieces: &[&str]) -> Self {
        Self {
            text: pieces.iter().map(|piece| (*piece).to_owned()).collect(),
            tokens: (20, 7),
            ..Self::default()
        }
    }

    /// The same turn with a call added.
    #[must_use]
    pub fn call(mut self, id: &str, name: &str, pieces: &[&str]) -> Self {
        let pieces = pieces.iter().map(|piece| (*piece).to_owned()).collect();
        self.calls.push((id.to_owned(), name.to_owned(), pieces));
        self
    }
}

fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// The turn as a Responses stream.
pub fn responses(turn: &Turn) -> String {
    let mut out = String::new();
    let mut push = |data: Value| out.push_str(&event(data["type"].as_str().unwrap_or_default(), &data));
    let text = turn.text.concat();
    let mut output = Vec::new();
    push(json!({"type": "response.created", "response": {"id": "resp_1", "model": "m", "output": []}}));
    if !turn.text.is_empty() {
        push(json!({"type": "response.output_item.added", "output_index": 0,
            "item": {"id": "msg_1", "type": "message", "role": "assistant", "content": []}}));
        for piece in &turn.text {
            push(json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0,
                "content_index": 0, "delta": piece}));
        }
        let item = json!({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]});
        push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
        output.push(item);
    }
    let first = output.len();
    for (at, (id, name, _)) in turn.calls.iter().enumerate() {
        push(json!({"type": "response.output_item.added", "output_index": first + at,
            "item": {"id": format!("fc_{at}"), "type": "function_call", "call_id": id, "name": name, "arguments": ""}}));
    }
    // Pieces of all calls interleave, and the last call ends first.
    for round in 0..turn.calls.iter().map(|(_, _, pieces)| pieces.len()).max().unwrap_or(0) {
        for (at, (_, _, pieces)) in turn.calls.iter().enumerate() {
            if let Some(piece) = pieces.get(round) {
                push(json!({"type": "response.function_call_arguments.delta", "item_id": format!("fc_{at}"),
                    "output_index": first + at, "delta": piece}));
            }
        }
    }
    for (at, (id, name, pieces)) in turn.calls.iter().enumerate().rev() {
        let item = json!({"id": format!("fc_{at}"), "type": "function_call", "call_id": id, "name": name,
            "status": "completed", "arguments": pieces.concat()});
        push(json!({"type": "response.output_item.done", "output_index": first + at, "item": item}));
    }
    let (input, written) = turn.tokens;
    push(
        json!({"type": "response.completed", "response": {"id": "resp_1", "model": "m", "status": "completed",
        "output": output, "usage": {"input_tokens": input, "output_tokens": written, "total_tokens": input + written}}}),
    );
    out
}

/// The turn as a Chat Completions stream.
pub fn chat(turn: &Turn) -> String {
    let mut out = String::new();
    let mut push = |delta: Value, finish: Option<&str>| {
        let chunk = json!({"id": "chatcmpl_1", "object": "chat.completion.chunk", "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        out.push_str(&format!("data: {chunk}\n\n"));
    };
    push(json!({"role": "assistant", "content": ""}), None);
    for piece in &turn.text {
        push(json!({"content": piece}), None);
    }
    for (at, (id, name, _)) in turn.calls.iter().enumerate() {
        let call =
            json!({"index": at, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
        push(json!({"tool_calls": [call]}), None);
    }
    for round in 0..turn.calls.iter().map(|(_, _, pieces)| pieces.len()).max().unwrap_or(0) {
        let pieces = turn.calls.iter().enumerate().filter_map(|(at, (_, _, pieces))| {
            let piece = pieces.get(round)?;
            Some(json!({"index": at, "function": {"arguments": piece}}))
        });
        push(json!({"tool_calls": pieces.collect::<Vec<_>>()}), None);
    }
    push(json!({}), Some(if turn.calls.is_empty() { "stop" } else { "tool_calls" }));
    let (input, written) = turn.tokens;
    let usage =
        json!({"prompt_tokens": input, "completion_tokens": written, "total_tokens": input + written});
    out.push_str(&format!(
        "data: {}\n\ndata: [DONE]\n\n",
        json!({"id": "chatcmpl_1", "model": "m", "choices": [], "usage": usage})
    ));
    out
}

/// The turn as a Messages stream.
pub fn messages(turn: &Turn) -> String {
    let mut out = String::new();
    let mut push = |data: Value| out.push_str(&event(data["type"].as_str().unwrap_or_default(), &data));
    let (input, written) = turn.tokens;
    push(json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
        "model": "m", "content": [], "usage": {"input_tokens": input, "output_tokens": 1}}}));
    let mut index = 0;
    if !turn.text.is_empty() {
        push(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        );
        for piece in &turn.text {
            push(
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}),
            );
        }
        push(json!({"type": "content_block_stop", "index": 0}));
        index = 1;
    }
    for (id, name, pieces) in &turn.calls {
        push(json!({"type": "content_block_start", "index": index,
            "content_block": {"type": "tool_use", "id": id, "name": name, "input": {}}}));
        for piece in pieces {
            push(json!({"type": "content_block_delta", "index": index,
                "delta": {"type": "input_json_delta", "partial_json": piece}}));
        }
        push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    }
    let reason = if turn.calls.is_empty() { "end_turn" } else { "tool_use" };
    push(json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": written}}));
    push(json!({"type": "message_stop"}));
    out
}
