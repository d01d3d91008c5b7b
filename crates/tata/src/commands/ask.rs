//! `tata ask`: one question, one streamed answer.

use std::{io::Write, sync::Arc};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{Message, Model, ModelEvent, ModelRequest, Outcome, Reply, ReplyStream, StopReason};
use tata_llm::ModelSpec;

use super::question::question;
use crate::{
    cli::Ask,
    config::Config,
    exit::{Exit, UsageError},
    explain::error_object,
    terminal::{DIM, NOTE, Terminal},
};

/// The words in which providers name how hard a model may think.
const EFFORTS: [&str; 7] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

pub(crate) async fn run(ask: Ask, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    check_options(&ask)?;
    // Standard input may take as long as its writer likes; Ctrl-C must be heard meanwhile.
    let (asked, screen) = (ask.clone(), terminal.clone());
    let question = tokio::task::spawn_blocking(move || question(&asked, &screen)).await??;
    let (spec, provider) = config.choose(ask.model.as_deref())?;
    note_what_is_unknown(&spec, config, terminal);
    note_what_is_left_out(&ask, &spec, terminal);
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
    let reply = show(model.stream(Arc::new(request)), ask.json, terminal).await?;
    if ask.json {
        let (mut document, failure) = (reply_json(&reply, &spec), reply.into_result().err());
        let exit = failure.as_ref().map_or(Exit::Done, |error| Exit::of_model(error.kind));
        if let Some(error) = failure {
            document["error"] = error_object(&error.into());
        }
        writeln!(terminal.out(), "{document:#}")?;
        return Ok(exit);
    }
    note_the_end(&reply, terminal);
    reply.into_result()?;
    Ok(Exit::Done)
}

fn check_options(ask: &Ask) -> anyhow::Result<()> {
    if let Some(temperature) = ask.temperature.filter(|value| !(0.0..=2.0).contains(value)) {
        return Err(UsageError(format!("--temperature is {temperature}, but must be from 0 to 2")).into());
    }
    if let Some(effort) = ask.effort.as_deref().filter(|effort| !EFFORTS.contains(effort)) {
        return Err(
            UsageError(format!("--effort is {effort:?}, but must be one of {}", EFFORTS.join(", "))).into()
        );
    }
    Ok(())
}

/// A name that only fits a pattern may be a slip of the pen.
fn note_what_is_unknown(spec: &ModelSpec, config: &Config, terminal: &Terminal) {
    let near = config.catalog.near(&spec.wire_name);
    let Some(best) = near.first().filter(|best| !spec.listed && **best != spec.wire_name) else { return };
    if !spec.name.contains('/') {
        terminal.note(&format!(
            "{NOTE}note:{NOTE:#} {} is not in the catalog (near: {best}); its limits and price are unknown.",
            spec.name
        ));
    }
}

/// An option the model does not take is said, not swallowed.
fn note_what_is_left_out(ask: &Ask, spec: &ModelSpec, terminal: &Terminal) {
    let note = |text: String| terminal.note(&format!("{NOTE}note:{NOTE:#} {text}"));
    let known = &spec.capabilities;
    if ask.temperature.is_some() && !known.temperature {
        note(format!("{} takes no temperature; it is left out.", spec.name));
    }
    if let Some(effort) = ask.effort.as_ref().filter(|effort| !known.efforts.contains(effort)) {
        let valid = if known.efforts.is_empty() { "none".to_owned() } else { known.efforts.join(", ") };
        note(format!("{} does not know the effort {effort} (it knows: {valid}); it is left out.", spec.name));
    }
    if let Some(most) = spec.max_output.filter(|most| ask.max_tokens.is_some_and(|wish| wish > *most)) {
        note(format!("{} writes at most {most} tokens.", spec.name));
    }
}

/// Writes the answer as it comes.
async fn show(mut stream: ReplyStream, quiet: bool, terminal: &Terminal) -> anyhow::Result<Reply> {
    let mut line = Line { terminal, open: false };
    loop {
        match stream.next().await {
            Some(ModelEvent::TextDelta { text, .. } | ModelEvent::RefusalDelta { text, .. }) if !quiet => {
                line.open = !text.ends_with('\n');
                terminal.say(&text)?;
            }
            Some(ModelEvent::Retrying { after, error, .. }) => {
                let (what, wait) =
                    (error.for_user().trim_end_matches(" Try again in a moment."), after.as_secs_f64());
                terminal.note(&format!("{DIM}{what} Trying again in {wait:.1} s.{DIM:#}"));
            }
            Some(ModelEvent::Finished(reply)) => return Ok(*reply),
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

/// The line the answer stands on: it is ended however the answer ends, also when a person stops it.
struct Line<'a> {
    terminal: &'a Terminal,
    open: bool,
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if self.open {
            // A pipe that is closed needs no line break.
            let _ = self.terminal.say("\n");
        }
    }
}

/// Says why an answer is not all there could be.
fn note_the_end(reply: &Reply, terminal: &Terminal) {
    let Some(stop) = &reply.stop else { return };
    let note = match (&reply.outcome, stop.reason) {
        (Outcome::Incomplete, StopReason::MaxTokens) => {
            "The answer reached its output limit and is cut off (--max-tokens)."
        }
        (Outcome::Incomplete, StopReason::ContextWindow) => {
            "The model's context is full; the answer is cut off."
        }
        (Outcome::Incomplete, StopReason::ContentFilter) => {
            "The provider's content filter cut the answer off."
        }
        (Outcome::Incomplete, _) => "The model stopped early.",
        (_, StopReason::Refusal) => "The model declined to answer.",
        (Outcome::Complete, _) if reply.message.joined_text().trim().is_empty() => "The answer is empty.",
        (Outcome::Complete | Outcome::Paused | Outcome::Truncated(_) | Outcome::Failed(_), _) => return,
    };
    terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
}

fn reply_json(reply: &Reply, spec: &ModelSpec) -> Value {
    let usage = reply.usage.as_ref();
    // Counts of a broken answer are those of its beginning: what it cost is not known.
    let cost = usage.filter(|_| reply.error().is_none()).and_then(|usage| {
        spec.prices.as_ref().and_then(|prices| prices.cost(usage)).or_else(|| usage.reported_cost())
    });
    json!({
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
    })
}
