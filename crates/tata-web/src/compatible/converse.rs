//! From what a client sends to a turn of a session, and from a turn's events to what is spoken.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};
use tata_core::{
    Batch, Block, Entry, Event, Input, Message, Question, Record, ReplyOutcome, Role, Session, SessionId,
    StopReason, TurnEnd, TurnOutcome, TurnReport,
};

use super::tools::{self, Brought, Described};
use crate::{
    Problem,
    api::sessions,
    events::{self, Begun},
    input::header,
    state::App,
};

/// The header by which a client names its session.
pub(super) const SESSION: &str = "x-tata-session";

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    Person,
    Agent,
}

/// Something that was said.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) by: Speaker,
    pub(super) text: String,
}

/// What a request says.
#[derive(Clone, Debug, Default)]
pub(super) struct ClientRequest {
    pub(super) said: Vec<Said>,
    /// The client's own tools.
    pub(super) tools: Vec<Described>,
    /// Results of calls that were given to it.
    pub(super) brought: Vec<Brought>,
}

/// What somebody's conversation is found by.
fn mark(app: &App, said: &[Said]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(&app.services.person.name);
    hash.update([0]);
    for one in said {
        hash.update([u8::from(one.by == Speaker::Agent)]);
        hash.update((one.text.len() as u64).to_be_bytes());
        hash.update(&one.text);
    }
    hash.finalize().into()
}

/// What a call of somebody's is found by.
fn mark_of_call(app: &App, call_id: &str) -> [u8; 32] {
    Sha256::digest(format!("{}\0call\0{call_id}", app.services.person.name)).into()
}

/// A turn that a client's request became.
pub(super) struct Conversing {
    pub(super) session: Session,
    pub(super) begun: Begun,
    /// Everything said up to now.
    said: Vec<Said>,
}

impl Conversing {
    /// The session has heard this answer; a client that sends it again means this session.
    pub(super) fn answered(said: Vec<Said>, app: &App, session: SessionId, answer: &str) {
        let mut said = said;
        said.push(Said { by: Speaker::Agent, text: answer.to_owned() });
        app.memory.remember(mark(app, &said), session);
    }

    /// The calls that the client must make before this can go on; none if it does not wait for that.
    pub(super) async fn calls(
        app: &App,
        session: &Session,
        report: &TurnReport,
    ) -> Result<Vec<Question>, Problem> {
        if !matches!(report.outcome, TurnOutcome::Waiting) {
            return Ok(Vec::new());
        }
        let own = app.parts(&session.agent, session.model.clone()).await?;
        let calls = tools::waiting(app, session.id, &own).await?;
        for call in &calls {
            app.memory.remember(mark_of_call(app, call.call_id.as_str()), session.id);
        }
        Ok(calls)
    }

    /// Takes apart what is told from what was said.
    pub(super) fn split(self) -> (Session, Begun, Vec<Said>) {
        (self.session, self.begun, self.said)
    }
}

/// Begins a turn with what was said last, in the session that is meant.
pub(super) async fn converse(
    app: &App,
    headers: &HeaderMap,
    model: &str,
    named: Option<SessionId>,
    asked: ClientRequest,
) -> Result<Conversing, Problem> {
    let ClientRequest { said, tools, brought } = asked;
    let (agent, model) = match model.split_once(':') {
        Some((agent, model)) => (agent, Some(model.to_owned())),
        None => (model, None),
    };
    if !brought.is_empty() {
        return go_on(app, headers, named, ClientRequest { said, tools, brought }).await;
    }
    let Some((last, history)) = said.split_last().filter(|(last, _)| last.by == Speaker::Person) else {
        let detail = "The last message must be the user's: there is nothing to answer.";
        return Err(Problem { field: Some("messages".to_owned()), ..Problem::bad("no_question", detail) });
    };
    if last.text.trim().is_empty() {
        return Err(Problem::invalid("messages", "The last message is empty; say something."));
    }
    let named = match (named, header(headers, SESSION)?) {
        (Some(named), _) => Some(named),
        (None, Some(named)) => Some(named.parse()?),
        (None, None) => None,
    };
    let known = named.or_else(|| app.memory.find(mark(app, history)).filter(|_| !history.is_empty()));
    let session = match known {
        // One that was forgotten by its owner is no longer meant.
        Some(id) => match app.desk().session(id).await {
            Err(tata_core::DeskError::NoSession(_)) if named.is_none() => None,
            found => Some(found?),
        },
        None => None,
    };
    let session = if let Some(session) = session {
        session
    } else {
        let session = sessions::begin(app, Some(agent.to_owned()), model.clone(), None).await?;
        take_over(app, session.id, history).await?;
        session
    };
    let parts = app.parts(&session.agent, model.or(session.model.clone())).await?;
    // Calls that the client was given and went on without: they are given up.
    let left = if session.open_turn { tools::waiting(app, session.id, &parts).await? } else { Vec::new() };
    if !left.is_empty() {
        let more = tools::undescribed(&left, &tools);
        let agent = app.agent_with(parts.clone(), &[tools.as_slice(), more.as_slice()].concat(), &[])?;
        let given_up = Input::Decide { decisions: tools::verdicts(&left, &[]), by: CLIENT.to_owned() };
        events::begin(app, &agent, session.id, given_up).await?.report(app).await?;
    }
    let agent = app.agent_with(parts, &tools, &[])?;
    let begun = events::begin(app, &agent, session.id, Input::say(last.text.clone())).await?;
    Ok(Conversing { session, begun, said })
}

/// Who decides that a client's own call may have its result.
const CLIENT: &str = "client";

/// Goes on with a turn that waited for results of the client's tools.
async fn go_on(
    app: &App,
    headers: &HeaderMap,
    named: Option<SessionId>,
    asked: ClientRequest,
) -> Result<Conversing, Problem> {
    let ClientRequest { said, tools, brought } = asked;
    let unknown = || {
        let detail = "No call waits for these results here. Ask again from the question on.";
        Problem { field: Some("tool_call_id".to_owned()), ..Problem::bad("no_such_call", detail) }
    };
    let named = match (named, header(headers, SESSION)?) {
        (Some(named), _) => Some(named),
        (None, Some(named)) => Some(named.parse()?),
        (None, None) => brought.iter().find_map(|one| app.memory.find(mark_of_call(app, &one.call_id))),
    };
    let session = app.desk().session(named.ok_or_else(unknown)?).await?;
    let parts = app.parts(&session.agent, session.model.clone()).await?;
    let waiting = tools::waiting(app, session.id, &parts).await?;
    if !waiting.iter().any(|call| brought.iter().any(|one| one.call_id == call.call_id.as_str())) {
        return Err(unknown());
    }
    let more = tools::undescribed(&waiting, &tools);
    let agent = app.agent_with(parts, &[tools.as_slice(), more.as_slice()].concat(), &brought)?;
    let decided = Input::Decide { decisions: tools::verdicts(&waiting, &brought), by: CLIENT.to_owned() };
    let begun = events::begin(app, &agent, session.id, decided).await?;
    Ok(Conversing { session, begun, said })
}

/// Writes what a client says was said before into the journal of a new session: a person's words as theirs, an answer's as
/// an answer's. It proves nothing more than that.
async fn take_over(app: &App, session: SessionId, history: &[Said]) -> Result<(), Problem> {
    let (store, now) = (&app.services.store, app.services.clock.now());
    let (mut records, mut turn, mut open) = (Vec::new(), 0, false);
    let add = |entry: Entry, records: &mut Vec<Record>| {
        let position = records.len() as u64 + 1;
        records.push(Record { position, at: now, entry });
    };
    for one in history.iter().filter(|one| !one.text.trim().is_empty()) {
        match one.by {
            Speaker::Person => {
                if open {
                    add(Entry::TurnFinished { turn, end: TurnEnd::Empty, millis: 0 }, &mut records);
                }
                turn += 1;
                open = true;
                let message = Message::user(one.text.clone());
                tata_core::check_message(&message).map_err(|error| {
                    Problem::new(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        tata_core::MessageTooLarge::NAME,
                        error.to_string(),
                    )
                })?;
                add(Entry::UserMessage { turn, message, state: None }, &mut records);
            }
            // An answer without a question, such as a greeting, answers nothing.
            Speaker::Agent if !open => {}
            Speaker::Agent => {
                let blocks = vec![Block::text(one.text.clone())].into();
                let message = Message { role: Role::Assistant, blocks, origin: None };
                add(
                    Entry::ModelReply {
                        turn,
                        model: "taken-over".into(),
                        message,
                        outcome: ReplyOutcome::Complete,
                        stop: Some(StopReason::EndTurn),
                        limit: None,
                        tokens: 0,
                        cost: None,
                        by_person: false,
                    },
                    &mut records,
                );
                add(Entry::TurnFinished { turn, end: TurnEnd::Answered, millis: 0 }, &mut records);
                open = false;
            }
        }
    }
    if open {
        add(Entry::TurnFinished { turn, end: TurnEnd::Empty, millis: 0 }, &mut records);
    }
    if records.is_empty() {
        return Ok(());
    }
    let begun = store.begin(session, Duration::from_secs(30)).await?;
    Ok(store.append(&begun.lease, Batch { records, release: true, ..Batch::default() }).await?)
}

/// What is spoken in a turn: the text of all its answers, those before a step apart from those after it.
#[derive(Default)]
pub(super) struct Speech {
    pub(super) text: String,
    another: bool,
}

impl Speech {
    /// The next piece, if the event has one.
    pub(super) fn hear(&mut self, event: &Event) -> Option<String> {
        let gap = |needed: bool| if needed { "\n\n" } else { "" };
        let piece = if let Event::TextDelta { text } = event {
            let gap = gap(self.another && !self.text.is_empty());
            self.another = false;
            format!("{gap}{text}")
        } else {
            self.another |= matches!(event, Event::ToolStarted(_) | Event::ToolFinished(_));
            return None;
        };
        self.text.push_str(&piece);
        Some(piece)
    }

    /// What is said at the end when a person must decide; `calls` says that what waits is the client's to do.
    pub(super) fn end(&mut self, report: &TurnReport, calls: bool) -> Option<String> {
        if calls || !matches!(report.outcome, TurnOutcome::Waiting) {
            return None;
        }
        let (gap, session) = (if self.text.is_empty() { "" } else { "\n\n" }, report.session_id);
        let piece = format!(
            "{gap}A person must decide before this can go on. What is asked, and how to answer: \
             GET /api/v1/sessions/{session}"
        );
        self.text.push_str(&piece);
        Some(piece)
    }
}

/// Why a turn brought no answer, as a problem; none if it brought one.
pub(super) fn failure(report: &TurnReport) -> Option<Problem> {
    if let Some(problem) = Problem::of_broken(report) {
        return Some(problem);
    }
    let TurnOutcome::Ended { end: TurnEnd::Failed { error, message } } = &report.outcome else { return None };
    let (status, code) = match error.as_str() {
        "rate_limited" | "quota_exhausted" => (StatusCode::TOO_MANY_REQUESTS, "model_rate_limited"),
        "context_too_long" => (StatusCode::BAD_REQUEST, "context_length_exceeded"),
        "not_configured" => (StatusCode::SERVICE_UNAVAILABLE, "model_not_configured"),
        _ => (StatusCode::BAD_GATEWAY, "model_failed"),
    };
    Some(Problem::new(status, code, message.clone()))
}
