//! The turn host: owns running turns. A face starts one, follows it from any place on, or cancels it; a listener that
//! goes away stops nothing, and a slow one holds nothing up.
//!
//! Every event that rests on the journal has an id ([`EventId`]) by which any process that has the store can go on where a
//! listener left off. Pieces of text are not stored: whoever comes back hears the rest of the answer from the turn, or from
//! the journal, to the same byte.

mod driver;
mod follow;
mod id;
mod log;
mod replay;
mod report;

use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

pub use id::{EventId, NotAnEventId};

use self::{driver::Driver, log::Running};
use crate::{Agent, Event, Feed, Input, SessionId, Store, StoreError, TurnReport};

/// An event as a listener gets it.
#[derive(Clone, Debug)]
pub struct Told {
    /// Where the listener stands with it; none for what leaves no trace and is not told again.
    pub id: Option<EventId>,
    /// What happened.
    pub event: Event,
}

/// What a listener hears. Dropping it ends the listening and nothing else.
pub type Following = Feed<Told>;

/// Lets a turn run by itself, such as `tokio::spawn` does.
pub type Spawn = Arc<dyn Fn(Pin<Box<dyn Future<Output = ()> + Send>>) + Send + Sync>;

/// Sees all events of all turns of a host, for counters.
pub type Observer = Arc<dyn Fn(SessionId, &Event) + Send + Sync>;

/// Why a turn was not started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotStarted {
    /// A turn of this session runs already: follow it, cancel it, or wait.
    #[error("a turn of session {0} is running")]
    Running(SessionId),
    /// There is no such session.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// As many turns run as may run at once: try again later.
    #[error("{0} turns are running, as many as may")]
    Full(usize),
    /// The host takes no more turns: it is about to stop.
    #[error("the program is about to stop")]
    Closing,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Owns running turns. Clones are the same host.
#[derive(Clone)]
pub struct TurnHost {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<dyn Store>,
    spawn: Spawn,
    observer: Option<Observer>,
    most: usize,
    turns: Mutex<Turns>,
    /// How many run.
    count: watch::Sender<usize>,
}

#[derive(Default)]
struct Turns {
    running: HashMap<SessionId, Arc<Running>>,
    closing: bool,
}

impl TurnHost {
    /// A host of turns in this store, of which at most so many run at once.
    pub fn new(store: Arc<dyn Store>, spawn: Spawn, most: usize, observer: Option<Observer>) -> Self {
        let (count, _) = watch::channel(0);
        Self { inner: Arc::new(Inner { store, spawn, observer, most, turns: Mutex::default(), count }) }
    }

    /// Starts a turn. It runs to its end whether or not anybody listens; what is returned hears it from its first event
    /// on.
    pub async fn start(
        &self,
        agent: &Agent,
        session: SessionId,
        input: Input,
    ) -> Result<Following, NotStarted> {
        let row = self.inner.store.session(session).await?.filter(|row| row.delete_at.is_none());
        let row = row.ok_or(NotStarted::NoSession(session))?;
        let from = EventId::at(row.last_position);
        let running = Arc::new(Running::new(from));
        self.inner.enter(session, &running)?;
        let leaving = Leaving { host: Arc::clone(&self.inner), session, running: Arc::clone(&running) };
        let events = agent.turn(session, input, running.cancel.clone());
        // Before the turn begins: nothing of it is missed.
        let joined = running.join();
        let store = Arc::clone(&self.inner.store);
        let driver = Driver::new(store, session, running, self.inner.observer.clone());
        (self.inner.spawn)(Box::pin(async move {
            let _leaving = leaving;
            driver.drive(events).await;
        }));
        let inner = Arc::clone(&self.inner);
        Ok(Feed::of(|out| follow::follow(inner, session, from, Some(joined), out)))
    }

    /// Follows a session from a place on: what the journal has, then what happens. Ends when no turn is open, or when the
    /// open one cannot go on by itself.
    pub fn follow(&self, session: SessionId, from: EventId) -> Following {
        let inner = Arc::clone(&self.inner);
        Feed::of(|out| follow::follow(inner, session, from, None, out))
    }

    /// Stops the turn of a session; what had arrived is kept. Says whether one ran here.
    pub fn cancel(&self, session: SessionId) -> bool {
        let running = self.inner.running(session);
        running.is_some_and(|running| {
            running.cancel.cancel();
            true
        })
    }

    /// Whether a turn of the session runs here.
    pub fn is_running(&self, session: SessionId) -> bool {
        self.inner.running(session).is_some()
    }

    /// How many turns may run at once.
    pub fn most(&self) -> usize {
        self.inner.most
    }

    /// How many turns run.
    pub fn running(&self) -> usize {
        *self.inner.count.borrow()
    }

    /// Takes no more turns.
    pub fn close(&self) {
        self.inner.turns().closing = true;
    }

    /// Waits until no turn runs.
    pub async fn idle(&self) {
        let mut count = self.inner.count.subscribe();
        // The sender lives as long as this host: the wait cannot fail.
        let _idle = count.wait_for(|count| *count == 0).await;
    }

    /// The report of a turn, as the journal tells it.
    pub async fn report(&self, session: SessionId, turn: u32) -> Result<Option<TurnReport>, StoreError> {
        driver::report_of(self.inner.store.as_ref(), session, turn).await
    }
}

impl Inner {
    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self, session: SessionId) -> Option<Arc<Running>> {
        self.turns().running.get(&session).cloned()
    }

    fn enter(&self, session: SessionId, running: &Arc<Running>) -> Result<(), NotStarted> {
        let mut turns = self.turns();
        if turns.closing {
            return Err(NotStarted::Closing);
        }
        // One whose end was told is only on its way out.
        let replaces = match turns.running.get(&session) {
            Some(other) if !other.is_over() => return Err(NotStarted::Running(session)),
            Some(_) => true,
            None => false,
        };
        if turns.running.len() >= self.most && !replaces {
            return Err(NotStarted::Full(self.most));
        }
        turns.running.insert(session, Arc::clone(running));
        self.count.send_replace(turns.running.len());
        Ok(())
    }
}

/// Takes a turn off the list when its task ends, however that ends.
struct Leaving {
    host: Arc<Inner>,
    session: SessionId,
    running: Arc<Running>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let mut turns = self.host.turns();
        // The next one may have taken its place already.
        if turns.running.get(&self.session).is_some_and(|other| Arc::ptr_eq(other, &self.running)) {
            turns.running.remove(&self.session);
        }
        self.host.count.send_replace(turns.running.len());
    }
}
