//! JSON kept as the exact text in which it arrived.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

/// One JSON value as text: key order, number spelling and spacing survive, so that what goes back to a
/// provider is byte for byte what came from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RawJson(Box<str>);

/// The text is not one JSON value.
#[derive(Debug, thiserror::Error)]
#[error("not a JSON value: {0}")]
pub struct NotJson(#[from] serde_json::Error);

impl RawJson {
    /// Checks that `text` is one JSON value and keeps it as it is.
    pub fn new(text: impl Into<Box<str>>) -> Result<Self, NotJson> {
        let text = text.into();
        serde_json::from_str::<&RawValue>(&text)?;
        Ok(Self(text))
    }

    /// The exact text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The parsed value. Falls back to `null` only if the text was altered behind our back.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or(Value::Null)
    }
}

/// One JSON value as text on one line, shared by whoever keeps it. Unlike [`RawJson`] it is written as the value that it
/// is: a reader of our own JSON sees no text within text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Verbatim(Arc<RawValue>);

impl Verbatim {
    /// A value, and the text it was read from if that can be kept: a value over several lines would break lists of one
    /// value per line.
    pub fn of(value: &Value, text: &RawValue) -> Self {
        if text.get().contains(['\n', '\r']) { Self::from(value) } else { Self(text.to_owned().into()) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl From<&Value> for Verbatim {
    fn from(value: &Value) -> Self {
        // What a value writes is a value; the fallback is never reached.
        Self(RawValue::from_string(value.to_string()).unwrap_or_default().into())
    }
}

impl PartialEq for Verbatim {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl From<&RawValue> for RawJson {
    fn from(raw: &RawValue) -> Self {
        Self(raw.get().into())
    }
}

impl From<&Value> for RawJson {
    fn from(value: &Value) -> Self {
        Self(value.to_string().into())
    }
}

impl TryFrom<String> for RawJson {
    type Error = NotJson;

    fn try_from(text: String) -> Result<Self, NotJson> {
        Self::new(text)
    }
}

impl From<RawJson> for String {
    fn from(json: RawJson) -> Self {
        json.0.into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// B8: what a provider reported goes into our own JSON as it came, and never breaks a list of one value per line.
    #[test]
    fn verbatim_is_written_as_the_value_it_is_on_one_line() {
        let read = |text: &str| {
            let value: Value = serde_json::from_str(text).unwrap();
            Verbatim::of(&value, serde_json::from_str::<&RawValue>(text).unwrap())
        };
        let kept = read(r#"{"b": 1.0, "a": [2]}"#);
        assert_eq!(kept.as_str(), r#"{"b": 1.0, "a": [2]}"#);
        assert_eq!(serde_json::to_string(&[&kept]).unwrap(), r#"[{"b": 1.0, "a": [2]}]"#);
        assert_eq!(json!({"raw": kept}), json!({"raw": {"a": [2], "b": 1.0}}));
        let again: Verbatim = serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap();
        assert_eq!(again, kept);
        for lines in ["{\n  \"a\": 1\r\n}", "{\r\"a\":1}"] {
            assert_eq!(read(lines).as_str(), r#"{"a":1}"#);
        }
    }
}
