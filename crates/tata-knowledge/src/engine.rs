//! The port of an index, kept by the embedded engine and by Qdrant alike.

use std::{collections::BTreeMap, future::Future, pin::Pin};

use serde::{Deserialize, Serialize};

use crate::{Chunk, DocumentEntry, KnowledgeError, Lang, Manifest, Prepared, WithVector};

/// Something an engine is doing.
pub type EngineFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, KnowledgeError>> + Send + 'a>>;

/// Where chunks are stored and found.
///
/// The rules, which one contract suite holds every engine to: a document is replaced whole or not at all; removing is
/// final; a search sees every change that was answered before it; lexical scores are BM25 with the idf of the whole
/// index, dense ones the cosine; a filter holds for every hit.
pub trait Engine: Send + Sync {
    /// What the index was made with; nothing if it does not exist yet.
    fn manifest(&self) -> EngineFuture<'_, Option<Manifest>>;

    /// Stores documents, each in the place of an older version. The index is created by the first call.
    fn replace<'a>(&'a self, documents: Vec<Prepared>, manifest: &'a Manifest) -> EngineFuture<'a, ()>;

    /// Replaces everything by these documents, which may have another embedder.
    fn rebuild<'a>(&'a self, documents: Vec<Prepared>, manifest: &'a Manifest) -> EngineFuture<'a, ()>;

    /// Removes documents by their addresses.
    fn remove<'a>(&'a self, urls: &'a [String]) -> EngineFuture<'a, ()>;

    /// Ends a run of changes: what was held for writing is given back.
    fn finish(&self) -> EngineFuture<'_, ()>;

    /// One document.
    fn document<'a>(&'a self, url: &'a str) -> EngineFuture<'a, Option<DocumentEntry>>;

    /// All documents, by address.
    fn documents(&self) -> EngineFuture<'_, Vec<DocumentEntry>>;

    /// The chunks of a document, in order, with their vectors.
    fn chunks<'a>(&'a self, url: &'a str) -> EngineFuture<'a, Vec<WithVector>>;

    /// Everything that is stored, to be written anew.
    fn all(&self) -> EngineFuture<'_, Vec<Prepared>> {
        Box::pin(async {
            let mut documents = Vec::new();
            for entry in self.documents().await? {
                documents.push(Prepared { chunks: self.chunks(&entry.url).await?, entry });
            }
            Ok(documents)
        })
    }

    /// Vectors that are stored already, by the hash of what was embedded.
    fn vectors<'a>(&'a self, hashes: &'a [String]) -> EngineFuture<'a, BTreeMap<String, Vec<f32>>>;

    /// The best chunks by words.
    fn lexical<'a>(&'a self, query: &'a LexicalQuery, scope: &'a Scope) -> EngineFuture<'a, LexicalHits>;

    /// The best chunks by meaning.
    fn dense<'a>(&'a self, vector: &'a [f32], scope: &'a Scope) -> EngineFuture<'a, Vec<Hit>>;

    /// How many chunks there are in which language; `None` for those in no known one.
    fn languages(&self) -> EngineFuture<'_, Vec<(Option<Lang>, u64)>>;

    /// Counts.
    fn stats(&self) -> EngineFuture<'_, Stats>;
}

/// The terms of a question: one group for each word, in it the forms that the languages of the index give it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LexicalQuery {
    /// The groups, in the order of the words; a word that is said twice is there twice.
    pub groups: Vec<Vec<String>>,
}

/// Which chunks, and how many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Only chunks of documents like this.
    pub filter: Filter,
    /// At most so many.
    pub limit: usize,
    /// At most so many of one document; 0 for any number.
    pub per_url: usize,
}

/// What documents must be like: every key with one of its values. `lang` and `url` are keys too.
pub type Filter = BTreeMap<String, Vec<String>>;

/// A chunk that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its document.
    pub entry: DocumentEntry,
    /// The chunk.
    pub chunk: Chunk,
    /// How well it fits: BM25 or cosine.
    pub score: f32,
}

/// What a search by words found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LexicalHits {
    /// The best, best first.
    pub hits: Vec<Hit>,
    /// The sum of the idf of all groups, those without a match at their full weight.
    pub information: f32,
}

/// Counts of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Documents.
    pub documents: u64,
    /// Chunks.
    pub chunks: u64,
    /// Chunks with a vector.
    pub vectors: u64,
    /// Bytes it takes, where that can be known.
    pub bytes: Option<u64>,
}

/// Checks the keys and values of a filter.
pub fn check_filter(filter: &Filter) -> Result<(), KnowledgeError> {
    for (key, values) in filter {
        let bad = |message: &str| KnowledgeError::BadFilter { key: key.clone(), message: message.to_owned() };
        if key.is_empty() || key.len() > 100 || key.contains('=') || key.contains(char::is_control) {
            return Err(bad("must be a name of 1 to 100 bytes without `=`"));
        }
        if values.is_empty() || values.len() > 100 {
            return Err(bad("must have 1 to 100 values"));
        }
        if values.iter().any(|value| value.len() > 2_000) {
            return Err(bad("has a value of more than 2000 bytes"));
        }
    }
    Ok(())
}
