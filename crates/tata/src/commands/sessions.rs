//! `tata session …`: conversations that were kept.

use std::{
    io::{self, BufRead, IsTerminal, Write},
    path::Path,
};

use anyhow::Context;
use serde_json::json;
use tata_core::{
    CallId, Clock, Damage, Decision, Desk, DeskError, Input, Listing, Person, Rating, Session, SessionFilter,
    SessionId, Store, StoreError,
};

use super::{ask::tell_the_end, audit, chat, salvage};
use crate::{
    cli::{Chat, Form, SessionAction, Thumb},
    config::Config,
    exit::{Exit, UsageError},
    history::History,
    private, servers,
    terminal::{BOLD, DIM, NOTE, Terminal},
    transcript::Transcript,
    watch::{View, watch},
    wiring::{self, Wishes},
};

/// A conversation that is not there, or not the only one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnknownSession {
    #[error("There is no conversation {0:?}.")]
    NotFound(String),
    #[error("{count} conversations begin with {wish:?}.")]
    Several { wish: String, count: usize },
    #[error("There is no conversation yet.")]
    None,
}

impl UnknownSession {
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::NotFound(_) => "`tata session list` shows all.".to_owned(),
            Self::Several { .. } => "Give more of the id; `tata session list` shows all.".to_owned(),
            Self::None => "`tata` begins one.".to_owned(),
        }
    }
}

/// The person at this terminal, and their conversations.
pub(super) fn desk<'a>(store: &'a dyn Store, config: &Config) -> Desk<'a> {
    let name = config.user.clone().unwrap_or_else(|| "terminal".to_owned());
    Desk::new(store, Person { user_id: config.user.clone(), name }, config.clock)
}

/// A conversation by its id, the beginning of it, or `last`.
pub(super) async fn find_session(store: &dyn Store, wish: &str) -> anyhow::Result<Session> {
    find_at(&Desk::new(store, Person::default(), Clock::System), wish).await
}

/// The same, of those at a desk.
pub(super) async fn find_at(desk: &Desk<'_>, wish: &str) -> anyhow::Result<Session> {
    desk.find(wish).await.map_err(explained)
}

/// An error of a desk as one of those that have a hint and an exit code.
pub(super) fn explained(error: DeskError) -> anyhow::Error {
    match error {
        DeskError::NoSession(wish) => UnknownSession::NotFound(wish).into(),
        DeskError::Several { wish, count } => UnknownSession::Several { wish, count }.into(),
        DeskError::NoneYet => UnknownSession::None.into(),
        DeskError::Damaged(damaged) => DamagedSession(damaged).into(),
        DeskError::Store(error) => error.into(),
        DeskError::NothingAsked(call) => {
            let problem =
                format!("there is nothing to decide about {call:?}; `tata session show` lists what waits");
            UsageError(problem).into()
        }
        DeskError::TooShort(_)
        | DeskError::Title(_)
        | DeskError::Comment(_)
        | DeskError::NoTurn { .. }
        | DeskError::NoDocument { .. }
        | DeskError::NotReady(_)
        | _ => UsageError(error.to_string()).into(),
    }
}

/// A conversation whose row cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("This conversation cannot be read: {}", .0.iter().map(ToString::to_string).collect::<String>())]
pub(crate) struct DamagedSession(Vec<Damage>);

impl DamagedSession {
    pub(crate) fn hints(&self) -> Vec<String> {
        self.0.iter().map(Damage::remedy).collect()
    }
}

/// The id of a conversation, also of one whose row cannot be read.
async fn find_id(desk: &Desk<'_>, wish: &str) -> anyhow::Result<(String, Option<Session>)> {
    match find_at(desk, wish).await {
        Ok(session) => Ok((session.id.to_string(), Some(session))),
        Err(error) => match (error.downcast_ref::<DamagedSession>(), error.downcast_ref::<StoreError>()) {
            (Some(DamagedSession(damaged)), _) => {
                let id = damaged.iter().find_map(|damage| damage.session.clone());
                Ok((id.ok_or(error)?, None))
            }
            (None, Some(StoreError::Unreadable { .. })) => {
                let id = wish.parse::<SessionId>().map_err(|_| error)?;
                Ok((id.to_string(), None))
            }
            (None, _) => Err(error),
        },
    }
}

pub(crate) async fn run(action: SessionAction, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let store = wiring::open_store(config).await?;
    let exit = act(action, store.as_ref(), config, terminal).await;
    wiring::leave(store.as_ref()).await;
    exit
}

async fn act(
    action: SessionAction,
    store: &dyn Store,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let desk = desk(store, config);
    match action {
        SessionAction::List { agent, title, limit, json } => {
            let filter = SessionFilter {
                agent,
                title_contains: title,
                limit: Some(limit),
                ..SessionFilter::default()
            };
            let narrowed = filter.agent.is_some() || filter.title_contains.is_some() || limit == 0;
            list(&desk.list(filter).await.map_err(explained)?, narrowed, json, terminal)
        }
        SessionAction::Show { session, json } => {
            let transcript = Transcript::load(store, find_at(&desk, &session).await?).await?;
            let mut out = terminal.out();
            if json {
                writeln!(out, "{:#}", transcript.json())?;
            } else {
                write!(out, "{}", transcript.for_screen())?;
            }
            tell_damage(&transcript, terminal);
            Ok(Exit::Done)
        }
        SessionAction::Resume { session: Some(session), decide, .. } => {
            let session = find_at(&desk, &session).await?;
            resume(session, &decide, &desk, config, terminal).await
        }
        SessionAction::Resume { session: None, .. } => finish_all(store, config, terminal).await,
        SessionAction::Rename { session, title } => {
            let session = find_at(&desk, &session).await?;
            let session = desk.rename(session.id, &title).await.map_err(explained)?;
            terminal.note(&format!("Renamed to {:?}.", session.title.unwrap_or_default()));
            Ok(Exit::Done)
        }
        SessionAction::Export { session, format, output } => {
            let session = find_at(&desk, &session).await?;
            export(store, session, format, output.as_deref(), terminal).await
        }
        SessionAction::Salvage { session, output } => {
            let (id, _) = find_id(&desk, &session).await?;
            salvage::run(store, id, output.as_deref(), terminal).await
        }
        SessionAction::Feedback { session, rating, turn, comment } => {
            let session = find_at(&desk, &session).await?;
            give_feedback(store, &session, rating, turn, comment, config).await?;
            terminal.note("Thank you, noted.");
            Ok(Exit::Done)
        }
        SessionAction::Delete { session, yes } => {
            let (id, session) = find_id(&desk, &session).await?;
            delete(store, &id, session, yes, config, terminal).await
        }
    }
}

/// What is missing of a conversation, and what helps.
fn tell_damage(transcript: &Transcript, terminal: &Terminal) {
    for damage in &transcript.damage {
        terminal.note(&format!("{NOTE}damaged:{NOTE:#} {}", damage.what));
    }
    if let Some(first) = transcript.damage.first() {
        terminal.note(&format!("  {}", first.remedy()));
    }
}

fn list(listing: &Listing, narrowed: bool, as_json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    let Listing { sessions, damaged } = listing;
    if as_json {
        let damaged: Vec<_> = damaged.iter().map(audit::as_json).collect();
        writeln!(out, "{:#}", json!({ "sessions": sessions, "damaged": damaged }))?;
        return Ok(Exit::Done);
    }
    for damage in damaged {
        terminal.note(&format!("{NOTE}damaged:{NOTE:#} {damage}"));
        terminal.note(&format!("  {}", damage.remedy()));
    }
    if sessions.is_empty() && damaged.is_empty() {
        let none = "There is no conversation yet; `tata` begins one.";
        terminal.note(if narrowed { "There is no such conversation." } else { none });
        return Ok(Exit::Done);
    }
    writeln!(
        out,
        "{BOLD}{:<8}  {:<16}  {:<8}  {:>5}  TITLE{BOLD:#}",
        "ID", "LAST USED (UTC)", "AGENT", "TURNS"
    )?;
    for session in sessions {
        let id = session.id.to_string();
        let open = if session.open_turn { format!(" {NOTE}(not finished){NOTE:#}") } else { String::new() };
        writeln!(
            out,
            "{:<8}  {:<16}  {:<8}  {:>5}  {}{open}",
            id.get(..8).unwrap_or(&id),
            session.updated_at.strftime("%Y-%m-%d %H:%M").to_string(),
            &session.agent,
            session.turn_count,
            session.title.as_deref().unwrap_or("-"),
        )?;
    }
    Ok(Exit::Done)
}

/// Decides and finishes what is open; on a terminal the conversation then goes on.
async fn resume(
    session: Session,
    decide: &[String],
    desk: &Desk<'_>,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    if !decide.is_empty() {
        let decisions = decide.iter().map(|text| decision(text)).collect::<anyhow::Result<Vec<_>>>()?;
        let input = desk.decide(session.id, &decisions).await.map_err(explained)?;
        return finish(&session, input, config, terminal).await;
    }
    if io::stdin().is_terminal() && terminal.is_screen() {
        let chat = Chat { session: Some(session.id.to_string()), ..Chat::default() };
        return chat::run(chat, config, terminal).await;
    }
    if !session.open_turn {
        terminal.note("Nothing was interrupted.");
        return Ok(Exit::Done);
    }
    finish(&session, Input::Resume, config, terminal).await
}

/// Runs one turn to its end.
async fn finish(
    session: &Session,
    input: Input,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let definition = wiring::definition(config, &session.agent)?;
    let store = wiring::open_store(config).await?;
    let wishes = Wishes { into_a_pipe: !terminal.is_screen(), ..Wishes::default() };
    let foreign = servers::connect(config, &definition, None).await?;
    for note in &foreign.notes {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
    }
    let assembled = wiring::assemble(config, &definition, Some(session), &wishes, &foreign, store)?;
    let seen = watch(&assembled.agent, session.id, input, View::Text, terminal).await;
    foreign.close().await;
    let seen = seen?;
    tell_the_end(&seen.report, terminal);
    Ok(Exit::of_turn(&seen.report))
}

/// Finishes every turn that nobody works on. One that fails does not keep the others from being finished.
async fn finish_all(store: &dyn Store, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let interrupted = store.interrupted().await?;
    if interrupted.is_empty() {
        terminal.note("Nothing was interrupted.");
    }
    let mut exit = Exit::Done;
    for session in interrupted {
        let title = session.title.clone().unwrap_or_else(|| session.id.to_string());
        terminal.note(&format!("{BOLD}{}{BOLD:#}", &title));
        let outcome = finish(&session, Input::Resume, config, terminal).await;
        let code = outcome.unwrap_or_else(|error| {
            terminal.error(&error, None);
            Exit::of(&error)
        });
        if exit == Exit::Done {
            exit = code;
        }
    }
    Ok(exit)
}

/// What `CALL=DECISION` says.
fn decision(text: &str) -> anyhow::Result<(CallId, Option<String>, Decision)> {
    let wrong =
        || UsageError(format!("--decide is {text:?}, but must be CALL=run, CALL=done or CALL=refuse"));
    let (call, word) = text.rsplit_once('=').ok_or_else(wrong)?;
    let decision = match word {
        "run" => Decision::Run,
        "done" => Decision::Done,
        "refuse" => Decision::Refuse,
        _ => return Err(wrong().into()),
    };
    Ok((call.into(), None, decision))
}

pub(super) async fn export(
    store: &dyn Store,
    session: Session,
    form: Form,
    output: Option<&Path>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let transcript = Transcript::load(store, session).await?;
    tell_damage(&transcript, terminal);
    let text = match form {
        Form::Md => transcript.markdown(),
        Form::Json => format!("{:#}\n", transcript.json()),
        Form::Jsonl => transcript.json_lines()?,
    };
    match output {
        None => terminal.say(&text)?,
        Some(path) => {
            private::write(path, &text)?;
            terminal.note(&format!("{DIM}Written to {}{DIM:#}", path.display()));
        }
    }
    // Whoever keeps it must learn that it is not all.
    Ok(if transcript.damage.is_empty() { Exit::Done } else { Exit::Failed })
}

/// A title is one line, whatever was typed.
pub(super) fn one_line(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) async fn give_feedback(
    store: &dyn Store,
    session: &Session,
    thumb: Thumb,
    turn: Option<u32>,
    comment: Option<String>,
    config: &Config,
) -> anyhow::Result<()> {
    let rating = match thumb {
        Thumb::Good => Rating::Up,
        Thumb::Bad => Rating::Down,
    };
    let given = desk(store, config).give_feedback(session.id, turn, rating, comment).await;
    given.map(drop).map_err(explained)
}

/// Removes a conversation from the database, and what was typed in it. The audit trail tells who did it.
pub(super) async fn erase(store: &dyn Store, id: SessionId, config: &Config) -> anyhow::Result<()> {
    desk(store, config).delete(id).await.map_err(explained)?;
    let history = History::new(&config.state_dir);
    history.erase(id).with_context(|| {
        let folder = config.state_dir.display();
        format!("The conversation is deleted, but what was typed in it is still in {folder}/histories/{id}")
    })
}

async fn delete(
    store: &dyn Store,
    id: &str,
    session: Option<Session>,
    yes: bool,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let turns =
        session.as_ref().map_or_else(String::new, |session| format!(" with {} turns", session.turn_count));
    let title = session.and_then(|session| session.title).unwrap_or_else(|| id.to_owned());
    if !yes {
        if !io::stdin().is_terminal() {
            return Err(UsageError("deleting needs --yes when nobody can be asked".to_owned()).into());
        }
        terminal.note(&format!("Delete {title:?}{turns} for good? [y/N]"));
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            terminal.note("Nothing was deleted.");
            return Ok(Exit::Failed);
        }
    }
    erase(store, id.parse()?, config).await?;
    terminal.note(&format!("Deleted {title:?}."));
    if store.settle().await.is_err() {
        terminal.note(&format!(
            "{NOTE}note:{NOTE:#} another program has the database open; what was deleted leaves its log when that ends."
        ));
    }
    Ok(Exit::Done)
}
