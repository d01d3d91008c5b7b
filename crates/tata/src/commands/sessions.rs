//! `tata session …`: conversations that were kept.

use std::io::{self, BufRead, IsTerminal, Write};

use serde_json::json;
use tata_core::{
    CallId, Decision, Desk, Input, Listing, Session, SessionFilter, SessionId, Store, StoreError,
};

use super::{
    ask::{tell_the_end, tell_the_questions},
    audit, chat,
    desk::{desk, erase, explained, export, find_at, give_feedback, tell_damage},
    salvage,
};
use crate::{
    cli::{Chat, SessionAction},
    config::Config,
    error::{DamagedSession, UsageError},
    exit::Exit,
    servers,
    terminal::{BOLD, NOTE, Terminal},
    transcript::Transcript,
    watch::{View, watch},
    wiring::{self, Overrides},
};

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
    let has_companies = sessions.iter().any(|session| session.tenant_id.is_some());
    let company = |name: &str| if has_companies { format!("{name:<12}  ") } else { String::new() };
    writeln!(
        out,
        "{BOLD}{:<8}  {:<16}  {}{:<8}  {:>5}  TITLE{BOLD:#}",
        "ID",
        "LAST USED (UTC)",
        company("COMPANY"),
        "AGENT",
        "TURNS"
    )?;
    for session in sessions {
        let id = session.id.to_string();
        let open = if session.open_turn { format!(" {NOTE}(not finished){NOTE:#}") } else { String::new() };
        writeln!(
            out,
            "{:<8}  {:<16}  {}{:<8}  {:>5}  {}{open}",
            id.get(..8).unwrap_or(&id),
            session.updated_at.strftime("%Y-%m-%d %H:%M").to_string(),
            company(session.tenant_id.as_deref().unwrap_or_default()),
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
    let overrides = Overrides { into_a_pipe: !terminal.is_screen(), ..Overrides::default() };
    let foreign = servers::connect(config, &definition, None).await?;
    for note in &foreign.notes {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
    }
    let assembled = wiring::assemble(config, &definition, Some(session), &overrides, &foreign, store)?;
    let seen = watch(&assembled.agent, session.id, input, View::Text, terminal).await;
    foreign.close().await;
    let seen = seen?;
    tell_the_end(&seen.report, terminal);
    tell_the_questions(&seen, terminal);
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
