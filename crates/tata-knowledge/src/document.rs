//! What is stored: documents in chunks that tile their text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::Lang;

/// Metadata of a document, for filters.
pub type Metadata = BTreeMap<String, String>;

/// A document as the index lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentEntry {
    /// Its address: the key.
    pub url: String,
    /// Its title, never empty.
    pub title: String,
    /// Its language, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The hash of its bytes and of what was said about it: unchanged means nothing to do.
    pub hash: String,
    /// The folder, file, page or sitemap through which it came: pruning keeps to one.
    pub source: String,
    /// What was said about it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: Metadata,
    /// How many chunks it has.
    pub chunks: usize,
    /// How many characters it has.
    pub characters: usize,
}

/// A piece of a document. All of them together, in order, are its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its place among the chunks, from 0.
    pub ordinal: usize,
    /// Its exact text.
    pub text: String,
    /// The first character, counted in the document.
    pub start: usize,
    /// The headings it stands under, the highest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// The page it begins on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

impl Chunk {
    /// The hash of what is embedded: equal text is embedded once.
    pub fn hash(&self, title: &str) -> String {
        hashed(&[&self.embedded(title)])
    }

    /// What is indexed and embedded: the text with its place in the document before it.
    pub fn embedded(&self, title: &str) -> String {
        let mut text = String::with_capacity(title.len() + self.text.len() + 64);
        text.push_str(title);
        for heading in self.headings.iter().filter(|heading| heading.as_str() != title) {
            text.push_str(" › ");
            text.push_str(heading);
        }
        text.push('\n');
        text.push_str(&self.text);
        text
    }

    /// Its name, the same whenever the same is ingested.
    pub fn id(&self, url: &str) -> Uuid {
        let name = format!("{url}\n{}\n{}", self.ordinal, hashed(&[&self.text]));
        Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes())
    }
}

/// A chunk with its vector, where there is an embedder.
pub type WithVector = (Chunk, Option<Vec<f32>>);

/// A document ready to be stored.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The document.
    pub entry: DocumentEntry,
    /// Its chunks.
    pub chunks: Vec<WithVector>,
}

impl Prepared {
    pub(crate) fn lang(&self) -> Option<Lang> {
        self.entry.lang.as_deref().and_then(Lang::find)
    }
}

/// A hash of texts, in hexadecimal digits.
pub(crate) fn hashed<T: AsRef<[u8]>>(parts: &[T]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        let bytes = part.as_ref();
        hasher.update(bytes.len().to_le_bytes());
        hasher.update(bytes);
    }
    let mut digits = String::with_capacity(32);
    for byte in hasher.finalize().iter().take(16) {
        digits.push_str(&format!("{byte:02x}"));
    }
    digits
}
