//! When to try again, and after how long. Pure, but for the jitter.

use std::time::Duration;

use tata_core::{ModelError, ModelErrorKind, Phase};

/// The one retry layer's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Repetitions after the first attempt.
    pub most: u32,
    /// The first pause; it doubles each time.
    pub first: Duration,
    /// The longest pause of our own choosing.
    pub longest: Duration,
    /// The longest pause a provider may ask for; beyond it we give up and say so.
    pub longest_asked: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            most: 2,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(8),
            longest_asked: Duration::from_mins(2),
        }
    }
}

impl Retry {
    /// No repetitions.
    pub fn none() -> Self {
        Self { most: 0, ..Self::default() }
    }

    /// The pause before repetition number `attempt` (from 1), or nothing when there should be none.
    pub(crate) fn pause(&self, attempt: u32, error: &ModelError) -> Option<Duration> {
        self.pause_with(attempt, error, fastrand::f64())
    }

    fn pause_with(&self, attempt: u32, error: &ModelError, chance: f64) -> Option<Duration> {
        // Who stalled has been waited for as long as one waits: to do so again helps nobody.
        let stalled = error.kind == ModelErrorKind::TimedOut(Phase::Idle);
        if attempt > self.most || stalled || !error.retryable() {
            return None;
        }
        // At least what was asked for; all clients coming back at the same moment is what jitter prevents.
        if let Some(asked) = error.retry_after {
            return (asked <= self.longest_asked).then(|| asked + asked.mul_f64(0.1 * chance));
        }
        let slower = if error.kind == ModelErrorKind::Overloaded { 2 } else { 1 };
        let doubled = self.first.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1))) * slower;
        Some(doubled.min(self.longest).mul_f64(1.0 - 0.25 * chance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ModelErrorKind) -> ModelError {
        ModelError::new(kind)
    }

    #[test]
    fn pauses_double_up_to_the_longest() {
        let retry = Retry { most: 9, ..Retry::default() };
        let ms = |attempt, chance| {
            retry.pause_with(attempt, &error(ModelErrorKind::Server), chance).map(|pause| pause.as_millis())
        };
        assert_eq!([ms(1, 0.0), ms(2, 0.0), ms(5, 0.0), ms(9, 0.0)], [500, 1000, 8000, 8000].map(Some));
        assert_eq!(ms(1, 1.0), Some(375), "jitter takes at most a quarter");
        assert_eq!(ms(10, 0.0), None);
    }

    #[test]
    fn waits_at_least_what_was_asked_and_gives_up_beyond_the_limit() {
        let asked = |seconds| {
            let error = ModelError {
                retry_after: Some(Duration::from_secs(seconds)),
                ..error(ModelErrorKind::RateLimited)
            };
            Retry::default().pause_with(1, &error, 0.5)
        };
        assert!(asked(30).is_some_and(|pause| pause >= Duration::from_secs(30)));
        assert_eq!(asked(121), None);
    }

    #[test]
    fn quota_and_refusals_are_not_repeated() {
        for kind in [
            ModelErrorKind::QuotaExhausted,
            ModelErrorKind::Unauthorized,
            ModelErrorKind::InvalidRequest,
            ModelErrorKind::PolicyViolation,
            ModelErrorKind::ContextTooLong,
            ModelErrorKind::UnreadableResponse,
            ModelErrorKind::TimedOut(Phase::Idle),
        ] {
            assert_eq!(Retry::default().pause(1, &error(kind)), None, "{kind:?}");
        }
        let told_not_to = ModelError { retry_advice: Some(false), ..error(ModelErrorKind::Server) };
        assert_eq!(Retry::default().pause(1, &told_not_to), None);
    }
}
