//! What an index was made with. It is committed together with the chunks.

use serde::{Deserialize, Serialize};

use crate::{KnowledgeError, analysis, chunk};

/// The version of the layout of an index.
const LAYOUT: u32 = 2;

/// What an index was made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The layout of the index.
    pub layout: u32,
    /// How words become terms.
    pub analysis: u32,
    /// How documents become chunks.
    pub chunker: u32,
    /// What made the vectors; nothing if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<EmbedderId>,
}

/// Which embedder, and how long its vectors are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderId {
    /// The model, with its provider: `cohere/embed-v4.0`.
    pub model: String,
    /// The length of its vectors.
    pub dimensions: usize,
}

impl std::fmt::Display for EmbedderId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with {} dimensions", self.model, self.dimensions)
    }
}

impl Manifest {
    /// What this program writes, with this embedder.
    pub fn current(embedder: Option<EmbedderId>) -> Self {
        Self { layout: LAYOUT, analysis: analysis::VERSION, chunker: chunk::VERSION, embedder }
    }

    /// Whether this program can search it.
    pub fn check(&self) -> Result<(), KnowledgeError> {
        if self.layout != LAYOUT || self.analysis != analysis::VERSION {
            return Err(KnowledgeError::OtherVersion { found: self.layout, wanted: LAYOUT });
        }
        Ok(())
    }

    /// Whether vectors of this embedder belong to those in the index.
    pub fn check_embedder(&self, configured: Option<&EmbedderId>) -> Result<(), KnowledgeError> {
        let none = || "none".to_owned();
        match (&self.embedder, configured) {
            (stored, configured) if stored.as_ref() == configured => Ok(()),
            (stored, configured) => Err(KnowledgeError::EmbedderChanged {
                stored: stored.as_ref().map_or_else(none, ToString::to_string),
                configured: configured.map_or_else(none, ToString::to_string),
            }),
        }
    }
}
