//! Requests that are served once.

use jiff::Timestamp;
use tata_core::{Keys, RequestKey, StoreFuture};

use super::MemoryStore;

impl Keys for MemoryStore {
    fn take_key(
        &self,
        key: RequestKey,
        old: Timestamp,
        lost: Timestamp,
    ) -> StoreFuture<'_, Option<RequestKey>> {
        Box::pin(async move {
            let keys = &mut self.state().keys;
            keys.retain(|_, known| known.at >= old);
            let known = keys.get(&key.name).filter(|known| known.answer.is_some() || known.at >= lost);
            if let Some(known) = known {
                return Ok(Some(known.clone()));
            }
            keys.insert(key.name.clone(), key);
            Ok(None)
        })
    }

    fn settle_key(&self, name: String, answer: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if let Some(key) = self.state().keys.get_mut(&name) {
                key.answer = Some(answer);
            }
            Ok(())
        })
    }

    fn free_key(&self, name: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.state().keys.retain(|known, key| *known != name || key.answer.is_some());
            Ok(())
        })
    }
}
