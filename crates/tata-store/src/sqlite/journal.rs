//! The journal: leases, and what turns write.

use std::{future::ready, sync::Arc, time::Duration};

use rusqlite::{Connection, params, types::Type};
use tata_core::{Batch, Begun, CallId, Journal, Lease, Record, Session, SessionId, StoreError, StoreFuture};
use tokio::sync::mpsc::WeakUnboundedSender;

use super::{
    SqliteStore, artifacts, audit,
    connection::{all, first, run},
    heads::{Head, Heads},
    lock::Owner,
    writer::{Ask, Request},
};
use crate::{
    failure::{Failure, Fault},
    rows::{self, Line, Written, integer},
    sql::{self, session_columns},
};

const KEEP_OUTPUT: &str = "INSERT OR REPLACE INTO outputs (session, call_id, output) VALUES ($1, $2, $3)";
const JOURNAL: &str =
    "SELECT position, at, entry FROM journal WHERE session = $1 AND position > $2 ORDER BY position";
/// A turn that waits for a person is open as well, and nobody works on it: whoever resumes it will see that and wait.
const OPEN_TURNS: &str = concat!(
    "SELECT ",
    session_columns!(),
    ", key, epoch, lease_holder, lease_until FROM sessions WHERE open_turn AND delete_at IS NULL ORDER BY updated_at, id"
);

/// To take a lease.
pub(super) struct Begin {
    id: SessionId,
    time: Duration,
    /// The entries up to here are known.
    known: u64,
    /// To give it back if nobody takes it.
    pub(super) requests: WeakUnboundedSender<Request>,
}

/// To write a batch.
pub(super) struct Append {
    lease: Lease,
    batch: Written,
}

/// A lease and a journal whose entries are still text: the asker reads them, the writer has other work.
pub(super) struct RawBegun {
    pub(super) lease: Held,
    session: Session,
    key: i64,
    /// The lines are those after it.
    known: u64,
    lines: Vec<Line>,
}

/// A lease on its way to who asked for it.
pub(super) struct Held {
    lease: Lease,
    give_back: Option<WeakUnboundedSender<Request>>,
}

impl Held {
    /// From here on it is given back unless it is taken: else the session would stay in use, by nobody, until the lease
    /// runs out. Not before it is durable, for a transaction that is rolled back has taken none.
    pub(super) fn guard(&mut self, requests: WeakUnboundedSender<Request>) {
        self.give_back = Some(requests);
    }

    fn take(mut self) -> Lease {
        self.give_back = None;
        self.lease.clone()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Without a store its leases are nobody's, which the lock file tells.
        if let Some(requests) = self.give_back.take().and_then(|requests| requests.upgrade()) {
            let _ = requests.send(Request::Release(Ask::new(self.lease.clone()).0));
        }
    }
}

/// Carries out the requests of turns. The sessions' heads are read once, changed here by one request after the other,
/// and saved once, so that two requests for one session meet no differently than in two transactions.
pub(super) fn write(
    connection: &Connection,
    owner: &Owner,
    heads: &mut Heads,
    requests: &mut [Request],
) -> Result<(), Fault> {
    heads.load(connection, requests.iter().filter_map(session_of)).map_err(fault)?;
    for request in requests.iter_mut() {
        match request {
            Request::Begin(ask) => {
                let answer = if ask.is_abandoned() {
                    Err(StoreError::Busy { session: ask.question.id })
                } else {
                    begin(heads, owner, &ask.question)
                };
                ask.note(answer.map_err(Failure::from))?;
            }
            Request::Append(ask) => {
                let answer = append(connection, heads, &ask.question);
                ask.note(answer)?;
            }
            Request::Renew(ask) => {
                let answer = renew(heads, &ask.question);
                ask.note(answer.map_err(Failure::from))?;
            }
            Request::Release(ask) => {
                // One that was lost meanwhile is no error, nor is a session that has gone.
                if let Ok(head) = heads.get(ask.question.session) {
                    head.release(&ask.question);
                }
                ask.note(Ok(()))?;
            }
            Request::Create(_)
            | Request::Change(_)
            | Request::Delete(_)
            | Request::Approve(_)
            | Request::Feedback(_)
            | Request::File(_)
            | Request::TakeKey(_)
            | Request::SettleKey(_)
            | Request::Stop(_)
            | Request::Audit(_)
            | Request::Account(_)
            | Request::Token(_)
            | Request::ChatMark(_)
            | Request::RenewToken(_)
            | Request::DeleteToken(_) => {}
        }
    }
    heads.save(connection)?;
    read_journals(connection, requests)
}

/// A head that cannot be read is as bad as one that the database cannot find.
fn fault(failure: Failure) -> Fault {
    match failure {
        Failure::Database(fault) => fault,
        Failure::Refused(error) => {
            rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)).into()
        }
    }
}

fn session_of(request: &Request) -> Option<SessionId> {
    match request {
        Request::Begin(ask) => Some(ask.question.id),
        Request::Append(ask) => Some(ask.question.lease.session),
        Request::Renew(ask) | Request::Release(ask) => Some(ask.question.session),
        Request::Create(_)
        | Request::Change(_)
        | Request::Delete(_)
        | Request::Approve(_)
        | Request::Feedback(_)
        | Request::File(_)
        | Request::TakeKey(_)
        | Request::SettleKey(_)
        | Request::Stop(_)
        | Request::Audit(_)
        | Request::Account(_)
        | Request::Token(_)
        | Request::ChatMark(_)
        | Request::RenewToken(_)
        | Request::DeleteToken(_) => None,
    }
}

fn begin(heads: &mut Heads, owner: &Owner, wanted: &Begin) -> Result<RawBegun, StoreError> {
    let head = heads.get(wanted.id)?;
    let lease = head.take(owner, wanted.time)?;
    let (lease, session) = (Held { lease, give_back: None }, head.session.clone());
    Ok(RawBegun { lease, session, key: head.key, known: wanted.known, lines: Vec::new() })
}

fn append(
    connection: &Connection,
    heads: &mut Heads,
    Append { lease, batch }: &Append,
) -> Result<(), Failure> {
    let head = heads.get(lease.session)?;
    head.check(lease)?;
    batch.change.follows(head.session.last_position)?;
    artifacts::store(connection, head.key, batch)?;
    // From here on nothing is refused any more.
    for (call_id, output) in &batch.outputs {
        run(connection, KEEP_OUTPUT, params![head.key, call_id, output])?;
    }
    for act in &batch.audit {
        let act = act.clone().in_tenant(head.session.tenant_id.clone());
        audit::record_act(connection, &act)?;
    }
    head.name(batch.change.title.as_deref())?;
    batch.change.apply(&mut head.session);
    head.extend(lease.time);
    if batch.change.release {
        head.release(lease);
    }
    let key = head.key;
    heads.add(key, &batch.records, &batch.usage);
    Ok(())
}

fn renew(heads: &mut Heads, lease: &Lease) -> Result<(), StoreError> {
    let head = heads.get(lease.session)?;
    head.check(lease)?;
    head.extend(lease.time);
    Ok(())
}

/// Adds the journals to the leases that were taken. In the same transaction, and after all that was written in it.
fn read_journals(connection: &Connection, requests: &mut [Request]) -> Result<(), Fault> {
    for request in requests {
        if let Request::Begin(ask) = request
            && let Some(begun) = ask.noted()
            && begun.session.last_position > 0
        {
            let values = [begun.key, integer(begun.known)];
            begun.lines = all(connection, JOURNAL, values, |row| Ok(Line::read(row)?)).map_err(fault)?;
        }
    }
    Ok(())
}

impl Journal for SqliteStore {
    fn begin_after(&self, id: SessionId, time: Duration, known: u64) -> StoreFuture<'_, Begun> {
        Box::pin(async move {
            let question = Begin { id, time, known, requests: self.requests.downgrade() };
            let begun = self.ask(question, Request::Begin).await;
            if let Err(StoreError::Unreadable { what, source }) = begun {
                // A page or a text, of which SQLite does not say whose it is.
                let is_named = what.contains(&id.to_string());
                let what = if is_named { what } else { format!("the journal of session {id}") };
                return Err(StoreError::Unreadable { what, source });
            }
            let RawBegun { lease, session, lines, .. } = begun?;
            let lease = lease.take();
            match rows::journal(&lines, id, known, Some(session.last_position)) {
                Ok(records) => Ok(Begun { lease, session, records }),
                Err(error) => {
                    // A journal that nobody can read should at least not look busy.
                    self.release(&lease).await?;
                    Err(error)
                }
            }
        })
    }

    fn append(&self, lease: &Lease, batch: Batch) -> StoreFuture<'static, ()> {
        match Written::of(lease.session, batch) {
            Ok(batch) => Box::pin(self.ask(Append { lease: lease.clone(), batch }, Request::Append)),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(self.ask(lease.clone(), Request::Renew))
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(self.ask(lease.clone(), Request::Release))
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        // Into the file itself, and an empty log. Another process that reads just now keeps it from being complete;
        // then what was deleted still stands in the log, until the next one does this.
        Box::pin(async move {
            if self.read_only().is_some() {
                return Ok(());
            }
            let settle = |connection: &Connection| {
                Ok(connection
                    .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0))?)
            };
            if self.readers.read(settle).await? {
                return Err(StoreError::Unavailable { source: "another process reads the database".into() });
            }
            Ok(())
        })
    }

    fn abandon(&self, lease: Lease) {
        self.tell(lease, Request::Release);
    }

    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>> {
        Box::pin(self.readers.read(move |connection| {
            let values = params![id.to_string(), integer(after)];
            let lines = all(connection, sql::RECORDS, values, |row| Ok(Line::read(row)?))?;
            Ok(rows::journal(&lines, id, after, None)?)
        }))
    }

    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>> {
        let owner = Arc::clone(&self.owner);
        Box::pin(self.readers.read(move |connection| {
            // A row that cannot be read is told by the listing, and must not keep the others from going on.
            let open = all(connection, OPEN_TURNS, [], |row| Ok(Head::read(row).ok()))?;
            let open = open.into_iter().flatten().filter(|head| !head.is_in_use(&owner));
            Ok(open.map(|head| head.session).collect())
        }))
    }

    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>> {
        Box::pin(self.readers.read(move |connection| {
            let values = params![id.to_string(), rows::json(&call_id)?];
            first(connection, sql::OUTPUT, values, |row| rows::output(row, &call_id))
        }))
    }
}
