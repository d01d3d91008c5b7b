//! What a batch does to its session. Written once, so that every store counts and refuses alike.

use jiff::Timestamp;
use tata_core::{Artifact, ArtifactKind, ArtifactName, Batch, NewArtifact, Record, Session, StoreError};

/// What a batch changes about its session, apart from what it adds to the tables beside it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The positions of its first and last entry; none when it has no entries.
    pub(crate) positions: Option<(u64, u64)>,
    /// When its last entry was written.
    pub(crate) at: Option<Timestamp>,
    /// Turns that begin in it.
    pub(crate) turns: u32,
    /// Searches in it.
    pub(crate) retrievals: u32,
    /// Tokens of its requests.
    pub(crate) tokens: u64,
    /// Whether a turn is open after it; none when it says nothing about that.
    pub(crate) open_turn: Option<bool>,
    /// A name, if the session has none.
    pub(crate) title: Option<String>,
    /// Gives the lease back.
    pub(crate) release: bool,
}

impl Change {
    /// Sums a batch up. Refuses one whose entries do not follow each other.
    pub(crate) fn of(batch: &Batch) -> Result<Self, StoreError> {
        for (before, after) in batch.records.iter().zip(batch.records.iter().skip(1)) {
            check_next(before.position, after.position)?;
        }
        let ends = |record: fn(&[Record]) -> Option<&Record>| record(&batch.records).map(|one| one.position);
        Ok(Self {
            positions: ends(<[Record]>::first).zip(ends(<[Record]>::last)),
            at: batch.records.last().map(|record| record.at),
            turns: batch.turns(),
            retrievals: batch.retrievals(),
            tokens: batch.tokens(),
            open_turn: batch.open_turn(),
            title: batch.title.clone(),
            release: batch.release,
        })
    }

    /// Refuses a batch that does not follow the last stored entry.
    pub(crate) fn follows(&self, last_position: u64) -> Result<(), StoreError> {
        self.positions.map_or(Ok(()), |(first, _)| check_next(last_position, first))
    }

    /// Makes the change.
    pub(crate) fn apply(&self, session: &mut Session) {
        if let Some((_, last)) = self.positions {
            session.last_position = last;
        }
        if let Some(at) = self.at {
            // A clock that was set back must not make a session look older than it is.
            session.updated_at = session.updated_at.max(at);
        }
        session.turn_count = session.turn_count.saturating_add(self.turns);
        session.retrieval_count = session.retrieval_count.saturating_add(self.retrievals);
        session.total_tokens_used = session.total_tokens_used.saturating_add(self.tokens);
        session.open_turn = self.open_turn.unwrap_or(session.open_turn);
        if session.title.is_none() {
            session.title.clone_from(&self.title);
        }
    }
}

fn check_next(before: u64, position: u64) -> Result<(), StoreError> {
    match position.checked_sub(before) {
        Some(1) => Ok(()),
        None | Some(0) => Err(StoreError::Exists { what: format!("journal position {position}") }),
        Some(_) => Err(StoreError::Database { source: Box::new(Gap { before, position }) }),
    }
}

/// A caller's mistake that would leave a hole in the journal.
#[derive(Debug, thiserror::Error)]
#[error("journal position {position} does not follow {before}")]
struct Gap {
    before: u64,
    position: u64,
}

/// The error for a session that is not there.
pub(crate) fn no_session(id: tata_core::SessionId) -> StoreError {
    StoreError::NotFound { what: format!("session {id}") }
}

/// The error for an account that is not there.
pub(crate) fn no_account(id: &str) -> StoreError {
    StoreError::NotFound { what: format!("account {id}") }
}

/// The error for a name that somebody else signs in with.
pub(crate) fn name_taken(name: &str) -> StoreError {
    StoreError::Exists { what: format!("an account named {name:?}") }
}

/// The error for a document version that is not there.
pub(crate) fn no_artifact(name: &ArtifactName, version: u32) -> StoreError {
    StoreError::NotFound { what: describe(name, version) }
}

/// The error for a document version that is already there.
pub(crate) fn artifact_taken(name: &ArtifactName, version: u32) -> StoreError {
    StoreError::Exists { what: describe(name, version) }
}

fn describe(name: &ArtifactName, version: u32) -> String {
    match name.key.as_str() {
        "" => format!("version {version} of {}", name.kind),
        key => format!("version {version} of {} {key:?}", name.kind),
    }
}

/// A document as it is when it was just made.
pub(crate) fn fresh(new: NewArtifact) -> Artifact {
    Artifact {
        name: new.name,
        version: new.version,
        json: new.json,
        stale: false,
        created_at: new.created_at,
        approval: None,
    }
}

/// Whether a batch makes the newest version of a document stale: its kind is named, and the batch itself brings no
/// newer version of it.
pub(crate) fn grows_stale(name: &ArtifactName, stale: &[ArtifactKind], made: &[NewArtifact]) -> bool {
    stale.contains(&name.kind) && !made.iter().any(|new| new.name == *name)
}
