//! Turns: say something, follow, cancel, resume, decide, undo, rate.

use axum::{
    Json,
    extract::Path,
    http::{HeaderMap, StatusCode, header::ACCEPT},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use tata_core::{Block, CallId, Decision, EventId, Input, Message, Rating, SessionId};
use utoipa::{IntoParams, ToSchema};

use super::{Report, files};
use crate::{
    Problem,
    error::ProblemDocument,
    events::{self, Begun},
    input::{Asked, Given, header},
    recover::stop,
    state::{App, Named},
};

/// What a person says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saying {
    /// The words, up to 4 MiB; they may be missing where files speak.
    #[serde(default)]
    message: String,
    /// Files of this session that were brought before, by their digests. The text of each is a material of its own.
    #[serde(default)]
    files: Vec<String>,
    /// The seal of the question of the program that the person had before them, as the last thing on the screen: with it, a
    /// plain yes or no answers that question. Without it nothing is decided by a message.
    #[serde(default)]
    answers: Option<String>,
    /// Wait for the end of the turn and answer with its report.
    #[serde(default)]
    wait: bool,
}

/// A turn that has begun.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TurnBegun {
    session_id: String,
    turn_number: u32,
    /// Where its events are.
    events: String,
}

/// Says something: a turn begins and runs to its end, whoever listens. With `Accept: text/event-stream` its events follow.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/turns", tag = "turns", params(("id" = String, Path)), request_body = Saying,
    responses((status = 202, body = TurnBegun), (status = 200, body = Report), (status = 404, body = ProblemDocument),
        (status = 409, body = ProblemDocument), (status = 413, body = ProblemDocument), (status = 422, body = ProblemDocument),
        (status = 429, body = ProblemDocument)))]
pub(crate) async fn say(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Given(saying): Given<Saying>,
) -> Result<Response, Problem> {
    if saying.message.trim().is_empty() && saying.files.is_empty() {
        return Err(Problem::invalid("message", "message is empty; say something, or name a file."));
    }
    let mut blocks = files::texts(&app, session.id, &saying.files).await?;
    if !saying.message.trim().is_empty() {
        blocks.push(Block::text(saying.message));
    }
    let message = Message { blocks: blocks.into(), ..Message::user("") };
    let agent = app.agent_of(&session).await?;
    let input = app.desk().answer(session.id, message, saying.answers).await?;
    let begun = events::begin(&app, &agent, session.id, input).await?;
    answer(&app, begun, saying.wait, &headers).await
}

/// The answer to who began a turn, or let one go on: its events, its report, or where it can be followed.
pub(super) async fn answer(
    app: &App,
    begun: Begun,
    wait: bool,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let started = begun.started;
    let accepts = header(headers, ACCEPT.as_str())?.unwrap_or_default();
    let mut response = if accepts.contains("text/event-stream") {
        events::sse(app, begun.events())
    } else if wait {
        let report = begun.report(app).await?;
        Json(Report::from(&report)).into_response()
    } else {
        let (session_id, turn_number) = (started.session.to_string(), started.turn);
        let events = format!("/api/v1/sessions/{session_id}/turns/{turn_number}/events");
        (StatusCode::ACCEPTED, Json(TurnBegun { session_id, turn_number, events })).into_response()
    };
    response.extensions_mut().insert(started);
    Ok(response)
}

/// What a turn came to; while it runs, what there is of it.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/turns/{turn}", tag = "turns",
    params(("id" = String, Path), ("turn" = u32, Path)),
    responses((status = 200, body = Report), (status = 404, body = ProblemDocument)))]
pub(crate) async fn show(
    app: App,
    Named(session): Named,
    Path((_, turn)): Path<(String, String)>,
) -> Result<Json<Report>, Problem> {
    let found = app.services.host.report(session.id, number(&turn)?).await?;
    let report = found.ok_or_else(|| no_turn(&turn))?;
    Ok(Json(Report::from(&report)))
}

fn number(turn: &str) -> Result<u32, Problem> {
    turn.parse().map_err(|_| no_turn(turn))
}

fn no_turn(turn: &str) -> Problem {
    let turn: String = turn.chars().take(20).collect();
    Problem::not_found("turn_not_found", format!("There is no turn {turn} in this conversation."))
}

/// From where on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// The id of the last event that was heard; the header `Last-Event-ID` counts more.
    last_event_id: Option<String>,
}

fn heard(headers: &HeaderMap, from: &From) -> Result<Option<EventId>, Problem> {
    let given = header(headers, "last-event-id")?.or(from.last_event_id.as_deref());
    Ok(given.filter(|id| !id.is_empty()).map(str::parse).transpose()?)
}

/// The events of a turn, from its beginning or from `Last-Event-ID` on, to its end; the last one is always `finished`.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/turns/{turn}/events", tag = "turns",
    params(("id" = String, Path), ("turn" = u32, Path), From),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 204), (status = 404, body = ProblemDocument)))]
pub(crate) async fn events_of_turn(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Path((_, turn)): Path<(String, String)>,
    Asked(from): Asked<From>,
) -> Result<Response, Problem> {
    events::of_turn(&app, session.id, number(&turn)?, heard(&headers, &from)?).await
}

/// The events of a session, from `Last-Event-ID` on; without one, what happens from now on. 204 when no turn is open and
/// everything was heard.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/events", tag = "turns", params(("id" = String, Path), From),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 204), (status = 404, body = ProblemDocument)))]
pub(crate) async fn events_of_session(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Asked(from): Asked<From>,
) -> Result<Response, Problem> {
    let from = heard(&headers, &from)?.unwrap_or(EventId::at(session.last_position));
    let host = &app.services.host;
    if !session.open_turn && !host.is_running(session.id) && from.position >= session.last_position {
        return Ok(events::nothing_more());
    }
    Ok(events::sse(&app, host.follow(session.id, from)))
}

/// Whether something was done.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cancelled {
    /// A turn runs and was told to stop, here or by way of another replica.
    cancelled: bool,
}

/// Stops the running turn; what had arrived is kept.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/cancel", tag = "turns", params(("id" = String, Path)),
    responses((status = 200, body = Cancelled), (status = 404, body = ProblemDocument)))]
pub(crate) async fn cancel(app: App, Named(session): Named) -> Result<Json<Cancelled>, Problem> {
    Ok(Json(Cancelled { cancelled: stop(&app, &session).await? }))
}

/// Lets an interrupted turn go on.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/resume", tag = "turns", params(("id" = String, Path)),
    responses((status = 202, body = TurnBegun), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument)))]
pub(crate) async fn resume(app: App, headers: HeaderMap, Named(session): Named) -> Result<Response, Problem> {
    let agent = app.agent_of(&session).await?;
    let begun = events::begin(&app, &agent, session.id, Input::Resume).await?;
    answer(&app, begun, false, &headers).await
}

/// Decisions about what the open turn asks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deciding {
    decisions: Vec<DecisionGiven>,
    /// Wait for the end of the turn and answer with its report.
    #[serde(default)]
    wait: bool,
}

/// A decision about one call.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DecisionGiven {
    call_id: String,
    /// The seal of the question that was shown: the decision counts for nothing else.
    seal: String,
    /// `run`, `refuse` or `done`.
    #[schema(value_type = String)]
    decision: Decision,
}

/// Decides what the open turn asks, and lets it go on.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/decisions", tag = "turns", params(("id" = String, Path)), request_body = Deciding,
    responses((status = 202, body = TurnBegun), (status = 200, body = Report), (status = 404, body = ProblemDocument),
        (status = 409, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn decide(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Given(given): Given<Deciding>,
) -> Result<Response, Problem> {
    if given.decisions.is_empty() {
        return Err(Problem::invalid("decisions", "decisions is empty; decide about at least one call."));
    }
    let decided = given.decisions.into_iter();
    let decided = decided.map(|one| (CallId::from(one.call_id), Some(one.seal), one.decision));
    let input = app.desk().decide(session.id, &decided.collect::<Vec<_>>()).await?;
    let agent = app.agent_of(&session).await?;
    let begun = events::begin(&app, &agent, session.id, input).await?;
    answer(&app, begun, given.wait, &headers).await
}

/// The turn that was taken back.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Undone {
    /// None when there was none.
    turn_number: Option<u32>,
}

/// Takes the last turn back. Documents made in it stay.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/undo", tag = "turns", params(("id" = String, Path)),
    responses((status = 200, body = Undone), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument)))]
pub(crate) async fn undo(app: App, Named(session): Named) -> Result<Json<Undone>, Problem> {
    let turn_number = undo_last(&app, session.id).await?;
    Ok(Json(Undone { turn_number }))
}

async fn undo_last(app: &App, session: SessionId) -> Result<Option<u32>, Problem> {
    let session = app.desk().session(session).await?;
    Ok(app.agent_of(&session).await?.undo(session.id).await?)
}

/// What a person thought of an answer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rated {
    /// `up` or `down`.
    #[schema(value_type = String, pattern = "^(up|down)$")]
    rating: Rating,
    /// The turn; the last one when none is named.
    turn: Option<u32>,
    /// In their words, up to 16 KiB.
    comment: Option<String>,
}

/// Notes what a person thought of an answer; a later word on the same turn replaces it.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/feedback", tag = "turns", params(("id" = String, Path)), request_body = Rated,
    responses((status = 200, body = Object), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn rate(
    app: App,
    Named(session): Named,
    Given(rated): Given<Rated>,
) -> Result<Json<tata_core::Feedback>, Problem> {
    let given = app.desk().give_feedback(session.id, rated.turn, rated.rating, rated.comment).await?;
    Ok(Json(given))
}
