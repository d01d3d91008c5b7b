//! One answer from request to reply: send, wait, read, mend or repeat, finish.

use std::{
    collections::VecDeque,
    error::Error as StdError,
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use futures_util::FutureExt;
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tata_core::{
    Alarm, Delivery, Feeder, ModelError, ModelErrorKind, ModelEvent, ModelRequest, Outcome, Phase, Reply,
    WireWarning, WireWarningCode,
};
use tokio::time::Instant;
use tracing::{debug, error, info, warn};

use super::{
    headers::{self, BodyKind},
    inner::Inner,
    patience::{Awaited, Patience},
};
use crate::{
    ReplyReader,
    wire::{Wire, dialect::foreign, encode::REASONING_ITEMS, error_body},
    wire_choice::{has_no_such_path, no_such_path},
};

/// Error bodies are short; a longer one is not worth reading.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
/// A server that sends an error and then holds the socket is not waited for.
const ERROR_BODY_TIME: Duration = Duration::from_secs(5);

/// How long the reply waits for the end of its body. Most servers send it with the last event.
const END_GRACE: Duration = Duration::from_millis(10);
/// How often other tasks are let through before that wait begins.
const PATIENCE: u32 = 8;
/// How long the end of a body may take after the answer's last event, with nobody waiting for it.
const END_TIME: Duration = Duration::from_secs(1);

/// Optional fields: a provider that refuses one gets the same request without it, once.
const DROPPABLE: [&str; 18] = [
    "temperature",
    "top_p",
    "stop",
    "stop_sequences",
    "reasoning_effort",
    "reasoning",
    "effort",
    "thinking",
    "output_config",
    "stream_options",
    "parallel_tool_calls",
    "prompt_cache_key",
    "safety_identifier",
    "cache_control",
    "metadata",
    "include",
    "max_tokens",
    "max_completion_tokens",
];

/// Drives one request. Dropping it closes the connection.
pub(crate) struct Driver {
    inner: Arc<Inner>,
    request: Arc<ModelRequest>,
    queue: VecDeque<ModelEvent>,
    state: State,
    /// Repetitions so far, those of whoever asked before included.
    attempt: u32,
    /// Requests sent.
    sent: u32,
    patience: Patience,
    /// Why the model is asked on another wire than its own.
    changed_wire: Option<ModelError>,
    omit: Vec<String>,
    notes: Vec<WireWarning>,
    deadline: Instant,
    shown: bool,
    counted: bool,
    alarm: Alarm,
}

enum State {
    Send,
    Pause(Instant),
    Read {
        response: Response,
        reader: Box<ReplyReader>,
        awaited: Awaited,
        request_id: Option<String>,
    },
    /// The answer is whole; only the end of its body is missing.
    End {
        response: Response,
        reader: Box<ReplyReader>,
        request_id: Option<String>,
    },
    Over,
}

impl Driver {
    pub(crate) fn new(inner: Arc<Inner>, request: Arc<ModelRequest>) -> Box<Self> {
        let timeouts = inner.transport.timeouts;
        let deadline = Instant::now() + timeouts.total;
        let patience = Patience::new(timeouts, inner.near, 0);
        Box::new(Self {
            inner,
            attempt: request.sent_before,
            request,
            sent: 0,
            patience,
            changed_wire: None,
            queue: VecDeque::new(),
            state: State::Send,
            omit: Vec::new(),
            notes: Vec::new(),
            deadline,
            shown: false,
            counted: false,
            alarm: Alarm::default(),
        })
    }

    /// Goes from state to state and gives every event, until the last.
    pub(crate) async fn run(mut self: Box<Self>, feeder: Feeder<ModelEvent>) {
        loop {
            feeder.give_all(&mut self.queue).await;
            match std::mem::replace(&mut self.state, State::Over) {
                State::Send => {
                    if let Err(error) = self.send().await {
                        self.failed(error, None);
                    }
                }
                State::Pause(until) => {
                    tokio::time::sleep_until(until).await;
                    self.state = State::Send;
                }
                State::Read { response, reader, awaited, request_id } => {
                    self.read(response, reader, awaited, request_id).await;
                }
                State::End { response, reader, request_id } => {
                    keep_connection(response, &mut self.alarm).await;
                    self.conclude(*reader, None, request_id);
                }
                State::Over => return,
            }
        }
    }

    async fn send(&mut self) -> Result<(), ModelError> {
        let inner = Arc::clone(&self.inner);
        let encoded = inner.encode(&self.request, &self.omit)?;
        if !std::mem::replace(&mut self.counted, true) {
            inner.transport.metrics().count_results(encoded.correlated, encoded.uncorrelated);
        }
        for warning in &encoded.warnings {
            if !self.notes.contains(warning) {
                self.note(warning.clone());
            }
        }
        inner.transport.metrics().count_request(self.attempt > 0);
        self.sent += 1;
        self.patience = Patience::new(inner.transport.timeouts, inner.near, encoded.body.len());
        let streamed = self.request.delivery == Delivery::Streamed;
        let awaited = if streamed { Awaited::Headers } else { Awaited::All };
        info!(
            model = inner.spec.name,
            provider = inner.spec.provider,
            wire = inner.spec.wire.as_str(),
            attempt = self.attempt + 1,
            bytes = encoded.body.len(),
            messages = self.request.messages.len(),
            tools = self.request.tools.len(),
            "request sent"
        );
        let request = inner.http_request(encoded.body.into())?;
        let answered = inner.transport.http.execute(request);
        let until = self.until(awaited);
        let mut response = match self.alarm.within(until, answered).await {
            Some(Ok(response)) => response,
            Some(Err(error)) => return Err(send_error(error)),
            None => return Err(self.timed_out(awaited)),
        };
        let status = response.status();
        let request_id = headers::request_id(response.headers());
        if !status.is_success() {
            return Err(Box::pin(self.refused(status, response)).await);
        }
        let kind = headers::body_kind(response.headers(), streamed);
        debug!(?kind, %status, request_id, "answer begins");
        let reader =
            ReplyReader::new(inner.spec.wire, inner.origin.clone(), encoded.cap, inner.transport.event_limit);
        let mut reader = Box::new(reader.with_most_output(inner.spec.max_output));
        match kind {
            BodyKind::Events => {
                // Headers are slices of the connection's buffer: while one lives, every read takes a new buffer.
                response.headers_mut().clear();
                self.state = State::Read { response, reader, awaited: Awaited::Body, request_id };
            }
            BodyKind::Json => {
                let body = Box::pin(self.whole_body(response)).await?;
                let text = String::from_utf8_lossy(&body);
                if serde_json::from_str::<&serde_json::value::RawValue>(&text).is_err() {
                    let mut error = ModelError::new(ModelErrorKind::UnreadableResponse)
                        .with_detail(format!("HTTP {status}, {} bytes that are not JSON", body.len()));
                    error.request_id = request_id;
                    return Err(error);
                }
                reader.push_whole(&text);
                if !reader.is_done() {
                    let strange = || {
                        ModelError::new(ModelErrorKind::UnreadableResponse)
                            .with_detail(format!("HTTP {status}, JSON that is no answer of this API"))
                    };
                    let wire = inner.spec.wire;
                    let mut error = reader.foreign().map_or_else(strange, |found| foreign(found, wire));
                    error.request_id = request_id;
                    return Err(error);
                }
                self.conclude(*reader, None, request_id);
            }
            BodyKind::Page => {
                let mut error = ModelError::new(ModelErrorKind::UnreadableResponse)
                    .with_detail("a web page came back instead of an answer: check the base URL");
                error.status = Some(status.as_u16());
                error.request_id = request_id;
                return Err(error);
            }
        }
        Ok(())
    }

    async fn read(
        &mut self,
        mut response: Response,
        mut reader: Box<ReplyReader>,
        awaited: Awaited,
        request_id: Option<String>,
    ) {
        let until = self.until(awaited);
        let pushed = match self.alarm.within(until, response.chunk()).await {
            Some(Ok(Some(bytes))) => reader.push(&bytes),
            Some(Ok(None)) => return self.conclude(*reader, None, request_id),
            Some(Err(cause)) => {
                // The connection broke: what has arrived decides whether that matters.
                warn!(error = %chain(&cause.without_url()), request_id, "the connection broke");
                return self.conclude(*reader, None, request_id);
            }
            None if reader.may_end() => return self.conclude(*reader, None, request_id),
            None => {
                let error = self.timed_out(awaited);
                return self.conclude(*reader, Some(error), request_id);
            }
        };
        reader.hand_over(&mut self.queue);
        self.note_shown();
        if let Err(error) = pushed {
            self.conclude(*reader, Some(error), request_id);
        } else if reader.is_overflown() {
            // The connection is closed: nobody reads the rest.
            drop(response);
            self.conclude(*reader, None, request_id);
        } else if reader.is_done() {
            self.state = State::End { response, reader, request_id };
        } else {
            self.state = State::Read { response, reader, awaited: Awaited::More, request_id };
        }
    }

    /// Notes whether what waits to be given shows something of the answer.
    fn note_shown(&mut self) {
        self.shown = self.shown
            || self.queue.iter().any(|event| {
                matches!(
                    event,
                    ModelEvent::TextDelta { .. }
                        | ModelEvent::ReasoningDelta { .. }
                        | ModelEvent::RefusalDelta { .. }
                        | ModelEvent::ToolCallStarted { .. }
                )
            });
    }

    fn conclude(&mut self, reader: ReplyReader, failure: Option<ModelError>, request_id: Option<String>) {
        let (events, mut reply) = reader.finish(failure);
        self.queue.extend(events);
        self.note_shown();
        self.inner.transport.metrics().count_calls(reply.call_ids);
        reply.request_id = request_id;
        match reply.outcome {
            Outcome::Failed(error) => {
                let mut error = self.inner.redactor.scrub_error(error);
                error.request_id = error.request_id.take().or_else(|| reply.request_id.clone());
                let empty = ModelError::new(error.kind);
                reply.outcome = Outcome::Failed(empty);
                self.failed(error, Some(reply));
            }
            Outcome::Truncated(mut error) => {
                error.request_id.clone_from(&reply.request_id);
                reply.outcome = Outcome::Truncated(ModelError::new(error.kind));
                self.failed(error, Some(reply));
            }
            Outcome::Complete | Outcome::Incomplete | Outcome::Paused => self.finish(reply),
        }
    }

    /// Mends the request, repeats it, or gives the failure to the caller with what had arrived.
    fn failed(&mut self, failure: ModelError, partial: Option<Reply>) {
        let failure = if has_no_such_path(&failure) {
            let failure = no_such_path(failure, self.inner.spec.wire);
            if self.changes_wire() {
                self.inner = self.inner.on_chat();
                self.changed_wire = Some(failure);
                self.state = State::Send;
                return;
            }
            // What was configured is what the person must hear about.
            self.changed_wire.take().unwrap_or(failure)
        } else {
            failure
        };
        if !self.shown {
            if let Some(field) = self.refused_field(&failure) {
                let detail =
                    format!("the provider refused the field {field}; the request is sent without it");
                self.note(WireWarning::new(WireWarningCode::FieldDropped, detail));
                self.omit.push(field);
                self.state = State::Send;
                return;
            }
            let pause = self.inner.transport.retry.pause(self.attempt + 1, &failure);
            if let Some(after) = pause.filter(|after| Instant::now() + *after < self.deadline) {
                self.attempt += 1;
                warn!(error = %chain(&failure), attempt = self.attempt, pause_ms = after.as_millis(), "trying again");
                self.queue.push_back(ModelEvent::Retrying {
                    attempt: self.attempt,
                    after,
                    error: Box::new(failure),
                });
                self.state = State::Pause(Instant::now() + after);
                return;
            }
        }
        error!(
            model = self.inner.spec.name,
            provider = self.inner.spec.provider,
            attempts = self.attempt + 1,
            error = %chain(&failure),
            "the request failed"
        );
        let reply = match partial {
            Some(mut reply) => {
                reply.outcome = match reply.outcome {
                    Outcome::Truncated(_) => Outcome::Truncated(failure),
                    Outcome::Failed(_) | Outcome::Complete | Outcome::Incomplete | Outcome::Paused => {
                        Outcome::Failed(failure)
                    }
                };
                reply
            }
            None => Reply::failed(failure),
        };
        self.finish(reply);
    }

    /// Whether the same request may go to the other path of this server.
    fn changes_wire(&self) -> bool {
        !self.shown && self.changed_wire.is_none() && self.inner.may_change_wire()
    }

    fn finish(&mut self, mut reply: Reply) {
        if reply.error().is_none() && self.changed_wire.take().is_some() {
            self.inner.remember_chat_only();
            let detail = "The server has no /responses; it is asked by /chat/completions instead. A provider with `wire: \
                          chat` in models.yaml says so from the beginning.";
            self.note(WireWarning::new(WireWarningCode::WireChanged, detail));
        }
        (reply.attempts, reply.attempts_left) =
            (self.sent, self.inner.transport.retry.most.saturating_sub(self.attempt));
        reply.warnings.splice(0..0, self.notes.drain(..));
        self.queue.push_back(ModelEvent::Finished(Box::new(reply)));
        self.state = State::Over;
    }

    fn note(&mut self, warning: WireWarning) {
        warn!(target: "tata_llm::wire", code = warning.code.as_str(), "{}", warning.detail);
        self.notes.push(warning.clone());
        self.queue.push_back(ModelEvent::Warning(warning));
    }

    /// The optional field a 400 complains about, if we sent it and have not dropped one already.
    fn refused_field(&self, error: &ModelError) -> Option<String> {
        if !matches!(error.kind, ModelErrorKind::InvalidRequest | ModelErrorKind::ModelNotFound)
            || !self.omit.is_empty()
        {
            return None;
        }
        let message = error.message.as_deref().unwrap_or_default();
        let param = error.param.as_deref().unwrap_or_default();
        if is_about_reasoning_items(error.code.as_deref().unwrap_or_default(), message) {
            return Some(REASONING_ITEMS.to_owned());
        }
        if error.kind != ModelErrorKind::InvalidRequest {
            return None;
        }
        let names = |text: &str, field: &str| {
            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| word == field)
        };
        // The parameter the provider names counts; its prose only where it names none.
        let text = if param.is_empty() { message } else { param };
        // What was sent is written once more, rather than kept by every request for the few that are refused.
        let sent = self.inner.encode(&self.request, &self.omit).ok()?.body;
        let sent: Value = serde_json::from_slice(&sent).ok()?;
        let required = |field: &str| field == "max_tokens" && self.inner.spec.wire == Wire::Messages;
        let refused = DROPPABLE.into_iter().find(|field| names(text, field) && !required(field));
        refused.filter(|field| sent.get(field).is_some()).map(str::to_owned)
    }

    /// Until when it is waited for, beginning now.
    fn until(&self, awaited: Awaited) -> Instant {
        let now = Instant::now();
        now.checked_add(self.patience.limit(awaited)).map_or(self.deadline, |until| until.min(self.deadline))
    }

    fn timed_out(&self, awaited: Awaited) -> ModelError {
        let awaited = if Instant::now() >= self.deadline { Awaited::All } else { awaited };
        self.patience.ran_out(awaited)
    }

    /// A status that is no success, with what the body says about it.
    async fn refused(&mut self, status: StatusCode, mut response: Response) -> ModelError {
        let headers = response.headers().clone();
        let mut body = Vec::new();
        let until = (Instant::now() + ERROR_BODY_TIME).min(self.deadline);
        while let Some(Ok(Some(bytes))) = self.alarm.within(until, response.chunk()).await {
            body.extend_from_slice(&bytes);
            if body.len() > ERROR_BODY_LIMIT {
                break;
            }
        }
        let parsed: Option<Value> = serde_json::from_slice(&body).ok();
        let mut error =
            error_body::from_value(Some(status.as_u16()), parsed.as_ref().unwrap_or(&Value::Null));
        if parsed.is_none() {
            if status.is_redirection() || status == StatusCode::NOT_FOUND {
                error.kind = ModelErrorKind::UnreadableResponse;
            }
            error = error.with_detail(format!("HTTP {status}, {} bytes that are not JSON", body.len()));
        }
        headers::annotate(&mut error, &headers, SystemTime::now());
        self.inner.redactor.scrub_error(error)
    }

    /// A body in one piece, within the size of one event.
    async fn whole_body(&mut self, mut response: Response) -> Result<Bytes, ModelError> {
        let limit = self.inner.transport.event_limit;
        let mut body = Vec::new();
        loop {
            match self.alarm.within(self.deadline, response.chunk()).await {
                Some(Ok(Some(bytes))) => body.extend_from_slice(&bytes),
                Some(Ok(None)) => return Ok(body.into()),
                Some(Err(cause)) => {
                    let mut error = ModelError::new(ModelErrorKind::StreamTruncated)
                        .with_detail("the connection broke before the answer was whole");
                    error.source = Some(Box::new(cause.without_url()));
                    return Err(error);
                }
                None => return Err(self.timed_out(Awaited::All)),
            }
            if body.len() > limit {
                let message = format!("the answer is larger than the limit of {limit} bytes");
                return Err(ModelError::new(ModelErrorKind::EventTooLarge).with_detail(message));
            }
        }
    }
}

/// Whether a refusal is about reasoning we sent back: made for another account, or no longer known.
fn is_about_reasoning_items(code: &str, message: &str) -> bool {
    let text = format!("{code} {message}").to_ascii_lowercase();
    ["encrypted_content", "encrypted content", "`signature`", "signature in `thinking`"]
        .iter()
        .any(|sign| text.contains(sign))
        || (text.contains("'rs_") && text.contains("not found"))
}

/// Reads the end of a body whose answer is complete: only then can the connection serve the next request. A server
/// that holds the socket is not waited for: a task of its own reads on.
async fn keep_connection(mut response: Response, alarm: &mut Alarm) {
    // Usually the end is here already, and the connection's own task only has to be let through to tell. To set the
    // alarm for so short a time would wake the whole runtime.
    for _ in 0..PATIENCE {
        while let Some(read) = response.chunk().now_or_never() {
            if !matches!(read, Ok(Some(_))) {
                return;
            }
        }
        tokio::task::yield_now().await;
    }
    let until = Instant::now() + END_GRACE;
    while let Some(read) = alarm.within(until, response.chunk()).await {
        if !matches!(read, Ok(Some(_))) {
            return;
        }
        if Instant::now() >= until {
            break;
        }
    }
    tokio::spawn(async move {
        let end = async { while let Ok(Some(_)) = response.chunk().await {} };
        let _ = tokio::time::timeout(END_TIME, end).await;
    });
}

/// A request that never got an answer.
fn send_error(error: reqwest::Error) -> ModelError {
    let kind = if error.is_connect() && error.is_timeout() {
        ModelErrorKind::TimedOut(Phase::Connect)
    } else if error.is_builder() {
        ModelErrorKind::NotConfigured
    } else {
        ModelErrorKind::Unreachable
    };
    let error = error.without_url();
    let mut failure = ModelError::new(kind).with_detail(chain(&error));
    failure.source = Some(Box::new(error));
    failure
}

/// An error with everything beneath it, in one line.
fn chain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut beneath = error.source();
    while let Some(cause) = beneath {
        let line = cause.to_string();
        if !text.contains(&line) {
            text.push_str(": ");
            text.push_str(&line);
        }
        beneath = cause.source();
    }
    text
}
