//! Chunks as points, and points as chunks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    Chunk, DocumentEntry, KnowledgeError, Prepared, Scope, WithVector, analysis::terms, document::hashed,
};

/// The constants of BM25, as the embedded engine has them.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// The length of a usual chunk in terms. The mean of a collection moves with every document; weights that are stored
/// cannot.
const USUAL_LENGTH: f32 = 128.0;

/// A term as an index of a sparse vector.
pub(super) fn term_index(term: &str) -> u32 {
    term.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The weights of a chunk's terms; the server brings the idf.
fn sparse(terms: &[String]) -> (Vec<u32>, Vec<f32>) {
    let mut counts: BTreeMap<u32, f32> = BTreeMap::new();
    for term in terms {
        *counts.entry(term_index(term)).or_default() += 1.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "a chunk has few hundred terms")]
    let length = terms.len() as f32 / USUAL_LENGTH;
    let weight = |count: f32| count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length));
    counts.into_iter().map(|(index, count)| (index, weight(count))).unzip()
}

pub(super) fn point(document: &Prepared, (chunk, vector): &WithVector, generation: u64) -> Value {
    let entry = &document.entry;
    let indexed = chunk.embedded(&entry.title);
    let (indices, values) = sparse(&terms(document.lang(), &indexed));
    let mut vectors = json!({ "bm25": { "indices": indices, "values": values } });
    if let (Some(vector), Some(vectors)) = (vector, vectors.as_object_mut()) {
        vectors.insert("dense".into(), json!(vector));
    }
    let lang = entry.lang.clone().unwrap_or_default();
    let mut facet = vec![format!("lang={lang}")];
    facet.extend(entry.meta.iter().map(|(key, value)| format!("{key}={value}")));
    json!({
        "id": chunk.id(&entry.url).to_string(),
        "vector": vectors,
        "payload": {
            "url": entry.url,
            "ordinal": chunk.ordinal,
            "hash": hashed(&[&indexed]),
            "lang": lang,
            "facet": facet,
            "generation": generation,
            "entry": entry,
            "chunk": chunk,
        },
    })
}

/// The document and the chunk of a point.
pub(super) fn record(point: &Value) -> Result<(DocumentEntry, Chunk), KnowledgeError> {
    let part = |name: &str| point.pointer(&format!("/payload/{name}")).cloned().unwrap_or_default();
    let damaged = |error: serde_json::Error| KnowledgeError::store(format!("a point is damaged: {error}"));
    Ok((
        serde_json::from_value(part("entry")).map_err(damaged)?,
        serde_json::from_value(part("chunk")).map_err(damaged)?,
    ))
}

/// The dense vector of a point.
pub(super) fn dense(point: &Value) -> Option<Vec<f32>> {
    serde_json::from_value(point.pointer("/vector/dense")?.clone()).ok()
}

pub(super) fn url_filter(url: &str) -> Value {
    json!({ "must": [{ "key": "url", "match": { "value": url } }] })
}

/// Everything but the manifest.
pub(super) fn chunk_only() -> Value {
    json!({ "must_not": [{ "is_empty": { "key": "url" } }] })
}

/// The filter of a search.
pub(super) fn filter(scope: &Scope) -> Value {
    let clause = |(key, values): (&String, &Vec<String>)| {
        if key == "url" {
            return json!({ "key": "url", "match": { "any": values } });
        }
        let any: Vec<String> = values.iter().map(|value| format!("{key}={value}")).collect();
        json!({ "key": "facet", "match": { "any": any } })
    };
    json!({ "must": scope.filter.iter().map(clause).collect::<Vec<_>>() })
}
