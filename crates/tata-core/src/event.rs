//! What a running turn tells: one closed list for terminal, web and tests.

use std::{sync::Arc, time::Duration};

use serde::{Serialize, Serializer};

use crate::{
    ArtifactName, CallId, CheckedAnswer, Cost, ModelError, Name, Piece, Question, SessionId, StopReason,
    ToolCall, ToolStatus, TurnEnd, Usage, UsageRow, WireWarning, WireWarningCode,
};

/// What happens while a turn runs. The last one is always [`Event::Finished`].
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A turn begins: what the person said is stored and cannot be lost. With `resumed`, one that had begun before
    /// goes on.
    TurnStarted {
        /// The session.
        session_id: SessionId,
        /// The turn, from 1.
        turn: u32,
        /// It had begun before and was interrupted; it goes on where it stood.
        resumed: bool,
    },
    /// A model is asked.
    ModelAsked {
        /// The model.
        model: Name,
        /// Which request of the turn this is, from 1.
        round: u32,
    },
    /// A piece of the answer.
    TextDelta {
        /// The piece.
        text: Piece,
    },
    /// A piece of readable reasoning.
    ReasoningDelta {
        /// The piece.
        text: Piece,
    },
    /// Everything shown since the model was asked no longer counts: it is asked again, or another one is, or pieces had
    /// been lost and the whole follows.
    Reset {
        /// The model that goes on.
        model: Name,
        /// Why, in a plain sentence.
        reason: String,
    },
    /// The request is sent again after a pause; nothing had arrived.
    Retrying {
        /// Which repetition this is, from 1.
        attempt: u32,
        /// The pause, in seconds.
        #[serde(rename = "after_seconds", serialize_with = "seconds")]
        after: Duration,
        /// Why, in a plain sentence.
        reason: String,
    },
    /// The model wants a tool. Its arguments are still arriving.
    ToolAnnounced {
        /// The tool.
        tool: Name,
    },
    /// A tool runs.
    ToolStarted(Box<ToolStart>),
    /// A call has its result, and it is stored.
    ToolFinished(Box<ToolEnd>),
    /// A document was stored.
    Artifact {
        /// Which.
        #[serde(flatten)]
        name: ArtifactName,
        /// Its version.
        version: u32,
    },
    /// The conversation was too long for the model: this much of it was left out of the request.
    HistoryCut {
        /// Messages left out.
        left_out: usize,
        /// Texts shortened.
        shortened: usize,
        /// The tokens of what remains, as estimated.
        tokens: u64,
    },
    /// What one request used.
    Usage {
        /// The model.
        model: Name,
        /// The requests that were sent for it, repetitions included.
        attempts: u32,
        /// The tokens, where they were reported.
        usage: Option<Box<Usage>>,
        /// The price, where it is known.
        #[serde(rename = "cost_usd", serialize_with = "usd")]
        cost: Option<Cost>,
    },
    /// Something odd that did not stop the turn.
    Warning {
        /// A stable name.
        code: &'static str,
        /// In words.
        message: String,
    },
    /// A person must decide before the turn can go on.
    Waiting {
        /// What.
        questions: Vec<Question>,
    },
    /// The end, always and only once.
    Finished(Box<TurnReport>),
}

/// A call that begins.
#[derive(Clone, Debug, Serialize)]
pub struct ToolStart {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool: Name,
    /// The exact arguments.
    pub arguments: String,
}

/// How a call ended.
#[derive(Clone, Debug, Serialize)]
pub struct ToolEnd {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool: Name,
    /// The exact arguments.
    pub arguments: String,
    /// How it went.
    pub status: ToolStatus,
    /// What the person should know when it went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How long it took, in seconds.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub duration: Duration,
}

/// What a turn came to.
#[doc(alias = "AgentResponse")]
#[derive(Clone, Debug, Serialize)]
pub struct TurnReport {
    /// The answer: what was shown of it, exactly, but for numbers of sources that do not exist. Empty only when there is an
    /// error, or a person must decide first.
    pub content: String,
    /// The session.
    pub session_id: SessionId,
    /// The turn, from 1; 0 if none was begun.
    pub turn_number: u32,
    /// What the person said is stored. It is not when an earlier turn must be decided first, or the store failed.
    pub accepted: bool,
    /// The model that gave the answer.
    pub model: Option<Name>,
    /// How it ended.
    pub outcome: TurnOutcome,
    /// Why the model stopped, where it said so.
    pub stop_reason: Option<StopReason>,
    /// Whether documents were searched.
    pub retrieval_performed: bool,
    /// Where the answer's facts come from.
    pub retrieved_sources: Vec<String>,
    /// The answer held against its sources, for an agent that answers from documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<CheckedAnswer>,
    /// The tokens of this turn, as far as they were reported; none when no request reported any.
    pub tokens_used: Option<u64>,
    /// Of those, read.
    pub input_tokens: Option<u64>,
    /// Of those, written.
    pub output_tokens: Option<u64>,
    /// The requests that were sent, repetitions included.
    pub attempts: u32,
    /// The price of this turn; unknown when that of any request is.
    #[serde(rename = "cost_usd", serialize_with = "usd")]
    pub cost: Option<Cost>,
    /// How long it took.
    pub execution_time_seconds: f64,
    /// What went wrong, in a plain sentence.
    pub error: Option<String>,
    /// What the program asks below the answer: a face shows it last. Whoever had it before them answers it by
    /// [`crate::Input::Answer`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks: Option<Box<Question>>,
    /// The calls that have their result, in the order in which the model made them.
    #[serde(skip)]
    pub calls: Vec<CallReport>,
    /// The requests made, in order.
    #[serde(skip)]
    pub requests: Vec<Arc<UsageRow>>,
    /// The failure that ended it, for those who want the details.
    #[serde(skip)]
    pub failure: Option<Arc<ModelError>>,
}

/// What came of one call.
#[derive(Clone, Debug)]
pub struct CallReport {
    /// The call, with its exact arguments.
    pub call: Arc<ToolCall>,
    /// How it went.
    pub status: ToolStatus,
    /// What the person should know when it went wrong.
    pub problem: Option<String>,
    /// How long it took.
    pub duration: Duration,
}

/// How a turn came out.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum TurnOutcome {
    /// It is over.
    Ended {
        /// How.
        end: TurnEnd,
    },
    /// A person must decide first.
    Waiting,
    /// It could not be begun or gone on with; what was stored is safe.
    Broken {
        /// A stable name.
        error: &'static str,
    },
}

impl TurnOutcome {
    /// Whether the person got an answer.
    pub fn is_answered(&self) -> bool {
        matches!(self, Self::Ended { end: TurnEnd::Answered })
    }
}

impl Event {
    /// The code of the warning that an answer has holes.
    pub const MAY_BE_INCOMPLETE: &'static str = "answer_may_be_incomplete";
    /// The code of the warning that what was shown is not what is kept, and could not be taken back.
    pub const SHOWN_DIFFERS: &'static str = "shown_differs";
    /// The code of the warning that a model asked for more calls than run.
    pub const TOO_MANY_CALLS: &'static str = "too_many_calls";
    /// The code of the warning that the same call brought the same result again.
    pub const REPEATED_CALL: &'static str = "repeated_call";
    /// The code of the warning that another turn of the session runs.
    pub const BUSY: &'static str = "busy";

    /// What people should read beside the answer: the words of a warning that is theirs. All others are for whoever looks
    /// after the program.
    pub fn note(&self) -> Option<&str> {
        let Self::Warning { code, message } = self else { return None };
        let theirs = [
            Self::MAY_BE_INCOMPLETE,
            Self::SHOWN_DIFFERS,
            Self::TOO_MANY_CALLS,
            Self::REPEATED_CALL,
            Self::BUSY,
            WireWarningCode::AnswerTooLong.as_str(),
            WireWarningCode::WireChanged.as_str(),
        ];
        theirs.contains(code).then_some(message)
    }

    /// A warning from the wire.
    pub(crate) fn from_wire(warning: &WireWarning) -> Self {
        Self::Warning { code: warning.code.as_str(), message: warning.detail.clone() }
    }
}

fn seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

#[expect(clippy::ref_option, reason = "serde passes references")]
fn usd<S: Serializer>(cost: &Option<Cost>, serializer: S) -> Result<S::Ok, S::Error> {
    cost.map(Cost::usd).serialize(serializer)
}
