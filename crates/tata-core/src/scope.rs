//! A store as one person sees it: what belongs to others is not there.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::Timestamp;

use crate::{
    AccessToken, Account, Accounts, Actor, Approval, Artifact, ArtifactName, Artifacts, Audit, AuditEntry,
    Batch, Begun, CallId, DirectoryPerson, Feedback, Files, Journal, Keys, Lease, Ledger, Listing, NewAudit,
    NewFile, NewSession, Record, RequestKey, Salvage, Session, SessionChange, SessionFilter, SessionId,
    Sessions, Signals, Store, StoreError, StoreFuture, StoredFile, Upkeep, UsageRow, Verified,
};

/// Whose data an operation may touch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The company.
    pub tenant: String,
    /// The person in it.
    pub user: String,
}

impl Scope {
    /// Whether a session lies within.
    pub fn holds(&self, session: &Session) -> bool {
        !self.user.is_empty()
            && session.tenant_id.as_ref() == Some(&self.tenant)
            && session.user_id.as_ref() == Some(&self.user)
    }
}

/// A store within a scope. Every operation is asked first whose session it is about; what is somebody else's does not
/// exist. Whose a session is never changes, so it is asked once.
pub struct ScopedStore {
    inner: Arc<dyn Store>,
    scope: Scope,
    known: Arc<Mutex<HashSet<SessionId>>>,
}

impl ScopedStore {
    /// What this person sees of a store. A store that has a wall of its own between companies puts it up as well.
    pub fn new(store: &Arc<dyn Store>, scope: Scope) -> Self {
        let inner = store.walled(&scope.tenant).unwrap_or_else(|| Arc::clone(store));
        Self { inner, scope, known: Arc::default() }
    }

    /// What somebody sees whom nobody knows: nothing. No company and no person has an empty name.
    pub fn of_nobody(store: &Arc<dyn Store>) -> Self {
        let scope = Scope { tenant: String::new(), user: String::new() };
        Self { inner: Arc::clone(store), scope, known: Arc::default() }
    }

    /// Whose it is.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The store within, for ports that stand in files of their own.
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.inner
    }

    /// In whose name everything is written here: who was let in, not what a face calls them.
    fn signed_in(&self) -> Option<String> {
        Some(self.scope.user.clone()).filter(|user| !user.is_empty())
    }

    /// Refuses a session that is somebody else's as one that is not there.
    pub(crate) async fn check(&self, id: SessionId) -> Result<(), StoreError> {
        check(&self.inner, &self.scope, &self.known, id).await
    }

    /// Reads of what is somebody else's find nothing, as reads of what does not exist.
    async fn sees(&self, id: SessionId) -> Result<bool, StoreError> {
        match self.check(id).await {
            Ok(()) => Ok(true),
            Err(StoreError::NotFound { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

async fn check(
    store: &Arc<dyn Store>,
    scope: &Scope,
    known: &Mutex<HashSet<SessionId>>,
    id: SessionId,
) -> Result<(), StoreError> {
    let seen = || known.lock().unwrap_or_else(PoisonError::into_inner);
    if seen().contains(&id) {
        return Ok(());
    }
    let session = store.session(id).await?.filter(|session| scope.holds(session));
    match session {
        Some(_) => {
            seen().insert(id);
            Ok(())
        }
        None => Err(StoreError::NotFound { what: format!("session {id}") }),
    }
}

/// What nobody within a scope may do.
fn for_operators<T: Send + 'static>(what: &'static str) -> StoreFuture<'static, T> {
    Box::pin(std::future::ready(Err(StoreError::Unusable {
        reason: format!("{what} is for whoever runs this server, not for one account"),
    })))
}

impl Sessions for ScopedStore {
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        let Scope { tenant, user } = self.scope.clone();
        self.inner.create_session(NewSession { tenant_id: Some(tenant), user_id: Some(user), ..new })
    }

    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>> {
        Box::pin(async move { Ok(self.inner.session(id).await?.filter(|one| self.scope.holds(one))) })
    }

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Listing> {
        let Scope { tenant, user } = self.scope.clone();
        let filter = SessionFilter { tenant_id: Some(tenant), user_id: Some(user), ..filter };
        Box::pin(async move {
            let found = self.inner.sessions(filter).await?;
            // Whose a row is that cannot be read, nobody can tell.
            Ok(Listing { damaged: Vec::new(), ..found })
        })
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        Box::pin(async move {
            self.check(id).await?;
            self.inner.change_session(id, change).await
        })
    }

    fn delete_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.check(id).await?;
            let by = Actor { account: self.signed_in(), ..by };
            self.inner.delete_session(id, by, at).await
        })
    }

    fn delete_due_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.check(id).await?;
            let by = Actor { account: self.signed_in(), ..by };
            self.inner.delete_due_session(id, by, at).await
        })
    }

    fn due_deletions(&self, at: Timestamp) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let mut found = self.inner.due_deletions(at).await?;
            found.retain(|session| self.scope.holds(session));
            Ok(found)
        })
    }
}

impl Journal for ScopedStore {
    fn begin_after(&self, id: SessionId, time: Duration, known: u64) -> StoreFuture<'_, Begun> {
        Box::pin(async move {
            self.check(id).await?;
            self.inner.begin_after(id, time, known).await
        })
    }

    fn append(&self, lease: &Lease, batch: Batch) -> StoreFuture<'static, ()> {
        let batch = Batch { account: self.signed_in(), ..batch };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).contains(&lease.session);
        if known {
            return self.inner.append(lease, batch);
        }
        // A lease that was not taken here: nobody need believe it.
        let (inner, scope, known) = (Arc::clone(&self.inner), self.scope.clone(), Arc::clone(&self.known));
        let lease = lease.clone();
        Box::pin(async move {
            check(&inner, &scope, &known, lease.session).await?;
            inner.append(&lease, batch).await
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.check(lease.session).await?;
            self.inner.renew(lease).await
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.check(lease.session).await?;
            self.inner.release(lease).await
        })
    }

    fn abandon(&self, lease: Lease) {
        if self.known.lock().unwrap_or_else(PoisonError::into_inner).contains(&lease.session) {
            self.inner.abandon(lease);
        }
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        self.inner.settle()
    }

    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>> {
        Box::pin(async move {
            if self.sees(id).await? { self.inner.records(id, after).await } else { Ok(Vec::new()) }
        })
    }

    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let mut found = self.inner.interrupted().await?;
            found.retain(|session| self.scope.holds(session));
            Ok(found)
        })
    }

    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>> {
        Box::pin(
            async move { if self.sees(id).await? { self.inner.output(id, call_id).await } else { Ok(None) } },
        )
    }
}

impl Artifacts for ScopedStore {
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(
            async move { if self.sees(id).await? { self.inner.artifacts(id).await } else { Ok(Vec::new()) } },
        )
    }

    fn newest_artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(async move {
            if self.sees(id).await? { self.inner.newest_artifacts(id).await } else { Ok(Vec::new()) }
        })
    }

    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>> {
        Box::pin(async move {
            if self.sees(id).await? { self.inner.artifact(id, name, version).await } else { Ok(None) }
        })
    }

    fn approve_artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: u32,
        approval: Approval,
    ) -> StoreFuture<'_, ()> {
        let approval = Approval { account: self.signed_in(), ..approval };
        Box::pin(async move {
            self.check(id).await?;
            self.inner.approve_artifact(id, name, version, approval).await
        })
    }
}

impl Files for ScopedStore {
    fn keep_file(&self, id: SessionId, file: NewFile) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.check(id).await?;
            self.inner.keep_file(id, file).await
        })
    }

    fn files(&self, id: SessionId) -> StoreFuture<'_, Vec<StoredFile>> {
        Box::pin(
            async move { if self.sees(id).await? { self.inner.files(id).await } else { Ok(Vec::new()) } },
        )
    }

    fn file_bytes(&self, id: SessionId, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            if self.sees(id).await? { self.inner.file_bytes(id, digest).await } else { Ok(None) }
        })
    }
}

impl ScopedStore {
    /// A name that nobody else has.
    pub(crate) fn own(&self, name: &str) -> String {
        let Scope { tenant, user } = &self.scope;
        format!("{tenant}\n{user}\n{name}")
    }
}

impl Keys for ScopedStore {
    fn take_key(
        &self,
        key: RequestKey,
        old: Timestamp,
        lost: Timestamp,
    ) -> StoreFuture<'_, Option<RequestKey>> {
        Box::pin(async move {
            if let Some(id) = key.session {
                self.check(id).await?;
            }
            let (given, name) = (key.name.clone(), self.own(&key.name));
            let found = self.inner.take_key(RequestKey { name, ..key }, old, lost).await?;
            Ok(found.map(|found| RequestKey { name: given, ..found }))
        })
    }

    fn settle_key(&self, name: String, answer: String) -> StoreFuture<'_, ()> {
        self.inner.settle_key(self.own(&name), answer)
    }

    fn free_key(&self, name: String) -> StoreFuture<'_, ()> {
        self.inner.free_key(self.own(&name))
    }
}

impl Signals for ScopedStore {
    fn ask_to_stop(&self, id: SessionId, turn: u32, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.check(id).await?;
            self.inner.ask_to_stop(id, turn, at).await
        })
    }

    /// Turns are stopped by the process, not by a person's view of it.
    fn asked_to_stop(&self, _old: Timestamp) -> StoreFuture<'_, Vec<(SessionId, u32)>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn has_stopped(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.check(id).await?;
            self.inner.has_stopped(id).await
        })
    }
}

impl Ledger for ScopedStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        Box::pin(
            async move { if self.sees(id).await? { self.inner.usage(id).await } else { Ok(Vec::new()) } },
        )
    }

    fn usage_since(
        &self,
        tenant: Option<String>,
        since: Timestamp,
    ) -> StoreFuture<'_, Vec<(Option<String>, Arc<UsageRow>)>> {
        Box::pin(async move {
            let Scope { tenant: own, user } = &self.scope;
            if tenant.is_some_and(|tenant| tenant != *own) {
                return Ok(Vec::new());
            }
            let mut rows = self.inner.usage_since(Some(own.clone()), since).await?;
            rows.retain(|(person, _)| person.as_ref() == Some(user));
            Ok(rows)
        })
    }

    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.check(id).await?;
            self.inner.give_feedback(id, feedback).await
        })
    }

    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>> {
        Box::pin(
            async move { if self.sees(id).await? { self.inner.feedback(id).await } else { Ok(Vec::new()) } },
        )
    }
}

impl Audit for ScopedStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        let tenant = Some(self.scope.tenant.clone()).filter(|tenant| !tenant.is_empty());
        self.inner.record_audit(NewAudit { tenant, account: self.signed_in(), ..new })
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        for_operators("the audit trail")
    }

    fn audit_of(&self, _: String, _: u32) -> StoreFuture<'_, Vec<AuditEntry>> {
        for_operators("the audit trail")
    }
}

impl Upkeep for ScopedStore {
    fn verify(&self) -> StoreFuture<'_, Verified> {
        for_operators("a check of the whole database")
    }

    fn salvage(&self, id: String) -> StoreFuture<'_, Option<Salvage>> {
        Box::pin(async move {
            let Ok(session) = id.parse() else { return Ok(None) };
            if self.sees(session).await? { self.inner.salvage(id).await } else { Ok(None) }
        })
    }
}

/// Accounts are looked after outside any scope.
impl Accounts for ScopedStore {
    fn save_account(&self, _: Account) -> StoreFuture<'_, ()> {
        for_operators("a change of accounts")
    }

    fn account(&self, id: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move { if id == self.scope.user { self.inner.account(id).await } else { Ok(None) } })
    }

    fn account_named(&self, _: String) -> StoreFuture<'_, Option<Account>> {
        for_operators("the list of accounts")
    }

    fn account_of_person(&self, _: DirectoryPerson) -> StoreFuture<'_, Option<Account>> {
        for_operators("the list of accounts")
    }

    fn accounts(&self, _: Option<String>) -> StoreFuture<'_, Vec<Account>> {
        for_operators("the list of accounts")
    }

    fn save_token(&self, _: AccessToken) -> StoreFuture<'_, ()> {
        for_operators("a new token")
    }

    fn renew_token(&self, _: AccessToken) -> StoreFuture<'_, ()> {
        for_operators("a change of a token")
    }

    fn token(&self, _: String) -> StoreFuture<'_, Option<(AccessToken, Account)>> {
        for_operators("a look at tokens")
    }

    fn tokens(&self, account: String) -> StoreFuture<'_, Vec<AccessToken>> {
        Box::pin(async move {
            if account == self.scope.user { self.inner.tokens(account).await } else { Ok(Vec::new()) }
        })
    }

    fn delete_token(&self, _: String) -> StoreFuture<'_, bool> {
        for_operators("the end of a token")
    }
}
