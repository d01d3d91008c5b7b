//! What a running turn has told so far, for whoever joins late, and where its events go.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::{EventId, Told};
use crate::{Event, Name};

/// Events that wait for a slow listener. One that is further behind reads the journal instead.
const MOST_WAITING: usize = 128;

/// A turn at work, as its listeners see it.
pub(super) struct Running {
    pub(super) cancel: CancellationToken,
    log: Mutex<Log>,
}

struct Log {
    /// What was told last: the entry, and the text after it.
    told: EventId,
    draft: Draft,
    /// Its end was told: nothing follows, and another turn may begin.
    over: bool,
    listeners: broadcast::Sender<Told>,
}

/// The answer that is being given and is not in the journal yet.
#[derive(Clone, Default)]
pub(super) struct Draft {
    pub(super) model: Name,
    pub(super) text: String,
}

/// A listener that joins: what was told until then, and what follows.
pub(super) struct Joined {
    pub(super) told: EventId,
    pub(super) draft: Draft,
    pub(super) events: broadcast::Receiver<Told>,
}

impl Running {
    pub(super) fn new(told: EventId) -> Self {
        let (listeners, _) = broadcast::channel(MOST_WAITING);
        let log = Mutex::new(Log { told, draft: Draft::default(), over: false, listeners });
        Self { cancel: CancellationToken::new(), log }
    }

    /// Nothing is told between what was told and what follows.
    pub(super) fn join(&self) -> Joined {
        let log = self.log();
        Joined { told: log.told, draft: log.draft.clone(), events: log.listeners.subscribe() }
    }

    pub(super) fn is_over(&self) -> bool {
        self.log().over
    }

    pub(super) fn told(&self) -> EventId {
        self.log().told
    }

    /// Tells what rests on the entry at a position.
    pub(super) fn tell_at(&self, position: u64, event: Option<Event>) {
        let mut log = self.log();
        if log.told.position != position {
            log.told = EventId::at(position);
            log.draft.text.clear();
        }
        let id = Some(log.told);
        if let Some(event) = event {
            log.send(Told { id, event });
        }
    }

    /// Tells something that leaves no trace.
    pub(super) fn tell(&self, event: Event) {
        self.log().send(Told { id: None, event });
    }

    /// Tells a piece of the answer.
    pub(super) fn tell_text(&self, text: crate::Piece) {
        let mut log = self.log();
        log.told = log.told.after(&text);
        log.draft.text.push_str(&text);
        let id = Some(log.told);
        log.send(Told { id, event: Event::TextDelta { text } });
    }

    /// Takes back what was told of the answer.
    pub(super) fn tell_reset(&self, event: Event, model: Name) {
        let mut log = self.log();
        log.told = EventId::at(log.told.position);
        log.draft = Draft { model, text: String::new() };
        let id = Some(log.told);
        log.send(Told { id, event });
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    /// That nobody listens is no error.
    fn send(&mut self, told: Told) {
        self.over |= matches!(told.event, Event::Finished(_));
        let _nobody = self.listeners.send(told);
    }
}
