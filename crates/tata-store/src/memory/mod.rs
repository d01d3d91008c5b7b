//! Sessions in this process alone: gone when it ends.

mod accounts;
mod artifacts;
mod audit;
mod chat_marks;
mod files;
mod journal;
mod keys;
mod ledger;
mod sessions;
mod signals;
mod upkeep;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use tata_core::{
    AccessToken, Account, Artifact, ArtifactName, AuditEntry, Batch, CallId, ChatMark, Feedback, Lease,
    NewAudit, NewFile, Record, RequestKey, Session, SessionId, StoreError, StoreFuture, UsageRow,
};
use tokio::time::Instant;

use crate::change::{Change, artifact_taken, fresh, grows_stale, no_session};

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
    tokens: BTreeMap<String, AccessToken>,
    keys: BTreeMap<String, RequestKey>,
    /// By their question, in the order in which they came.
    chat_marks: HashMap<String, Vec<ChatMark>>,
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
        let held = self.held(lease.session)?;
        held.append(lease, batch)?;
        let tenant = held.session.tenant_id.clone();
        for new in audit {
            self.record(new.in_tenant(tenant.clone()));
        }
        Ok(())
    }
}

impl Held {
    /// The entries after a position.
    fn after(&self, position: u64) -> Vec<Record> {
        let from = self.records.partition_point(|record| record.position <= position);
        self.records.get(from..).unwrap_or_default().to_vec()
    }

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
