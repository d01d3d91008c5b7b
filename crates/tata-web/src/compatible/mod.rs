//! Routes that speak the API of another vendor, so that its clients can talk to our agents: an agent is a model.
//!
//! A conversation is found again by `previous_response_id` or `conversation`, by the header `x-tata-session`, or by what was
//! said in it: clients of the older API send everything each time. Their own instructions are not taken over, for an agent
//! has its own; their tools are offered beside the agent's, and calls of them go back to the client.

pub(crate) mod chat;
mod converse;
mod memory;
pub(crate) mod models;
pub(crate) mod responses;
mod tools;
mod wire;

pub(crate) use memory::Memory;

use serde_json::{Value, json};

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
