//! Counters for operators, in the text format of Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tata_core::{Event, ToolStatus, TurnOutcome};

/// A counter that somebody else keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Its name, e.g. `tata_call_ids_extracted_total`.
    pub name: &'static str,
    /// What it counts.
    pub help: &'static str,
    /// Its value.
    pub value: f64,
}

/// The upper ends of the time buckets, in seconds.
const BUCKETS: [f64; 9] = [0.005, 0.02, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0];

/// Counters since the start.
#[derive(Debug, Default)]
pub struct Metrics {
    counts: Mutex<Counts>,
    /// The last turn could not be written.
    unwritten: AtomicBool,
}

#[derive(Debug, Default)]
struct Counts {
    /// By name and labels.
    counters: BTreeMap<(&'static str, String), f64>,
    times: BTreeMap<(&'static str, String), Times>,
}

#[derive(Debug, Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    /// Takes note of what happened in a turn. It is the observer of the turn host.
    pub fn observe(&self, event: &Event) {
        match event {
            Event::Usage { model, attempts, usage, cost } => {
                let model = label("model", model);
                let mut counts = self.counts();
                counts.add("tata_model_requests_total", &model, f64::from(*attempts));
                if let Some(usage) = usage {
                    counts.add("tata_input_tokens_total", &model, number(usage.input_tokens));
                    counts.add("tata_output_tokens_total", &model, number(usage.output_tokens));
                    counts.add("tata_tokens_total", &model, number(usage.tokens()));
                }
                match cost {
                    Some(cost) => counts.add("tata_cost_usd_total", &model, cost.usd()),
                    None => counts.add("tata_unpriced_requests_total", &model, 1.0),
                }
            }
            Event::ToolFinished(end) => {
                // A model may ask for anything by any name: those are one.
                let unknown = end.status == ToolStatus::UnknownTool;
                let tool = if unknown { "(unknown)" } else { end.tool.as_str() };
                let labels = format!("{},{}", label("tool", tool), label("status", end.status.as_str()));
                let mut counts = self.counts();
                counts.add("tata_tool_calls_total", &labels, 1.0);
                counts.time("tata_tool_seconds", &label("tool", tool), end.duration.as_secs_f64());
            }
            Event::Finished(report) => {
                let outcome = match &report.outcome {
                    TurnOutcome::Ended { end } => end.as_str(),
                    TurnOutcome::Waiting => "waiting",
                    TurnOutcome::Broken { error } => error,
                };
                let unwritten = matches!(outcome, "store_not_writable" | "store_unavailable" | "store");
                self.unwritten.store(unwritten, Ordering::Relaxed);
                let mut counts = self.counts();
                counts.add("tata_turns_total", &label("outcome", outcome), 1.0);
                counts.time("tata_turn_seconds", "", report.execution_time_seconds);
            }
            Event::TurnStarted { .. }
            | Event::ModelAsked { .. }
            | Event::TextDelta { .. }
            | Event::ReasoningDelta { .. }
            | Event::Reset { .. }
            | Event::Retrying { .. }
            | Event::ToolAnnounced { .. }
            | Event::ToolStarted(_)
            | Event::Artifact { .. }
            | Event::HistoryCut { .. }
            | Event::Warning { .. }
            | Event::Waiting { .. } => {}
        }
    }

    /// Whether the last turn could not be written.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.unwritten.load(Ordering::Relaxed)
    }

    /// A write went well again.
    pub(crate) fn is_written(&self) {
        self.unwritten.store(false, Ordering::Relaxed);
    }

    pub(crate) fn request(&self, route: &str, method: &str, status: u16, time: Duration) {
        let labels = format!("{},{},status=\"{status}\"", label("route", route), label("method", method));
        let mut counts = self.counts();
        counts.add("tata_http_requests_total", &labels, 1.0);
        counts.time("tata_http_seconds", &label("route", route), time.as_secs_f64());
    }

    /// Everything, with the counters that others keep.
    pub(crate) fn write(&self, others: &[Counter], running: usize) -> String {
        let mut out = String::new();
        let counts = self.counts();
        let mut last = "";
        for ((name, labels), value) in &counts.counters {
            if *name != last {
                _ = writeln!(out, "# TYPE {name} counter");
                last = name;
            }
            _ = writeln!(out, "{name}{} {value}", braced(labels, ""));
        }
        for ((name, labels), times) in &counts.times {
            if *name != last {
                _ = writeln!(out, "# TYPE {name} histogram");
                last = name;
            }
            for (end, count) in BUCKETS.iter().zip(times.buckets) {
                _ = writeln!(out, "{name}_bucket{} {count}", braced(labels, &format!("le=\"{end}\"")));
            }
            _ = writeln!(out, "{name}_bucket{} {}", braced(labels, "le=\"+Inf\""), times.count);
            _ = writeln!(out, "{name}_sum{} {}", braced(labels, ""), times.sum);
            _ = writeln!(out, "{name}_count{} {}", braced(labels, ""), times.count);
        }
        for Counter { name, help, value } in others {
            _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {value}");
        }
        _ = writeln!(out, "# TYPE tata_turns_running gauge\ntata_turns_running {running}");
        out
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn add(&mut self, name: &'static str, labels: &str, value: f64) {
        *self.counters.entry((name, labels.to_owned())).or_default() += value;
    }

    fn time(&mut self, name: &'static str, labels: &str, seconds: f64) {
        let times = self.times.entry((name, labels.to_owned())).or_default();
        for (end, count) in BUCKETS.iter().zip(&mut times.buckets) {
            *count += u64::from(seconds <= *end);
        }
        times.count += 1;
        times.sum += seconds;
    }
}

#[expect(clippy::cast_precision_loss, reason = "the format has no other numbers")]
fn number(count: Option<u64>) -> f64 {
    count.unwrap_or(0) as f64
}

/// A label; what would end it early is written as the format wants it.
fn label(name: &str, value: &str) -> String {
    let value = value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
    format!("{name}=\"{value}\"")
}

fn braced(labels: &str, more: &str) -> String {
    let comma = if labels.is_empty() || more.is_empty() { "" } else { "," };
    if labels.is_empty() && more.is_empty() { String::new() } else { format!("{{{labels}{comma}{more}}}") }
}
