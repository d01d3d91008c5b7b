//! JSON kept as the exact text in which it arrived.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

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
    pub fn to_value(&self) -> serde_json::Value {
        serde_json::from_str(&self.0).unwrap_or(serde_json::Value::Null)
    }

    /// One field of an object, when it is a string.
    pub fn str_field(&self, name: &str) -> Option<String> {
        self.to_value().get(name)?.as_str().map(str::to_owned)
    }
}

impl From<&RawValue> for RawJson {
    fn from(raw: &RawValue) -> Self {
        Self(raw.get().into())
    }
}

impl From<&serde_json::Value> for RawJson {
    fn from(value: &serde_json::Value) -> Self {
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
