//! One answer of a model, and how it ended.

use serde::{Deserialize, Serialize};

use crate::{Blocks, CallState, Message, ModelError, RawJson, Role, ToolCall, Usage, WireWarning};

/// One answer, complete or not. A failed one keeps what had arrived: nothing that was paid for is lost.
#[doc(alias = "ChatCompletionResponse")]
#[derive(Debug)]
pub struct Reply {
    /// What the model said; its blocks are in the provider's order.
    pub message: Message,
    /// How it ended. Only [`Outcome::Complete`] lets calls run.
    pub outcome: Outcome,
    /// Why the model stopped, where it said so.
    pub stop: Option<Stop>,
    /// What it used, where that was reported.
    pub usage: Option<Usage>,
    /// The provider's id of the answer.
    pub response_id: Option<String>,
    /// The model that answered, by the provider's word.
    pub model: Option<String>,
    /// The provider's id of the request, for support.
    pub request_id: Option<String>,
    /// The tier that served it.
    pub service_tier: Option<String>,
    /// What was odd on the way.
    pub warnings: Vec<WireWarning>,
    /// Events that could not be read and may have held a piece of what was said: the answer has holes.
    pub lost_events: u64,
    /// The requests that were sent for it.
    pub attempts: u32,
    /// How often the same model may still be asked for it, after a failure.
    pub attempts_left: u32,
    /// How the calls got their ids.
    pub call_ids: CallIdCounts,
}

/// How an answer ended.
#[derive(Debug)]
pub enum Outcome {
    /// The provider finished it.
    Complete,
    /// The provider stopped early: token limit, content filter, full context.
    Incomplete,
    /// The provider wants to be called again with what it said so far.
    Paused,
    /// The connection ended before the answer did.
    Truncated(ModelError),
    /// The provider, or the way to it, failed.
    Failed(ModelError),
}

/// Why the model stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// In our words.
    pub reason: StopReason,
    /// In the provider's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// The stop sequence that was met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<String>,
    /// Structured details, e.g. of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<RawJson>,
}

/// The reasons, the same for every provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Done.
    EndTurn,
    /// Waits for tools.
    ToolUse,
    /// The output cap.
    MaxTokens,
    /// A stop sequence.
    StopSequence,
    /// The provider's filter.
    ContentFilter,
    /// The model declined.
    Refusal,
    /// Wants to be continued.
    PauseTurn,
    /// The context is full.
    ContextWindow,
    /// It ended as it should, but pieces of it were lost on the way.
    Damaged,
    /// Failed.
    Error,
    /// Something new; see the raw reason.
    Other,
}

impl StopReason {
    /// The stable name used in logs and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EndTurn => "end_turn",
            Self::ToolUse => "tool_use",
            Self::MaxTokens => "max_tokens",
            Self::StopSequence => "stop_sequence",
            Self::ContentFilter => "content_filter",
            Self::Refusal => "refusal",
            Self::PauseTurn => "pause_turn",
            Self::ContextWindow => "context_window",
            Self::Damaged => "damaged",
            Self::Error => "error",
            Self::Other => "other",
        }
    }
}

/// How many calls got their id in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallIdCounts {
    /// The provider gave a call id.
    pub extracted: u64,
    /// It gave none, or an unusable one.
    pub failed: u64,
    /// Another id stood in.
    pub fallbacks: u64,
}

impl Reply {
    /// An answer that never began.
    pub fn failed(error: ModelError) -> Self {
        Self {
            message: Message { role: Role::Assistant, blocks: Blocks::default(), origin: None },
            stop: Some(Stop { reason: StopReason::Error, raw: None, sequence: None, details: None }),
            usage: None,
            response_id: None,
            model: None,
            request_id: error.request_id.clone(),
            service_tier: None,
            warnings: Vec::new(),
            lost_events: 0,
            attempts: 1,
            attempts_left: 0,
            call_ids: CallIdCounts::default(),
            outcome: Outcome::Failed(error),
        }
    }

    /// The calls that may run: finished ones, of a complete answer that stopped to use tools.
    /// A cut, capped, filtered or refused answer has none, whatever it contains.
    pub fn runnable_calls(&self) -> impl Iterator<Item = &ToolCall> {
        let ready = matches!(self.outcome, Outcome::Complete)
            && self.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::ToolUse);
        self.message.tool_calls().filter(move |call| ready && call.state == CallState::Finished)
    }

    /// The failure, if it was one.
    pub fn error(&self) -> Option<&ModelError> {
        match &self.outcome {
            Outcome::Truncated(error) | Outcome::Failed(error) => Some(error),
            Outcome::Complete | Outcome::Incomplete | Outcome::Paused => None,
        }
    }

    /// The reply, or the failure it ended in.
    pub fn into_result(self) -> Result<Self, ModelError> {
        match self.outcome {
            Outcome::Truncated(error) | Outcome::Failed(error) => Err(error),
            Outcome::Complete | Outcome::Incomplete | Outcome::Paused => Ok(self),
        }
    }
}

impl Outcome {
    /// The stable name used in logs and JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Paused => "paused",
            Self::Truncated(_) => "truncated",
            Self::Failed(_) => "error",
        }
    }
}
