//! How the program ends, documented in `tata --help`.

use std::process::ExitCode;

use tata_core::{ModelError, ModelErrorKind};
use tata_llm::UnknownModel;

use crate::config::ConfigError;

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
    Interrupted = 130,
}

/// Wrong usage that clap cannot see.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);

impl Exit {
    /// The code for an error, by its kind.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if let Some(error) = error.downcast_ref::<ModelError>() {
            Self::of_model(error.kind)
        } else if error.is::<UnknownModel>() {
            Self::NotFound
        } else if error.is::<ConfigError>() {
            Self::Configuration
        } else if error.is::<UsageError>() {
            Self::Usage
        } else {
            Self::Failed
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
