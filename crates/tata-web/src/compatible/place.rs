//! Where a request goes on: in a session whose head is the state after the last answer of its history, in a branch of
//! one, or in a new one.

use axum::http::StatusCode;
use tata_core::{ChatMark, DeskError, Entry, MOVED_ON, NewSession, Record, Session, SessionId};

use super::{
    alike,
    history::{ClientRequest, Step},
};
use crate::{Problem, api::sessions, state::App};

/// The answers of a history that are looked for, from its end: a client that is recognised by none of these has changed
/// its history, and brings all of it.
const MOST_ANSWERS: usize = 64;

/// What a request names by an id of ours.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    /// The session, by the header: what the client sends is either its whole history or only what is new.
    Session(SessionId),
    /// The session as it stands: only what is new is sent.
    Conversation(SessionId),
    /// One answer: only what is new is sent.
    Answer(AnswerId),
}

/// Which answer: that of a turn which began after an entry of the journal. Ids of earlier versions name only the turn,
/// and mean its last answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnswerId {
    pub(super) session: SessionId,
    pub(super) turn: u32,
    pub(super) after: Option<u64>,
}

impl AnswerId {
    /// Reads the id of a response.
    pub(super) fn read(id: &str) -> Option<Self> {
        let mut parts = id.strip_prefix("resp_")?.split('_');
        let session = parts.next()?.parse().ok()?;
        let turn = parts.next()?.parse().ok()?;
        let after = parts.next().map(str::parse).transpose().ok()?;
        parts.next().is_none().then_some(Self { session, turn, after })
    }

    /// The end of ids of an answer.
    pub(super) fn tail(&self, separator: char) -> String {
        let Self { session, turn, after } = self;
        let after = after.map(|after| format!("{separator}{after}")).unwrap_or_default();
        format!("{session}{separator}{turn}{after}")
    }

    /// Where in the journal the answer ended; none while it has not.
    pub(super) fn end(&self, records: &[Record]) -> Option<u64> {
        let ends = records.iter().filter(|record| {
            matches!(record.entry, Entry::Waiting { turn, .. } | Entry::TurnFinished { turn, .. } if turn == self.turn)
        });
        let mut ends = ends.map(|record| record.position);
        match self.after {
            Some(after) => ends.find(|end| *end > after),
            None => ends.next_back(),
        }
    }
}

/// Where a request goes on.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) session: Session,
    /// The steps of the client's history that the session holds.
    pub(super) known: usize,
    /// The session has been the client's until now. One that was made for this request shows nobody anything.
    pub(super) continued: bool,
    /// Several sessions have this history and the same state after it: nobody can say whose it is, and it makes no
    /// difference. It goes on in a branch of one of them.
    pub(super) alike: bool,
    /// What the client sends is its whole history, by which it is recognised the next time.
    pub(super) by_history: bool,
    /// Where the journal must still end when the request is taken in; none where it may have gone on.
    pub(super) position: Option<u64>,
}

/// Finds the place of a request, or makes it. A session that is `taken`, because somebody goes on with it at this moment, is
/// branched even if its journal does not tell of that yet.
pub(super) async fn find(
    app: &App,
    (agent, model): (&str, Option<String>),
    named: Option<Named>,
    (request, digests): (&ClientRequest, &[String]),
    taken: bool,
) -> Result<Place, Problem> {
    let answers = request.steps.iter().any(|step| matches!(step, Step::Agent(_)));
    match named {
        Some(Named::Answer(answer)) => return at_answer(app, answer, taken).await,
        Some(Named::Conversation(id)) => return at_head(app, id).await,
        Some(Named::Session(id)) if !answers => return at_head(app, id).await,
        Some(Named::Session(_)) | None => {}
    }
    let only = if let Some(Named::Session(id)) = named {
        // One that is not there is an error, whatever is sent along.
        vec![session(app, id).await?.ok_or_else(|| DeskError::NoSession(id.to_string()))?.id]
    } else {
        request.named.clone()
    };
    if let Some(place) = by_history(app, agent, &only, (request, digests), taken).await? {
        return Ok(place);
    }
    let new = sessions::begin(app, Some(agent.to_owned()), model, None).await?;
    Ok(Place {
        position: Some(new.last_position),
        session: new,
        known: 0,
        continued: false,
        alike: false,
        by_history: true,
    })
}

/// The place after the last answer of a history that is known to be this client's.
async fn by_history(
    app: &App,
    agent: &str,
    only: &[SessionId],
    (request, digests): (&ClientRequest, &[String]),
    taken: bool,
) -> Result<Option<Place>, Problem> {
    let history = request.steps.iter().zip(digests).enumerate().rev();
    let answers = history.filter_map(|(at, (step, before))| match step {
        // An answer before any question, such as a greeting, was given by nobody here.
        Step::Agent(answer) if at > 0 => Some((at, answer, before)),
        Step::Agent(_) | Step::Person(_) | Step::Results(_) => None,
    });
    for (at, answer, before) in answers.take(MOST_ANSWERS) {
        let marks = app.services.store.chat_marks(before.clone(), answer.digest()).await?;
        let proven = request.identity.proves || !only.is_empty() || marks.len() == 1;
        if !proven && !alike::are_alike(app, before, &marks).await? {
            continue;
        }
        let Some((session, mark)) = chosen(app, marks, only).await? else { continue };
        if session.agent != agent && only.is_empty() {
            continue;
        }
        let known = at + 1;
        let is_head = session.last_position == mark.position && !taken;
        if is_head && proven && alike::setting(&mark) == request.setting() {
            let position = Some(mark.position);
            let place = Place { session, known, continued: true, alike: false, by_history: true, position };
            return Ok(Some(place));
        }
        let branch = branch(app, &session, mark.position).await?;
        return Ok(Some(Place { known, by_history: true, alike: !proven, ..branch }));
    }
    Ok(None)
}

/// The session that gave an answer to this client. Where the client did not name its conversation, the same words may
/// have been said to somebody else as well: then nobody can say whose history this is, and unless it makes no difference,
/// it is nobody's.
async fn chosen(
    app: &App,
    marks: Vec<ChatMark>,
    only: &[SessionId],
) -> Result<Option<(Session, ChatMark)>, Problem> {
    let mut found: Option<(Session, ChatMark)> = None;
    for mark in marks.into_iter().filter(|mark| mark.answer.is_some()) {
        let Some(id) = mark.session.filter(|id| only.is_empty() || only.contains(id)) else { continue };
        let Some(session) = session(app, id).await? else { continue };
        // The newest, but rather one that still stands there than one that has gone on.
        if session.last_position == mark.position {
            return Ok(Some((session, mark)));
        }
        found = found.or(Some((session, mark)));
    }
    Ok(found)
}

/// A session of the caller's; none if it is not there, or about to be deleted.
pub(super) async fn session(app: &App, id: SessionId) -> Result<Option<Session>, Problem> {
    match app.desk().session(id).await {
        Ok(session) => Ok(Some(session)),
        Err(DeskError::NoSession(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn at_head(app: &App, id: SessionId) -> Result<Place, Problem> {
    let session = session(app, id).await?.ok_or_else(|| DeskError::NoSession(id.to_string()))?;
    Ok(Place { session, known: 0, continued: true, alike: false, by_history: false, position: None })
}

async fn at_answer(app: &App, answer: AnswerId, taken: bool) -> Result<Place, Problem> {
    let id = answer.session;
    let session = session(app, id).await?.ok_or_else(|| DeskError::NoSession(id.to_string()))?;
    let records = app.services.store.records(id, 0).await?;
    let Some(end) = answer.end(&records) else {
        return Err(unfinished());
    };
    if session.last_position == end && !taken {
        let position = Some(end);
        return Ok(Place { session, known: 0, continued: true, alike: false, by_history: false, position });
    }
    branch(app, &session, end).await
}

/// A new session that holds another one up to a position.
async fn branch(app: &App, from: &Session, position: u64) -> Result<Place, Problem> {
    let (store, now) = (app.services.store.as_ref(), app.services.clock.now());
    let new = NewSession {
        title: from.title.clone(),
        user_id: app.services.person.user_id.clone(),
        model: from.model.clone(),
        ..NewSession::with(from.agent.clone(), now)
    };
    let session = tata_core::fork(store, from, position, new).await?;
    tracing::info!(from = %from.id, session = %session.id, position, "a conversation branches");
    Ok(Place {
        position: Some(session.last_position),
        session,
        known: 0,
        continued: false,
        alike: false,
        by_history: false,
    })
}

/// An answer that is named while it is still being given.
pub(super) fn unfinished() -> Problem {
    let detail = "That response is not finished. Wait for its end, or ask again from the one before it.";
    Problem::new(StatusCode::CONFLICT, "response_in_progress", detail)
}

/// Whether a request was not taken in because somebody else had gone on with its session.
pub(super) fn has_moved_on(problem: &Problem) -> bool {
    [MOVED_ON, "busy"].contains(&problem.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_answers_are_read_as_they_were_given_also_by_earlier_versions() {
        let session = SessionId::random();
        for (id, after) in [(format!("resp_{session}_3"), None), (format!("resp_{session}_3_17"), Some(17))] {
            let answer = AnswerId::read(&id).unwrap();
            assert_eq!(answer, AnswerId { session, turn: 3, after });
            assert_eq!(format!("resp_{}", answer.tail('_')), id);
        }
        for wrong in ["", "resp_", "resp_x_1", &format!("resp_{session}"), &format!("resp_{session}_1_2_3")] {
            assert_eq!(AnswerId::read(wrong), None, "{wrong}");
        }
    }
}
