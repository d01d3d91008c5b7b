//! What can go wrong, named by what the reader does next.

use std::{
    error::Error as StdError,
    path::{Path, PathBuf},
};

use tata_document::ReadError;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnowledgeError {
    /// A setting is missing or wrong.
    #[error("{field}: {message}")]
    Configuration {
        /// The setting.
        field: &'static str,
        /// What is wrong and what would be right.
        message: String,
    },
    /// There is no index yet.
    #[error("there is no index in {}: run `tata ingest` first", .0.display())]
    NoIndex(PathBuf),
    /// Another process writes.
    #[error("another process is writing to the index in {}: try again when it is done", .0.display())]
    Locked(PathBuf),
    /// The index was written by another embedder.
    #[error(
        "the index was made with the embedder {stored}, the configured one is {configured}: run `tata docs reindex`, or \
         configure {stored} again; until then search is by words only"
    )]
    EmbedderChanged {
        /// What the index holds.
        stored: String,
        /// What is configured.
        configured: String,
    },
    /// The index is of another version of this program.
    #[error(
        "the index was written by another version of this program ({found}, this one writes {wanted}): `tata docs reindex` \
         writes it anew from what it holds; nothing has to be read again"
    )]
    OtherVersion {
        /// What the index says.
        found: u32,
        /// What this program writes.
        wanted: u32,
    },
    /// A filter cannot be understood.
    #[error("the filter {key:?} {message}")]
    BadFilter {
        /// Its key.
        key: String,
        /// What is wrong.
        message: String,
    },
    /// The index failed.
    #[error("the index failed: {message}")]
    Store {
        /// What happened.
        message: String,
        /// Whether it may work later.
        retryable: bool,
        /// The cause.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// The embedder failed.
    #[error("the embedder failed: {message}")]
    Embedding {
        /// What happened.
        message: String,
        /// Whether it may work later.
        retryable: bool,
        /// The cause.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file or an address could not be had.
    #[error("{place}: {message}")]
    Unreachable {
        /// The file or address.
        place: String,
        /// Why.
        message: String,
    },
    /// An address that may not be asked.
    #[error("{address} is not fetched: {reason}")]
    Forbidden {
        /// The address.
        address: String,
        /// Why not.
        reason: String,
    },
}

impl KnowledgeError {
    pub(crate) fn store(message: impl Into<String>) -> Self {
        Self::Store { message: message.into(), retryable: false, source: None }
    }

    pub(crate) fn embedding(message: impl Into<String>, retryable: bool) -> Self {
        Self::Embedding { message: message.into(), retryable, source: None }
    }

    /// The same for those who do not run this machine: without the folders in which things lie.
    pub fn without_paths(&self) -> String {
        match self {
            Self::NoIndex(_) => "there are no documents here yet: run `tata ingest` first".to_owned(),
            Self::Locked(_) => {
                "another process is writing to the documents: try again when it is done".to_owned()
            }
            Self::Unreachable { place, message } if Path::new(place).is_absolute() => {
                let name = Path::new(place).file_name().unwrap_or_default().to_string_lossy();
                format!("{name}: {message}")
            }
            Self::Configuration { .. }
            | Self::EmbedderChanged { .. }
            | Self::OtherVersion { .. }
            | Self::BadFilter { .. }
            | Self::Store { .. }
            | Self::Embedding { .. }
            | Self::Read(_)
            | Self::Unreachable { .. }
            | Self::Forbidden { .. } => self.to_string(),
        }
    }

    /// The stable name of its kind, in answers of tools.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Configuration { .. } => "configuration",
            Self::NoIndex(_) => "no_index",
            Self::Locked(_) => "store_locked",
            Self::EmbedderChanged { .. } => "dimension_mismatch",
            Self::OtherVersion { .. } => "other_version",
            Self::BadFilter { .. } => "bad_filter",
            Self::Store { .. } => "store_unavailable",
            Self::Embedding { .. } => "embedder_unavailable",
            Self::Read(_) => "unreadable",
            Self::Unreachable { .. } => "unreachable",
            Self::Forbidden { .. } => "forbidden",
        }
    }

    /// Whether the same may work later.
    pub fn retryable(&self) -> bool {
        match self {
            Self::Locked(_) | Self::Read(ReadError::Busy | ReadError::NoReader(_)) => true,
            Self::Store { retryable, .. } | Self::Embedding { retryable, .. } => *retryable,
            Self::Configuration { .. }
            | Self::NoIndex(_)
            | Self::EmbedderChanged { .. }
            | Self::OtherVersion { .. }
            | Self::BadFilter { .. }
            | Self::Read(_)
            | Self::Unreachable { .. }
            | Self::Forbidden { .. } => false,
        }
    }
}

impl From<tantivy::TantivyError> for KnowledgeError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Store { message: error.to_string(), retryable: false, source: Some(Box::new(error)) }
    }
}
