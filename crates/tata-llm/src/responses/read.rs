//! A Responses request back to ours.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use tata_core::{
    Block, CallId, CallKind, IdOrigin, ItemId, Message, ModelRequest, Name, Origin, RawJson, Reasoning,
    Refusal, Role, Text, ToolResult,
};

use super::wire::{Item, ItemHead, Part};
use crate::wire::{
    lenient::{Arguments, Str, arguments},
    read::{Common, ReadError, append, content, message, opaque, read_call, result_parts},
};

#[derive(Default, Deserialize)]
#[serde(default)]
struct InputHead<'a> {
    #[serde(borrow)]
    role: Str<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    call_id: Str<'a>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
}

pub(crate) fn read(body: &str, origin: &Origin) -> Result<ModelRequest, ReadError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Effort<'a> {
        #[serde(borrow)]
        effort: Str<'a>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Body<'a> {
        #[serde(borrow)]
        instructions: Str<'a>,
        #[serde(borrow)]
        input: Option<&'a RawValue>,
        #[serde(borrow)]
        reasoning: Option<Effort<'a>>,
    }
    let common: Common<'_> = serde_json::from_str(body)?;
    let rest: Body<'_> = serde_json::from_str(body)?;
    let mut messages = Vec::new();
    if let Some(text) = rest.instructions.get() {
        messages.push(Message::system(text));
    }
    let mut names = HashMap::new();
    match rest.input {
        Some(raw) if raw.get().starts_with('"') => {
            messages.push(message(Role::User, content(Some(raw), is_text), origin));
        }
        Some(raw) => {
            for (place, raw) in serde_json::from_str::<Vec<&RawValue>>(raw.get())?.into_iter().enumerate() {
                item(raw, place + 1, origin, &mut names, &mut messages)?;
            }
        }
        None => {}
    }
    let mut request = common.request(messages)?;
    request.effort = rest.reasoning.and_then(|reasoning| reasoning.effort.owned());
    Ok(request)
}

fn is_text(kind: &str) -> bool {
    matches!(kind, "input_text" | "output_text" | "text")
}

fn item(
    raw: &RawValue,
    at: usize,
    origin: &Origin,
    names: &mut HashMap<CallId, Name>,
    messages: &mut Vec<Message>,
) -> Result<(), ReadError> {
    let head: ItemHead<'_> = serde_json::from_str(raw.get())?;
    let input: InputHead<'_> = serde_json::from_str(raw.get())?;
    let said = |blocks: Vec<Block>, messages: &mut Vec<Message>| {
        append(messages, message(Role::Assistant, blocks, origin));
    };
    match head.kind.non_empty().unwrap_or("message") {
        "message" => match input.role.or_empty() {
            "system" | "developer" => {
                messages.push(message(Role::System, content(input.content, is_text), origin));
            }
            "user" => messages.push(message(Role::User, content(input.content, is_text), origin)),
            "assistant" => said(assistant_text(raw, input.content)?, messages),
            role => {
                return Err(ReadError::UnknownRole { at, role: role.to_owned() });
            }
        },
        kind @ ("function_call" | "custom_tool_call") => {
            let item: Item<'_> = serde_json::from_str(raw.get())?;
            let (kind, text) = if kind == "custom_tool_call" {
                (CallKind::Custom, item.input.or_empty().to_owned())
            } else {
                let text = match arguments(item.arguments) {
                    Some(Arguments::Text(text) | Arguments::Value(text)) => text,
                    None => String::new(),
                };
                (CallKind::Function, text)
            };
            let id = CallId::from(item.call_id.or_empty());
            names.insert(id.clone(), item.name.or_empty().into());
            let mut call = read_call(id, IdOrigin::Given, kind, item.name.or_empty(), text);
            call.item_id = item.id.non_empty().map(ItemId::from);
            said(vec![Block::ToolCall(call)], messages);
        }
        "function_call_output" | "custom_tool_call_output" => {
            let call_id = CallId::from(input.call_id.or_empty());
            let name = names.get(&call_id).cloned().unwrap_or_default();
            let content = result_parts(content(input.output, is_text));
            let result = ToolResult { call_id, name, content, is_error: false };
            append(messages, message(Role::Tool, vec![Block::ToolResult(result)], origin));
        }
        "reasoning" => {
            let item: Item<'_> = serde_json::from_str(raw.get())?;
            let texts =
                |parts: &[Part<'_>]| parts.iter().map(|part| part.text.or_empty().to_owned()).collect();
            let reasoning = Reasoning::Item {
                id: item.id.non_empty().map(ItemId::from),
                summary: texts(&item.summary.0),
                content: texts(&item.content.0),
                encrypted: item.encrypted_content.owned(),
            };
            said(vec![Block::Reasoning(reasoning)], messages);
        }
        _ => said(vec![Block::Opaque(opaque(raw))], messages),
    }
    Ok(())
}

fn assistant_text(raw: &RawValue, body: Option<&RawValue>) -> Result<Vec<Block>, ReadError> {
    let item: Item<'_> = serde_json::from_str(raw.get())?;
    let (phase, item_id) = (item.phase.owned(), item.id.non_empty().map(ItemId::from));
    if body.is_some_and(|raw| raw.get().starts_with('"')) {
        let text = body.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        return Ok(vec![Block::Text(Text { text, phase, item_id, annotations: Vec::new() })]);
    }
    Ok(item
        .content
        .0
        .iter()
        .map(|part| {
            let item_id = item_id.clone();
            if part.kind.get() == Some("refusal") {
                return Block::Refusal(Refusal { text: part.refusal.or_empty().to_owned(), item_id });
            }
            let annotations = part.annotations.0.iter().map(|raw| RawJson::from(*raw)).collect();
            Block::Text(Text {
                text: part.text.or_empty().to_owned(),
                annotations,
                phase: phase.clone(),
                item_id,
            })
        })
        .collect())
}
