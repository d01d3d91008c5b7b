//! Routes that speak the API of another vendor, so that its clients can talk to our agents: an agent is a model.
//!
//! A conversation goes on in a session by `previous_response_id` or `conversation`, by the header `x-tata-session`, or
//! by its history: clients of the older API send all of it each time. A history leads to a session only if nobody else
//! has the same one, or if all who have it hold the same (`place.rs`, `alike.rs`); a session that has gone on since is left
//! alone, and the conversation branches. Whatever a session does not hold is taken over from the client, calls and results
//! of its tools included. Its instructions are not taken over, for an agent has its own; its tools are offered beside the
//! agent's, and calls of them go back to it.

mod alike;
mod answering;
pub(crate) mod chat;
mod converse;
mod history;
mod identity;
mod markup;
pub(crate) mod models;
mod place;
mod question;
mod references;
pub(crate) mod responses;
mod tools;
mod wire;

use std::convert::Infallible;

use axum::{
    body::{Body, to_bytes},
    http::header::CONTENT_LENGTH,
    response::Response,
};
use serde_json::{Value, json};
use tata_core::Feed;

use crate::Problem;

/// A problem in the shape that these clients read.
pub(crate) fn error_body(problem: &Problem) -> Value {
    let kind = match problem.status.as_u16() {
        401 => "authentication_error",
        403 => "permission_error",
        429 => "rate_limit_error",
        400..=499 => "invalid_request_error",
        _ => "server_error",
    };
    json!({ "error": {
        "message": problem.detail, "type": kind, "param": problem.field, "code": problem.code,
    }})
}

/// A whole answer on its way to its reader: a question in it counts as shown once it was written to a line that is still
/// open, and before the reader knows that the answer is over.
pub(crate) fn handed_over(mut response: Response) -> Response {
    let Some(asked) = response.extensions_mut().remove::<answering::Asked>() else { return response };
    response.headers_mut().remove(CONTENT_LENGTH);
    response.map(|body| {
        Body::from_stream(Feed::of(|out| async move {
            match to_bytes(body, usize::MAX).await {
                Ok(bytes) => {
                    out.give(Ok::<_, Infallible>(bytes)).await;
                    asked.note_written().await;
                }
                Err(error) => tracing::warn!(%error, "an answer could not be handed over"),
            }
        }))
    })
}
