//! The routes of the retrieval service: one call, one answer.

use axum::{Json, http::HeaderMap, response::Response};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{Input, Session};
use utoipa::ToSchema;

use super::{
    Report,
    messages::{MessageView, alternating},
    sessions,
    turns::answer,
};
use crate::{
    Problem,
    error::ProblemDocument,
    events,
    input::Given,
    state::{App, Named},
};

/// A message for an agent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChatMessage {
    /// What is said.
    #[schema(min_length = 1, pattern = r"\S")]
    message: String,
    /// A session to go on with; a new one when none is named. Not with `/api/chat/{id}`.
    #[schema(format = "uuid")]
    session_id: Option<String>,
    /// The agent of a new session.
    agent: Option<String>,
    /// The model of a new session.
    model: Option<String>,
}

/// Says something in a session, or in a new one, and waits for the answer. With `Accept: text/event-stream` its events
/// follow.
#[utoipa::path(post, path = "/api/chat", tag = "chat", request_body = ChatMessage,
    responses((status = 200, body = Report), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument),
        (status = 422, body = ProblemDocument)))]
pub(crate) async fn chat(
    app: App,
    headers: HeaderMap,
    Given(given): Given<ChatMessage>,
) -> Result<Response, Problem> {
    check(&given)?;
    let session = match &given.session_id {
        Some(id) => app.desk().session(id.parse()?).await?,
        None => sessions::begin(&app, given.agent, given.model, None).await?,
    };
    say(&app, &session, given.message, &headers).await
}

/// Says something in a session and waits for the answer.
#[utoipa::path(post, path = "/api/chat/{id}", tag = "chat", params(("id" = String, Path)), request_body = ChatMessage,
    responses((status = 200, body = Report), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument),
        (status = 422, body = ProblemDocument)))]
pub(crate) async fn chat_in(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Given(given): Given<ChatMessage>,
) -> Result<Response, Problem> {
    check(&given)?;
    if given.session_id.is_some_and(|id| id != session.id.to_string()) {
        return Err(Problem::invalid("session_id", "session_id names another session than the path."));
    }
    say(&app, &session, given.message, &headers).await
}

fn check(given: &ChatMessage) -> Result<(), Problem> {
    if given.message.trim().is_empty() {
        return Err(Problem::invalid("message", "message is empty; say something."));
    }
    Ok(())
}

async fn say(
    app: &App,
    session: &Session,
    message: String,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let agent = app.agent_of(session).await?;
    let begun = events::begin(app, &agent, session.id, Input::say(message)).await?;
    answer(app, begun, true, headers).await
}

/// A conversation and what was said in it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConversationView {
    session_id: String,
    user_id: Option<String>,
    /// `created`, `active` or `completed`.
    state: &'static str,
    messages: Vec<MessageView>,
    turn_count: u32,
    retrieval_count: u32,
    total_tokens_used: u64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// A conversation and what was said in it; messages alternate between user and assistant.
#[utoipa::path(get, path = "/api/session/{id}", tag = "chat", params(("id" = String, Path)),
    responses((status = 200, body = ConversationView), (status = 404, body = ProblemDocument)))]
pub(crate) async fn session(app: App, Named(session): Named) -> Result<Json<ConversationView>, Problem> {
    let records = app.services.store.records(session.id, 0).await?;
    let view = sessions::SessionView::of(session, &app);
    Ok(Json(ConversationView {
        messages: alternating(&records),
        session_id: view.session_id,
        user_id: view.user_id,
        state: view.state,
        turn_count: view.turn_count,
        retrieval_count: view.retrieval_count,
        total_tokens_used: view.total_tokens_used,
        created_at: view.created_at,
        updated_at: view.updated_at,
    }))
}

/// The session after a reset.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ResetDone {
    session_id: String,
    /// How many turns were taken back.
    turns_undone: u32,
}

/// Takes all turns of a session back: the next message begins anew. Documents stay, and so does the journal.
#[utoipa::path(post, path = "/api/session/{id}/reset", tag = "chat", params(("id" = String, Path)),
    responses((status = 200, body = ResetDone), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument)))]
pub(crate) async fn reset(app: App, Named(session): Named) -> Result<Json<ResetDone>, Problem> {
    if app.services.host.is_running(session.id) {
        return Err(tata_core::NotStarted::Running(session.id).into());
    }
    if session.open_turn {
        let detail =
            "A turn of this session is not finished. Resume it, or decide what it asks, and then reset.";
        return Err(Problem::new(axum::http::StatusCode::CONFLICT, "turn_open", detail));
    }
    let agent = app.agent_of(&session).await?;
    let mut turns_undone = 0;
    while agent.undo(session.id).await?.is_some() {
        turns_undone += 1;
    }
    Ok(Json(ResetDone { session_id: session.id.to_string(), turns_undone }))
}
