//! Which models a server has, by its own word: `GET /v1/models`, the same on every wire.

use bytes::Bytes;
use reqwest::{
    Method, StatusCode, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use serde::Deserialize;
use serde_json::Value;
use tata_core::{ModelError, ModelErrorKind, Phase};
use tokio::time::timeout;
use tracing::info;

use crate::{Endpoint, HttpModel, wire::error_body};

/// The longest list worth reading: the largest gateways need half a megabyte.
const LIMIT: usize = 8 * 1024 * 1024;

/// The list as both vendors and their imitators write it.
#[derive(Deserialize)]
struct Listing {
    data: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
}

impl HttpModel {
    /// Asks the server behind this model which models it has, in its own order. One request, never repeated; the
    /// transport's `first_byte` holds for the whole of it.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        let patience = self.inner.transport.timeouts.first_byte;
        let listed = match timeout(patience, self.ask_for_list()).await {
            Ok(listed) => listed,
            Err(_) => Err(ModelError::new(ModelErrorKind::TimedOut(Phase::FirstByte))),
        };
        let listed = listed.map_err(|error| self.inner.redactor.scrub_error(error));
        match &listed {
            Ok(models) => info!(provider = self.inner.provider.name, count = models.len(), "models listed"),
            Err(error) => info!(provider = self.inner.provider.name, %error, "models not listed"),
        }
        listed
    }

    async fn ask_for_list(&self) -> Result<Vec<String>, ModelError> {
        let inner = &self.inner;
        // Address and headers are those of a question; only what is asked differs.
        let mut request = inner.http_request(Bytes::new())?;
        *request.method_mut() = Method::GET;
        *request.body_mut() = None;
        request.headers_mut().remove(CONTENT_TYPE);
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        lead_to_list(request.url_mut(), inner.spec.wire.path());
        let unreachable = |_| ModelError::new(ModelErrorKind::Unreachable);
        let mut response = inner.transport.http.execute(request).await.map_err(unreachable)?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(unreachable)? {
            body.extend_from_slice(&piece);
            if body.len() > LIMIT {
                return Err(unreadable(status, "a list of models that does not end"));
            }
        }
        if !status.is_success() {
            let said = serde_json::from_slice(&body).unwrap_or(Value::Null);
            return Err(error_body::from_value(Some(status.as_u16()), &said));
        }
        let listing: Result<Listing, _> = serde_json::from_slice(&body);
        let listing = listing.map_err(|_| unreadable(status, "an answer that is no list of models"))?;
        Ok(listing.data.into_iter().map(|entry| entry.id).collect())
    }
}

fn unreadable(status: StatusCode, what: &str) -> ModelError {
    let mut error = ModelError::new(ModelErrorKind::UnreadableResponse).with_detail(what);
    error.status = Some(status.as_u16());
    error
}

/// Turns the address of a question into that of the list.
fn lead_to_list(url: &mut Url, question: &str) {
    if let Ok(mut segments) = url.path_segments_mut() {
        for _ in question.split('/') {
            segments.pop();
        }
        segments.push("models");
    }
}

impl Endpoint {
    /// Whether the address is this machine or in its own network, as far as the address itself tells.
    pub fn is_nearby(&self) -> bool {
        let Ok(url) = self.base_url.parse::<Url>() else { return false };
        let host = url.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse() {
            Ok(std::net::IpAddr::V4(four)) => four.is_loopback() || four.is_private() || four.is_link_local(),
            Ok(std::net::IpAddr::V6(six)) => {
                six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local()
            }
            // A name without a domain can only be a neighbour.
            Err(_) => !host.is_empty() && (!host.contains('.') || host.to_lowercase().ends_with(".local")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_beside_the_questions() {
        for (question, path) in [
            ("http://h/v1/responses", "responses"),
            ("http://h/v1/chat/completions", "chat/completions"),
            ("http://h/v1/messages", "messages"),
        ] {
            let mut url: Url = question.parse().unwrap();
            lead_to_list(&mut url, path);
            assert_eq!(url.as_str(), "http://h/v1/models");
        }
    }

    #[test]
    fn a_neighbour_is_told_by_the_address_alone() {
        let near =
            |url: &str| Endpoint { base_url: url.to_owned(), key: None, headers: Vec::new() }.is_nearby();
        for nearby in [
            "http://localhost:1/v1",
            "http://10.0.0.7",
            "http://[fd00::1]/v1",
            "http://gpu:8000",
            "http://gpu.local",
        ] {
            assert!(near(nearby), "{nearby}");
        }
        for far in ["https://api.example.org/v1", "http://8.8.8.8", "http://10.0.0.7.example.org", "gpu"] {
            assert!(!near(far), "{far}");
        }
    }
}
