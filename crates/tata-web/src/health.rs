//! Whether the process lives, whether it can serve, and what it has done.

use std::time::Duration;

use axum::{
    Json,
    http::{StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tata_core::{SessionFilter, StoreError};
use utoipa::ToSchema;

use crate::{Problem, access::admin, state::App};

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
pub(crate) async fn readyz(app: App) -> Result<Json<Alive>, Problem> {
    let unready = |detail: String| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", detail);
    if app.stopping.is_cancelled() {
        return Err(unready("This server is about to stop.".to_owned()));
    }
    let store = &app.root_store;
    let filter = SessionFilter { limit: Some(1), ..SessionFilter::default() };
    let unread = |error: StoreError| unready(error.for_user().to_owned());
    let listing = store.sessions(filter).await.map_err(unread)?;
    // After a turn that could not be written: whether a write goes well again. To take a lease is one.
    if app.services.metrics.is_unwritten()
        && let Some(session) = listing.sessions.first()
    {
        match store.begin(session.id, Duration::from_secs(1)).await {
            Ok(begun) => store.release(&begun.lease).await.map_err(unread)?,
            Err(StoreError::Busy { .. }) => {}
            Err(error) => return Err(unread(error)),
        }
        app.services.metrics.is_written();
    }
    Ok(Json(Alive { status: "ok", version: app.services.version.clone() }))
}

/// Counters in the text format of Prometheus: requests, turns, tokens, cost, call ids.
#[utoipa::path(get, path = "/metrics", tag = "health", responses((status = 200, content_type = "text/plain", body = String), (status = 403, body = crate::error::ProblemDocument)))]
pub(crate) async fn metrics(app: App) -> Result<Response, Problem> {
    let services = &app.services;
    // What all companies use is no company's business.
    if services.accounts {
        admin(&app)?;
    }
    let text = services.metrics.write(&(services.counters)(), services.host.running());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}
