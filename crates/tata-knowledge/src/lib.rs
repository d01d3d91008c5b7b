//! Documents in, cited answers out.
//!
//! Files and pages become chunks ([`ingest`]), chunks lie in an [`Engine`] (embedded, or Qdrant beyond one machine),
//! [`Knowledge::search`] finds them by words and, with an [`Embedder`], by meaning. The tools `search_docs` and
//! `read_document` bring that to an agent; [`extractive`] answers without any model, [`check_answer`] holds an answer
//! against what it cites.
//!
//! This crate does not know prompts, sessions or recruiting, and does not read the environment.

mod address;
mod analysis;
mod answer;
mod check;
mod chunk;
mod claim;
mod document;
mod embedded;
mod embedder;
mod engine;
mod error;
mod evaluate;
mod http;
mod ingest;
mod language;
mod manifest;
mod qdrant;
mod query;
mod quotes;
mod score;
mod search;
mod settings;
mod snippet;
mod tools;
mod web;

pub use self::{
    address::{address_of_file, file_of, sealed_address, shown_address},
    analysis::terms,
    answer::{citations, extractive},
    check::{answer_check, check_answer},
    chunk::{TARGET, chunks},
    document::{Chunk, DocumentEntry, Metadata, Prepared, WithVector},
    embedded::Embedded,
    embedder::{Embedder, EmbedderSettings, Fit, Provider, Reranker},
    engine::{Engine, EngineFuture, Filter, Hit, LexicalHits, LexicalQuery, Scope, Stats, check_filter},
    error::KnowledgeError,
    evaluate::{Evaluation, Measured, Units, evaluate, load_corpus},
    http::Patience,
    ingest::{Failure, IngestOptions, Progress, Source, Summary, ingest, reindex},
    language::Lang,
    manifest::{EmbedderId, Manifest},
    qdrant::{Qdrant, QdrantSettings},
    query::lexical_query,
    quotes::{QUOTES, Quotes, answer_of_search},
    score::Fusion,
    search::{ErrorReport, Knowledge, LONGEST_TEXT, SearchAnswer, SearchRequest, SearchResult},
    settings::{MOST_RESULTS, RetrievalSettings},
    tools::{READ_DOCUMENT, SEARCH_DOCS, call_read_document, call_search_docs, read_document, search_docs},
    web::{FetchRules, Fetched, Fetcher},
};
