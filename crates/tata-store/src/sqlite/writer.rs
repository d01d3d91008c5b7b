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
    heads::Heads,
    journal::{self, Append, Begin, RawBegun},
    ledger,
    lock::Owner,
    sessions,
};
use crate::failure::{Failure, classified, is_outage};

const LARGEST_GROUP: usize = 256;
/// Takes the one right to write, and says which version of the database that is. The commit will wait for the disk: in
/// WAL mode NORMAL may lose the last commits in a power cut, and those were acknowledged.
const BEGIN: &str = "PRAGMA synchronous = FULL; BEGIN IMMEDIATE; PRAGMA data_version";
/// The same for leases alone, whose commit need not wait. Other processes see it at once, and it survives the death of
/// this one; a power cut ends all of them, and what they held. The next entry written under the lease makes it durable.
const BEGIN_LEASES: &str = "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; PRAGMA data_version";

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
    let begin = if group.iter().all(Request::is_of_lease) { BEGIN_LEASES } else { BEGIN };
    let mut done = match sqlx::query_scalar(begin).fetch_one(&mut *connection).await {
        Ok(version) => {
            heads.see(version);
            carry_out(connection, owner, heads, group).await
        }
        Err(error) => Err(error),
    };
    if done.is_ok() {
        fail::fail_point!("sqlite::before_commit");
        done = sqlx::query("COMMIT").execute(&mut *connection).await.map(drop);
    }
    if done.is_err() {
        heads.forget();
        // Some errors roll back by themselves; then this one fails, and that is fine.
        drop(sqlx::query("ROLLBACK").execute(connection).await);
        return done;
    }
    fail::fail_point!("sqlite::after_commit");
    Ok(())
}

async fn carry_out(
    connection: &mut SqliteConnection,
    owner: &Owner,
    heads: &mut Heads,
    group: &mut [Request],
) -> Result<(), sqlx::Error> {
    for run in group.chunk_by_mut(|one, next| one.is_of_turn() && next.is_of_turn()) {
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
            turns => journal::write(connection, owner, heads, turns).await?,
        }
    }
    Ok(())
}
