//! What a file says, in its order.

use serde::{Deserialize, Serialize};

use crate::Format;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// What it was.
    pub format: Format,
    /// The title it gives itself.
    pub title: Option<String>,
    /// The language it says it is in, as it says it (`en-GB`).
    pub language: Option<String>,
    /// Its text.
    pub blocks: Vec<ReadBlock>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

impl Reading {
    pub(crate) fn new(format: Format) -> Self {
        Self { format, title: None, language: None, blocks: Vec::new(), notes: Vec::new() }
    }

    /// Adds a block unless it is blank.
    pub(crate) fn push(&mut self, kind: BlockKind, text: &str, page: Option<u32>) {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if !text.is_empty() {
            self.blocks.push(ReadBlock { kind, text: text.to_owned(), page });
        }
    }

    /// Bytes of text in all blocks.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.text.len()).sum()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// A piece of a text that belongs together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBlock {
    /// What it is.
    pub kind: BlockKind,
    /// Its words, without markup.
    pub text: String,
    /// The page it stands on, from 1, where a format has pages.
    pub page: Option<u32>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading, 1 for the highest.
    Heading(u8),
    /// A paragraph.
    Paragraph,
    /// A point of a list.
    Item,
    /// A row of a table, its cells parted by ` | `.
    Row,
    /// Text whose line ends matter.
    Code,
}
