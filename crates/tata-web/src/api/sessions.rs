//! Sessions: list, begin, look at, rename, delete.

use axum::{
    Json,
    http::{StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{Conversation, NewSession, Session, SessionChange, SessionFilter, SessionId, UsageTotal};
use utoipa::{IntoParams, ToSchema};

use super::rows;
use crate::{
    Problem,
    error::ProblemDocument,
    input::{Asked, Given},
    state::{App, Named},
};

/// A session at a glance.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionView {
    pub(crate) session_id: String,
    pub(crate) agent: String,
    pub(crate) title: Option<String>,
    pub(crate) user_id: Option<String>,
    pub(crate) model: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) updated_at: Timestamp,
    pub(crate) turn_count: u32,
    pub(crate) retrieval_count: u32,
    pub(crate) total_tokens_used: u64,
    /// `created` before anything was said, `active` while a turn is open, else `completed`.
    pub(crate) state: &'static str,
    /// A turn of it runs in this process.
    pub(crate) running: bool,
    /// The id of its last event that rests on the journal.
    pub(crate) last_event_id: String,
}

impl SessionView {
    pub(crate) fn of(session: Session, app: &App) -> Self {
        let state = match (session.turn_count, session.open_turn) {
            (0, _) => "created",
            (_, true) => "active",
            (_, false) => "completed",
        };
        Self {
            running: app.services.host.is_running(session.id),
            session_id: session.id.to_string(),
            agent: session.agent,
            title: session.title,
            user_id: session.user_id,
            model: session.model,
            created_at: session.created_at,
            updated_at: session.updated_at,
            turn_count: session.turn_count,
            retrieval_count: session.retrieval_count,
            total_tokens_used: session.total_tokens_used,
            state,
            last_event_id: session.last_position.to_string(),
        }
    }
}

/// A page of sessions.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionPage {
    sessions: Vec<SessionView>,
    /// Hand it over as `cursor` for the next page; none on the last.
    next_cursor: Option<String>,
    /// Sessions that cannot be read.
    damaged: usize,
}

/// Which sessions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only with this agent.
    agent: Option<String>,
    /// Only those whose title contains this.
    title: Option<String>,
    /// How many at most, up to 200.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// Where the last page ended.
    cursor: Option<String>,
}

/// The caller's sessions, the last used first.
#[utoipa::path(get, path = "/api/v1/sessions", tag = "sessions", params(Which),
    responses((status = 200, body = SessionPage), (status = 400, body = ProblemDocument)))]
pub(crate) async fn list(app: App, Asked(which): Asked<Which>) -> Result<Json<SessionPage>, Problem> {
    let most = rows(which.limit)?;
    let after = which.cursor.as_deref().map(read_cursor).transpose()?;
    // Without a cursor one more than the page tells whether there is another.
    let limit = if after.is_none() { u32::try_from(most + 1).ok() } else { None };
    let filter =
        SessionFilter { agent: which.agent, title_contains: which.title, limit, ..SessionFilter::default() };
    let listing = app.desk().list(filter).await?;
    let place = |session: &Session| (session.updated_at, session.id);
    let behind = |session: &Session| after.is_none_or(|after| place(session) < after);
    let mut sessions: Vec<Session> = listing.sessions.into_iter().filter(behind).collect();
    sessions.sort_by_key(|session| std::cmp::Reverse(place(session)));
    let more = sessions.len() > most;
    sessions.truncate(most);
    let next_cursor = sessions.last().filter(|_| more).map(|last| {
        let (at, id) = place(last);
        format!("{}_{id}", at.as_millisecond())
    });
    let sessions = sessions.into_iter().map(|session| SessionView::of(session, &app)).collect();
    Ok(Json(SessionPage { sessions, next_cursor, damaged: listing.damaged.len() }))
}

fn read_cursor(cursor: &str) -> Result<(Timestamp, SessionId), Problem> {
    let read = || {
        let (at, id) = cursor.split_once('_')?;
        Some((Timestamp::from_millisecond(at.parse().ok()?).ok()?, id.parse().ok()?))
    };
    let detail = "cursor must be the next_cursor of another page.";
    read()
        .ok_or_else(|| Problem { field: Some("cursor".to_owned()), ..Problem::bad("invalid_cursor", detail) })
}

/// A session to begin.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Beginning {
    /// The agent it talks with; the usual one when none is named.
    agent: Option<String>,
    /// A name for people.
    #[schema(min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Another model than the agent's.
    model: Option<String>,
}

/// Begins a session.
#[utoipa::path(post, path = "/api/v1/sessions", tag = "sessions", request_body = Beginning,
    responses((status = 201, body = SessionView), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn create(app: App, Given(new): Given<Beginning>) -> Result<Response, Problem> {
    let session = begin(&app, new.agent, new.model, new.title).await?;
    let place = format!("/api/v1/sessions/{}", session.id);
    let view = Json(SessionView::of(session, &app));
    Ok((StatusCode::CREATED, [(LOCATION, place)], view).into_response())
}

/// Begins a session with an agent that is there.
pub(crate) async fn begin(
    app: &App,
    agent: Option<String>,
    model: Option<String>,
    title: Option<String>,
) -> Result<Session, Problem> {
    let agents = &app.services.agents;
    let agent = agent.unwrap_or_else(|| agents.usual.clone());
    if !agents.known.iter().any(|known| known.name == agent) {
        let known: Vec<&str> = agents.known.iter().map(|known| known.name.as_str()).collect();
        let detail = format!("There is no agent {agent:?}. There are: {}.", known.join(", "));
        return Err(Problem {
            field: Some("agent".to_owned()),
            ..Problem::not_found("agent_not_found", detail)
        });
    }
    // An agent that cannot answer is no use to begin with.
    app.agent(&agent, model.clone(), true).await?;
    if let Some(title) = &title {
        let length = title.chars().count();
        if length == 0 || length > tata_core::LONGEST_TITLE {
            return Err(tata_core::DeskError::Title(length).into());
        }
    }
    let services = &app.services;
    let user_id = services.person.user_id.clone();
    let new = NewSession { title, user_id, model, ..NewSession::with(agent, services.clock.now()) };
    Ok(services.store.create_session(new).await?)
}

/// A session in full, but for what was said.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionDetail {
    #[serde(flatten)]
    session: SessionView,
    /// What a person must decide before the open turn can go on.
    #[schema(value_type = Vec<Object>)]
    questions: Vec<tata_core::Question>,
    /// What the program asks below the last answer.
    #[schema(value_type = Option<Object>)]
    asks: Option<tata_core::Question>,
    /// What its requests used.
    #[schema(value_type = Object)]
    usage: UsageTotal,
    /// What people thought of its answers.
    #[schema(value_type = Vec<Object>)]
    feedback: Vec<tata_core::Feedback>,
}

/// A session.
#[utoipa::path(get, path = "/api/v1/sessions/{id}", tag = "sessions", params(("id" = String, Path)),
    responses((status = 200, body = SessionDetail), (status = 404, body = ProblemDocument)))]
pub(crate) async fn show(app: App, Named(session): Named) -> Result<Json<SessionDetail>, Problem> {
    let store = &app.services.store;
    let records = store.records(session.id, 0).await?;
    let usage = store.usage(session.id).await?;
    let conversation = Conversation::fold("", &records);
    Ok(Json(SessionDetail {
        questions: conversation.questions().to_vec(),
        asks: conversation.closing_question().cloned(),
        usage: usage.iter().collect(),
        feedback: store.feedback(session.id).await?,
        session: SessionView::of(session, &app),
    }))
}

/// What to change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    /// Another name.
    #[schema(min_length = 1, max_length = 200)]
    title: Option<String>,
    /// Another model; an empty one goes back to the agent's own.
    model: Option<String>,
}

/// Renames a session, or gives it another model.
#[utoipa::path(patch, path = "/api/v1/sessions/{id}", tag = "sessions", params(("id" = String, Path)), request_body = Change,
    responses((status = 200, body = SessionView), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn change(
    app: App,
    Named(mut session): Named,
    Given(change): Given<Change>,
) -> Result<Json<SessionView>, Problem> {
    if let Some(title) = &change.title {
        session = app.desk().rename(session.id, title).await?;
    }
    if let Some(model) = change.model.map(|model| Some(model).filter(|model| !model.is_empty())) {
        if model.is_some() {
            app.agent(&session.agent, model.clone(), true).await?;
        }
        let change = SessionChange { model: Some(model), ..SessionChange::default() };
        session = app.services.store.change_session(session.id, change).await?;
    }
    Ok(Json(SessionView::of(session, &app)))
}

/// Deletes a session and all that belongs to it. The audit keeps who did it.
#[utoipa::path(delete, path = "/api/v1/sessions/{id}", tag = "sessions", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument)))]
pub(crate) async fn delete(app: App, Named(session): Named) -> Result<StatusCode, Problem> {
    app.desk().delete(session.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
