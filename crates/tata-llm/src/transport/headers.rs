//! What response headers tell: the request's id, how long to wait, whether to try again.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, HeaderValue};
use tata_core::ModelError;

const REQUEST_IDS: [&str; 4] = ["x-request-id", "request-id", "x-generation-id", "apim-request-id"];

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(HeaderValue::to_str)?.ok().map(str::trim).filter(|text| !text.is_empty())
}

/// The provider's id of the request.
pub(super) fn request_id(headers: &HeaderMap) -> Option<String> {
    REQUEST_IDS.iter().find_map(|name| text(headers, name)).map(str::to_owned)
}

/// Adds to an error what the headers say about it.
pub(super) fn annotate(error: &mut ModelError, headers: &HeaderMap, now: SystemTime) {
    if let Some(wait) = retry_after(headers, now) {
        error.retry_after = Some(wait);
    }
    error.retry_advice = text(headers, "x-should-retry").and_then(|advice| advice.parse().ok());
    error.request_id = error.request_id.take().or_else(|| request_id(headers));
}

/// `retry-after-ms`, then `retry-after` in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let seconds = |text: &str| text.parse().ok().and_then(|s: f64| Duration::try_from_secs_f64(s).ok());
    if let Some(ms) = text(headers, "retry-after-ms").and_then(seconds) {
        return Some(ms / 1000);
    }
    let after = text(headers, "retry-after")?;
    seconds(after).or_else(|| {
        let date = httpdate::parse_http_date(after).ok()?;
        Some(date.duration_since(now).unwrap_or_default())
    })
}

/// What kind of body the headers announce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// Server-sent events, or nothing that says otherwise.
    Events,
    /// One JSON value.
    Json,
    /// A web page: this is not the API.
    Page,
}

/// Decides by content type; `streamed` is what was asked for.
pub(super) fn body_kind(headers: &HeaderMap, streamed: bool) -> BodyKind {
    let kind = text(headers, "content-type").unwrap_or_default().to_ascii_lowercase();
    if kind.contains("json") && !kind.contains("jsonl") {
        BodyKind::Json
    } else if kind.starts_with("text/html") || kind.contains("xhtml") {
        BodyKind::Page
    } else if streamed || kind.starts_with("text/event-stream") {
        BodyKind::Events
    } else {
        BodyKind::Json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| ((*name).parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn waits_in_milliseconds_seconds_or_until_a_date() {
        let now = httpdate::parse_http_date("Sun, 15 Nov 2026 10:00:00 GMT").unwrap();
        let wait = |pairs: &[(&'static str, &str)]| retry_after(&headers(pairs), now).map(|d| d.as_millis());
        assert_eq!(wait(&[("retry-after-ms", "1500"), ("retry-after", "9")]), Some(1500));
        assert_eq!(wait(&[("retry-after", "2.5")]), Some(2500));
        assert_eq!(wait(&[("retry-after", "Sun, 15 Nov 2026 10:00:20 GMT")]), Some(20_000));
        assert_eq!(wait(&[("retry-after", "Sun, 15 Nov 2026 09:00:00 GMT")]), Some(0));
        assert_eq!(wait(&[("retry-after", "soon")]), None);
        assert_eq!(wait(&[("retry-after", "-5")]), None);
    }

    #[test]
    fn the_content_type_decides_how_a_body_is_read() {
        let kind = |value: &str, streamed| body_kind(&headers(&[("content-type", value)]), streamed);
        assert_eq!(kind("text/event-stream; charset=utf-8", true), BodyKind::Events);
        assert_eq!(kind("application/json", true), BodyKind::Json);
        assert_eq!(kind("text/html", true), BodyKind::Page);
        assert_eq!(kind("text/plain", true), BodyKind::Events);
        assert_eq!(kind("text/plain", false), BodyKind::Json);
        assert_eq!(body_kind(&HeaderMap::new(), true), BodyKind::Events);
    }
}
