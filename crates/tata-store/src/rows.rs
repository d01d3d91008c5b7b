//! How our values stand in a database: what both SQL stores share.

use std::{collections::HashMap, fmt, sync::Arc};

use jiff::Timestamp;
use serde::{Serialize, de::DeserializeOwned};
use sqlx::{Row, postgres::PgRow};
use tata_core::{
    AccessToken, Account, Approval, Artifact, ArtifactKind, ArtifactName, AuditEntry, Batch, CallId,
    ChatMark, Entry, Feedback, NewArtifact, NewAudit, RawJson, Record, RequestKey, Session, SessionId,
    StoreError, StoredFile, UsageRow,
};

use crate::{
    change::Change,
    failure::{Failure, Fault},
};

/// A row of either database, read by column number: the order is that of [`crate::sql`].
pub(crate) trait Cells {
    fn int(&self, column: usize) -> Result<i64, Fault>;
    fn maybe_int(&self, column: usize) -> Result<Option<i64>, Fault>;
    fn text(&self, column: usize) -> Result<&str, Fault>;
    fn maybe_text(&self, column: usize) -> Result<Option<&str>, Fault>;
    fn flag(&self, column: usize) -> Result<bool, Fault>;
}

impl Cells for PgRow {
    fn int(&self, column: usize) -> Result<i64, Fault> {
        Ok(self.try_get(column)?)
    }
    fn maybe_int(&self, column: usize) -> Result<Option<i64>, Fault> {
        Ok(self.try_get(column)?)
    }
    fn text(&self, column: usize) -> Result<&str, Fault> {
        Ok(self.try_get(column)?)
    }
    fn maybe_text(&self, column: usize) -> Result<Option<&str>, Fault> {
        Ok(self.try_get(column)?)
    }
    fn flag(&self, column: usize) -> Result<bool, Fault> {
        Ok(self.try_get(column)?)
    }
}

impl Cells for rusqlite::Row<'_> {
    fn int(&self, column: usize) -> Result<i64, Fault> {
        Ok(self.get(column)?)
    }
    fn maybe_int(&self, column: usize) -> Result<Option<i64>, Fault> {
        Ok(self.get(column)?)
    }
    fn text(&self, column: usize) -> Result<&str, Fault> {
        Ok(self.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)
    }
    fn maybe_text(&self, column: usize) -> Result<Option<&str>, Fault> {
        Ok(self.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from)?)
    }
    fn flag(&self, column: usize) -> Result<bool, Fault> {
        Ok(self.get(column)?)
    }
}

/// A batch in the words of a database, made before the database is asked: writing JSON is most of the work.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) change: Change,
    pub(crate) records: Vec<Line>,
    pub(crate) usage: Vec<(i64, Arc<str>)>,
    pub(crate) artifacts: Vec<NewArtifact>,
    pub(crate) stale: Vec<ArtifactKind>,
    /// By call: of two outputs of one call, the later counts.
    pub(crate) outputs: HashMap<String, String>,
    /// The audit entries of its decisions.
    pub(crate) audit: Vec<NewAudit>,
}

/// A journal entry as stored.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) position: i64,
    pub(crate) at: i64,
    pub(crate) entry: Arc<str>,
}

impl Written {
    pub(crate) fn of(session: SessionId, batch: Batch) -> Result<Self, StoreError> {
        Ok(Self {
            change: Change::of(&batch)?,
            audit: batch.audit(session),
            records: batch.records.iter().map(Line::of).collect::<Result<_, _>>()?,
            usage: batch
                .usage
                .iter()
                .map(|row| Ok((millis(row.at), json(row)?.into())))
                .collect::<Result<_, StoreError>>()?,
            outputs: batch
                .outputs
                .iter()
                .map(|(call_id, output)| Ok((json(call_id)?, json(output)?)))
                .collect::<Result<_, StoreError>>()?,
            artifacts: batch.artifacts,
            stale: batch.stale,
        })
    }

    /// Whether it has nothing but entries and usage, as most batches.
    pub(crate) fn is_plain(&self) -> bool {
        self.artifacts.is_empty() && self.stale.is_empty() && self.outputs.is_empty()
    }
}

impl Line {
    fn of(record: &Record) -> Result<Self, StoreError> {
        let entry = json(&record.entry)?.into();
        Ok(Self { position: integer(record.position), at: millis(record.at), entry })
    }

    pub(crate) fn read(row: &impl Cells) -> Result<Self, Fault> {
        Ok(Self { position: row.int(0)?, at: row.int(1)?, entry: row.text(2)?.into() })
    }

    pub(crate) fn parse(&self, session: SessionId) -> Result<Record, StoreError> {
        self.parse_of(&format_args!("session {session}"))
    }

    pub(crate) fn parse_of(&self, session: &dyn fmt::Display) -> Result<Record, StoreError> {
        let what = || format!("entry {} of {session}", self.position);
        let entry: Entry = parsed(&self.entry, what)?;
        Ok(Record { position: count(self.position), at: moment(self.at, what)?, entry })
    }
}

/// The entries after a position, up to the last one where that is known. A gap is a damage: what follows it would be
/// taken for something else than it is.
pub(crate) fn journal(
    lines: &[Line],
    session: SessionId,
    after: u64,
    last: Option<u64>,
) -> Result<Vec<Record>, StoreError> {
    let missing = |position: u64| unreadable(format!("entry {position} of session {session}"), Missing);
    for (line, position) in lines.iter().zip(after.saturating_add(1)..) {
        if line.position != integer(position) {
            return Err(missing(position));
        }
    }
    let end = after.saturating_add(lines.len() as u64);
    match last {
        Some(last) if last > end => Err(missing(end + 1)),
        Some(last) if last < end => Err(unreadable(format!("entry {end} of session {session}"), Beyond)),
        Some(_) | None => lines.iter().map(|line| line.parse(session)).collect(),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("it is missing")]
struct Missing;

#[derive(Debug, thiserror::Error)]
#[error("it stands after the last one")]
struct Beyond;

pub(crate) fn session(row: &impl Cells) -> Result<Session, Failure> {
    let id = row.text(0)?;
    let what = || format!("session {id}");
    let text = |column| -> Result<Option<String>, Failure> {
        Ok(row.maybe_text(column)?.map(|text| parsed(text, what)).transpose()?)
    };
    Ok(Session {
        id: id.parse().map_err(|error| unreadable(what(), error))?,
        agent: parsed(row.text(1)?, what)?,
        title: text(2)?,
        user_id: text(3)?,
        model: text(4)?,
        created_at: moment(row.int(5)?, what)?,
        updated_at: moment(row.int(6)?, what)?,
        turn_count: small(row.int(7)?),
        retrieval_count: small(row.int(8)?),
        total_tokens_used: count(row.int(9)?),
        open_turn: row.flag(10)?,
        last_position: count(row.int(11)?),
        tenant_id: text(12)?,
        delete_at: row.maybe_int(13)?.map(|at| moment(at, what)).transpose()?,
    })
}

pub(crate) fn account(row: &impl Cells, column: usize) -> Result<Account, Failure> {
    Ok(parsed(row.text(column)?, || "an account".to_owned())?)
}

pub(crate) fn token(row: &impl Cells) -> Result<AccessToken, Failure> {
    Ok(parsed(row.text(0)?, || "a token".to_owned())?)
}

pub(crate) fn artifact(row: &impl Cells) -> Result<Artifact, Failure> {
    Ok(Artifact { approval: approval(row)?, ..unapproved(row)? })
}

/// Who approved a version, and when.
pub(crate) fn approval(row: &impl Cells) -> Result<Option<Approval>, Failure> {
    let what = || "the approval of a document".to_owned();
    match (row.maybe_text(6)?, row.maybe_int(7)?) {
        (Some(by), Some(at)) => {
            Ok(Some(Approval { by: parsed(by, what)?, at: moment(at, what)?, account: None }))
        }
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => Err(unreadable(what(), Half).into()),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("half of it is missing")]
struct Half;

/// A version without its approval.
pub(crate) fn unapproved(row: &impl Cells) -> Result<Artifact, Failure> {
    let what = || "a document".to_owned();
    Ok(Artifact {
        name: ArtifactName { kind: parsed(row.text(0)?, what)?, key: parsed(row.text(1)?, what)? },
        version: small(row.int(2)?),
        json: RawJson::new(row.text(3)?).map_err(|error| unreadable(what(), error))?,
        stale: row.flag(4)?,
        created_at: moment(row.int(5)?, what)?,
        approval: None,
    })
}

/// By name and then version. Sorted here, for the databases see names in the order of their JSON.
pub(crate) fn sorted_artifacts(mut found: Vec<Artifact>) -> Vec<Artifact> {
    found.sort_by(|a, b| (&a.name, a.version).cmp(&(&b.name, b.version)));
    found
}

/// A usage row, and whose session it belongs to.
pub(crate) fn usage_of_person(row: &impl Cells) -> Result<(Option<String>, Arc<UsageRow>), Failure> {
    let user =
        row.maybe_text(1)?.map(|text| parsed(text, || "a usage row's person".to_owned())).transpose()?;
    Ok((user, usage(row)?))
}

pub(crate) fn usage(row: &impl Cells) -> Result<Arc<UsageRow>, Failure> {
    Ok(parsed(row.text(0)?, || "a usage row".to_owned())?)
}

pub(crate) fn file(row: &impl Cells) -> Result<StoredFile, Failure> {
    Ok(parsed(row.text(0)?, || "what is known of a file".to_owned())?)
}

/// A session and one of its turns.
pub(crate) fn stop(row: &impl Cells) -> Result<(SessionId, u32), Failure> {
    let id = row.text(0)?.parse();
    let id =
        id.map_err(|error: tata_core::NotASessionId| unreadable("the id of a session".to_owned(), error))?;
    Ok((id, u32::try_from(row.int(1)?).unwrap_or_default()))
}

pub(crate) fn request_key(row: &impl Cells, name: &str) -> Result<RequestKey, Failure> {
    let what = || "a key of a request".to_owned();
    let session = row.maybe_text(1)?.map(str::parse).transpose();
    Ok(RequestKey {
        name: name.to_owned(),
        digest: row.text(0)?.to_owned(),
        session: session.map_err(|error: tata_core::NotASessionId| unreadable(what(), error))?,
        at: moment(row.int(2)?, what)?,
        answer: row.maybe_text(3)?.map(str::to_owned),
    })
}

/// A mark of a question.
pub(crate) fn chat_mark(row: &impl Cells, question: &str) -> Result<ChatMark, Failure> {
    let what = || "a mark of a chat".to_owned();
    let session = row.maybe_text(0)?.map(str::parse).transpose();
    Ok(ChatMark {
        question: question.to_owned(),
        session: session.map_err(|error: tata_core::NotASessionId| unreadable(what(), error))?,
        answer: row.maybe_text(1)?.map(str::to_owned),
        setting: row.text(2)?.to_owned(),
        position: count(row.int(3)?),
        at: moment(row.int(4)?, what)?,
    })
}

pub(crate) fn feedback(row: &impl Cells) -> Result<Feedback, Failure> {
    Ok(parsed(row.text(0)?, || "a word of feedback".to_owned())?)
}

/// By turn and then person; see [`sorted_artifacts`].
pub(crate) fn sorted_feedback(mut found: Vec<Feedback>) -> Vec<Feedback> {
    found.sort_by(|a, b| (a.turn, &a.user_id).cmp(&(b.turn, &b.user_id)));
    found
}

pub(crate) fn audit(row: &impl Cells) -> Result<AuditEntry, Failure> {
    let position = row.int(0)?;
    let what = || format!("audit entry {position}");
    Ok(AuditEntry {
        position: count(position),
        at: moment(row.int(1)?, what)?,
        actor: parsed(row.text(2)?, what)?,
        action: parsed(row.text(3)?, what)?,
        subject: parsed(row.text(4)?, what)?,
        detail: parsed(row.text(5)?, what)?,
        previous: row.text(6)?.to_owned(),
        seal: row.text(7)?.to_owned(),
        tenant: row.maybe_text(8)?.map(|text| parsed(text, what)).transpose()?,
        account: row.maybe_text(9)?.map(|text| parsed(text, what)).transpose()?,
    })
}

/// The company in the first column. One that cannot be read is none: what was done is told all the same.
pub(crate) fn tenant(row: &impl Cells) -> Result<Option<String>, Failure> {
    Ok(row.maybe_text(0)?.and_then(|text| serde_json::from_str(text).ok()))
}

pub(crate) fn output(row: &impl Cells, call_id: &CallId) -> Result<String, Failure> {
    Ok(parsed(row.text(0)?, || format!("the output of call {call_id}"))?)
}

pub(crate) fn call_id(text: &str) -> Result<CallId, StoreError> {
    parsed(text, || "the id of a call".to_owned())
}

/// A value as JSON text.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Database { source: Box::new(error) })
}

/// An absent text stays absent.
pub(crate) fn maybe_json(text: Option<&str>) -> Result<Option<String>, StoreError> {
    text.map(json).transpose()
}

fn parsed<T: DeserializeOwned>(text: &str, what: impl Fn() -> String) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| unreadable(what(), error))
}

fn unreadable(what: String, error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unreadable { what, source: Box::new(error) }
}

pub(crate) fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}

fn moment(millis: i64, what: impl Fn() -> String) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(|error| unreadable(what(), error))
}

/// Databases know no unsigned integers. No real count comes near the limit.
pub(crate) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(crate) fn count(integer: i64) -> u64 {
    u64::try_from(integer).unwrap_or(0)
}

fn small(integer: i64) -> u32 {
    u32::try_from(integer.max(0)).unwrap_or(u32::MAX)
}
