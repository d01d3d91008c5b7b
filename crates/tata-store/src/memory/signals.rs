//! What processes over one store tell each other.

use jiff::Timestamp;
use tata_core::{SessionId, Signals, StoreFuture};

use super::MemoryStore;

impl Signals for MemoryStore {
    fn ask_to_stop(&self, id: SessionId, turn: u32, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            if state.sessions.contains_key(&id) {
                state.stops.insert(id, (turn, at));
            }
            Ok(())
        })
    }

    fn asked_to_stop(&self, old: Timestamp) -> StoreFuture<'_, Vec<(SessionId, u32)>> {
        Box::pin(async move {
            let state = self.state();
            let recent = state.stops.iter().filter(|(_, (_, at))| *at >= old);
            let mut asked: Vec<(SessionId, u32)> = recent.map(|(id, (turn, _))| (*id, *turn)).collect();
            asked.sort_by_key(|(id, _)| id.to_string());
            Ok(asked)
        })
    }

    fn has_stopped(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.state().stops.remove(&id);
            Ok(())
        })
    }
}
