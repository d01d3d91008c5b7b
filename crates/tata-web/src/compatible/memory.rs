//! Which session has heard which conversation.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use tata_core::SessionId;
use tokio::time::Instant;

/// Conversations that are remembered by what was said in them.
const MOST_REMEMBERED: usize = 10_000;

/// Which session has heard which conversation. A process that does not know takes over what the client says was said.
#[derive(Default)]
pub(crate) struct Memory {
    sessions: Mutex<HashMap<[u8; 32], (SessionId, Instant)>>,
}

impl Memory {
    pub(super) fn find(&self, mark: [u8; 32]) -> Option<SessionId> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.get(&mark).map(|(session, _)| *session)
    }

    pub(super) fn remember(&self, mark: [u8; 32], session: SessionId) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MOST_REMEMBERED
            && let Some(oldest) = sessions.iter().min_by_key(|(_, (_, at))| *at).map(|(mark, _)| *mark)
        {
            sessions.remove(&oldest);
        }
        sessions.insert(mark, (session, Instant::now()));
    }
}
