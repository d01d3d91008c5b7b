//! Turns that nobody works on any more, such as those of a process that died, are taken over; turns that run elsewhere are
//! stopped there; deletions that are due are carried out.

use std::{collections::HashMap, time::Duration};

use jiff::{SignedDuration, Timestamp};
use tata_core::{Conversation, Input, Session, SessionId, StoreError};

use crate::{
    Problem,
    deletions::carry_out_deletions,
    presence::Presence,
    state::{App, ServerState},
};

/// Looks again and again, until the server stops.
pub(crate) async fn keep_recovering(server: ServerState) {
    // What could not be helped is not tried again until it has changed.
    let mut tried: HashMap<SessionId, u64> = HashMap::new();
    loop {
        match server.store().interrupted().await {
            Ok(sessions) => {
                tried.retain(|id, _| sessions.iter().any(|session| session.id == *id));
                for session in sessions {
                    if tried.insert(session.id, session.last_position) != Some(session.last_position) {
                        let id = session.id;
                        if let Err(problem) = resume(&server, session).await {
                            tracing::warn!(session = %id, problem = problem.detail, "a turn could not be taken over");
                        }
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "interrupted turns could not be looked for"),
        }
        if let Err(error) = carry_out_deletions(&server).await {
            tracing::warn!(%error, "deletions that are due could not be looked for");
        }
        tokio::time::sleep(server.options().recover_every).await;
    }
}

/// How often it is looked for turns that should stop.
const LOOK_FOR_STOPS: Duration = Duration::from_secs(1);
/// Nobody remembers a wish to stop for longer.
const STOPS_COUNT: SignedDuration = SignedDuration::from_mins(5);

/// Stops the turn of a session, wherever it runs. Tells whether there was one.
pub(crate) async fn stop(app: &App, session: &Session) -> Result<bool, Problem> {
    if app.services.host.cancel(session.id) {
        return Ok(true);
    }
    if session.open_turn {
        app.services.store.ask_to_stop(session.id, session.turn_count, Timestamp::now()).await?;
    }
    Ok(session.open_turn)
}

/// Stops the turns that run here and that somebody asked another process to stop.
pub(crate) async fn keep_stopping(server: ServerState) {
    loop {
        tokio::time::sleep(LOOK_FOR_STOPS).await;
        if server.host().running() == 0 {
            continue;
        }
        if let Err(error) = stop_asked(&server).await {
            tracing::warn!(%error, "turns that should stop could not be looked for");
        }
    }
}

async fn stop_asked(server: &ServerState) -> Result<(), StoreError> {
    let store = server.store();
    let old = Timestamp::now().checked_sub(STOPS_COUNT).unwrap_or(Timestamp::MIN);
    for (id, turn) in store.asked_to_stop(old).await? {
        let session = store.session(id).await?;
        // A later turn is not the one that was meant.
        let meant = session.is_some_and(|session| session.open_turn && session.turn_count == turn);
        if !meant || server.host().cancel(id) {
            store.has_stopped(id).await?;
        }
    }
    Ok(())
}

/// Goes on with a turn as the person whose session it is: with their company's documents, and a store that holds nothing of
/// anybody else.
async fn resume(server: &ServerState, session: Session) -> Result<(), Problem> {
    if server.host().is_running(session.id) {
        return Ok(());
    }
    let Some(app) = server.owner(&session).await? else {
        tracing::warn!(session = %session.id, "an interrupted turn is left: its owner may not use this server");
        return Ok(());
    };
    let services = &app.services;
    let records = services.store.records(session.id, 0).await?;
    // What waits for a person goes on by the person.
    if !Conversation::fold("", &records).questions().is_empty() {
        return Ok(());
    }
    let agent = app.agent_of(&session).await?;
    tracing::info!(session = %session.id, "a turn is taken over");
    services.host.start(&agent, session.id, Input::Resume).await?;
    Presence::look_after_turn(&app, session.id);
    Ok(())
}
