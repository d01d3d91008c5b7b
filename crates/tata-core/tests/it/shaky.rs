//! A store that pauses before and after every write, fails when told to, and remembers each batch as it was written. It
//! has one connection: who reads documents waits for a write on its way.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::Timestamp;
use tata_core::{
    AccessToken, Account, Accounts, Actor, Approval, Artifact, ArtifactName, Artifacts, Audit, AuditEntry,
    Batch, Begun, CallId, ChatMark, ChatMarks, DirectoryPerson, Feedback, Files, Journal, Keys, Lease,
    Ledger, Listing, NewAudit, NewFile, NewSession, Record, RequestKey, Salvage, Session, SessionChange,
    SessionFilter, SessionId, Sessions, Signals, StoreError, StoreFuture, StoredFile, Upkeep, UsageRow,
    Verified,
};
use tata_store::MemoryStore;
use tokio::{task::yield_now, time::sleep};

/// How a write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Unavailable,
    LeaseLost,
    NotWritable,
    /// The write is made, but the answer is lost.
    DoneButUnavailable,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[error("the cable at 10.0.0.1 is out")]
struct Cable;

#[derive(Clone, Default)]
pub(crate) struct ShakyStore {
    inner: Arc<MemoryStore>,
    batches: Arc<Mutex<Vec<Batch>>>,
    appends: Arc<Mutex<usize>>,
    trouble: Arc<Mutex<Option<(usize, Trouble)>>>,
    renewals: Arc<Mutex<Option<Trouble>>>,
    /// How long a write takes.
    takes: Duration,
    connection: Arc<tokio::sync::Mutex<()>>,
}

impl ShakyStore {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// The append with this number, counted from 1, fails.
    pub(crate) fn failing(at: usize, trouble: Trouble) -> Arc<Self> {
        Self::failing_slowly(Duration::ZERO, at, trouble)
    }

    /// Every write takes this long.
    pub(crate) fn slow(takes: Duration) -> Arc<Self> {
        Arc::new(Self { takes, ..Self::default() })
    }

    /// Every write takes this long, and that with this number fails after it.
    pub(crate) fn failing_slowly(takes: Duration, at: usize, trouble: Trouble) -> Arc<Self> {
        let store = Self { takes, ..Self::default() };
        *store.trouble.lock().unwrap() = Some((at, trouble));
        Arc::new(store)
    }

    /// Renewals of the lease fail.
    pub(crate) fn failing_renewals(trouble: Trouble) -> Arc<Self> {
        let store = Self::default();
        *store.renewals.lock().unwrap() = Some(trouble);
        Arc::new(store)
    }

    /// What was written, batch by batch.
    pub(crate) fn batches(&self) -> Vec<Batch> {
        self.batches.lock().unwrap().clone()
    }

    fn trouble(&self) -> Option<Trouble> {
        let mut appends = self.appends.lock().unwrap();
        *appends += 1;
        self.trouble.lock().unwrap().filter(|(at, _)| at == &*appends).map(|(_, trouble)| trouble)
    }
}

impl Trouble {
    fn error(self, lease: &Lease) -> StoreError {
        match self {
            Self::Unavailable | Self::DoneButUnavailable => {
                StoreError::Unavailable { source: Box::new(Cable) }
            }
            Self::LeaseLost => StoreError::LeaseLost { session: lease.session, epoch: lease.epoch },
            Self::NotWritable => {
                StoreError::NotWritable { reason: "the disk is full".to_owned(), source: Box::new(Cable) }
            }
        }
    }

    /// The name that the report gives it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unavailable | Self::DoneButUnavailable => "store_unavailable",
            Self::LeaseLost => "lease_lost",
            Self::NotWritable => "store_not_writable",
        }
    }
}

impl Journal for ShakyStore {
    /// A crash gives nothing back.
    fn abandon(&self, _: Lease) {}

    fn settle(&self) -> StoreFuture<'_, ()> {
        self.inner.settle()
    }

    fn begin_after(&self, id: SessionId, time: Duration, known: u64) -> StoreFuture<'_, Begun> {
        Box::pin(async move {
            yield_now().await;
            let begun = self.inner.begin_after(id, time, known).await;
            yield_now().await;
            begun
        })
    }

    fn append(&self, lease: &Lease, batch: Batch) -> StoreFuture<'static, ()> {
        let (store, lease) = (self.clone(), lease.clone());
        Box::pin(async move {
            let _connection = store.connection.lock().await;
            yield_now().await;
            let trouble = store.trouble();
            if !store.takes.is_zero() {
                sleep(store.takes).await;
            }
            if let Some(trouble) = trouble.filter(|trouble| *trouble != Trouble::DoneButUnavailable) {
                return Err(trouble.error(&lease));
            }
            store.inner.append(&lease, batch.clone()).await?;
            store.batches.lock().unwrap().push(batch);
            yield_now().await;
            trouble.map_or(Ok(()), |trouble| Err(trouble.error(&lease)))
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        let trouble = *self.renewals.lock().unwrap();
        Box::pin(async move {
            match trouble {
                Some(trouble) => Err(trouble.error(lease)),
                None => self.inner.renew(lease).await,
            }
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        self.inner.release(lease)
    }

    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>> {
        self.inner.records(id, after)
    }

    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>> {
        self.inner.interrupted()
    }

    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>> {
        self.inner.output(id, call_id)
    }
}

impl Sessions for ShakyStore {
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        self.inner.create_session(new)
    }

    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>> {
        self.inner.session(id)
    }

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Listing> {
        self.inner.sessions(filter)
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        self.inner.change_session(id, change)
    }

    fn delete_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        self.inner.delete_session(id, by, at)
    }

    fn delete_due_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        self.inner.delete_due_session(id, by, at)
    }

    fn due_deletions(&self, at: Timestamp) -> StoreFuture<'_, Vec<Session>> {
        self.inner.due_deletions(at)
    }
}

impl Artifacts for ShakyStore {
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(async move {
            let _connection = self.connection.lock().await;
            self.inner.artifacts(id).await
        })
    }

    fn newest_artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(async move {
            let _connection = self.connection.lock().await;
            self.inner.newest_artifacts(id).await
        })
    }

    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>> {
        self.inner.artifact(id, name, version)
    }

    fn approve_artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: u32,
        approval: Approval,
    ) -> StoreFuture<'_, ()> {
        self.inner.approve_artifact(id, name, version, approval)
    }
}

impl Keys for ShakyStore {
    fn take_key(
        &self,
        key: RequestKey,
        old: Timestamp,
        lost: Timestamp,
    ) -> StoreFuture<'_, Option<RequestKey>> {
        self.inner.take_key(key, old, lost)
    }

    fn settle_key(&self, name: String, answer: String) -> StoreFuture<'_, ()> {
        self.inner.settle_key(name, answer)
    }

    fn free_key(&self, name: String) -> StoreFuture<'_, ()> {
        self.inner.free_key(name)
    }
}

impl ChatMarks for ShakyStore {
    fn keep_chat_mark(&self, mark: ChatMark) -> StoreFuture<'_, ()> {
        self.inner.keep_chat_mark(mark)
    }

    fn chat_marks(&self, question: String, answer: String) -> StoreFuture<'_, Vec<ChatMark>> {
        self.inner.chat_marks(question, answer)
    }
}

impl Signals for ShakyStore {
    fn ask_to_stop(&self, id: SessionId, turn: u32, at: Timestamp) -> StoreFuture<'_, ()> {
        self.inner.ask_to_stop(id, turn, at)
    }

    fn asked_to_stop(&self, old: Timestamp) -> StoreFuture<'_, Vec<(SessionId, u32)>> {
        self.inner.asked_to_stop(old)
    }

    fn has_stopped(&self, id: SessionId) -> StoreFuture<'_, ()> {
        self.inner.has_stopped(id)
    }
}

impl Files for ShakyStore {
    fn keep_file(&self, id: SessionId, file: NewFile) -> StoreFuture<'_, ()> {
        self.inner.keep_file(id, file)
    }

    fn files(&self, id: SessionId) -> StoreFuture<'_, Vec<StoredFile>> {
        self.inner.files(id)
    }

    fn file_bytes(&self, id: SessionId, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.inner.file_bytes(id, digest)
    }
}

impl Ledger for ShakyStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        self.inner.usage(id)
    }

    fn usage_since(
        &self,
        tenant: Option<String>,
        since: Timestamp,
    ) -> StoreFuture<'_, Vec<(Option<String>, Arc<UsageRow>)>> {
        self.inner.usage_since(tenant, since)
    }

    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()> {
        self.inner.give_feedback(id, feedback)
    }

    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>> {
        self.inner.feedback(id)
    }
}

impl Audit for ShakyStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        self.inner.record_audit(new)
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        self.inner.audit_trail()
    }

    fn audit_of(&self, tenant: String, most: u32) -> StoreFuture<'_, Vec<AuditEntry>> {
        self.inner.audit_of(tenant, most)
    }
}

impl Accounts for ShakyStore {
    fn save_account(&self, account: Account) -> StoreFuture<'_, ()> {
        self.inner.save_account(account)
    }

    fn account(&self, id: String) -> StoreFuture<'_, Option<Account>> {
        self.inner.account(id)
    }

    fn account_named(&self, name: String) -> StoreFuture<'_, Option<Account>> {
        self.inner.account_named(name)
    }

    fn account_of_person(&self, person: DirectoryPerson) -> StoreFuture<'_, Option<Account>> {
        self.inner.account_of_person(person)
    }

    fn accounts(&self, tenant: Option<String>) -> StoreFuture<'_, Vec<Account>> {
        self.inner.accounts(tenant)
    }

    fn save_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        self.inner.save_token(token)
    }

    fn renew_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        self.inner.renew_token(token)
    }

    fn token(&self, hash: String) -> StoreFuture<'_, Option<(AccessToken, Account)>> {
        self.inner.token(hash)
    }

    fn tokens(&self, account: String) -> StoreFuture<'_, Vec<AccessToken>> {
        self.inner.tokens(account)
    }

    fn delete_token(&self, hash: String) -> StoreFuture<'_, bool> {
        self.inner.delete_token(hash)
    }
}

impl Upkeep for ShakyStore {
    fn verify(&self) -> StoreFuture<'_, Verified> {
        self.inner.verify()
    }

    fn salvage(&self, id: String) -> StoreFuture<'_, Option<Salvage>> {
        self.inner.salvage(id)
    }
}
