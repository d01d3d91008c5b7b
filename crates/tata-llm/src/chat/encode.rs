//! A request in the words of Chat Completions.

use std::{borrow::Cow, sync::Arc};

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};
use tata_core::{
    Block, CallKind, Delivery, Message, ModelRequest, Reasoning, Role, ToolCall, ToolChoice, ToolDefinition,
    WireWarning,
};

use crate::{
    catalog::ChatTools,
    wire::{
        Wire,
        encode::{Encoded, Raw, Target, left_out, result_text, sendable, sendable_name, to_body},
        ids::IdMap,
    },
};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Arc<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    functions: Option<Arc<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_call: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    safety_identifier: Option<&'a str>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
}

#[derive(Default, Serialize)]
struct WireMessage<'a> {
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Content<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<WireCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_call: Option<Function<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<Part<'a>>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Text {
        #[serde(rename = "type")]
        kind: &'static str,
        text: Cow<'a, str>,
    },
    Raw(Raw<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireCall<'a> {
    Function { id: String, function: Function<'a> },
    Custom { id: String, custom: Custom<'a> },
}

#[derive(Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    arguments: &'a str,
}

#[derive(Serialize)]
struct Custom<'a> {
    name: Cow<'a, str>,
    input: &'a str,
}

pub(crate) fn encode(request: &ModelRequest, target: &Target<'_>) -> Result<Encoded, serde_json::Error> {
    let mut warnings = Vec::new();
    let paired = sendable(&request.messages, &mut warnings);
    let messages = history(&paired.messages, target, IdMap::new(Wire::Chat), &mut warnings);
    let quirks = &target.provider.quirks;
    let definitions: &[ToolDefinition] = match target.spec.capabilities.chat_tools {
        ChatTools::No => &[],
        ChatTools::Yes | ChatTools::WithoutEffort => target.tools(request),
    };
    let (tools, functions) = if definitions.is_empty() {
        (None, None)
    } else if quirks.legacy_functions {
        (None, target.write_tools(request, |tool| function(tool, target, true))?)
    } else {
        let write =
            |tool: &ToolDefinition| json!({"type": "function", "function": function(tool, target, false)});
        (target.write_tools(request, write)?, None)
    };
    let choice = target.tool_choice(request).filter(|_| !definitions.is_empty());
    let without_effort =
        !definitions.is_empty() && target.spec.capabilities.chat_tools == ChatTools::WithoutEffort;
    let effort = if without_effort { Some("none") } else { target.effort(request) };
    let cap = target.output_cap(request);
    // A server that refuses one name of the cap gets the other: no request goes out uncapped.
    let old_cap = match (target.omits("max_tokens"), target.omits("max_completion_tokens")) {
        (true, _) => false,
        (false, true) => true,
        (false, false) => quirks.max_tokens,
    };
    let streamed = request.delivery == Delivery::Streamed;
    let body = Body {
        model: &target.spec.wire_name,
        messages,
        tools,
        functions,
        tool_choice: choice.filter(|_| !quirks.legacy_functions).map(tool_choice),
        function_call: choice.filter(|_| quirks.legacy_functions).map(legacy_choice),
        parallel_tool_calls: target
            .parallel_tools(request)
            .filter(|_| !quirks.legacy_functions && !definitions.is_empty()),
        max_tokens: cap.filter(|_| old_cap),
        max_completion_tokens: cap.filter(|_| !old_cap),
        temperature: target.temperature(request),
        top_p: target.top_p(request),
        stop: target.stop_sequences(request, "stop", 4),
        reasoning_effort: target.keep("reasoning_effort", effort),
        response_format: request.output_format.as_ref().map(|format| {
            let (schema, strict) = crate::wire::schema::strict(&format.schema)
                .map_or_else(|| (format.schema.clone(), false), |schema| (schema, true));
            json!({"type": "json_schema",
                   "json_schema": {"name": format.name, "schema": schema, "strict": strict}})
        }),
        prompt_cache_key: target
            .keep("prompt_cache_key", request.cache_key.as_deref().filter(|_| quirks.official)),
        safety_identifier: target
            .keep("safety_identifier", request.user_mark.as_deref().filter(|_| quirks.official)),
        stream: streamed,
        stream_options: target.keep(
            "stream_options",
            (streamed && quirks.stream_options).then(|| json!({"include_usage": true})),
        ),
    };
    Ok(Encoded {
        body: to_body(&body, body.tools.as_deref())?,
        warnings,
        correlated: paired.correlated,
        uncorrelated: paired.uncorrelated,
        cap,
    })
}

/// A conversation as JSON messages, nothing mended.
pub(crate) fn written(messages: &[Message], target: &Target<'_>) -> Result<Vec<Value>, serde_json::Error> {
    let messages: Vec<Cow<'_, Message>> = messages.iter().map(Cow::Borrowed).collect();
    history(&messages, target, IdMap::identity(), &mut Vec::new()).iter().map(serde_json::to_value).collect()
}

fn history<'a>(
    messages: &'a [Cow<'a, Message>],
    target: &Target<'_>,
    mut ids: IdMap,
    warnings: &mut Vec<WireWarning>,
) -> Vec<WireMessage<'a>> {
    let mut out = Vec::with_capacity(messages.len());
    let mut legacy = false;
    let last_user = messages.iter().rposition(|message| message.role == Role::User);
    for (at, message) in messages.iter().enumerate() {
        match message.role {
            Role::System => {
                let role = if target.provider.quirks.developer_role { "developer" } else { "system" };
                out.push(WireMessage {
                    role,
                    content: Some(content(message, target, warnings)),
                    ..WireMessage::default()
                });
            }
            Role::User => {
                let content = Some(content(message, target, warnings));
                out.push(WireMessage { role: "user", content, ..WireMessage::default() });
            }
            Role::Assistant => {
                legacy = is_legacy(message);
                let in_loop = last_user.is_none_or(|user| at > user);
                let replay =
                    target.provider.quirks.replay_reasoning && in_loop && target.replays_reasoning(message);
                out.extend(assistant(message, legacy, replay, &mut ids));
            }
            Role::Tool => out.extend(message.results().map(|result| {
                let content = Some(Content::Text(Cow::Owned(result_text(result, warnings))));
                if legacy {
                    WireMessage {
                        role: "function",
                        name: Some(&result.name),
                        content,
                        ..WireMessage::default()
                    }
                } else {
                    let tool_call_id = Some(ids.answer(&result.call_id));
                    WireMessage { role: "tool", tool_call_id, content, ..WireMessage::default() }
                }
            })),
        }
    }
    out
}

/// A message whose one call was made in the legacy form; that form has no place for a second.
fn is_legacy(message: &Message) -> bool {
    let mut calls = message.tool_calls();
    matches!((calls.next(), calls.next()), (Some(call), None) if call.kind == CallKind::LegacyFunction)
}

fn content<'a>(message: &'a Message, target: &Target<'_>, warnings: &mut Vec<WireWarning>) -> Content<'a> {
    let text = |text: Cow<'a, str>| Part::Text { kind: "text", text };
    match message.blocks.as_slice() {
        [] => Content::Text(Cow::Borrowed("")),
        [Block::Text(only)] => Content::Text(Cow::Borrowed(&only.text)),
        blocks => Content::Parts(
            blocks
                .iter()
                .filter_map(|block| match block {
                    Block::Text(part) => Some(text(Cow::Borrowed(&part.text))),
                    Block::Opaque(opaque) if target.speaks(message) => Some(Part::Raw(Raw::of(&opaque.json))),
                    Block::Opaque(opaque) => Some(text(Cow::Owned(left_out(opaque, warnings)))),
                    Block::Reasoning(_) | Block::Refusal(_) | Block::ToolCall(_) | Block::ToolResult(_) => {
                        None
                    }
                })
                .collect(),
        ),
    }
}

/// Text, refusal and calls; a message with none of them has nothing this wire can say.
fn assistant<'a>(
    message: &'a Message,
    legacy: bool,
    replay: bool,
    ids: &mut IdMap,
) -> Option<WireMessage<'a>> {
    let mut texts = message.texts().map(|text| text.text.as_str());
    let content = match (texts.next(), texts.next()) {
        (None, _) => None,
        (Some(only), None) => Some(Content::Text(Cow::Borrowed(only))),
        (Some(_), Some(_)) => Some(Content::Text(Cow::Owned(message.joined_text()))),
    };
    let refusals: Vec<&str> = message
        .blocks
        .iter()
        .filter_map(
            |block| {
                if let Block::Refusal(refusal) = block { Some(refusal.text.as_str()) } else { None }
            },
        )
        .collect();
    let thought = message.blocks.iter().find_map(|block| match block {
        Block::Reasoning(Reasoning::Plain { text }) if replay => Some(text.as_str()),
        Block::Reasoning(_)
        | Block::Text(_)
        | Block::Refusal(_)
        | Block::ToolCall(_)
        | Block::ToolResult(_)
        | Block::Opaque(_) => None,
    });
    let mut out = WireMessage {
        role: "assistant",
        content,
        reasoning_content: thought,
        refusal: (!refusals.is_empty()).then(|| Cow::Owned(refusals.concat())),
        ..WireMessage::default()
    };
    for call in message.tool_calls() {
        if legacy {
            out.function_call =
                Some(Function { name: sendable_name(&call.name), arguments: arguments(call) });
        } else {
            out.tool_calls.push(made_call(call, ids));
        }
    }
    let says = out.content.is_some() || out.refusal.is_some();
    (says || !out.tool_calls.is_empty() || out.function_call.is_some()).then_some(out)
}

fn made_call<'a>(call: &'a ToolCall, ids: &mut IdMap) -> WireCall<'a> {
    let (id, name) = (ids.assign(&call.call_id), sendable_name(&call.name));
    match call.kind {
        CallKind::Custom => WireCall::Custom { id, custom: Custom { name, input: &call.arguments } },
        CallKind::Function | CallKind::LegacyFunction => {
            WireCall::Function { id, function: Function { name, arguments: arguments(call) } }
        }
    }
}

fn arguments(call: &ToolCall) -> &str {
    if call.arguments.trim().is_empty() { "{}" } else { &call.arguments }
}

fn function(tool: &ToolDefinition, target: &Target<'_>, legacy: bool) -> Value {
    let (parameters, strict) = target.tool_schema(tool);
    let mut function = json!({"name": tool.name, "description": tool.description, "parameters": parameters});
    if strict && !legacy {
        function["strict"] = json!(true);
    }
    function
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::None => json!("none"),
        ToolChoice::Required => json!("required"),
        ToolChoice::Named(name) => json!({"type": "function", "function": {"name": name}}),
    }
}

/// The legacy form knows no "required".
fn legacy_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto | ToolChoice::Required => json!("auto"),
        ToolChoice::None => json!("none"),
        ToolChoice::Named(name) => json!({"name": name}),
    }
}
