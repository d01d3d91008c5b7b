//! The port to a model: a request goes in, a stream of events comes out, and the last event is the reply.

use std::{pin::Pin, sync::Arc, time::Duration};

use futures_util::{Stream, StreamExt};
use serde_json::Value;

use crate::{
    Block, CallId, CallIdCounts, Message, ModelError, ModelErrorKind, Outcome, Prices, Reasoning, Reply,
    Stop, StopReason, ToolDefinition, Usage, WireWarning,
};

/// Something that answers. Implementations are exchangeable; the loop sees no difference.
#[doc(alias = "LLMClient")]
pub trait Model: Send + Sync {
    /// The name by which people choose it.
    fn name(&self) -> &str;

    /// Asks. The stream always ends with exactly one [`ModelEvent::Finished`]; failures are in there too, so
    /// that what had arrived is not lost. The text and refusals it showed, since the last [`ModelEvent::TextRevoked`],
    /// are those of the reply, once and in order. Dropping the stream cancels the request.
    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream;

    /// Whether it thinks in this process. What it thinks about is durable before it begins: should the process die of it,
    /// nothing that was said is lost.
    fn thinks_here(&self) -> bool {
        false
    }

    /// Whether it is no model at all but a person who makes a call by hand: what the call says, the person says.
    fn is_person(&self) -> bool {
        false
    }

    /// Whether every word it says was written by this program, its questions too. Only then may a plain yes rest on what it
    /// asked. What comes from a provider is never that, whatever it says of itself: `walls.rs` names who may say so.
    fn is_program(&self) -> bool {
        false
    }
}

/// A model and what is known of it.
#[derive(Clone)]
pub struct ModelChoice {
    /// The model.
    pub model: Arc<dyn Model>,
    /// What it costs.
    pub prices: Option<Prices>,
    /// The most tokens a request and its answer may have together.
    pub context_window: Option<u64>,
}

impl ModelChoice {
    /// A model of which nothing else is known.
    pub fn new(model: Arc<dyn Model>) -> Self {
        Self { model, prices: None, context_window: None }
    }
}

/// The events of one answer.
pub type ReplyStream = Pin<Box<dyn Stream<Item = ModelEvent> + Send>>;

/// Everything a model needs to answer.
#[derive(Clone, Debug, Default)]
pub struct ModelRequest {
    /// The conversation, system prompt first.
    pub messages: Vec<Message>,
    /// The tools it may call.
    pub tools: Arc<[ToolDefinition]>,
    /// Whether it may, must or must not call them.
    pub tool_choice: ToolChoice,
    /// Whether it may call several at once; none leaves it to the provider.
    pub parallel_tools: Option<bool>,
    /// The most tokens it may write.
    pub max_output_tokens: Option<u64>,
    /// Sampling temperature; left out for models that refuse it.
    pub temperature: Option<f64>,
    /// Nucleus sampling; left out for models that refuse it.
    pub top_p: Option<f64>,
    /// Texts at which to stop.
    pub stop_sequences: Vec<String>,
    /// How hard to think, in the provider's words; left out for models that do not know it.
    pub effort: Option<String>,
    /// The shape the answer must have.
    pub output_format: Option<OutputFormat>,
    /// A stable, anonymous mark of the person, for the provider's abuse detection.
    pub user_mark: Option<String>,
    /// Requests with the same key share a prompt cache where the provider has one.
    pub cache_key: Option<String>,
    /// Piece by piece or all at once.
    pub delivery: Delivery,
    /// How often it was sent before, by whoever asks again: one count for all repetitions, wherever they come from.
    pub sent_before: u32,
}

/// How the answer should arrive. Both give the same events in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// Piece by piece.
    #[default]
    Streamed,
    /// All at once.
    Whole,
}

/// What the model may do with the tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// As it likes.
    #[default]
    Auto,
    /// Not call any.
    None,
    /// Call at least one.
    Required,
    /// Call this one.
    Named(String),
}

/// A JSON Schema that the answer must fit.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputFormat {
    /// A name for the shape.
    pub name: String,
    /// The schema.
    pub schema: Value,
}

/// A piece of text as it came. Most pieces are a word or less, and such a piece needs no memory of its own.
pub type Piece = smol_str::SmolStr;

/// A name that goes from hand to hand: of a model, of a tool. A short one needs no memory of its own, a long one is shared.
pub type Name = smol_str::SmolStr;

/// The events of an answer that is there at once, of a model that costs nothing: text a line at a time, as a person reads.
pub fn at_once(model: &str, message: Message) -> Vec<ModelEvent> {
    let mut events = vec![ModelEvent::Started { response_id: None, model: Some(model.to_owned()) }];
    for (block, content) in message.blocks.iter().enumerate() {
        match content {
            Block::Text(text) => {
                let pieces = text.text.split_inclusive('\n');
                events.extend(pieces.map(|piece| ModelEvent::TextDelta { block, text: piece.into() }));
            }
            Block::Reasoning(Reasoning::Plain { text }) => {
                events.push(ModelEvent::ReasoningDelta { block, text: text.as_str().into() });
            }
            Block::ToolCall(call) => {
                let (call_id, name) = (call.call_id.clone(), call.name.clone());
                events.push(ModelEvent::ToolCallStarted { block, call_id, name });
                events.push(ModelEvent::ToolArgumentsDelta { block, text: call.arguments.as_str().into() });
            }
            Block::Reasoning(_) | Block::Refusal(_) | Block::ToolResult(_) | Block::Opaque(_) => {}
        }
    }
    let calls = message.tool_calls().count();
    let reason = if calls > 0 { StopReason::ToolUse } else { StopReason::EndTurn };
    events.push(ModelEvent::Finished(Box::new(Reply {
        message,
        outcome: Outcome::Complete,
        stop: Some(Stop { reason, raw: None, sequence: None, details: None }),
        // It counts no tokens: nothing is paid for.
        usage: Some(Usage::default()),
        response_id: None,
        model: Some(model.to_owned()),
        request_id: None,
        service_tier: None,
        warnings: Vec::new(),
        lost_events: 0,
        attempts: 1,
        attempts_left: 0,
        call_ids: CallIdCounts {
            extracted: u64::try_from(calls).unwrap_or_default(),
            ..CallIdCounts::default()
        },
    })));
    events
}

/// What happens while a model answers. `block` is the position of the piece in order of first appearance.
#[derive(Debug)]
pub enum ModelEvent {
    /// The provider accepted the request.
    Started {
        /// Its id of the answer.
        response_id: Option<String>,
        /// The model that serves it.
        model: Option<String>,
    },
    /// A piece of text.
    TextDelta {
        /// The block it belongs to.
        block: usize,
        /// The piece.
        text: Piece,
    },
    /// A piece of readable reasoning.
    ReasoningDelta {
        /// The block it belongs to.
        block: usize,
        /// The piece.
        text: Piece,
    },
    /// A piece of a refusal.
    RefusalDelta {
        /// The block it belongs to.
        block: usize,
        /// The piece.
        text: Piece,
    },
    /// What was shown of text and refusals no longer counts: pieces had been lost. All of it follows, as the reply has it.
    TextRevoked,
    /// A tool call has begun: its name and its id as known now. The reply's id is the one that counts.
    ToolCallStarted {
        /// The block it belongs to.
        block: usize,
        /// The id as known now.
        call_id: CallId,
        /// The tool's name.
        name: Name,
    },
    /// A piece of a call's arguments. For display only: never act on it.
    ToolArgumentsDelta {
        /// The block it belongs to.
        block: usize,
        /// The piece.
        text: Piece,
    },
    /// Something odd that did not stop the answer.
    Warning(WireWarning),
    /// Nothing had arrived yet; the request is sent again after a pause.
    Retrying {
        /// Which repetition this is, from 1.
        attempt: u32,
        /// The pause.
        after: Duration,
        /// Why.
        error: Box<ModelError>,
    },
    /// The end, always and only once.
    Finished(Box<Reply>),
}

/// Reads a stream to its end: the whole answer at once.
pub async fn collect(mut stream: ReplyStream) -> Reply {
    while let Some(event) = stream.next().await {
        if let ModelEvent::Finished(reply) = event {
            return *reply;
        }
    }
    Reply::failed(
        ModelError::new(ModelErrorKind::StreamTruncated)
            .with_detail("the model's stream ended without a reply"),
    )
}
