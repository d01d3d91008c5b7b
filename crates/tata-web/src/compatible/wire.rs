//! The shapes of requests as their clients send them. What we do not know is left aside: clients send much that has
//! nothing to do with an agent.

use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    history::{AgentStep, AskedCall, BroughtResult, ClientRequest, Step},
    identity::{Identity, IdentityFields},
    references::Given,
    tools::described,
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
    #[serde(flatten)]
    identity: IdentityFields,
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
        pattern = "^resp_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}_[0-9]{1,6}(_[0-9]{1,9})?$"
    )]
    pub(super) previous_response_id: Option<String>,
    /// The conversation that this one belongs to.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^conv_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
    pub(super) conversation: Option<WireConversation>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    tools: Option<Vec<Value>>,
    /// What the client tells a model before everything else. An agent has its own instructions.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    instructions: Option<Value>,
    #[serde(flatten)]
    identity: IdentityFields,
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
    /// An item of an answer that was given here, named instead of brought.
    #[serde(default)]
    id: Option<String>,
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
    /// The calls of an answer, in the older API.
    #[serde(default)]
    tool_calls: Option<Vec<WireCall>>,
    /// A call that is an item of its own, in the newer one.
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct WireCall {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<WireFunction>,
}

#[derive(Debug, Deserialize)]
struct WireFunction {
    name: String,
    #[serde(default)]
    arguments: Option<Value>,
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
    pub(super) fn asked(&self, headers: &HeaderMap) -> Result<ClientRequest, Problem> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(unsupported("n", "One answer is given; n must be 1."));
        }
        let tools = described(self.tools.as_deref())?;
        let identity = Identity::of(&self.identity, headers);
        Ok(ClientRequest { tools, identity, ..said(&self.messages, "messages", &Given::default())? })
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().and_then(|options| options.include_usage).unwrap_or(false)
    }
}

impl ResponseRequest {
    /// The ids of items of earlier answers that are named instead of brought, each with its place.
    pub(super) fn references(&self) -> Vec<(String, &str)> {
        let WireInput::Items(items) = &self.input else { return Vec::new() };
        let named = items.iter().enumerate().filter(|(_, item)| item.is_reference());
        named.map(|(at, item)| (format!("input[{at}]"), item.id.as_deref().unwrap_or_default())).collect()
    }

    /// What was said, in order.
    pub(super) fn asked(&self, headers: &HeaderMap, given: Given) -> Result<ClientRequest, Problem> {
        let mut asked = match &self.input {
            WireInput::Text(text) => {
                ClientRequest { steps: vec![Step::Person(vec![text.clone()])], ..ClientRequest::default() }
            }
            WireInput::Items(items) => said(items, "input", &given)?,
        };
        if let Some(instructions) = self.instructions.as_ref().and_then(Value::as_str) {
            asked.instructions.insert_str(0, &format!("{instructions}\n"));
        }
        asked.tools = described(self.tools.as_deref())?;
        asked.identity = Identity::of(&self.identity, headers);
        asked.named = given.sessions;
        Ok(asked)
    }
}

impl WireMessage {
    fn is_reference(&self) -> bool {
        let bare =
            || self.kind.is_none() && self.role.is_empty() && self.content.is_none() && self.id.is_some();
        self.kind.as_deref() == Some("item_reference") || bare()
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

fn said(messages: &[WireMessage], field: &str, given: &Given) -> Result<ClientRequest, Problem> {
    let mut asked = ClientRequest::default();
    for (at, message) in messages.iter().enumerate() {
        let place = format!("{field}[{at}]");
        if message.is_reference() {
            let item = message.id.as_deref().and_then(|id| given.items.get(id));
            let item = item.ok_or_else(|| {
                unsupported(&place, "Send the item itself; nothing is named by an id here.")
            })?;
            asked.push(Step::Agent(item.clone()));
            continue;
        }
        let text = || text_of(message.content.as_ref(), &place);
        match (message.kind.as_deref(), message.role.as_str()) {
            // Only the provider that made it could read it.
            (Some("reasoning"), _) => {}
            (Some("function_call"), _) => {
                let calls = vec![call(
                    message.call_id.as_deref(),
                    message.name.as_deref(),
                    message.arguments.as_ref(),
                    &place,
                )?];
                asked.push(Step::Agent(AgentStep { text: String::new(), calls }));
            }
            (Some("function_call_output"), _) => {
                let result = brought(message.call_id.as_deref(), message.output.as_ref(), &place)?;
                asked.push(Step::Results(vec![result]));
            }
            (None | Some("message"), "tool") => {
                let result = brought(message.tool_call_id.as_deref(), message.content.as_ref(), &place)?;
                asked.push(Step::Results(vec![result]));
            }
            (None | Some("message"), "user") => asked.push(Step::Person(vec![text()?])),
            (None | Some("message"), "assistant") => {
                let mut answer = AgentStep { text: text()?, calls: Vec::new() };
                for one in message.tool_calls.iter().flatten() {
                    let function = one.function.as_ref();
                    let name = function.map(|function| function.name.as_str());
                    let arguments = function.and_then(|function| function.arguments.as_ref());
                    answer.calls.push(call(one.id.as_deref(), name, arguments, &place)?);
                }
                asked.push(Step::Agent(answer));
            }
            // An agent has its own instructions.
            (None | Some("message"), "system" | "developer") => {
                asked.instructions.push_str(&text()?);
                asked.instructions.push('\n');
            }
            (None | Some("message"), other) => {
                let other: String = other.chars().take(40).collect();
                return Err(unsupported(&place, &format!("The role {other:?} cannot be taken in.")));
            }
            (Some(_), _) => {
                let detail = "Only messages, and calls and results of tools can be taken in.";
                return Err(unsupported(&place, detail));
            }
        }
    }
    Ok(asked)
}

fn call(
    id: Option<&str>,
    name: Option<&str>,
    arguments: Option<&Value>,
    place: &str,
) -> Result<AskedCall, Problem> {
    let (Some(id), Some(name)) = (id, name) else {
        return Err(unsupported(place, "A call must have its id and the name of its function."));
    };
    let arguments = match arguments {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    Ok(AskedCall { id: id.to_owned(), name: name.to_owned(), arguments })
}

fn brought(id: Option<&str>, output: Option<&Content>, place: &str) -> Result<BroughtResult, Problem> {
    let id = id.ok_or_else(|| unsupported(place, "A result must name the id of its call."))?;
    Ok(BroughtResult { call_id: id.to_owned(), output: text_of(output, place)? })
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
