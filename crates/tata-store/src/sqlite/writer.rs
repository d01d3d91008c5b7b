//! The one that writes.
//!
//! Requests wait in a queue. The writer takes all of them, carries them out in one transaction, commits, and only then
//! answers each: durable means durable. A request that is refused (a lost lease, say) has changed nothing and does not
//! disturb the others. If the database itself objects, the transaction is rolled back and each request gets one of its
//! own, so that only the guilty one fails.

use std::sync::Arc;

use sqlx::{Connection, SqliteConnection};
use tata_core::{
    Approval, ArtifactName, AuditEntry, Feedback, Lease, NewAudit, NewSession, Session, SessionChange,
    SessionId, StoreError,
};
use tokio::sync::{mpsc, oneshot};

use super::{
    artifacts, audit,
    heads::{After, Heads},
    journal::{self, Append, Begin, RawBegun},
    ledger,
    lock::Owner,
    sessions,
};
use crate::failure::{Failure, classified, is_outage};

const LARGEST_GROUP: usize = 256;
/// Takes the one right to write, and says which version of the database that is.
const BEGIN: &str = "BEGIN IMMEDIATE; PRAGMA data_version";
/// The same, and from now on commits wait for the disk: in WAL mode NORMAL may lose the last commits in a power cut, and
/// those were acknowledged.
const BEGIN_FULL: &str = "PRAGMA synchronous = FULL; BEGIN IMMEDIATE; PRAGMA data_version";
/// The same for leases alone, whose commit need not wait. Other processes see it at once, and it survives the death of
/// this one; a power cut ends all of them, and what they held. The next entry written under the lease makes it durable.
const BEGIN_NORMAL: &str = "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; PRAGMA data_version";

/// One thing to write.
pub(super) enum Request {
    Begin(Ask<Begin, RawBegun>),
    Append(Ask<Append, ()>),
    Renew(Ask<Lease, ()>),
    Release(Ask<Lease, ()>),
    Create(Ask<NewSession, Session>),
    Change(Ask<(SessionId, SessionChange), Session>),
    Delete(Ask<SessionId, ()>),
    Approve(Ask<(SessionId, ArtifactName, u32, Approval), ()>),
    Feedback(Ask<(SessionId, Feedback), ()>),
    Audit(Ask<NewAudit, AuditEntry>),
}

/// A question, its answer once there is one, and who waits for it.
pub(super) struct Ask<Q, A> {
    pub(super) question: Q,
    answer: Option<Result<A, StoreError>>,
    asker: oneshot::Sender<Result<A, StoreError>>,
}

impl<Q, A> Ask<Q, A> {
    pub(super) fn new(question: Q) -> (Self, oneshot::Receiver<Result<A, StoreError>>) {
        let (asker, answer) = oneshot::channel();
        (Self { question, answer: None, asker }, answer)
    }

    /// Notes the answer. An error of the database is none: it concerns the whole transaction.
    pub(super) fn note(&mut self, answer: Result<A, Failure>) -> Result<(), sqlx::Error> {
        self.answer = Some(match answer {
            Ok(answer) => Ok(answer),
            Err(Failure::Refused(error)) => Err(error),
            Err(Failure::Sql(error)) => return Err(error),
        });
        Ok(())
    }

    /// The answer noted so far, if it is a good one.
    pub(super) fn noted(&mut self) -> Option<&mut A> {
        self.answer.as_mut().and_then(|answer| answer.as_mut().ok())
    }

    /// Whether nobody waits any more.
    pub(super) fn is_abandoned(&self) -> bool {
        self.asker.is_closed()
    }

    /// Tells the asker. Gives the answer back if nobody took it.
    fn tell(self, outage: Option<&Arc<sqlx::Error>>) -> Option<A> {
        let answer = match (outage, self.answer) {
            (Some(error), _) => Err(classified(error)),
            (None, Some(answer)) => answer,
            (None, None) => Err(StoreError::Unavailable { source: "the request was not carried out".into() }),
        };
        self.asker.send(answer).err()?.ok()
    }
}

impl Request {
    /// Whether it belongs to a turn. Neighbors of this kind are carried out together.
    fn is_of_turn(&self) -> bool {
        matches!(self, Self::Begin(_) | Self::Append(_) | Self::Renew(_) | Self::Release(_))
    }

    /// Whether it only moves a lease: nothing that anybody said or did is in it.
    fn is_of_lease(&self) -> bool {
        matches!(self, Self::Begin(_) | Self::Renew(_) | Self::Release(_))
    }

    /// Tells the asker. Gives a lease back that was taken for somebody who has gone.
    fn tell(self, outage: Option<&Arc<sqlx::Error>>) -> Option<Lease> {
        match self {
            Self::Begin(ask) => return ask.tell(outage).map(|begun| begun.lease),
            Self::Append(ask) => drop(ask.tell(outage)),
            Self::Renew(ask) | Self::Release(ask) => drop(ask.tell(outage)),
            Self::Create(ask) => drop(ask.tell(outage)),
            Self::Change(ask) => drop(ask.tell(outage)),
            Self::Delete(ask) => drop(ask.tell(outage)),
            Self::Approve(ask) => drop(ask.tell(outage)),
            Self::Feedback(ask) => drop(ask.tell(outage)),
            Self::Audit(ask) => drop(ask.tell(outage)),
        }
        None
    }
}

/// Writes until the store is dropped.
pub(super) async fn run(
    mut connection: SqliteConnection,
    owner: Arc<Owner>,
    mut waiting: mpsc::UnboundedReceiver<Request>,
) {
    let mut heads = Heads::default();
    let mut group = Vec::with_capacity(LARGEST_GROUP);
    while waiting.recv_many(&mut group, LARGEST_GROUP).await > 0 {
        while !group.is_empty() {
            let orphans = serve(&mut connection, &owner, &mut heads, std::mem::take(&mut group)).await;
            // Otherwise the session would stay in use, by nobody, until the lease runs out.
            group.extend(orphans.into_iter().map(|lease| Request::Release(Ask::new(lease).0)));
        }
        // Those just answered often ask again at once: let them, and the next group is larger.
        tokio::task::yield_now().await;
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the database did not close cleanly");
    }
}

/// Carries a group out and answers it. Returns leases whose takers have gone.
async fn serve(
    connection: &mut SqliteConnection,
    owner: &Owner,
    heads: &mut Heads,
    mut group: Vec<Request>,
) -> Vec<Lease> {
    let outage = match commit(connection, owner, heads, &mut group).await {
        Ok(()) => None,
        Err(error) if is_outage(&error) || group.len() == 1 => Some(Arc::new(error)),
        Err(error) => {
            tracing::warn!(%error, requests = group.len(), "a group of writes failed; each is tried alone");
            let mut orphans = Vec::new();
            for request in group {
                let mut alone = [request];
                let failed = commit(connection, owner, heads, &mut alone).await.err().map(Arc::new);
                orphans.extend(alone.into_iter().filter_map(|request| request.tell(failed.as_ref())));
            }
            return orphans;
        }
    };
    group.into_iter().filter_map(|request| request.tell(outage.as_ref())).collect()
}

/// One transaction.
async fn commit(
    connection: &mut SqliteConnection,
    owner: &Owner,
    heads: &mut Heads,
    group: &mut [Request],
) -> Result<(), sqlx::Error> {
    let waits = !group.iter().all(Request::is_of_lease);
    let begin = match (heads.commits_wait, waits) {
        (Some(true), true) | (Some(false), false) => BEGIN,
        (_, true) => BEGIN_FULL,
        (_, false) => BEGIN_NORMAL,
    };
    // Until it is certain, it is not known.
    heads.commits_wait = None;
    let mut done = match sqlx::query_scalar(begin).fetch_one(&mut *connection).await {
        Ok(version) => {
            heads.commits_wait = Some(waits);
            heads.see(version);
            carry_out(connection, owner, heads, group).await
        }
        Err(error) => Err(error),
    };
    if let Ok(After::More) = done {
        fail::fail_point!("sqlite::before_commit");
        done = sqlx::query("COMMIT").execute(&mut *connection).await.map(|_| After::Commit);
    }
    if let Err(error) = done {
        heads.forget();
        // Some errors roll back by themselves; then this one fails, and that is fine.
        drop(sqlx::query("ROLLBACK").execute(connection).await);
        return Err(error);
    }
    fail::fail_point!("sqlite::after_commit");
    Ok(())
}

/// Carries the requests out, and says whether they are committed already.
async fn carry_out(
    connection: &mut SqliteConnection,
    owner: &Owner,
    heads: &mut Heads,
    group: &mut [Request],
) -> Result<After, sqlx::Error> {
    let mut done = After::More;
    let mut runs = group.chunk_by_mut(|one, next| one.is_of_turn() && next.is_of_turn()).peekable();
    while let Some(run) = runs.next() {
        if !run.iter().any(Request::is_of_turn) {
            // These write sessions themselves.
            heads.forget();
        }
        match run {
            [Request::Create(ask)] => {
                let answer = sessions::create(connection, &ask.question).await;
                ask.note(answer)?;
            }
            [Request::Change(ask)] => {
                let answer = sessions::change(connection, &ask.question).await;
                ask.note(answer)?;
            }
            [Request::Delete(ask)] => {
                let answer = sessions::delete(connection, owner, ask.question).await;
                ask.note(answer)?;
            }
            [Request::Approve(ask)] => {
                let answer = artifacts::approve(connection, &ask.question).await;
                ask.note(answer)?;
            }
            [Request::Feedback(ask)] => {
                let answer = ledger::give_feedback(connection, &ask.question).await;
                ask.note(answer)?;
            }
            [Request::Audit(ask)] => {
                let answer = audit::record(connection, &ask.question).await;
                ask.note(answer)?;
            }
            turns => {
                let after = if runs.peek().is_none() { After::Commit } else { After::More };
                done = journal::write(connection, owner, heads, turns, after).await?;
            }
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;
    use crate::SqliteStore;

    /// R2: whatever was written before, and whatever failed, a commit with more than leases in it waits for the disk.
    #[tokio::test]
    async fn what_was_said_waits_for_the_disk() -> Result<(), Box<dyn std::error::Error>> {
        let folder = std::env::temp_dir().join(format!("tata-{}", SessionId::random()));
        let file = folder.join("tata.db");
        let store = SqliteStore::open(&file).await?;
        let options = SqliteConnectOptions::new().filename(&file).busy_timeout(Duration::ZERO);
        let mut other = SqliteConnection::connect_with(&options).await?;
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let (owner, mut heads) = (Owner::new(&file)?, Heads::default());
        let lease = Lease { session: SessionId::random(), epoch: 1, time: Duration::ZERO };
        for round in 0..4 {
            for waits in [false, false, true, true, false, true] {
                let request = if waits {
                    Request::Create(Ask::new(NewSession::with("a", jiff::Timestamp::UNIX_EPOCH)).0)
                } else {
                    Request::Release(Ask::new(lease.clone()).0)
                };
                let mut group = [request];
                if round % 2 == 1 {
                    // Somebody else writes just now: this one fails, and the next must not rely on it.
                    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await?;
                    assert!(commit(&mut connection, &owner, &mut heads, &mut group).await.is_err());
                    sqlx::query("ROLLBACK").execute(&mut other).await?;
                }
                commit(&mut connection, &owner, &mut heads, &mut group).await?;
                let level: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut connection).await?;
                // SQLite's numbers for NORMAL and FULL.
                assert_eq!(level, if waits { 2 } else { 1 });
            }
        }
        drop(store);
        std::fs::remove_dir_all(folder)?;
        Ok(())
    }
}
