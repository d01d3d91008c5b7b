//! Which wire a text of JSON belongs to. An address that answers in another dialect than it is asked in is not a broken
//! connection: to ask again does not help, to configure it does.

use serde::{Deserialize, de::IgnoredAny};
use tata_core::{ModelError, ModelErrorKind};

use super::{Wire, lenient::Str};

/// The wire of an event or a whole answer, by marks that no other wire has.
pub(crate) fn dialect(json: &str) -> Option<Wire> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Marks<'a> {
        #[serde(borrow, rename = "type")]
        kind: Str<'a>,
        #[serde(borrow)]
        object: Str<'a>,
        choices: Option<IgnoredAny>,
    }
    let marks: Marks<'_> = serde_json::from_str(json).ok()?;
    let (kind, object) = (marks.kind.or_empty(), marks.object.or_empty());
    if kind.starts_with("response.") || object == "response" {
        Some(Wire::Responses)
    } else if matches!(kind, "message" | "message_start" | "message_delta" | "message_stop")
        || kind.starts_with("content_block_")
    {
        Some(Wire::Messages)
    } else if object.starts_with("chat.completion") || marks.choices.is_some() {
        Some(Wire::Chat)
    } else {
        None
    }
}

/// An answer in another dialect than the one asked in.
pub(crate) fn foreign(found: Wire, asked: Wire) -> ModelError {
    ModelError::new(ModelErrorKind::UnreadableResponse).with_detail(format!(
        "the server answers in the form of {}, but was asked in that of {}: give its provider `wire: {}` in models.yaml, \
         or check the base URL",
        found.title(),
        asked.title(),
        found.as_str()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_is_known_by_its_marks() {
        let check = |json: &str, wire: Option<Wire>| assert_eq!(dialect(json), wire, "{json}");
        check(r#"{"type":"response.created","response":{}}"#, Some(Wire::Responses));
        check(r#"{"object":"response","output":[]}"#, Some(Wire::Responses));
        check(r#"{"object":"chat.completion.chunk","choices":[]}"#, Some(Wire::Chat));
        check(r#"{"choices":[{"delta":{}}]}"#, Some(Wire::Chat));
        check(r#"{"type":"message_start","message":{}}"#, Some(Wire::Messages));
        check(r#"{"type":"content_block_delta","index":0}"#, Some(Wire::Messages));
        check(r#"{"type":"message","role":"assistant","content":[]}"#, Some(Wire::Messages));
        for nothing in [r#"{"type":"ping"}"#, "{}", "[1]", "{broken", r#"{"type":"vendor.novelty"}"#] {
            check(nothing, None);
        }
    }
}
