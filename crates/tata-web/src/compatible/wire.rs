//! The shapes of requests as their clients send them. What we do not know is left aside: clients send much that has
//! nothing to do with an agent.

use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::converse::{Said, Speaker};
use crate::Problem;

/// A request for an answer to a list of messages.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ChatRequest {
    /// The name of an agent, or `agent:model`.
    pub(super) model: String,
    #[schema(value_type = Vec<Object>)]
    pub(super) messages: Vec<WireMessage>,
    #[serde(default)]
    pub(super) stream: Option<bool>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(super) stream_options: Option<StreamOptions>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    tools: Option<Vec<Value>>,
    #[serde(default)]
    n: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct StreamOptions {
    #[serde(default)]
    pub(super) include_usage: Option<bool>,
}

/// A request for a response.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ResponseRequest {
    /// The name of an agent, or `agent:model`.
    pub(super) model: String,
    #[schema(value_type = Object)]
    input: WireInput,
    #[serde(default)]
    pub(super) stream: Option<bool>,
    /// The response that this one follows.
    #[serde(default)]
    pub(super) previous_response_id: Option<String>,
    /// The conversation that this one belongs to.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(super) conversation: Option<WireConversation>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    tools: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum WireConversation {
    Id(String),
    Object { id: String },
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum WireInput {
    Text(String),
    Items(Vec<WireMessage>),
}

/// A message of either API.
#[derive(Debug, Deserialize)]
pub(super) struct WireMessage {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    role: String,
    #[serde(default)]
    content: Option<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

impl ChatRequest {
    /// What was said, in order.
    pub(super) fn said(&self) -> Result<Vec<Said>, Problem> {
        no_tools(self.tools.as_deref())?;
        if self.n.is_some_and(|n| n != 1) {
            return Err(unsupported("n", "One answer is given; n must be 1."));
        }
        said(&self.messages, "messages")
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().and_then(|options| options.include_usage).unwrap_or(false)
    }
}

impl ResponseRequest {
    /// What was said, in order.
    pub(super) fn said(&self) -> Result<Vec<Said>, Problem> {
        no_tools(self.tools.as_deref())?;
        match &self.input {
            WireInput::Text(text) => Ok(vec![Said { by: Speaker::Person, text: text.clone() }]),
            WireInput::Items(items) => said(items, "input"),
        }
    }
}

impl WireConversation {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Id(id) | Self::Object { id } => id,
        }
    }
}

fn no_tools(tools: Option<&[Value]>) -> Result<(), Problem> {
    if tools.is_none_or(<[Value]>::is_empty) {
        return Ok(());
    }
    Err(unsupported(
        "tools",
        "An agent has its own tools; those of a client cannot be called here. Leave tools out.",
    ))
}

fn unsupported(field: &str, detail: &str) -> Problem {
    Problem { field: Some(field.to_owned()), ..Problem::bad("unsupported", detail) }
}

fn said(messages: &[WireMessage], field: &str) -> Result<Vec<Said>, Problem> {
    let mut all = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let place = format!("{field}[{at}]");
        if message.kind.as_deref().is_some_and(|kind| kind != "message") {
            return Err(unsupported(
                &place,
                "Only messages can be taken in; calls and results of tools cannot.",
            ));
        }
        let by = match message.role.as_str() {
            "user" => Speaker::Person,
            "assistant" => Speaker::Agent,
            // An agent has its own instructions.
            "system" | "developer" => continue,
            other => {
                let other: String = other.chars().take(40).collect();
                return Err(unsupported(&place, &format!("The role {other:?} cannot be taken in.")));
            }
        };
        let text = match &message.content {
            None => String::new(),
            Some(Content::Text(text)) => text.clone(),
            Some(Content::Parts(parts)) => {
                let text = |part: &Part| match part.kind.as_str() {
                    "text" | "input_text" | "output_text" => part.text.clone(),
                    "refusal" => part.refusal.clone(),
                    _ => None,
                };
                let texts: Option<Vec<String>> = parts.iter().map(text).collect();
                let texts = texts
                    .ok_or_else(|| unsupported(&place, "Only text can be taken in, no images or files."))?;
                texts.join("\n\n")
            }
        };
        all.push(Said { by, text });
    }
    Ok(all)
}
