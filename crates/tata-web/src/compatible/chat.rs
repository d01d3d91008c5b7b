//! Chat completions: messages in, an answer out.

use std::convert::Infallible;

use axum::{
    Json,
    http::HeaderMap,
    response::{
        IntoResponse, Response,
        sse::{Event as Frame, KeepAlive, Sse},
    },
};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{Event, Feed, Question, StopReason, TurnEnd, TurnOutcome, TurnReport};

use super::{
    converse::{Conversing, SESSION, Speech, converse, failure},
    error_body,
    wire::ChatRequest,
};
use crate::{Problem, input::Given, state::App};

/// Answers a list of messages. An agent is the model; the answer's header `x-tata-session` names its session.
#[utoipa::path(post, path = "/v1/chat/completions", tag = "compatible", request_body = ChatRequest,
    responses((status = 200, body = Object), (status = 400, body = Object), (status = 404, body = Object), (status = 429, body = Object)))]
pub(crate) async fn completions(
    app: App,
    headers: HeaderMap,
    Given(request): Given<ChatRequest>,
) -> Result<Response, Problem> {
    let conversing = converse(&app, &headers, &request.model, None, request.said()?).await?;
    let (session, begun, said) = conversing.split();
    let head = Head {
        id: format!("chatcmpl-{}-{}", session.id, begun.started.turn),
        created: app.services.clock.now().as_second(),
        model: request.model.clone(),
    };
    let (id, mut speech) = (session.id, Speech::default());
    let mut events = Box::pin(begun.events());
    if !request.stream.unwrap_or(false) {
        let mut report = None;
        while let Some(told) = events.next().await {
            speech.hear(&told.event);
            if let Event::Finished(finished) = told.event {
                report = Some(finished);
            }
        }
        let report = report.ok_or_else(super::responses::unfinished)?;
        if let Some(problem) = failure(&report) {
            return Err(problem);
        }
        let calls = Conversing::calls(&app, &session, &report).await?;
        speech.end(&report, !calls.is_empty());
        Conversing::answered(said, &app, id, &speech.text);
        let whole = head.whole(&speech.text, &calls, &report);
        return Ok(([(SESSION, id.to_string())], Json(whole)).into_response());
    }
    let (wants_usage, heartbeat) = (request.wants_usage(), app.options.heartbeat);
    let frames = Feed::of(|out| async move {
        out.give(frame(&head.chunk(&json!({"role": "assistant", "content": ""}), None))).await;
        while let Some(told) = events.next().await {
            if let Some(piece) = speech.hear(&told.event) {
                out.give(frame(&head.chunk(&json!({ "content": piece }), None))).await;
            }
            let Event::Finished(report) = told.event else { continue };
            if let Some(problem) = failure(&report) {
                out.give(frame(&error_body(&problem))).await;
                break;
            }
            let calls = Conversing::calls(&app, &session, &report).await.unwrap_or_default();
            if let Some(piece) = speech.end(&report, !calls.is_empty()) {
                out.give(frame(&head.chunk(&json!({ "content": piece }), None))).await;
            }
            Conversing::answered(said, &app, id, &speech.text);
            if !calls.is_empty() {
                let numbered = calls.iter().enumerate().map(|(at, call)| {
                    let mut call = tool_call(call);
                    call["index"] = json!(at);
                    call
                });
                let delta = json!({ "tool_calls": numbered.collect::<Vec<_>>() });
                out.give(frame(&head.chunk(&delta, None))).await;
            }
            let reason = if calls.is_empty() { finish_reason(&report) } else { "tool_calls" };
            out.give(frame(&head.chunk(&json!({}), Some(reason)))).await;
            if wants_usage {
                let mut last = head.chunk(&json!({}), None);
                last["choices"] = json!([]);
                last["usage"] = usage(&report);
                out.give(frame(&last)).await;
            }
            break;
        }
        out.give(Frame::default().data("[DONE]")).await;
    });
    let sse = Sse::new(frames.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(heartbeat));
    Ok(([(SESSION, id.to_string())], sse).into_response())
}

/// What every piece of an answer begins with.
struct Head {
    id: String,
    created: i64,
    model: String,
}

impl Head {
    fn whole(&self, text: &str, calls: &[Question], report: &TurnReport) -> Value {
        let mut message = json!({ "role": "assistant", "content": text, "refusal": null });
        let mut reason = finish_reason(report);
        if !calls.is_empty() {
            message["tool_calls"] = calls.iter().map(tool_call).collect();
            reason = "tool_calls";
        }
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": self.model,
            "choices": [{
                "index": 0,
                "message": message,
                "logprobs": null,
                "finish_reason": reason,
            }],
            "usage": usage(report),
        })
    }

    fn chunk(&self, delta: &Value, finish_reason: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason }],
        })
    }
}

/// A call that the client must make.
fn tool_call(call: &Question) -> Value {
    json!({
        "id": call.call_id, "type": "function",
        "function": { "name": call.tool, "arguments": call.arguments },
    })
}

fn finish_reason(report: &TurnReport) -> &'static str {
    match &report.outcome {
        TurnOutcome::Ended {
            end: TurnEnd::Incomplete { reason: StopReason::ContentFilter } | TurnEnd::Refused,
        } => "content_filter",
        TurnOutcome::Ended { end: TurnEnd::Incomplete { .. } | TurnEnd::Limit { .. } } => "length",
        TurnOutcome::Ended { .. } | TurnOutcome::Waiting | TurnOutcome::Broken { .. } => "stop",
    }
}

/// What was used. These clients know no unknown: what was not reported is 0 here, and null in our own API.
fn usage(report: &TurnReport) -> Value {
    let number = |count: Option<u64>| count.unwrap_or(0);
    json!({
        "prompt_tokens": number(report.input_tokens),
        "completion_tokens": number(report.output_tokens),
        "total_tokens": number(report.tokens_used),
    })
}

fn frame(value: &Value) -> Frame {
    Frame::default().data(value.to_string())
}
