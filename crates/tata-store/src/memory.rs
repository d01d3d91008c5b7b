//! Sessions in this process alone: gone when it ends.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tata_core::{
    Approval, Artifact, ArtifactName, Artifacts, Audit, AuditEntry, Batch, Begun, CallId, Feedback, Journal,
    Lease, Ledger, NewAudit, NewSession, Record, Session, SessionChange, SessionFilter, SessionId, Sessions,
    StoreError, StoreFuture, UsageRow,
};
use tokio::time::Instant;

use crate::change::{Change, artifact_taken, folded, fresh, grows_stale, no_artifact, no_session};

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
        Box::pin(async move { what(self.state().sessions.get_mut(&id).ok_or_else(|| no_session(id))?) })
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

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let wanted = Wanted::new(filter);
            let mut found: Vec<Session> = self
                .state()
                .sessions
                .values()
                .filter(|held| wanted.fits(&held.session))
                .map(|held| held.session.clone())
                .collect();
            found.sort_unstable_by_key(|session| (std::cmp::Reverse(session.updated_at), session.id));
            found.truncate(wanted.limit);
            Ok(found)
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

    fn delete_session(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            state.sessions.get(&id).ok_or_else(|| no_session(id))?.check_free()?;
            state.sessions.remove(&id);
            Ok(())
        })
    }
}

/// A filter, made ready for many comparisons.
struct Wanted {
    filter: SessionFilter,
    title: Option<String>,
    id_prefix: Option<String>,
    limit: usize,
}

impl Wanted {
    fn new(filter: SessionFilter) -> Self {
        Self {
            title: filter.title_contains.as_deref().map(folded),
            id_prefix: filter.id_prefix.as_deref().map(folded),
            limit: filter.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            filter,
        }
    }

    fn fits(&self, session: &Session) -> bool {
        let title = || session.title.as_deref().map(folded).unwrap_or_default();
        self.filter.user_id.as_ref().is_none_or(|user| session.user_id.as_ref() == Some(user))
            && self.filter.agent.as_ref().is_none_or(|agent| session.agent == *agent)
            && self
                .title
                .as_ref()
                .is_none_or(|part| session.title.is_some() && title().contains(part.as_str()))
            && self
                .id_prefix
                .as_ref()
                .is_none_or(|prefix| session.id.to_string().starts_with(prefix.as_str()))
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
        let done = match self.state().sessions.get_mut(&lease.session) {
            Some(held) => held.append(lease, batch),
            None => Err(no_session(lease.session)),
        };
        Box::pin(ready(done))
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
        self.with(id, move |held| {
            let found = held.artifacts.get_mut(&name).and_then(|versions| versions.get_mut(&version));
            found.ok_or_else(|| no_artifact(&name, version))?.approval = Some(approval);
            Ok(())
        })
    }
}

impl Ledger for MemoryStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        self.read(id, |held| held.usage.clone())
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
        Box::pin(async move {
            let audit = &mut self.state().audit;
            let entry = AuditEntry::after(audit.last(), new);
            audit.push(entry.clone());
            Ok(entry)
        })
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(async move { Ok(self.state().audit.clone()) })
    }
}
