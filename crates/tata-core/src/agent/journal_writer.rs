//! Holds a session's lease while a turn works, and writes its journal.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
};

use fail::fail_point;
use tokio::time::Instant;

use crate::{Alarm, Batch, Event, Feeder, Lease, Store, StoreError, StoreFuture};

/// Holds a session's lease and keeps it alive while something else takes time.
pub(super) struct JournalWriter {
    pub(super) store: Arc<dyn Store>,
    pub(super) lease: Lease,
    alarm: Alarm,
    /// When the lease must be extended.
    due: Instant,
    /// When the lease was last extended for certain.
    extended: Instant,
    given_back: bool,
    /// What was recorded, for the next write.
    batch: Batch,
    writing: Option<Writing>,
    /// One that follows it at once.
    behind: Option<Writing>,
    /// Up to which entry the journal is durable, of those this turn wrote.
    durable: u64,
    out: Feeder<Event>,
}

/// A write that is on its way.
struct Writing {
    done: StoreFuture<'static, ()>,
    asked: Instant,
    /// Gives the lease back.
    last: bool,
    /// The last entry in it.
    position: Option<u64>,
    /// Documents or outputs are in it, which a tool may look for.
    makes: bool,
    /// So many of the events held back may be told once it is durable.
    then: usize,
}

impl JournalWriter {
    pub(super) fn new(store: Arc<dyn Store>, lease: Lease, out: Feeder<Event>) -> Self {
        let extended = Instant::now();
        let due = extended + lease.time / 3;
        Self {
            store,
            lease,
            alarm: Alarm::default(),
            due,
            extended,
            given_back: false,
            batch: Batch::default(),
            writing: None,
            behind: None,
            durable: 0,
            out,
        }
    }

    /// Tells the listener. What rests on something that is not durable yet waits for it, and what follows waits, too.
    pub(super) async fn tell(&mut self, event: Event) {
        self.gate_events();
        self.out.give(event).await;
    }

    /// From now on the listener gets nothing, if something before it is not durable yet, until that is.
    pub(super) fn gate_events(&mut self) {
        if self.is_writing() || !self.batch.is_empty() {
            self.out.hold();
        }
    }

    /// What was recorded and is not on its way yet.
    pub(super) fn batch(&self) -> &Batch {
        &self.batch
    }

    /// The same, to record more. What was told before needs not wait for that.
    pub(super) fn batch_mut(&mut self) -> &mut Batch {
        if let Some(writing) = self.writing.as_mut().filter(|_| self.batch.is_empty()) {
            writing.then = self.out.held();
        }
        &mut self.batch
    }

    /// Begins to write what was recorded, unless something is on its way: then that comes first.
    pub(super) fn start_write(&mut self) {
        if !self.is_writing() {
            self.writing = self.write();
        }
    }

    fn write(&mut self) -> Option<Writing> {
        if self.batch.is_empty() {
            return None;
        }
        fail_point!("turn::before_append");
        let batch = std::mem::take(&mut self.batch);
        let before = self.writing.as_ref().map_or(0, |writing| writing.then);
        let (asked, last, then) = (Instant::now(), batch.release, self.out.held() - before);
        let (position, makes) = (batch.records.last().map(|record| record.position), batch.makes());
        let done = self.store.append(&self.lease, batch);
        Some(Writing { done, asked, last, position, makes, then })
    }

    fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// Whether the entry at this position is durable.
    pub(super) fn has_stored(&self, position: u64) -> bool {
        position <= self.durable
    }

    /// Whether a tool that looks into the store finds all documents and outputs of those before it.
    pub(super) fn all_made_is_stored(&self) -> bool {
        !self.batch.makes() && !self.writing.as_ref().is_some_and(|writing| writing.makes)
    }

    /// Waits until all that was recorded is durable, and tells what waited for that.
    pub(super) async fn flush(&mut self) -> Result<(), StoreError> {
        self.start_write();
        // There is nothing to do but to wait, so nothing more can come.
        self.behind = self.write();
        poll_fn(|context| self.poll_written(context)).await
    }

    /// Ready when nothing is on its way any more. What waited for a write is told, and what was recorded meanwhile is
    /// written next.
    fn poll_written(&mut self, context: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        while let Some(writing) = &mut self.writing {
            let done = ready!(writing.done.as_mut().poll(context));
            let Writing { asked, last, position, then, .. } = *writing;
            self.writing = None;
            // The store refuses what was to follow a write that failed.
            let behind = self.behind.take();
            if let Err(error) = done {
                return Poll::Ready(Err(error));
            }
            self.writing = behind;
            fail_point!("turn::after_append");
            self.given_back = last;
            self.durable = position.unwrap_or(self.durable);
            self.put_off(asked);
            self.out.let_go(then);
            self.start_write();
        }
        self.out.let_all_go();
        Poll::Ready(Ok(()))
    }

    /// The lease was extended by something asked at this moment. The answer may be old: a process can be stopped while
    /// it waits for one, for longer than the lease.
    fn put_off(&mut self, asked: Instant) {
        // A write that was tried again and again may have been asked for before the lease was last extended.
        self.extended = self.extended.max(asked);
        self.due = self.extended + self.lease.time / 3;
    }

    /// Gives the lease back after an error. Another process may hold the session by now; if not, it need not wait for our
    /// lease to run out. A write that is still on its way is not waited for, so that it holds nothing this waits for.
    pub(super) async fn give_up(&mut self) {
        (self.writing, self.behind) = (None, None);
        self.given_back = self.store.release(&self.lease).await.is_ok();
    }

    /// Waits for `work` and keeps the lease alive meanwhile, and what was posted is written. Ends with an error only when
    /// the lease is lost, or a write failed.
    ///
    /// The lease comes before the work at every step: a process that was stopped for a while must learn that another one
    /// took over before it does anything to the world.
    pub(super) async fn under_lease<T>(&mut self, work: impl Future<Output = T>) -> Result<T, StoreError> {
        let mut work = pin!(work);
        loop {
            if let Some(done) = self.wait_under_lease(None, work.as_mut()).await? {
                return Ok(done);
            }
        }
    }

    /// Waits for `work` that changes nothing but what we are told, not longer than until the `end`: then nothing is
    /// done. The lease is looked at only while there is nothing to hear.
    pub(super) async fn under_lease_until<T>(
        &mut self,
        end: Instant,
        work: impl Future<Output = T> + Unpin,
    ) -> Result<Option<T>, StoreError> {
        self.wait_under_lease(Some(end), work).await
    }

    async fn wait_under_lease<T>(
        &mut self,
        end: Option<Instant>,
        mut work: impl Future<Output = T> + Unpin,
    ) -> Result<Option<T>, StoreError> {
        loop {
            let waited = poll_fn(|context| {
                if self.is_writing()
                    && let Poll::Ready(Err(error)) = self.poll_written(context)
                {
                    return Poll::Ready(Err(error));
                }
                let due = self.due;
                if end.is_none() && Instant::now() >= due {
                    return Poll::Ready(Ok(Waited::Due));
                }
                if let Poll::Ready(done) = Pin::new(&mut work).poll(context) {
                    return Poll::Ready(Ok(Waited::Done(done)));
                }
                match end.filter(|end| *end <= due) {
                    Some(end) => self.alarm.poll(end, context).map(|()| Ok(Waited::Over)),
                    None => self.alarm.poll(due, context).map(|()| Ok(Waited::Due)),
                }
            });
            match waited.await? {
                Waited::Done(done) => return Ok(Some(done)),
                Waited::Over => return Ok(None),
                Waited::Due => {}
            }
            let asked = Instant::now();
            match self.renew().await? {
                Ok(()) => self.put_off(asked),
                Err(lost @ StoreError::LeaseLost { .. }) => return Err(lost),
                // A database that is away for a moment is no reason to stop; once the lease has run out, it is.
                Err(error) if self.extended.elapsed() >= self.lease.time => return Err(error),
                Err(_) => self.due = Instant::now() + self.lease.time / 10,
            }
        }
    }

    /// Extends the lease. A write goes on meanwhile, for it may hold the very connection that this waits for; it fails
    /// by the outer error.
    async fn renew(&mut self) -> Result<Result<(), StoreError>, StoreError> {
        let (store, lease) = (Arc::clone(&self.store), self.lease.clone());
        let mut renewing = store.renew(&lease);
        poll_fn(|context| {
            if self.is_writing()
                && let Poll::Ready(Err(error)) = self.poll_written(context)
            {
                return Poll::Ready(Err(error));
            }
            renewing.as_mut().poll(context).map(Ok)
        })
        .await
    }
}

/// Why a wait is over.
enum Waited<T> {
    /// The work is done.
    Done(T),
    /// Its time is over.
    Over,
    /// The lease must be extended first.
    Due,
}

impl Drop for JournalWriter {
    /// A turn that is dropped in the middle, such as when a browser goes away, does not keep its session busy.
    fn drop(&mut self) {
        if !self.given_back {
            self.store.abandon(self.lease.clone());
        }
    }
}
