//! Errors as documents (RFC 9457). The code is stable and for programs, the detail is for people.

use axum::{
    http::{StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tata_core::{DeskError, NotASessionId, NotAnEventId, NotStarted, StoreError, TurnOutcome, TurnReport};
use utoipa::ToSchema;

use crate::Unavailable;

/// Why a request was not served.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) detail: String,
    /// The part of the request that is meant.
    pub(crate) field: Option<String>,
    /// When to come back, in seconds.
    pub(crate) retry_after: Option<u64>,
}

/// A problem as it is sent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProblemDocument {
    /// A URN that names the kind of problem.
    #[serde(rename = "type")]
    kind: String,
    /// The status in words.
    title: String,
    /// The status.
    status: u16,
    /// What is wrong and what helps, in a sentence.
    detail: String,
    /// A stable name of the problem.
    code: &'static str,
    /// The part of the request that is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// The id of the request, as in the log.
    request_id: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), field: None, retry_after: None }
    }

    pub(crate) fn bad(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    pub(crate) fn invalid(field: &str, detail: impl Into<String>) -> Self {
        let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_field", detail);
        Self { field: Some(field.to_owned()), ..problem }
    }

    pub(crate) fn not_found(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, detail)
    }

    pub(crate) fn busy(code: &'static str, detail: impl Into<String>, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..Self::new(StatusCode::TOO_MANY_REQUESTS, code, detail) }
    }

    /// What happened must be looked up in the log.
    pub(crate) fn internal(cause: &dyn std::error::Error) -> Self {
        tracing::error!(error = %cause, detail = cause.source().map(ToString::to_string), "request failed");
        let detail = "Something went wrong here. The log has the details, under the id of this request.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    pub(crate) fn document(&self, request_id: &str) -> ProblemDocument {
        ProblemDocument {
            kind: format!("urn:tata:problem:{}", self.code),
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            code: self.code,
            field: self.field.clone(),
            request_id: request_id.to_owned(),
        }
    }

    /// A turn that was not begun, or that could not go on.
    pub(crate) fn of_broken(report: &TurnReport) -> Option<Self> {
        let TurnOutcome::Broken { error } = report.outcome else { return None };
        let status = match error {
            "busy" | "lease_lost" | "interrupted" => StatusCode::CONFLICT,
            "not_found" => StatusCode::NOT_FOUND,
            "message_too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            "store_unavailable" | "store_not_writable" => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let detail = report.error.clone().unwrap_or_else(|| "The turn could not go on.".to_owned());
        Some(Self::new(status, error, detail))
    }
}

impl IntoResponse for Problem {
    /// The body is written by `guard`, which knows the request's id and the shape its client reads.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let (status, code) = match &error {
            StoreError::Busy { .. } => (StatusCode::CONFLICT, "busy"),
            StoreError::LeaseLost { .. } => (StatusCode::CONFLICT, "lease_lost"),
            StoreError::NotFound { .. } => (StatusCode::NOT_FOUND, "not_found"),
            StoreError::Exists { .. } => (StatusCode::CONFLICT, "exists"),
            StoreError::Unavailable { .. } => (StatusCode::SERVICE_UNAVAILABLE, "store_unavailable"),
            StoreError::NotWritable { .. } => (StatusCode::SERVICE_UNAVAILABLE, "store_not_writable"),
            StoreError::Unreadable { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "store_damaged"),
            StoreError::Unusable { .. } | StoreError::Database { .. } | _ => return Self::internal(&error),
        };
        tracing::warn!(error = %error, "store");
        Self::new(status, code, error.for_user())
    }
}

impl From<DeskError> for Problem {
    fn from(error: DeskError) -> Self {
        let detail = error.to_string();
        match error {
            DeskError::Store(error) => error.into(),
            DeskError::NoSession(_) | DeskError::Several { .. } | DeskError::NoneYet => {
                Self::not_found("session_not_found", detail)
            }
            DeskError::TooShort(_) => Self::bad("invalid_session_id", detail),
            DeskError::Title(_) => Self::invalid("title", detail),
            DeskError::Comment(_) => Self::invalid("comment", detail),
            DeskError::NoTurn { .. } => Self::not_found("turn_not_found", detail),
            DeskError::NoDocument { .. } => Self::not_found("artifact_not_found", detail),
            DeskError::NotReady(_) => Self::new(StatusCode::CONFLICT, "not_ready", detail),
            DeskError::NothingAsked(_) => Self::new(StatusCode::CONFLICT, "nothing_to_decide", detail),
            DeskError::Damaged(_) => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "store_damaged", detail),
            _ => Self::internal(&error),
        }
    }
}

impl From<NotStarted> for Problem {
    fn from(error: NotStarted) -> Self {
        match error {
            NotStarted::Store(error) => error.into(),
            NotStarted::NoSession(id) => {
                Self::not_found("session_not_found", format!("There is no conversation {id}."))
            }
            NotStarted::Running(_) => {
                let detail =
                    "A turn of this session is running. Follow its events, cancel it, or wait for its end.";
                Self::new(StatusCode::CONFLICT, "busy", detail)
            }
            NotStarted::Full(most) => {
                let detail = format!("{most} turns are running, as many as may. Try again in a moment.");
                Self::busy("too_many_turns", detail, 2)
            }
            NotStarted::Closing => {
                let detail = "This server is about to stop. Try again in a moment.";
                let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "closing", detail);
                Self { retry_after: Some(2), ..problem }
            }
            _ => Self::internal(&error),
        }
    }
}

impl From<Unavailable> for Problem {
    fn from(error: Unavailable) -> Self {
        match error {
            Unavailable::Unknown(detail) => Self::not_found("agent_not_found", detail),
            Unavailable::NotConfigured(detail) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "model_not_configured", detail)
            }
            Unavailable::Failed(detail) => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "agent_unavailable", detail)
            }
        }
    }
}

impl From<NotASessionId> for Problem {
    fn from(error: NotASessionId) -> Self {
        Self::bad("invalid_session_id", error.to_string())
    }
}

impl From<NotAnEventId> for Problem {
    fn from(error: NotAnEventId) -> Self {
        Self::bad("invalid_event_id", error.to_string())
    }
}
