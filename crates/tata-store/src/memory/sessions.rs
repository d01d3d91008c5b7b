//! Sessions at a glance.

use jiff::Timestamp;
use tata_core::{
    Actor, Listing, NewAudit, NewSession, Record, Session, SessionChange, SessionFilter, SessionId, Sessions,
    StoreError, StoreFuture,
};

use super::{Held, MemoryStore};
use crate::search::{Wanted, id_prefix, pieces};

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
                fits(&held.session)
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
        self.with(id, |held| {
            if let Some(title) = change.title {
                held.session.title = Some(title);
            }
            if let Some(model) = change.model {
                held.session.model = model;
            }
            Ok(held.session.clone())
        })
    }

    fn delete_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            let held = state.held(id)?;
            held.check_free()?;
            let act = NewAudit::deleted(id, by, at).in_tenant(held.session.tenant_id.clone());
            state.sessions.remove(&id);
            state.keys.retain(|_, key| key.session != Some(id));
            state.stops.remove(&id);
            state.record(act);
            Ok(())
        })
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
