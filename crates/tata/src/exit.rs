//! How the program ends, documented in `tata --help`.

use std::process::ExitCode;

use tata_core::{MessageTooLarge, ModelError, ModelErrorKind, StoreError, TurnEnd, TurnOutcome, TurnReport};
use tata_knowledge::KnowledgeError;
use tata_llm::UnknownModel;

use crate::{
    agents::{BadDefinition, UnknownAgent},
    config::ConfigError,
    error::{NoDocument, Stopped, Undecided, UnknownDocument, UnknownSession, UnknownTool, UsageError},
    watch::Left,
};

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Configuration = 3,
    Unauthorized = 4,
    NotFound = 5,
    Model = 6,
    RateLimited = 7,
    NeedsDecision = 8,
    NoAnswer = 9,
    Interrupted = 130,
}

impl Exit {
    /// The code for an error, by its kind.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if let Some(error) = error.downcast_ref::<ModelError>() {
            Self::of_model(error.kind)
        } else if error.is::<UnknownModel>()
            || error.is::<UnknownAgent>()
            || error.is::<UnknownSession>()
            || error.is::<UnknownTool>()
            || error.is::<UnknownDocument>()
            || error.is::<NoDocument>()
            || matches!(error.downcast_ref(), Some(KnowledgeError::NoIndex(_)))
        {
            Self::NotFound
        } else if error.is::<Left>() || error.is::<Stopped>() {
            Self::Interrupted
        } else if error.is::<ConfigError>()
            || error.is::<BadDefinition>()
            || matches!(error.downcast_ref(), Some(KnowledgeError::Configuration { .. }))
        {
            Self::Configuration
        } else if matches!(error.downcast_ref(), Some(StoreError::NotFound { .. })) {
            Self::NotFound
        } else if error.is::<UsageError>() {
            Self::Usage
        } else if error.is::<Undecided>() {
            Self::NeedsDecision
        } else {
            Self::Failed
        }
    }

    /// The code for a turn, by how it came out. Only a whole answer is 0: a script that goes on with half a text, or
    /// with none, must not take it for the answer.
    pub(crate) fn of_turn(report: &TurnReport) -> Self {
        match &report.outcome {
            TurnOutcome::Ended { end } => match end {
                TurnEnd::Answered if report.content.trim().is_empty() => Self::NoAnswer,
                TurnEnd::Answered => Self::Done,
                TurnEnd::Empty | TurnEnd::Incomplete { .. } | TurnEnd::Refused | TurnEnd::Limit { .. } => {
                    Self::NoAnswer
                }
                TurnEnd::Cancelled => Self::Interrupted,
                TurnEnd::Failed { .. } => {
                    report.failure.as_ref().map_or(Self::Model, |failure| Self::of_model(failure.kind))
                }
            },
            TurnOutcome::Waiting => Self::NeedsDecision,
            TurnOutcome::Broken { error: "not_found" } => Self::NotFound,
            TurnOutcome::Broken { error: MessageTooLarge::NAME } => Self::Usage,
            TurnOutcome::Broken { .. } => Self::Failed,
        }
    }

    pub(crate) fn of_model(kind: ModelErrorKind) -> Self {
        match kind {
            ModelErrorKind::NotConfigured => Self::Configuration,
            ModelErrorKind::Unauthorized | ModelErrorKind::Forbidden => Self::Unauthorized,
            ModelErrorKind::ModelNotFound => Self::NotFound,
            ModelErrorKind::RateLimited | ModelErrorKind::QuotaExhausted => Self::RateLimited,
            ModelErrorKind::InvalidRequest
            | ModelErrorKind::ContextTooLong
            | ModelErrorKind::ContentBlocked
            | ModelErrorKind::PolicyViolation
            | ModelErrorKind::Overloaded
            | ModelErrorKind::Server
            | ModelErrorKind::Unreachable
            | ModelErrorKind::TimedOut(_)
            | ModelErrorKind::StreamTruncated
            | ModelErrorKind::EventTooLarge
            | ModelErrorKind::UnreadableResponse => Self::Model,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
