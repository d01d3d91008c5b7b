//! Chat completions: messages in, an answer out.

use std::convert::Infallible;

use axum::{
    Extension, Json,
    http::HeaderMap,
    response::{
        IntoResponse, Response,
        sse::{Event as Frame, KeepAlive, Sse},
    },
};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{Feed, Question, StopReason, TurnEnd, TurnOutcome, TurnReport};

use super::{
    answering::{Answer, AnswerEvent, CitedPlace},
    converse::{SESSION, converse},
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
    let asked = request.asked(&headers)?;
    let mut answering = converse(&app, &headers, &request.model, None, asked).await?;
    let head = Head {
        id: format!("chatcmpl-{}", answering.id.tail('-')),
        created: app.services.clock.now().as_second(),
        model: request.model.clone(),
    };
    let session = answering.session.id.to_string();
    if !request.stream.unwrap_or(false) {
        let answer = answering.whole().await?;
        let asked = answer.asked.clone().map(Extension);
        return Ok(([(SESSION, session)], asked, Json(head.whole(&answer))).into_response());
    }
    let (wants_usage, heartbeat) = (request.wants_usage(), app.options.heartbeat);
    let frames = Feed::of(|out| async move {
        out.give(frame(&head.chunk(&json!({"role": "assistant", "content": ""}), None))).await;
        while let Some(told) = answering.next().await {
            match told {
                AnswerEvent::Text(piece) => {
                    out.give(frame(&head.chunk(&json!({ "content": piece }), None))).await;
                }
                AnswerEvent::Failed(problem) => out.give(frame(&error_body(&problem))).await,
                AnswerEvent::Done(mut answer) => {
                    if let Some(asked) = answer.asked.take() {
                        asked.note_written().await;
                    }
                    for chunk in head.end(&answer, wants_usage) {
                        out.give(frame(&chunk)).await;
                    }
                }
            }
        }
        out.give(Frame::default().data("[DONE]")).await;
    });
    let sse = Sse::new(frames.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(heartbeat));
    Ok(([(SESSION, session)], sse).into_response())
}

/// What every piece of an answer begins with.
struct Head {
    id: String,
    created: i64,
    model: String,
}

impl Head {
    fn whole(&self, answer: &Answer) -> Value {
        let Answer { text, calls, report, .. } = answer;
        let mut message = json!({ "role": "assistant", "content": text, "refusal": null });
        if let Some(verdict) = verdict(answer) {
            message["annotations"] = verdict["annotations"].clone();
            message["sentences"] = verdict["sentences"].clone();
        }
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

    /// The pieces after the text.
    fn end(&self, answer: &Answer, wants_usage: bool) -> Vec<Value> {
        let Answer { calls, report, .. } = answer;
        let mut chunks = Vec::new();
        chunks.extend(verdict(answer).map(|verdict| self.chunk(&verdict, None)));
        if !calls.is_empty() {
            let numbered = calls.iter().enumerate().map(|(at, call)| {
                let mut call = tool_call(call);
                call["index"] = json!(at);
                call
            });
            let delta = json!({ "tool_calls": numbered.collect::<Vec<_>>() });
            chunks.push(self.chunk(&delta, None));
        }
        let reason = if calls.is_empty() { finish_reason(report) } else { "tool_calls" };
        chunks.push(self.chunk(&json!({}), Some(reason)));
        if wants_usage {
            let mut last = self.chunk(&json!({}), None);
            last["choices"] = json!([]);
            last["usage"] = usage(report);
            chunks.push(last);
        }
        chunks
    }

    fn chunk(&self, delta: &Value, finish_reason: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason }],
        })
    }
}

/// What the numbers in an answer stand for, and which of its sentences their sources do not prove; none where nothing was
/// held against sources.
fn verdict(answer: &Answer) -> Option<Value> {
    let sentences = answer.sentences();
    let annotations = answer.citations();
    if sentences.is_empty() && annotations.is_empty() {
        return None;
    }
    let annotation =
        |place: &CitedPlace<'_>| json!({ "type": "url_citation", "url_citation": place.fields() });
    let annotations: Vec<Value> = annotations.iter().map(annotation).collect();
    Some(json!({ "annotations": annotations, "sentences": sentences }))
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
