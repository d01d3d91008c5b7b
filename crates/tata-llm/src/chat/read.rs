//! Conversations in the Chat Completions form, read and written, the legacy `function_call` included.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tata_core::{
    Block, CallId, CallKind, IdOrigin, Message, ModelRequest, Name, Origin, Reasoning, Refusal, Role,
    ToolCall, ToolResult,
};

use super::{encode, wire::FunctionDelta};
use crate::{
    catalog::neutral,
    wire::{
        Wire,
        encode::{Target, WrittenTools},
        lenient::{Arguments, List, Str, arguments},
        read::{Common, MessageError, ReadError, append, content, message, read_call, result_parts},
    },
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WireMessage<'a> {
    #[serde(borrow)]
    role: Str<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    refusal: Str<'a>,
    #[serde(borrow)]
    reasoning_content: Str<'a>,
    #[serde(borrow)]
    tool_calls: List<WireCall<'a>>,
    #[serde(borrow)]
    function_call: Option<FunctionDelta<'a>>,
    #[serde(borrow)]
    tool_call_id: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WireCall<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    function: Option<FunctionDelta<'a>>,
    #[serde(borrow)]
    custom: Option<super::wire::CustomDelta<'a>>,
}

/// Writes a conversation in this form, exactly: nothing is paired, cut or mended.
#[doc(alias = "to_openai_format")]
pub fn messages_to_json(messages: &[Message]) -> Result<Vec<Value>, serde_json::Error> {
    let (spec, provider) = neutral(Wire::Chat);
    let written = WrittenTools::default();
    let target = Target { spec: &spec, provider: &provider, omit: &[], written: &written };
    encode::written(messages, &target)
}

/// Reads a conversation in this form, legacy messages included, and checks its rules.
#[doc(alias = "from_openai_format")]
pub fn messages_from_json(messages: &[Value]) -> Result<Vec<Message>, MessageError> {
    let texts: Vec<String> = messages.iter().map(Value::to_string).collect();
    let raws: Vec<&str> = texts.iter().map(String::as_str).collect();
    read_messages(&raws, &Origin::new("", Wire::Chat.as_str()))
}

pub(crate) fn read(body: &str, origin: &Origin) -> Result<ModelRequest, ReadError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Body<'a> {
        #[serde(borrow)]
        messages: Vec<&'a RawValue>,
        functions: List<Value>,
        #[serde(borrow)]
        reasoning_effort: Str<'a>,
    }
    let mut common: Common<'_> = serde_json::from_str(body)?;
    let rest: Body<'_> = serde_json::from_str(body)?;
    common.tools.extend(rest.functions.0);
    let raws: Vec<&str> = rest.messages.iter().map(|raw| raw.get()).collect();
    let mut request = common.request(read_messages(&raws, origin)?)?;
    request.effort = rest.reasoning_effort.owned();
    Ok(request)
}

fn read_messages(raws: &[&str], origin: &Origin) -> Result<Vec<Message>, MessageError> {
    let mut out = Vec::new();
    let mut names: HashMap<CallId, Name> = HashMap::new();
    let mut open_legacy: Vec<(Name, CallId)> = Vec::new();
    for (place, raw) in raws.iter().enumerate() {
        let at = place + 1;
        let wire: WireMessage<'_> = serde_json::from_str(raw)
            .map_err(|error| MessageError::NotAMessage { at, problem: error.to_string() })?;
        let role = wire.role.or_empty().to_owned();
        check(&wire, &role, at)?;
        match role.as_str() {
            "system" | "developer" => out.push(message(Role::System, text_blocks(wire.content), origin)),
            "user" => out.push(message(Role::User, text_blocks(wire.content), origin)),
            "assistant" => {
                let said = assistant(&wire, at);
                for call in said.iter().filter_map(as_call) {
                    names.insert(call.call_id.clone(), call.name.clone());
                    if call.kind == CallKind::LegacyFunction {
                        open_legacy.push((call.name.clone(), call.call_id.clone()));
                    }
                }
                out.push(message(Role::Assistant, said, origin));
            }
            _ => {
                let (call_id, name) = if role == "tool" {
                    let call_id = CallId::from(wire.tool_call_id.or_empty());
                    let name = names.get(&call_id).cloned().unwrap_or_default();
                    (call_id, name)
                } else {
                    // Answers of this form match by name, in call order.
                    let name = Name::from(wire.name.or_empty());
                    let open = open_legacy.iter().position(|(open, _)| *open == name);
                    (open.map_or_else(|| legacy_id(at), |open| open_legacy.remove(open).1), name)
                };
                let content = result_parts(text_blocks(wire.content));
                let result = ToolResult { call_id, name, content, is_error: false };
                append(&mut out, message(Role::Tool, vec![Block::ToolResult(result)], origin));
            }
        }
    }
    Ok(out)
}

fn check(wire: &WireMessage<'_>, role: &str, at: usize) -> Result<(), MessageError> {
    let calls = wire.function_call.is_some() || !wire.tool_calls.0.is_empty();
    let role_text = || role.to_owned();
    match role {
        "system" | "developer" | "user" | "assistant" | "tool" | "function" => {}
        _ => {
            return Err(MessageError::UnknownRole { at, role: role_text() });
        }
    }
    if calls && role != "assistant" {
        return Err(MessageError::CallByOther { at, role: role_text() });
    }
    if wire.content.is_none() && !calls && wire.refusal.get().is_none() {
        return Err(MessageError::MissingContent { at, role: role_text() });
    }
    if role == "function" && wire.name.non_empty().is_none() {
        return Err(MessageError::MissingName { at });
    }
    if role == "tool" && wire.tool_call_id.non_empty().is_none() {
        return Err(MessageError::MissingToolCallId { at });
    }
    Ok(())
}

fn text_blocks(raw: Option<&RawValue>) -> Vec<Block> {
    content(raw, |kind| kind == "text")
}

fn as_call(block: &Block) -> Option<&ToolCall> {
    match block {
        Block::ToolCall(call) => Some(call),
        Block::Text(_)
        | Block::Reasoning(_)
        | Block::Refusal(_)
        | Block::ToolResult(_)
        | Block::Opaque(_) => None,
    }
}

fn legacy_id(at: usize) -> CallId {
    CallId::from(format!("legacy_{at}"))
}

fn assistant(wire: &WireMessage<'_>, at: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(text) = wire.reasoning_content.owned() {
        blocks.push(Block::Reasoning(Reasoning::Plain { text }));
    }
    blocks.extend(text_blocks(wire.content));
    if let Some(text) = wire.refusal.owned() {
        blocks.push(Block::Refusal(Refusal { text, item_id: None }));
    }
    for call in &wire.tool_calls.0 {
        let (kind, name, text) = match (&call.custom, &call.function) {
            (Some(custom), _) => {
                (CallKind::Custom, custom.name.or_empty(), custom.input.or_empty().to_owned())
            }
            (None, Some(function)) => (CallKind::Function, function.name.or_empty(), argument_text(function)),
            (None, None) => continue,
        };
        blocks.push(Block::ToolCall(read_call(call.id.or_empty().into(), IdOrigin::Given, kind, name, text)));
    }
    if let Some(function) = &wire.function_call {
        let (kind, name) = (CallKind::LegacyFunction, function.name.or_empty());
        let call = read_call(legacy_id(at), IdOrigin::Minted, kind, name, argument_text(function));
        blocks.push(Block::ToolCall(call));
    }
    blocks
}

fn argument_text(function: &FunctionDelta<'_>) -> String {
    match arguments(function.arguments) {
        Some(Arguments::Text(text) | Arguments::Value(text)) => text,
        None => String::new(),
    }
}
