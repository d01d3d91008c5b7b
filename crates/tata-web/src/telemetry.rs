//! Turns as traces for OpenTelemetry, by the names of its conventions for generative AI. All of these names stand here.
//!
//! What people say and what tools are given is not in them unless the operator asks for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tata_core::{CallId, Event, SessionId, ToolStatus, TurnOutcome, TurnReport, Usage};
use tokio::sync::mpsc;

/// The spans that wait to be sent; what comes beyond is lost, and counted.
const WAITING: usize = 4_096;
/// The most spans of one request.
const AT_ONCE: usize = 512;
/// How long a span waits for others.
const GATHERED: Duration = Duration::from_secs(2);

const OPERATION: &str = "gen_ai.operation.name";
const CONVERSATION: &str = "gen_ai.conversation.id";
const REQUEST_MODEL: &str = "gen_ai.request.model";
const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
const TOOL_NAME: &str = "gen_ai.tool.name";
const TOOL_CALL: &str = "gen_ai.tool.call.id";
const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
const ERROR: &str = "error.type";

/// Where traces go.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// The name of this service.
    pub service: String,
    /// Its version.
    pub version: String,
    /// Whether what was said and given is in them.
    pub content: bool,
}

/// Makes traces of the turns it hears of.
pub struct Traces {
    options: TraceOptions,
    open: Mutex<HashMap<SessionId, OpenTurn>>,
    done: mpsc::Sender<Value>,
}

/// A turn that runs.
struct OpenTurn {
    trace: String,
    root: String,
    turn: u32,
    begun: Timestamp,
    spans: usize,
    /// The model that is asked now, and since when.
    asked: Option<(String, Timestamp)>,
    tools: HashMap<CallId, Timestamp>,
}

/// Spans in the order in which they ended, to be sent.
pub struct Spans {
    options: TraceOptions,
    waiting: mpsc::Receiver<Value>,
}

impl Traces {
    /// What listens to turns, and what comes of it.
    pub fn new(options: TraceOptions) -> (Arc<Self>, Spans) {
        let (done, waiting) = mpsc::channel(WAITING);
        let traces = Self { options: options.clone(), open: Mutex::default(), done };
        (Arc::new(traces), Spans { options, waiting })
    }

    /// Takes in what a turn tells.
    pub fn observe(&self, session: SessionId, event: &Event) {
        let now = Timestamp::now();
        let mut turns = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Event::TurnStarted { turn, .. } = event {
            turns.insert(session, OpenTurn::new(session, *turn, now));
            return;
        }
        let Some(open) = turns.get_mut(&session) else { return };
        match event {
            Event::ModelAsked { model, .. } => open.asked = Some((model.to_string(), now)),
            Event::Usage { model, usage, .. } => {
                let begun = open.asked.take().map_or(now, |(_, begun)| begun);
                let span = open.chat(session, model, begun, now, usage.as_deref(), None);
                self.send(span);
            }
            Event::ToolStarted(start) => drop(open.tools.insert(start.call_id.clone(), now)),
            Event::ToolFinished(end) => {
                let begun = open.tools.remove(&end.call_id).unwrap_or(now);
                let mut attributes = vec![
                    text(OPERATION, "execute_tool"),
                    text(CONVERSATION, &session.to_string()),
                    text(TOOL_NAME, &end.tool),
                    text(TOOL_CALL, end.call_id.as_str()),
                ];
                if self.options.content {
                    attributes.push(text(TOOL_ARGUMENTS, &end.arguments));
                }
                let failed = (end.status != ToolStatus::Succeeded).then(|| end.status.as_str());
                let name = format!("execute_tool {}", end.tool);
                let span = open.span(&name, INTERNAL, begun, now, attributes, failed);
                self.send(span);
            }
            Event::Finished(report) => {
                if let Some(mut open) = turns.remove(&session) {
                    if let Some((model, begun)) = open.asked.take() {
                        let failed =
                            report.failure.as_ref().map_or("cancelled", |failure| failure.kind.as_str());
                        self.send(open.chat(session, &model, begun, now, None, Some(failed)));
                    }
                    self.send(open.whole(session, report, now, self.options.content));
                }
            }
            Event::TurnStarted { .. }
            | Event::TextDelta { .. }
            | Event::ReasoningDelta { .. }
            | Event::Reset { .. }
            | Event::Retrying { .. }
            | Event::ToolAnnounced { .. }
            | Event::Artifact { .. }
            | Event::HistoryCut { .. }
            | Event::Warning { .. }
            | Event::Waiting { .. } => {}
        }
    }

    fn send(&self, span: Value) {
        if self.done.try_send(span).is_err() {
            tracing::debug!("a span is lost: too many wait to be sent");
        }
    }
}

/// The kinds of spans: within this process, and a request to another.
const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;

impl OpenTurn {
    fn new(session: SessionId, turn: u32, begun: Timestamp) -> Self {
        let seed = format!("{session} {turn} {}", begun.as_nanosecond());
        let trace = hex(&seed, 16);
        let root = hex(&format!("{seed} root"), 8);
        Self { trace, root, turn, begun, spans: 0, asked: None, tools: HashMap::new() }
    }

    /// A part of the turn.
    fn span(
        &mut self,
        name: &str,
        kind: u8,
        begun: Timestamp,
        ended: Timestamp,
        mut attributes: Vec<Value>,
        failed: Option<&str>,
    ) -> Value {
        self.spans += 1;
        let id = hex(&format!("{} {}", self.root, self.spans), 8);
        attributes.extend(failed.map(|failed| text(ERROR, failed)));
        let mut span = json!({
            "traceId": self.trace,
            "spanId": id,
            "parentSpanId": self.root,
            "name": name,
            "kind": kind,
            "startTimeUnixNano": begun.as_nanosecond().to_string(),
            "endTimeUnixNano": ended.as_nanosecond().to_string(),
            "attributes": attributes,
        });
        if let Some(failed) = failed {
            span["status"] = json!({ "code": 2, "message": failed });
        }
        span
    }

    /// A request to a model.
    fn chat(
        &mut self,
        session: SessionId,
        model: &str,
        begun: Timestamp,
        ended: Timestamp,
        usage: Option<&Usage>,
        failed: Option<&str>,
    ) -> Value {
        let mut attributes = vec![
            text(OPERATION, "chat"),
            text(CONVERSATION, &session.to_string()),
            text(REQUEST_MODEL, model),
        ];
        if let Some(usage) = usage {
            attributes.extend(usage.input_tokens.map(|count| number(INPUT_TOKENS, count)));
            attributes.extend(usage.output_tokens.map(|count| number(OUTPUT_TOKENS, count)));
        }
        self.span(&format!("chat {model}"), CLIENT, begun, ended, attributes, failed)
    }

    /// The turn as a whole.
    fn whole(mut self, session: SessionId, report: &TurnReport, ended: Timestamp, content: bool) -> Value {
        let mut attributes = vec![
            text(OPERATION, "invoke_agent"),
            text(CONVERSATION, &session.to_string()),
            number("tata.turn", self.turn.into()),
        ];
        attributes.extend(report.model.as_ref().map(|model| text(REQUEST_MODEL, model)));
        attributes.extend(report.input_tokens.map(|count| number(INPUT_TOKENS, count)));
        attributes.extend(report.output_tokens.map(|count| number(OUTPUT_TOKENS, count)));
        if content {
            let message =
                json!([{ "role": "assistant", "parts": [{ "type": "text", "content": report.content }] }]);
            attributes.push(text(OUTPUT_MESSAGES, &message.to_string()));
        }
        let failed = match &report.outcome {
            outcome if outcome.is_answered() => None,
            TurnOutcome::Waiting => None,
            TurnOutcome::Broken { error } => Some(*error),
            TurnOutcome::Ended { .. } => {
                Some(report.failure.as_ref().map_or("ended_early", |failure| failure.kind.as_str()))
            }
        };
        let begun = self.begun;
        let mut span = self.span("invoke_agent", INTERNAL, begun, ended, attributes, failed);
        span["spanId"] = json!(self.root);
        span.as_object_mut().map(|span| span.remove("parentSpanId"));
        span
    }
}

impl Spans {
    /// The next request to a collector, in OTLP's JSON; none when no more will come.
    pub async fn next_request(&mut self) -> Option<Value> {
        let mut spans = Vec::new();
        if self.waiting.recv_many(&mut spans, AT_ONCE).await == 0 {
            return None;
        }
        let end = tokio::time::Instant::now() + GATHERED;
        while spans.len() < AT_ONCE {
            match tokio::time::timeout_at(end, self.waiting.recv()).await {
                Ok(Some(span)) => spans.push(span),
                Ok(None) | Err(_) => break,
            }
        }
        let resource =
            [text("service.name", &self.options.service), text("service.version", &self.options.version)];
        Some(json!({ "resourceSpans": [{
            "resource": { "attributes": resource },
            "scopeSpans": [{ "scope": { "name": "tata", "version": self.options.version }, "spans": spans }],
        }] }))
    }
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn number(key: &str, value: u64) -> Value {
    // Whole numbers are strings in OTLP's JSON.
    json!({ "key": key, "value": { "intValue": value.to_string() } })
}

/// Bytes that differ for what differs.
fn hex(seed: &str, bytes: usize) -> String {
    Sha256::digest(seed).iter().take(bytes).fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}
