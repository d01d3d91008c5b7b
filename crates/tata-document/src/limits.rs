//! What a file may cost. Everything that stops a hostile one is here.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::{ReadError, error::Limit};

/// The most that one file may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Bytes of what is packed inside it, unpacked.
    pub unpacked: usize,
    /// Files in an archive, pages, rows or blocks, whatever the format counts.
    pub entries: usize,
    /// Bytes of text that come out of it.
    pub text: usize,
    /// How deep its elements are nested.
    pub depth: usize,
    /// The time to read it.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 32 * 1024 * 1024,
            unpacked: 256 * 1024 * 1024,
            entries: 100_000,
            text: 32 * 1024 * 1024,
            depth: 256,
            // With the time to wait for a place and to stop the reader, an answer comes within six seconds.
            time: Duration::from_secs(4),
        }
    }
}

/// The limits of one reading, with its clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) limits: Limits,
    until: Instant,
}

impl Guard {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, until: Instant::now() + limits.time }
    }

    /// Whether there is time left. Readers ask between two pieces of work.
    pub(crate) fn time(&self) -> Result<(), ReadError> {
        if Instant::now() > self.until {
            return Err(ReadError::TooSlow { limit: self.limits.time });
        }
        Ok(())
    }

    pub(crate) fn bytes(&self, found: usize) -> Result<(), ReadError> {
        Self::within(Limit::Bytes, found, self.limits.bytes)
    }

    pub(crate) fn unpacked(&self, found: usize) -> Result<(), ReadError> {
        Self::within(Limit::Unpacked, found, self.limits.unpacked)
    }

    pub(crate) fn entries(&self, found: usize) -> Result<(), ReadError> {
        Self::within(Limit::Entries, found, self.limits.entries)
    }

    pub(crate) fn text(&self, found: usize) -> Result<(), ReadError> {
        Self::within(Limit::Text, found, self.limits.text)
    }

    pub(crate) fn depth(&self, found: usize) -> Result<(), ReadError> {
        Self::within(Limit::Depth, found, self.limits.depth)
    }

    /// Whether there is not more than so many.
    pub(crate) fn within(limit: Limit, found: usize, most: usize) -> Result<(), ReadError> {
        if found > most { Err(ReadError::TooMuch { limit, found, most }) } else { Ok(()) }
    }
}
