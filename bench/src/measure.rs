//! CPU time, latencies, memory.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream::FuturesUnordered};
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};

/// What a run of turns took.
pub(crate) struct Figures {
    pub(crate) turns: f64,
    pub(crate) cpu_seconds: f64,
    /// Of each turn, in milliseconds, the shortest first.
    pub(crate) latencies: Vec<f64>,
}

impl Figures {
    pub(crate) fn to_line(&self) -> String {
        let latencies: Vec<String> = self.latencies.iter().map(|ms| format!("{ms:.4}")).collect();
        format!("{} {} {}", self.turns, self.cpu_seconds, latencies.join(","))
    }

    pub(crate) fn from_line(line: &str) -> Self {
        let mut parts = line.trim().split(' ');
        let mut number = || parts.next().unwrap().parse().unwrap();
        let (turns, cpu_seconds) = (number(), number());
        let latencies = parts.next().unwrap().split(',').map(|text| text.parse().unwrap()).collect();
        Self { turns, cpu_seconds, latencies }
    }
}

/// Runs `count` turns, so many at once, and measures this process meanwhile.
pub(crate) async fn turns<F: Future<Output = ()>>(
    count: usize,
    at_once: usize,
    turn: impl Fn() -> F,
) -> Figures {
    let before = cpu_seconds();
    let timed = || async {
        let begun = Instant::now();
        turn().await;
        begun.elapsed()
    };
    let mut running: FuturesUnordered<_> = (0..at_once.min(count)).map(|_| timed()).collect();
    let mut started = running.len();
    let mut latencies = Vec::with_capacity(count);
    while let Some(elapsed) = running.next().await {
        latencies.push(milliseconds(elapsed));
        if started < count {
            started += 1;
            running.push(timed());
        }
    }
    latencies.sort_by(f64::total_cmp);
    Figures { turns: latencies.len() as f64, cpu_seconds: cpu_seconds() - before, latencies }
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// The CPU time of this process so far, all threads.
pub(crate) fn cpu_seconds() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).unwrap();
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6
}

/// The memory of this process that is in use: all of it, and what is its own. The rest are pages of the program and
/// its libraries, of which the kernel maps whole neighborhoods, and which all processes share.
pub(crate) fn resident_bytes() -> (usize, usize) {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: Vec<usize> = text.split_whitespace().map(|pages| pages.parse().unwrap()).collect();
    (pages[1] * 4096, (pages[1] - pages[2]) * 4096)
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    percentile(&sorted, 0.5)
}

pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(crate) fn percentile(sorted: &[f64], share: f64) -> f64 {
    let at = ((sorted.len().max(1) - 1) as f64 * share).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}
