//! Looking for damage, and saving what is left.

use std::collections::BTreeMap;

use tata_core::{Salvage, SessionId, StoreFuture, Upkeep, Verified};

use super::{Held, MemoryStore};

/// Nothing comes between what is written here and what is read: it is whole.
impl Upkeep for MemoryStore {
    fn verify(&self) -> StoreFuture<'_, Verified> {
        Box::pin(async move {
            let state = self.state();
            let sum = |count: fn(&Held) -> usize| state.sessions.values().map(count).sum::<usize>() as u64;
            Ok(Verified {
                sessions: state.sessions.len() as u64,
                entries: sum(|held| held.records.len()),
                artifacts: sum(|held| held.artifacts.values().map(BTreeMap::len).sum()),
                audit: state.audit.len() as u64,
                damages: Vec::new(),
            })
        })
    }

    fn salvage(&self, id: String) -> StoreFuture<'_, Option<Salvage>> {
        Box::pin(async move {
            let Ok(id) = id.parse::<SessionId>() else { return Ok(None) };
            Ok(self.state().sessions.get(&id).map(|held| Salvage {
                session: Some(held.session.clone()),
                records: held.records.clone(),
                artifacts: held.artifacts.values().flat_map(BTreeMap::values).cloned().collect(),
                usage: held.usage.clone(),
                feedback: held.feedback.values().cloned().collect(),
                outputs: held.outputs.iter().map(|(id, text)| (id.clone(), text.clone())).collect(),
                lost: Vec::new(),
            }))
        })
    }
}
