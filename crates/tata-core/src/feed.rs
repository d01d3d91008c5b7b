//! A stream whose items come from one future: one task, no channel, no second thread.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker, ready},
};

use futures_util::{Stream, task::AtomicWaker};

/// Items that may wait. A future that is faster than its listener pauses here, so memory stays bounded. Few, because
/// polling the future again is cheaper than a list that grows with every burst.
const MOST_WAITING: usize = 16;

/// What is taken from a stream before others get their turn.
const MOST_AT_ONCE: usize = 256;

/// Items that a stream may bring while they are held back: more than the answer of a quick model has pieces.
const MOST_HELD: usize = 256;

/// What a future gives while it runs. Dropping it stops the future where it stands.
pub struct Feed<T> {
    source: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    shared: Arc<Shared<T>>,
    /// Wakes the source, and through it the listener.
    waker: Waker,
    /// Taken from the shared list all at once: one lock for a burst.
    taken: VecDeque<T>,
}

/// Where a future puts what it gives.
pub struct Feeder<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    waiting: Mutex<Waiting<T>>,
    /// The source can make headway. A listener asks again after every item, mostly while the source still waits for the
    /// same thing: it is left alone then.
    due: AtomicBool,
    listener: AtomicWaker,
}

struct Waiting<T> {
    /// The listener may take them.
    items: VecDeque<T>,
    /// These it may take later.
    held: VecDeque<T>,
    holds: bool,
}

impl<T> Clone for Feeder<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<T: Send + 'static> Wake for Shared<T> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.due.store(true, Ordering::Release);
        self.listener.wake();
    }
}

impl<T: Send + 'static> Feed<T> {
    /// A stream fed by the future that `source` makes.
    pub fn of<F>(source: impl FnOnce(Feeder<T>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let shared = Arc::new(Shared {
            waiting: Mutex::new(Waiting { items: VecDeque::new(), held: VecDeque::new(), holds: false }),
            due: AtomicBool::new(true),
            listener: AtomicWaker::new(),
        });
        let source = source(Feeder { shared: Arc::clone(&shared) });
        let waker = Waker::from(Arc::clone(&shared));
        Self { source: Some(Box::pin(source)), shared, waker, taken: VecDeque::new() }
    }
}

impl<T: Unpin> Stream for Feed<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        if let Some(item) = self.taken.pop_front() {
            return Poll::Ready(Some(item));
        }
        let Self { source, shared, waker, taken } = &mut *self;
        let Some(running) = source else { return Poll::Ready(None) };
        // First whom to wake, then whether that has come already: no wake is missed in between.
        shared.listener.register(context.waker());
        if !shared.due.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let done = running.as_mut().poll(&mut Context::from_waker(waker)).is_ready();
        if done {
            *source = None;
        }
        std::mem::swap(taken, &mut shared.waiting().items);
        match taken.pop_front() {
            Some(item) => Poll::Ready(Some(item)),
            None if done => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

impl<T> Shared<T> {
    fn waiting(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The source waits for room: it goes on as soon as the listener has taken what waits.
    fn pause<P>(&self) -> Poll<P> {
        self.due.store(true, Ordering::Release);
        Poll::Pending
    }
}

impl<T> Waiting<T> {
    fn push(&mut self, item: T) {
        let list = if self.holds { &mut self.held } else { &mut self.items };
        if list.is_empty() {
            // Once for each list: none grows step by step.
            list.reserve(MOST_WAITING);
        }
        list.push_back(item);
    }

    /// Whether a stream may bring more.
    fn has_room(&self) -> bool {
        if self.holds { self.held.len() < MOST_HELD } else { self.items.len() < MOST_WAITING }
    }

    fn let_go(&mut self, count: usize) {
        if self.items.is_empty() && count >= self.held.len() {
            // The usual case. The lists go round, so none has to grow again.
            std::mem::swap(&mut self.items, &mut self.held);
        } else {
            let count = count.min(self.held.len());
            self.items.extend(self.held.drain(..count));
        }
    }
}

impl<T> Feeder<T> {
    /// Gives an item. Waits while the listener is far behind; the item is given even if nobody waits for the waiting.
    pub async fn give(&self, item: T) {
        let full = || {
            let waiting = self.shared.waiting();
            !waiting.holds && waiting.items.len() >= MOST_WAITING
        };
        self.shared.waiting().push(item);
        poll_fn(|_| if full() { self.shared.pause() } else { Poll::Ready(()) }).await;
    }

    /// Gives all of them, in order. Waits while the listener is far behind.
    pub async fn give_all(&self, items: &mut VecDeque<T>) {
        poll_fn(|_| {
            let mut waiting = self.shared.waiting();
            if waiting.holds {
                waiting.held.append(items);
            } else if waiting.items.is_empty() {
                // The usual case, whatever their number: they are in memory already. The lists go round between both
                // sides, so none has to grow again.
                std::mem::swap(&mut waiting.items, items);
            } else {
                let room = MOST_WAITING.saturating_sub(waiting.items.len()).min(items.len());
                waiting.items.extend(items.drain(..room));
            }
            if items.is_empty() { Poll::Ready(()) } else { self.shared.pause() }
        })
        .await;
    }

    /// Gives what `into` makes of each thing that a stream brings, until it makes an end of one; nothing at the end of the
    /// stream. Waits while the listener is far behind, or much is held back: whoever lets that go polls this again.
    pub async fn pass<S: Stream + Unpin, E>(
        &self,
        stream: &mut S,
        mut into: impl FnMut(S::Item) -> Result<Option<T>, E>,
    ) -> Option<E> {
        poll_fn(|context| {
            // One lock for all that is there already. The stream knows nothing of this list.
            let mut waiting = self.shared.waiting();
            for _ in 0..MOST_AT_ONCE {
                if !waiting.has_room() {
                    return if waiting.holds { Poll::Pending } else { self.shared.pause() };
                }
                match ready!(Pin::new(&mut *stream).poll_next(context)).map(&mut into) {
                    Some(Ok(Some(item))) => waiting.push(item),
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

    /// From now on what is given is held back from the listener.
    pub fn hold(&self) {
        self.shared.waiting().holds = true;
    }

    /// How many items are held back.
    pub fn held(&self) -> usize {
        self.shared.waiting().held.len()
    }

    /// Lets the listener have so many of the items held back, the first ones.
    pub fn let_go(&self, count: usize) {
        self.shared.waiting().let_go(count);
    }

    /// Lets the listener have all that was held back, and holds nothing more.
    pub fn let_all_go(&self) {
        let mut waiting = self.shared.waiting();
        waiting.let_go(usize::MAX);
        waiting.holds = false;
    }

    /// Forgets what was held back, and holds nothing more.
    pub fn forget_held(&self) {
        let mut waiting = self.shared.waiting();
        waiting.held.clear();
        waiting.holds = false;
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use futures_util::{FutureExt, StreamExt};
    use tokio::sync::oneshot;

    use super::*;

    /// A feed that gives one thing, waits to be told, and gives another; how often it looked whether it was told; and how
    /// to tell it.
    fn two_steps() -> (Feed<u32>, Arc<AtomicUsize>, oneshot::Sender<()>) {
        let (tell, mut told) = oneshot::channel::<()>();
        let looks = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&looks);
        let feed = Feed::of(|out| async move {
            out.give(1).await;
            let told = poll_fn(|context| {
                counted.fetch_add(1, Ordering::Relaxed);
                told.poll_unpin(context)
            });
            told.await.unwrap();
            out.give(2).await;
        });
        (feed, looks, tell)
    }

    #[tokio::test]
    async fn a_source_that_waits_is_left_alone() {
        let (mut feed, looks, tell) = two_steps();
        assert_eq!(feed.next().await, Some(1));
        for _ in 0..3 {
            assert_eq!(feed.next().now_or_never(), None);
        }
        assert_eq!(looks.load(Ordering::Relaxed), 1);
        tell.send(()).unwrap();
        assert_eq!(feed.next().await, Some(2));
        assert_eq!(looks.load(Ordering::Relaxed), 2);
        assert_eq!((feed.next().await, feed.next().await), (None, None));
    }

    /// Whoever asked last is woken, also when the source was told while nobody asked.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_source_that_can_go_on_wakes_its_listener() {
        for round in 0..200 {
            let (mut feed, _, tell) = two_steps();
            assert_eq!(feed.next().await, Some(1));
            // Another asks first, and goes away.
            assert_eq!(feed.next().now_or_never(), None);
            let listener = tokio::spawn(async move {
                if round % 2 == 0 {
                    tokio::task::yield_now().await;
                }
                feed.next().await
            });
            let told = std::thread::spawn(move || tell.send(()));
            let heard = tokio::time::timeout(Duration::from_mins(1), listener).await;
            assert_eq!(heard.expect("the listener is woken").unwrap(), Some(2));
            told.join().unwrap().unwrap();
        }
    }

    /// However it gives, a source that pauses for room goes on, and nothing is lost or out of order.
    #[tokio::test]
    async fn a_fast_source_waits_for_its_listener() {
        let feed = Feed::of(|out| async move {
            for item in 0..100 {
                out.give(item).await;
            }
            out.give_all(&mut (100..200).collect()).await;
            let mut stream = futures_util::stream::iter(200..1000);
            out.pass(&mut stream, |item| Ok::<_, ()>(Some(item))).await;
        });
        let waiting = Arc::clone(&feed.shared);
        let heard =
            feed.inspect(|_| assert!(waiting.waiting().items.len() <= 100)).collect::<Vec<i32>>().await;
        assert!(heard.into_iter().eq(0..1000));
    }

    /// What is held back is seen in order, when it is let go and not before, and not much of it gathers.
    #[tokio::test]
    async fn what_is_held_back_is_seen_later() {
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel::<()>();
        let mut feed = Feed::of(|out| async move {
            out.give(0).await;
            out.hold();
            out.give(1).await;
            out.give_all(&mut (2..4).collect()).await;
            told.recv().await;
            out.let_go(2);
            told.recv().await;
            let mut stream = futures_util::stream::iter(4..1000);
            let mut passing = std::pin::pin!(out.pass(&mut stream, |item| Ok::<_, ()>(Some(item))));
            assert_eq!(passing.as_mut().now_or_never(), None);
            assert_eq!(out.held(), MOST_HELD);
            out.let_all_go();
            passing.await;
            out.hold();
            out.give(-1).await;
            out.forget_held();
            out.give(1000).await;
        });
        assert_eq!(feed.next().await, Some(0));
        assert_eq!(feed.next().now_or_never(), None);
        tell.send(()).unwrap();
        assert_eq!((feed.next().await, feed.next().await), (Some(1), Some(2)));
        assert_eq!(feed.next().now_or_never(), None);
        tell.send(()).unwrap();
        assert!(feed.collect::<Vec<i32>>().await.into_iter().eq(3..=1000));
    }
}
