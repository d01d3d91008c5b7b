//! The command line of documents: `ingest`, `docs`, `search`, `eval retrieval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tata_knowledge::Lang;

/// Read files, folders, web pages and sitemaps into a collection that agents and `tata search` look things up in.
///
/// Only what changed is read again. One bad file does not stop the rest; the summary names it with the reason.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub(crate) struct Ingest {
    /// Files, folders, http(s) addresses, sitemap.xml addresses
    #[arg(required = true, value_name = "PATH|URL")]
    pub(crate) sources: Vec<String>,

    #[command(flatten)]
    pub(crate) place: Collection,

    /// The language of all of it (default: each document is looked at)
    #[arg(short, long, value_name = "LANGUAGE", value_parser = lang)]
    pub(crate) lang: Option<Lang>,

    /// What is said about every document, for filters; may be repeated
    #[arg(short, long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) meta: Vec<(String, String)>,

    /// Remove documents of the same folder or sitemap that are gone
    #[arg(long)]
    pub(crate) prune: bool,

    /// Also fetch addresses of this machine and its network
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Fail (exit code 1) if anything could not be read
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which collection.
#[derive(Clone, Debug, Args)]
pub(crate) struct Collection {
    /// The collection
    #[arg(short, long, value_name = "NAME", default_value = "web_documents")]
    pub(crate) collection: String,

    /// The company whose it is, on a server with accounts
    #[arg(long, value_name = "COMPANY")]
    pub(crate) company: Option<String>,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum DocsAction {
    /// List the documents
    #[command(visible_alias = "ls")]
    List {
        #[command(flatten)]
        place: Collection,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a document as it is stored
    Show {
        /// Its address, as `tata docs list` names it
        url: String,
        #[command(flatten)]
        place: Collection,
        /// Print JSON, chunk by chunk
        #[arg(long)]
        json: bool,
    },
    /// Remove documents
    #[command(visible_alias = "rm")]
    Delete {
        /// Their addresses
        #[arg(required = true)]
        urls: Vec<String>,
        #[command(flatten)]
        place: Collection,
    },
    /// Make all terms and vectors anew from the stored text
    Reindex {
        #[command(flatten)]
        place: Collection,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Count documents, chunks and bytes
    Stats {
        #[command(flatten)]
        place: Collection,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Search the documents and answer by quotations, without any model.
#[derive(Clone, Debug, Args)]
pub(crate) struct Search {
    /// The question, or words to look for
    pub(crate) query: String,

    #[command(flatten)]
    pub(crate) place: Collection,

    /// How many results, 1 to 20
    #[arg(short = 'k', long, value_name = "N")]
    pub(crate) top_k: Option<i64>,

    /// The least score, 0 to 1
    #[arg(short, long, value_name = "SCORE")]
    pub(crate) threshold: Option<f64>,

    /// Only documents with this; may be repeated
    #[arg(short, long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) filter: Vec<(String, String)>,

    /// The language of the question
    #[arg(short, long, value_name = "LANGUAGE", value_parser = lang)]
    pub(crate) lang: Option<Lang>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Measure retrieval: nDCG and recall of the first ten results.
#[derive(Clone, Debug, Args)]
pub(crate) struct EvalRetrieval {
    /// A folder with corpus.jsonl, queries.jsonl and qrels.jsonl
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// The language of the set (default: that of most passages)
    #[arg(short, long, value_name = "LANGUAGE", value_parser = lang)]
    pub(crate) lang: Option<Lang>,

    /// Cut the passages into chunks as `tata ingest` does (default: each passage is one unit, as is usual)
    #[arg(long)]
    pub(crate) chunks: bool,

    /// Show every question that was not answered first
    #[arg(long)]
    pub(crate) mistakes: bool,

    /// Print JSON, question by question
    #[arg(long)]
    pub(crate) json: bool,
}

impl DocsAction {
    pub(super) fn wants_json(&self) -> bool {
        match self {
            Self::List { json, .. }
            | Self::Show { json, .. }
            | Self::Reindex { json, .. }
            | Self::Stats { json, .. } => *json,
            Self::Delete { .. } => false,
        }
    }
}

fn lang(text: &str) -> Result<Lang, String> {
    let known = || Lang::all().map(Lang::code).collect::<Vec<_>>().join(", ");
    Lang::find(text).ok_or_else(|| format!("not one of {}", known()))
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("must be KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}
