//! Why a file could not be read, in words for the person who brought it.

use std::{error::Error as StdError, fmt, time::Duration};

use crate::Format;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It asks for more than it may.
    #[error("the file has {found} {limit}, more than the {most} that are read: {}", limit.way_out())]
    TooMuch {
        /// Of what.
        limit: Limit,
        /// How many there are, or how many had been seen when reading stopped.
        found: usize,
        /// How many are allowed.
        most: usize,
    },
    /// It took too long.
    #[error("the file could not be read within {} s: bring it in smaller parts", limit.as_secs())]
    TooSlow {
        /// The time it had.
        limit: Duration,
    },
    /// It needs a password.
    #[error("the {format} file is protected by a password: save it without one")]
    Protected {
        /// What it is.
        format: Format,
    },
    /// Nothing here reads it.
    #[error("this kind of file is not read ({seen}): HTML, Markdown, PDF, DOCX, XLSX, TXT, CSV and VTT are")]
    Unknown {
        /// What it looks like.
        seen: String,
    },
    /// It is damaged.
    #[error("the {format} file is damaged: {reason}")]
    Damaged {
        /// What it should be.
        format: Format,
        /// What is wrong with it.
        reason: String,
        /// The cause.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// There is no text in it.
    #[error("there is no text in the {format} file{}", if *format == Format::Pdf { ": a scan needs text recognition first" } else { "" })]
    Empty {
        /// What it is.
        format: Format,
    },
    /// No thread could be started to read it.
    #[error("the file could not be read now: {0}")]
    NoThread(#[source] std::io::Error),
}

impl ReadError {
    pub(crate) fn damaged(format: Format, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = source.into();
        Self::Damaged { format, reason: source.to_string(), source: Some(source) }
    }
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of the file.
    Bytes,
    /// Bytes when unpacked.
    Unpacked,
    /// Entries, pages, rows or blocks.
    Entries,
    /// Elements inside one another.
    Depth,
}

impl Limit {
    fn way_out(self) -> &'static str {
        match self {
            Self::Bytes | Self::Entries => "bring it in smaller parts",
            Self::Unpacked => "it unpacks to far more than it holds; save it anew",
            Self::Depth => "it is nested too deeply; save it anew",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes",
            Self::Unpacked => "unpacked bytes",
            Self::Entries => "entries, pages or rows",
            Self::Depth => "levels of nesting",
        })
    }
}
