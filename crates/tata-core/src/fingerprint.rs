//! Two calls are the same when their tool and their arguments are, whatever the spelling of the JSON.

use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{About, ResultPart, ToolCall, ToolResult, audit::hex};

/// How a note of ours beside a tool's result begins.
pub(crate) const NOTE: &str = "\n[Note from the program:";

/// The rules under which a person's decision was asked for. A change of them asks again.
const POLICY: &str = "2";

/// The seal of exactly this call, of the version it decides about, and of the conversation by the moment it began: a decision
/// counts for nothing else.
pub(crate) fn seal(began: Option<Timestamp>, call: &ToolCall, about: Option<&About>) -> String {
    let began = began.map_or_else(String::new, |began| began.as_nanosecond().to_string());
    seal_of(&[POLICY, &began], call, about)
}

/// The seal as it was before a conversation was part of it: journals hold decisions under it.
pub(crate) fn seal_without_conversation(call: &ToolCall, about: Option<&About>) -> String {
    seal_of(&["1"], call, about)
}

fn seal_of(rules: &[&str], call: &ToolCall, about: Option<&About>) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    };
    for rule in rules {
        add(rule);
    }
    [call.call_id.as_str(), &call.name, &canonical(&call.arguments)].into_iter().for_each(&mut add);
    if let Some(About { document, version, .. }) = about {
        [document.kind.as_str(), &document.key, &version.to_string()].into_iter().for_each(add);
    }
    hex(&hash.finalize())
}

/// What a call asks for, its id aside.
pub(crate) fn of_call(call: &ToolCall) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&call.name, canonical(&call.arguments)).hash(&mut hasher);
    hasher.finish()
}

/// What a call asks for (its own fingerprint) and what it got. A shortened result names its call, and a repeated one is counted; neither
/// makes it another result.
pub(crate) fn of_step(asked: u64, result: &ToolResult) -> u64 {
    let mut hasher = DefaultHasher::new();
    (asked, result.is_error).hash(&mut hasher);
    for part in &result.content {
        match part {
            ResultPart::Text(text) if text.starts_with(NOTE) => {}
            ResultPart::Text(text) => {
                // A result may be a whole document, and every fold takes its fingerprint: nothing is copied.
                text.split(result.call_id.as_str()).for_each(|piece| hasher.write(piece.as_bytes()));
                hasher.write_u8(0xff);
            }
            ResultPart::Image(image) => image.data.hash(&mut hasher),
            ResultPart::Opaque(opaque) => opaque.json.hash(&mut hasher),
            // The text says the same in fewer words.
            ResultPart::Own(_) => {}
        }
    }
    hasher.finish()
}

/// The arguments with sorted keys, without spaces and without what is null; as they are when they are not JSON.
fn canonical(arguments: &str) -> String {
    if arguments.trim().is_empty() {
        return "{}".to_owned();
    }
    // `Value` keeps objects sorted by key.
    let Ok(mut value) = serde_json::from_str::<Value>(arguments) else { return arguments.to_owned() };
    drop_nulls(&mut value);
    value.to_string()
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    /// The seal was the same in every project: a yes that was given in one could be brought to another.
    #[test]
    fn a_seal_belongs_to_one_conversation() {
        let call = ToolCall::function("c", "confirm", r#"{"confirm":true}"#);
        let (one, other) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + SignedDuration::from_nanos(1));
        assert_eq!(seal(Some(one), &call, None), seal(Some(one), &call, None));
        assert_ne!(seal(Some(one), &call, None), seal(Some(other), &call, None));
        assert_ne!(seal(Some(one), &call, None), seal(None, &call, None));
    }
}
