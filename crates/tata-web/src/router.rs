//! All routes behind the one door.

use axum::{
    Router,
    extract::Request,
    http::{Method, StatusCode},
    middleware,
    response::{IntoResponse, Response},
    routing::any,
};

use crate::{Mounted, Problem, guard::guard, pages, routes::documented, state::App};

/// The routes as a service, for whoever brings their own server. The options say which hosts are known.
pub fn router(services: crate::Services, options: crate::ServerOptions) -> Router {
    assemble(&App::new(services, options, tokio_util::sync::CancellationToken::new()))
}

/// All routes behind the one door.
pub(crate) fn assemble(app: &App) -> Router {
    let (mut routes, _) = documented().split_for_parts();
    if app.services.pages.is_some() {
        routes = routes.merge(pages::routes());
    }
    if let Some(mounted) = app.services.mcp.clone() {
        routes = routes.route("/mcp", any(move |app: App, request: Request| pass(mounted, app, request)));
    }
    routes
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_this_way)
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app.clone())
}

async fn pass(mounted: Mounted, app: App, request: Request) -> Response {
    match mounted(app.caller(), request).await {
        Ok(response) => response.into_response(),
        Err(why) => {
            tracing::error!(why, "a mounted service");
            let detail = "This cannot be offered now; the log says why.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail).into_response()
        }
    }
}

async fn nothing_here() -> Problem {
    Problem::not_found("no_such_route", "There is nothing here. GET /openapi.json lists what there is.")
}

async fn not_this_way(method: Method) -> Problem {
    let detail = format!("{method} is not possible here. GET /openapi.json lists what is.");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
}
