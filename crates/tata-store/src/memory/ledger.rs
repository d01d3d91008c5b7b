//! What was used, and what people thought of it.

use std::sync::Arc;

use jiff::Timestamp;
use tata_core::{Feedback, Ledger, SessionId, StoreFuture, UsageRow};

use super::MemoryStore;

impl Ledger for MemoryStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        self.read(id, |held| held.usage.clone())
    }

    fn usage_since(
        &self,
        tenant: Option<String>,
        since: Timestamp,
    ) -> StoreFuture<'_, Vec<(Option<String>, Arc<UsageRow>)>> {
        Box::pin(async move {
            let state = self.state();
            let held = state.sessions.values();
            let theirs = held.filter(|held| tenant.is_none() || held.session.tenant_id == tenant);
            let rows = theirs.flat_map(|held| held.usage.iter().map(|row| (&held.session.user_id, row)));
            let recent = rows.filter(|(_, row)| row.at >= since);
            Ok(recent.map(|(user, row)| (user.clone(), Arc::clone(row))).collect())
        })
    }

    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()> {
        self.with(id, |held| {
            held.feedback.insert((feedback.turn, feedback.user_id.clone()), feedback);
            Ok(())
        })
    }

    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>> {
        self.read(id, |held| held.feedback.values().cloned().collect())
    }
}
