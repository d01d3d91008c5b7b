//! Whether the process lives, whether it can serve, and what it has done.

use std::time::Duration;

use axum::{
    Json,
    extract::State,
    http::{
        HeaderMap, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tata_core::{SessionFilter, StoreError};
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::{
    Problem,
    state::{App, ServerState},
};

/// Those who ask whether the store can be used, at once: they are never counted. It is never closed.
static ASKING: Semaphore = Semaphore::const_new(2);

/// That the process lives.
#[derive(Serialize, ToSchema)]
pub(crate) struct Alive {
    /// Always `ok`.
    status: &'static str,
    /// The program's version.
    version: String,
}

/// Says that the process lives. Nothing else is looked at.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Alive)))]
pub(crate) async fn healthz(app: App) -> Json<Alive> {
    Json(Alive { status: "ok", version: app.services.version.clone() })
}

/// Says whether requests can be served: the store can be read, and its last write went well or can go well again.
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses((status = 200, body = Alive), (status = 503, body = crate::error::ProblemDocument)))]
pub(crate) async fn readyz(State(server): State<ServerState>) -> Result<Json<Alive>, Problem> {
    let unready = |detail: String| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", detail);
    if server.stopping().is_cancelled() {
        return Err(unready("This server is about to stop.".to_owned()));
    }
    let _place = ASKING.acquire().await.ok();
    let store = server.store();
    let filter = SessionFilter { limit: Some(1), ..SessionFilter::default() };
    let unread = |error: StoreError| unready(error.for_user().to_owned());
    let listing = store.sessions(filter).await.map_err(unread)?;
    // After a turn that could not be written: whether a write goes well again. To take a lease is one.
    if server.metrics().is_unwritten()
        && let Some(session) = listing.sessions.first()
    {
        match store.begin(session.id, Duration::from_secs(1)).await {
            Ok(begun) => store.release(&begun.lease).await.map_err(unread)?,
            Err(StoreError::Busy { .. }) => {}
            Err(error) => return Err(unread(error)),
        }
        server.metrics().is_written();
    }
    Ok(Json(Alive { status: "ok", version: server.version().to_owned() }))
}

/// Counters in the text format of Prometheus: requests, turns, tokens, cost, call ids.
#[utoipa::path(get, path = "/metrics", tag = "health", responses((status = 200, content_type = "text/plain", body = String),
        (status = 401, body = crate::error::ProblemDocument), (status = 403, body = crate::error::ProblemDocument)))]
pub(crate) async fn metrics(app: App, headers: HeaderMap) -> Result<Response, Problem> {
    let services = &app.services;
    // What all companies use is no company's business, and no admin's.
    if services.accounts {
        operator(&app, &headers)?;
    }
    let text = services.metrics.write(&(services.counters)(), services.host.running());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

/// Whether whoever looks after this server asks: they know the key that it was started with.
fn operator(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let sent = sent.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let known = app.options.metrics_key.as_deref().zip(sent);
    // Hashes are compared, so that the time it takes says nothing of the key.
    if known.is_some_and(|(key, (_, secret))| Sha256::digest(secret.trim()) == Sha256::digest(key)) {
        return Ok(());
    }
    let detail = "The counters of all companies are for whoever runs this server: send the value of TATA_METRICS_KEY, \
                  with which it was started, as `Authorization: Bearer …`. Without that value nobody may read them.";
    Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", detail))
}
