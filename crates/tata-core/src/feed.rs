//! A stream whose items come from one future: one task, no channel, no second thread.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use futures_util::Stream;

/// Items that may wait. A future that is faster than its listener pauses here, so memory stays bounded. Few, because
/// polling the future again is cheaper than a list that grows with every burst.
const MOST_WAITING: usize = 16;

/// What is taken from a stream before others get their turn.
const MOST_AT_ONCE: usize = 256;

/// What a future gives while it runs. Dropping it stops the future where it stands.
pub struct Feed<T> {
    source: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    waiting: Arc<Mutex<VecDeque<T>>>,
    /// Taken from the shared list all at once: one lock for a burst.
    taken: VecDeque<T>,
}

/// Where a future puts what it gives.
pub struct Feeder<T> {
    waiting: Arc<Mutex<VecDeque<T>>>,
}

impl<T> Clone for Feeder<T> {
    fn clone(&self) -> Self {
        Self { waiting: Arc::clone(&self.waiting) }
    }
}

impl<T: Send + 'static> Feed<T> {
    /// A stream fed by the future that `source` makes.
    pub fn of<F>(source: impl FnOnce(Feeder<T>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let waiting = Arc::new(Mutex::new(VecDeque::new()));
        let feeder = Feeder { waiting: Arc::clone(&waiting) };
        Self { source: Some(Box::pin(source(feeder))), waiting, taken: VecDeque::new() }
    }
}

impl<T: Unpin> Stream for Feed<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        if let Some(item) = self.taken.pop_front() {
            return Poll::Ready(Some(item));
        }
        let Some(source) = &mut self.source else { return Poll::Ready(None) };
        let done = source.as_mut().poll(context).is_ready();
        if done {
            self.source = None;
        }
        let this = &mut *self;
        std::mem::swap(&mut this.taken, &mut *this.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        match self.taken.pop_front() {
            Some(item) => Poll::Ready(Some(item)),
            None if done => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

impl<T> Feeder<T> {
    /// Gives an item. Waits while the listener is far behind; the item is given even if nobody waits for the waiting.
    pub async fn give(&self, item: T) {
        if !self.offer(item) {
            self.room().await;
        }
    }

    /// Gives all of them, in order. Waits while the listener is far behind.
    pub async fn give_all(&self, items: &mut VecDeque<T>) {
        poll_fn(|_| {
            let mut waiting = self.waiting();
            if waiting.is_empty() {
                // The usual case, whatever their number: they are in memory already. The lists go round between both
                // sides, so none has to grow again.
                std::mem::swap(&mut *waiting, items);
            } else {
                let room = MOST_WAITING.saturating_sub(waiting.len()).min(items.len());
                waiting.extend(items.drain(..room));
            }
            if items.is_empty() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Gives what `into` makes of each thing that a stream brings, until it makes an end of one; nothing at the end of the
    /// stream. Waits while the listener is far behind.
    pub async fn pass<S: Stream + Unpin, E>(
        &self,
        stream: &mut S,
        mut into: impl FnMut(S::Item) -> Result<Option<T>, E>,
    ) -> Option<E> {
        poll_fn(|context| {
            // One lock for all that is there already. The stream knows nothing of this list.
            let mut waiting = self.waiting();
            for _ in 0..MOST_AT_ONCE {
                if waiting.len() >= MOST_WAITING {
                    return Poll::Pending;
                }
                match ready!(Pin::new(&mut *stream).poll_next(context)).map(&mut into) {
                    Some(Ok(Some(item))) => push(&mut waiting, item),
                    Some(Ok(None)) => {}
                    Some(Err(end)) => return Poll::Ready(Some(end)),
                    None => return Poll::Ready(None),
                }
            }
            // A stream that never pauses does not keep others from their turn.
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await
    }

    /// Gives an item and says whether there is room for another.
    fn offer(&self, item: T) -> bool {
        let mut waiting = self.waiting();
        push(&mut waiting, item);
        waiting.len() < MOST_WAITING
    }

    /// Waits until the listener has taken what was given. No waker is needed here and above: the stream polls its source
    /// again whenever it has handed out what waits.
    async fn room(&self) {
        poll_fn(|_| if self.waiting().len() < MOST_WAITING { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn push<T>(waiting: &mut VecDeque<T>, item: T) {
    if waiting.is_empty() {
        // Once for each of the two lists: neither grows step by step.
        waiting.reserve(MOST_WAITING);
    }
    waiting.push_back(item);
}
