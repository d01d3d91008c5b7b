//! The port to where sessions live. A store saves and loads; it knows nothing of agents.

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use jiff::Timestamp;

use crate::{
    AccessToken, Account, Actor, Artifact, ArtifactKind, ArtifactName, AuditEntry, CallId, ChatMarks,
    DirectoryPerson, Entry, Feedback, Listing, NewArtifact, NewAudit, NewFile, NewSession, Record,
    RequestKey, Salvage, Session, SessionChange, SessionFilter, SessionId, StoredFile, UsageRow, Verified,
};

/// What a store's operations return.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Where sessions live: every part in one place.
pub trait Store:
    Sessions + Journal + Artifacts + Files + Keys + ChatMarks + Signals + Ledger + Audit + Accounts + Upkeep
{
}

impl<T> Store for T where
    T: Sessions
        + Journal
        + Artifacts
        + Files
        + Keys
        + ChatMarks
        + Signals
        + Ledger
        + Audit
        + Accounts
        + Upkeep
{
}

/// Sessions at a glance.
pub trait Sessions: Send + Sync {
    /// Begins a session.
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session>;

    /// One session, if it exists.
    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>>;

    /// Sessions, the last used first. One that cannot be read does not hide the others: it is listed as damaged.
    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Listing>;

    /// Changes what may be changed from outside a turn.
    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session>;

    /// Removes a session and everything that belongs to it, its audit entries excepted, and writes who did it
    /// ([`NewAudit::deleted`]): both, or neither. Refused with [`StoreError::Busy`] while a turn runs. One that is damaged
    /// can be deleted as well.
    fn delete_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()>;

    /// Carries out a deletion that was wished by [`SessionChange::delete_at`]: as [`Self::delete_session`], but refused with
    /// [`StoreError::NotFound`] if it is not due at this moment, or was taken back.
    fn delete_due_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()>;

    /// Sessions whose deletion is due, the longest due first; rows that cannot be read are left out.
    fn due_deletions(&self, at: Timestamp) -> StoreFuture<'_, Vec<Session>>;

    /// The same store behind a wall of the engine's own, through which only this company's sessions are seen; none where
    /// the engine has no such wall. It stands behind the checks of [`crate::ScopedStore`], not instead of them.
    fn walled(&self, tenant: &str) -> Option<Arc<dyn Store>> {
        let _ = tenant;
        None
    }
}

/// The journal, and who may write it.
///
/// One turn at a time: whoever begins gets a lease with an epoch higher than any before. Every write carries it, and
/// a store refuses a write whose epoch is no longer the session's: a process that slept past its lease cannot disturb
/// the one that took over.
pub trait Journal: Send + Sync {
    /// Takes the lease of a session and reads its journal, as one step. Refused with [`StoreError::Busy`] while
    /// somebody else holds a lease that has not run out and whose owner, as far as the store can tell, is alive, and with
    /// [`StoreError::Unreadable`] if an entry cannot be read or is missing: no turn goes on upon a damaged journal.
    fn begin(&self, id: SessionId, time: Duration) -> StoreFuture<'_, Begun> {
        self.begin_after(id, time, 0)
    }

    /// The same, for whoever knows the journal up to a position: only the entries after it are read.
    fn begin_after(&self, id: SessionId, time: Duration, known: u64) -> StoreFuture<'_, Begun>;

    /// Writes entries and what belongs to them, such as the audit entries of decisions ([`Batch::audit`]): all of it
    /// durably, or nothing. Also extends the lease. Borrows nothing, so
    /// that a turn can do something else meanwhile, such as extend the lease. Two of one session may be asked for at once;
    /// the second is waited for when the first is done. A store may begin with it before, but not before the first, and
    /// refuses its entries if those of the first are not there.
    fn append(&self, lease: &Lease, batch: Batch) -> StoreFuture<'static, ()>;

    /// Extends the lease.
    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()>;

    /// Gives the lease back. One that was lost meanwhile is no error.
    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()>;

    /// Gives the lease back without waiting, for whoever is gone the next moment. Nothing is promised: a lease also
    /// ends by itself.
    fn abandon(&self, lease: Lease);

    /// Puts everything into its final place, for whoever is about to leave: what is on disk can then be copied, and what
    /// was deleted is gone.
    fn settle(&self) -> StoreFuture<'_, ()>;

    /// The entries after a position. One that cannot be read, or a gap, is [`StoreError::Unreadable`].
    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>>;

    /// Sessions with an unfinished turn that nobody works on, the oldest first; rows that cannot be read are left out, and
    /// so are sessions that are to be deleted.
    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>>;

    /// The whole output of a call whose result was shortened.
    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>>;
}

/// Documents and their versions.
pub trait Artifacts: Send + Sync {
    /// All versions of all documents of a session, by name and then version.
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>>;

    /// The newest version of each document of a session, in the same order.
    fn newest_artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>>;

    /// One version of a document; the newest when none is given.
    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>>;

    /// Marks a version as approved and writes who did it ([`NewAudit::approved`]): both, or neither. Refused with
    /// [`StoreError::NotFound`] if it is not there.
    fn approve_artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: u32,
        approval: crate::Approval,
    ) -> StoreFuture<'_, ()>;
}

/// Files as they came.
pub trait Files: Send + Sync {
    /// Keeps a file of a session; the same bytes brought again change nothing. Gone with the session.
    fn keep_file(&self, id: SessionId, file: NewFile) -> StoreFuture<'_, ()>;

    /// The files of a session, in the order in which they came, without their bytes.
    fn files(&self, id: SessionId) -> StoreFuture<'_, Vec<StoredFile>>;

    /// The bytes of a file by its digest.
    fn file_bytes(&self, id: SessionId, digest: String) -> StoreFuture<'_, Option<Vec<u8>>>;
}

/// Requests that are served once.
pub trait Keys: Send + Sync {
    /// Takes a key; brings the one that has its name already. One that was taken before `old` is forgotten, and one that was
    /// taken before `lost` and never answered is taken over: whoever had it is gone.
    fn take_key(
        &self,
        key: RequestKey,
        old: Timestamp,
        lost: Timestamp,
    ) -> StoreFuture<'_, Option<RequestKey>>;

    /// Keeps what was answered.
    fn settle_key(&self, name: String, answer: String) -> StoreFuture<'_, ()>;

    /// Gives a key back that has no answer.
    fn free_key(&self, name: String) -> StoreFuture<'_, ()>;
}

/// What processes over one store tell each other.
pub trait Signals: Send + Sync {
    /// Asks whoever runs this turn of a session to stop it.
    fn ask_to_stop(&self, id: SessionId, turn: u32, at: Timestamp) -> StoreFuture<'_, ()>;

    /// The turns that should stop, but for those that were asked before `old`.
    fn asked_to_stop(&self, old: Timestamp) -> StoreFuture<'_, Vec<(SessionId, u32)>>;

    /// It has stopped, or there was nothing to stop.
    fn has_stopped(&self, id: SessionId) -> StoreFuture<'_, ()>;
}

/// What was used, and what people thought of it.
pub trait Ledger: Send + Sync {
    /// The requests to models of a session, in order.
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>>;

    /// The requests of everybody, or of a company's people, from a moment on: each with the person, in no order.
    fn usage_since(
        &self,
        tenant: Option<String>,
        since: Timestamp,
    ) -> StoreFuture<'_, Vec<(Option<String>, Arc<UsageRow>)>>;

    /// Keeps what a person thought of an answer; a later word of the same person on the same turn replaces it.
    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()>;

    /// What people thought of a session's answers, by turn.
    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>>;
}

/// Who did what.
pub trait Audit: Send + Sync {
    /// Adds a link to the chain, for what changes nothing in the store. An act that does is one write with its entry.
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry>;

    /// The chain, from its first entry. What cannot be read is left out, which breaks the chain; [`Upkeep::verify`] names
    /// it.
    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>>;

    /// The newest entries of a company, the newest first. An entry from before there was that column
    /// belongs to the company of the account or the session that it is about, as long as that is there.
    fn audit_of(&self, tenant: String, most: u32) -> StoreFuture<'_, Vec<AuditEntry>>;
}

/// Who may sign in, and by what they are known then.
pub trait Accounts: Send + Sync {
    /// Keeps an account, new or changed. Refused with [`StoreError::Exists`] if its name is another's, or looks like it, or
    /// if its person of a directory has another account.
    fn save_account(&self, account: Account) -> StoreFuture<'_, ()>;

    /// One account by its id.
    fn account(&self, id: String) -> StoreFuture<'_, Option<Account>>;

    /// One account by the name it signs in with, or one that looks like it: case, width and look-alike letters set aside.
    fn account_named(&self, name: String) -> StoreFuture<'_, Option<Account>>;

    /// The account of a person of a directory.
    fn account_of_person(&self, person: DirectoryPerson) -> StoreFuture<'_, Option<Account>>;

    /// The accounts of a company, or all, by name.
    fn accounts(&self, tenant: Option<String>) -> StoreFuture<'_, Vec<Account>>;

    /// Keeps a token.
    fn save_token(&self, token: AccessToken) -> StoreFuture<'_, ()>;

    /// Changes a token that is there; one that was ended meanwhile stays ended.
    fn renew_token(&self, token: AccessToken) -> StoreFuture<'_, ()>;

    /// A token by its hash, with whose it is. Whether it still counts is for the caller to see.
    fn token(&self, hash: String) -> StoreFuture<'_, Option<(AccessToken, Account)>>;

    /// The tokens of an account, the oldest first.
    fn tokens(&self, account: String) -> StoreFuture<'_, Vec<AccessToken>>;

    /// Ends a token; tells whether there was one.
    fn delete_token(&self, hash: String) -> StoreFuture<'_, bool>;
}

/// Looking for damage, and saving what is left.
pub trait Upkeep: Send + Sync {
    /// Looks at everything there is, and names what is damaged. Fails only if the database cannot be asked at all.
    fn verify(&self) -> StoreFuture<'_, Verified>;

    /// Everything of a session that can be read, and what cannot. None if there is no such session. The id is as the
    /// listing tells it: that of a damaged row may be none.
    fn salvage(&self, id: String) -> StoreFuture<'_, Option<Salvage>>;
}

/// The right to write a session's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The session.
    pub session: SessionId,
    /// Higher than that of any lease before.
    pub epoch: u64,
    /// How long it lasts from each write or renewal on.
    pub time: Duration,
}

/// A lease, and what the session holds at that moment.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The right to write.
    pub lease: Lease,
    /// The session.
    pub session: Session,
    /// Its whole journal.
    pub records: Vec<Record>,
}

/// What is written as one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Entries with their positions, which must follow the last one stored.
    pub records: Vec<Record>,
    /// Documents made.
    pub artifacts: Vec<NewArtifact>,
    /// Kinds of documents whose newest versions are out of date now; those in this batch are not.
    pub stale: Vec<ArtifactKind>,
    /// Requests made.
    pub usage: Vec<Arc<UsageRow>>,
    /// Whole outputs of calls whose results were shortened.
    pub outputs: Vec<(CallId, String)>,
    /// A name for the session, if it has none yet.
    pub title: Option<String>,
    /// Gives the lease back with this write.
    pub release: bool,
    /// The account in whose name it is written, for the audit; see [`NewAudit::account`].
    pub account: Option<String>,
}

impl Batch {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        let Self { records, usage, title, release, artifacts: _, stale: _, outputs: _, account: _ } = self;
        records.is_empty() && usage.is_empty() && title.is_none() && !release && !self.makes()
    }

    /// Whether documents or outputs are in it, or change by it.
    pub fn makes(&self) -> bool {
        let Self { artifacts, stale, outputs, .. } = self;
        !(artifacts.is_empty() && stale.is_empty() && outputs.is_empty())
    }

    /// Whether a turn is open after this batch; none when the batch says nothing about it.
    pub fn open_turn(&self) -> Option<bool> {
        self.records.iter().rev().find_map(|record| match record.entry {
            Entry::UserMessage { .. } => Some(true),
            Entry::TurnFinished { .. } | Entry::TurnUndone { .. } => Some(false),
            Entry::ModelReply { .. }
            | Entry::ToolStarted { .. }
            | Entry::ToolFinished { .. }
            | Entry::ArtifactStored { .. }
            | Entry::MadeStale { .. }
            | Entry::Waiting { .. }
            | Entry::Decided { .. } => None,
        })
    }

    /// The audit entries that are written with it: one for each decision.
    pub fn audit(&self, session: SessionId) -> Vec<NewAudit> {
        let decided = |record| NewAudit::decided(session, record, self.account.as_deref());
        self.records.iter().filter_map(decided).collect()
    }

    /// How many turns begin in it.
    pub fn turns(&self) -> u32 {
        self.count(|entry| matches!(entry, Entry::UserMessage { .. }))
    }

    /// How many searches it holds.
    pub fn retrievals(&self) -> u32 {
        self.count(|entry| matches!(entry, Entry::ToolFinished { sources: Some(_), .. }))
    }

    /// The tokens of its requests.
    pub fn tokens(&self) -> u64 {
        self.usage.iter().filter_map(|row| row.tokens()).fold(0, u64::saturating_add)
    }

    fn count(&self, what: impl Fn(&Entry) -> bool) -> u32 {
        u32::try_from(self.records.iter().filter(|record| what(&record.entry)).count()).unwrap_or(u32::MAX)
    }
}

/// Why a store did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Somebody else works on the session: wait.
    #[error("session {session} is in use: another turn is running")]
    Busy {
        /// The session.
        session: SessionId,
    },
    /// The lease was lost: stop, and write nothing more.
    #[error("the lease of session {session} (epoch {epoch}) was lost: another process took over")]
    LeaseLost {
        /// The session.
        session: SessionId,
        /// The epoch that no longer counts.
        epoch: u64,
    },
    /// What was asked for is not there.
    #[error("{what} does not exist")]
    NotFound {
        /// What was looked for.
        what: String,
    },
    /// A document version or a journal position is already taken.
    #[error("{what} already exists")]
    Exists {
        /// What was to be stored.
        what: String,
    },
    /// The store cannot be reached just now: try again.
    #[error("the database cannot be reached")]
    Unavailable {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The disk is full, or may not be written.
    #[error("the database cannot be written: {reason}")]
    NotWritable {
        /// Why, in a few words.
        reason: String,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// What is stored cannot be read: it is damaged, or a newer program wrote it.
    #[error("{what} cannot be read")]
    Unreadable {
        /// What it is.
        what: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database is of the wrong kind or version.
    #[error("the database cannot be used: {reason}")]
    Unusable {
        /// Why.
        reason: String,
    },
    /// The database refused.
    #[error("the database reported an error")]
    Database {
        /// What it said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl StoreError {
    /// What a person can act on beside the sentence; the rest is technical and belongs into the log.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Unusable { reason } | Self::NotWritable { reason, .. } => Some(reason),
            Self::NotFound { what } | Self::Exists { what } | Self::Unreadable { what, .. } => Some(what),
            Self::Busy { .. } | Self::LeaseLost { .. } | Self::Unavailable { .. } | Self::Database { .. } => {
                None
            }
        }
    }

    /// A plain sentence for a person.
    pub fn for_user(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "Another turn of this session is running. Try again when it has ended.",
            Self::LeaseLost { .. } => {
                "Another process took this session over. Open it again to see where it stands."
            }
            Self::NotFound { .. } => "This does not exist, or no longer.",
            Self::Exists { .. } => "This already exists.",
            Self::Unavailable { .. } => "The database cannot be reached. Try again in a moment.",
            Self::NotWritable { .. } => {
                "The database cannot be written. Is the disk full, or the folder read-only?"
            }
            Self::Unreadable { .. } => {
                "What is stored cannot be read: it is damaged, or a newer version of Tata wrote it. `tata doctor` names \
                 what is wrong; `tata session salvage` saves what can still be read."
            }
            Self::Unusable { .. } => "The database cannot be used.",
            Self::Database { .. } => "The database reported an error.",
        }
    }
}
