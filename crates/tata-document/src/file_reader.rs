//! The door through which files are read.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Hint, Limits, ReadError, Reading, Sheet, Transcript};

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadAs {
    /// Blocks of text.
    Text,
    /// Who said what.
    Transcript,
    /// Rows of values.
    Sheets,
}

/// What is wanted of a file, besides its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadRequest {
    /// As what it is read.
    pub read_as: ReadAs,
    /// What is known of it.
    pub hint: Hint,
    /// What it may cost.
    pub limits: Limits,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileContents {
    /// Blocks of text.
    Text(Reading),
    /// Who said what.
    Transcript(Transcript),
    /// Rows of values.
    Sheets(Vec<Sheet>),
}

/// Reads files. Parsers of foreign bytes can be made to overflow the stack, to take all memory or never to end, and no
/// check inside a process is sure against all of it. So a program hands around one of these, whose only implementation
/// in the product reads in a process of its own; `in_process` is for tests and for that process.
pub trait FileReader: fmt::Debug + Send + Sync {
    /// Reads a file. It may block for as long as the limits allow, and a little longer.
    fn read_file(&self, bytes: Vec<u8>, request: &ReadRequest) -> Result<FileContents, ReadError>;

    /// Reads a file as blocks of text.
    fn read_text(&self, bytes: Vec<u8>, hint: Hint, limits: Limits) -> Result<Reading, ReadError> {
        match self.read_file(bytes, &ReadRequest { read_as: ReadAs::Text, hint, limits })? {
            FileContents::Text(reading) => Ok(reading),
            FileContents::Transcript(_) | FileContents::Sheets(_) => Err(another_answer()),
        }
    }

    /// Reads a file as a transcript.
    fn read_transcript(&self, bytes: Vec<u8>, hint: Hint, limits: Limits) -> Result<Transcript, ReadError> {
        match self.read_file(bytes, &ReadRequest { read_as: ReadAs::Transcript, hint, limits })? {
            FileContents::Transcript(transcript) => Ok(transcript),
            FileContents::Text(_) | FileContents::Sheets(_) => Err(another_answer()),
        }
    }

    /// Reads a file as tables.
    fn read_sheets(&self, bytes: Vec<u8>, hint: Hint, limits: Limits) -> Result<Vec<Sheet>, ReadError> {
        match self.read_file(bytes, &ReadRequest { read_as: ReadAs::Sheets, hint, limits })? {
            FileContents::Sheets(sheets) => Ok(sheets),
            FileContents::Text(_) | FileContents::Transcript(_) => Err(another_answer()),
        }
    }
}

fn another_answer() -> ReadError {
    ReadError::NoReader("the reader answered something else than it was asked".to_owned())
}
