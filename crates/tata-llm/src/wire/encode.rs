//! What the three encoders share: the target, the options that survive its capabilities, raw JSON.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;
use serde_json::{Value, value::RawValue};
use tata_core::{
    Image, MAX_TOOL_NAME, Message, ModelRequest, Opaque, Paired, RawJson, ResultPart, Role, ToolCall,
    ToolChoice, ToolDefinition, ToolResult, WireWarning, WireWarningCode, check_tool_name,
    pair_calls_with_results,
};
use tracing::debug;

use super::schema;
use crate::catalog::{ModelSpec, ProviderSpec};

/// Whom a request is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) spec: &'a ModelSpec,
    pub(crate) provider: &'a ProviderSpec,
    /// Optional fields the provider has refused before.
    pub(crate) omit: &'a [String],
    /// The tools as they were written for an earlier request.
    pub(crate) written: &'a WrittenTools,
}

/// The tools of an agent are the same in every request: their text is kept from one to the next.
#[derive(Debug, Default)]
pub(crate) struct WrittenTools(Mutex<Option<Written>>);

#[derive(Debug)]
struct Written {
    tools: Arc<[ToolDefinition]>,
    text: Arc<RawValue>,
}

/// A request ready to send.
#[derive(Debug)]
pub(crate) struct Encoded {
    pub(crate) body: Vec<u8>,
    pub(crate) warnings: Vec<WireWarning>,
    pub(crate) correlated: u64,
    pub(crate) uncorrelated: u64,
    /// The output cap that was sent.
    pub(crate) cap: Option<u64>,
}

impl Target<'_> {
    /// The tools as JSON, each as `write` puts it; none when there are none.
    pub(crate) fn write_tools(
        &self,
        request: &ModelRequest,
        write: impl Fn(&ToolDefinition) -> Value,
    ) -> Result<Option<Arc<RawValue>>, serde_json::Error> {
        if self.tools(request).is_empty() {
            return Ok(None);
        }
        let mut kept = self.written.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The kept list is alive, so an equal address is the same list.
        if let Some(kept) = kept.as_ref().filter(|kept| Arc::ptr_eq(&kept.tools, &request.tools)) {
            return Ok(Some(Arc::clone(&kept.text)));
        }
        let written: Vec<Value> = self.tools(request).iter().map(write).collect();
        let text: Arc<RawValue> = serde_json::value::to_raw_value(&written)?.into();
        *kept = Some(Written { tools: Arc::clone(&request.tools), text: Arc::clone(&text) });
        Ok(Some(text))
    }

    /// A field that may be left out: kept unless this provider has refused it.
    pub(crate) fn keep<T>(&self, field: &str, value: Option<T>) -> Option<T> {
        value.filter(|_| !self.omits(field))
    }

    pub(crate) fn omits(&self, field: &str) -> bool {
        self.omit.iter().any(|omitted| omitted == field)
    }

    /// The sampling temperature, where the model takes one.
    pub(crate) fn temperature(&self, request: &ModelRequest) -> Option<f64> {
        self.allowed("temperature", self.spec.capabilities.temperature, request.temperature)
    }

    /// Nucleus sampling, where the model takes it.
    pub(crate) fn top_p(&self, request: &ModelRequest) -> Option<f64> {
        self.allowed("top_p", self.spec.capabilities.temperature, request.top_p)
    }

    /// The effort, where the model knows the word.
    pub(crate) fn effort<'a>(&self, request: &'a ModelRequest) -> Option<&'a str> {
        let effort = request.effort.as_deref();
        let known = effort.is_some_and(|effort| self.spec.capabilities.efforts.iter().any(|e| e == effort));
        self.allowed("effort", known, effort)
    }

    /// Stop sequences, where the model takes them.
    pub(crate) fn stop_sequences<'a>(
        &self,
        request: &'a ModelRequest,
        field: &str,
        most: usize,
    ) -> Option<&'a [String]> {
        let given = request.stop_sequences.as_slice();
        let wish = (!given.is_empty()).then(|| given.get(..most).unwrap_or(given));
        self.allowed(field, self.spec.capabilities.stop_sequences, wish)
    }

    /// Whether several calls at once are wanted, where the model can be told.
    pub(crate) fn parallel_tools(&self, request: &ModelRequest) -> Option<bool> {
        let wish = request.parallel_tools.filter(|_| !self.tools(request).is_empty());
        self.allowed("parallel_tool_calls", self.spec.capabilities.parallel_tools, wish)
    }

    /// The tools, where the model can call any.
    pub(crate) fn tools<'a>(&self, request: &'a ModelRequest) -> &'a [ToolDefinition] {
        if self.spec.capabilities.tools { &request.tools } else { &[] }
    }

    /// The choice among tools; a forced one only where the model accepts force.
    pub(crate) fn tool_choice<'a>(&self, request: &'a ModelRequest) -> Option<&'a ToolChoice> {
        if self.tools(request).is_empty() {
            return None;
        }
        match &request.tool_choice {
            ToolChoice::Auto => None,
            choice @ ToolChoice::None => Some(choice),
            choice @ (ToolChoice::Required | ToolChoice::Named(_)) => {
                self.allowed("tool_choice", self.spec.capabilities.forced_tool_choice, Some(choice))
            }
        }
    }

    /// The output cap, never above the model's own.
    pub(crate) fn output_cap(&self, request: &ModelRequest) -> Option<u64> {
        match (request.max_output_tokens, self.spec.max_output) {
            (Some(wish), Some(most)) => Some(wish.min(most)),
            (wish, _) => wish,
        }
    }

    /// The schema to send, and whether it is strict.
    pub(crate) fn tool_schema(&self, tool: &ToolDefinition) -> (Value, bool) {
        let strict =
            (tool.strict && self.spec.capabilities.strict_tools).then(|| schema::strict(&tool.schema));
        match strict.flatten() {
            Some(schema) => (schema, true),
            None => (schema::object(&tool.schema), false),
        }
    }

    fn allowed<T>(&self, field: &str, can: bool, wish: Option<T>) -> Option<T> {
        if wish.is_some() && !can {
            debug!(model = self.spec.name, field, "left out: the model does not take it");
        }
        self.keep(field, wish.filter(|_| can))
    }

    /// Whether reasoning and provider-run blocks of this message may go back.
    pub(crate) fn is_own(&self, message: &Message) -> bool {
        let own = |origin: &str| {
            let wire = origin.strip_prefix(self.provider.name.as_str())?.strip_prefix('/')?;
            Some(wire == self.spec.wire.as_str())
        };
        message.origin.as_ref().is_some_and(|origin| own(origin.as_str()) == Some(true))
    }

    /// Whether reasoning of this message may go back: to its own provider, unless that refused it just now.
    pub(crate) fn replays_reasoning(&self, message: &Message) -> bool {
        self.is_own(message) && !self.omits(REASONING_ITEMS)
    }

    /// Whether opaque content of this message is in the words of this wire.
    pub(crate) fn speaks(&self, message: &Message) -> bool {
        let wire = self.spec.wire.as_str();
        message.origin.as_ref().is_some_and(|origin| origin.as_str().rsplit('/').next() == Some(wire))
    }
}

/// Stands among refused fields for the reasoning in the history: a provider may refuse what another account, or
/// another family of its models, has made.
pub(crate) const REASONING_ITEMS: &str = "reasoning_items";

/// The name of a call as every provider accepts it. A model may call what does not exist; its call is history all
/// the same, and one that cannot be sent would block the conversation for ever.
pub(crate) fn sendable_name(name: &str) -> Cow<'_, str> {
    if check_tool_name(name).is_ok() {
        return Cow::Borrowed(name);
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mended: String = name.chars().take(MAX_TOOL_NAME).map(|c| if fits(c) { c } else { '_' }).collect();
    Cow::Owned(if mended.is_empty() { "unnamed".to_owned() } else { mended })
}

/// The history as it will be sent, with a warning for what had to be mended.
pub(crate) fn sendable<'a>(messages: &'a [Message], warnings: &mut Vec<WireWarning>) -> Paired<'a> {
    let paired = pair_calls_with_results(messages);
    if paired.unanswered > 0 || paired.uncorrelated > 0 {
        let detail = format!(
            "{} calls without a result got one that says so, {} results without a call were left out",
            paired.unanswered, paired.uncorrelated
        );
        warnings.push(WireWarning::new(WireWarningCode::HistoryAdapted, detail));
    }
    for result in messages.iter().filter(|message| message.role == Role::Tool).flat_map(Message::results) {
        debug!(call_id = %result.call_id, tool = %result.name, "tool result sent");
    }
    paired
}

/// The bytes of a short request without its tools.
const SHORT_BODY: usize = 1024;

/// JSON that goes out exactly as it came in.
#[derive(Debug)]
pub(crate) struct Raw<'a>(Cow<'a, str>);

impl<'a> Raw<'a> {
    pub(crate) fn of(json: &'a RawJson) -> Self {
        Self(Cow::Borrowed(json.as_str()))
    }

    /// Text as the one field of an object.
    pub(crate) fn wrapped(name: &str, text: &str) -> Self {
        Self(Cow::Owned(serde_json::json!({ name: text }).to_string()))
    }

    /// A call's arguments as a JSON value. Text that is no object is wrapped, never emptied.
    pub(crate) fn arguments(call: &'a ToolCall) -> Self {
        let text = call.arguments.trim();
        match call.parse_arguments() {
            Ok(_) if text.is_empty() => Self(Cow::Borrowed("{}")),
            Ok(_) => Self(Cow::Borrowed(text)),
            Err(_) => Self::wrapped("unreadable_arguments", &call.arguments),
        }
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// What stands where an attachment cannot go.
pub(crate) fn left_out(opaque: &Opaque, warnings: &mut Vec<WireWarning>) -> String {
    let text = format!("[{} left out: this model's API cannot read it]", opaque.kind);
    warnings.push(WireWarning::new(WireWarningCode::HistoryAdapted, text.clone()));
    text
}

/// A result as text, for wires that have no error flag.
pub(crate) fn result_text(result: &ToolResult, warnings: &mut Vec<WireWarning>) -> String {
    let mut text = String::new();
    if result.is_error {
        text.push_str("Error: ");
    }
    for part in &result.content {
        match part {
            ResultPart::Text(part) => text.push_str(part),
            ResultPart::Image(image) => text.push_str(&not_seen(image, warnings)),
            ResultPart::Opaque(opaque) => text.push_str(&left_out(opaque, warnings)),
            ResultPart::Own(_) => {}
        }
    }
    text
}

/// What stands where a picture cannot go.
pub(crate) fn not_seen(image: &Image, warnings: &mut Vec<WireWarning>) -> String {
    let text = format!("[{} left out: this model's API cannot read it]", image.media_type);
    warnings.push(WireWarning::new(WireWarningCode::HistoryAdapted, text.clone()));
    text
}

/// Whether a picture is of a kind that every provider with eyes takes.
pub(crate) fn can_be_seen(image: &Image) -> bool {
    matches!(image.media_type.as_str(), "image/png" | "image/jpeg" | "image/gif" | "image/webp")
}

/// Serialises a body that cannot fail but for a bug. Its tools are the part whose length is known beforehand.
pub(crate) fn to_body(body: &impl Serialize, tools: Option<&RawValue>) -> Result<Vec<u8>, serde_json::Error> {
    let mut written = Vec::with_capacity(SHORT_BODY + tools.map_or(0, |tools| tools.get().len()));
    serde_json::to_writer(&mut written, body)?;
    Ok(written)
}
