//! `tata run`: one tool, made to work by hand. The same loop, the same rules, no model.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    sync::Arc,
};

use serde_json::{Map, Value, json};
use tata_core::{
    Agent, AgentParts, DirectCall, Entry, Form, Input, ModelChoice, NewSession, SessionId, Store, Tool,
    ToolCall, ToolFailure, ToolRegistry, ToolResult, TurnOutcome, near, said_by_hand,
};
use tata_recruit::{Kind, rendered};

use super::desk::find_session;
use crate::{
    cli::Run,
    config::Config,
    error::{Undecided, UnknownTool, UsageError},
    exit::Exit,
    input,
    terminal::{BOLD, DIM, NOTE, Terminal},
    watch::{View, watch},
    wiring,
};

/// What came of a call that somebody made by hand.
pub(crate) struct Handmade {
    pub(crate) session: SessionId,
    pub(crate) result: ToolResult,
    /// What the tool said, also where a model would read only the beginning.
    pub(crate) text: String,
    /// Why it did not work, in plain words.
    pub(crate) problem: Option<String>,
    pub(crate) exit: Exit,
}

pub(crate) async fn run(wish: Run, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let tools = wiring::all_tools(config)?;
    let Some(name) = wish.tool.as_deref() else { return list(&tools, wish.json, terminal) };
    let Some(tool) = tools.get(name) else {
        let near = near(name, tools.names());
        return Err(UnknownTool { name: name.to_owned(), near }.into());
    };
    if wish.schema {
        writeln!(terminal.out(), "{:#}", tool.spec().schema)?;
        return Ok(Exit::Done);
    }
    // Its writer may take as long as they like; Ctrl-C must be heard meanwhile.
    let (asked, screen) = (wish.clone(), terminal.clone());
    let arguments = tokio::select! {
        arguments = tokio::task::spawn_blocking(move || arguments(&asked, &screen)) => arguments??,
        _ = tokio::signal::ctrl_c() => {
            terminal.note("Stopped.");
            return Ok(Exit::Interrupted);
        }
    };
    let arguments = match &wish.answers {
        Some(path) => answered(tool.as_ref(), &arguments, path, config)?,
        None => arguments,
    };
    let store = wiring::open_store(config).await?;
    let outcome = perform(&wish, name, &arguments, Arc::clone(&store), config, terminal).await;
    wiring::leave(store.as_ref()).await;
    outcome
}

async fn perform(
    wish: &Run,
    name: &str,
    arguments: &str,
    store: Arc<dyn Store>,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let session = match &wish.session {
        Some(wish) => find_session(store.as_ref(), wish).await?.id,
        None => begin_session(store.as_ref(), config).await?,
    };
    let made = by_hand(name, arguments, session, store, config, terminal).await?;
    show(&made, wish.json, terminal)?;
    Ok(made.exit)
}

/// A session for whoever named none.
pub(super) async fn begin_session(store: &dyn Store, config: &Config) -> anyhow::Result<SessionId> {
    let new = NewSession {
        user_id: config.user.clone(),
        ..NewSession::with(wiring::usual_agent(config)?, config.clock.now())
    };
    Ok(store.create_session(new).await?.id)
}

/// Makes one call in a session.
pub(super) async fn by_hand(
    tool: &str,
    arguments: &str,
    session: SessionId,
    store: Arc<dyn Store>,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Handmade> {
    let stored = store.session(session).await?;
    let before = stored.as_ref().map_or(0, |session| session.last_position);
    let company = stored.as_ref().and_then(|session| session.tenant_id.as_deref());
    let call = ToolCall::function(format!("hand_{}", SessionId::random()), tool, arguments);
    let call_id = call.call_id.clone();
    let model = DirectCall::new(call, format!("{tool} was run by hand; its result stands above."));
    let parts = AgentParts {
        tools: wiring::tools_of(config, company)?,
        clock: config.clock,
        ..AgentParts::new("by hand", vec![ModelChoice::new(Arc::new(model))], Arc::clone(&store))
    };
    let agent = Agent::new(parts);
    let said = Input::Say(said_by_hand(tool, arguments));
    let seen = watch(&agent, session, said, View::Silent, terminal).await?;
    let records = store.records(session, before).await?;
    let result = records.into_iter().find_map(|record| {
        let Entry::ToolFinished { result, .. } = record.entry else { return None };
        (result.call_id == call_id).then_some(result)
    });
    let Some(result) = result else {
        if matches!(seen.report.outcome, TurnOutcome::Waiting) {
            return Err(Undecided(session).into());
        }
        let why = seen.report.error.unwrap_or_else(|| "the turn ended before the tool ran".to_owned());
        anyhow::bail!(why);
    };
    let whole = store.output(session, call_id.clone()).await?;
    let text = result.own().map(str::to_owned).or(whole).unwrap_or_else(|| result.joined_text());
    let problem = seen.calls.into_iter().find(|call| call.call_id == call_id.to_string());
    let exit = if result.is_error { Exit::Failed } else { Exit::of_turn(&seen.report) };
    Ok(Handmade { session, problem: problem.and_then(|call| call.problem), result, text, exit })
}

/// The input with the answers of a file in their places.
pub(super) fn answered(
    tool: &dyn Tool,
    arguments: &str,
    path: &Path,
    config: &Config,
) -> anyhow::Result<String> {
    let text = input::file(path)?;
    let answers = match serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
        Ok(Value::Object(answers)) => answers,
        Ok(_) => {
            return Err(UsageError("the answers must be a JSON object: {\"id\": value}".to_owned()).into());
        }
        Err(error) => return Err(UsageError(format!("the answers are not JSON: {error}")).into()),
    };
    let arguments: Map<String, Value> = serde_json::from_str(arguments)?;
    match tool.answered(arguments, &answers, config.clock.now()) {
        Ok(arguments) => Ok(Value::Object(arguments).to_string()),
        Err(ToolFailure::Rejected { problems }) => {
            let told: Vec<String> = problems
                .iter()
                .map(|problem| {
                    let hint = problem.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
                    format!("{}: {}{hint}", problem.field, problem.message)
                })
                .collect();
            Err(UsageError(format!("the answers cannot be used: {}", told.join("; "))).into())
        }
        Err(ToolFailure::Failed { message, .. } | ToolFailure::Unknown { message, .. }) => {
            anyhow::bail!(message)
        }
    }
}

/// What is asked, if a call lacks something: the form, and the problems in words.
fn needs_input(answer: &Value) -> Option<Value> {
    let error = answer.get("error")?;
    let form: Form = serde_json::from_value(error.get("form")?.clone()).ok()?;
    let mut asked = form.needs_input();
    asked["problems"] = error.get("problems").cloned().unwrap_or_default();
    Some(asked)
}

pub(super) fn show(made: &Handmade, json: bool, terminal: &Terminal) -> anyhow::Result<()> {
    let answer: Value = serde_json::from_str(&made.text).unwrap_or_else(|_| json!(made.text));
    if json && let Some(mut asked) = needs_input(&answer) {
        asked["session_id"] = json!(made.session);
        writeln!(terminal.out(), "{asked:#}")?;
        return Ok(());
    }
    if json {
        let mut document = serde_json::json!({ "session_id": made.session });
        let name = if made.result.is_error { "error" } else { "result" };
        document[name] = answer.get("error").unwrap_or(&answer).clone();
        writeln!(terminal.out(), "{document:#}")?;
        return Ok(());
    }
    if made.result.is_error {
        refuse(&answer["error"], made.problem.as_deref(), terminal);
    } else {
        let kind = answer["document"].as_str().and_then(Kind::find);
        match kind.and_then(|kind| rendered(kind, &answer["artifact"])) {
            Some(document) => terminal.say(&document.plain())?,
            None => writeln!(terminal.out(), "{answer:#}")?,
        }
        for warning in answer["warnings"].as_array().into_iter().flatten() {
            let (about, message) = (warning["about"].as_str(), warning["message"].as_str());
            terminal.note(&format!("{NOTE}note:{NOTE:#} {}", message.or(about).unwrap_or_default()));
        }
        for question in answer["ask_the_recruiter"].as_array().into_iter().flatten().filter_map(Value::as_str)
        {
            terminal.note(&format!("{BOLD}?{BOLD:#} {question}"));
        }
    }
    terminal.note(&format!("{DIM}conversation {}{DIM:#}", made.session));
    Ok(())
}

/// Why a tool did not do its work: every problem on a line of its own, the way out beneath it.
fn refuse(error: &Value, problem: Option<&str>, terminal: &Terminal) {
    let problems = error["problems"].as_array().map(Vec::as_slice).unwrap_or_default();
    if problems.is_empty() {
        terminal.note(&format!("{NOTE}refused:{NOTE:#} {}", problem.unwrap_or("It did not work.")));
    }
    for problem in problems {
        let text = |name: &str| problem[name].as_str().filter(|text| !text.is_empty());
        let field =
            text("field").map(|field| format!("{}: ", field.trim_start_matches('/'))).unwrap_or_default();
        let message = text("message").unwrap_or_default();
        terminal.note(&format!("{NOTE}refused:{NOTE:#} {}{}", &field, message));
        if let Some(hint) = text("hint") {
            terminal.note(&format!("  {hint}"));
        }
    }
}

/// The input of the tool: a file, standard input, or nothing.
fn arguments(wish: &Run, terminal: &Terminal) -> anyhow::Result<String> {
    let (place, text) = match wish.input.as_deref() {
        None if io::stdin().is_terminal() => ("the input".to_owned(), "{}".to_owned()),
        None => {
            let text = input::piped(terminal)?;
            ("standard input".to_owned(), if text.trim().is_empty() { "{}".to_owned() } else { text })
        }
        Some(path) if path.as_os_str() == "-" => ("standard input".to_owned(), input::piped(terminal)?),
        Some(path) => (path.display().to_string(), input::file(path)?),
    };
    match serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
        Ok(Value::Object(object)) => Ok(Value::Object(object).to_string()),
        Ok(_) => {
            Err(UsageError(format!("{place} must be a JSON object, such as {{\"position_title\": \"…\"}}"))
                .into())
        }
        Err(error) => Err(UsageError(format!("{place} is not JSON: {error}")).into()),
    }
}

fn list(tools: &ToolRegistry, json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    if json {
        let all: Vec<Value> = tools
            .definitions()
            .iter()
            .map(|one| {
                json!({
                    "name": one.name, "description": one.description, "schema": one.schema,
                })
            })
            .collect();
        writeln!(out, "{:#}", json!(all))?;
        return Ok(Exit::Done);
    }
    for spec in tools.definitions().iter().filter_map(|one| tools.get(&one.name)).map(|tool| tool.spec()) {
        let about = spec.description.split(". ").next().unwrap_or_default().trim_end_matches('.');
        writeln!(out, "{BOLD}{}{BOLD:#}\n  {about}.", spec.name)?;
        if !spec.requires.is_empty() {
            let names: Vec<&str> = spec.requires.iter().map(tata_core::ArtifactKind::as_str).collect();
            writeln!(out, "  {DIM}requires: {}{DIM:#}", names.join(", "))?;
        }
    }
    terminal.note(&format!(
        "\n{DIM}`tata run TOOL --schema` shows what a tool takes; `tata run TOOL --session S --input FILE.json` runs \
         it.{DIM:#}"
    ));
    Ok(Exit::Done)
}
