//! A request in the words of the Responses API.

use std::{borrow::Cow, sync::Arc};

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};
use tata_core::{
    Block, CallKind, Delivery, Message, ModelRequest, Reasoning, ResultPart, Role, ToolCall, ToolChoice,
    ToolResult, WireWarning,
};

use crate::wire::{
    Wire,
    encode::{
        Encoded, Raw, Target, can_be_seen, left_out, not_seen, result_text, sendable, sendable_name, to_body,
    },
    ids::IdMap,
};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Arc<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include: Option<[&'static str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    safety_identifier: Option<&'a str>,
    /// The default keeps conversations on the server for weeks; ours stay with us.
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    stream: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Typed(Typed<'a>),
    Raw(Raw<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Typed<'a> {
    Message {
        role: &'static str,
        content: Content<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
    },
    FunctionCall {
        call_id: String,
        name: Cow<'a, str>,
        arguments: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        #[serde(flatten)]
        extra: Option<serde_json::Map<String, Value>>,
    },
    CustomToolCall {
        call_id: String,
        name: Cow<'a, str>,
        input: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        #[serde(flatten)]
        extra: Option<serde_json::Map<String, Value>>,
    },
    FunctionCallOutput {
        call_id: String,
        output: Content<'a>,
    },
    CustomToolCallOutput {
        call_id: String,
        output: Content<'a>,
    },
    Reasoning {
        id: &'a str,
        summary: Vec<Part<'a>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        content: Vec<Part<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        encrypted_content: Option<&'a str>,
    },
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
    Typed(TypedPart<'a>),
    Raw(Raw<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum TypedPart<'a> {
    InputText { text: Cow<'a, str> },
    InputImage { image_url: String },
    OutputText { text: &'a str, annotations: Vec<Raw<'a>> },
    Refusal { refusal: &'a str },
    SummaryText { text: &'a str },
    ReasoningText { text: &'a str },
}

pub(crate) fn encode(request: &ModelRequest, target: &Target<'_>) -> Result<Encoded, serde_json::Error> {
    let mut warnings = Vec::new();
    let paired = sendable(&request.messages, &mut warnings);
    let mut messages = paired.messages.iter().map(AsRef::as_ref).peekable();
    let instructions = messages.next_if(|first| plain_system(first).is_some()).and_then(plain_system);
    let mut input = Vec::new();
    let mut ids = IdMap::new(Wire::Responses);
    let mut last_calls: &[Block] = &[];
    for message in messages {
        match message.role {
            Role::System => input.push(plain(message, "developer", target, &mut warnings)),
            Role::User => input.push(plain(message, "user", target, &mut warnings)),
            Role::Assistant => {
                assistant(message, target, &mut ids, &mut input);
                last_calls = &message.blocks;
            }
            Role::Tool => {
                for answer in message.results() {
                    input.push(result(answer, last_calls, target.speaks(message), &mut ids, &mut warnings));
                }
            }
        }
    }
    let quirks = &target.provider.quirks;
    let thinks = !target.spec.capabilities.efforts.is_empty();
    let effort = target.effort(request);
    let body = Body {
        model: &target.spec.wire_name,
        instructions,
        input,
        tools: target.write_tools(request, |tool| {
            let (parameters, strict) = target.tool_schema(tool);
            json!({"type": "function", "name": tool.name, "description": tool.description,
                   "parameters": parameters, "strict": strict})
        })?,
        tool_choice: target.keep("tool_choice", target.tool_choice(request).map(tool_choice)),
        parallel_tool_calls: target.parallel_tools(request),
        max_output_tokens: target.keep("max_output_tokens", target.output_cap(request)),
        temperature: target.temperature(request),
        top_p: target.top_p(request),
        reasoning: target.keep("reasoning", effort.map(|effort| json!({"effort": effort, "summary": "auto"}))),
        text: request.output_format.as_ref().map(|format| {
            let (schema, strict) = crate::wire::schema::strict(&format.schema)
                .map_or_else(|| (format.schema.clone(), false), |schema| (schema, true));
            json!({"format": {"type": "json_schema", "name": format.name, "schema": schema, "strict": strict}})
        }),
        include: target.keep(
            "include",
            (thinks && quirks.encrypted_reasoning).then_some(["reasoning.encrypted_content"]),
        ),
        prompt_cache_key: target.keep("prompt_cache_key", request.cache_key.as_deref().filter(|_| quirks.official)),
        safety_identifier: target.keep("safety_identifier", request.user_mark.as_deref().filter(|_| quirks.official)),
        store: target.keep("store", Some(false)),
        stream: request.delivery == Delivery::Streamed,
    };
    Ok(Encoded {
        body: to_body(&body, body.tools.as_deref())?,
        warnings,
        correlated: paired.correlated,
        uncorrelated: paired.uncorrelated,
        cap: target.output_cap(request),
    })
}

/// The text of a system message that is nothing but one text.
fn plain_system(message: &Message) -> Option<&str> {
    match (message.role, message.blocks.as_slice()) {
        (Role::System, [Block::Text(text)]) => Some(&text.text),
        (Role::System | Role::User | Role::Assistant | Role::Tool, _) => None,
    }
}

fn plain<'a>(
    message: &'a Message,
    role: &'static str,
    target: &Target<'_>,
    warnings: &mut Vec<WireWarning>,
) -> Item<'a> {
    let content = match message.blocks.as_slice() {
        [Block::Text(text)] => Content::Text(Cow::Borrowed(&text.text)),
        blocks => Content::Parts(input_parts(blocks, target.speaks(message), warnings)),
    };
    Item::Typed(Typed::Message { role, content, phase: None, id: None, status: None })
}

fn input_parts<'a>(blocks: &'a [Block], speaks: bool, warnings: &mut Vec<WireWarning>) -> Vec<Part<'a>> {
    let text = |text: Cow<'a, str>| Part::Typed(TypedPart::InputText { text });
    blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text(part) => Some(text(Cow::Borrowed(&part.text))),
            Block::Opaque(opaque) if speaks => Some(Part::Raw(Raw::of(&opaque.json))),
            Block::Opaque(opaque) => Some(text(Cow::Owned(left_out(opaque, warnings)))),
            Block::Reasoning(_) | Block::Refusal(_) | Block::ToolCall(_) | Block::ToolResult(_) => None,
        })
        .collect()
}

/// An assistant message becomes several items. Reasoning goes back only to its own provider, only with what
/// that provider needs to read it, and only together with the item it led to.
fn assistant<'a>(message: &'a Message, target: &Target<'_>, ids: &mut IdMap, input: &mut Vec<Item<'a>>) {
    let own = target.is_own(message);
    let replay = target.replays_reasoning(message);
    let mut at = 0;
    while let Some(block) = message.blocks.get(at) {
        at += 1;
        match block {
            Block::Text(_) | Block::Refusal(_) => {
                let first = at - 1;
                let id = item_of(block);
                while message.blocks.get(at).is_some_and(|next| {
                    id.is_some() && matches!(next, Block::Text(_) | Block::Refusal(_)) && item_of(next) == id
                }) {
                    at += 1;
                }
                input.push(said(message.blocks.get(first..at).unwrap_or_default(), own, input.len()));
            }
            Block::Reasoning(reasoning) if replay && leads_somewhere(message.blocks.get(at..)) => {
                input.extend(thought(reasoning, target.provider.quirks.encrypted_reasoning));
            }
            Block::ToolCall(call) => input.push(made_call(call, own, ids)),
            Block::Opaque(opaque) if own => input.push(Item::Raw(Raw::of(&opaque.json))),
            Block::Reasoning(_) | Block::Opaque(_) | Block::ToolResult(_) => {}
        }
    }
}

fn item_of(block: &Block) -> Option<&str> {
    let id = match block {
        Block::Text(text) => text.item_id.as_ref(),
        Block::Refusal(refusal) => refusal.item_id.as_ref(),
        Block::Reasoning(_) | Block::ToolCall(_) | Block::ToolResult(_) | Block::Opaque(_) => None,
    };
    id.map(tata_core::ItemId::as_str)
}

/// Whether something other than more reasoning follows: a thought alone is refused.
fn leads_somewhere(rest: Option<&[Block]>) -> bool {
    rest.into_iter().flatten().any(|block| !matches!(block, Block::Reasoning(_) | Block::ToolResult(_)))
}

/// Blocks of one message item. Plain words go as plain text; annotations, refusals and ids need the full form.
fn said(blocks: &[Block], own: bool, place: usize) -> Item<'_> {
    let phase = blocks.iter().find_map(|block| match block {
        Block::Text(text) => text.phase.as_deref(),
        Block::Reasoning(_)
        | Block::Refusal(_)
        | Block::ToolCall(_)
        | Block::ToolResult(_)
        | Block::Opaque(_) => None,
    });
    let phase = phase.filter(|_| own);
    let id = blocks.first().and_then(item_of).filter(|_| own);
    if let ([Block::Text(text)], None) = (blocks, id)
        && (text.annotations.is_empty() || !own)
    {
        let content = Content::Text(Cow::Borrowed(&text.text));
        return Item::Typed(Typed::Message { role: "assistant", content, phase, id: None, status: None });
    }
    let parts = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => {
                let annotations =
                    if own { text.annotations.iter().map(Raw::of).collect() } else { Vec::new() };
                Some(Part::Typed(TypedPart::OutputText { text: &text.text, annotations }))
            }
            Block::Refusal(refusal) => Some(Part::Typed(TypedPart::Refusal { refusal: &refusal.text })),
            Block::Reasoning(_) | Block::ToolCall(_) | Block::ToolResult(_) | Block::Opaque(_) => None,
        })
        .collect();
    Item::Typed(Typed::Message {
        role: "assistant",
        content: Content::Parts(parts),
        phase,
        id: Some(id.map_or_else(|| Cow::Owned(format!("msg_{place:04}")), Cow::Borrowed)),
        status: Some("completed"),
    })
}

fn thought(reasoning: &Reasoning, needs_encrypted: bool) -> Option<Item<'_>> {
    let Reasoning::Item { id: Some(id), summary, content, encrypted } = reasoning else {
        return None;
    };
    if needs_encrypted && encrypted.is_none() {
        return None;
    }
    Some(Item::Typed(Typed::Reasoning {
        id: id.as_str(),
        summary: summary.iter().map(|text| Part::Typed(TypedPart::SummaryText { text })).collect(),
        content: content.iter().map(|text| Part::Typed(TypedPart::ReasoningText { text })).collect(),
        encrypted_content: encrypted.as_deref(),
    }))
}

fn made_call<'a>(call: &'a ToolCall, own: bool, ids: &mut IdMap) -> Item<'a> {
    let (call_id, name) = (ids.assign(&call.call_id), sendable_name(&call.name));
    let id = call.item_id.as_ref().filter(|_| own).map(tata_core::ItemId::as_str);
    let extra = call.extra.as_ref().filter(|_| own).and_then(|extra| extra.to_value().as_object().cloned());
    Item::Typed(match call.kind {
        CallKind::Custom => Typed::CustomToolCall { call_id, name, input: &call.arguments, id, extra },
        CallKind::Function | CallKind::LegacyFunction => {
            let arguments = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
            Typed::FunctionCall { call_id, name, arguments: Cow::Borrowed(arguments), id, extra }
        }
    })
}

fn result<'a>(
    result: &'a ToolResult,
    calls: &[Block],
    speaks: bool,
    ids: &mut IdMap,
    warnings: &mut Vec<WireWarning>,
) -> Item<'a> {
    let custom = calls.iter().any(|block| {
        matches!(block, Block::ToolCall(call) if call.call_id == result.call_id && call.kind == CallKind::Custom)
    });
    let call_id = ids.answer(&result.call_id);
    let has_parts = result.content.iter().any(|part| match part {
        ResultPart::Text(_) | ResultPart::Own(_) => false,
        ResultPart::Image(image) => can_be_seen(image),
        ResultPart::Opaque(_) => speaks,
    });
    let output = if has_parts {
        let error = result.is_error.then_some(TypedPart::InputText { text: Cow::Borrowed("Error:") });
        let sent = result.content.iter().filter(|part| !matches!(part, ResultPart::Own(_)));
        let parts = sent.map(|part| match part {
            ResultPart::Text(text) | ResultPart::Own(text) => {
                Part::Typed(TypedPart::InputText { text: Cow::Borrowed(text) })
            }
            ResultPart::Image(image) if can_be_seen(image) => Part::Typed(TypedPart::InputImage {
                image_url: format!("data:{};base64,{}", image.media_type, image.data),
            }),
            ResultPart::Image(image) => {
                Part::Typed(TypedPart::InputText { text: not_seen(image, warnings).into() })
            }
            ResultPart::Opaque(opaque) if speaks => Part::Raw(Raw::of(&opaque.json)),
            ResultPart::Opaque(opaque) => {
                Part::Typed(TypedPart::InputText { text: left_out(opaque, warnings).into() })
            }
        });
        Content::Parts(error.map(Part::Typed).into_iter().chain(parts).collect())
    } else {
        Content::Text(Cow::Owned(result_text(result, warnings)))
    };
    Item::Typed(if custom {
        Typed::CustomToolCallOutput { call_id, output }
    } else {
        Typed::FunctionCallOutput { call_id, output }
    })
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::None => json!("none"),
        ToolChoice::Required => json!("required"),
        ToolChoice::Named(name) => json!({"type": "function", "name": name}),
    }
}
