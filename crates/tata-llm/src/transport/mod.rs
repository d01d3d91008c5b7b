//! The way to a provider: one HTTP client, one retry layer, one place where secrets are.

mod driver;
mod headers;
mod inner;
mod patience;
mod redact;
mod retry;
pub(crate) mod sse;

use std::{sync::Arc, time::Duration};

pub use self::retry::Retry;
pub(crate) use self::{driver::Driver, inner::Inner};
use crate::{ReplyReader, metrics::Metrics};

/// How long to wait for what. Each is apart: a slow answer is not a dead one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the connection.
    pub connect: Duration,
    /// For the headers of the answer, its first sign of life; for an answer in one piece, `total` holds instead. A server
    /// nearby gets more for a long request.
    pub first_byte: Duration,
    /// Between two bytes of the answer, and between its headers and the first byte after them.
    pub idle: Duration,
    /// For everything, repetitions included.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(30),
            idle: Duration::from_mins(2),
            total: Duration::from_mins(10),
        }
    }
}

/// The most bytes of an answer that is fetched whole.
const FETCH_LIMIT: usize = 1024 * 1024;

/// The HTTP client and its rules, shared by all models.
#[derive(Clone, Debug)]
pub struct Transport {
    pub(crate) http: reqwest::Client,
    pub(crate) timeouts: Timeouts,
    pub(crate) retry: Retry,
    pub(crate) event_limit: usize,
    metrics: Arc<Metrics>,
}

/// The HTTP client could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be set up: {0}")]
pub struct TransportError(#[source] reqwest::Error);

impl Transport {
    /// Sets up the client. Proxies are taken from the usual environment variables.
    pub fn new(timeouts: Timeouts, retry: Retry) -> Result<Self, TransportError> {
        #[expect(clippy::disallowed_methods, reason = "this is the room where HTTP clients are built")]
        let http = reqwest::Client::builder()
            .connect_timeout(timeouts.connect)
            // A redirect would carry the key to wherever it points.
            .redirect(reqwest::redirect::Policy::none())
            // Repeating is our own business, and what is not repeated need not be copied.
            .retry(reqwest::retry::never().max_retries_per_request(0))
            .user_agent(concat!("tata/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(TransportError)?;
        let event_limit = ReplyReader::EVENT_LIMIT;
        Ok(Self { http, timeouts, retry, event_limit, metrics: Arc::default() })
    }

    /// Accepts events up to another size.
    #[must_use]
    pub fn with_event_limit(mut self, bytes: usize) -> Self {
        self.event_limit = bytes;
        self
    }

    /// Sends JSON to somebody who is no model, such as a collector of traces, and wants no more than to hear that it was
    /// taken. Why not is told without the address, which may hold a secret.
    pub async fn post_json(
        &self,
        address: &str,
        headers: &[(String, String)],
        body: &serde_json::Value,
        time: Duration,
    ) -> Result<(), String> {
        let mut post = self.http.post(address).timeout(time).json(body);
        for (name, value) in headers {
            post = post.header(name, value);
        }
        let sent = post.send().await.and_then(reqwest::Response::error_for_status);
        sent.map(drop).map_err(|error| error.without_url().to_string())
    }

    /// Asks somebody who is no model, such as a directory of people, and gives the body of a success: by a GET, or by a POST
    /// of form fields. A refusal is told with the beginning of its body, which says what is wrong.
    pub async fn fetch(
        &self,
        address: &str,
        form: &[(String, String)],
        authorization: Option<&str>,
        time: Duration,
    ) -> Result<Vec<u8>, String> {
        let request =
            if form.is_empty() { self.http.get(address) } else { self.http.post(address).form(form) };
        let request = request.timeout(time).header("accept", "application/json");
        let request = match authorization {
            Some(value) => request.header("authorization", value),
            None => request,
        };
        let told = |error: reqwest::Error| error.without_url().to_string();
        let mut response = request.send().await.map_err(told)?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(told)? {
            body.extend_from_slice(&piece);
            if body.len() > FETCH_LIMIT {
                return Err(format!("the answer is longer than {FETCH_LIMIT} bytes"));
            }
        }
        if status.is_success() {
            return Ok(body);
        }
        let start: String = String::from_utf8_lossy(&body).chars().take(200).collect();
        Err(format!("status {}: {}", status.as_u16(), start.escape_debug()))
    }

    /// Counters over everything sent so far.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }
}
