//! The journal: leases, and what turns write.

use std::{future::ready, time::Duration};

use tata_core::{Batch, Begun, CallId, Journal, Lease, Record, Session, SessionId, StoreFuture};

use super::{MemoryStore, after};

impl Journal for MemoryStore {
    fn begin_after(&self, id: SessionId, time: Duration, known: u64) -> StoreFuture<'_, Begun> {
        self.with(id, move |held| {
            held.check_free()?;
            held.epoch += 1;
            held.until = after(time);
            Ok(Begun {
                lease: Lease { session: id, epoch: held.epoch, time },
                session: held.session.clone(),
                records: held.after(known),
            })
        })
    }

    fn append(&self, lease: &Lease, batch: Batch) -> StoreFuture<'static, ()> {
        Box::pin(ready(self.state().append(lease, batch)))
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        self.with(lease.session, |held| {
            held.check_lease(lease)?;
            held.until = after(lease.time);
            Ok(())
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.abandon(lease.clone());
            Ok(())
        })
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn abandon(&self, lease: Lease) {
        if let Some(held) = self.state().sessions.get_mut(&lease.session)
            && held.epoch == lease.epoch
        {
            held.until = None;
        }
    }

    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>> {
        self.read(id, move |held| held.after(after))
    }

    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let mut found: Vec<Session> = self
                .state()
                .sessions
                .values()
                .filter(|held| {
                    held.session.open_turn && held.session.delete_at.is_none() && !held.is_leased()
                })
                .map(|held| held.session.clone())
                .collect();
            found.sort_unstable_by_key(|session| (session.updated_at, session.id));
            Ok(found)
        })
    }

    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>> {
        self.read(id, move |held| held.outputs.get(&call_id).cloned())
    }
}
