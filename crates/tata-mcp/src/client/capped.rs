//! A limit for one message of a program: whoever sends more without an end is not listened to any longer.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, ReadBuf};

/// The most bytes of one message. The SDK would skip a longer one and let its caller wait for ever; here the connection
/// ends, and everybody who waits is told.
pub(crate) const LARGEST_MESSAGE: usize = 16 * 1024 * 1024;

/// Tells afterwards whether the limit was reached.
#[derive(Clone, Default)]
pub(crate) struct Overflow(Arc<AtomicBool>);

impl Overflow {
    pub(crate) fn happened(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Reads lines of at most [`LARGEST_MESSAGE`] bytes.
pub(crate) struct Capped<R> {
    inner: R,
    line: usize,
    overflow: Overflow,
}

impl<R> Capped<R> {
    pub(crate) fn new(inner: R, overflow: Overflow) -> Self {
        Self { inner, line: 0, overflow }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Capped<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if matches!(read, Poll::Ready(Ok(()))) {
            let new = buffer.filled().get(before..).unwrap_or_default();
            // Only the piece after the last line end can grow beyond the limit: pieces are far smaller than it.
            self.line = match new.iter().rposition(|byte| *byte == b'\n') {
                Some(end) => new.len() - end - 1,
                None => self.line.saturating_add(new.len()),
            };
            if self.line > LARGEST_MESSAGE {
                self.overflow.0.store(true, Ordering::Relaxed);
                return Poll::Ready(Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "a message is too large",
                )));
            }
        }
        read
    }
}
