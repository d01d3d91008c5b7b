//! Texts to vectors, by a service.

mod cohere;
mod open_ai;

use std::sync::OnceLock;

use reqwest::header;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

pub use self::cohere::Reranker;
use crate::{
    EmbedderId, KnowledgeError, Lang,
    http::{Http, HttpFailure, Patience},
};

/// Whose words a service speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// Cohere, version 2.
    Cohere,
    /// Any server with `/v1/embeddings`.
    OpenAi,
}

/// How to reach an embedder, and what it knows.
#[derive(Clone, Debug)]
pub struct EmbedderSettings {
    /// Whose words it speaks.
    pub provider: Provider,
    /// Its address, up to and including the version: `https://api.cohere.com/v2`.
    pub base_url: String,
    /// The key, if it wants one.
    pub key: Option<SecretString>,
    /// The model.
    pub model: String,
    /// The length of the vectors to ask for, where the model leaves a choice.
    pub dimensions: Option<usize>,
    /// The languages it knows, by code; `*` for all; empty if nobody said so.
    pub languages: Vec<String>,
    /// Texts in one request; the provider's most if not given.
    pub batch: Option<usize>,
    /// What some models want before a question: `query: `.
    pub query_prefix: String,
    /// What some models want before a passage: `passage: `.
    pub passage_prefix: String,
    /// How often and how long to try.
    pub patience: Patience,
}

impl EmbedderSettings {
    /// The usual settings of a provider.
    pub fn new(provider: Provider, base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider,
            base_url: base_url.into(),
            key: None,
            model: model.into(),
            dimensions: None,
            languages: Vec::new(),
            batch: None,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            patience: Patience::default(),
        }
    }
}

/// On which side of a search a text stands: models tell questions from passages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Query,
    Passage,
}

/// How far an embedder can be trusted with a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is declared.
    Known,
    /// Nothing is declared.
    Unsaid,
    /// Others are declared, this one is not.
    Foreign,
}

/// A client of an embedder.
#[derive(Debug)]
pub struct Embedder {
    settings: EmbedderSettings,
    http: Http,
    dimensions: OnceLock<usize>,
}

impl Embedder {
    /// Sets up a client; nothing is sent yet.
    pub fn new(settings: EmbedderSettings) -> Result<Self, KnowledgeError> {
        if settings.model.trim().is_empty() {
            let message = "name the model, e.g. embed-v4.0".to_owned();
            return Err(KnowledgeError::Configuration { field: "embedder.model", message });
        }
        if settings.provider == Provider::Cohere && settings.key.is_none() {
            let message = "Cohere wants a key: set COHERE_API_KEY".to_owned();
            return Err(KnowledgeError::Configuration { field: "cohere_api_key", message });
        }
        let http = Http::new(settings.patience)?;
        Ok(Self { settings, http, dimensions: OnceLock::new() })
    }

    /// Which embedder it is. The length of its vectors is found out by one request, not believed.
    pub async fn id(&self) -> Result<EmbedderId, KnowledgeError> {
        if self.dimensions.get().is_none() {
            self.embed(&["probe".to_owned()], Side::Passage).await?;
        }
        let provider = match self.settings.provider {
            Provider::Cohere => "cohere",
            Provider::OpenAi => "openai",
        };
        let dimensions = self.dimensions.get().copied().unwrap_or_default();
        Ok(EmbedderId { model: format!("{provider}/{}", self.settings.model), dimensions })
    }

    /// Whether it knows a language.
    pub fn fit(&self, lang: Option<Lang>) -> Fit {
        let declared = &self.settings.languages;
        if declared.is_empty() {
            return Fit::Unsaid;
        }
        let known = |tag: &String| tag == "*" || lang.is_some() && Lang::find(tag) == lang;
        if declared.iter().any(known) { Fit::Known } else { Fit::Foreign }
    }

    /// The vectors of passages.
    pub async fn embed_passages(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, KnowledgeError> {
        self.embed(texts, Side::Passage).await
    }

    /// The vector of a question.
    pub async fn embed_query(&self, text: &str) -> Result<Vec<f32>, KnowledgeError> {
        let vectors = self.embed(&[text.to_owned()], Side::Query).await?;
        vectors.into_iter().next().ok_or_else(|| KnowledgeError::embedding("it sent no vector", false))
    }

    async fn embed(&self, texts: &[String], side: Side) -> Result<Vec<Vec<f32>>, KnowledgeError> {
        let settings = &self.settings;
        let prefix = match side {
            Side::Query => &settings.query_prefix,
            Side::Passage => &settings.passage_prefix,
        };
        let (most, path) = match settings.provider {
            Provider::Cohere => (cohere::MOST, "embed"),
            Provider::OpenAi => (open_ai::MOST, "embeddings"),
        };
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(settings.batch.unwrap_or(most).clamp(1, most)) {
            // Services refuse empty texts.
            let batch: Vec<String> =
                batch
                    .iter()
                    .map(|text| {
                        if text.trim().is_empty() { format!("{prefix}.") } else { format!("{prefix}{text}") }
                    })
                    .collect();
            let body = match settings.provider {
                Provider::Cohere => cohere::request(&settings.model, &batch, side, settings.dimensions),
                Provider::OpenAi => open_ai::request(&settings.model, &batch, settings.dimensions),
            };
            let answer = post(&self.http, settings, path, &body).await?;
            let found = match settings.provider {
                Provider::Cohere => cohere::vectors(&answer),
                Provider::OpenAi => open_ai::vectors(&answer),
            };
            let found = found.ok_or_else(|| KnowledgeError::embedding("its answer has no vectors", false))?;
            self.check(&found, batch.len())?;
            vectors.extend(found);
        }
        Ok(vectors)
    }

    /// Every vector must be there, have the one length, and be made of numbers.
    fn check(&self, found: &[Vec<f32>], wanted: usize) -> Result<(), KnowledgeError> {
        if found.len() != wanted {
            let message = format!("it sent {} vectors for {wanted} texts", found.len());
            return Err(KnowledgeError::embedding(message, false));
        }
        for vector in found {
            let known = *self.dimensions.get_or_init(|| vector.len());
            if vector.len() != known || self.settings.dimensions.is_some_and(|asked| asked != vector.len()) {
                let asked = self.settings.dimensions.unwrap_or(known);
                let message = format!("it sent a vector of {} numbers instead of {asked}", vector.len());
                return Err(KnowledgeError::embedding(message, false));
            }
            if vector.is_empty() || vector.iter().any(|value| !value.is_finite()) {
                return Err(KnowledgeError::embedding("it sent a vector that is none", false));
            }
        }
        Ok(())
    }
}

async fn post(
    http: &Http,
    settings: &EmbedderSettings,
    path: &str,
    body: &Value,
) -> Result<Value, KnowledgeError> {
    let url = format!("{}/{path}", settings.base_url.trim_end_matches('/'));
    let request = |client: &reqwest::Client| {
        let request = client.post(&url);
        match &settings.key {
            Some(key) => request.header(header::AUTHORIZATION, format!("Bearer {}", key.expose_secret())),
            None => request,
        }
    };
    let answer = http.send(request, Some(body)).await.map_err(failed)?;
    serde_json::from_slice(&answer).map_err(|_| KnowledgeError::embedding("its answer is not JSON", false))
}

fn failed(failure: HttpFailure) -> KnowledgeError {
    let retryable = failure.retryable();
    match failure {
        HttpFailure::Unreachable(why) | HttpFailure::Foreign(why) => {
            KnowledgeError::embedding(why, retryable)
        }
        HttpFailure::Status(401 | 403, _) => KnowledgeError::Configuration {
            field: "embedder.key",
            message: "the embedder refuses the key: check it".to_owned(),
        },
        HttpFailure::Status(code, body) => {
            let said: Option<Value> = serde_json::from_slice(&body).ok();
            let said =
                said.as_ref().and_then(|said| said.get("message").or_else(|| said.pointer("/error/message")));
            let said = said.and_then(Value::as_str).unwrap_or("no reason given");
            let said: String = said.chars().take(300).collect();
            KnowledgeError::embedding(format!("status {code}: {said}"), retryable)
        }
    }
}
