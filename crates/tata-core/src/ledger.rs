//! What was used: one row for each request to a model, and what people thought of the answers.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Cost, ModelError, ModelErrorKind, Name, Prices, Reply, Usage};

/// One request to a model. What is not known stays unknown; it is never 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsageRow {
    /// The turn it belongs to.
    pub turn: u32,
    /// When it ended.
    pub at: Timestamp,
    /// The model asked.
    pub model: Name,
    /// The model that answered, by the provider's word.
    pub served_model: Option<String>,
    /// How it ended: complete, incomplete, paused, truncated, error, cancelled.
    pub outcome: Name,
    /// The tokens, where they were reported.
    pub usage: Option<Usage>,
    /// The price, where it is known.
    pub cost: Option<Cost>,
    /// The provider's id of the answer.
    pub response_id: Option<String>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
}

impl UsageRow {
    /// A request of which nothing came yet.
    pub(crate) fn begun(turn: u32, at: Timestamp, model: Name) -> Self {
        Self {
            turn,
            at,
            model,
            served_model: None,
            outcome: Name::new_static("cancelled"),
            usage: None,
            cost: None,
            response_id: None,
            request_id: None,
        }
    }

    /// What came of a request: what is known and nothing else. Takes the provider's ids out of the reply.
    pub(crate) fn of_reply(
        turn: u32,
        at: Timestamp,
        model: Name,
        reply: &mut Reply,
        prices: Option<&Prices>,
    ) -> Self {
        let mut row = Self {
            outcome: Name::new_static(reply.outcome.as_str()),
            served_model: reply.model.take(),
            response_id: reply.response_id.take(),
            request_id: reply.request_id.take(),
            usage: reply.usage.clone(),
            ..Self::begun(turn, at, model)
        };
        if reply.usage.is_none() && reply.error().is_some_and(was_refused) {
            row.usage = Some(Usage {
                input_tokens: Some(0),
                output_tokens: Some(0),
                total_tokens: Some(0),
                ..Usage::default()
            });
            row.cost = Some(Cost::default());
        }
        // Counts of a broken answer are those of its beginning: what it cost is not known.
        if let Some(usage) = reply.usage.as_ref().filter(|_| reply.error().is_none()) {
            let cost = prices.and_then(|prices| prices.cost(usage));
            row.cost = cost.or_else(|| usage.reported_cost());
        }
        row
    }

    /// All tokens of the request, where they were reported.
    pub fn tokens(&self) -> Option<u64> {
        self.usage.as_ref().and_then(Usage::tokens)
    }
}

/// Whether the provider turned the request down unread, because of its length: such a one used nothing and cost nothing,
/// and that is known.
fn was_refused(error: &ModelError) -> bool {
    error.kind == ModelErrorKind::ContextTooLong && matches!(error.status, Some(400 | 413 | 422))
}

/// Sums over rows. A sum is only as known as its parts: `unpriced` says how many requests have no known price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct UsageTotal {
    /// Requests.
    pub requests: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Both.
    pub total_tokens: u64,
    /// Of those read, from a cache.
    pub cached_input_tokens: u64,
    /// Requests whose tokens were not reported.
    pub uncounted: u64,
    /// The known part of the price.
    #[serde(rename = "known_cost_usd", serialize_with = "in_usd")]
    pub cost: Cost,
    /// Requests whose price is not known.
    pub unpriced: u64,
}

impl UsageTotal {
    /// The price, if every request's is known.
    pub fn known_cost(&self) -> Option<Cost> {
        (self.unpriced == 0).then_some(self.cost)
    }

    /// Adds a row.
    pub fn add(&mut self, row: &UsageRow) {
        self.requests += 1;
        match (&row.usage, row.tokens()) {
            (Some(usage), Some(total)) => {
                self.input_tokens = self.input_tokens.saturating_add(usage.input_tokens.unwrap_or(0));
                self.output_tokens = self.output_tokens.saturating_add(usage.output_tokens.unwrap_or(0));
                let cached = usage.cached_input_tokens.unwrap_or(0);
                self.cached_input_tokens = self.cached_input_tokens.saturating_add(cached);
                self.total_tokens = self.total_tokens.saturating_add(total);
            }
            (Some(_) | None, _) => self.uncounted += 1,
        }
        match row.cost {
            Some(cost) => self.cost += cost,
            None => self.unpriced += 1,
        }
    }
}

impl<'a> FromIterator<&'a Arc<UsageRow>> for UsageTotal {
    fn from_iter<I: IntoIterator<Item = &'a Arc<UsageRow>>>(rows: I) -> Self {
        let mut total = Self::default();
        rows.into_iter().for_each(|row| total.add(row));
        total
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn in_usd<S: serde::Serializer>(cost: &Cost, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(cost.usd())
}

/// What a person thought of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// The turn whose answer it is about.
    pub turn: u32,
    /// Up or down.
    pub rating: Rating,
    /// In their words.
    pub comment: Option<String>,
    /// Who.
    pub user_id: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A thumb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// Helpful.
    Up,
    /// Not helpful.
    Down,
}
