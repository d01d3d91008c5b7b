//! Sessions at a glance.

use jiff::Timestamp;
use tata_core::{
    Actor, Listing, NewAudit, NewSession, Record, Session, SessionChange, SessionFilter, SessionId, Sessions,
    StoreError, StoreFuture,
};

use super::{Held, MemoryStore, State};
use crate::{
    change::no_session,
    search::{Wanted, id_prefix, pieces},
};

impl Sessions for MemoryStore {
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        Box::pin(async move {
            let session = new.into_session();
            let mut state = self.state();
            if state.sessions.contains_key(&session.id) {
                return Err(StoreError::Exists { what: format!("session {}", session.id) });
            }
            state.sessions.insert(session.id, Held::new(session.clone()));
            Ok(session)
        })
    }

    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>> {
        self.read(id, |held| Some(held.session.clone()))
    }

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Listing> {
        Box::pin(async move {
            let (wanted, prefix) = (Wanted::new(&filter), id_prefix(&filter));
            let fits = |session: &Session| {
                filter.tenant_id.as_ref().is_none_or(|tenant| session.tenant_id.as_ref() == Some(tenant))
                    && filter.user_id.as_ref().is_none_or(|user| session.user_id.as_ref() == Some(user))
                    && filter.agent.as_ref().is_none_or(|agent| session.agent == *agent)
                    && prefix
                        .as_ref()
                        .is_none_or(|prefix| session.id.to_string().starts_with(prefix.as_str()))
                    && wanted.fits(session)
            };
            let pieces = pieces(&filter);
            let state = self.state();
            let all = state.sessions.values().filter(|held| {
                held.session.delete_at.is_none()
                    && fits(&held.session)
                    && (!filter.with_documents || !held.artifacts.is_empty())
                    && pieces.as_ref().is_none_or(|pieces| held.mentions(pieces))
            });
            let mut sessions: Vec<Session> = all.map(|held| held.session.clone()).collect();
            sessions.sort_unstable_by_key(|session| (std::cmp::Reverse(session.updated_at), session.id));
            sessions.truncate(filter.limit.map_or(usize::MAX, |limit| limit as usize));
            Ok(Listing { sessions, damaged: Vec::new() })
        })
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        self.with(id, move |held| {
            if let Some(title) = change.title {
                held.session.title = Some(title);
            }
            if let Some(model) = change.model {
                held.session.model = model;
            }
            if let Some(delete_at) = change.delete_at {
                held.session.delete_at = delete_at;
            }
            Ok(held.session.clone())
        })
    }

    fn delete_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move { self.state().delete(NewAudit::deleted(id, by, at), id) })
    }

    fn delete_due_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            if state.held(id)?.session.delete_at.is_none_or(|due| due > at) {
                return Err(no_session(id));
            }
            state.delete(NewAudit::deleted(id, by, at), id)
        })
    }

    fn due_deletions(&self, at: Timestamp) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let state = self.state();
            let all = state.sessions.values().map(|held| &held.session);
            let due = all.filter(|session| session.delete_at.is_some_and(|due| due <= at));
            let mut due: Vec<Session> = due.cloned().collect();
            due.sort_unstable_by_key(|session| (session.delete_at, session.id));
            Ok(due)
        })
    }
}

impl State {
    fn delete(&mut self, act: NewAudit, id: SessionId) -> Result<(), StoreError> {
        let held = self.held(id)?;
        held.check_free()?;
        let act = act.in_tenant(held.session.tenant_id.clone());
        self.sessions.remove(&id);
        self.keys.retain(|_, key| key.session != Some(id));
        self.stops.remove(&id);
        self.record(act);
        Ok(())
    }
}

impl Held {
    /// Whether one entry has all of these pieces.
    fn mentions(&self, pieces: &[String]) -> bool {
        let has = |record: &Record| {
            let entry = serde_json::to_string(&record.entry).unwrap_or_default().to_ascii_lowercase();
            pieces.iter().all(|piece| entry.contains(piece.trim_matches('%')))
        };
        self.records.iter().any(has)
    }
}
