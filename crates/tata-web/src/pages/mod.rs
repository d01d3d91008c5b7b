//! The pages: what a person reads and does in a browser.
//!
//! Every page is HTML with links and forms that work by themselves; scripts make them pleasant. Nothing that others wrote
//! reaches a page but through `clean`, or as text, and then through `hidden`.

mod account;
mod admin;
mod assets;
mod chat;
mod clean;
mod day;
mod depth;
mod diff;
mod document;
mod documents;
mod forms;
mod hidden;
mod knowledge;
mod models;
mod panel;
mod projects;
mod reference;
mod sample;
mod services;
mod settings;
mod shown_text;
mod sign_in;
mod turns;
mod ui;
mod upload;
mod words;

use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRequestParts},
    http::{StatusCode, header::ACCEPT, request::Parts},
    response::Response,
    routing::{get, post},
};

pub use services::{
    Choice, ChoiceKind, ChoiceName, Collection, DoorFuture, Finding, Kept, Naming, Pages, PassageFound,
    Probe, Sample, SampleSteps, ShowDocument, ShownDocument, SourceShown, Taken, TextPiece,
};

use crate::{Problem, access::oidc::BACK, budgets::MOST_FORM_BYTES, state::ServerState};

/// The routes of the pages.
pub(crate) fn routes() -> Router<ServerState> {
    Router::new()
        .route("/sign-in", get(sign_in::show).post(sign_in::enter))
        .route("/sign-in/company", get(sign_in::company))
        .route(BACK, get(sign_in::back))
        .route("/sign-out", post(sign_in::leave))
        .route("/", get(chat::start))
        .route("/say", post(chat::begin))
        .route("/p/{id}", get(chat::project))
        .route("/p/{id}/say", post(chat::say))
        .route("/p/{id}/stop", post(chat::stop))
        .route("/p/{id}/again", post(chat::again))
        .route("/p/{id}/resume", post(chat::resume))
        .route("/p/{id}/decide", post(chat::decide))
        .route("/p/{id}/model", post(chat::other_model))
        .route("/t/{tool}", post(forms::begin))
        .route("/p/{id}/t/{tool}", get(forms::show).post(forms::send))
        .route("/p/{id}/turns/{turn}", get(chat::turn))
        .route("/p/{id}/d", get(document::newest))
        .route("/p/{id}/d/{kind}", get(document::show))
        .route("/p/{id}/d/{kind}/file", get(document::file))
        .route("/p/{id}/d/{kind}/approve", post(document::approve))
        .route("/p/{id}/d/{kind}/restore", post(document::restore))
        .route("/p/{id}/d/{kind}/choose", post(document::choose))
        .route("/p/{id}/rename", post(projects::rename))
        .route("/p/{id}/pin", post(projects::pin))
        .route("/p/{id}/delete", post(projects::delete))
        .route("/p/{id}/undelete", post(projects::undelete))
        .route("/projects", get(projects::list))
        .route("/documents", get(documents::list))
        .route("/knowledge", get(knowledge::list))
        .route("/knowledge/add", post(knowledge::add))
        .route("/knowledge/remove", post(knowledge::remove))
        .route("/models", get(models::list))
        .route("/models/check", post(models::check))
        .route("/account", get(account::show))
        .route("/account/password", post(account::password))
        .route("/account/keys", post(account::key))
        .route("/account/keys/end", post(account::end))
        .route("/admin", get(admin::show))
        .route("/admin/people", post(admin::add))
        .route("/admin/people/change", post(admin::change))
        .route("/admin/people/keys", get(admin::keys))
        .route("/admin/people/keys/end", post(admin::end_key))
        .route("/api", get(reference::show))
        .route("/settings", get(settings::show).post(settings::save))
        .route("/sample", post(sample::create))
        .route("/sample/remove", post(sample::remove))
        .route("/files/read", post(upload::preview))
        .route("/assets/{hash}/{name}", get(assets::asset))
        .layer(DefaultBodyLimit::max(MOST_FORM_BYTES))
}

/// Whether a person in a browser asks for a page: what goes wrong is then told as one.
pub(crate) fn is_page(parts: &Parts) -> bool {
    let accepts = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let path = parts.uri.path();
    let programs = ["/api/", "/v1/", "/mcp", "/openapi.json", "/healthz", "/readyz", "/metrics"];
    accepts.contains("text/html") && !programs.iter().any(|start| path.starts_with(start))
}

/// A page that says what went wrong.
pub(crate) async fn error_page(
    server: &ServerState,
    mut parts: Parts,
    problem: &Problem,
) -> Option<Response> {
    if problem.status == StatusCode::UNAUTHORIZED {
        return Some(ui::see("/sign-in"));
    }
    let ui = ui::Ui::from_request_parts(&mut parts, server).await.ok()?;
    ui.error(problem).ok()
}
