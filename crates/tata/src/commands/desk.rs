//! The conversations of the person at this terminal, for every command that needs one: found, written out, rated, erased.

use std::path::Path;

use anyhow::Context;
use tata_core::{Clock, Desk, DeskError, Person, Rating, Session, SessionId, Store};

use crate::{
    cli::{Form, Thumb},
    config::Config,
    error::{DamagedSession, UnknownSession, UsageError},
    exit::Exit,
    history::History,
    private,
    terminal::{DIM, NOTE, Terminal},
    transcript::Transcript,
};

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

/// What is missing of a conversation, and what helps.
pub(super) fn tell_damage(transcript: &Transcript, terminal: &Terminal) {
    for damage in &transcript.damage {
        terminal.note(&format!("{NOTE}damaged:{NOTE:#} {}", damage.what));
    }
    if let Some(first) = transcript.damage.first() {
        terminal.note(&format!("  {}", first.remedy()));
    }
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
