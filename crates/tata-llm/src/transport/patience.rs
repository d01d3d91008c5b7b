//! How long an answer is waited for, and which limit it was when it does not come.
//!
//! The headers of a good answer are its first byte: from then on `idle` holds, however long the server thinks before it
//! says something. Some send headers at once and read the prompt after that, others the other way round.
//!
//! A server on this machine or in its network may run on a plain CPU, which reads a long request for minutes before it
//! writes the first word. For such a one the wait grows with the request; a provider in the cloud gets no such time.

use std::time::Duration;

use tata_core::{ModelError, ModelErrorKind, Phase};

use super::Timeouts;

/// A request up to this size makes nobody wait, in bytes.
const SHORT: usize = 8 * 1024;
/// What a slow machine reads in a second, in bytes: about sixty tokens.
const READ_IN_A_SECOND: u32 = 250;

/// The limits of one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    timeouts: Timeouts,
    /// What the server may take to read the request.
    reading: Duration,
}

/// What was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Awaited {
    /// The headers.
    Headers,
    /// The first byte after them.
    Body,
    /// A further byte.
    More,
    /// All of it.
    All,
}

impl Patience {
    /// For a request of so many bytes to a server that is near, or not.
    pub(super) fn new(timeouts: Timeouts, near: bool, bytes: usize) -> Self {
        let long = u32::try_from(bytes.saturating_sub(SHORT)).unwrap_or(u32::MAX);
        let reading =
            if near { Duration::from_secs(u64::from(long / READ_IN_A_SECOND)) } else { Duration::ZERO };
        Self { timeouts, reading }
    }

    /// How long it is waited for.
    pub(super) fn limit(&self, awaited: Awaited) -> Duration {
        match awaited {
            Awaited::Headers => self.timeouts.first_byte.saturating_add(self.reading),
            Awaited::Body => self.timeouts.idle.saturating_add(self.reading),
            Awaited::More => self.timeouts.idle,
            Awaited::All => self.timeouts.total,
        }
    }

    /// It did not come in time: which limit that was, as it was.
    pub(super) fn ran_out(&self, awaited: Awaited) -> ModelError {
        let (phase, what, name) = match awaited {
            Awaited::Headers => {
                (Phase::FirstByte, "no first byte of the answer", "`first_byte`, or --timeout")
            }
            Awaited::Body => (Phase::Idle, "the answer began, but no byte of its body came", "`idle`"),
            Awaited::More => (Phase::Idle, "no further byte of the answer", "`idle`"),
            Awaited::All => (Phase::Total, "no complete answer", "`total`"),
        };
        let grown = match awaited {
            Awaited::Headers | Awaited::Body if !self.reading.is_zero() => {
                format!(", {} s of it because the request is long", self.reading.as_secs())
            }
            Awaited::Headers | Awaited::Body | Awaited::More | Awaited::All => String::new(),
        };
        let seconds = self.limit(awaited).as_secs_f64();
        ModelError::new(ModelErrorKind::TimedOut(phase))
            .with_detail(format!("{what} within {seconds:.1} s (the limit {name}{grown})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_machine_nearby_gets_time_to_read_a_long_request() {
        let seconds =
            |near, bytes| Patience::new(Timeouts::default(), near, bytes).limit(Awaited::Headers).as_secs();
        assert_eq!((seconds(true, 2_000), seconds(false, 2_000)), (30, 30));
        assert_eq!(seconds(false, 67_000), 30, "no provider in the cloud");
        assert_eq!(seconds(true, 67_000), 30 + (67_000 - 8 * 1024) / 250);
    }

    #[test]
    fn the_limit_that_ran_out_is_named_with_its_own_seconds() {
        let timeouts = Timeouts {
            first_byte: Duration::from_secs(5),
            idle: Duration::from_secs(100),
            ..Timeouts::default()
        };
        let patience = Patience::new(timeouts, true, 10);
        let words = |awaited| patience.ran_out(awaited).detail.unwrap_or_default();
        assert!(words(Awaited::Headers).contains("5.0 s (the limit `first_byte`, or --timeout)"));
        assert!(words(Awaited::Body).contains("100.0 s (the limit `idle`)"));
        assert!(words(Awaited::All).contains("600.0 s (the limit `total`)"));
        let long = Patience::new(timeouts, true, SHORT + 250_000).ran_out(Awaited::Headers);
        assert!(
            long.detail.is_some_and(|words| words.contains("1005.0 s") && words.contains("1000 s of it"))
        );
    }
}
