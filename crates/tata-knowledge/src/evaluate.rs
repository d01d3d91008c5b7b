//! How good retrieval is, on a set of questions with known answers.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tata_document::{BlockKind, Format, ReadBlock, Reading};

use crate::{
    Chunk, Engine, KnowledgeError, Lang, Manifest, Prepared, Scope,
    chunk::chunks,
    document::{DocumentEntry, hashed},
    language::usual,
    query::lexical_query,
    score::calibrated,
};

/// How many results are looked at.
const DEPTH: usize = 10;
/// Documents that are stored in one commit.
const BATCH: usize = 500;

#[derive(Deserialize)]
struct Passage {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct Question {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

#[derive(Deserialize)]
struct Judgement {
    query_id: String,
    doc_id: String,
    score: f64,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// Documents of the corpus.
    pub documents: usize,
    /// Questions with a judgement.
    pub queries: usize,
    /// The mean nDCG of the first ten.
    pub ndcg_at_10: f64,
    /// The mean share of relevant documents among the first ten.
    pub recall_at_10: f64,
    /// Question by question.
    pub per_query: Vec<Measured>,
}

/// What one question brought.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The question.
    pub query_id: String,
    /// Its nDCG.
    pub ndcg: f64,
    /// Its recall.
    pub recall: f64,
    /// The score of the best hit, 0..1.
    pub score: f32,
    /// Whether the best hit is relevant.
    pub correct: bool,
    /// The documents found, best first.
    pub found: Vec<String>,
}

/// What of a corpus is one unit of the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// A passage: the usual measure, so that figures can be compared with those of others.
    #[default]
    Passages,
    /// A chunk, as ingestion would cut it; a passage is found by its best one.
    Chunks,
}

/// Stores the corpus of a folder (`corpus.jsonl`) in an engine.
pub async fn load_corpus(
    folder: &Path,
    lang: Option<Lang>,
    units: Units,
    engine: &dyn Engine,
) -> Result<usize, KnowledgeError> {
    let passages: Vec<Passage> = lines(&folder.join("corpus.jsonl"))?;
    let manifest = Manifest::current(None);
    let lang = lang.map_or_else(|| usual(passages.iter().map(|passage| passage.text.as_str())), Some);
    for batch in passages.chunks(BATCH) {
        let documents = batch.iter().map(|passage| prepared(passage, lang, units)).collect();
        engine.replace(documents, &manifest).await?;
    }
    engine.finish().await?;
    Ok(passages.len())
}

/// Asks the questions of a folder (`queries.jsonl`, judged by `qrels.jsonl`) and measures the answers.
pub async fn evaluate(
    folder: &Path,
    lang: Option<Lang>,
    engine: &dyn Engine,
) -> Result<Evaluation, KnowledgeError> {
    let questions: Vec<Question> = lines(&folder.join("queries.jsonl"))?;
    let mut relevant: HashMap<String, BTreeMap<String, f64>> = HashMap::new();
    for judgement in lines::<Judgement>(&folder.join("qrels.jsonl"))? {
        if judgement.score > 0.0 {
            relevant.entry(judgement.query_id).or_default().insert(judgement.doc_id, judgement.score);
        }
    }
    let languages = engine.languages().await?;
    let scope = Scope { limit: DEPTH, per_url: 1, ..Scope::default() };
    let mut per_query = Vec::new();
    for question in &questions {
        let Some(wanted) = relevant.get(&question.id) else { continue };
        let query = lexical_query(&question.text, lang, &languages);
        let hits = engine.lexical(&query, &scope).await?;
        let best = hits.hits.first().map_or(0.0, |hit| calibrated(hit.score, hits.information));
        let found = hits.hits.into_iter().map(|hit| hit.entry.url).collect();
        per_query.push(measure(&question.id, wanted, found, best));
    }
    let count = per_query.len();
    #[expect(clippy::cast_precision_loss, reason = "counts of questions are small")]
    let mean = |value: fn(&Measured) -> f64| per_query.iter().map(value).sum::<f64>() / count.max(1) as f64;
    Ok(Evaluation {
        documents: usize::try_from(engine.stats().await?.documents).unwrap_or_default(),
        queries: count,
        ndcg_at_10: mean(|measured| measured.ndcg),
        recall_at_10: mean(|measured| measured.recall),
        per_query,
    })
}

fn measure(query_id: &str, wanted: &BTreeMap<String, f64>, found: Vec<String>, score: f32) -> Measured {
    #[expect(clippy::cast_precision_loss, reason = "ranks are small")]
    let discount = |rank: usize| (rank as f64 + 2.0).log2();
    let gain = |(rank, id): (usize, &String)| wanted.get(id).map_or(0.0, |gain| gain / discount(rank));
    let reached: f64 = found.iter().enumerate().map(gain).sum();
    let mut ideal: Vec<f64> = wanted.values().copied().collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    let best: f64 = ideal.iter().take(DEPTH).enumerate().map(|(rank, gain)| gain / discount(rank)).sum();
    let seen: HashSet<&String> = found.iter().filter(|id| wanted.contains_key(*id)).collect();
    #[expect(clippy::cast_precision_loss, reason = "judgements are few")]
    let recall = seen.len() as f64 / wanted.len() as f64;
    let correct = found.first().is_some_and(|first| wanted.contains_key(first));
    Measured { query_id: query_id.to_owned(), ndcg: reached / best, recall, score, correct, found }
}

fn prepared(passage: &Passage, lang: Option<Lang>, units: Units) -> Prepared {
    let block = |text: &str| ReadBlock { kind: BlockKind::Paragraph, text: text.to_owned(), page: None };
    let blocks = passage.text.split("\n\n").filter(|text| !text.trim().is_empty()).map(block).collect();
    let reading = Reading { format: Format::Text, title: None, language: None, blocks, notes: Vec::new() };
    let chunks = match units {
        Units::Chunks => chunks(&reading, lang),
        Units::Passages => {
            vec![Chunk { ordinal: 0, text: passage.text.clone(), start: 0, headings: Vec::new(), page: None }]
        }
    };
    let entry = DocumentEntry {
        url: passage.id.clone(),
        title: passage.title.clone(),
        lang: lang.map(|lang| lang.code().to_owned()),
        hash: hashed(&[&passage.text]),
        source: "corpus".to_owned(),
        meta: BTreeMap::new(),
        chunks: chunks.len(),
        characters: passage.text.chars().count(),
    };
    Prepared { entry, chunks: chunks.into_iter().map(|chunk| (chunk, None)).collect() }
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, KnowledgeError> {
    let failed = |message: String| KnowledgeError::Unreachable { place: path.display().to_string(), message };
    // A device never ends, and a pipe may never begin.
    let kind = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
    if !kind.is_file() {
        return Err(failed("it is no file".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let parse = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| failed(format!("line {}: {error}", at + 1)))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}
