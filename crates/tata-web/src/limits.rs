//! How often somebody may ask, and how much they may bring: buckets that fill at a steady rate.
//!
//! Who is counted is known by a keyed hash of fixed size: what a stranger calls themselves takes no more room than anything
//! else, and a table has as many rows as it may have, whoever asks.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::{BuildHasher, Hash},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// Rows of a table; beyond it, those go first that have used the least.
const MOST_ROWS: usize = 10_000;

/// A bucket for each of those who are counted.
pub(crate) struct Rates {
    per_second: f64,
    burst: f64,
    hasher: RandomState,
    buckets: Mutex<HashMap<u64, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

/// A bucket has too little left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Empty {
    /// When there will be enough.
    pub(crate) wait: Duration,
}

impl Empty {
    /// The same in whole seconds, at least one.
    pub(crate) fn seconds(self) -> u64 {
        u64::try_from(self.wait.as_millis().div_ceil(1000)).unwrap_or(u64::MAX).max(1)
    }
}

impl Rates {
    /// So many a second, and so many at once.
    pub(crate) fn new(per_second: f64, burst: f64) -> Self {
        let (hasher, buckets) = (RandomState::new(), Mutex::default());
        Self { per_second: per_second.max(1e-9), burst: burst.max(1.0), hasher, buckets }
    }

    /// Takes one from the bucket of whoever this is.
    pub(crate) fn take(&self, who: impl Hash) -> Result<(), Empty> {
        self.take_many(who, 1.0)
    }

    /// Takes so many, or nothing.
    pub(crate) fn take_many(&self, who: impl Hash, amount: f64) -> Result<(), Empty> {
        let (who, now) = (self.hasher.hash_one(who), Instant::now());
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ROWS && !buckets.contains_key(&who) {
            self.sweep(&mut buckets, now);
        }
        let bucket = buckets.entry(who).or_insert(Bucket { left: self.burst, at: now });
        (bucket.left, bucket.at) = (self.left(bucket, now), now);
        if bucket.left < amount {
            let wait = (amount - bucket.left) / self.per_second;
            return Err(Empty { wait: Duration::try_from_secs_f64(wait).unwrap_or(Duration::MAX) });
        }
        bucket.left -= amount;
        Ok(())
    }

    /// Gives back what was taken.
    pub(crate) fn give_back(&self, who: impl Hash, amount: f64) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get_mut(&self.hasher.hash_one(who)) {
            bucket.left = (bucket.left + amount).min(self.burst);
        }
    }

    fn left(&self, bucket: &Bucket, now: Instant) -> f64 {
        (bucket.left + (now - bucket.at).as_secs_f64() * self.per_second).min(self.burst)
    }

    /// Forgets those whose bucket is full, and if that makes little room, the quarter that has used the least: what
    /// somebody has used up is remembered the longest.
    fn sweep(&self, buckets: &mut HashMap<u64, Bucket>, now: Instant) {
        buckets.retain(|_, bucket| self.left(bucket, now) < self.burst);
        if buckets.len() < MOST_ROWS / 4 * 3 {
            return;
        }
        let mut left: Vec<(u64, f64)> =
            buckets.iter().map(|(who, bucket)| (*who, self.left(bucket, now))).collect();
        left.sort_unstable_by(|one, other| other.1.total_cmp(&one.1));
        for (who, _) in left.iter().take(MOST_ROWS / 4) {
            buckets.remove(who);
        }
    }

    #[cfg(test)]
    fn rows(&self) -> usize {
        self.buckets.lock().unwrap().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bucket_fills_again_and_is_ones_own() {
        let rates = Rates::new(2.0, 3.0);
        assert_eq!((0..5).filter(|_| rates.take("anna").is_ok()).count(), 3);
        assert!(rates.take("bo").is_ok());
        assert_eq!(rates.take("anna").unwrap_err().wait, Duration::from_millis(500));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!((0..5).filter(|_| rates.take("anna").is_ok()).count(), 2);
        rates.give_back("anna", 1.0);
        assert!(rates.take("anna").is_ok() && rates.take("anna").is_err());
    }

    /// Made-up names of any length neither fill the table nor have it forget who has used up what is theirs.
    #[tokio::test(start_paused = true)]
    async fn a_table_has_a_limit_and_keeps_those_that_have_nothing_left() {
        let rates = Rates::new(0.001, 2.0);
        assert!(rates.take("anna").is_ok() && rates.take("anna").is_ok());
        for number in 0..3 * MOST_ROWS {
            assert!(rates.take(("x".repeat(100), number)).is_ok());
        }
        assert!(rates.rows() <= MOST_ROWS, "{}", rates.rows());
        assert!(rates.take("anna").is_err());
    }
}
