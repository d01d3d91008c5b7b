//! Why a file could not be read, in words for the person who brought it.

use std::{error::Error as StdError, fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::Format;

/// Characters of a message that a parser wrote: some repeat the file they could not read.
const LONGEST_REASON: usize = 300;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
        /// The cause; it stays in the process that read the file.
        #[source]
        #[serde(skip)]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// There is no text in it.
    #[error("there is no text in the {format} file{}", if *format == Format::Pdf { ": a scan needs text recognition first" } else { "" })]
    Empty {
        /// What it is.
        format: Format,
    },
    /// There is text in it that cannot be read.
    #[error("the text in the {format} file cannot be read: {why}")]
    UnreadText {
        /// What it is.
        format: Format,
        /// Why not, and what to do.
        why: String,
    },
    /// It was read, and there are no words in it.
    #[error("it has no text; a scanned page must be read by people first")]
    Blank,
    /// Nothing could be started to read it.
    #[error("the file could not be read now ({0}): try again in a moment")]
    NoReader(String),
    /// Whatever read it came to an end before it had an answer.
    #[error(
        "the file asks for more than the {} MB of memory that a file may have, or its structure never ends: save it \
         anew, or bring it in smaller parts", memory / 1_000_000
    )]
    Stopped {
        /// The bytes of memory it had.
        memory: usize,
    },
    /// As many files are being read as may be at once.
    #[error("other files are being read right now: try again in a few seconds")]
    Busy,
}

impl ReadError {
    pub(crate) fn damaged(format: Format, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        // What a library says of it is for whoever wrote the library.
        let reason = "its structure makes no sense. Save it anew".to_owned();
        Self::Damaged { format, reason, source: Some(source.into()) }
    }

    /// The same with words of a length that people read: what came from another process is not trusted to be short.
    #[must_use]
    pub fn shortened(self) -> Self {
        match self {
            Self::Unknown { seen } => Self::Unknown { seen: shortened(&seen) },
            Self::Damaged { format, reason, source } => {
                Self::Damaged { format, reason: shortened(&reason), source }
            }
            Self::NoReader(why) => Self::NoReader(shortened(&why)),
            Self::UnreadText { format, why } => Self::UnreadText { format, why: shortened(&why) },
            Self::TooMuch { .. }
            | Self::TooSlow { .. }
            | Self::Protected { .. }
            | Self::Empty { .. }
            | Self::Blank
            | Self::Stopped { .. }
            | Self::Busy => self,
        }
    }
}

/// The beginning of a text, on one line.
pub(crate) fn shortened(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut short: String = letters.by_ref().take(LONGEST_REASON).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Bytes of the file.
    Bytes,
    /// Bytes when unpacked.
    Unpacked,
    /// Entries, pages, rows or blocks.
    Entries,
    /// Elements inside one another.
    Depth,
    /// Bytes of the text in it.
    Text,
}

impl Limit {
    fn way_out(self) -> &'static str {
        match self {
            Self::Bytes | Self::Entries | Self::Text => "bring it in smaller parts",
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
            Self::Text => "bytes of text",
        })
    }
}
