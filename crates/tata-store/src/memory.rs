//! Sessions in this process alone: gone when it ends.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use tata_core::{
    Account, Accounts, Approval, Artifact, ArtifactName, Artifacts, Audit, AuditEntry, Batch, Begun, CallId,
    Feedback, Files, Journal, Keys, Lease, Ledger, Listing, NewAudit, NewFile, NewSession, Record,
    RequestKey, Salvage, Session, SessionChange, SessionFilter, SessionId, Sessions, Signals, StoreError,
    StoreFuture, StoredFile, Token, Upkeep, UsageRow, Verified,
};
use tokio::time::Instant;

use crate::{
    change::{Change, artifact_taken, fresh, grows_stale, name_taken, no_account, no_artifact, no_session},
    search::{Wanted, id_prefix},
};

/// A store in memory. It keeps values as they are, so it is also the cheapest there is.
#[derive(Debug, Default)]
pub struct MemoryStore {
    // A std mutex: it is never held across an await, and every step under it is short.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    sessions: HashMap<SessionId, Held>,
    audit: Vec<AuditEntry>,
    accounts: BTreeMap<String, Account>,
    tokens: BTreeMap<String, Token>,
    keys: BTreeMap<String, RequestKey>,
    stops: HashMap<SessionId, (u32, Timestamp)>,
}

#[derive(Debug)]
struct Held {
    session: Session,
    epoch: u64,
    /// When the lease runs out; none when it was given back.
    until: Option<Instant>,
    records: Vec<Record>,
    artifacts: BTreeMap<ArtifactName, BTreeMap<u32, Artifact>>,
    usage: Vec<Arc<UsageRow>>,
    outputs: HashMap<CallId, String>,
    feedback: BTreeMap<(u32, Option<String>), Feedback>,
    files: Vec<NewFile>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is checked before it is made, so a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `what` to a session, as one step.
    fn with<'a, T: Send + 'a>(
        &'a self,
        id: SessionId,
        what: impl FnOnce(&mut Held) -> Result<T, StoreError> + Send + 'a,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move { what(self.state().held(id)?) })
    }

    /// Reads of a session that is not there find nothing, as in a database.
    fn read<'a, T: Default + Send + 'a>(
        &'a self,
        id: SessionId,
        what: impl FnOnce(&Held) -> T + Send + 'a,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move { Ok(self.state().sessions.get(&id).map(what).unwrap_or_default()) })
    }
}

impl State {
    fn held(&mut self, id: SessionId) -> Result<&mut Held, StoreError> {
        self.sessions.get_mut(&id).ok_or_else(|| no_session(id))
    }

    fn record(&mut self, new: NewAudit) -> AuditEntry {
        let last = self.audit.last().map(|last| (last.position, last.seal.as_str()));
        let entry = AuditEntry::after(last, new);
        self.audit.push(entry.clone());
        entry
    }

    /// What a batch brings, and the audit entries of its decisions.
    fn append(&mut self, lease: &Lease, batch: Batch) -> Result<(), StoreError> {
        let audit = batch.audit(lease.session);
        self.held(lease.session)?.append(lease, batch)?;
        for new in audit {
            self.record(new);
        }
        Ok(())
    }
}

impl Held {
    fn new(session: Session) -> Self {
        Self {
            session,
            epoch: 0,
            until: None,
            records: Vec::new(),
            artifacts: BTreeMap::new(),
            usage: Vec::new(),
            outputs: HashMap::new(),
            feedback: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    fn is_leased(&self) -> bool {
        self.until.is_some_and(|until| until > Instant::now())
    }

    fn check_free(&self) -> Result<(), StoreError> {
        if self.is_leased() { Err(StoreError::Busy { session: self.session.id }) } else { Ok(()) }
    }

    /// Fencing is by epoch: a lease that ran out, but that nobody took over, may still be used. A laptop that slept
    /// through its lease must be able to go on.
    fn check_lease(&self, lease: &Lease) -> Result<(), StoreError> {
        if self.epoch == lease.epoch && self.until.is_some() {
            Ok(())
        } else {
            Err(StoreError::LeaseLost { session: lease.session, epoch: lease.epoch })
        }
    }

    fn check_artifacts(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut seen = HashSet::new();
        for new in &batch.artifacts {
            let stored =
                self.artifacts.get(&new.name).is_some_and(|versions| versions.contains_key(&new.version));
            if stored || !seen.insert((&new.name, new.version)) {
                return Err(artifact_taken(&new.name, new.version));
            }
        }
        Ok(())
    }

    fn append(&mut self, lease: &Lease, batch: Batch) -> Result<(), StoreError> {
        let change = Change::of(&batch)?;
        self.check_lease(lease)?;
        change.follows(self.session.last_position)?;
        self.check_artifacts(&batch)?;
        change.apply(&mut self.session);
        self.until = if batch.release { None } else { after(lease.time) };
        if !batch.stale.is_empty() {
            for (name, versions) in &mut self.artifacts {
                if let Some(mut newest) = versions.last_entry() {
                    newest.get_mut().stale |= grows_stale(name, &batch.stale, &batch.artifacts);
                }
            }
        }
        for new in batch.artifacts {
            self.artifacts.entry(new.name.clone()).or_default().insert(new.version, fresh(new));
        }
        if self.records.is_empty() {
            // A turn with one call.
            self.records.reserve(6);
        }
        self.records.extend(batch.records);
        self.usage.extend(batch.usage);
        self.outputs.extend(batch.outputs);
        Ok(())
    }
}

/// When a lease that begins now runs out. By Tokio's clock, so that a test can let time pass.
fn after(time: Duration) -> Option<Instant> {
    let now = Instant::now();
    // A lease longer than the clock can tell lasts a day at a time.
    now.checked_add(time).or_else(|| now.checked_add(Duration::from_hours(24)))
}

impl Sessions for MemoryStore {
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        Box::pin(async move {
            let session = new.into_session();
            let mut state = self.state();
            if state.sessions.contains_key(&session.id) {
                return Err(StoreError::Exists { what: format!("session {}", session.id) });
            }
            state.sessions.insert(session.id, Held::new(session.clone()));
            Ok(session)
        })
    }

    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>> {
        self.read(id, |held| Some(held.session.clone()))
    }

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Listing> {
        Box::pin(async move {
            let (wanted, prefix) = (Wanted::new(&filter), id_prefix(&filter));
            let fits = |session: &Session| {
                filter.tenant_id.as_ref().is_none_or(|tenant| session.tenant_id.as_ref() == Some(tenant))
                    && filter.user_id.as_ref().is_none_or(|user| session.user_id.as_ref() == Some(user))
                    && filter.agent.as_ref().is_none_or(|agent| session.agent == *agent)
                    && prefix
                        .as_ref()
                        .is_none_or(|prefix| session.id.to_string().starts_with(prefix.as_str()))
                    && wanted.fits(session)
            };
            let state = self.state();
            let all = state.sessions.values().map(|held| &held.session);
            let mut sessions: Vec<Session> = all.filter(|session| fits(session)).cloned().collect();
            sessions.sort_unstable_by_key(|session| (std::cmp::Reverse(session.updated_at), session.id));
            sessions.truncate(filter.limit.map_or(usize::MAX, |limit| limit as usize));
            Ok(Listing { sessions, damaged: Vec::new() })
        })
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        self.with(id, |held| {
            if let Some(title) = change.title {
                held.session.title = Some(title);
            }
            if let Some(model) = change.model {
                held.session.model = model;
            }
            Ok(held.session.clone())
        })
    }

    fn delete_session(&self, id: SessionId, by: String, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            state.held(id)?.check_free()?;
            state.sessions.remove(&id);
            state.keys.retain(|_, key| key.session != Some(id));
            state.stops.remove(&id);
            state.record(NewAudit::deleted(id, &by, at));
            Ok(())
        })
    }
}

impl Journal for MemoryStore {
    fn begin(&self, id: SessionId, time: Duration) -> StoreFuture<'_, Begun> {
        self.with(id, move |held| {
            held.check_free()?;
            held.epoch += 1;
            held.until = after(time);
            Ok(Begun {
                lease: Lease { session: id, epoch: held.epoch, time },
                session: held.session.clone(),
                records: held.records.clone(),
            })
        })
    }

    fn append(&self, lease: &Lease, batch: Batch) -> StoreFuture<'static, ()> {
        Box::pin(ready(self.state().append(lease, batch)))
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        self.with(lease.session, |held| {
            held.check_lease(lease)?;
            held.until = after(lease.time);
            Ok(())
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.abandon(lease.clone());
            Ok(())
        })
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn abandon(&self, lease: Lease) {
        if let Some(held) = self.state().sessions.get_mut(&lease.session)
            && held.epoch == lease.epoch
        {
            held.until = None;
        }
    }

    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>> {
        self.read(id, move |held| held.records.iter().filter(|one| one.position > after).cloned().collect())
    }

    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let mut found: Vec<Session> = self
                .state()
                .sessions
                .values()
                .filter(|held| held.session.open_turn && !held.is_leased())
                .map(|held| held.session.clone())
                .collect();
            found.sort_unstable_by_key(|session| (session.updated_at, session.id));
            Ok(found)
        })
    }

    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>> {
        self.read(id, move |held| held.outputs.get(&call_id).cloned())
    }
}

impl Artifacts for MemoryStore {
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        self.read(id, |held| held.artifacts.values().flat_map(BTreeMap::values).cloned().collect())
    }

    fn newest_artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        self.read(id, |held| {
            held.artifacts.values().filter_map(|versions| versions.values().next_back()).cloned().collect()
        })
    }

    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>> {
        self.read(id, move |held| {
            let versions = held.artifacts.get(&name)?;
            match version {
                Some(version) => versions.get(&version),
                None => versions.values().next_back(),
            }
            .cloned()
        })
    }

    fn approve_artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: u32,
        approval: Approval,
    ) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            let versions = state.held(id)?.artifacts.get_mut(&name);
            let found = versions.and_then(|versions| versions.get_mut(&version));
            let found = found.ok_or_else(|| no_artifact(&name, version))?;
            let audit = NewAudit::approved(id, &name, version, found.json.as_str(), &approval);
            found.approval = Some(approval);
            state.record(audit);
            Ok(())
        })
    }
}

impl Keys for MemoryStore {
    fn take_key(
        &self,
        key: RequestKey,
        old: Timestamp,
        lost: Timestamp,
    ) -> StoreFuture<'_, Option<RequestKey>> {
        Box::pin(async move {
            let keys = &mut self.state().keys;
            keys.retain(|_, known| known.at >= old);
            let known = keys.get(&key.name).filter(|known| known.answer.is_some() || known.at >= lost);
            if let Some(known) = known {
                return Ok(Some(known.clone()));
            }
            keys.insert(key.name.clone(), key);
            Ok(None)
        })
    }

    fn settle_key(&self, name: String, answer: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if let Some(key) = self.state().keys.get_mut(&name) {
                key.answer = Some(answer);
            }
            Ok(())
        })
    }

    fn free_key(&self, name: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.state().keys.retain(|known, key| *known != name || key.answer.is_some());
            Ok(())
        })
    }
}

impl Signals for MemoryStore {
    fn ask_to_stop(&self, id: SessionId, turn: u32, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            if state.sessions.contains_key(&id) {
                state.stops.insert(id, (turn, at));
            }
            Ok(())
        })
    }

    fn asked_to_stop(&self, old: Timestamp) -> StoreFuture<'_, Vec<(SessionId, u32)>> {
        Box::pin(async move {
            let state = self.state();
            let recent = state.stops.iter().filter(|(_, (_, at))| *at >= old);
            let mut asked: Vec<(SessionId, u32)> = recent.map(|(id, (turn, _))| (*id, *turn)).collect();
            asked.sort_by_key(|(id, _)| id.to_string());
            Ok(asked)
        })
    }

    fn has_stopped(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.state().stops.remove(&id);
            Ok(())
        })
    }
}

impl Files for MemoryStore {
    fn keep_file(&self, id: SessionId, file: NewFile) -> StoreFuture<'_, ()> {
        self.with(id, |held| {
            if !held.files.iter().any(|known| known.about.digest == file.about.digest) {
                held.files.push(file);
                held.files.sort_by(|a, b| (a.about.at, &a.about.digest).cmp(&(b.about.at, &b.about.digest)));
            }
            Ok(())
        })
    }

    fn files(&self, id: SessionId) -> StoreFuture<'_, Vec<StoredFile>> {
        self.read(id, |held| held.files.iter().map(|file| file.about.clone()).collect())
    }

    fn file_bytes(&self, id: SessionId, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.read(id, move |held| {
            held.files.iter().find(|file| file.about.digest == digest).map(|file| file.bytes.clone())
        })
    }
}

impl Ledger for MemoryStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        self.read(id, |held| held.usage.clone())
    }

    fn usage_since(
        &self,
        tenant: Option<String>,
        since: Timestamp,
    ) -> StoreFuture<'_, Vec<(Option<String>, Arc<UsageRow>)>> {
        Box::pin(async move {
            let state = self.state();
            let held = state.sessions.values();
            let theirs = held.filter(|held| tenant.is_none() || held.session.tenant_id == tenant);
            let rows = theirs.flat_map(|held| held.usage.iter().map(|row| (&held.session.user_id, row)));
            let recent = rows.filter(|(_, row)| row.at >= since);
            Ok(recent.map(|(user, row)| (user.clone(), Arc::clone(row))).collect())
        })
    }

    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()> {
        self.with(id, |held| {
            held.feedback.insert((feedback.turn, feedback.user_id.clone()), feedback);
            Ok(())
        })
    }

    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>> {
        self.read(id, |held| held.feedback.values().cloned().collect())
    }
}

impl Audit for MemoryStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        Box::pin(async move { Ok(self.state().record(new)) })
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(async move { Ok(self.state().audit.clone()) })
    }
}

impl Accounts for MemoryStore {
    fn save_account(&self, account: Account) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            let taken = |known: &&Account| known.name == account.name && known.id != account.id;
            if state.accounts.values().find(taken).is_some() {
                return Err(name_taken(&account.name));
            }
            state.accounts.insert(account.id.clone(), account);
            Ok(())
        })
    }

    fn account(&self, id: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move { Ok(self.state().accounts.get(&id).cloned()) })
    }

    fn account_named(&self, name: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move { Ok(self.state().accounts.values().find(|one| one.name == name).cloned()) })
    }

    fn accounts(&self, tenant: Option<String>) -> StoreFuture<'_, Vec<Account>> {
        Box::pin(async move {
            let state = self.state();
            let fits = |one: &&Account| tenant.as_ref().is_none_or(|tenant| one.tenant == *tenant);
            let mut found: Vec<Account> = state.accounts.values().filter(fits).cloned().collect();
            found.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(found)
        })
    }

    fn save_token(&self, token: Token) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            if !state.accounts.contains_key(&token.account) {
                return Err(no_account(&token.account));
            }
            state.tokens.insert(token.hash.clone(), token);
            Ok(())
        })
    }

    fn token(&self, hash: String) -> StoreFuture<'_, Option<(Token, Account)>> {
        Box::pin(async move {
            let state = self.state();
            let found = state.tokens.get(&hash);
            Ok(found.and_then(|token| Some((token.clone(), state.accounts.get(&token.account)?.clone()))))
        })
    }

    fn tokens(&self, account: String) -> StoreFuture<'_, Vec<Token>> {
        Box::pin(async move {
            let state = self.state();
            let mut found: Vec<Token> =
                state.tokens.values().filter(|one| one.account == account).cloned().collect();
            found.sort_by(|a, b| (a.created_at, &a.hash).cmp(&(b.created_at, &b.hash)));
            Ok(found)
        })
    }

    fn delete_token(&self, hash: String) -> StoreFuture<'_, bool> {
        Box::pin(async move { Ok(self.state().tokens.remove(&hash).is_some()) })
    }
}

/// Nothing comes between what is written here and what is read: it is whole.
impl Upkeep for MemoryStore {
    fn verify(&self) -> StoreFuture<'_, Verified> {
        Box::pin(async move {
            let state = self.state();
            let sum = |count: fn(&Held) -> usize| state.sessions.values().map(count).sum::<usize>() as u64;
            Ok(Verified {
                sessions: state.sessions.len() as u64,
                entries: sum(|held| held.records.len()),
                artifacts: sum(|held| held.artifacts.values().map(BTreeMap::len).sum()),
                audit: state.audit.len() as u64,
                damages: Vec::new(),
            })
        })
    }

    fn salvage(&self, id: String) -> StoreFuture<'_, Option<Salvage>> {
        Box::pin(async move {
            let Ok(id) = id.parse::<SessionId>() else { return Ok(None) };
            Ok(self.state().sessions.get(&id).map(|held| Salvage {
                session: Some(held.session.clone()),
                records: held.records.clone(),
                artifacts: held.artifacts.values().flat_map(BTreeMap::values).cloned().collect(),
                usage: held.usage.clone(),
                feedback: held.feedback.values().cloned().collect(),
                outputs: held.outputs.iter().map(|(id, text)| (id.clone(), text.clone())).collect(),
                lost: Vec::new(),
            }))
        })
    }
}
