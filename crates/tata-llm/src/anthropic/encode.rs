//! A request in the words of the Messages API.

use std::{borrow::Cow, sync::Arc};

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};
use tata_core::{
    Block, CallKind, Delivery, Message, ModelRequest, Reasoning, ResultPart, Role, ToolCall, ToolChoice,
    ToolDefinition, ToolResult, WireWarning, WireWarningCode,
};

use crate::{
    catalog::Thinking,
    wire::{
        Wire,
        encode::{Encoded, Raw, Target, can_be_seen, left_out, not_seen, sendable, sendable_name, to_body},
        ids::IdMap,
    },
};

/// The cap is required; without a wish, this or the model's own, whichever is less.
const DEFAULT_CAP: u64 = 16_000;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Content<'a>>,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Arc<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_sequences: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
    stream: bool,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Vec<Content<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Typed(Typed<'a>),
    Raw(Raw<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Typed<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        citations: Vec<Raw<'a>>,
    },
    Image {
        source: Source<'a>,
    },
    Thinking {
        thinking: &'a str,
        signature: &'a str,
    },
    RedactedThinking {
        data: &'a str,
    },
    ToolUse {
        id: String,
        name: Cow<'a, str>,
        input: Raw<'a>,
        #[serde(flatten)]
        extra: Option<serde_json::Map<String, Value>>,
    },
    ToolResult {
        tool_use_id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        content: Vec<Content<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
}

#[derive(Serialize)]
struct Source<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    media_type: &'a str,
    data: &'a str,
}

pub(crate) fn encode(request: &ModelRequest, target: &Target<'_>) -> Result<Encoded, serde_json::Error> {
    let mut warnings = Vec::new();
    let paired = sendable(&request.messages, &mut warnings);
    let system = paired
        .messages
        .iter()
        .filter(|message| message.role == Role::System)
        .flat_map(|message| message.texts())
        .filter(|text| !text.text.trim().is_empty())
        .map(|text| plain(Cow::Borrowed(&text.text)))
        .collect();
    let messages = turns(&paired.messages, target, &mut warnings);
    let spec = target.spec;
    let cap =
        target.output_cap(request).unwrap_or_else(|| DEFAULT_CAP.min(spec.max_output.unwrap_or(DEFAULT_CAP)));
    let effort = target.effort(request);
    let format =
        request.output_format.as_ref().map(|format| json!({"type": "json_schema", "schema": format.schema}));
    let output_config = match (effort, format) {
        (None, None) => None,
        (effort, format) => {
            let fields = [("effort", effort.map(Value::from)), ("format", format)];
            Some(Value::Object(
                fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect(),
            ))
        }
    };
    let thinking = match (effort, spec.capabilities.thinking) {
        (Some(_), Thinking::Adaptive) => Some(json!({"type": "adaptive"})),
        (Some(_), Thinking::None | Thinking::Always | Thinking::Manual) | (None, _) => None,
    };
    let body = Body {
        model: &spec.wire_name,
        max_tokens: cap,
        system,
        messages,
        tools: target.write_tools(request, |tool| definition(tool, target))?,
        tool_choice: tool_choice(request, target),
        temperature: target.temperature(request),
        top_p: target.top_p(request),
        stop_sequences: target.stop_sequences(request, "stop_sequences", usize::MAX),
        thinking: target.keep("thinking", thinking),
        output_config: target.keep("output_config", output_config),
        cache_control: target.keep(
            "cache_control",
            request
                .cache_key
                .as_ref()
                .filter(|_| target.provider.quirks.official)
                .map(|_| json!({"type": "ephemeral"})),
        ),
        metadata: target.keep("metadata", request.user_mark.as_ref().map(|mark| json!({"user_id": mark}))),
        stream: request.delivery == Delivery::Streamed,
    };
    Ok(Encoded {
        body: to_body(&body, body.tools.as_deref())?,
        warnings,
        correlated: paired.correlated,
        uncorrelated: paired.uncorrelated,
        cap: Some(cap),
    })
}

fn plain(text: Cow<'_, str>) -> Content<'_> {
    Content::Typed(Typed::Text { text, citations: Vec::new() })
}

/// Turns that alternate, begin with the user and end with the user; results come first in their turn.
fn turns<'a>(
    messages: &'a [Cow<'a, Message>],
    target: &Target<'_>,
    warnings: &mut Vec<WireWarning>,
) -> Vec<Turn<'a>> {
    let mut turns: Vec<Turn<'a>> = Vec::new();
    let mut ids = IdMap::new(Wire::Messages);
    let mut paused = false;
    for message in messages {
        let (role, content) = match message.role {
            Role::System => continue,
            Role::User => ("user", user(message, target, warnings)),
            Role::Assistant => ("assistant", assistant(message, target, &mut ids)),
            Role::Tool => {
                let speaks = target.speaks(message);
                ("user", message.results().map(|answer| result(answer, speaks, &mut ids, warnings)).collect())
            }
        };
        if content.is_empty() {
            continue;
        }
        paused = message.role == Role::Assistant
            && target.is_own(message)
            && message.blocks.iter().any(|block| matches!(block, Block::Opaque(_)));
        match turns.last_mut() {
            Some(last) if last.role == role => last.content.extend(content),
            Some(_) | None => turns.push(Turn { role, content }),
        }
    }
    if turns.first().is_none_or(|first| first.role == "assistant") {
        turns.insert(
            0,
            Turn { role: "user", content: vec![plain(Cow::Borrowed("(The conversation continues.)"))] },
        );
    }
    // Newer models refuse a conversation that ends with their own words, unless they asked to go on.
    if !paused && turns.last().is_some_and(|last| last.role == "assistant") {
        let detail = "the conversation ended with the assistant; the user is made to say \"Continue.\"";
        warnings.push(WireWarning::new(WireWarningCode::HistoryAdapted, detail));
        turns.push(Turn { role: "user", content: vec![plain(Cow::Borrowed("Continue."))] });
    }
    turns
}

fn user<'a>(message: &'a Message, target: &Target<'_>, warnings: &mut Vec<WireWarning>) -> Vec<Content<'a>> {
    message
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => (!text.text.trim().is_empty()).then(|| plain(Cow::Borrowed(&text.text))),
            Block::Opaque(opaque) if target.speaks(message) => Some(Content::Raw(Raw::of(&opaque.json))),
            Block::Opaque(opaque) => Some(plain(Cow::Owned(left_out(opaque, warnings)))),
            Block::Reasoning(_) | Block::Refusal(_) | Block::ToolCall(_) | Block::ToolResult(_) => None,
        })
        .collect()
}

fn assistant<'a>(message: &'a Message, target: &Target<'_>, ids: &mut IdMap) -> Vec<Content<'a>> {
    let own = target.is_own(message);
    let replay = target.replays_reasoning(message);
    let typed = message.blocks.iter().filter_map(|block| match block {
        Block::Text(text) if text.text.trim().is_empty() => None,
        Block::Text(text) => {
            let citations = if own { text.annotations.iter().map(Raw::of).collect() } else { Vec::new() };
            Some(Content::Typed(Typed::Text { text: Cow::Borrowed(&text.text), citations }))
        }
        Block::Reasoning(reasoning) if replay => thought(reasoning),
        Block::ToolCall(call) => Some(made_call(call, own, ids)),
        Block::Opaque(opaque) if own => Some(Content::Raw(Raw::of(&opaque.json))),
        // A refused turn is dropped; foreign reasoning is never dressed up as one's own.
        Block::Refusal(_) | Block::Reasoning(_) | Block::Opaque(_) | Block::ToolResult(_) => None,
    });
    typed.collect()
}

fn thought(reasoning: &Reasoning) -> Option<Content<'_>> {
    match reasoning {
        Reasoning::Signed { text, signature: Some(signature) } => {
            Some(Content::Typed(Typed::Thinking { thinking: text, signature }))
        }
        Reasoning::Redacted { data } => Some(Content::Typed(Typed::RedactedThinking { data })),
        // Without a signature the provider refuses the block.
        Reasoning::Signed { signature: None, .. } | Reasoning::Item { .. } | Reasoning::Plain { .. } => None,
    }
}

fn made_call<'a>(call: &'a ToolCall, own: bool, ids: &mut IdMap) -> Content<'a> {
    let input = match call.kind {
        CallKind::Function | CallKind::LegacyFunction => Raw::arguments(call),
        CallKind::Custom => Raw::wrapped("input", &call.arguments),
    };
    let extra = call.extra.as_ref().filter(|_| own).and_then(|extra| extra.to_value().as_object().cloned());
    Content::Typed(Typed::ToolUse {
        id: ids.assign(&call.call_id),
        name: sendable_name(&call.name),
        input,
        extra,
    })
}

fn result<'a>(
    result: &'a ToolResult,
    speaks: bool,
    ids: &mut IdMap,
    warnings: &mut Vec<WireWarning>,
) -> Content<'a> {
    let content = result
        .content
        .iter()
        .filter_map(|part| match part {
            ResultPart::Text(text) if text.trim().is_empty() => None,
            ResultPart::Text(text) => Some(plain(Cow::Borrowed(text))),
            ResultPart::Image(image) if can_be_seen(image) => {
                let source = Source { kind: "base64", media_type: &image.media_type, data: &image.data };
                Some(Content::Typed(Typed::Image { source }))
            }
            ResultPart::Image(image) => Some(plain(Cow::Owned(not_seen(image, warnings)))),
            ResultPart::Opaque(opaque) if speaks => Some(Content::Raw(Raw::of(&opaque.json))),
            ResultPart::Opaque(opaque) => Some(plain(Cow::Owned(left_out(opaque, warnings)))),
            ResultPart::Own(_) => None,
        })
        .collect();
    let is_error = result.is_error.then_some(true);
    Content::Typed(Typed::ToolResult { tool_use_id: ids.answer(&result.call_id), content, is_error })
}

fn definition(tool: &ToolDefinition, target: &Target<'_>) -> Value {
    let (schema, strict) = target.tool_schema(tool);
    let mut definition = json!({"name": tool.name, "description": tool.description, "input_schema": schema});
    if strict {
        definition["strict"] = json!(true);
    }
    definition
}

/// The choice carries the parallel flag, inverted.
fn tool_choice(request: &ModelRequest, target: &Target<'_>) -> Option<Value> {
    let parallel = target.parallel_tools(request);
    let mut choice = match target.tool_choice(request) {
        Some(ToolChoice::None) => return Some(json!({"type": "none"})),
        Some(ToolChoice::Required) => json!({"type": "any"}),
        Some(ToolChoice::Named(name)) => json!({"type": "tool", "name": name}),
        Some(ToolChoice::Auto) | None => json!({"type": "auto"}),
    };
    match parallel {
        Some(parallel) => choice["disable_parallel_tool_use"] = json!(!parallel),
        None if choice == json!({"type": "auto"}) => return None,
        None => {}
    }
    Some(choice)
}
