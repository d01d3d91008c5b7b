//! What a request brings, within limits: bodies as JSON, queries, headers.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    extract::{FromRequest, FromRequestParts, Query, Request},
    http::{StatusCode, header::CONTENT_TYPE, request::Parts},
};
use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::{Problem, state::ServerState};

/// A body must have arrived by then.
const BODY_TIME: Duration = Duration::from_secs(30);

/// A body of JSON.
pub(crate) struct Given<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<ServerState> for Given<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &ServerState) -> Result<Self, Problem> {
        let kind =
            request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        // A form of a stranger's page cannot send this type without asking first.
        if kind != "application/json" {
            let detail = format!("The body is {kind:?}; it must be sent as application/json.");
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail));
        }
        let bytes = read(request.into_body(), server.options().largest_body).await?;
        parse(&bytes).map(Self)
    }
}

/// Reads a whole body, or says why it cannot be had.
pub(crate) async fn read(body: Body, largest: usize) -> Result<Bytes, Problem> {
    match tokio::time::timeout(BODY_TIME, to_bytes(body, largest)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_large(&error) => Err(too_large(largest)),
        Ok(Err(_)) => Err(Problem::bad("body_cut_off", "The body ended before it was whole.")),
        Err(_) => {
            let detail = format!("The body did not arrive within {} seconds.", BODY_TIME.as_secs());
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail))
        }
    }
}

pub(crate) fn too_large(largest: usize) -> Problem {
    let detail =
        format!("The body is larger than {largest} bytes, which is the most. Send less, or in parts.");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(this) = cause {
        if this.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = this.source();
    }
    false
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'[') {
        // A list would be taken for the fields in their order.
        let detail = "The body is a list; it must be an object.";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_body", detail));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let detail = format!("The body cannot be used: {error}.");
        if error.is_data() {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_body", detail)
        } else {
            Problem::bad("invalid_json", detail)
        }
    })
}

/// What stands behind the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<ServerState> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &ServerState) -> Result<Self, Problem> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(error) => Err(Problem::bad("invalid_query", error.body_text())),
        }
    }
}

/// A header as text; one that is not is an error that names it.
pub(crate) fn header<'a>(headers: &'a axum::http::HeaderMap, name: &str) -> Result<Option<&'a str>, Problem> {
    let Some(value) = headers.get(name) else { return Ok(None) };
    let text = value
        .to_str()
        .map_err(|_| Problem::bad("invalid_header", format!("The header {name} is not text.")))?;
    Ok(Some(text.trim()))
}
