//! Tools as a model sees them: a definition, a call, a result.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ArgumentsError, CallId, IdOrigin, ItemId, Name, Opaque, RawJson, ToolNameError};

/// The longest tool name that every provider takes.
pub const MAX_TOOL_NAME: usize = 64;

/// What a model is told about a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// `[A-Za-z0-9_-]`, at most [`MAX_TOOL_NAME`] characters.
    pub name: String,
    /// What it does, when to call it, what it requires.
    pub description: String,
    /// JSON Schema of the arguments object.
    pub schema: Value,
    /// Ask the provider to guarantee arguments that fit the schema, where it can.
    pub strict: bool,
}

impl ToolDefinition {
    /// Checks the name and defines a tool.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Value,
    ) -> Result<Self, ToolNameError> {
        let name = name.into();
        check_tool_name(&name)?;
        Ok(Self { name, description: description.into(), schema, strict: false })
    }
}

/// What running a tool changes, and so what may happen to it after a crash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing: it may run again.
    Read,
    /// Only our own store, together with its result: it may run again until the result is stored.
    Own,
    /// The world: it never runs again unless a person says so.
    #[default]
    Outward,
}

/// Checks a tool name against the rule that every provider shares.
pub fn check_tool_name(name: &str) -> Result<(), ToolNameError> {
    let ok = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() {
        Err(ToolNameError::Empty)
    } else if name.len() > MAX_TOOL_NAME {
        Err(ToolNameError::TooLong { name: name.to_owned(), length: name.len() })
    } else if let Some(bad) = name.chars().find(|c| !ok(*c)) {
        Err(ToolNameError::BadCharacter { name: name.to_owned(), bad })
    } else {
        Ok(())
    }
}

/// The form in which a call was made, and in which its result goes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    /// JSON arguments.
    #[default]
    Function,
    /// Raw text input that is not JSON.
    Custom,
    /// The old single `function_call`: it has no id, its result goes back by name.
    LegacyFunction,
}

/// How far a call has come. Only a finished call of a complete reply may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// Pieces are still arriving.
    Streaming,
    /// Received whole; its arguments can be read.
    #[default]
    Finished,
    /// Cut off, or its arguments cannot be read.
    Broken,
}

/// A model's wish to run a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The key: results, state and logs use it.
    pub call_id: CallId,
    /// How the key came about.
    #[serde(default)]
    pub id_origin: IdOrigin,
    /// The provider's item id, secondary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
    /// JSON, raw text or legacy.
    #[serde(default)]
    pub kind: CallKind,
    /// The tool's name as the model wrote it.
    pub name: Name,
    /// The exact argument text, never a re-serialised value. A finished call without arguments reads `{}`.
    pub arguments: String,
    /// How far the call has come.
    #[serde(default)]
    pub state: CallState,
    /// Further fields the provider wants echoed (`namespace`, `caller`), as one JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<RawJson>,
}

impl ToolCall {
    /// A finished function call with an id the provider gave.
    pub fn function(call_id: impl Into<CallId>, name: impl Into<Name>, arguments: impl Into<String>) -> Self {
        Self {
            call_id: call_id.into(),
            id_origin: IdOrigin::Given,
            item_id: None,
            kind: CallKind::Function,
            name: name.into(),
            arguments: arguments.into(),
            state: CallState::Finished,
            extra: None,
        }
    }

    /// Parses the arguments. Blank text is an empty object; anything else that is not an object is an error,
    /// never `{}`.
    ///
    /// ```
    /// use tata_core::ToolCall;
    ///
    /// let call = ToolCall::function("call_1", "get_weather", r#"{"city": "Oslo"}"#);
    /// assert_eq!(call.parse_arguments()?["city"], "Oslo");
    /// assert!(ToolCall::function("call_2", "ping", " ").parse_arguments()?.is_empty());
    /// assert!(ToolCall::function("call_3", "ping", "{\"half").parse_arguments().is_err());
    /// # Ok::<(), tata_core::ArgumentsError>(())
    /// ```
    pub fn parse_arguments(&self) -> Result<Map<String, Value>, ArgumentsError> {
        if self.arguments.trim().is_empty() {
            return Ok(Map::new());
        }
        match serde_json::from_str(&self.arguments) {
            Ok(Value::Object(map)) => Ok(map),
            Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
                Err(ArgumentsError::NotAnObject { tool: self.name.clone() })
            }
            Err(source) => Err(ArgumentsError::NotJson { tool: self.name.clone(), source }),
        }
    }
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call it answers.
    pub call_id: CallId,
    /// The tool's name; the legacy form needs it.
    pub name: Name,
    /// The answer.
    pub content: Vec<ResultPart>,
    /// The tool failed, and the content says how.
    #[serde(default)]
    pub is_error: bool,
}

/// One part of a tool's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultPart {
    /// Text, usually JSON.
    Text(String),
    /// A picture, for models that can see.
    Image(Image),
    /// An image or document, as the provider's JSON.
    Opaque(Opaque),
    /// The whole of it as JSON, for a model in this process and for programs: no wire sends it.
    Own(String),
}

/// A picture that a tool brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its media type, e.g. `image/png`.
    pub media_type: String,
    /// Its bytes, in Base64.
    pub data: String,
}

impl ToolResult {
    /// A textual answer to `call`.
    pub fn text(call: &ToolCall, text: impl Into<String>) -> Self {
        Self {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            content: vec![ResultPart::Text(text.into())],
            is_error: false,
        }
    }

    /// A failure, in words the model can act on.
    pub fn error(call: &ToolCall, text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(call, text) }
    }

    /// All text parts joined.
    pub fn joined_text(&self) -> String {
        self.content
            .iter()
            .filter_map(|part| match part {
                ResultPart::Text(text) => Some(text.as_str()),
                ResultPart::Image(_) | ResultPart::Opaque(_) | ResultPart::Own(_) => None,
            })
            .collect()
    }

    /// The whole of it, where the text is a shorter form for models elsewhere.
    pub fn own(&self) -> Option<&str> {
        self.content
            .iter()
            .find_map(|part| if let ResultPart::Own(json) = part { Some(json.as_str()) } else { None })
    }
}
