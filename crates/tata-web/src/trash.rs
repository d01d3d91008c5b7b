//! Projects that somebody deleted a moment ago: hidden at once, gone when nobody took it back.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tata_core::SessionId;
use tokio_util::sync::CancellationToken;

use crate::state::App;

/// How long a deletion can be taken back.
const WAITS: Duration = Duration::from_secs(20);

/// What waits to be deleted. A program that stops before that deletes nothing: the project is there again.
#[derive(Clone, Default)]
pub(crate) struct Trash {
    /// What takes each of them back; nothing once it is too late.
    waiting: Arc<Mutex<Waiting>>,
}

type Waiting = HashMap<SessionId, Option<CancellationToken>>;

impl Trash {
    /// Whether a project waits to be deleted.
    pub(crate) fn holds(&self, id: SessionId) -> bool {
        self.waiting().contains_key(&id)
    }

    /// Deletes a project in a while.
    pub(crate) fn throw(&self, app: &App, id: SessionId) {
        let kept = CancellationToken::new();
        {
            let mut waiting = self.waiting();
            if waiting.contains_key(&id) {
                return;
            }
            waiting.insert(id, Some(kept.clone()));
        }
        let (app, trash) = (app.clone(), self.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = kept.cancelled() => return,
                () = tokio::time::sleep(WAITS) => {}
                () = app.stopping.cancelled() => {}
            }
            match trash.waiting().get_mut(&id) {
                Some(back) => *back = None,
                None => return,
            }
            if let Err(error) = app.desk().delete(id).await {
                tracing::warn!(%error, "a project could not be deleted");
            }
            trash.waiting().remove(&id);
        });
    }

    /// Takes a deletion back. False if it is too late.
    pub(crate) fn take_back(&self, id: SessionId) -> bool {
        let mut waiting = self.waiting();
        let Some(kept) = waiting.get_mut(&id).and_then(Option::take) else { return false };
        kept.cancel();
        waiting.remove(&id);
        true
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
