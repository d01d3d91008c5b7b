//! `tata ask`: one question, one streamed answer; of a model alone, or of an agent.

use std::io::Write;

use serde_json::{Value, json};
use tata_core::{
    Conversation, Cost, Desk, Input, Message, NewSession, Person, Question, QuestionReason, SessionId,
    StopReason, Store, TurnEnd, TurnOutcome, TurnReport, Usage,
};
use tata_llm::ModelSpec;

use super::{
    desk::{explained, find_session},
    gateway,
    question::question,
};
use crate::{
    cli::Ask,
    config::Config,
    error::UsageError,
    exit::Exit,
    explain::{Explained, error_object, model_hints, turn_failure},
    log,
    servers::{self, Foreign},
    terminal::{NOTE, Terminal},
    watch::{Seen, View, known, watch},
    wiring::{self, Assembled, Overrides},
};

/// The words in which providers name how hard a model may think.
const EFFORTS: [&str; 7] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

pub(crate) async fn run(ask: Ask, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    check_options(&ask)?;
    // Standard input may take as long as its writer likes; Ctrl-C must be heard meanwhile.
    let (asked, screen) = (ask.clone(), terminal.clone());
    let question = tokio::select! {
        question = tokio::task::spawn_blocking(move || question(&asked, &screen)) => question??,
        _ = tokio::signal::ctrl_c() => {
            terminal.note("Stopped.");
            return Ok(Exit::Interrupted);
        }
    };
    let keep = ask.agent.is_some() || ask.session.is_some() || ask.continue_last;
    let view = match (ask.json, ask.jsonl) {
        (true, _) => View::Silent,
        (_, true) => View::JsonLines { kept: keep },
        (false, false) => View::Text,
    };
    let overrides = Overrides {
        model: ask.model.clone(),
        system: ask.system.clone(),
        max_tokens: ask.max_tokens,
        temperature: ask.temperature,
        effort: ask.effort.clone(),
        approve: ask.approve.clone(),
        into_a_pipe: view == View::Text && !terminal.is_screen(),
        company: None,
    };
    let (assembled, foreign, session) = if keep {
        with_agent(&ask, overrides, config, terminal).await?
    } else {
        alone(overrides, config, terminal).await?
    };
    let Assembled { agent, models, notes } = &assembled;
    for note in notes.iter().chain(&foreign.notes) {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
    }
    if let Some(spec) = models.first() {
        note_what_is_unknown(spec, config, terminal);
        note_what_is_left_out(&ask, spec, terminal);
    }
    let input = said(agent.store().as_ref(), session, question, config).await?;
    let seen = watch(agent, session, input, view, terminal).await;
    foreign.close().await;
    wiring::leave(agent.store().as_ref()).await;
    let seen = seen?;
    let exit = Exit::of_turn(&seen.report);
    match view {
        View::Silent => writeln!(terminal.out(), "{:#}", document(&seen, models, keep))?,
        View::JsonLines { .. } => {}
        View::Text => {
            tell_the_end(&seen.report, terminal);
            tell_the_questions(&seen, terminal);
        }
    }
    Ok(exit)
}

/// What was typed, as an answer to the question that stands last in its conversation: whoever goes on with it here has
/// read that.
async fn said(store: &dyn Store, session: SessionId, text: String, config: &Config) -> anyhow::Result<Input> {
    let conversation = Conversation::fold("", &store.records(session, 0).await?);
    let shown = conversation.last_question().map(|question| question.seal.clone());
    // Whoever can name a conversation here may go on with it.
    let name = config.user.clone().unwrap_or_else(|| "terminal".to_owned());
    let desk = Desk::new(store, Person { user_id: None, name }, config.clock);
    desk.answer(session, Message::user(text), shown).await.map_err(explained)
}

/// What the person is asked, as the last lines on the screen, and how to answer.
pub(super) fn tell_the_questions(seen: &Seen, terminal: &Terminal) {
    for question in &seen.questions {
        terminal.note(&format!("\n{NOTE}?{NOTE:#} {}", question.in_words()));
    }
    let id = seen.report.session_id;
    match seen.questions.as_slice() {
        [] => {}
        [question] if question.reason != QuestionReason::Uncertain => {
            terminal.note(&format!("  Answer: tata ask --session {id} yes"));
        }
        [_, ..] => terminal.note(&format!(
            "  `tata session show {id}` lists them; `tata session resume {id} --decide CALL=run` decides one."
        )),
    }
}

/// An agent with its servers, and the conversation it goes on with.
type Ready = (Assembled, Foreign, SessionId);

async fn alone(mut overrides: Overrides, config: &Config, terminal: &Terminal) -> anyhow::Result<Ready> {
    if overrides.model.is_none() {
        overrides.model = gateway::default_model(config, terminal).await?;
    }
    let assembled = wiring::bare(config, &overrides)?;
    let new = NewSession::with("ask", config.clock.now());
    let session = assembled.agent.store().create_session(new).await?;
    Ok((assembled, Foreign::default(), session.id))
}

async fn with_agent(
    ask: &Ask,
    mut overrides: Overrides,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Ready> {
    let store = wiring::open_store(config).await?;
    let wish = if ask.continue_last { Some("last") } else { ask.session.as_deref() };
    let session = match wish {
        Some(wish) => Some(find_session(store.as_ref(), wish).await?),
        None => None,
    };
    let name = ask.agent.clone().or_else(|| session.as_ref().map(|session| session.agent.clone()));
    let wanted = name.clone().map_or_else(|| wiring::usual_agent(config), Ok)?;
    let definition = wiring::definition(config, &wanted)?;
    if overrides.model.is_none() && gateway::nobody_names_a_model(&definition, session.as_ref()) {
        overrides.model = gateway::default_model(config, terminal).await?;
    }
    let foreign = servers::connect(config, &definition, None).await?;
    let assembled = wiring::assemble(config, &definition, session.as_ref(), &overrides, &foreign, store)?;
    if let Some(session) = session {
        return Ok((assembled, foreign, session.id));
    }
    let agent = wiring::lasting_name(name.unwrap_or_else(|| definition.name.clone()));
    let new = NewSession { user_id: config.user.clone(), ..NewSession::with(agent, config.clock.now()) };
    let id = assembled.agent.store().create_session(new).await?.id;
    Ok((assembled, foreign, id))
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
pub(super) fn note_what_is_unknown(spec: &ModelSpec, config: &Config, terminal: &Terminal) {
    let near = config.catalog().near(&spec.wire_name);
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

/// Says why an answer is not all there could be, or that there is none.
pub(super) fn tell_the_end(report: &TurnReport, terminal: &Terminal) {
    let Some(problem) = &report.error else { return };
    match &report.outcome {
        TurnOutcome::Ended { end: TurnEnd::Cancelled } => terminal.note(problem),
        TurnOutcome::Ended { end: TurnEnd::Failed { .. } } | TurnOutcome::Broken { .. } => {
            let hints = report.failure.as_deref().map(model_hints).unwrap_or_default();
            let explained = Explained { what: problem.clone(), hints, logged: true };
            terminal.explained(&explained, log::path().as_deref());
        }
        TurnOutcome::Ended { end: TurnEnd::Incomplete { reason: StopReason::MaxTokens } } => {
            terminal.note(&format!(
                "{NOTE}note:{NOTE:#} {problem} `max_tokens` of the agent, or --max-tokens, sets it."
            ));
        }
        TurnOutcome::Waiting => {
            terminal.note(&format!("{NOTE}note:{NOTE:#} {problem}"));
        }
        TurnOutcome::Ended { .. } => terminal.note(&format!("{NOTE}note:{NOTE:#} {problem}")),
    }
}

/// The whole turn as one object.
fn document(seen: &Seen, models: &[ModelSpec], kept: bool) -> Value {
    let report = &seen.report;
    let last = report.requests.last();
    let name = last.map(|row| row.model.as_str()).or(report.model.as_deref());
    let spec = models.iter().find(|spec| Some(spec.name.as_str()) == name).or_else(|| models.first());
    let outcome = match &report.outcome {
        TurnOutcome::Ended { end } => end.as_str(),
        TurnOutcome::Waiting => "waiting",
        TurnOutcome::Broken { error } => error,
    };
    let failure = turn_failure(report);
    json!({
        "session_id": kept.then_some(report.session_id),
        "turn_number": report.turn_number,
        "content": report.content,
        "outcome": outcome,
        "note": report.error.as_ref().filter(|_| failure.is_none()),
        "question": in_words(&seen.questions),
        "questions": seen.questions,
        "error": failure,
        "warnings": seen.warnings,
        "left_out": seen.cut.left_out,
        "shortened": seen.cut.shortened,
        "tool_calls": seen.calls,
        "intent": seen.thought.as_ref().and_then(|thought| thought.intent),
        "understood": seen.thought,
        "retrieval_performed": report.retrieval_performed,
        "retrieved_sources": report.retrieved_sources,
        "citations": report.checked.as_ref().map_or(&[][..], |checked| &checked.citations),
        "sentences": report.checked.as_ref().map_or(&[][..], |checked| &checked.sentences),
        "model": spec.map(|spec| spec.name.as_str()),
        "provider": spec.map(|spec| spec.provider.as_str()),
        "served_model": last.and_then(|row| row.served_model.clone()),
        "stop_reason": report.stop_reason.map(StopReason::as_str),
        "tokens_used": known(report, Usage::tokens),
        "usage": usage(report),
        "cost_usd": report.cost.map(Cost::usd),
        "execution_time_seconds": report.execution_time_seconds,
        "response_id": last.and_then(|row| row.response_id.clone()),
        "request_id": last.and_then(|row| row.request_id.clone()),
    })
}

/// What the person is asked, in words; none if nothing is.
fn in_words(questions: &[Question]) -> Option<String> {
    let words: Vec<String> = questions.iter().map(Question::in_words).collect();
    (!words.is_empty()).then(|| words.join("\n"))
}

/// The tokens of all requests; a count that any of them did not report is unknown.
fn usage(report: &TurnReport) -> Option<Value> {
    let reported = !report.requests.is_empty() && report.requests.iter().all(|row| row.usage.is_some());
    reported.then(|| {
        json!({
            "input_tokens": known(report, |usage| usage.input_tokens),
            "output_tokens": known(report, |usage| usage.output_tokens),
            "total_tokens": known(report, Usage::tokens),
            "cached_input_tokens": known(report, |usage| usage.cached_input_tokens),
            "cache_write_tokens": known(report, |usage| usage.cache_write_tokens),
            "reasoning_tokens": known(report, |usage| usage.reasoning_tokens),
        })
    })
}

/// What a program gets when no turn was begun: the keys of a turn that failed, with nothing in them but the error.
/// As lines, it is the last one.
pub(crate) fn unasked(error: &anyhow::Error, as_lines: bool) -> Value {
    let failure = error_object(error);
    if as_lines {
        let kind = failure["kind"].clone();
        return json!({
            "event": "finished", "session_id": null, "turn_number": 0, "accepted": false, "content": "",
            "model": null, "outcome": {"outcome": "broken", "error": kind}, "stop_reason": null,
            "retrieval_performed": false, "retrieved_sources": [], "tokens_used": null, "input_tokens": null,
            "output_tokens": null, "cost_usd": null, "execution_time_seconds": null, "attempts": 0,
            "error": failure["message"], "failure": failure,
        });
    }
    json!({
        "session_id": null, "turn_number": null, "content": null, "outcome": failure["kind"], "note": null,
        "question": null, "questions": [], "error": failure, "warnings": [], "left_out": 0, "shortened": 0, "tool_calls": [], "intent": null,
        "understood": null, "retrieval_performed": false, "retrieved_sources": [], "citations": [], "sentences": [], "model": null,
        "provider": null, "served_model": null, "stop_reason": null, "tokens_used": null, "usage": null,
        "cost_usd": null, "execution_time_seconds": null, "response_id": null, "request_id": null,
    })
}
