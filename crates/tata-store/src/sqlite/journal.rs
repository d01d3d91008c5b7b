//! The journal: leases, and what turns write.

use std::{collections::HashMap, time::Duration};

use sqlx::SqliteConnection;
use tata_core::{Batch, Begun, CallId, Journal, Lease, Record, Session, SessionId, StoreError, StoreFuture};

use super::{
    SqliteStore, artifacts,
    heads::{After, Head, Heads},
    lock::Owner,
    writer::Request,
};
use crate::{
    failure::Failure,
    rows::{self, Cells, Line, Written, integer},
    sql::{self, session_columns},
};

const KEEP_OUTPUT: &str = "INSERT OR REPLACE INTO outputs (session, call_id, output) VALUES ($1, $2, $3)";
const WHOLE_JOURNALS: &str = "SELECT position, at, entry, session FROM journal \
    WHERE session IN (SELECT value FROM json_each($1)) ORDER BY session, position";
/// A turn that waits for a person is open as well, and nobody works on it: whoever resumes it will see that and wait.
const OPEN_TURNS: &str = concat!(
    "SELECT ",
    session_columns!(),
    ", key, epoch, lease_holder, lease_until FROM sessions WHERE open_turn ORDER BY updated_at, id"
);

/// To take a lease.
pub(super) struct Begin {
    id: SessionId,
    time: Duration,
}

/// To write a batch.
pub(super) struct Append {
    lease: Lease,
    batch: Written,
}

/// A lease and a journal whose entries are still text: the asker reads them, the writer has other work.
pub(super) struct RawBegun {
    pub(super) lease: Lease,
    session: Session,
    key: i64,
    lines: Vec<Line>,
}

/// Carries out the requests of turns in a handful of statements, however many there are. The sessions' heads are read
/// once, changed here by one request after the other, and saved once, so that two requests for one session meet no
/// differently than in two transactions. Commits as well if that is all, and says whether it did.
pub(super) async fn write(
    connection: &mut SqliteConnection,
    owner: &Owner,
    heads: &mut Heads,
    requests: &mut [Request],
    after: After,
) -> Result<After, sqlx::Error> {
    match heads.load(connection, requests.iter().filter_map(session_of)).await {
        Ok(()) => {}
        Err(Failure::Sql(error)) => return Err(error),
        Err(Failure::Refused(error)) => return Err(sqlx::Error::Decode(Box::new(error))),
    }
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
                let answer = append(connection, heads, &ask.question).await;
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
            | Request::Audit(_) => {}
        }
    }
    if begun(requests).next().is_some() {
        heads.save(connection, After::More).await?;
        read_journals(connection, requests).await?;
        return Ok(After::More);
    }
    if after == After::Commit {
        fail::fail_point!("sqlite::before_commit");
    }
    heads.save(connection, after).await?;
    Ok(after)
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
        | Request::Audit(_) => None,
    }
}

fn begin(heads: &mut Heads, owner: &Owner, wanted: &Begin) -> Result<RawBegun, StoreError> {
    let head = heads.get(wanted.id)?;
    let lease = head.take(owner, wanted.time)?;
    Ok(RawBegun { lease, session: head.session.clone(), key: head.key, lines: Vec::new() })
}

async fn append(
    connection: &mut SqliteConnection,
    heads: &mut Heads,
    Append { lease, batch }: &Append,
) -> Result<(), Failure> {
    let head = heads.get(lease.session)?;
    head.check(lease)?;
    batch.change.follows(head.session.last_position)?;
    artifacts::store(connection, head.key, batch).await?;
    // From here on nothing is refused any more.
    for (call_id, output) in &batch.outputs {
        sqlx::query(KEEP_OUTPUT).bind(head.key).bind(call_id).bind(output).execute(&mut *connection).await?;
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

/// The leases that were taken of sessions in which something was said.
fn begun(requests: &mut [Request]) -> impl Iterator<Item = &mut RawBegun> {
    let taken = requests.iter_mut();
    let taken =
        taken.filter_map(|request| if let Request::Begin(ask) = request { ask.noted() } else { None });
    taken.filter(|begun| begun.session.last_position > 0)
}

/// Adds the journals to the leases that were taken. In the same transaction, and after all that was written in it.
async fn read_journals(
    connection: &mut SqliteConnection,
    requests: &mut [Request],
) -> Result<(), sqlx::Error> {
    let mut begun: HashMap<i64, &mut RawBegun> = begun(requests).map(|begun| (begun.key, begun)).collect();
    let keys: Vec<String> = begun.keys().map(i64::to_string).collect();
    let keys = format!("[{}]", keys.join(","));
    for row in sqlx::query(WHOLE_JOURNALS).bind(keys).fetch_all(connection).await? {
        if let Some(begun) = begun.get_mut(&row.int(3)?) {
            begun.lines.push(Line::read(&row)?);
        }
    }
    Ok(())
}

impl Journal for SqliteStore {
    fn begin(&self, id: SessionId, time: Duration) -> StoreFuture<'_, Begun> {
        Box::pin(async move {
            let RawBegun { lease, session, lines, .. } = self.ask(Begin { id, time }, Request::Begin).await?;
            match lines.iter().map(|line| line.parse(id)).collect() {
                Ok(records) => Ok(Begun { lease, session, records }),
                Err(error) => {
                    // A journal that nobody can read should at least not look busy.
                    self.release(&lease).await?;
                    Err(error)
                }
            }
        })
    }

    fn append<'a>(&'a self, lease: &'a Lease, batch: Batch) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let append = Append { lease: lease.clone(), batch: Written::of(batch)? };
            self.ask(append, Request::Append).await
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(self.ask(lease.clone(), Request::Renew))
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(self.ask(lease.clone(), Request::Release))
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            // Into the file itself, and an empty log. Another process that reads just now keeps it from being complete,
            // which does no harm.
            let checkpoint = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.readers);
            checkpoint.await.map(drop).map_err(|error| Failure::from(error).into())
        })
    }

    fn abandon(&self, lease: Lease) {
        self.tell(lease, Request::Release);
    }

    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>> {
        Box::pin(async move {
            let query = sqlx::query(sql::RECORDS).bind(id.to_string()).bind(integer(after));
            let rows = query.fetch_all(&self.readers).await.map_err(Failure::from)?;
            rows.iter().map(|row| Line::read(row).map_err(Failure::from)?.parse(id)).collect()
        })
    }

    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let rows = sqlx::query(OPEN_TURNS).fetch_all(&self.readers).await.map_err(Failure::from)?;
            let mut found = Vec::new();
            for row in &rows {
                let head = Head::read(row)?;
                if !head.is_in_use(&self.owner) {
                    found.push(head.session);
                }
            }
            Ok(found)
        })
    }

    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>> {
        Box::pin(async move {
            let query = sqlx::query(sql::OUTPUT).bind(id.to_string()).bind(rows::json(&call_id)?);
            let row = query.fetch_optional(&self.readers).await.map_err(Failure::from)?;
            Ok(row.map(|row| rows::output(&row, &call_id)).transpose()?)
        })
    }
}
