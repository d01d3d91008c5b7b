//! A Messages request back to ours.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use tata_core::{
    Block, CallId, CallKind, IdOrigin, Message, ModelRequest, Name, Origin, RawJson, Reasoning, Role, Text,
    ToolResult,
};

use super::wire::ContentBlock;
use crate::wire::{
    lenient::{List, Str},
    read::{Common, ReadError, append, content, message, opaque, read_call, result_parts},
};

pub(crate) fn read(body: &str, origin: &Origin) -> Result<ModelRequest, ReadError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct OutputConfig<'a> {
        #[serde(borrow)]
        effort: Str<'a>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Body<'a> {
        #[serde(borrow)]
        system: Option<&'a RawValue>,
        #[serde(borrow)]
        messages: List<Turn<'a>>,
        #[serde(borrow)]
        output_config: OutputConfig<'a>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Turn<'a> {
        #[serde(borrow)]
        role: Str<'a>,
        #[serde(borrow)]
        content: Option<&'a RawValue>,
    }
    let common: Common<'_> = serde_json::from_str(body)?;
    let rest: Body<'_> = serde_json::from_str(body)?;
    let mut messages: Vec<Message> = content(rest.system, |kind| kind == "text")
        .into_iter()
        .map(|block| message(Role::System, vec![block], origin))
        .collect();
    let mut names = HashMap::new();
    for (place, turn) in rest.messages.0.iter().enumerate() {
        match turn.role.or_empty() {
            "assistant" => {
                let blocks = assistant(turn.content, &mut names);
                append(&mut messages, message(Role::Assistant, blocks, origin));
            }
            "user" => {
                let (results, said) = user(turn.content, &names);
                for (role, blocks) in [(Role::Tool, results), (Role::User, said)] {
                    if !blocks.is_empty() {
                        append(&mut messages, message(role, blocks, origin));
                    }
                }
            }
            "system" => {
                messages.push(message(Role::System, content(turn.content, |kind| kind == "text"), origin));
            }
            role => {
                return Err(ReadError::UnknownRole { at: place + 1, role: role.to_owned() });
            }
        }
    }
    let mut request = common.request(messages)?;
    request.effort = rest.output_config.effort.owned();
    Ok(request)
}

fn blocks(raw: Option<&RawValue>) -> Vec<&RawValue> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

fn assistant(raw: Option<&RawValue>, names: &mut HashMap<CallId, Name>) -> Vec<Block> {
    if raw.is_some_and(|raw| raw.get().starts_with('"')) {
        return content(raw, |_| true);
    }
    let mut out = Vec::new();
    for raw in blocks(raw) {
        let block: ContentBlock<'_> = serde_json::from_str(raw.get()).unwrap_or_default();
        out.push(match block.kind.or_empty() {
            "text" => Block::Text(Text {
                text: block.text.or_empty().to_owned(),
                annotations: block.citations.0.iter().map(|raw| RawJson::from(*raw)).collect(),
                ..Text::default()
            }),
            "thinking" => Block::Reasoning(Reasoning::Signed {
                text: block.thinking.or_empty().to_owned(),
                signature: block.signature.owned(),
            }),
            "redacted_thinking" => {
                Block::Reasoning(Reasoning::Redacted { data: block.data.or_empty().to_owned() })
            }
            "tool_use" => {
                let input = block.input.map_or("{}", RawValue::get).to_owned();
                let (id, name) = (CallId::from(block.id.or_empty()), block.name.or_empty());
                names.insert(id.clone(), name.into());
                Block::ToolCall(read_call(id, IdOrigin::Given, CallKind::Function, name, input))
            }
            _ => Block::Opaque(opaque(raw)),
        });
    }
    out
}

/// Results and words of one user turn, apart.
fn user(raw: Option<&RawValue>, names: &HashMap<CallId, Name>) -> (Vec<Block>, Vec<Block>) {
    if raw.is_some_and(|raw| raw.get().starts_with('"')) {
        return (Vec::new(), content(raw, |_| true));
    }
    let (mut results, mut said) = (Vec::new(), Vec::new());
    for raw in blocks(raw) {
        let block: ContentBlock<'_> = serde_json::from_str(raw.get()).unwrap_or_default();
        match block.kind.or_empty() {
            "tool_result" => {
                let call_id = CallId::from(block.tool_use_id.or_empty());
                results.push(Block::ToolResult(ToolResult {
                    name: names.get(&call_id).cloned().unwrap_or_default(),
                    call_id,
                    content: result_parts(content(block.content, |kind| kind == "text")),
                    is_error: block.is_error == Some(true),
                }));
            }
            "text" => said.push(Block::text(block.text.or_empty())),
            _ => said.push(Block::Opaque(opaque(raw))),
        }
    }
    (results, said)
}
