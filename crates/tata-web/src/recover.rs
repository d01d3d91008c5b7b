//! Turns that nobody works on any more, such as those of a process that died, are taken over.

use std::collections::HashMap;

use tata_core::{Conversation, Input, Session, SessionId};

use crate::{Problem, state::App};

/// Looks again and again, until the server stops.
pub(crate) async fn keep_recovering(app: App) {
    // What could not be helped is not tried again until it has changed.
    let mut tried: HashMap<SessionId, u64> = HashMap::new();
    loop {
        match app.services.store.interrupted().await {
            Ok(sessions) => {
                tried.retain(|id, _| sessions.iter().any(|session| session.id == *id));
                for session in sessions {
                    if tried.insert(session.id, session.last_position) != Some(session.last_position) {
                        let id = session.id;
                        if let Err(problem) = resume(&app, session).await {
                            tracing::warn!(session = %id, problem = problem.detail, "a turn could not be taken over");
                        }
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "interrupted turns could not be looked for"),
        }
        tokio::time::sleep(app.options.recover_every).await;
    }
}

async fn resume(app: &App, session: Session) -> Result<(), Problem> {
    let services = &app.services;
    if services.host.is_running(session.id) {
        return Ok(());
    }
    let records = services.store.records(session.id, 0).await?;
    // What waits for a person goes on by the person.
    if !Conversation::fold("", &records).questions().is_empty() {
        return Ok(());
    }
    let agent = app.agent_of(&session).await?;
    tracing::info!(session = %session.id, "a turn is taken over");
    services.host.start(&agent, session.id, Input::Resume).await?;
    Ok(())
}
