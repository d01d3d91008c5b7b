//! The retrieval section of an agent: this crate parses it, nobody else knows its keys.

use serde::{Deserialize, Serialize};

use crate::{Fusion, KnowledgeError};

/// The most results of one search.
pub const MOST_RESULTS: usize = 20;

/// How an agent searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetrievalSettings {
    /// Results of one search, 1..20.
    #[serde(alias = "top_k")]
    pub top_k_retrieval: usize,
    /// The score below which nothing is shown, 0..1.
    #[serde(alias = "score_threshold")]
    pub retrieval_score_threshold: f32,
    /// The collection.
    #[serde(alias = "collection")]
    pub collection_name: String,
    /// The most results of one document; 0 for any number.
    pub per_url: usize,
    /// How words and meaning become one ranking.
    pub fusion: Fusion,
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        Self {
            top_k_retrieval: 5,
            retrieval_score_threshold: 0.3,
            collection_name: "web_documents".to_owned(),
            per_url: 3,
            fusion: Fusion::default(),
        }
    }
}

impl RetrievalSettings {
    /// Refuses a bad value by its name, with its range.
    pub fn check(&self) -> Result<(), KnowledgeError> {
        let refused =
            |field: &'static str, message: String| Err(KnowledgeError::Configuration { field, message });
        if !(1..=MOST_RESULTS).contains(&self.top_k_retrieval) {
            return refused(
                "top_k_retrieval",
                format!("{} is not in 1..{MOST_RESULTS}", self.top_k_retrieval),
            );
        }
        if !(0.0..=1.0).contains(&self.retrieval_score_threshold) {
            let message = format!("{} is not in 0..1", self.retrieval_score_threshold);
            return refused("retrieval_score_threshold", message);
        }
        check_collection(&self.collection_name)
    }
}

/// A collection is a folder and a name in an address: letters, digits, `-` and `_`.
pub(crate) fn check_collection(name: &str) -> Result<(), KnowledgeError> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > 64 || !name.chars().all(good) {
        let message = format!("{name:?} is not 1 to 64 letters, digits, `-` or `_`");
        return Err(KnowledgeError::Configuration { field: "collection_name", message });
    }
    Ok(())
}
