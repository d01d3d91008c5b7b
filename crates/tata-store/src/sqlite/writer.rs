//! The one that writes.
//!
//! Requests wait in a queue. The writer takes all of them, carries them out in one transaction, commits, and only then
//! answers each: durable means durable. A request that is refused (a lost lease, say) has changed nothing and does not
//! disturb the others. If the database itself objects, the transaction is rolled back and each request gets one of its
//! own, so that only the guilty one fails.

use std::{
    io,
    sync::{Arc, mpsc::RecvTimeoutError},
    thread,
    time::Duration,
};

use rusqlite::Connection;
use tata_core::{
    AccessToken, Account, Approval, ArtifactName, AuditEntry, ChatMark, Feedback, Lease, NewAudit, NewFile,
    NewSession, RequestKey, Session, SessionChange, SessionId, StoreError,
};
use tokio::{
    sync::{mpsc, oneshot},
    task::spawn_blocking,
};

use super::{
    accounts, artifacts, audit, chat_marks,
    connection::{PATIENCE, run as put},
    files,
    heads::Heads,
    journal::{self, Append, Begin, RawBegun},
    keys, ledger,
    lock::Owner,
    sessions, signals,
};
use crate::failure::{Failure, Fault, classified, is_outage};

const LARGEST_GROUP: usize = 256;
/// A group of so many is followed by the next at once. After a larger one, those just answered are waited for: they often
/// ask again at once, and one transaction for many is cheaper than many.
const SMALL_GROUP: usize = 4;

/// How long a reader is waited for before the log is left as it is for now, and when that is tried again.
const EMPTY_LOG_WAITS: Duration = Duration::from_millis(50);
const EMPTY_LOG_AGAIN: Duration = Duration::from_millis(500);

/// One thing to write.
pub(super) enum Request {
    Begin(Ask<Begin, RawBegun>),
    Append(Ask<Append, ()>),
    Renew(Ask<Lease, ()>),
    Release(Ask<Lease, ()>),
    Create(Ask<NewSession, Session>),
    Change(Ask<(SessionId, SessionChange), Session>),
    Delete(Ask<sessions::Deletion, ()>),
    Approve(Ask<(SessionId, ArtifactName, u32, Approval), ()>),
    Feedback(Ask<(SessionId, Feedback), ()>),
    File(Ask<(SessionId, NewFile), bool>),
    TakeKey(Ask<keys::Take, Option<RequestKey>>),
    SettleKey(Ask<(String, Option<String>), ()>),
    ChatMark(Ask<ChatMark, bool>),
    Stop(Ask<(SessionId, Option<(u32, jiff::Timestamp)>), ()>),
    Audit(Ask<NewAudit, AuditEntry>),
    Account(Ask<Account, ()>),
    Token(Ask<AccessToken, ()>),
    RenewToken(Ask<AccessToken, ()>),
    DeleteToken(Ask<String, bool>),
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
    pub(super) fn note(&mut self, answer: Result<A, Failure>) -> Result<(), Fault> {
        self.answer = Some(match answer {
            Ok(answer) => Ok(answer),
            Err(Failure::Refused(error)) => Err(error),
            Err(Failure::Database(fault)) => return Err(fault),
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

    /// Tells the asker, if there is one still.
    fn tell(self, outage: Option<&Arc<Fault>>) {
        let answer = match (outage, self.answer) {
            (Some(fault), _) => Err(classified(fault)),
            (None, Some(answer)) => answer,
            (None, None) => Err(StoreError::Unavailable { source: "the request was not carried out".into() }),
        };
        let _ = self.asker.send(answer);
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

    /// Whether it takes away what must not be found any more.
    fn deletes(&self) -> bool {
        matches!(self, Self::Delete(_))
    }

    /// Tells the asker.
    fn tell(self, outage: Option<&Arc<Fault>>) {
        match self {
            Self::Begin(mut ask) => {
                let requests = ask.question.requests.clone();
                if let Some(begun) = ask.noted().filter(|_| outage.is_none()) {
                    begun.lease.guard(requests);
                }
                ask.tell(outage);
            }
            Self::Append(ask) => ask.tell(outage),
            Self::Renew(ask) | Self::Release(ask) => ask.tell(outage),
            Self::Create(ask) => ask.tell(outage),
            Self::Change(ask) => ask.tell(outage),
            Self::Delete(ask) => ask.tell(outage),
            Self::Approve(ask) => ask.tell(outage),
            Self::Feedback(ask) => ask.tell(outage),
            Self::File(ask) => ask.tell(outage),
            Self::TakeKey(ask) => ask.tell(outage),
            Self::SettleKey(ask) => ask.tell(outage),
            Self::ChatMark(ask) => ask.tell(outage),
            Self::Stop(ask) => ask.tell(outage),
            Self::Audit(ask) => ask.tell(outage),
            Self::Account(ask) => ask.tell(outage),
            Self::Token(ask) | Self::RenewToken(ask) => ask.tell(outage),
            Self::DeleteToken(ask) => ask.tell(outage),
        }
    }
}

/// The thread that carries transactions out, and may wait for the disk.
pub(super) struct WriterThread {
    groups: Option<std::sync::mpsc::Sender<Vec<Request>>>,
    served: mpsc::UnboundedReceiver<Vec<Served>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl WriterThread {
    pub(super) fn new(mut writer: Writer) -> io::Result<Self> {
        let (groups, work) = std::sync::mpsc::channel();
        let (done, served) = mpsc::unbounded_channel();
        let thread = thread::Builder::new().name("tata-sqlite".to_owned()).spawn(move || {
            // Until nobody is there any more. Closing may move the whole log into the file.
            while let Some(group) = next_group(&work, &mut writer) {
                let _ = done.send(writer.serve(group));
            }
        })?;
        Ok(Self { groups: Some(groups), served, thread: Some(thread) })
    }

    fn give(&self, group: Vec<Request>) {
        // Without a thread nothing will be served, and that is seen then.
        let _ = self.groups.as_ref().map(|groups| groups.send(group));
    }
}

impl Drop for WriterThread {
    /// The file is closed when the store has ended.
    fn drop(&mut self) {
        self.groups = None;
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

/// The next group, once somebody has something to write. Meanwhile the log is emptied of what was deleted.
fn next_group(work: &std::sync::mpsc::Receiver<Vec<Request>>, writer: &mut Writer) -> Option<Vec<Request>> {
    loop {
        if !writer.log_holds_deleted {
            return work.recv().ok();
        }
        match work.recv_timeout(EMPTY_LOG_AGAIN) {
            Ok(group) => return Some(group),
            Err(RecvTimeoutError::Timeout) => writer.empty_log(),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Writes until the store is dropped: gathers requests, hands them over, and answers all of a group at once.
pub(super) async fn run(mut writer: WriterThread, mut waiting: mpsc::UnboundedReceiver<Request>) {
    let mut group = Vec::new();
    // The groups on their way, and how large the last one is.
    let (mut on_their_way, mut size, mut closed) = (0, 0, false);
    while !closed || on_their_way > 0 {
        let may_give = !closed && (on_their_way == 0 || on_their_way == 1 && size <= SMALL_GROUP);
        tokio::select! {
            biased;
            served = writer.served.recv(), if on_their_way > 0 => {
                let Some(served) = served else {
                    tracing::error!("the writer of the database has ended");
                    return;
                };
                on_their_way -= 1;
                for (request, outage) in served {
                    request.tell(outage.as_ref());
                }
                // Let those just answered ask again, and the next group is larger.
                tokio::task::yield_now().await;
            }
            count = waiting.recv_many(&mut group, LARGEST_GROUP), if may_give => {
                if count == 0 {
                    closed = true;
                } else {
                    (on_their_way, size) = (on_their_way + 1, count);
                    writer.give(std::mem::take(&mut group));
                }
            }
        }
    }
    drop(spawn_blocking(move || drop(writer)).await);
}

/// The connection that writes, and what it remembers.
pub(super) struct Writer {
    connection: Connection,
    owner: Arc<Owner>,
    heads: Heads,
    /// Whether commits wait for the disk, if that is known.
    waits: Option<bool>,
    /// Something was deleted, and its bytes may still stand in the log.
    log_holds_deleted: bool,
}

/// A request that was carried out, or the fault that kept the database from it.
type Served = (Request, Option<Arc<Fault>>);

impl Writer {
    pub(super) fn new(connection: Connection, owner: Arc<Owner>) -> Self {
        Self { connection, owner, heads: Heads::default(), waits: None, log_holds_deleted: false }
    }

    /// Carries a group out.
    fn serve(&mut self, mut group: Vec<Request>) -> Vec<Served> {
        let outage = match self.commit(&mut group) {
            Ok(()) => {
                self.log_holds_deleted |= group.iter().any(Request::deletes);
                if self.log_holds_deleted {
                    self.empty_log();
                }
                None
            }
            Err(fault) if is_outage(&fault) || group.len() == 1 => Some(Arc::new(fault)),
            Err(error) => {
                tracing::warn!(%error, requests = group.len(), "a group of writes failed; each is tried alone");
                return group.into_iter().map(|request| self.serve_alone(request)).collect();
            }
        };
        group.into_iter().map(|request| (request, outage.clone())).collect()
    }

    fn serve_alone(&mut self, request: Request) -> Served {
        let mut alone = [request];
        let fault = self.commit(&mut alone).err().map(Arc::new);
        let [request] = alone;
        self.log_holds_deleted |= fault.is_none() && request.deletes();
        (request, fault)
    }

    /// Writes the log into the file and empties it: the file overwrites what is deleted, the log does not. Somebody who reads
    /// just now is not waited for, since everybody else would wait as well; it is tried again.
    fn empty_log(&mut self) {
        let wait = |time| self.connection.busy_timeout(time);
        let emptied = wait(EMPTY_LOG_WAITS).and_then(|()| {
            let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
            self.connection.query_row(checkpoint, [], |row| row.get::<_, bool>(0)).map(|busy| !busy)
        });
        if let Err(error) = wait(PATIENCE) {
            tracing::warn!(%error, "the patience of the writer could not be set");
        }
        match emptied {
            Ok(emptied) => self.log_holds_deleted = !emptied,
            Err(error) => tracing::debug!(%error, "the log still holds what was deleted"),
        }
    }

    /// One transaction.
    fn commit(&mut self, group: &mut [Request]) -> Result<(), Fault> {
        let done = self.begin(group).and_then(|()| self.carry_out(group)).and_then(|()| {
            fail::fail_point!("sqlite::before_commit");
            Ok(put(&self.connection, "COMMIT", []).map(drop)?)
        });
        if done.is_err() {
            self.heads.forget();
            // Some errors roll back by themselves; then this one fails, and that is fine.
            drop(put(&self.connection, "ROLLBACK", []));
            return done;
        }
        fail::fail_point!("sqlite::after_commit");
        done
    }

    /// Takes the one right to write.
    ///
    /// In WAL mode a commit that does not wait for the disk may be lost in a power cut. Nothing that anybody was told
    /// may, but leases alone need not wait: other processes see them at once, and they survive the death of this one; a
    /// power cut ends all of them, and what they held. The next entry written under a lease makes it durable.
    fn begin(&mut self, group: &[Request]) -> Result<(), Fault> {
        let waits = !group.iter().all(Request::is_of_lease);
        if self.waits != Some(waits) {
            // Until it is certain, it is not known.
            self.waits = None;
            self.connection.pragma_update(None, "synchronous", if waits { "FULL" } else { "NORMAL" })?;
            self.waits = Some(waits);
        }
        put(&self.connection, "BEGIN IMMEDIATE", [])?;
        // It tells of the writes of others.
        let version =
            self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        self.heads.see(version);
        Ok(())
    }

    fn carry_out(&mut self, group: &mut [Request]) -> Result<(), Fault> {
        let Self { connection, owner, heads, .. } = self;
        for run in group.chunk_by_mut(|one, next| one.is_of_turn() && next.is_of_turn()) {
            if !run.iter().any(Request::is_of_turn) {
                // These write sessions themselves.
                heads.forget();
            }
            match run {
                [Request::Create(ask)] => ask.note(sessions::create(connection, &ask.question))?,
                [Request::Change(ask)] => ask.note(sessions::change(connection, &ask.question))?,
                [Request::Delete(ask)] => ask.note(sessions::delete(connection, owner, &ask.question))?,
                [Request::Approve(ask)] => ask.note(artifacts::approve(connection, &ask.question))?,
                [Request::Feedback(ask)] => ask.note(ledger::give_feedback(connection, &ask.question))?,
                [Request::File(ask)] => ask.note(files::keep(connection, &ask.question))?,
                [Request::TakeKey(ask)] => ask.note(keys::take(connection, &ask.question))?,
                [Request::SettleKey(ask)] => ask.note(keys::settle(connection, &ask.question))?,
                [Request::ChatMark(ask)] => ask.note(chat_marks::keep(connection, &ask.question))?,
                [Request::Stop(ask)] => ask.note(signals::note(connection, &ask.question))?,
                [Request::Audit(ask)] => ask.note(audit::record(connection, &ask.question))?,
                [Request::Account(ask)] => ask.note(accounts::save(connection, &ask.question))?,
                [Request::Token(ask)] => ask.note(accounts::save_token(connection, &ask.question))?,
                [Request::RenewToken(ask)] => ask.note(accounts::renew_token(connection, &ask.question))?,
                [Request::DeleteToken(ask)] => ask.note(accounts::delete_token(connection, &ask.question))?,
                turns => journal::write(connection, owner, heads, turns)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::sqlite::connection::writing;

    /// R2: whatever was written before, and whatever failed, a commit with more than leases in it waits for the disk.
    #[test]
    fn what_was_said_waits_for_the_disk() -> Result<(), Box<dyn std::error::Error>> {
        let folder = std::env::temp_dir().join(format!("tata-{}", SessionId::random()));
        let file = folder.join("tata.db");
        super::super::lock::private_folder(&folder)?;
        super::super::lock::private(&file)?;
        let connections = [writing(&file), writing(&file)].map(|opened| opened.map_err(StoreError::from));
        let [other, connection] = connections;
        let (other, connection) = (other?, connection?);
        connection.busy_timeout(Duration::ZERO)?;
        super::super::lock::private_folder(&folder.join("tata.db.owners"))?;
        let mut writer = Writer::new(connection, Arc::new(Owner::new(&file)?));
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
                    other.execute_batch("BEGIN IMMEDIATE")?;
                    assert!(writer.commit(&mut group).is_err());
                    other.execute_batch("ROLLBACK")?;
                }
                writer.commit(&mut group)?;
                let level: i64 = writer.connection.query_row("PRAGMA synchronous", [], |row| row.get(0))?;
                // SQLite's numbers for NORMAL and FULL.
                assert_eq!(level, if waits { 2 } else { 1 });
            }
        }
        std::fs::remove_dir_all(folder)?;
        Ok(())
    }
}
