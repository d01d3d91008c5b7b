//! The shapes of requests as their clients send them. What we do not know is left aside: clients send much that has
//! nothing to do with an agent.

use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    converse::{ClientRequest, Said, Speaker},
    tools::{Brought, described},
};
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
    #[schema(minimum = 1, maximum = 1)]
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
    #[schema(value_type = String, min_length = 1, pattern = r"\S")]
    input: WireInput,
    #[serde(default)]
    pub(super) stream: Option<bool>,
    /// The response that this one follows.
    #[serde(default)]
    #[schema(
        pattern = "^resp_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}_[0-9]{1,6}$"
    )]
    pub(super) previous_response_id: Option<String>,
    /// The conversation that this one belongs to.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^conv_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
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
    /// Which call a result answers, in the older API.
    #[serde(default)]
    tool_call_id: Option<String>,
    /// The same in the newer one, and the result.
    #[serde(default)]
    call_id: Option<String>,
    #[serde(default)]
    output: Option<Content>,
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
    pub(super) fn said(&self) -> Result<ClientRequest, Problem> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(unsupported("n", "One answer is given; n must be 1."));
        }
        Ok(ClientRequest { tools: described(self.tools.as_deref())?, ..said(&self.messages, "messages")? })
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().and_then(|options| options.include_usage).unwrap_or(false)
    }
}

impl ResponseRequest {
    /// What was said, in order.
    pub(super) fn said(&self) -> Result<ClientRequest, Problem> {
        let asked = match &self.input {
            WireInput::Text(text) => ClientRequest {
                said: vec![Said { by: Speaker::Person, text: text.clone() }],
                ..ClientRequest::default()
            },
            WireInput::Items(items) => said(items, "input")?,
        };
        Ok(ClientRequest { tools: described(self.tools.as_deref())?, ..asked })
    }
}

impl WireConversation {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Id(id) | Self::Object { id } => id,
        }
    }
}

fn unsupported(field: &str, detail: &str) -> Problem {
    Problem { field: Some(field.to_owned()), ..Problem::bad("unsupported", detail) }
}

fn said(messages: &[WireMessage], field: &str) -> Result<ClientRequest, Problem> {
    let mut asked = ClientRequest::default();
    for (at, message) in messages.iter().enumerate() {
        let place = format!("{field}[{at}]");
        match (message.kind.as_deref(), message.role.as_str()) {
            // What the agent called stands in the journal.
            (Some("function_call" | "reasoning"), _) => continue,
            (Some("function_call_output"), _) => {
                asked.brought.push(brought(message.call_id.as_deref(), message.output.as_ref(), &place)?);
                continue;
            }
            (None | Some("message"), "tool") => {
                asked.brought.push(brought(
                    message.tool_call_id.as_deref(),
                    message.content.as_ref(),
                    &place,
                )?);
                continue;
            }
            (None | Some("message"), _) => {}
            (Some(_), _) => {
                return Err(unsupported(
                    &place,
                    "Only messages, and calls and results of tools can be taken in.",
                ));
            }
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
        // Results count once for what they answer; what a person said after them comes after them.
        if by == Speaker::Person {
            asked.brought.clear();
        }
        asked.said.push(Said { by, text: text_of(message.content.as_ref(), &place)? });
    }
    Ok(asked)
}

fn brought(id: Option<&str>, output: Option<&Content>, place: &str) -> Result<Brought, Problem> {
    let id = id.ok_or_else(|| unsupported(place, "A result must name the id of its call."))?;
    Ok(Brought { call_id: id.to_owned(), output: text_of(output, place)? })
}

fn text_of(content: Option<&Content>, place: &str) -> Result<String, Problem> {
    match content {
        None => Ok(String::new()),
        Some(Content::Text(text)) => Ok(text.clone()),
        Some(Content::Parts(parts)) => {
            let text = |part: &Part| match part.kind.as_str() {
                "text" | "input_text" | "output_text" => part.text.clone(),
                "refusal" => part.refusal.clone(),
                _ => None,
            };
            let texts: Option<Vec<String>> = parts.iter().map(text).collect();
            let texts =
                texts.ok_or_else(|| unsupported(place, "Only text can be taken in, no images or files."))?;
            Ok(texts.join("\n\n"))
        }
    }
}
