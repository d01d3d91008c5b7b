//! The door: every request passes here first. Who may call, how often, and what every answer carries.

use std::panic::AssertUnwindSafe;

use axum::{
    body::Body,
    extract::{MatchedPath, Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, Request as HttpRequest, StatusCode, Uri,
        header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HOST, ORIGIN, WWW_AUTHENTICATE},
        request::Parts,
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use tokio::time::Instant;
use tracing::Instrument;

use crate::{Problem, access, compatible, idempotency, pages, state::App};

/// The header that carries the id of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What every answer says, unless it says otherwise itself.
const HEADERS: [(&str, &str); 7] = [
    ("cache-control", "no-store"),
    (
        "content-security-policy",
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let (id, method) = (request_id(request.headers()), request.method().clone());
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let route = route.unwrap_or_else(|| "(none)".to_owned());
    let page = page_asked(&app, request.uri(), request.headers());
    let span = tracing::info_span!("request", request_id = %id, %method, route);
    let served = async {
        if let Err(problem) = admit(&app, request.headers(), &method) {
            return problem.into_response();
        }
        let known = access::caller(&app, &route, &method, request.headers()).await;
        let caller = match known.and_then(|caller| caller.count().map(|()| caller)) {
            Ok(caller) => caller,
            Err(problem) => return problem.into_response(),
        };
        let mut request = request;
        request.extensions_mut().insert(caller.clone());
        let served = AssertUnwindSafe(idempotency::once(&caller, request, next)).catch_unwind().await;
        served.unwrap_or_else(|_| {
            // One request that breaks down is not the end of the others.
            tracing::error!("a handler broke down");
            let detail = "Something broke down here. The log has the id of this request.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail).into_response()
        })
    };
    let mut response = served.instrument(span.clone()).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let shown = match page {
            Some(parts) => pages::error_page(&app, parts, &problem).await,
            None => None,
        };
        match shown {
            Some(shown) => response = shown,
            None => write_problem(&mut response, &problem, &path, &id),
        }
    }
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    let (status, time) = (response.status().as_u16(), begun.elapsed());
    app.services.metrics.request(&route, method.as_str(), status, time);
    span.in_scope(|| tracing::info!(status, millis = time.as_secs_f64() * 1000.0, "answered"));
    response
}

/// What is needed to tell a person in a browser what went wrong, if one asks.
fn page_asked(app: &App, uri: &Uri, headers: &HeaderMap) -> Option<Parts> {
    app.services.pages.as_ref()?;
    let (mut parts, ()) = HttpRequest::new(()).into_parts();
    (parts.uri, parts.headers) = (uri.clone(), headers.clone());
    pages::is_page(&parts).then_some(parts)
}

/// Whether a request may be served at all.
fn admit(app: &App, headers: &HeaderMap, method: &Method) -> Result<(), Problem> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host_name(host);
    if !app.options.hosts.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        // A page of a stranger could otherwise reach this server by a name that leads here.
        let detail = format!("This server is not known as {name:?}. Call it by a name that it was told.");
        return Err(Problem::new(StatusCode::FORBIDDEN, "host_not_allowed", detail));
    }
    if !method.is_safe() {
        same_site(headers, host)?;
    }
    Ok(())
}

/// Whether what changes something comes from our own pages, or from a program, which names none.
fn same_site(headers: &HeaderMap, host: &str) -> Result<(), Problem> {
    let refused = |what: String| Problem::new(StatusCode::FORBIDDEN, "cross_site", what);
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("(not text)"));
    if let Some(site) = text("sec-fetch-site")
        && !matches!(site, "same-origin" | "none")
    {
        return Err(refused(format!("A page of another site ({site}) may not do this.")));
    }
    if let Some(origin) = text(ORIGIN.as_str()) {
        let own = origin.split_once("://").is_some_and(|(scheme, authority)| {
            matches!(scheme, "http" | "https") && authority.eq_ignore_ascii_case(host)
        });
        if !own {
            return Err(refused(format!("The page {origin:?} may not do this.")));
        }
    }
    Ok(())
}

/// A host without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The caller's id of the request if it has a harmless one, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let harmless = |id: &&str| {
        (8..=64).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    given.filter(harmless).map_or_else(|| uuid::Uuid::new_v4().to_string(), str::to_owned)
}

/// Writes a problem in the shape that its reader knows.
fn write_problem(response: &mut Response, problem: &Problem, path: &str, id: &str) {
    let (kind, body) = if path == "/v1" || path.starts_with("/v1/") {
        ("application/json", compatible::error_body(problem).to_string())
    } else {
        let body = serde_json::to_string(&problem.document(id)).unwrap_or_default();
        ("application/problem+json", body)
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CONTENT_LENGTH, body.len().into());
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if problem.status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    *response.body_mut() = Body::from(body);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_without_its_port() {
        for (host, name) in [
            ("localhost", "localhost"),
            ("localhost:7878", "localhost"),
            ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]:80", "[::1]"),
            ("[::1]", "[::1]"),
            ("evil:x", "evil:x"),
        ] {
            assert_eq!(host_name(host), name, "{host}");
        }
    }
}
