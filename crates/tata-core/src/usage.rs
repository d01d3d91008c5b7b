//! What a request used, and what that costs. Unknown is not zero, anywhere.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Verbatim;

/// Token counts of one request; each is absent when the provider did not report it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Everything the model read, cached tokens included.
    pub input_tokens: Option<u64>,
    /// Everything it wrote, reasoning included.
    pub output_tokens: Option<u64>,
    /// Both.
    pub total_tokens: Option<u64>,
    /// The part of the input that came from the provider's cache.
    pub cached_input_tokens: Option<u64>,
    /// The part of the input that was written to the provider's cache.
    pub cache_write_tokens: Option<u64>,
    /// The part of the output that was reasoning.
    pub reasoning_tokens: Option<u64>,
    /// The provider's own object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Verbatim>,
}

impl Usage {
    /// All tokens: the provider's sum, or ours of both parts.
    pub fn tokens(&self) -> Option<u64> {
        self.total_tokens.or_else(|| Some(self.input_tokens?.saturating_add(self.output_tokens?)))
    }

    /// A cost the provider itself reported (some gateways do). It wins over any list price.
    pub fn reported_cost(&self) -> Option<Cost> {
        #[derive(Deserialize)]
        struct Reported<'a> {
            #[serde(borrow)]
            cost: Option<&'a RawValue>,
        }
        let reported: Reported<'_> = serde_json::from_str(self.raw.as_ref()?.as_str()).ok()?;
        let usd: f64 = serde_json::from_str(reported.cost?.get()).ok()?;
        (usd.is_finite() && usd >= 0.0).then(|| Cost::from_usd(usd))
    }
}

/// List prices in US dollars per million tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// When the prices were read (`YYYY-MM`).
    pub as_of: String,
    /// Uncached input.
    pub input: f64,
    /// Input from the cache; without it, as dear as other input: an upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// Input written to the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// Output.
    pub output: f64,
    /// Above this many input tokens the whole request is dearer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_context: Option<LongContext>,
}

/// The surcharge on long prompts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongContext {
    /// Input tokens from which it applies (exclusive).
    pub above: u64,
    /// Factor on every input price.
    pub input_factor: f64,
    /// Factor on the output price.
    pub output_factor: f64,
}

/// Money, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cost {
    micro_usd: u64,
}

impl Cost {
    /// From dollars, rounded to a millionth. Negative or absurd amounts saturate.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "float to integer casts saturate"
    )]
    pub fn from_usd(usd: f64) -> Self {
        Self { micro_usd: (usd * 1e6).round() as u64 }
    }

    /// In dollars.
    #[expect(clippy::cast_precision_loss, reason = "exact up to nine billion dollars")]
    pub fn usd(self) -> f64 {
        self.micro_usd as f64 / 1e6
    }
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.micro_usd = self.micro_usd.saturating_add(other.micro_usd);
    }
}

impl Prices {
    /// What `usage` costs, or nothing when a count or a price it needs is unknown.
    pub fn cost(&self, usage: &Usage) -> Option<Cost> {
        if let Some(reported) = usage.reported_cost() {
            return Some(reported);
        }
        let (input, output) = (usage.input_tokens?, usage.output_tokens?);
        let cached = usage.cached_input_tokens.unwrap_or(0);
        let written = usage.cache_write_tokens.unwrap_or(0);
        let plain = input.saturating_sub(cached).saturating_sub(written);
        let (input_factor, output_factor) = match self.long_context {
            Some(long) if input > long.above => (long.input_factor, long.output_factor),
            Some(_) | None => (1.0, 1.0),
        };
        let part = |tokens: u64, price: Option<f64>| -> Option<f64> {
            if tokens == 0 {
                return Some(0.0);
            }
            #[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^52")]
            price.map(|price| tokens as f64 * price / 1e6)
        };
        let read = part(plain, Some(self.input))?
            + part(cached, self.cached_input.or(Some(self.input)))?
            + part(written, self.cache_write)?;
        Some(Cost::from_usd(read * input_factor + part(output, Some(self.output))? * output_factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices() -> Prices {
        Prices {
            as_of: "2026-10".into(),
            input: 2.0,
            cached_input: Some(0.2),
            cache_write: None,
            output: 10.0,
            long_context: Some(LongContext { above: 272_000, input_factor: 2.0, output_factor: 1.5 }),
        }
    }

    fn usage(input: u64, cached: u64, output: u64) -> Usage {
        Usage {
            input_tokens: Some(input),
            output_tokens: Some(output),
            cached_input_tokens: Some(cached),
            ..Usage::default()
        }
    }

    #[test]
    fn cached_tokens_are_priced_apart() {
        let cost = prices().cost(&usage(1_000_000, 900_000, 0)).unwrap();
        // 1 M is above the long-context line: both input prices double.
        assert!((cost.usd() - 2.0 * (0.2 + 0.18)).abs() < 1e-9);
        let cost = prices().cost(&usage(100_000, 0, 10_000)).unwrap();
        assert!((cost.usd() - 0.3).abs() < 1e-9);
    }

    #[test]
    fn prices_without_cached_input_give_a_cost() {
        let prices = Prices { cached_input: None, long_context: None, ..prices() };
        let cost = prices.cost(&usage(1_000, 900, 10)).unwrap();
        assert!((cost.usd() - (1_000.0 * 2.0 + 10.0 * 10.0) / 1e6).abs() < 1e-9, "an upper bound");
    }

    #[test]
    fn unknown_is_not_zero() {
        assert_eq!(prices().cost(&Usage::default()), None);
        let written = Usage { cache_write_tokens: Some(5), ..usage(10, 0, 1) };
        assert_eq!(prices().cost(&written), None, "the price of cache writes is not known");
    }

    #[test]
    fn a_reported_cost_wins() {
        let usage =
            Usage { raw: Some(Verbatim::from(&serde_json::json!({"cost": 0.25}))), ..usage(10, 0, 1) };
        assert_eq!(prices().cost(&usage), Some(Cost::from_usd(0.25)));
    }
}
