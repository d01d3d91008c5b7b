//! Searching a collection.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::{
    Qdrant,
    wire::{chunk_only, filter, record, term_index},
};
use crate::{
    Hit, KnowledgeError, LexicalHits, LexicalQuery, Scope,
    engine::check_filter,
    score::{LEAST_CHUNKS, idf},
};

impl Qdrant {
    pub(super) async fn find_words(
        &self,
        query: &LexicalQuery,
        scope: &Scope,
    ) -> Result<LexicalHits, KnowledgeError> {
        check_filter(&scope.filter)?;
        self.needed().await?;
        let mut counts: BTreeMap<u32, f32> = BTreeMap::new();
        for form in query.groups.iter().flatten() {
            *counts.entry(term_index(form)).or_default() += 1.0;
        }
        let forms: Vec<u32> = counts.keys().copied().collect();
        if forms.is_empty() || scope.limit == 0 {
            return Ok(LexicalHits::default());
        }
        // The server does not tell a term's idf. The best point for the term alone does: its score is the idf times the
        // weight that is stored with it.
        let mut searches: Vec<Value> = forms
            .iter()
            .map(|form| {
                json!({
                    "query": { "indices": [form], "values": [1.0] },
                    "using": "bm25",
                    "limit": 1,
                    "with_vector": ["bm25"],
                    "with_payload": false,
                })
            })
            .collect();
        let values: Vec<f32> = counts.values().copied().collect();
        searches.push(json!({
            "query": { "indices": forms, "values": values },
            "using": "bm25",
            "filter": filter(scope),
            "limit": wanted(scope),
            "with_payload": true,
            "with_vector": ["bm25"],
        }));
        let path = format!("{}/points/query/batch", self.path());
        let answers = self.post(&path, &json!({ "searches": searches })).await?;
        let mut answers = answers.as_array().cloned().unwrap_or_default();
        let found = answers.pop().unwrap_or_default();
        let all = self.count(chunk_only()).await?;
        let known: HashMap<u32, f32> = forms
            .iter()
            .zip(&answers)
            .filter_map(|(form, answer)| Some((*form, smoothed(weight(*form, answer)?, all))))
            .collect();
        let group = |forms: &Vec<String>| {
            let best = forms.iter().filter_map(|form| known.get(&term_index(form))).copied().reduce(f32::max);
            best.unwrap_or_else(|| idf(0, all))
        };
        let information = query.groups.iter().map(group).sum();
        let mut hits = capped(&found, scope)?;
        // With the idf of a small index as the embedded engine has it, scores mean the same here.
        for (hit, point) in &mut hits {
            let parts = counts
                .iter()
                .filter_map(|(form, count)| Some(stored(*form, point)? * known.get(form)? * count));
            hit.score = parts.sum();
        }
        let mut hits: Vec<Hit> = hits.into_iter().map(|(hit, _)| hit).collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(LexicalHits { hits, information })
    }

    pub(super) async fn find_meaning(
        &self,
        vector: &[f32],
        scope: &Scope,
    ) -> Result<Vec<Hit>, KnowledgeError> {
        check_filter(&scope.filter)?;
        self.needed().await?;
        let body = json!({
            "query": vector,
            "using": "dense",
            "filter": filter(scope),
            "limit": wanted(scope),
            "with_payload": true,
        });
        let found = self.post(&format!("{}/points/query", self.path()), &body).await?;
        let mut hits: Vec<Hit> = capped(&found, scope)?.into_iter().map(|(hit, _)| hit).collect();
        for hit in &mut hits {
            hit.score = hit.score.max(0.0);
        }
        Ok(hits)
    }

    async fn needed(&self) -> Result<(), KnowledgeError> {
        if self.exists().await? {
            return Ok(());
        }
        Err(KnowledgeError::NoIndex(self.settings.collection.clone().into()))
    }
}

/// More than is wanted, where hits of one document are capped.
fn wanted(scope: &Scope) -> usize {
    if scope.per_url == 0 { scope.limit } else { scope.limit * 3 + 10 }
}

/// The server's idf of a term, from the best point for it.
fn weight(form: u32, answer: &Value) -> Option<f32> {
    let point = answer.pointer("/points/0")?;
    let score = number(point.get("score")?)?;
    Some(score / stored(form, point)?).filter(|idf| idf.is_finite())
}

/// The weight of a term in a point.
fn stored(form: u32, point: &Value) -> Option<f32> {
    let vector = point.pointer("/vector/bm25")?;
    let indices = vector.get("indices")?.as_array()?;
    let at = indices.iter().position(|index| index.as_u64() == Some(u64::from(form)))?;
    number(vector.get("values")?.get(at)?)
}

/// The idf as the embedded engine computes it, which takes a small index for a larger one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts"
)]
fn smoothed(idf_of_server: f32, all: u64) -> f32 {
    if all >= LEAST_CHUNKS {
        return idf_of_server;
    }
    // The formula, solved for the number of chunks with the term.
    let odds = idf_of_server.exp() - 1.0;
    let with = ((all as f32 + 0.5 - 0.5 * odds) / (odds + 1.0)).round().max(1.0);
    idf(with as u64, all)
}

#[expect(clippy::cast_possible_truncation, reason = "the server computes with 32 bits")]
fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|value| value as f32)
}

/// The hits with their points, at most so many of one document.
fn capped<'v>(found: &'v Value, scope: &Scope) -> Result<Vec<(Hit, &'v Value)>, KnowledgeError> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut hits = Vec::new();
    for point in found.get("points").and_then(Value::as_array).into_iter().flatten() {
        let (entry, chunk) = record(point)?;
        let count = counts.entry(entry.url.clone()).or_default();
        *count += 1;
        let worth = point.get("score").and_then(number).unwrap_or_default();
        if (scope.per_url == 0 || *count <= scope.per_url) && hits.len() < scope.limit {
            hits.push((Hit { entry, chunk, score: worth }, point));
        }
    }
    Ok(hits)
}
