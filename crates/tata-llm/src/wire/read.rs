//! What the three wires share when a request is read back to ours.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tata_core::{
    Block, CallId, CallKind, CallState, Delivery, IdOrigin, Message, ModelRequest, Opaque, Origin, RawJson,
    ResultPart, Role, ToolCall, ToolChoice, ToolDefinition,
};

use super::lenient::{Index, List, Str, is_json_object};

/// A request that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not the JSON of this wire.
    #[error("the request is not valid: {0}")]
    NotJson(#[from] serde_json::Error),
    /// A message breaks the rules of its form.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// A tool's name cannot be used.
    #[error(transparent)]
    ToolName(#[from] tata_core::ToolNameError),
    /// A message's role is not one of this wire's.
    #[error("message {at}: unknown role {role:?}")]
    UnknownRole {
        /// Its place, from 1.
        at: usize,
        /// What it says.
        role: String,
    },
}

/// A message that breaks the rules of its form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// Use one of the known roles.
    #[error(
        "message {at}: role must be one of system, developer, user, assistant, tool, function, not {role:?}"
    )]
    UnknownRole {
        /// Its place, from 1.
        at: usize,
        /// What it says.
        role: String,
    },
    /// Say something, or call something.
    #[error("message {at}: content is required for role {role:?} unless the message calls a tool")]
    MissingContent {
        /// Its place, from 1.
        at: usize,
        /// Its role.
        role: String,
    },
    /// A function's answer needs the function's name.
    #[error("message {at}: name is required when role is \"function\"")]
    MissingName {
        /// Its place, from 1.
        at: usize,
    },
    /// Only the assistant calls.
    #[error(
        "message {at}: function_call and tool_calls are only valid when role is \"assistant\", not {role:?}"
    )]
    CallByOther {
        /// Its place, from 1.
        at: usize,
        /// Its role.
        role: String,
    },
    /// A tool's answer needs the id of its call.
    #[error("message {at}: tool_call_id is required when role is \"tool\"")]
    MissingToolCallId {
        /// Its place, from 1.
        at: usize,
    },
    /// Not the JSON of a message.
    #[error("message {at}: {problem}")]
    NotAMessage {
        /// Its place, from 1.
        at: usize,
        /// What is wrong.
        problem: String,
    },
}

/// The options that two or three wires share, by their names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Common<'a> {
    pub(crate) temperature: Option<f64>,
    pub(crate) top_p: Option<f64>,
    pub(crate) stream: Option<bool>,
    pub(crate) parallel_tool_calls: Option<bool>,
    pub(crate) max_tokens: Index,
    pub(crate) max_completion_tokens: Index,
    pub(crate) max_output_tokens: Index,
    pub(crate) tool_choice: Option<Value>,
    pub(crate) tools: Vec<Value>,
    pub(crate) stop: Option<Value>,
    #[serde(borrow)]
    pub(crate) stop_sequences: List<Str<'a>>,
}

impl Common<'_> {
    /// Our request with these options and the given conversation.
    pub(crate) fn request(self, messages: Vec<Message>) -> Result<ModelRequest, ReadError> {
        let tools = self.tools.iter().filter_map(definition).collect::<Result<Vec<_>, _>>()?;
        let stop_sequences = match self.stop {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(_) | None => self.stop_sequences.0.into_iter().filter_map(Str::into_string).collect(),
        };
        let choice = self.tool_choice.unwrap_or_default();
        let inverted = choice.get("disable_parallel_tool_use").and_then(Value::as_bool).map(|off| !off);
        Ok(ModelRequest {
            messages,
            tools: tools.into(),
            tool_choice: tool_choice(&choice),
            parallel_tools: self.parallel_tool_calls.or(inverted),
            max_output_tokens: self
                .max_output_tokens
                .0
                .or(self.max_completion_tokens.0)
                .or(self.max_tokens.0),
            temperature: self.temperature,
            top_p: self.top_p,
            stop_sequences,
            delivery: if self.stream == Some(true) { Delivery::Streamed } else { Delivery::Whole },
            ..ModelRequest::default()
        })
    }
}

/// A function tool in any of the three forms; tools that the provider runs itself are none of ours.
fn definition(tool: &Value) -> Option<Result<ToolDefinition, tata_core::ToolNameError>> {
    let kind = tool.get("type").and_then(Value::as_str);
    let form = match kind {
        Some("function") => tool.get("function").unwrap_or(tool),
        Some("custom") | None => tool,
        Some(_) => return None,
    };
    let name = form.get("name")?.as_str()?;
    let description = form.get("description").and_then(Value::as_str).unwrap_or_default();
    let schema = form.get("parameters").or_else(|| form.get("input_schema")).cloned().unwrap_or_default();
    let strict = form.get("strict").and_then(Value::as_bool).unwrap_or(false);
    Some(ToolDefinition::new(name, description, schema).map(|tool| ToolDefinition { strict, ..tool }))
}

fn tool_choice(choice: &Value) -> ToolChoice {
    let kind = choice.as_str().or_else(|| choice.get("type")?.as_str());
    let name = choice.get("name").or_else(|| choice.pointer("/function/name")).and_then(Value::as_str);
    match (kind, name) {
        (Some("none"), _) => ToolChoice::None,
        (Some("required" | "any"), _) => ToolChoice::Required,
        (_, Some(name)) => ToolChoice::Named(name.to_owned()),
        (_, None) => ToolChoice::Auto,
    }
}

/// A block we keep as it is.
pub(crate) fn opaque(raw: &RawValue) -> Opaque {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Head<'a> {
        #[serde(borrow, rename = "type")]
        kind: Str<'a>,
        #[serde(borrow)]
        id: Str<'a>,
        #[serde(borrow)]
        name: Str<'a>,
    }
    let head: Head<'_> = serde_json::from_str(raw.get()).unwrap_or_default();
    let kind = head.kind.or_empty().to_owned();
    Opaque { kind, id: head.id.owned(), name: head.name.owned(), json: RawJson::from(raw) }
}

/// Content that is a text or a list of parts; `is_text` says which parts are text.
pub(crate) fn content(raw: Option<&RawValue>, is_text: fn(&str) -> bool) -> Vec<Block> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Part<'a> {
        #[serde(borrow, rename = "type")]
        kind: Str<'a>,
        #[serde(borrow)]
        text: Str<'a>,
    }
    let Some(raw) = raw else { return Vec::new() };
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        return vec![Block::text(text)];
    }
    let parts: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    parts
        .into_iter()
        .map(|raw| {
            let part: Part<'_> = serde_json::from_str(raw.get()).unwrap_or_default();
            if is_text(part.kind.or_empty()) {
                Block::text(part.text.or_empty())
            } else {
                Block::Opaque(opaque(raw))
            }
        })
        .collect()
}

/// The same content as parts of a tool's answer.
pub(crate) fn result_parts(blocks: Vec<Block>) -> Vec<ResultPart> {
    blocks
        .into_iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(ResultPart::Text(text.text)),
            Block::Opaque(opaque) => Some(ResultPart::Opaque(opaque)),
            Block::Reasoning(_) | Block::Refusal(_) | Block::ToolCall(_) | Block::ToolResult(_) => None,
        })
        .collect()
}

/// A message we read: it has an origin where it holds something only that origin understands.
pub(crate) fn message(role: Role, blocks: Vec<Block>, origin: &Origin) -> Message {
    let holds_opaque = blocks.iter().any(|block| match block {
        Block::Opaque(_) => true,
        Block::ToolResult(result) => result.content.iter().any(|part| matches!(part, ResultPart::Opaque(_))),
        Block::Text(_) | Block::Reasoning(_) | Block::Refusal(_) | Block::ToolCall(_) => false,
    });
    let origin = (role == Role::Assistant || holds_opaque).then(|| origin.clone());
    Message { role, blocks: blocks.into(), origin }
}

/// A call of a history: finished if its arguments can be read.
pub(crate) fn read_call(
    call_id: CallId,
    id_origin: IdOrigin,
    kind: CallKind,
    name: &str,
    text: String,
) -> ToolCall {
    let arguments = if kind != CallKind::Custom && text.trim().is_empty() { "{}".to_owned() } else { text };
    let readable = kind == CallKind::Custom || is_json_object(&arguments);
    let state = if readable { CallState::Finished } else { CallState::Broken };
    ToolCall { id_origin, kind, state, ..ToolCall::function(call_id, name, arguments) }
}

/// Appends blocks to the last message if it has the same role, else as a new one.
pub(crate) fn append(messages: &mut Vec<Message>, next: Message) {
    match messages.last_mut() {
        Some(last) if last.role == next.role => {
            last.blocks.extend(next.blocks);
            last.origin = last.origin.take().or(next.origin);
        }
        Some(_) | None => messages.push(next),
    }
}
