//! Our own resources, under `/api/v1`.

pub(crate) mod access;
pub(crate) mod accounts;
pub(crate) mod artifacts;
pub(crate) mod catalog;
pub(crate) mod chat;
pub(crate) mod documents;
pub(crate) mod files;
pub(crate) mod messages;
pub(crate) mod search;
pub(crate) mod sessions;
pub(crate) mod turns;

use serde::Serialize;
use tata_core::TurnReport;
use utoipa::ToSchema;

use crate::Problem;

/// The most rows of a page, and how many there are when nobody says.
pub(crate) const MOST_ROWS: u32 = 200;
pub(crate) const USUAL_ROWS: u32 = 50;

/// How many rows somebody wants, within the limit.
pub(crate) fn rows(limit: Option<u32>) -> Result<usize, Problem> {
    match limit.unwrap_or(USUAL_ROWS) {
        rows @ 1..=MOST_ROWS => Ok(rows as usize),
        other => Err(Problem::invalid("limit", format!("limit is {other}; it must be 1 to {MOST_ROWS}."))),
    }
}

/// What a turn came to (AgentResponse).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Report {
    /// The answer.
    pub(crate) content: String,
    /// The session.
    pub(crate) session_id: String,
    /// The turn, from 1.
    pub(crate) turn_number: u32,
    /// Whether documents were searched.
    pub(crate) retrieval_performed: bool,
    /// The documents that the searches of the turn brought, each once; what the answer cites stands in `citations`.
    pub(crate) retrieved_sources: Vec<String>,
    /// The passages that the answer cites, by their numbers.
    #[schema(value_type = Vec<Object>)]
    pub(crate) citations: Vec<tata_core::Citation>,
    /// Each sentence that was held against what it cites, with its place in `content`: `supported` is false where that
    /// does not prove it, `unproven` says what is missing. A sentence that cites nothing is listed where the answer has
    /// nothing but documents to rest on.
    #[schema(value_type = Vec<Object>)]
    pub(crate) sentences: Vec<tata_core::CheckedSentence>,
    /// The tokens of the turn, where they were reported.
    pub(crate) tokens_used: Option<u64>,
    /// Of those, read.
    pub(crate) input_tokens: Option<u64>,
    /// Of those, written.
    pub(crate) output_tokens: Option<u64>,
    /// How long it took, to two decimals.
    pub(crate) execution_time_seconds: f64,
    /// What went wrong, in a plain sentence.
    pub(crate) error: Option<String>,
    /// What the program itself asks below the answer; show its `words` last of all. A message that is a plain yes decides
    /// it, if it brings the `seal` as `answers`.
    #[schema(value_type = Option<Object>)]
    pub(crate) asks: Option<tata_core::Question>,
    /// The model that answered.
    pub(crate) model: Option<String>,
    /// How it came out.
    #[schema(value_type = Object)]
    pub(crate) outcome: serde_json::Value,
    /// The price, where it is known.
    pub(crate) cost_usd: Option<f64>,
    /// The steps, in order.
    pub(crate) steps: Vec<StepView>,
}

/// One call of a tool.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StepView {
    call_id: String,
    tool: String,
    status: String,
    problem: Option<String>,
    seconds: f64,
}

impl From<&TurnReport> for Report {
    fn from(report: &TurnReport) -> Self {
        let step = |call: &tata_core::CallReport| StepView {
            call_id: call.call.call_id.to_string(),
            tool: call.call.name.to_string(),
            status: call.status.as_str().to_owned(),
            problem: call.problem.clone(),
            seconds: hundredths(call.duration.as_secs_f64()),
        };
        Self {
            content: report.content.clone(),
            session_id: report.session_id.to_string(),
            turn_number: report.turn_number,
            retrieval_performed: report.retrieval_performed,
            retrieved_sources: report.retrieved_sources.clone(),
            citations: report.checked.iter().flat_map(|checked| &checked.citations).cloned().collect(),
            sentences: report.checked.iter().flat_map(|checked| &checked.sentences).cloned().collect(),
            tokens_used: report.tokens_used,
            input_tokens: report.input_tokens,
            output_tokens: report.output_tokens,
            execution_time_seconds: hundredths(report.execution_time_seconds),
            error: report.error.clone(),
            asks: report.asks.as_deref().cloned(),
            model: report.model.as_ref().map(ToString::to_string),
            outcome: serde_json::to_value(&report.outcome).unwrap_or_default(),
            cost_usd: report.cost.map(tata_core::Cost::usd),
            steps: report.calls.iter().map(step).collect(),
        }
    }
}

fn hundredths(seconds: f64) -> f64 {
    (seconds * 100.0).round() / 100.0
}
