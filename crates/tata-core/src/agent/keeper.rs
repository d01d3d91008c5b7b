//! Holds a session's lease while a turn works, and writes its journal.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
};

use fail::fail_point;
use tokio::time::Instant;

use crate::{Alarm, Batch, Event, Feeder, Lease, Store, StoreError, StoreFuture};

/// Holds a session's lease and keeps it alive while something else takes time.
pub(super) struct Keeper {
    pub(super) store: Arc<dyn Store>,
    pub(super) lease: Lease,
    alarm: Alarm,
    /// When the lease must be extended.
    due: Instant,
    /// When the lease was last extended for certain.
    extended: Instant,
    given_back: bool,
    /// What was recorded, for the next write.
    pub(super) batch: Batch,
    /// What may be told once that is durable.
    untold: VecDeque<Event>,
    writing: Option<Writing>,
    out: Feeder<Event>,
}

/// A write that is on its way.
struct Writing {
    done: StoreFuture<'static, ()>,
    asked: Instant,
    /// Gives the lease back.
    last: bool,
    /// What may be told once it is durable.
    then: VecDeque<Event>,
}

impl Keeper {
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
            untold: VecDeque::new(),
            writing: None,
            out,
        }
    }

    /// Tells the listener. What rests on something that is not durable yet waits for it, and what follows waits, too.
    pub(super) async fn tell(&mut self, event: Event) {
        if self.batch.is_empty() && self.untold.is_empty() && !self.is_writing() {
            self.out.give(event).await;
        } else {
            self.untold.push_back(event);
        }
    }

    /// Begins to write what was recorded, unless something is on its way: then that comes first.
    pub(super) fn post(&mut self) {
        if !self.is_writing() && !self.batch.is_empty() {
            fail_point!("turn::before_append");
            let (batch, then) = (std::mem::take(&mut self.batch), std::mem::take(&mut self.untold));
            let (asked, last) = (Instant::now(), batch.release);
            let done = self.store.append(&self.lease, batch);
            self.writing = Some(Writing { done, asked, last, then });
        }
    }

    pub(super) fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// Waits until all that was recorded is durable, and tells what waited for that. `meanwhile` may make headway, too.
    pub(super) async fn flush_while(
        &mut self,
        mut meanwhile: impl FnMut(&mut Context<'_>),
    ) -> Result<(), StoreError> {
        self.post();
        while self.is_writing() {
            let written = poll_fn(|context| {
                let written = self.poll_written(context);
                if written.is_pending() {
                    meanwhile(context);
                }
                written
            });
            let then = written.await?;
            self.follow(then).await;
        }
        self.out.give_all(&mut self.untold).await;
        Ok(())
    }

    /// A write is durable: tells what waited for it, and begins the next.
    async fn follow(&mut self, mut then: VecDeque<Event>) {
        self.out.give_all(&mut then).await;
        self.post();
        if !self.is_writing() {
            self.out.give_all(&mut self.untold).await;
        }
    }

    fn poll_written(&mut self, context: &mut Context<'_>) -> Poll<Result<VecDeque<Event>, StoreError>> {
        let Some(writing) = &mut self.writing else { return Poll::Ready(Ok(VecDeque::new())) };
        let done = ready!(writing.done.as_mut().poll(context));
        let (asked, last, then) = (writing.asked, writing.last, std::mem::take(&mut writing.then));
        self.writing = None;
        Poll::Ready(done.map(|()| {
            fail_point!("turn::after_append");
            self.given_back = last;
            self.put_off(asked);
            then
        }))
    }

    /// The lease was extended by something asked at this moment. The answer may be old: a process can be stopped while
    /// it waits for one, for longer than the lease.
    fn put_off(&mut self, asked: Instant) {
        self.extended = asked;
        self.due = asked + self.lease.time / 3;
    }

    /// Waits for `work` and keeps the lease alive meanwhile, and what was posted is written. Ends with an error only when
    /// the lease is lost, or a write failed.
    ///
    /// The lease comes before the work at every step: a process that was stopped for a while must learn that another one
    /// took over before it does anything to the world.
    pub(super) async fn keep<T>(&mut self, work: impl Future<Output = T>) -> Result<T, StoreError> {
        let mut work = pin!(work);
        loop {
            if let Some(done) = self.hold(None, work.as_mut()).await? {
                return Ok(done);
            }
        }
    }

    /// Waits for `work` that changes nothing but what we are told, not longer than until the `end`: then nothing is
    /// done. The lease is looked at only while there is nothing to hear.
    pub(super) async fn keep_until<T>(
        &mut self,
        end: Instant,
        work: impl Future<Output = T> + Unpin,
    ) -> Result<Option<T>, StoreError> {
        self.hold(Some(end), work).await
    }

    async fn hold<T>(
        &mut self,
        end: Option<Instant>,
        mut work: impl Future<Output = T> + Unpin,
    ) -> Result<Option<T>, StoreError> {
        loop {
            let due = self.due;
            let kept = poll_fn(|context| {
                if self.is_writing()
                    && let Poll::Ready(written) = self.poll_written(context)
                {
                    return Poll::Ready(Kept::Written(written));
                }
                let alarm = &mut self.alarm;
                if end.is_none() && Instant::now() >= due {
                    return Poll::Ready(Kept::Due);
                }
                match Pin::new(&mut work).poll(context) {
                    Poll::Ready(done) => Poll::Ready(Kept::Done(done)),
                    Poll::Pending => match end.filter(|end| *end <= due) {
                        Some(end) => alarm.poll(end, context).map(|()| Kept::Over),
                        None => alarm.poll(due, context).map(|()| Kept::Due),
                    },
                }
            });
            match kept.await {
                Kept::Done(done) => return Ok(Some(done)),
                Kept::Over => return Ok(None),
                Kept::Written(then) => {
                    self.follow(then?).await;
                    continue;
                }
                Kept::Due => {}
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
        let mut written = None;
        let renewed = poll_fn(|context| {
            if self.is_writing()
                && let Poll::Ready(done) = self.poll_written(context)
            {
                written = Some(done);
            }
            renewing.as_mut().poll(context)
        });
        let renewed = renewed.await;
        if let Some(then) = written.transpose()? {
            self.follow(then).await;
        }
        Ok(renewed)
    }
}

/// Why a wait is over.
enum Kept<T> {
    /// The work is done.
    Done(T),
    /// Its time is over.
    Over,
    /// The lease must be extended first.
    Due,
    /// What was being written is durable, or could not be written.
    Written(Result<VecDeque<Event>, StoreError>),
}

impl Drop for Keeper {
    /// A turn that is dropped in the middle, such as when a browser goes away, does not keep its session busy.
    fn drop(&mut self) {
        if !self.given_back {
            self.store.abandon(self.lease.clone());
        }
    }
}
