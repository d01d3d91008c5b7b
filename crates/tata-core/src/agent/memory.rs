//! What an agent has learned that outlives a turn: how its models do, and long conversations that were led a moment ago, whose
//! next turn reads what is new and not all of it again.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::time::Instant;

use crate::{Conversation, SessionId};

/// Entries of a journal that are quick to read; a shorter one is not kept.
const SHORT: u64 = 200;
/// Conversations that are kept.
const MOST: usize = 16;

/// What an agent has learned.
#[derive(Default)]
pub struct AgentMemory {
    health: Mutex<HashMap<String, Health>>,
    /// The conversations, the oldest first. Each is what the journal said up to its position, so nothing can be out of
    /// date: what others wrote since comes after it.
    recent: Mutex<VecDeque<(SessionId, Conversation)>>,
}

/// What was learned about a model on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Health {
    /// It asked for a pause until then.
    pub(super) rests_until: Option<Instant>,
    /// Reported input tokens for each that we estimated.
    pub(super) tokens_per_estimate: f64,
}

impl Default for Health {
    fn default() -> Self {
        Self { rests_until: None, tokens_per_estimate: 1.0 }
    }
}

impl AgentMemory {
    /// How its models do.
    pub(super) fn health(&self) -> MutexGuard<'_, HashMap<String, Health>> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a conversation out. Whoever comes to an end with it puts it back.
    pub(super) fn take(&self, session: SessionId) -> Option<Conversation> {
        let mut kept = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(id, _)| *id == session)?;
        kept.remove(at).map(|(_, conversation)| conversation)
    }

    /// Keeps a conversation whose journal is written to its position.
    pub(super) fn put(&self, session: SessionId, conversation: Conversation) {
        if conversation.position() < SHORT {
            return;
        }
        let mut kept = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(id, _)| *id != session);
        if kept.len() == MOST {
            kept.pop_front();
        }
        kept.push_back((session, conversation));
    }
}
