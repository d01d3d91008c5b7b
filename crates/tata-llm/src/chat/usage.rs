//! Token counts as Chat Completions servers report them.

use serde_json::{Value, value::RawValue};
use tata_core::{Usage, Verbatim};

pub(super) fn usage(text: &RawValue) -> Option<Usage> {
    let raw: Value = serde_json::from_str(text.get()).ok().filter(Value::is_object)?;
    let count = |name: &str| raw.get(name)?.as_u64();
    let part = |whole: &str, name: &str| raw.get(whole)?.get(name)?.as_u64();
    Some(Usage {
        input_tokens: count("prompt_tokens"),
        output_tokens: count("completion_tokens"),
        total_tokens: count("total_tokens"),
        cached_input_tokens: part("prompt_tokens_details", "cached_tokens"),
        cache_write_tokens: part("prompt_tokens_details", "cache_write_tokens"),
        reasoning_tokens: part("completion_tokens_details", "reasoning_tokens"),
        raw: Some(Verbatim::of(&raw, text)),
    })
}
