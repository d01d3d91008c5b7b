//! The words of `/v1/embeddings`, which many servers speak.

use serde::Deserialize;
use serde_json::{Value, json};

/// Texts in one request. The API takes more; many servers that speak it do not.
pub(super) const MOST: usize = 32;

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

pub(super) fn request(model: &str, texts: &[String], dimensions: Option<usize>) -> Value {
    let mut body = json!({ "model": model, "input": texts, "encoding_format": "float" });
    if let (Some(dimensions), Some(body)) = (dimensions, body.as_object_mut()) {
        body.insert("dimensions".into(), dimensions.into());
    }
    body
}

/// The vectors of an answer, in the order of the texts: each item says which it belongs to.
pub(super) fn vectors(answer: &Value) -> Option<Vec<Vec<f32>>> {
    let mut items: Vec<Item> = serde_json::from_value(answer.get("data")?.clone()).ok()?;
    items.sort_by_key(|item| item.index);
    let ordered = items.iter().enumerate().all(|(at, item)| item.index == at);
    ordered.then(|| items.into_iter().map(|item| item.embedding).collect())
}
