//! The append-only log of a session. The conversation is a fold over it; nothing else is remembered.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    ArtifactKind, ArtifactName, CallId, CheckedAnswer, Citation, Cost, Effect, MaterialId, Message, Name,
    StopReason, ToolResult, says_no, says_yes, tool_error::ToolStatus,
};

/// One entry with its place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its position in the journal, from 1, without gaps.
    pub position: u64,
    /// When it was written.
    pub at: Timestamp,
    /// What happened.
    pub entry: Entry,
}

/// What happened. Each entry is durable before the next step is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry {
    /// A person said something: a turn begins.
    UserMessage {
        /// Its number, from 1.
        turn: u32,
        /// What was said.
        message: Message,
        /// What the model is told of the moment and of the project, before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<String>,
        /// The seal of the program's question that stood last on the person's screen; none if none did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<String>,
    },
    /// A model answered, wholly or not.
    ModelReply {
        /// The turn.
        turn: u32,
        /// The model that was asked.
        model: Name,
        /// What it said.
        message: Message,
        /// How the answer ended.
        outcome: ReplyOutcome,
        /// Why the model stopped, where it said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<StopReason>,
        /// The limit for which this answer was asked, as the last one and without tools.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<Limit>,
        /// The tokens of this round, failed attempts included, as far as they were reported.
        #[serde(default)]
        tokens: u64,
        /// The known part of the price of this round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Cost>,
        /// No model: a person made this call by hand, and its words are the person's own.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_person: bool,
        /// Every word of it was written by the program: see [`crate::Model::is_program`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_program: bool,
    },
    /// A tool is about to run. Written before it does.
    ToolStarted {
        /// The turn.
        turn: u32,
        /// The call.
        call_id: CallId,
        /// The tool.
        tool: Name,
        /// What running it changes.
        effect: Effect,
    },
    /// A call has its result, whether the tool ran or was refused.
    ToolFinished {
        /// The turn.
        turn: u32,
        /// What the model reads.
        result: ToolResult,
        /// How it went.
        status: ToolStatus,
        /// How long it took.
        millis: u64,
        /// The passages it found; present only for searches.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sources: Option<Vec<Citation>>,
    },
    /// A tool made a document. Stored together with it, and with the result that tells of it.
    ArtifactStored {
        /// The turn.
        turn: u32,
        /// Which document.
        name: ArtifactName,
        /// Its version.
        version: u32,
    },
    /// Documents of these kinds are out of date by what a tool did. Those it made itself follow, and are fresh.
    MadeStale {
        /// The turn.
        turn: u32,
        /// The kinds.
        kinds: Vec<ArtifactKind>,
    },
    /// The turn cannot go on without a person.
    Waiting {
        /// The turn.
        turn: u32,
        /// What they must decide.
        questions: Vec<Question>,
    },
    /// A person decided about a call.
    Decided {
        /// The turn.
        turn: u32,
        /// The call.
        call_id: CallId,
        /// The exact call that was decided about: see [`Question::seal`].
        seal: String,
        /// What they decided.
        decision: Decision,
        /// Who.
        by: String,
        /// The tool; the first journals do not tell it.
        #[serde(default)]
        tool: Name,
        /// The document that is decided about by the call, if it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<About>,
        /// The message by which it was decided; none when a face asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<MaterialId>,
    },
    /// The turn is over.
    TurnFinished {
        /// The turn.
        turn: u32,
        /// How.
        end: TurnEnd,
        /// How long it took, interruptions left out.
        millis: u64,
        /// What the program asks below the answer: a plain yes to it, in the next message, decides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asks: Option<Box<Question>>,
        /// The answer held against its sources, as it was then: whoever reads it later sees the same verdict.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checked: Option<Box<CheckedAnswer>>,
    },
    /// A person took the last turn back: what was said in it no longer counts.
    TurnUndone {
        /// The turn.
        turn: u32,
    },
}

/// How a reply ended, in the journal's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyOutcome {
    /// The provider finished it.
    Complete,
    /// The provider stopped early.
    Incomplete,
    /// The provider wants to be called again.
    Paused,
    /// A person stopped it; what had arrived is kept.
    Cancelled,
    /// It failed or was cut off; what had arrived is kept.
    Failed,
}

/// Something only a person can decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool: Name,
    /// The exact arguments.
    pub arguments: String,
    /// Why a person is asked.
    pub reason: QuestionReason,
    /// The seal of exactly this call under exactly this policy; a decision counts for nothing else.
    pub seal: String,
    /// What is decided about a document, where that is the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<About>,
    /// The question as the person reads it, in their language; empty where no tool words it: see [`Question::in_words`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// What a decision is about: exactly one version of a document, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The document.
    #[serde(flatten)]
    pub document: ArtifactName,
    /// The version that was shown.
    pub version: u32,
    /// What is decided, in plain words.
    pub words: String,
    /// The document is settled by it: to change it again is a decision too.
    #[serde(default)]
    pub settles: bool,
}

/// A person's decision about exactly the call they were shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The call.
    pub call_id: CallId,
    /// The seal of the question they saw.
    pub seal: String,
    /// What they decided.
    pub decision: Decision,
}

impl Question {
    /// The question in words: those of its tool, or what is asked, in English.
    pub fn in_words(&self) -> String {
        if !self.words.is_empty() {
            return self.words.clone();
        }
        let Self { tool, arguments, .. } = self;
        match (&self.about, self.reason) {
            (Some(about), _) => format!("{} Yes or no?", about.words),
            (None, QuestionReason::Uncertain) => {
                format!("It is not known whether {tool} took effect: {arguments}. Should it run again?")
            }
            (None, QuestionReason::Approval | QuestionReason::Decision) => {
                format!("May {tool} run with exactly this: {arguments}? Yes or no?")
            }
        }
    }

    /// The answer to this question, and to no other.
    pub fn decide(&self, decision: Decision) -> Verdict {
        Verdict { call_id: self.call_id.clone(), seal: self.seal.clone(), decision }
    }
}

/// What a message decides about what is asked: a yes or a no that says nothing else, to one question. A yes to several is
/// a yes to none, and what was begun before a crash is decided with the words that the question names.
pub fn verdict_of(questions: &[Question], message: &str) -> Option<Verdict> {
    let [question] = questions else { return None };
    if question.reason == QuestionReason::Uncertain {
        return None;
    }
    let decision = if says_yes(message) {
        Decision::Run
    } else if says_no(message) {
        Decision::Refuse
    } else {
        return None;
    };
    Some(question.decide(decision))
}

/// Why a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionReason {
    /// The tool changes the world and runs only with a person's yes.
    Approval,
    /// The tool had started when the program stopped: whether it took effect is not known.
    Uncertain,
    /// The call decides something in a person's name: confirms a version, rates, accepts.
    Decision,
}

/// What a person decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Run it. For an uncertain call: it did not happen, run it again.
    Run,
    /// Do not run it.
    Refuse,
    /// It did happen: take it as done.
    Done,
}

impl Decision {
    /// The stable name used in JSON and in the audit.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Refuse => "refuse",
            Self::Done => "done",
        }
    }
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnEnd {
    /// With an answer.
    Answered,
    /// The model finished and had said nothing.
    Empty,
    /// With an answer that the provider cut short.
    Incomplete {
        /// Why.
        reason: StopReason,
    },
    /// The model declined.
    Refused,
    /// A limit was reached; the answer is what could be said by then.
    Limit {
        /// Which.
        limit: Limit,
    },
    /// A person stopped it; what had arrived is kept.
    Cancelled,
    /// No model could answer.
    Failed {
        /// The kind of failure, by its stable name.
        error: String,
        /// A plain sentence for the person.
        message: String,
    },
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Rounds of tool calls.
    Rounds,
    /// Time.
    Time,
    /// Tokens.
    Tokens,
    /// Money.
    Cost,
    /// The same call with the same result, again and again.
    Repetition,
    /// Calls that could not be understood, again and again.
    Repairs,
    /// Room in the model's context.
    Context,
}

impl Entry {
    /// The turn it belongs to.
    pub fn turn(&self) -> u32 {
        match self {
            Self::UserMessage { turn, .. }
            | Self::ModelReply { turn, .. }
            | Self::ToolStarted { turn, .. }
            | Self::ToolFinished { turn, .. }
            | Self::ArtifactStored { turn, .. }
            | Self::MadeStale { turn, .. }
            | Self::Waiting { turn, .. }
            | Self::Decided { turn, .. }
            | Self::TurnFinished { turn, .. }
            | Self::TurnUndone { turn } => *turn,
        }
    }
}

impl TurnEnd {
    /// The stable name used in JSON and logs.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Empty => "empty",
            Self::Incomplete { .. } => "incomplete",
            Self::Refused => "refused",
            Self::Limit { .. } => "limit",
            Self::Cancelled => "cancelled",
            Self::Failed { .. } => "failed",
        }
    }

    /// What the person should know beside the answer.
    pub fn for_user(&self) -> Option<&str> {
        match self {
            Self::Answered => None,
            Self::Empty => Some("The model sent an empty answer. Ask again, or choose another model."),
            Self::Incomplete { reason: StopReason::MaxTokens } => {
                Some("The answer reached its output limit and is cut off.")
            }
            Self::Incomplete { reason: StopReason::ContextWindow } => {
                Some("The model's context is full; the answer is cut off.")
            }
            Self::Incomplete { reason: StopReason::Damaged } => {
                Some("Pieces of the answer were lost on the way; it may be incomplete.")
            }
            Self::Incomplete { reason: StopReason::ContentFilter } => {
                Some("The provider's content filter cut the answer off.")
            }
            Self::Incomplete { .. } => Some("The model stopped early."),
            Self::Refused => Some("The model declined to answer."),
            Self::Limit { limit } => Some(limit.for_user()),
            Self::Cancelled => Some("Stopped."),
            Self::Failed { message, .. } => Some(message),
        }
    }
}

impl Limit {
    /// What ran out, in a sentence.
    pub fn for_user(self) -> &'static str {
        match self {
            Self::Rounds => "The limit of tool rounds for one turn was reached.",
            Self::Time => "The time limit of the turn was reached.",
            Self::Tokens => "The token limit of the turn was reached.",
            Self::Cost => "The cost limit of the turn was reached.",
            Self::Repetition => "The same step was repeated without anything new; it was ended.",
            Self::Repairs => "The model's tool calls could not be understood, several times in a row.",
            Self::Context => "The conversation no longer fits into the model's context.",
        }
    }
}
