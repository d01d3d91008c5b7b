//! Token counts as the Responses API reports them.

use serde_json::{Value, value::RawValue};
use tata_core::{Usage, Verbatim};

pub(super) fn usage(text: &RawValue) -> Option<Usage> {
    let raw: Value = serde_json::from_str(text.get()).ok().filter(Value::is_object)?;
    let count = |name: &str| raw.get(name)?.as_u64();
    let part = |whole: &str, name: &str| raw.get(whole)?.get(name)?.as_u64();
    Some(Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        total_tokens: count("total_tokens"),
        cached_input_tokens: part("input_tokens_details", "cached_tokens"),
        cache_write_tokens: part("input_tokens_details", "cache_write_tokens"),
        reasoning_tokens: part("output_tokens_details", "reasoning_tokens"),
        raw: Some(Verbatim::of(&raw, text)),
    })
}
