//! `tata ask`: one question, one streamed answer.

use std::{
    fs,
    io::{self, IsTerminal, Read, Write},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{
    Message, Model, ModelError, ModelEvent, ModelRequest, Outcome, Reply, ReplyStream, StopReason,
};
use tata_llm::ModelSpec;

use crate::{
    cli::Ask,
    config::Config,
    exit::{Exit, UsageError},
    terminal::{DIM, NOTE, Terminal, explain},
};

/// More than this is not a question.
const LARGEST_INPUT: u64 = 16 * 1024 * 1024;

pub(crate) async fn run(ask: Ask, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let as_json = ask.json;
    match answer(ask, config, terminal).await {
        Err(error) if as_json => {
            // A program that asked for JSON gets its error as JSON too.
            let explained = explain(&error);
            let exit = Exit::of(&error);
            let detail = error.downcast_ref::<ModelError>().map(error_json);
            let fallback = || json!({"kind": format!("{exit:?}").to_lowercase()});
            let mut object = detail.unwrap_or_else(fallback);
            object["message"] = json!(explained.what);
            object["hints"] = json!(explained.hints);
            writeln!(terminal.out(), "{}", serde_json::to_string_pretty(&json!({"error": object}))?)?;
            Ok(exit)
        }
        other => other,
    }
}

async fn answer(ask: Ask, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    if let Some(temperature) = ask.temperature.filter(|value| !(0.0..=2.0).contains(value)) {
        return Err(UsageError(format!("--temperature is {temperature}, but must be from 0 to 2")).into());
    }
    let question = question(&ask, terminal)?;
    let (spec, provider) = config.choose(ask.model.as_deref())?;
    if !spec.listed && provider.base_url.as_deref().is_some_and(|url| url.starts_with("https://")) {
        let near = config.catalog.near(&spec.wire_name);
        if let Some(best) = near.first().filter(|best| **best != spec.wire_name) {
            terminal.note(&format!(
                "{NOTE}note:{NOTE:#} {} is not in the catalog (near: {best}); its limits and price are unknown.",
                spec.name
            ));
        }
    }
    let model = config.connect(spec.clone(), provider)?;
    let mut messages: Vec<Message> = ask.system.iter().map(Message::system).collect();
    messages.push(Message::user(question));
    let request = ModelRequest {
        messages,
        max_output_tokens: ask.max_tokens,
        temperature: ask.temperature,
        effort: ask.effort.clone(),
        ..ModelRequest::default()
    };
    let Some(reply) = show(model.stream(Arc::new(request)), ask.json, terminal).await? else {
        return Ok(Exit::Interrupted);
    };
    if ask.json {
        let document = reply_json(&reply, &spec);
        writeln!(terminal.out(), "{}", serde_json::to_string_pretty(&document)?)?;
        return Ok(reply.error().map_or(Exit::Done, |error| Exit::of_model(error.kind)));
    }
    note_the_end(&reply, terminal);
    reply.into_result()?;
    Ok(Exit::Done)
}

/// The question: the words, the files, standard input.
fn question(ask: &Ask, terminal: &Terminal) -> anyhow::Result<String> {
    let words = ask.question.join(" ");
    let from_stdin = words.trim() == "-" || (words.trim().is_empty() && ask.file.is_empty());
    let piped = !io::stdin().is_terminal();
    let mut parts = Vec::new();
    if !from_stdin && !words.trim().is_empty() {
        parts.push(words);
    }
    for path in &ask.file {
        let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        parts.push(text);
    }
    if from_stdin && !piped {
        return Err(UsageError(
            "there is no question; write one after `tata ask`, or pipe text into it".into(),
        )
        .into());
    }
    if from_stdin || piped {
        let text = piped_text(terminal)?;
        if text.len() as u64 > LARGEST_INPUT {
            return Err(UsageError("standard input is larger than 16 MiB".into()).into());
        }
        if !text.trim().is_empty() {
            parts.push(text);
        }
    }
    let question = parts.join("\n\n");
    if question.trim().is_empty() {
        return Err(UsageError("the question is empty".into()).into());
    }
    Ok(question)
}

/// Standard input to its end. Whoever forgot to close it is told what is being waited for.
fn piped_text(terminal: &Terminal) -> anyhow::Result<String> {
    let (done, waiting) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = io::stdin().lock().take(LARGEST_INPUT + 1).read_to_string(&mut text);
        // The receiver waits for this; it is gone only when the program is.
        let _ = done.send(read.map(|_| text));
    });
    let read = waiting.recv_timeout(Duration::from_secs(1)).or_else(|_| {
        terminal.note("Reading standard input to its end; give </dev/null if there is nothing to read.");
        waiting.recv()
    });
    read?.context("standard input cannot be read as text")
}

/// Writes the answer as it comes. Nothing is returned when the person stops it.
async fn show(mut stream: ReplyStream, quiet: bool, terminal: &Terminal) -> anyhow::Result<Option<Reply>> {
    let mut out = terminal.out();
    let mut ends_with_newline = true;
    loop {
        let event = tokio::select! {
            event = stream.next() => event,
            _ = tokio::signal::ctrl_c() => {
                if !quiet && !ends_with_newline {
                    writeln!(out)?;
                }
                terminal.note("Stopped.");
                return Ok(None);
            }
        };
        match event {
            Some(ModelEvent::TextDelta { text, .. } | ModelEvent::RefusalDelta { text, .. }) if !quiet => {
                ends_with_newline = text.ends_with('\n');
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
            Some(ModelEvent::Retrying { after, error, .. }) => {
                let wait = after.as_secs_f64();
                terminal.note(&format!("{DIM}{} Trying again in {wait:.1} s.{DIM:#}", error.for_user()));
            }
            Some(ModelEvent::Finished(reply)) => {
                if !quiet && !ends_with_newline {
                    writeln!(out)?;
                }
                return Ok(Some(*reply));
            }
            Some(
                ModelEvent::TextDelta { .. }
                | ModelEvent::RefusalDelta { .. }
                | ModelEvent::Started { .. }
                | ModelEvent::ReasoningDelta { .. }
                | ModelEvent::ToolCallStarted { .. }
                | ModelEvent::ToolArgumentsDelta { .. }
                | ModelEvent::Warning(_),
            ) => {}
            None => anyhow::bail!("the model's stream ended without a reply"),
        }
    }
}

/// Says why an answer is not all there could be.
fn note_the_end(reply: &Reply, terminal: &Terminal) {
    let Some(stop) = &reply.stop else { return };
    let note = match (&reply.outcome, stop.reason) {
        (Outcome::Incomplete, StopReason::MaxTokens) => "The answer reached its output limit and is cut off.",
        (Outcome::Incomplete, StopReason::ContextWindow) => {
            "The model's context is full; the answer is cut off."
        }
        (Outcome::Incomplete, StopReason::ContentFilter) => {
            "The provider's content filter cut the answer off."
        }
        (Outcome::Incomplete, _) => "The model stopped early.",
        (_, StopReason::Refusal) => "The model declined to answer.",
        (Outcome::Complete | Outcome::Paused | Outcome::Truncated(_) | Outcome::Failed(_), _) => return,
    };
    terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
}

fn reply_json(reply: &Reply, spec: &ModelSpec) -> Value {
    let usage = reply.usage.as_ref();
    let cost = usage.and_then(|usage| {
        spec.prices.as_ref().and_then(|prices| prices.cost(usage)).or_else(|| usage.reported_cost())
    });
    let mut object = json!({
        "model": spec.name,
        "provider": spec.provider,
        "served_model": reply.model,
        "text": reply.message.joined_text(),
        "outcome": reply.outcome.as_str(),
        "stop_reason": reply.stop.as_ref().map(|stop| stop.reason.as_str()),
        "usage": usage.map(|usage| json!({
            "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens, "cached_input_tokens": usage.cached_input_tokens,
            "cache_write_tokens": usage.cache_write_tokens, "reasoning_tokens": usage.reasoning_tokens,
        })),
        "cost_usd": cost.map(tata_core::Cost::usd),
        "response_id": reply.response_id,
        "request_id": reply.request_id,
        "warnings": reply.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(),
    });
    if let Some(error) = reply.error() {
        object["error"] = error_json(error);
    }
    object
}

fn error_json(error: &ModelError) -> Value {
    json!({"kind": error.kind.as_str(), "status": error.status, "code": error.code, "message": error.for_user(),
        "retry_after_seconds": error.retry_after.map(|wait| wait.as_secs_f64()), "request_id": error.request_id})
}
