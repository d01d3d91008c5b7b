//! `tata models check`: the smallest real requests, and what works.

use std::{io::Write, sync::Arc};

use futures_util::StreamExt;
use serde_json::json;
use tata_core::{
    Delivery, Message, Model, ModelEvent, ModelRequest, Outcome, Reply, StopReason, ToolDefinition, collect,
};
use tata_llm::Timeouts;
use tracing::info;

use crate::{
    config::{ChosenBy, Config},
    exit::Exit,
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal},
};

/// Enough for a short answer of a model that also thinks.
const CAP: u64 = 1_000;

/// The one tool that is offered.
const WEATHER: &str = "get_weather";

/// What one probe found.
pub(super) struct Finding {
    what: &'static str,
    pub(super) works: Option<bool>,
    pub(super) detail: String,
}

/// What a model does of all that is asked of it.
pub(super) async fn findings(name: &str, config: &Config) -> anyhow::Result<Vec<Finding>> {
    let route = config.choose(Some((name, ChosenBy::Person)))?;
    let patience = Timeouts { total: config.timeouts.first_byte * 2, ..config.timeouts };
    let model = config.connect_with(&route, patience)?;
    Ok(probe(&model).await.0)
}

pub(crate) async fn run(
    name: &str,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let route = config.choose(Some((name, ChosenBy::Person)))?;
    // The first probe comes in one piece: its patience is the whole, which is ten minutes for a real question.
    let patience = Timeouts { total: config.timeouts.first_byte * 2, ..config.timeouts };
    let model = config.connect_with(&route, patience)?;
    let spec = &route.spec;
    let (findings, failure) = probe(&model).await;
    let mut out = terminal.out();
    let fails = findings.iter().any(|finding| finding.works == Some(false));
    let exit = match failure.as_ref().and_then(Reply::error) {
        Some(error) => Exit::of_model(error.kind),
        None if fails => Exit::Model,
        None => Exit::Done,
    };
    if as_json {
        let findings: Vec<_> = findings
            .iter()
            .map(|finding| json!({"what": finding.what, "works": finding.works, "detail": finding.detail}))
            .collect();
        let works = exit == Exit::Done;
        let document = json!({"model": spec.name, "provider": spec.provider, "wire": spec.wire,
            "works": works, "findings": findings});
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
        return Ok(exit);
    }
    writeln!(out, "{BOLD}{}{BOLD:#} {DIM}({} over {}){DIM:#}", spec.name, spec.provider, spec.wire.as_str())?;
    for finding in &findings {
        let mark = match finding.works {
            Some(true) => format!("{GOOD}works{GOOD:#}"),
            Some(false) => format!("{BAD}fails{BAD:#}"),
            None => format!("{NOTE}not seen{NOTE:#}"),
        };
        writeln!(out, "  {:<15} {mark}  {DIM}{}{DIM:#}", finding.what, finding.detail)?;
    }
    Ok(exit)
}

/// Asks for text, a stream, a call and two calls at once. If not even text comes, the rest is not asked.
async fn probe(model: &dyn Model) -> (Vec<Finding>, Option<Reply>) {
    let base = |text: &str| ModelRequest {
        messages: vec![Message::user(text)],
        max_output_tokens: Some(CAP),
        ..ModelRequest::default()
    };
    let mut findings = Vec::new();
    let request = ModelRequest { delivery: Delivery::Whole, ..base("Answer with the single word: ready") };
    let text = collect(model.stream(Arc::new(request))).await;
    findings.push(judge("text", &text, &[], |reply| {
        let said = reply.message.joined_text();
        (!said.trim().is_empty()).then(|| format!("{:?}", said.chars().take(40).collect::<String>()))
    }));
    if text.error().is_some() {
        return (findings, Some(text));
    }
    let (deltas, streamed) = stream(model, base("Count from one to five, in words.")).await;
    findings.push(judge("streaming", &streamed, &[], |_| (deltas > 0).then(|| format!("{deltas} pieces"))));

    let tools: Arc<[ToolDefinition]> = weather().into_iter().collect();
    let request =
        ModelRequest { tools: Arc::clone(&tools), ..base("Use the tool to look up the weather in Oslo.") };
    let (_, one) = stream(model, request).await;
    findings.push(judge("tools", &one, &[WEATHER], |reply| {
        reply
            .runnable_calls()
            .next()
            .map(|call| format!("{}({}), id {}", call.name, call.arguments, call.call_id))
    }));
    let question = "Use the tool for Oslo and for Bergen: make both calls at once, in this one answer.";
    let (_, two) = stream(model, ModelRequest { tools, parallel_tools: Some(true), ..base(question) }).await;
    findings.push(judge("parallel tools", &two, &[WEATHER], |reply| {
        let calls = reply.runnable_calls().count();
        (calls > 1).then(|| format!("{calls} calls in one answer"))
    }));
    let usage = streamed.usage.as_ref().or(text.usage.as_ref());
    findings.push(Finding {
        what: "usage",
        works: usage.map(|usage| usage.input_tokens.is_some() && usage.output_tokens.is_some()),
        detail: usage.map_or_else(
            || "no token counts were reported: costs stay unknown".to_owned(),
            |usage| {
                let count =
                    |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), |tokens| tokens.to_string());
                format!("{} in, {} out", count(usage.input_tokens), count(usage.output_tokens))
            },
        ),
    });
    let failed = [streamed, one, two].into_iter().find(|reply| reply.error().is_some());
    (findings, failed)
}

fn weather() -> Option<ToolDefinition> {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    ToolDefinition::new(WEATHER, "Looks up the weather in one city.", schema).ok()
}

async fn stream(model: &dyn Model, request: ModelRequest) -> (usize, Reply) {
    let mut stream = model.stream(Arc::new(request));
    let mut deltas = 0;
    while let Some(event) = stream.next().await {
        match event {
            ModelEvent::TextDelta { .. } => deltas += 1,
            ModelEvent::Finished(reply) => return (deltas, *reply),
            ModelEvent::Started { .. }
            | ModelEvent::ReasoningDelta { .. }
            | ModelEvent::RefusalDelta { .. }
            | ModelEvent::TextRevoked
            | ModelEvent::ToolCallStarted { .. }
            | ModelEvent::ToolArgumentsDelta { .. }
            | ModelEvent::Warning(_)
            | ModelEvent::Retrying { .. } => {}
        }
    }
    (deltas, collect(stream).await)
}

/// Works, fails, or was just not to be seen this time.
fn judge(
    what: &'static str,
    reply: &Reply,
    offered: &[&str],
    seen: impl Fn(&Reply) -> Option<String>,
) -> Finding {
    info!(what, outcome = reply.outcome.as_str(), "probe");
    if let Some(error) = reply.error() {
        return Finding { what, works: Some(false), detail: error.for_user().to_owned() };
    }
    // A model that calls what it was not offered would do so in a conversation too.
    if let Some(call) = reply.message.tool_calls().find(|call| !offered.contains(&call.name.as_str())) {
        let detail = format!("it called {}, a tool that was not offered", call.name);
        return Finding { what, works: Some(false), detail };
    }
    if let Some(detail) = seen(reply) {
        return Finding { what, works: Some(true), detail };
    }
    let stop = reply.stop.as_ref().map_or(StopReason::Other, |stop| stop.reason);
    let capped = matches!(reply.outcome, Outcome::Incomplete) && stop == StopReason::MaxTokens;
    let detail = if capped { "the answer reached its limit first" } else { "the model did not do it" };
    Finding { what, works: None, detail: detail.to_owned() }
}
