//! A question in, passages out: words always, meaning where an embedder knows the language.

use std::{borrow::Cow, sync::Arc, time::Instant};

use serde::{Deserialize, Serialize};

use crate::{
    Embedder, Engine, Filter, Fit, Fusion, Hit, KnowledgeError, Lang, LexicalQuery, Reranker,
    RetrievalSettings, Scope, lexical_query,
    score::{calibrated, fuse},
    settings::MOST_RESULTS,
    shown_address, snippet,
};

/// The most characters of a result.
pub const LONGEST_TEXT: usize = 500;
/// Characters of a question that are read.
const LONGEST_QUERY: usize = 2_000;
/// How many of each ranking are fused.
const POOL: usize = 50;
/// What the ranking by meaning counts for when nobody said which languages its embedder knows.
const UNSAID_WEIGHT: f32 = 0.3;
/// How many near misses are named when nothing is found.
const NEAREST: usize = 3;

/// A collection that can be searched.
#[derive(Clone)]
pub struct Knowledge {
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) embedder: Option<Arc<Embedder>>,
    reranker: Option<Arc<Reranker>>,
    settings: RetrievalSettings,
}

/// What to look for.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// The question.
    pub query: String,
    /// How many results; outside 1..20 it is clamped and noted.
    pub top_k: Option<i64>,
    /// The score below which nothing is shown; outside 0..1 it is clamped and noted.
    pub threshold: Option<f64>,
    /// Only documents like this.
    pub filter: Filter,
    /// The language of the question, if it is known.
    pub lang: Option<Lang>,
    /// The most results of one document, if another number than the settings'.
    pub per_url: Option<usize>,
}

/// What was found. Success, nothing and failure are three different states.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchAnswer {
    /// The passages, best first.
    pub results: Vec<SearchResult>,
    /// How many there are.
    pub total: usize,
    /// The question.
    pub query: String,
    /// What went wrong; then there are no results.
    pub error: Option<ErrorReport>,
    /// In plain words, if there is something to say.
    pub message: Option<String>,
    /// Seconds, with two decimals.
    pub execution_time: f64,
    /// Whether a part of the search failed and the rest answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub degraded: bool,
    /// What was changed about the request, and what was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The titles that came nearest when nothing was good enough.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<String>,
}

/// A failure as a tool reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReport {
    /// A stable name.
    pub kind: Cow<'static, str>,
    /// What happened and what to do.
    pub message: String,
    /// Whether the same may work later.
    pub retryable: bool,
}

impl From<&KnowledgeError> for ErrorReport {
    fn from(error: &KnowledgeError) -> Self {
        Self { kind: error.kind().into(), message: error.without_paths(), retryable: error.retryable() }
    }
}

/// A passage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// At most 500 characters around the sentence that fits best, exactly as they are stored.
    pub text: String,
    /// The document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// 0..1 with three decimals, higher is better; no probability.
    pub score: f64,
    /// What kind of score it is: `bm25`, `cosine`, `fused`, `rerank`.
    pub score_kind: Cow<'static, str>,
    /// The headings it stands under.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Its first character in the document.
    pub start: usize,
    /// The first character after it.
    pub end: usize,
    /// Its language, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
}

struct Ranked {
    hits: Vec<Hit>,
    kind: &'static str,
    nearest: Vec<String>,
    degraded: bool,
    notes: Vec<String>,
}

impl Knowledge {
    /// A collection behind an engine.
    pub fn new(engine: Arc<dyn Engine>, settings: RetrievalSettings) -> Result<Self, KnowledgeError> {
        settings.check()?;
        Ok(Self { engine, embedder: None, reranker: None, settings })
    }

    /// Searches by meaning too.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Embedder) -> Self {
        self.embedder = Some(Arc::new(embedder));
        self
    }

    /// Has the best read again by a reranker.
    #[must_use]
    pub fn with_reranker(mut self, reranker: Reranker) -> Self {
        self.reranker = Some(Arc::new(reranker));
        self
    }

    /// The engine, for what needs no search.
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// Searches. A failure is a part of the answer.
    pub async fn search(&self, request: &SearchRequest) -> SearchAnswer {
        let begun = Instant::now();
        let mut notes = Vec::new();
        let top_k = self.top_k(request.top_k, &mut notes);
        let threshold = self.threshold(request.threshold, &mut notes);
        let text: String = request.query.trim().chars().take(LONGEST_QUERY).collect();
        if text.len() < request.query.trim().len() {
            notes.push(format!("only the first {LONGEST_QUERY} characters of the query were used"));
        }
        let found = self.find(request, &text, top_k, threshold).await;
        let mut answer = SearchAnswer {
            results: Vec::new(),
            total: 0,
            query: request.query.clone(),
            error: None,
            message: None,
            execution_time: 0.0,
            degraded: false,
            notes,
            nearest: Vec::new(),
        };
        match found {
            Ok((found, query)) => {
                answer.results = found.hits.iter().map(|hit| shown(hit, &query, found.kind)).collect();
                answer.total = answer.results.len();
                answer.degraded = found.degraded;
                answer.notes.extend(found.notes);
                if answer.results.is_empty() {
                    answer.message =
                        Some(format!("Nothing was found above the score threshold of {threshold}."));
                    answer.nearest = found.nearest;
                }
            }
            Err(error) => {
                tracing::warn!(kind = error.kind(), "a search failed");
                answer.message = Some(error.without_paths());
                answer.error = Some(ErrorReport::from(&error));
            }
        }
        answer.execution_time = (begun.elapsed().as_secs_f64() * 100.0).round() / 100.0;
        answer
    }

    async fn find(
        &self,
        request: &SearchRequest,
        text: &str,
        top_k: usize,
        threshold: f32,
    ) -> Result<(Ranked, LexicalQuery), KnowledgeError> {
        if text.is_empty() {
            let message = "the query is empty: ask a question or give words to look for".to_owned();
            return Err(KnowledgeError::Configuration { field: "query", message });
        }
        let manifest = self.engine.manifest().await?;
        if let Some(manifest) = &manifest {
            manifest.check()?;
        }
        let languages = self.engine.languages().await?;
        let query = lexical_query(text, request.lang, &languages);
        let per_url = request.per_url.unwrap_or(self.settings.per_url);
        let scope = Scope { filter: self.filter(&request.filter).await?, limit: POOL, per_url };
        let words = self.engine.lexical(&query, &scope).await?;
        let mut lexical = words.hits;
        for hit in &mut lexical {
            hit.score = calibrated(hit.score, words.information);
        }
        let nearest = titles(&lexical);
        let mut found =
            Ranked { hits: Vec::new(), kind: "bm25", nearest, degraded: false, notes: Vec::new() };
        lexical.retain(|hit| hit.score >= threshold);
        let dense =
            match self.dense(text, request, &scope, manifest.and_then(|manifest| manifest.embedder)).await {
                Ok(dense) => dense,
                Err(error) => {
                    found.degraded = true;
                    found.notes.push(format!("answered by words only: {error}"));
                    None
                }
            };
        found.hits = match dense {
            Some((mut dense, weight)) => {
                dense.retain(|hit| hit.score >= threshold);
                found.kind = "fused";
                fuse(self.settings.fusion, lexical, dense, weight)
                    .into_iter()
                    .map(|fused| fused.hit)
                    .collect()
            }
            None => lexical,
        };
        if per_url > 0 {
            cap(&mut found.hits, per_url);
        }
        self.rerank(text, threshold, &mut found).await;
        found.hits.truncate(top_k);
        Ok((found, query))
    }

    /// A filter by the addresses of the index, where it names documents as they are shown.
    async fn filter(&self, asked: &Filter) -> Result<Filter, KnowledgeError> {
        let mut filter = asked.clone();
        for address in filter.get_mut("url").into_iter().flatten() {
            if let Some(entry) = self.document(address).await? {
                *address = entry.url;
            }
        }
        Ok(filter)
    }

    /// The ranking by meaning with its weight; nothing where it would do harm.
    async fn dense(
        &self,
        text: &str,
        request: &SearchRequest,
        scope: &Scope,
        stored: Option<crate::EmbedderId>,
    ) -> Result<Option<(Vec<Hit>, f32)>, KnowledgeError> {
        let Some(embedder) = &self.embedder else { return Ok(None) };
        let lang = request.lang.or_else(|| Lang::detect(text));
        let weight = match embedder.fit(lang) {
            Fit::Known => 1.0,
            Fit::Unsaid => UNSAID_WEIGHT,
            Fit::Foreign => return Ok(None),
        };
        let configured = embedder.id().await?;
        if stored.as_ref() != Some(&configured) {
            return Err(KnowledgeError::EmbedderChanged {
                stored: stored.map_or_else(|| "none".to_owned(), |stored| stored.to_string()),
                configured: configured.to_string(),
            });
        }
        let vector = embedder.embed_query(text).await?;
        let mut hits = self.engine.dense(&vector, scope).await?;
        for hit in &mut hits {
            hit.score = hit.score.clamp(0.0, 1.0);
        }
        Ok(Some((hits, weight)))
    }

    async fn rerank(&self, text: &str, threshold: f32, found: &mut Ranked) {
        let Some(reranker) = self.reranker.as_ref().filter(|_| !found.hits.is_empty()) else { return };
        let passages: Vec<String> =
            found.hits.iter().map(|hit| hit.chunk.embedded(&hit.entry.title)).collect();
        match reranker.rerank(text, &passages).await {
            Ok(scores) => {
                for (hit, score) in found.hits.iter_mut().zip(scores) {
                    hit.score = score;
                }
                found.hits.retain(|hit| hit.score >= threshold);
                found.hits.sort_by(|a, b| b.score.total_cmp(&a.score));
                found.kind = "rerank";
            }
            Err(error) => {
                found.degraded = true;
                found.notes.push(format!("not reranked: {error}"));
            }
        }
    }

    fn top_k(&self, asked: Option<i64>, notes: &mut Vec<String>) -> usize {
        let Some(asked) = asked else { return self.settings.top_k_retrieval };
        let most = i64::try_from(MOST_RESULTS).unwrap_or(i64::MAX);
        let taken = asked.clamp(1, most);
        if taken != asked {
            notes.push(format!("top_k {asked} is outside 1..{MOST_RESULTS}: {taken} was used"));
        }
        usize::try_from(taken).unwrap_or(1)
    }

    fn threshold(&self, asked: Option<f64>, notes: &mut Vec<String>) -> f32 {
        let Some(asked) = asked else { return self.settings.retrieval_score_threshold };
        let taken = if asked.is_nan() { 0.0 } else { asked.clamp(0.0, 1.0) };
        if (taken - asked).abs() > 0.0 || asked.is_nan() {
            notes.push(format!("score_threshold {asked} is outside 0..1: {taken} was used"));
        }
        #[expect(clippy::cast_possible_truncation, reason = "a score needs no more")]
        let taken = taken as f32;
        taken
    }

    /// How the ranking by words and that by meaning are joined.
    pub fn fusion(&self) -> Fusion {
        self.settings.fusion
    }
}

fn titles(hits: &[Hit]) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for hit in hits {
        if titles.len() < NEAREST && !titles.contains(&hit.entry.title) {
            titles.push(hit.entry.title.clone());
        }
    }
    titles
}

/// Keeps the best of each document: two rankings may have brought more.
fn cap(hits: &mut Vec<Hit>, per_url: usize) {
    let mut counts = std::collections::HashMap::<String, usize>::new();
    hits.retain(|hit| {
        let count = counts.entry(hit.entry.url.clone()).or_default();
        *count += 1;
        *count <= per_url
    });
}

fn shown(hit: &Hit, query: &LexicalQuery, kind: &'static str) -> SearchResult {
    let lang = hit.entry.lang.as_deref().and_then(Lang::find);
    let text = &hit.chunk.text;
    let piece = snippet::around(text, lang, query, LONGEST_TEXT);
    let quoted = text.get(piece.start..piece.end).unwrap_or_default();
    let start = hit.chunk.start + text.get(..piece.start).unwrap_or_default().chars().count();
    SearchResult {
        end: start + quoted.chars().count(),
        start,
        text: quoted.to_owned(),
        url: shown_address(&hit.entry.url),
        title: hit.entry.title.clone(),
        score: (f64::from(hit.score) * 1000.0).round() / 1000.0,
        score_kind: kind.into(),
        headings: hit.chunk.headings.clone(),
        page: hit.chunk.page,
        lang: hit.entry.lang.clone(),
    }
}
