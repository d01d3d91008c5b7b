//! Responses: the newer of both APIs, with typed events and conversations that are kept.

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
use tata_core::{Feed, Feeder, Question, TurnEnd, TurnOutcome};

use super::{
    answering::{Answer, AnswerEvent, CitedPlace},
    converse::{SESSION, converse},
    error_body,
    place::{AnswerId, Named},
    references,
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
    let named = named(&request)?;
    let given = references::given(&app, &request.references()).await?;
    let asked = request.asked(&headers, given)?;
    let mut answering = converse(&app, &headers, &request.model, named, asked).await?;
    let id = answering.id.tail('_');
    let session = answering.session.id.to_string();
    let head = Head {
        id: format!("resp_{id}"),
        item: format!("msg_{id}"),
        call: format!("fc_{id}"),
        conversation: format!("conv_{session}"),
        created: app.services.clock.now().as_second(),
        model: request.model.clone(),
        previous: request.previous_response_id.clone(),
    };
    if !request.stream.unwrap_or(false) {
        let answer = answering.whole().await?;
        let asked = answer.asked.clone().map(Extension);
        return Ok(([(SESSION, session)], asked, Json(head.done(&answer))).into_response());
    }
    let heartbeat = app.options.heartbeat;
    let frames = Feed::of(|out| async move {
        let mut writer = Writer { out, number: 0, head };
        writer.begin().await;
        while let Some(told) = answering.next().await {
            match told {
                AnswerEvent::Text(delta) => {
                    let delta = writer.head.place(json!({ "delta": delta, "logprobs": [] }));
                    writer.write("response.output_text.delta", delta).await;
                }
                AnswerEvent::Failed(problem) => writer.fail(&problem).await,
                AnswerEvent::Done(mut answer) => {
                    if let Some(asked) = answer.asked.take() {
                        asked.note_written().await;
                    }
                    writer.end(&answer).await;
                }
            }
        }
    });
    let sse = Sse::new(frames.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(heartbeat));
    Ok(([(SESSION, session)], sse).into_response())
}

/// What a request names by an id of ours.
fn named(request: &ResponseRequest) -> Result<Option<Named>, Problem> {
    let wrong = |field: &str| {
        let detail = format!("{field} does not name anything that was given out here.");
        Problem { field: Some(field.to_owned()), ..Problem::bad("invalid_id", detail) }
    };
    match (&request.previous_response_id, &request.conversation) {
        (Some(_), Some(_)) => {
            let detail = "Name previous_response_id or conversation, not both.";
            let field = Some("conversation".to_owned());
            Err(Problem { field, ..Problem::bad("unsupported", detail) })
        }
        (Some(id), None) => {
            let answer = AnswerId::read(id).ok_or_else(|| wrong("previous_response_id"))?;
            Ok(Some(Named::Answer(answer)))
        }
        (None, Some(conversation)) => {
            let session = conversation.id().strip_prefix("conv_").and_then(|session| session.parse().ok());
            Ok(Some(Named::Conversation(session.ok_or_else(|| wrong("conversation"))?)))
        }
        (None, None) => Ok(None),
    }
}

/// Writes events with their numbers.
struct Writer {
    out: Feeder<Frame>,
    number: u64,
    head: Head,
}

impl Writer {
    async fn write(&mut self, name: &'static str, mut event: Value) {
        event["type"] = json!(name);
        event["sequence_number"] = json!(self.number);
        self.number += 1;
        self.out.give(Frame::default().event(name).data(event.to_string())).await;
    }

    async fn begin(&mut self) {
        let begun = self.head.response("in_progress", &[]);
        self.write("response.created", json!({ "response": begun })).await;
        self.write("response.in_progress", json!({ "response": begun })).await;
        let empty = self.head.item("in_progress", &[]);
        self.write("response.output_item.added", json!({ "output_index": 0, "item": empty })).await;
        let part = self.head.place(json!({ "part": part("") }));
        self.write("response.content_part.added", part).await;
    }

    async fn fail(&mut self, problem: &Problem) {
        let mut failed = self.head.response("failed", &[]);
        let error = error_body(problem);
        failed["error"] = json!({ "code": "server_error", "message": error["error"]["message"] });
        self.write("response.failed", json!({ "response": failed })).await;
    }

    /// What comes after the text.
    async fn end(&mut self, answer: &Answer) {
        let text = answer.text.as_str();
        for (at, annotation) in annotations(answer).into_iter().enumerate() {
            let added = self.head.place(json!({ "annotation_index": at, "annotation": annotation }));
            self.write("response.output_text.annotation.added", added).await;
        }
        let done = self.head.place(json!({ "text": text, "logprobs": [] }));
        self.write("response.output_text.done", done).await;
        let done = self.head.place(json!({ "part": answered(answer) }));
        self.write("response.content_part.done", done).await;
        let item = self.head.item("completed", &[answered(answer)]);
        self.write("response.output_item.done", json!({ "output_index": 0, "item": item })).await;
        for (at, call) in answer.calls.iter().enumerate() {
            self.write_call(at, call).await;
        }
        let whole = self.head.done(answer);
        let name = if whole["status"] == "incomplete" { "response.incomplete" } else { "response.completed" };
        self.write(name, json!({ "response": whole })).await;
    }

    /// A call that the client must make, whole: it was held until it was whole.
    async fn write_call(&mut self, number: usize, call: &Question) {
        // The text stands before the calls.
        let (at, item) = (number + 1, self.head.function_call(number, call));
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

/// What stays the same in all events of a response.
struct Head {
    id: String,
    item: String,
    /// What the ids of its calls begin with.
    call: String,
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

    /// A call that the client must make.
    fn function_call(&self, number: usize, call: &Question) -> Value {
        json!({
            "type": "function_call", "id": format!("{}_{number}", self.call), "call_id": call.call_id,
            "name": call.tool, "arguments": call.arguments, "status": "completed",
        })
    }

    fn done(&self, answer: &Answer) -> Value {
        let Answer { calls, report, .. } = answer;
        let cut = match &report.outcome {
            TurnOutcome::Ended { end: TurnEnd::Refused } => Some("content_filter"),
            TurnOutcome::Ended { end: TurnEnd::Incomplete { .. } | TurnEnd::Limit { .. } } => {
                Some("max_output_tokens")
            }
            TurnOutcome::Ended { .. } | TurnOutcome::Waiting | TurnOutcome::Broken { .. } => None,
        };
        let status = if cut.is_some() { "incomplete" } else { "completed" };
        let message = self.item("completed", &[answered(answer)]);
        let calls = calls.iter().enumerate().map(|(number, call)| self.function_call(number, call));
        let output: Vec<Value> = [message].into_iter().chain(calls).collect();
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

/// The text of an answer with what its numbers stand for, and which of its sentences their sources do not prove.
fn answered(answer: &Answer) -> Value {
    let mut part = part(&answer.text);
    part["annotations"] = annotations(answer).into();
    if !answer.sentences().is_empty() {
        part["sentences"] = json!(answer.sentences());
    }
    part
}

fn annotations(answer: &Answer) -> Vec<Value> {
    let annotation = |place: &CitedPlace<'_>| {
        let mut annotation = place.fields();
        annotation["type"] = json!("url_citation");
        annotation
    };
    answer.citations().iter().map(annotation).collect()
}

fn part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}
