//! Every route that the document names, at the door: a new route without a row here fails.

use std::collections::BTreeMap;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_testkit::PlannedModel;

use crate::support::{World, local, read};

const NOBODY: &str = "1b4e28ba-2fa1-4d2b-883f-0016d3cca427";

/// What a route takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Takes {
    Nothing,
    Json,
    /// Bytes.
    File,
}

/// One row for each operation: method, path, what it takes, and whether it is about one session.
pub(crate) const ROWS: &[(&str, &str, Takes)] = &[
    ("get", "/healthz", Takes::Nothing),
    ("get", "/readyz", Takes::Nothing),
    ("get", "/metrics", Takes::Nothing),
    ("get", "/openapi.json", Takes::Nothing),
    ("get", "/api/v1/sessions", Takes::Nothing),
    ("post", "/api/v1/sessions", Takes::Json),
    ("get", "/api/v1/sessions/{id}", Takes::Nothing),
    ("patch", "/api/v1/sessions/{id}", Takes::Json),
    ("delete", "/api/v1/sessions/{id}", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/turns", Takes::Json),
    ("get", "/api/v1/sessions/{id}/turns/{turn}", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/turns/{turn}/events", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/events", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/cancel", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/resume", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/decisions", Takes::Json),
    ("post", "/api/v1/sessions/{id}/undo", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/feedback", Takes::Json),
    ("get", "/api/v1/sessions/{id}/messages", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/materials", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/files", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/files", Takes::File),
    ("get", "/api/v1/sessions/{id}/files/{digest}", Takes::Nothing),
    ("get", "/api/v1/search", Takes::Nothing),
    ("get", "/api/v1/documents", Takes::Nothing),
    ("post", "/api/v1/documents", Takes::File),
    ("delete", "/api/v1/documents", Takes::Nothing),
    ("get", "/api/v1/documents/search", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/artifacts", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/artifacts/{kind}", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/artifacts/{kind}/versions", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/artifacts/{kind}/diff", Takes::Nothing),
    ("get", "/api/v1/sessions/{id}/artifacts/{kind}/export", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/artifacts/{kind}/approve", Takes::Json),
    ("post", "/api/v1/sessions/{id}/artifacts/{kind}/restore", Takes::Json),
    ("get", "/api/v1/agents", Takes::Nothing),
    ("get", "/api/v1/models", Takes::Nothing),
    ("get", "/api/v1/tools", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/tools/{tool}", Takes::Json),
    ("get", "/api/v1/sessions/{id}/tools/{tool}/form", Takes::Nothing),
    ("post", "/api/v1/sessions/{id}/tools/{tool}/answers", Takes::Json),
    ("post", "/api/v1/sign-in", Takes::Json),
    ("post", "/api/v1/sign-out", Takes::Nothing),
    ("get", "/api/v1/me", Takes::Nothing),
    ("put", "/api/v1/me/password", Takes::Json),
    ("get", "/api/v1/keys", Takes::Nothing),
    ("post", "/api/v1/keys", Takes::Json),
    ("delete", "/api/v1/keys/{key}", Takes::Nothing),
    ("get", "/api/v1/accounts", Takes::Nothing),
    ("post", "/api/v1/accounts", Takes::Json),
    ("patch", "/api/v1/accounts/{account}", Takes::Json),
    ("get", "/api/v1/accounts/{account}/keys", Takes::Nothing),
    ("delete", "/api/v1/accounts/{account}/keys/{key}", Takes::Nothing),
    ("get", "/api/v1/usage", Takes::Nothing),
    ("get", "/api/v1/audit", Takes::Nothing),
    ("post", "/api/chat", Takes::Json),
    ("post", "/api/chat/{id}", Takes::Json),
    ("get", "/api/session/{id}", Takes::Nothing),
    ("post", "/api/session/{id}/reset", Takes::Nothing),
    ("get", "/v1/models", Takes::Nothing),
    ("get", "/v1/models/{model}", Takes::Nothing),
    ("post", "/v1/chat/completions", Takes::Json),
    ("post", "/v1/responses", Takes::Json),
];

fn document() -> Value {
    tata_web::openapi()
}

pub(crate) fn filled(path: &str, session: &str) -> String {
    let path = path.replace("{id}", session).replace("{turn}", "1").replace("{kind}", "Profile");
    path.replace("{tool}", "look_up")
        .replace("{model}", "tata")
        .replace("{key}", "k")
        .replace("{digest}", "d")
        .replace("{account}", NOBODY)
}

pub(crate) fn method(name: &str) -> Method {
    Method::from_bytes(name.to_uppercase().as_bytes()).unwrap()
}

async fn world() -> World {
    World::new(PlannedModel::new("planned")).await
}

/// The problem's code, in whichever shape it came.
pub(crate) fn code(answer: &Value) -> &str {
    answer["code"].as_str().or(answer["error"]["code"].as_str()).unwrap_or_default()
}

#[test]
fn every_operation_of_the_document_has_a_row() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{}", document["openapi"]);
    let mut found = BTreeMap::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            found.insert((method.clone(), path.clone()), operation.clone());
        }
    }
    let rows: Vec<_> =
        ROWS.iter().map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned())).collect();
    let missing: Vec<_> = found.keys().filter(|operation| !rows.contains(operation)).collect();
    assert!(missing.is_empty(), "without a row: {missing:?}");
    for (method, path, takes) in ROWS {
        let operation = found.get(&((*method).to_owned(), (*path).to_owned()));
        let operation = operation.unwrap_or_else(|| panic!("{method} {path} is not in the document"));
        assert!(operation["summary"].is_string() || operation["description"].is_string(), "{path}");
        assert_eq!(operation["requestBody"].is_object(), *takes != Takes::Nothing, "{method} {path}");
        let statuses: Vec<_> = operation["responses"].as_object().unwrap().keys().collect();
        assert_eq!(
            path.contains("{id}"),
            statuses.contains(&&"404".to_owned()) && path.contains("{id}"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn every_row_leads_somewhere_and_nothing_else_does() {
    let world = world().await;
    for (name, path, takes) in ROWS {
        let session = world.session().await;
        let session = session.rsplit('/').next().unwrap();
        let mut request = world.request(method(name), &filled(path, session));
        if *takes == Takes::Json {
            request = request.json(&json!({}));
        }
        let (status, answer) = read(request.send().await.unwrap()).await;
        assert!(!status.is_server_error(), "{name} {path}: {status} {answer}");
        assert!(!["no_such_route", "method_not_allowed"].contains(&code(&answer)), "{name} {path}: {answer}");
    }
    let (status, answer) = world.get("/api/v2/sessions").await;
    assert_eq!((status, code(&answer)), (StatusCode::NOT_FOUND, "no_such_route"));
    let wrong = world.request(Method::DELETE, "/healthz").send().await.unwrap();
    assert_eq!(wrong.status(), StatusCode::METHOD_NOT_ALLOWED);
}

/// S3: pages of others cannot change anything, whatever they say about themselves.
#[tokio::test]
async fn nothing_is_changed_for_pages_of_others() {
    let world = world().await;
    let session = world.session().await;
    let session = session.rsplit('/').next().unwrap();
    let foreign = [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost:1"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ];
    for (name, path, _) in ROWS.iter().filter(|(name, ..)| *name != "get") {
        for (header, value) in foreign {
            let request = world.request(method(name), &filled(path, session)).header(header, value);
            let (status, answer) = read(request.json(&json!({})).send().await.unwrap()).await;
            assert_eq!(
                (status, code(&answer)),
                (StatusCode::FORBIDDEN, "cross_site"),
                "{name} {path} {header}: {value}"
            );
        }
    }
    let own = world.request(Method::POST, "/api/v1/sessions").header("origin", &world.base);
    let own = own.header("sec-fetch-site", "same-origin").json(&json!({})).send().await.unwrap();
    assert_eq!(own.status(), StatusCode::CREATED);
    assert!(world.store.session(session.parse().unwrap()).await.unwrap().is_some());
}

/// A name that leads here by somebody else's will is not ours.
#[tokio::test]
async fn only_known_hosts_are_served() {
    let world = world().await;
    for (name, path, _) in ROWS {
        let request = world.request(method(name), &filled(path, NOBODY)).header("host", "rebound.example");
        let (status, answer) = read(request.json(&json!({})).send().await.unwrap()).await;
        assert_eq!((status, code(&answer)), (StatusCode::FORBIDDEN, "host_not_allowed"), "{name} {path}");
    }
    let local = world.request(Method::GET, "/healthz").header("host", "LOCALHOST:99").send().await.unwrap();
    assert_eq!(local.status(), StatusCode::OK);
}

/// S1 (as far as one person goes): a session that is not there is not there, on every route.
#[tokio::test]
async fn a_session_that_is_not_there_is_told_on_every_route() {
    let world = world().await;
    for (name, path, takes) in ROWS.iter().filter(|(_, path, _)| path.contains("{id}")) {
        for (id, status, wanted) in [
            (NOBODY, StatusCode::NOT_FOUND, "session_not_found"),
            ("nonsense", StatusCode::BAD_REQUEST, "invalid_session_id"),
        ] {
            let mut request = world.request(method(name), &filled(path, id));
            if *takes == Takes::Json {
                request =
                    request.json(&json!({"message": "x", "rating": "up", "version": 1, "decisions": []}));
            }
            let (found, answer) = read(request.send().await.unwrap()).await;
            assert_eq!((found, code(&answer)), (status, wanted), "{name} {path}: {answer}");
        }
    }
}

/// R7, S10: every body has its limit, its type and its shape.
#[tokio::test]
async fn every_body_is_checked() {
    let world =
        World::with(PlannedModel::new("planned"), tata_web::ServerOptions { largest_body: 5000, ..local() })
            .await;
    let session = world.session().await;
    let session = session.rsplit('/').next().unwrap();
    let deep = format!("{}1{}", "[".repeat(2000), "]".repeat(2000));
    let large = format!("{{\"message\": \"{}\"}}", "x".repeat(6000));
    for (name, path, _) in ROWS.iter().filter(|(.., takes)| *takes == Takes::Json) {
        for (kind, body, status) in [
            ("text/plain", "{}", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("application/x-www-form-urlencoded", "a=b", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("application/json", "{", StatusCode::BAD_REQUEST),
            ("application/json", "\u{0}", StatusCode::BAD_REQUEST),
            ("application/json", "[]", StatusCode::UNPROCESSABLE_ENTITY),
            ("application/json", large.as_str(), StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            let request = world.request(method(name), &filled(path, session)).header("content-type", kind);
            let (found, answer) = read(request.body(body.to_owned()).send().await.unwrap()).await;
            assert_eq!(
                found,
                status,
                "{name} {path} {kind} {}: {answer}",
                body.chars().take(20).collect::<String>()
            );
        }
        let request =
            world.request(method(name), &filled(path, session)).header("content-type", "application/json");
        let found = request.body(deep.clone()).send().await.unwrap().status();
        assert!(found.is_client_error(), "{name} {path}: {found}");
    }
}

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    let options = tata_web::ServerOptions { requests_per_second: 1, burst: 3, ..local() };
    let world = World::with(PlannedModel::new("planned"), options).await;
    let mut last = None;
    for _ in 0..4 {
        last = Some(world.request(Method::GET, "/api/v1/agents").send().await.unwrap());
    }
    let last = last.unwrap();
    assert_eq!(
        (last.status(), &last.headers()["retry-after"]),
        (StatusCode::TOO_MANY_REQUESTS, &"1".parse().unwrap())
    );
    assert_eq!(code(&read(last).await.1), "too_many_requests");
}

/// S4: what every answer carries, whatever it is.
#[tokio::test]
async fn every_answer_is_safe_to_look_at() {
    let world = world().await;
    for (name, path, _) in ROWS {
        let response = world
            .request(method(name), &filled(path, NOBODY))
            .header("x-request-id", "abc-12345678")
            .send()
            .await
            .unwrap();
        let headers = response.headers();
        for (header, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("x-request-id", "abc-12345678"),
        ] {
            assert_eq!(
                headers.get(header).and_then(|value| value.to_str().ok()),
                Some(value),
                "{name} {path} {header}"
            );
        }
        assert!(headers["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"));
        assert!(headers.get("access-control-allow-origin").is_none());
    }
    let odd = world.request(Method::GET, "/healthz").header("x-request-id", "<script>").send().await.unwrap();
    assert_ne!(odd.headers()["x-request-id"], "<script>");
}
