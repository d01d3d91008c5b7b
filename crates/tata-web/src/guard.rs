//! The door: every request passes here first. Who may call, how often, and what every answer carries.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Once},
};

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

use crate::{
    Problem, access,
    body::{Counted, Holding},
    budgets::{self, Payer},
    compatible, idempotency, pages,
    peer::{ConnectedFrom, Peer, is_forwarded},
    state::{App, ServerState},
};

/// The header that carries the id of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Routes that are never counted against anybody, and always served.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];
/// The route of the operator's counters.
const METRICS: &str = "/metrics";
/// How much of what a stranger wrote is told back.
const LONGEST_TOLD: usize = 100;

/// It is said once that the server was not told of its proxy.
static NO_PROXY_TOLD: Once = Once::new();

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

/// Whoever connects may not, and why.
#[derive(Clone, Debug)]
pub(crate) struct Refused(pub(crate) String);

pub(crate) async fn guard(State(server): State<ServerState>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = request_id(request.headers());
    let path = request.uri().path().to_owned();
    let refused = request.extensions().get::<Refused>().is_some();
    // Whoever is refused sees no page: a page shows what is here.
    let page = page_asked(&server, request.uri(), request.headers()).filter(|_| !refused);
    let visit = Visit::of(&server, &request);
    let (route, method) = (visit.route.clone(), method_name(&visit.method));
    let span = tracing::info_span!("request", request_id = %id, method, route);
    let answering = async {
        match visit.serve(&server, request, next).await {
            Ok(response) => compatible::handed_over(response),
            Err(problem) => problem.into_response(),
        }
    };
    let mut response = answering.instrument(span.clone()).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let shown = match page {
            Some(parts) => pages::error_page(&server, parts, &problem).await,
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
    server.metrics().request(&route, method, status, time);
    span.in_scope(|| tracing::info!(status, millis = time.as_secs_f64() * 1000.0, "answered"));
    response
}

/// A method by its name; all that we do not know have one name together, whatever they are called and however long.
fn method_name(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("(other)")
}

/// A request on its way through the door.
struct Visit {
    route: String,
    /// It leads somewhere.
    leads: bool,
    method: Method,
    peer: Peer,
}

impl Visit {
    fn of(server: &ServerState, request: &Request) -> Self {
        let connected = request.extensions().get::<ConnectedFrom>().map(|from| from.0);
        let peer = Peer::of_request(connected, request.headers(), &server.options().proxies);
        let untold = server.has_accounts() && server.options().proxies.is_empty();
        if untold && is_forwarded(request.headers()) {
            NO_PROXY_TOLD.call_once(|| {
                tracing::warn!(
                    "requests come through a proxy that this server was not told of: all who are not signed in are \
                     counted as one; name the proxy's address with --proxy"
                );
            });
        }
        let matched = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
        Self {
            leads: matched.is_some(),
            route: matched.unwrap_or_else(|| "(none)".to_owned()),
            method: request.method().clone(),
            peer,
        }
    }

    /// Serves a request that may be served. What refuses it comes before anything of its body is read.
    async fn serve(
        self,
        server: &ServerState,
        mut request: Request,
        next: Next,
    ) -> Result<Response, Problem> {
        if let Some(Refused(why)) = request.extensions().get::<Refused>() {
            return Err(Problem::new(StatusCode::FORBIDDEN, "other_user", why.clone()));
        }
        admit(server, &request)?;
        if HEALTH.contains(&self.route.as_str()) {
            // Whoever looks after the server hears how it is, however much is asked by others.
            request.extensions_mut().insert(server.alone().unwrap_or_else(|| server.stranger()));
            return Ok(next.run(request).await);
        }
        let caller = self.caller(server, request.headers()).await?;
        let payer = match &caller.account {
            Some(account) => Payer::Account(Arc::clone(account)),
            None if server.has_accounts() => Payer::Stranger(self.peer),
            None => Payer::Owner,
        };
        let (budgets, announced) = (server.budgets(), announced(request.headers()));
        budgets.request(&payer, &self.route, &self.method, self.peer)?;
        let allowed = budgets::allowed(server.options(), server.largest_file(), &self.route, &self.method);
        allowed.check(announced)?;
        let long = budgets.long(&payer, &self.route, &self.method)?;
        let also = budgets.upload(&payer, &self.route, announced)?;
        let charge = budgets.body(&payer);
        let body = Arc::clone(&charge);
        let mut request = request.map(|inner| Body::new(Counted::new(inner, body, allowed, also)));
        request.extensions_mut().insert(caller.clone());
        request.extensions_mut().insert(self.peer);
        let answering = async {
            if self.leads { idempotency::once(&caller, request, next).await } else { next.run(request).await }
        };
        let answering = AssertUnwindSafe(answering).catch_unwind().await;
        if let Some(problem) = charge.refused() {
            return Err(problem);
        }
        let response = answering.map_err(|_| {
            // One request that breaks down is not the end of the others.
            tracing::error!("a handler broke down");
            let detail = "Something broke down here. The log has the id of this request.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
        })?;
        Ok(match long {
            Some(long) => response.map(|body| Holding::wrap(body, long)),
            None => response,
        })
    }

    /// Who calls. Whoever shows something that counts for nothing is counted by the place they come from.
    async fn caller(&self, server: &ServerState, headers: &HeaderMap) -> Result<App, Problem> {
        if server.has_accounts() && self.route == METRICS {
            // Its key is no account's.
            return Ok(server.stranger());
        }
        let known = access::caller(server, &self.route, &self.method, headers).await;
        if known.as_ref().is_err_and(|problem| problem.status.is_client_error()) {
            server.budgets().stranger(self.peer)?;
        }
        known
    }
}

/// How large a body says it is.
fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// What is needed to tell a person in a browser what went wrong, if one asks.
fn page_asked(server: &ServerState, uri: &Uri, headers: &HeaderMap) -> Option<Parts> {
    if !server.has_pages() {
        return None;
    }
    let (mut parts, ()) = HttpRequest::new(()).into_parts();
    (parts.uri, parts.headers) = (uri.clone(), headers.clone());
    pages::is_page(&parts).then_some(parts)
}

/// Whether a request may be served at all.
fn admit(server: &ServerState, request: &Request) -> Result<(), Problem> {
    let (headers, method) = (request.headers(), request.method());
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).unwrap_or_default();
    if hosts.next().is_some() {
        // A proxy may have looked at the other one.
        return Err(Problem::bad("several_hosts", "The request has two Host headers; it must have one."));
    }
    let target = request.uri().authority().map(axum::http::uri::Authority::as_str);
    if target.is_some_and(|target| !target.eq_ignore_ascii_case(host)) {
        let detail = "The request names one host in its first line and another in its Host header.";
        return Err(Problem::bad("several_hosts", detail));
    }
    let name = host_name(host);
    if !server.options().hosts.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        // A page of a stranger could otherwise reach this server by a name that leads here.
        let name: String = name.chars().take(LONGEST_TOLD).collect();
        let detail = format!("This server is not known as {name:?}. Call it by a name that it was told.");
        return Err(Problem::new(StatusCode::FORBIDDEN, "host_not_allowed", detail));
    }
    if method.is_safe() { not_embedded(headers) } else { same_site(headers, host) }
}

/// Whether a page of another site asks for something to read. It may lead a person here, and nothing else: what it asks
/// for in the background would be counted as theirs.
fn not_embedded(headers: &HeaderMap) -> Result<(), Problem> {
    let says = |name: &str, value: &str| headers.get(name).is_some_and(|said| said == value);
    let leads_here = says("sec-fetch-mode", "navigate") && says("sec-fetch-dest", "document");
    if says("sec-fetch-site", "cross-site") && !leads_here {
        let detail = "A page of another site may lead here by a link; it may not load anything from here.";
        return Err(Problem::new(StatusCode::FORBIDDEN, "cross_site", detail));
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
        let site: String = site.chars().take(LONGEST_TOLD).collect();
        return Err(refused(format!("A page of another site ({site}) may not do this.")));
    }
    if let Some(origin) = text(ORIGIN.as_str()) {
        let own = origin.split_once("://").is_some_and(|(scheme, authority)| {
            matches!(scheme, "http" | "https") && authority.eq_ignore_ascii_case(host)
        });
        if !own {
            let origin: String = origin.chars().take(LONGEST_TOLD).collect();
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
