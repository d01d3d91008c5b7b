//! Files that people brought, byte for byte as they came. The text that was read from one is a material; this is what it was
//! read from.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::audit::hex;

/// A file to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// What is known of it.
    pub about: StoredFile,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// What is known of a file that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// SHA-256 of its bytes: its name in a session. The same file brought twice is kept once.
    pub digest: String,
    /// The name it came with.
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
    /// SHA-256 of the text that was read from it: that of the material it became.
    pub text_digest: String,
    /// When it came.
    pub at: Timestamp,
}

impl NewFile {
    /// A file and the text that was read from it.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>, text: &str, at: Timestamp) -> Self {
        let about = StoredFile {
            digest: hex(&Sha256::digest(&bytes)),
            name: name.into(),
            size: bytes.len() as u64,
            text_digest: hex(&Sha256::digest(text)),
            at,
        };
        Self { about, bytes }
    }
}

impl StoredFile {
    /// Whether a text was read from it.
    pub fn became(&self, text: &str) -> bool {
        self.text_digest == hex(&Sha256::digest(text))
    }
}
