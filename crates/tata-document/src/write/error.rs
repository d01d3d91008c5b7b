//! Why there is no file.

use std::error::Error as StdError;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// It has nothing of what the format holds.
    #[error(
        "the document has no {what}, which is all that {format} holds: choose docx, pdf, md, html or txt"
    )]
    Nothing {
        /// What it lacks.
        what: &'static str,
        /// The format.
        format: &'static str,
    },
    /// It has more than the format holds.
    #[error(
        "the document has {found} {what}, more than the {most} that {format} holds: make it in smaller parts"
    )]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many are allowed.
        most: usize,
        /// The format.
        format: &'static str,
    },
    /// A field cannot be used.
    #[error("{field}: {reason}")]
    Invalid {
        /// Which one.
        field: &'static str,
        /// What is wrong, and the way out.
        reason: String,
    },
    /// The library that makes the format failed.
    #[error("the {format} file could not be made: {reason}")]
    Failed {
        /// The format.
        format: &'static str,
        /// What it said.
        reason: String,
        /// The cause.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
}

impl WriteError {
    pub(super) fn failed(format: &'static str, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = source.into();
        Self::Failed { format, reason: source.to_string(), source: Some(source) }
    }
}
