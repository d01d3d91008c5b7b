//! Failures of a model and of its arguments, named by what the caller does next.

use std::{error::Error as StdError, fmt, time::Duration};

use crate::Name;

/// A failed request to a model.
#[doc(alias = "LLMAPIError")]
#[derive(Debug)]
pub struct ModelError {
    /// What to do about it.
    pub kind: ModelErrorKind,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// The provider's code.
    pub code: Option<String>,
    /// The provider's error type.
    pub error_type: Option<String>,
    /// The request field the provider complained about.
    pub param: Option<String>,
    /// The provider's words and nothing else, secrets removed.
    pub message: Option<String>,
    /// Our words: what exactly was wrong, which limit it was, what would help.
    pub detail: Option<String>,
    /// The provider's id of the request, for support.
    pub request_id: Option<String>,
    /// How long the provider asks us to wait.
    pub retry_after: Option<Duration>,
    /// The provider's own word on whether to try again; it overrides the kind.
    pub retry_advice: Option<bool>,
    /// What lies beneath.
    pub source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What kind of failure it was, and so what helps. Exhaustive: a new kind must be thought through everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelErrorKind {
    /// Something is not configured: set it.
    NotConfigured,
    /// The key was refused: replace it.
    Unauthorized,
    /// The key may not do this: ask for permission.
    Forbidden,
    /// No such model there: choose another.
    ModelNotFound,
    /// The request was refused: mend it.
    InvalidRequest,
    /// The conversation is too long: shorten it.
    ContextTooLong,
    /// A filter stopped the input: change it.
    ContentBlocked,
    /// A policy stopped the request: do not repeat it.
    PolicyViolation,
    /// The money is used up: never retry.
    QuotaExhausted,
    /// Too many requests: wait.
    RateLimited,
    /// The provider is overloaded: wait longer.
    Overloaded,
    /// The provider failed: try again.
    Server,
    /// The provider could not be reached: check the address, the network, the proxy.
    Unreachable,
    /// Nothing came in time.
    TimedOut(Phase),
    /// The connection ended before the answer did.
    StreamTruncated,
    /// One event was larger than we accept.
    EventTooLarge,
    /// What came back is not an answer of this API: check the address.
    UnreadableResponse,
}

/// What we were waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The connection.
    Connect,
    /// The first byte of the answer.
    FirstByte,
    /// The next byte of the answer.
    Idle,
    /// The whole answer.
    Total,
}

impl ModelError {
    /// An error of a kind, with nothing else known.
    pub fn new(kind: ModelErrorKind) -> Self {
        Self {
            kind,
            status: None,
            code: None,
            error_type: None,
            param: None,
            message: None,
            detail: None,
            request_id: None,
            retry_after: None,
            retry_advice: None,
            source: None,
        }
    }

    /// The same error with more about it in our words.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Whether the same request may succeed later. Used-up quota never does, whatever a server advises.
    pub fn retryable(&self) -> bool {
        match self.kind {
            ModelErrorKind::QuotaExhausted
            | ModelErrorKind::NotConfigured
            | ModelErrorKind::EventTooLarge
            | ModelErrorKind::TimedOut(Phase::Total) => false,
            ModelErrorKind::RateLimited
            | ModelErrorKind::Overloaded
            | ModelErrorKind::Server
            | ModelErrorKind::Unreachable
            | ModelErrorKind::TimedOut(Phase::Connect | Phase::FirstByte | Phase::Idle)
            | ModelErrorKind::StreamTruncated => self.retry_advice.unwrap_or(true),
            ModelErrorKind::Unauthorized
            | ModelErrorKind::Forbidden
            | ModelErrorKind::ModelNotFound
            | ModelErrorKind::InvalidRequest
            | ModelErrorKind::ContextTooLong
            | ModelErrorKind::ContentBlocked
            | ModelErrorKind::PolicyViolation
            | ModelErrorKind::UnreadableResponse => self.retry_advice.unwrap_or(false),
        }
    }

    /// One plain sentence for the person who asked: what happened and what helps, nothing technical.
    pub fn for_user(&self) -> &'static str {
        match self.kind {
            ModelErrorKind::NotConfigured => "The model is not set up yet.",
            ModelErrorKind::Unauthorized => "The model provider did not accept our key.",
            ModelErrorKind::Forbidden => "The model provider does not let us use this model.",
            ModelErrorKind::ModelNotFound => "The model provider does not know this model.",
            ModelErrorKind::InvalidRequest => "The model provider could not accept the request.",
            ModelErrorKind::ContextTooLong => {
                "This is too long for this model: shorten it, attach it as a file, or use a model with a larger window."
            }
            ModelErrorKind::ContentBlocked => "The provider's content filter stopped this request.",
            ModelErrorKind::PolicyViolation => "The provider's usage policy stopped this request.",
            ModelErrorKind::QuotaExhausted => "The credit with the model provider is used up.",
            ModelErrorKind::RateLimited => {
                "The model provider is getting too many requests from us. Try again in a moment."
            }
            ModelErrorKind::Overloaded => "The model provider is overloaded. Try again in a moment.",
            ModelErrorKind::Server => "The model provider has a problem. Try again in a moment.",
            ModelErrorKind::Unreachable => "The model provider cannot be reached.",
            ModelErrorKind::TimedOut(_) => "The model took too long to answer.",
            ModelErrorKind::StreamTruncated => "The connection broke before the answer was complete.",
            ModelErrorKind::EventTooLarge => "The model's answer was too large to accept.",
            ModelErrorKind::UnreadableResponse => "Something answered that is not the model provider.",
        }
    }
}

impl ModelErrorKind {
    /// The stable name used in logs and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotConfigured => "not_configured",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::ModelNotFound => "model_not_found",
            Self::InvalidRequest => "invalid_request",
            Self::ContextTooLong => "context_length",
            Self::ContentBlocked => "content_filter",
            Self::PolicyViolation => "policy",
            Self::QuotaExhausted => "quota",
            Self::RateLimited => "rate_limit",
            Self::Overloaded => "overloaded",
            Self::Server => "server",
            Self::Unreachable => "unreachable",
            Self::TimedOut(Phase::Connect) => "timeout_connect",
            Self::TimedOut(Phase::FirstByte) => "timeout_first_byte",
            Self::TimedOut(Phase::Idle) => "timeout_idle",
            Self::TimedOut(Phase::Total) => "timeout_total",
            Self::StreamTruncated => "stream_truncated",
            Self::EventTooLarge => "event_too_large",
            Self::UnreadableResponse => "unreadable_response",
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        if let Some(status) = self.status {
            write!(f, ", HTTP {status}")?;
        }
        let named = [
            ("code", &self.code),
            ("type", &self.error_type),
            ("param", &self.param),
            ("request id", &self.request_id),
        ];
        for (name, value) in named {
            if let Some(value) = value {
                write!(f, ", {name} {value}")?;
            }
        }
        for words in [&self.detail, &self.message].into_iter().flatten() {
            write!(f, ": {words}")?;
        }
        Ok(())
    }
}

impl StdError for ModelError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// A call's arguments cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentsError {
    /// They are not JSON: tell the model where they break.
    #[error("the arguments of {tool} are not valid JSON: {source}")]
    NotJson {
        /// The tool that was called.
        tool: Name,
        /// Where they break.
        source: serde_json::Error,
    },
    /// They are JSON but no object: tell the model to send one.
    #[error("the arguments of {tool} must be a JSON object")]
    NotAnObject {
        /// The tool that was called.
        tool: Name,
    },
}

/// A tool name that some provider would refuse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolNameError {
    /// Give it a name.
    #[error("a tool needs a name")]
    Empty,
    /// Shorten it.
    #[error("tool name {name:?} has {length} characters; at most {max} are allowed", max = crate::MAX_TOOL_NAME)]
    TooLong {
        /// The name.
        name: String,
        /// Its length.
        length: usize,
    },
    /// Replace the character.
    #[error("tool name {name:?} contains {bad:?}; use letters, digits, '_' and '-'")]
    BadCharacter {
        /// The name.
        name: String,
        /// The first character that is not allowed.
        bad: char,
    },
}
