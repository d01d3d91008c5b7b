//! Events of turns as a stream of server-sent events, and turns as they are started and waited for.

use std::{convert::Infallible, time::Duration};

use axum::response::{
    IntoResponse, Response,
    sse::{Event as Frame, KeepAlive, Sse},
};
use futures_util::{Stream, StreamExt, stream};
use tata_core::{Agent, Entry, Event, EventId, Following, Input, SessionId, Told, TurnReport};

use crate::{Problem, idempotency::StartedTurn, presence::Presence, state::App};

/// How soon a browser comes back when its stream ends.
const COME_BACK: Duration = Duration::from_secs(1);

/// A turn that has begun.
pub(crate) struct Begun {
    pub(crate) started: StartedTurn,
    /// What was told until then.
    head: Vec<Told>,
    following: Following,
}

/// Starts a turn and waits until what was said is stored, which takes a moment.
pub(crate) async fn begin(
    app: &App,
    agent: &Agent,
    session: SessionId,
    input: Input,
) -> Result<Begun, Problem> {
    let begins_a_turn = input.message().is_some();
    let host = &app.services.host;
    let account = app.account.as_deref();
    let counted = account.map(|account| app.budgets.running.start(host, account, session)).transpose()?;
    let mut following = host.start(agent, session, input).await?;
    drop(counted);
    Presence::look_after_turn(app, session);
    let mut head = Vec::new();
    while let Some(told) = following.next().await {
        let mut ours = None;
        if let Event::TurnStarted { turn, resumed, .. } = &told.event {
            ours = (*resumed != begins_a_turn).then_some(*turn);
        } else if let Event::Finished(report) = &told.event {
            if let Some(problem) = Problem::of_broken(report).filter(|_| !report.accepted) {
                return Err(problem);
            }
            // A turn that was open comes first. Its end is not that of this one, but it may be in the way.
            if begins_a_turn && is_unfinished(report) && !report.accepted {
                return Err(undecided());
            }
            ours = (!begins_a_turn).then_some(report.turn_number);
        }
        head.push(told);
        if let Some(turn) = ours {
            return Ok(Begun { started: StartedTurn { session, turn }, head, following });
        }
    }
    Err(over())
}

fn is_unfinished(report: &TurnReport) -> bool {
    !matches!(report.outcome, tata_core::TurnOutcome::Ended { .. })
}

fn undecided() -> Problem {
    let detail =
        "An earlier turn waits for a decision; nothing was taken in. Decide first, then say it again.";
    Problem::new(axum::http::StatusCode::CONFLICT, "decision_needed", detail)
}

fn over() -> Problem {
    let detail = "The turn ended before it had begun.";
    Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
}

impl Begun {
    /// Its events, to the end of the turn.
    pub(crate) fn events(self) -> impl Stream<Item = Told> + Send + 'static {
        let Self { started, head, following } = self;
        until_the_end(stream::iter(head).chain(following), started.turn)
    }

    /// Its events without those of what came before it, such as the end of an interrupted turn.
    pub(crate) fn own_events(mut self) -> impl Stream<Item = Told> + Send + 'static {
        let begins = |told: &Told| matches!(told.event, Event::TurnStarted { .. });
        if let Some(at) = self.head.iter().rposition(begins) {
            self.head.drain(..=at);
        }
        self.events()
    }

    /// Waits for its end.
    pub(crate) async fn report(self, app: &App) -> Result<TurnReport, Problem> {
        let StartedTurn { session, turn } = self.started;
        let mut events = Box::pin(self.events());
        while let Some(told) = events.next().await {
            if let Event::Finished(report) = told.event
                && report.turn_number == turn
            {
                return Ok(*report);
            }
        }
        // Its last event was missed; the journal has it.
        app.services.host.report(session, turn).await?.ok_or_else(over)
    }
}

/// Ends with the end of this turn, or of one that cannot go on.
fn until_the_end(
    events: impl Stream<Item = Told> + Send + 'static,
    turn: u32,
) -> impl Stream<Item = Told> + Send + 'static {
    events.scan(false, move |over, told| {
        if *over {
            return std::future::ready(None);
        }
        *over = matches!(&told.event, Event::Finished(report)
            if report.turn_number >= turn || is_unfinished(report));
        std::future::ready(Some(told))
    })
}

/// The events of a turn, from a place on.
pub(crate) async fn of_turn(
    app: &App,
    session: SessionId,
    turn: u32,
    from: Option<EventId>,
) -> Result<Response, Problem> {
    let records = app.services.store.records(session, 0).await?;
    let begins = |entry: &Entry| matches!(entry, Entry::UserMessage { turn: of, .. } if *of == turn);
    let first = records.iter().find(|record| begins(&record.entry));
    let Some(first) = first.map(|record| EventId::at(record.position.saturating_sub(1))) else {
        return Err(Problem::not_found(
            "turn_not_found",
            format!("There is no turn {turn} in this conversation."),
        ));
    };
    let ended = records
        .iter()
        .find(|record| matches!(record.entry, Entry::TurnFinished { turn: of, .. } if of == turn));
    let from = from.filter(|from| from.position > first.position).unwrap_or(first);
    if ended.is_some_and(|end| from.position >= end.position) {
        return Ok(nothing_more());
    }
    let following = app.services.host.follow(session, from);
    Ok(sse(app, until_the_end(following, turn)))
}

/// The answer to who has heard everything: a browser does not come back for more.
pub(crate) fn nothing_more() -> Response {
    axum::http::StatusCode::NO_CONTENT.into_response()
}

/// Events as they are sent. The stream also ends when the server is about to stop, so that its listener goes on elsewhere,
/// and when its listener may no longer hear them.
pub(crate) fn sse(app: &App, events: impl Stream<Item = Told> + Send + 'static) -> Response {
    let stopping = app.stopping.clone().cancelled_owned();
    let over = app.presence.until_over(app);
    let ends = async move {
        tokio::select! {
            () = stopping => {}
            () = over => {}
        }
    };
    let frames = events.map(|told| Ok::<_, Infallible>(frame(&told))).take_until(Box::pin(ends));
    let first = stream::once(std::future::ready(Ok(Frame::default().retry(COME_BACK))));
    let alive = KeepAlive::new().interval(app.options.heartbeat).text("alive");
    let mut response = Sse::new(first.chain(frames)).keep_alive(alive).into_response();
    // A proxy that gathers what it passes on would make an answer arrive all at once.
    response.headers_mut().insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    response
}

fn frame(told: &Told) -> Frame {
    let json = serde_json::to_string(&told.event).unwrap_or_default();
    let frame = Frame::default().event(name(&json)).data(&json);
    match told.id {
        Some(id) => frame.id(id.to_string()),
        None => frame,
    }
}

/// The name that an event's JSON begins with.
fn name(json: &str) -> &str {
    json.strip_prefix("{\"event\":\"").and_then(|rest| rest.split_once('"')).map_or("event", |(name, _)| name)
}
