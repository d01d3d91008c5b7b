//! Counters of how calls and results found each other.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use tata_core::CallIdCounts;

/// Counts since the start, shared by all models of a transport.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: AtomicU64,
    retries: AtomicU64,
    extracted: AtomicU64,
    failed: AtomicU64,
    fallbacks: AtomicU64,
    correlated: AtomicU64,
    uncorrelated: AtomicU64,
}

/// Counts of all transports of this process, for operators.
static PROCESS: Metrics = Metrics::new();

/// The counts at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Requests sent, repetitions included.
    pub requests: u64,
    /// Repetitions among them.
    pub retries: u64,
    /// Calls whose call id the provider gave.
    pub call_ids_extracted: u64,
    /// Calls without a usable call id.
    pub call_ids_failed: u64,
    /// Calls for which another id stood in.
    pub call_id_fallbacks: u64,
    /// Results sent that answer a call of the conversation.
    pub results_correlated: u64,
    /// Results whose call was not there; they were not sent.
    pub results_uncorrelated: u64,
}

impl Counts {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            retries: self.retries.saturating_add(other.retries),
            call_ids_extracted: self.call_ids_extracted.saturating_add(other.call_ids_extracted),
            call_ids_failed: self.call_ids_failed.saturating_add(other.call_ids_failed),
            call_id_fallbacks: self.call_id_fallbacks.saturating_add(other.call_id_fallbacks),
            results_correlated: self.results_correlated.saturating_add(other.results_correlated),
            results_uncorrelated: self.results_uncorrelated.saturating_add(other.results_uncorrelated),
        }
    }
}

impl Metrics {
    const fn new() -> Self {
        Self {
            requests: AtomicU64::new(0),
            retries: AtomicU64::new(0),
            extracted: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            fallbacks: AtomicU64::new(0),
            correlated: AtomicU64::new(0),
            uncorrelated: AtomicU64::new(0),
        }
    }

    /// The counts of all transports of this process.
    pub fn of_process() -> Counts {
        PROCESS.counts()
    }

    /// The counts now.
    pub fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            requests: read(&self.requests),
            retries: read(&self.retries),
            call_ids_extracted: read(&self.extracted),
            call_ids_failed: read(&self.failed),
            call_id_fallbacks: read(&self.fallbacks),
            results_correlated: read(&self.correlated),
            results_uncorrelated: read(&self.uncorrelated),
        }
    }

    pub(crate) fn count_request(&self, repeated: bool) {
        for counts in [self, &PROCESS] {
            counts.requests.fetch_add(1, Ordering::Relaxed);
            counts.retries.fetch_add(u64::from(repeated), Ordering::Relaxed);
        }
    }

    pub(crate) fn count_results(&self, correlated: u64, uncorrelated: u64) {
        for counts in [self, &PROCESS] {
            counts.correlated.fetch_add(correlated, Ordering::Relaxed);
            counts.uncorrelated.fetch_add(uncorrelated, Ordering::Relaxed);
        }
    }

    pub(crate) fn count_calls(&self, calls: CallIdCounts) {
        for counts in [self, &PROCESS] {
            counts.extracted.fetch_add(calls.extracted, Ordering::Relaxed);
            counts.failed.fetch_add(calls.failed, Ordering::Relaxed);
            counts.fallbacks.fetch_add(calls.fallbacks, Ordering::Relaxed);
        }
    }
}
