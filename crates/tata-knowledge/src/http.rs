//! One way to JSON services: limits, retries with back-off, failures by what to do next.

use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::{Client, RequestBuilder, StatusCode, header};
use serde_json::Value;

use crate::KnowledgeError;

/// The largest answer that is read.
const LARGEST: usize = 64 * 1024 * 1024;
/// The longest wait that a server may ask for.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// How often and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Requests in all, the first included.
    pub attempts: u32,
    /// The wait before the second; each later one is twice as long.
    pub first_wait: Duration,
    /// The time one request gets.
    pub time: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { attempts: 5, first_wait: Duration::from_millis(500), time: Duration::from_mins(1) }
    }
}

/// A client with its patience.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    client: Client,
    patience: Patience,
}

/// Why a request brought nothing.
#[derive(Debug)]
pub(crate) enum HttpFailure {
    /// The server could not be reached, or broke off.
    Unreachable(String),
    /// It answered with a failure.
    Status(u16, Vec<u8>),
    /// Something else answered; this is what.
    Foreign(String),
}

impl HttpFailure {
    pub(crate) fn retryable(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Status(code, _) => *code == 429 || *code >= 500,
            Self::Foreign(_) => false,
        }
    }
}

impl Http {
    pub(crate) fn new(patience: Patience) -> Result<Self, KnowledgeError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "embedders and Qdrant are no models: this is their one client"
        )]
        let client = Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .timeout(patience.time)
            // A redirect would carry the key to wherever it points.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("tata/", env!("CARGO_PKG_VERSION")))
            .build();
        let client = client.map_err(|error| KnowledgeError::Configuration {
            field: "http",
            message: format!("the HTTP client could not be set up: {error}"),
        })?;
        Ok(Self { client, patience })
    }

    /// Sends a request, again and again while that may help.
    pub(crate) async fn send(
        &self,
        request: impl Fn(&Client) -> RequestBuilder,
        body: Option<&Value>,
    ) -> Result<Vec<u8>, HttpFailure> {
        let mut wait = self.patience.first_wait;
        let mut attempt = 1;
        loop {
            let (failure, asked) = match self.once(&request, body).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            if attempt >= self.patience.attempts || !failure.retryable() {
                return Err(failure);
            }
            tokio::time::sleep(asked.unwrap_or(wait).min(LONGEST_WAIT)).await;
            wait *= 2;
            attempt += 1;
        }
    }

    async fn once(
        &self,
        request: &impl Fn(&Client) -> RequestBuilder,
        body: Option<&Value>,
    ) -> Result<Vec<u8>, (HttpFailure, Option<Duration>)> {
        let mut request = request(&self.client);
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        let broken = |error: reqwest::Error| (HttpFailure::Unreachable(told(&error)), None);
        let response = request.send().await.map_err(broken)?;
        let status = response.status();
        let asked = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let asked = asked.and_then(|seconds| seconds.trim().parse().ok()).map(Duration::from_secs);
        let body =
            limited(response, LARGEST).await.map_err(|error| (HttpFailure::Unreachable(error), None))?;
        if status == StatusCode::OK || status.is_success() {
            return Ok(body);
        }
        Err((HttpFailure::Status(status.as_u16(), body), asked))
    }
}

/// The body of an answer, if it is not too long.
pub(crate) async fn limited(response: reqwest::Response, most: usize) -> Result<Vec<u8>, String> {
    let mut stream = response.bytes_stream();
    let mut body = Vec::new();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|error| told(&error))?;
        if body.len() + piece.len() > most {
            return Err(format!("the answer is longer than the {most} bytes that are read"));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// An error without the address: it may carry a key.
pub(crate) fn told(error: &reqwest::Error) -> String {
    let kind = match () {
        () if error.is_timeout() => "no answer in time",
        () if error.is_connect() => "no connection",
        () => "the connection broke",
    };
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause.and_then(std::error::Error::source) {
        cause = Some(deeper);
    }
    cause.map_or_else(|| kind.to_owned(), |cause| format!("{kind}: {cause}"))
}
