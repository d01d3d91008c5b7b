//! All routes behind the one door.

use std::sync::LazyLock;

use axum::{
    Extension, Router,
    body::Body,
    extract::Request,
    http::{Method, StatusCode, header::CONTENT_TYPE},
    middleware,
    response::{IntoResponse, Response},
    routing::any,
};
use futures_util::StreamExt;

use crate::{
    Mounted, Problem,
    guard::guard,
    pages,
    routes::{documented, openapi},
    secrets::RoutesWithSecrets,
    state::{App, ServerState},
};

/// The routes as a service, for whoever brings their own server. The options say which hosts are known.
pub fn router(services: crate::Services, options: crate::ServerOptions) -> Router {
    assemble(&ServerState::new(services, options, tokio_util::sync::CancellationToken::new()))
}

static ROUTES_WITH_SECRETS: LazyLock<RoutesWithSecrets> =
    LazyLock::new(|| RoutesWithSecrets::read(&openapi()));

/// All routes behind the one door.
pub(crate) fn assemble(server: &ServerState) -> Router {
    let (mut routes, _) = documented().split_for_parts();
    if server.has_pages() {
        routes = routes.merge(pages::routes());
    }
    if let Some(mounted) = server.mcp() {
        routes = routes.route("/mcp", any(move |app: App, request: Request| pass(mounted, app, request)));
    }
    routes
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_this_way)
        .layer(middleware::from_fn_with_state(server.clone(), guard))
        .layer(Extension(ROUTES_WITH_SECRETS.clone()))
        .with_state(server.clone())
}

async fn pass(mounted: Mounted, app: App, request: Request) -> Response {
    match mounted(app.caller(), request).await {
        Ok(response) => until_over(&app, response.map(Body::new)),
        Err(why) => {
            tracing::error!(why, "a mounted service");
            let detail = "This cannot be offered now; the log says why.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail).into_response()
        }
    }
}

/// A stream ends when its listener may no longer hear it.
fn until_over(app: &App, response: Response) -> Response {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("text/event-stream") {
        return response;
    }
    let over = Box::pin(app.presence.until_over(app));
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(over)))
}

async fn nothing_here() -> Problem {
    Problem::not_found("no_such_route", "There is nothing here. GET /openapi.json lists what there is.")
}

async fn not_this_way(method: Method) -> Problem {
    let detail = format!("{method} is not possible here. GET /openapi.json lists what is.");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
}
