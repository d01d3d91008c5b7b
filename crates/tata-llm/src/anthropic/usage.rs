//! Token counts as the Messages API reports them: input excludes what came from or went to the cache.

use serde_json::{Map, Value};
use tata_core::{Usage, Verbatim};

pub(super) fn usage(raw: &Map<String, Value>) -> Usage {
    let count = |name: &str| raw.get(name).and_then(Value::as_u64);
    let (read, written) = (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
    let input = count("input_tokens")
        .map(|fresh| fresh.saturating_add(read.unwrap_or(0)).saturating_add(written.unwrap_or(0)));
    let output = count("output_tokens");
    let thinking = raw.get("output_tokens_details").and_then(|details| details.get("thinking_tokens"));
    Usage {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input.zip(output).map(|(input, output)| input.saturating_add(output)),
        cached_input_tokens: read,
        cache_write_tokens: written,
        reasoning_tokens: thinking.and_then(Value::as_u64),
        raw: Some(Verbatim::from(&Value::Object(raw.clone()))),
    }
}
