//! Responses: the newer of both APIs, with typed events and conversations that are kept.

use std::convert::Infallible;

use axum::{
    Json,
    http::{HeaderMap, StatusCode},
    response::{
        IntoResponse, Response,
        sse::{Event as Frame, KeepAlive, Sse},
    },
};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{Event, Feed, Feeder, Question, SessionId, TurnEnd, TurnOutcome, TurnReport};

use super::{
    converse::{Conversing, SESSION, Speech, converse, failure},
    error_body,
    wire::ResponseRequest,
};
use crate::{Problem, input::Given, state::App};

/// Answers an input. An agent is the model; `previous_response_id` or `conversation` goes on with a session.
#[utoipa::path(post, path = "/v1/responses", tag = "compatible", request_body = ResponseRequest,
    responses((status = 200, body = Object), (status = 400, body = Object), (status = 404, body = Object), (status = 429, body = Object)))]
pub(crate) async fn create(
    app: App,
    headers: HeaderMap,
    Given(request): Given<ResponseRequest>,
) -> Result<Response, Problem> {
    let named = match (&request.previous_response_id, &request.conversation) {
        (Some(_), Some(_)) => {
            let detail = "Name previous_response_id or conversation, not both.";
            return Err(Problem {
                field: Some("conversation".to_owned()),
                ..Problem::bad("unsupported", detail)
            });
        }
        (Some(id), None) => Some(named_by(id, "resp_", "previous_response_id")?),
        (None, Some(conversation)) => Some(named_by(conversation.id(), "conv_", "conversation")?),
        (None, None) => None,
    };
    let conversing = converse(&app, &headers, &request.model, named, request.said()?).await?;
    let (session, begun, said) = conversing.split();
    let (id, turn) = (session.id, begun.started.turn);
    let head = Head {
        id: format!("resp_{id}_{turn}"),
        item: format!("msg_{id}_{turn}"),
        conversation: format!("conv_{id}"),
        created: app.services.clock.now().as_second(),
        model: request.model.clone(),
        previous: request.previous_response_id.clone(),
    };
    let mut speech = Speech::default();
    let mut events = Box::pin(begun.events());
    if !request.stream.unwrap_or(false) {
        let mut report = None;
        while let Some(told) = events.next().await {
            speech.hear(&told.event);
            if let Event::Finished(finished) = told.event {
                report = Some(finished);
            }
        }
        let report = report.ok_or_else(unfinished)?;
        if let Some(problem) = failure(&report) {
            return Err(problem);
        }
        let calls = Conversing::calls(&app, &session, &report).await?;
        speech.end(&report, !calls.is_empty());
        Conversing::answered(said, &app, id, &speech.text);
        let whole = head.done(&speech.text, &calls, &report);
        return Ok(([(SESSION, id.to_string())], Json(whole)).into_response());
    }
    let heartbeat = app.options.heartbeat;
    let frames = Feed::of(|out| async move {
        let mut writer = Writer { out, number: 0 };
        let begun = head.response("in_progress", &[]);
        writer.write("response.created", json!({ "response": begun })).await;
        writer.write("response.in_progress", json!({ "response": begun })).await;
        let empty = head.item("in_progress", &[]);
        writer.write("response.output_item.added", json!({ "output_index": 0, "item": empty })).await;
        writer.write("response.content_part.added", head.place(json!({ "part": part("") }))).await;
        while let Some(told) = events.next().await {
            if let Some(delta) = speech.hear(&told.event) {
                let delta = head.place(json!({ "delta": delta, "logprobs": [] }));
                writer.write("response.output_text.delta", delta).await;
            }
            let Event::Finished(report) = told.event else { continue };
            if let Some(problem) = failure(&report) {
                let mut failed = head.response("failed", &[]);
                let error = error_body(&problem);
                failed["error"] = json!({ "code": "server_error", "message": error["error"]["message"] });
                writer.write("response.failed", json!({ "response": failed })).await;
                break;
            }
            let calls = Conversing::calls(&app, &session, &report).await.unwrap_or_default();
            if let Some(delta) = speech.end(&report, !calls.is_empty()) {
                let delta = head.place(json!({ "delta": delta, "logprobs": [] }));
                writer.write("response.output_text.delta", delta).await;
            }
            Conversing::answered(said, &app, id, &speech.text);
            let text = speech.text.as_str();
            writer
                .write("response.output_text.done", head.place(json!({ "text": text, "logprobs": [] })))
                .await;
            writer.write("response.content_part.done", head.place(json!({ "part": part(text) }))).await;
            let item = head.item("completed", &[part(text)]);
            writer.write("response.output_item.done", json!({ "output_index": 0, "item": item })).await;
            for (at, call) in calls.iter().enumerate() {
                writer.write_call(at + 1, call).await;
            }
            let whole = head.done(text, &calls, &report);
            let name =
                if whole["status"] == "incomplete" { "response.incomplete" } else { "response.completed" };
            writer.write(name, json!({ "response": whole })).await;
            break;
        }
    });
    let sse = Sse::new(frames.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(heartbeat));
    Ok(([(SESSION, id.to_string())], sse).into_response())
}

pub(super) fn unfinished() -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The turn ended without a report.")
}

/// The session that an id of ours names.
fn named_by(id: &str, prefix: &str, field: &str) -> Result<SessionId, Problem> {
    let rest = id.strip_prefix(prefix).and_then(|rest| rest.split('_').next());
    rest.and_then(|session| session.parse().ok()).ok_or_else(|| {
        let detail = format!("{field} does not name anything that was given out here.");
        Problem { field: Some(field.to_owned()), ..Problem::bad("invalid_id", detail) }
    })
}

/// Writes events with their numbers.
struct Writer {
    out: Feeder<Frame>,
    number: u64,
}

impl Writer {
    async fn write(&mut self, name: &'static str, mut event: Value) {
        event["type"] = json!(name);
        event["sequence_number"] = json!(self.number);
        self.number += 1;
        self.out.give(Frame::default().event(name).data(event.to_string())).await;
    }
}

impl Writer {
    /// A call that the client must make, whole: it was held until it was whole.
    async fn write_call(&mut self, at: usize, call: &Question) {
        let item = function_call(call);
        let mut begun = item.clone();
        (begun["status"], begun["arguments"]) = (json!("in_progress"), json!(""));
        self.write("response.output_item.added", json!({ "output_index": at, "item": begun })).await;
        let place = |more: Value| {
            let mut event = json!({ "item_id": item["id"], "output_index": at });
            if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
                event.extend(more.clone());
            }
            event
        };
        let delta = place(json!({ "delta": call.arguments }));
        self.write("response.function_call_arguments.delta", delta).await;
        let done = place(json!({ "arguments": call.arguments, "name": call.tool }));
        self.write("response.function_call_arguments.done", done).await;
        self.write("response.output_item.done", json!({ "output_index": at, "item": item })).await;
    }
}

/// A call that the client must make.
fn function_call(call: &Question) -> Value {
    json!({
        "type": "function_call", "id": format!("fc_{}", call.call_id), "call_id": call.call_id,
        "name": call.tool, "arguments": call.arguments, "status": "completed",
    })
}

/// What stays the same in all events of a response.
struct Head {
    id: String,
    item: String,
    conversation: String,
    created: i64,
    model: String,
    previous: Option<String>,
}

impl Head {
    /// Adds where in the response something is.
    fn place(&self, mut event: Value) -> Value {
        event["item_id"] = json!(self.item);
        event["output_index"] = json!(0);
        event["content_index"] = json!(0);
        event
    }

    fn item(&self, status: &str, content: &[Value]) -> Value {
        json!({ "type": "message", "id": self.item, "status": status, "role": "assistant", "content": content })
    }

    fn response(&self, status: &str, output: &[Value]) -> Value {
        json!({
            "id": self.id, "object": "response", "created_at": self.created, "status": status,
            "error": null, "incomplete_details": null, "instructions": null, "max_output_tokens": null,
            "model": self.model, "output": output, "parallel_tool_calls": true,
            "previous_response_id": self.previous, "conversation": { "id": self.conversation },
            "reasoning": { "effort": null, "summary": null }, "store": true, "temperature": null,
            "text": { "format": { "type": "text" } }, "tool_choice": "auto", "tools": [], "top_p": null,
            "truncation": "disabled", "usage": null, "user": null, "metadata": {},
        })
    }

    fn done(&self, text: &str, calls: &[Question], report: &TurnReport) -> Value {
        let cut = match &report.outcome {
            TurnOutcome::Ended { end: TurnEnd::Refused } => Some("content_filter"),
            TurnOutcome::Ended { end: TurnEnd::Incomplete { .. } | TurnEnd::Limit { .. } } => {
                Some("max_output_tokens")
            }
            TurnOutcome::Ended { .. } | TurnOutcome::Waiting | TurnOutcome::Broken { .. } => None,
        };
        let status = if cut.is_some() { "incomplete" } else { "completed" };
        let message = self.item("completed", &[part(text)]);
        let output: Vec<Value> = [message].into_iter().chain(calls.iter().map(function_call)).collect();
        let mut response = self.response(status, &output);
        if let Some(reason) = cut {
            response["incomplete_details"] = json!({ "reason": reason });
        }
        // These clients know no unknown: what was not reported is 0 here, and null in our own API.
        let number = |count: Option<u64>| count.unwrap_or(0);
        response["usage"] = json!({
            "input_tokens": number(report.input_tokens),
            "input_tokens_details": { "cached_tokens": 0 },
            "output_tokens": number(report.output_tokens),
            "output_tokens_details": { "reasoning_tokens": 0 },
            "total_tokens": number(report.tokens_used),
        });
        response
    }
}

fn part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}
