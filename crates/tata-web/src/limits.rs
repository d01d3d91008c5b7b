//! How often somebody may ask.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use tokio::time::Instant;

use crate::Problem;

/// Callers that are remembered; beyond it, those that have been quiet are forgotten.
const MOST_CALLERS: usize = 10_000;

/// Requests per caller: a bucket that fills at a steady rate.
pub(crate) struct Rates {
    per_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

impl Rates {
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        Self::slow(per_second.max(1).into(), burst)
    }

    /// The same with less than one a second.
    pub(crate) fn slow(per_second: f64, burst: u32) -> Self {
        Self { per_second, burst: burst.max(1).into(), buckets: Mutex::default() }
    }

    /// Takes one request from a caller's bucket.
    pub(crate) fn take(&self, caller: &str) -> Result<(), Problem> {
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_CALLERS && !buckets.contains_key(caller) {
            let full = |bucket: &Bucket| (now - bucket.at).as_secs_f64() * self.per_second >= self.burst;
            buckets.retain(|_, bucket| !full(bucket));
        }
        let bucket = buckets.entry(caller.to_owned()).or_insert(Bucket { left: self.burst, at: now });
        let gained = (now - bucket.at).as_secs_f64() * self.per_second;
        (bucket.left, bucket.at) = ((bucket.left + gained).min(self.burst), now);
        if bucket.left < 1.0 {
            let detail = format!(
                "At most {} requests a second are taken from one caller or company.",
                self.per_second
            );
            return Err(Problem::busy("too_many_requests", detail, 1));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bucket_fills_again_and_is_ones_own() {
        let rates = Rates::new(2, 3);
        assert_eq!((0..5).filter(|_| rates.take("anna").is_ok()).count(), 3);
        assert!(rates.take("bo").is_ok());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!((0..5).filter(|_| rates.take("anna").is_ok()).count(), 2);
    }
}
