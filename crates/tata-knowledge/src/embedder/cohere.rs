//! Cohere's words, version 2.

use serde_json::{Value, json};

use super::{EmbedderSettings, Side, post};
use crate::{KnowledgeError, http::Http};

/// Texts in one request.
pub(super) const MOST: usize = 96;

pub(super) fn request(model: &str, texts: &[String], side: Side, dimensions: Option<usize>) -> Value {
    let input_type = match side {
        Side::Query => "search_query",
        Side::Passage => "search_document",
    };
    let mut body = json!({
        "model": model,
        "input_type": input_type,
        "texts": texts,
        "embedding_types": ["float"],
        "truncate": "END",
    });
    if let (Some(dimensions), Some(body)) = (dimensions, body.as_object_mut()) {
        body.insert("output_dimension".into(), dimensions.into());
    }
    body
}

/// The vectors of an answer, in the order of the texts.
pub(super) fn vectors(answer: &Value) -> Option<Vec<Vec<f32>>> {
    serde_json::from_value(answer.pointer("/embeddings/float")?.clone()).ok()
}

/// Cohere's rerank: reads question and passage together.
#[derive(Debug)]
pub struct Reranker {
    settings: EmbedderSettings,
    http: Http,
}

impl Reranker {
    /// Sets up a client; of the settings, address, key, model and patience count.
    pub fn new(settings: EmbedderSettings) -> Result<Self, KnowledgeError> {
        let http = Http::new(settings.patience)?;
        Ok(Self { settings, http })
    }

    /// The relevance of each passage for a question, 0..1, in the order of the passages.
    pub async fn rerank(&self, query: &str, passages: &[String]) -> Result<Vec<f32>, KnowledgeError> {
        let body = json!({
            "model": self.settings.model,
            "query": query,
            "documents": passages,
            "top_n": passages.len(),
        });
        let answer = post(&self.http, &self.settings, "rerank", &body).await?;
        let mut scores = vec![0.0; passages.len()];
        let results = answer.get("results").and_then(Value::as_array);
        let results = results.ok_or_else(|| KnowledgeError::embedding("the rerank has no results", false))?;
        for result in results {
            let index =
                result.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
            let score = result.get("relevance_score").and_then(Value::as_f64);
            if let (Some(place), Some(score)) = (index.and_then(|index| scores.get_mut(index)), score) {
                #[expect(clippy::cast_possible_truncation, reason = "a score needs no more")]
                let score = score.clamp(0.0, 1.0) as f32;
                *place = score;
            }
        }
        Ok(scores)
    }
}
