//! A request's body on its way in: counted as it comes, within the limit of its route, the time it has, and what all bodies
//! may take together.

use std::{
    collections::HashMap,
    error::Error as StdError,
    fmt,
    hash::{BuildHasher, Hash, RandomState},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, HttpBody},
    http::StatusCode,
};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::Problem;

/// How many bytes of bodies may be held at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// By one person, or from one place.
    pub(crate) of_one: usize,
    /// By all.
    pub(crate) of_all: usize,
}

/// The bytes of bodies that are held now.
pub(crate) struct Bodies {
    most: Most,
    hasher: RandomState,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    all: usize,
    /// Those that hold some; whoever holds nothing has no row.
    each: HashMap<u64, usize>,
}

/// What one request holds. It is given back when the request is answered.
pub(crate) struct Charge {
    bodies: Arc<Bodies>,
    who: u64,
    bytes: Mutex<usize>,
    refused: OnceLock<Problem>,
}

impl Bodies {
    pub(crate) fn new(most: Most) -> Self {
        Self { most, hasher: RandomState::new(), held: Mutex::default() }
    }

    /// Begins to count a request.
    pub(crate) fn open(self: &Arc<Self>, who: impl Hash) -> Arc<Charge> {
        let who = self.hasher.hash_one(who);
        Arc::new(Charge { bodies: Arc::clone(self), who, bytes: Mutex::default(), refused: OnceLock::new() })
    }

    /// The bytes that are held now.
    #[cfg(test)]
    fn held_now(&self) -> usize {
        self.held().all
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Charge {
    /// Holds so many more, if they fit.
    fn add(&self, bytes: usize) -> Result<(), Problem> {
        let most = self.bodies.most;
        let mut held = self.bodies.held();
        let own = held.each.get(&self.who).copied().unwrap_or_default() + bytes;
        if own > most.of_one || held.all + bytes > most.of_all {
            let detail = "What is being sent to this server at once takes more room than there is. Send less at \
                          once, and try again in a moment.";
            return Err(Problem::busy("too_many_bytes", detail, 2));
        }
        held.all += bytes;
        held.each.insert(self.who, own);
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) += bytes;
        Ok(())
    }

    /// Why the body was not read to its end, if that is so.
    pub(crate) fn refused(&self) -> Option<Problem> {
        self.refused.get().cloned()
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        let bytes = *self.bytes.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut held = self.bodies.held();
        held.all = held.all.saturating_sub(bytes);
        if let Some(own) = held.each.get_mut(&self.who) {
            *own = own.saturating_sub(bytes);
            if *own == 0 {
                held.each.remove(&self.who);
            }
        }
    }
}

/// What a route takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// The most bytes.
    pub(crate) bytes: usize,
    /// How long they may take.
    pub(crate) time: Duration,
}

impl Allowed {
    /// A problem for a body that says it is larger than is allowed.
    pub(crate) fn check(self, announced: Option<u64>) -> Result<(), Problem> {
        let larger = announced.is_some_and(|bytes| bytes > self.bytes as u64);
        if larger { Err(crate::input::too_large(self.bytes)) } else { Ok(()) }
    }
}

/// Takes what came of a piece: a further count that may refuse it.
pub(crate) type Count = Box<dyn Fn(usize) -> Result<(), Problem> + Send + Sync>;

/// A body that is counted while it is read.
pub(crate) struct Counted {
    inner: Body,
    charge: Arc<Charge>,
    allowed: Allowed,
    also: Option<Count>,
    read: usize,
    deadline: Pin<Box<Sleep>>,
}

impl Counted {
    pub(crate) fn new(inner: Body, charge: Arc<Charge>, allowed: Allowed, also: Option<Count>) -> Self {
        let deadline = Box::pin(sleep(allowed.time));
        Self { inner, charge, allowed, also, read: 0, deadline }
    }

    fn take(&mut self, bytes: usize) -> Result<(), Problem> {
        self.read = self.read.saturating_add(bytes);
        if self.read > self.allowed.bytes {
            return Err(crate::input::too_large(self.allowed.bytes));
        }
        self.charge.add(bytes)?;
        self.also.as_ref().map_or(Ok(()), |also| also(bytes))
    }

    fn refuse(&self, problem: Problem) -> axum::Error {
        let _the_first_counts = self.charge.refused.set(problem);
        axum::Error::new(Refused)
    }
}

/// Why a body ended: the door has the words.
#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the body was not read to its end")
    }
}

impl StdError for Refused {}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        let Poll::Ready(frame) = polled else {
            if self.deadline.as_mut().poll(context).is_ready() {
                let seconds = self.allowed.time.as_secs();
                let detail = format!("The body did not arrive within {seconds} seconds.");
                let slow = Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail);
                return Poll::Ready(Some(Err(self.refuse(slow))));
            }
            return Poll::Pending;
        };
        let bytes = match &frame {
            Some(Ok(frame)) => frame.data_ref().map_or(0, Bytes::len),
            Some(Err(_)) | None => 0,
        };
        match self.take(bytes) {
            Ok(()) => Poll::Ready(frame),
            Err(problem) => Poll::Ready(Some(Err(self.refuse(problem)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// A body of an answer that holds something until it has been sent or given up.
pub(crate) struct Holding<T> {
    inner: Body,
    _held: T,
}

impl<T: Send + Unpin + 'static> Holding<T> {
    pub(crate) fn wrap(inner: Body, held: T) -> Body {
        Body::new(Self { inner, _held: held })
    }
}

impl<T: Unpin> HttpBody for Holding<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use futures_util::stream;

    use super::*;

    const MOST: Most = Most { of_one: 100, of_all: 150 };

    fn body(pieces: usize, bytes: usize) -> Body {
        let piece = move |_| Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; bytes]));
        Body::from_stream(stream::iter((0..pieces).map(piece)))
    }

    async fn read(charge: &Arc<Charge>, body: Body, most: usize) -> Option<&'static str> {
        let allowed = Allowed { bytes: most, time: Duration::from_secs(30) };
        let counted = Counted::new(body, Arc::clone(charge), allowed, None);
        match to_bytes(Body::new(counted), usize::MAX).await {
            Ok(_) => None,
            Err(_) => Some(charge.refused().unwrap().code),
        }
    }

    #[tokio::test]
    async fn what_is_held_is_counted_for_each_and_for_all_and_given_back() {
        let bodies = Arc::new(Bodies::new(MOST));
        let (anna, again, bo) = (bodies.open("anna"), bodies.open("anna"), bodies.open("bo"));
        assert_eq!(read(&anna, body(6, 10), 1000).await, None);
        assert_eq!(read(&again, body(5, 10), 1000).await, Some("too_many_bytes"));
        assert_eq!(bodies.held_now(), 100, "what came before it was refused is held until it is answered");
        drop(again);
        assert_eq!(bodies.held_now(), 60);
        assert_eq!(read(&bo, body(10, 10), 1000).await, Some("too_many_bytes"), "all together");
        drop((anna, bo));
        assert_eq!((bodies.held_now(), bodies.held().each.len()), (0, 0));
    }

    #[tokio::test]
    async fn a_body_without_a_length_is_cut_off_at_the_limit_of_its_route() {
        let bodies = Arc::new(Bodies::new(Most { of_one: 1_000_000, of_all: 1_000_000 }));
        let charge = bodies.open("anna");
        assert_eq!(read(&charge, body(1_000, 10), 45).await, Some("body_too_large"));
        assert_eq!(bodies.held_now(), 40, "no byte beyond the limit is kept");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_comes_ends() {
        let bodies = Arc::new(Bodies::new(MOST));
        let charge = bodies.open("anna");
        let never = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        assert_eq!(read(&charge, never, 45).await, Some("body_too_slow"));
    }
}
