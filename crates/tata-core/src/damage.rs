//! What a database holds that is not as it was written: named precisely, with what still works and what helps.

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde::Serialize;
use serde_json::Value;

use crate::{Artifact, CallId, Feedback, Record, Session, UsageRow};

/// One damage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// What sort of damage it is.
    pub kind: DamageKind,
    /// The table in which it lies.
    pub table: &'static str,
    /// The session it concerns, by its id as stored; none where it concerns all or nobody knows.
    pub session: Option<String>,
    /// The position in the journal or in the audit trail.
    pub position: Option<u64>,
    /// What is wrong, in a sentence without content of conversations.
    pub what: String,
}

/// Sorts of damage, named by what a person does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DamageKind {
    /// The database engine's own check found something.
    Engine,
    /// A table, or a part of it, could not be read at all.
    TableUnreadable,
    /// Rows that belong to no session.
    NoSession,
    /// A session's row cannot be read.
    SessionUnreadable,
    /// A session's row counts otherwise than its journal or its ledger.
    CountWrong,
    /// A session's row names another last position than its journal has.
    LastPositionWrong,
    /// A journal entry cannot be read.
    EntryUnreadable,
    /// A journal entry is gone.
    EntryMissing,
    /// A version of a document cannot be read.
    ArtifactUnreadable,
    /// A version of a document is gone.
    ArtifactMissing,
    /// A version of a document of which the journal does not tell.
    ArtifactUnannounced,
    /// It cannot be read who approved a version, or when.
    ApprovalUnreadable,
    /// A request to a model cannot be read.
    UsageUnreadable,
    /// A person's opinion cannot be read.
    FeedbackUnreadable,
    /// The whole output of a call cannot be read.
    OutputUnreadable,
    /// An audit entry cannot be read.
    AuditUnreadable,
    /// Audit entries are gone.
    AuditMissing,
    /// An audit entry was changed after it was written.
    AuditForged,
    /// An audit entry does not continue the one before: one of both was exchanged.
    AuditBroken,
    /// Something was approved or decided of which the audit trail does not tell.
    ActUnaudited,
    /// The audit trail tells of something that did not happen.
    ActMissing,
}

impl DamageKind {
    /// The stable name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::TableUnreadable => "table_unreadable",
            Self::NoSession => "no_session",
            Self::SessionUnreadable => "session_unreadable",
            Self::CountWrong => "count_wrong",
            Self::LastPositionWrong => "last_position_wrong",
            Self::EntryUnreadable => "entry_unreadable",
            Self::EntryMissing => "entry_missing",
            Self::ArtifactUnreadable => "artifact_unreadable",
            Self::ArtifactMissing => "artifact_missing",
            Self::ArtifactUnannounced => "artifact_unannounced",
            Self::ApprovalUnreadable => "approval_unreadable",
            Self::UsageUnreadable => "usage_unreadable",
            Self::FeedbackUnreadable => "feedback_unreadable",
            Self::OutputUnreadable => "output_unreadable",
            Self::AuditUnreadable => "audit_unreadable",
            Self::AuditMissing => "audit_missing",
            Self::AuditForged => "audit_forged",
            Self::AuditBroken => "audit_broken",
            Self::ActUnaudited => "act_unaudited",
            Self::ActMissing => "act_missing",
        }
    }
}

impl Damage {
    /// What a person can still do.
    pub fn still_works(&self) -> &'static str {
        match self.kind {
            DamageKind::Engine | DamageKind::TableUnreadable => {
                "What can be read is still shown; new writes may fail."
            }
            DamageKind::NoSession => "All conversations; nobody sees these rows.",
            DamageKind::SessionUnreadable => "All other conversations; this one can be salvaged and deleted.",
            DamageKind::EntryUnreadable | DamageKind::EntryMissing | DamageKind::LastPositionWrong => {
                "The rest of this conversation can be read; it cannot go on. All others work."
            }
            DamageKind::CountWrong | DamageKind::UsageUnreadable => {
                "The conversation goes on; its figures may be wrong."
            }
            DamageKind::ArtifactUnreadable
            | DamageKind::ArtifactMissing
            | DamageKind::ArtifactUnannounced
            | DamageKind::ApprovalUnreadable => {
                "The conversation and its other documents can be read; a new version can be made."
            }
            DamageKind::FeedbackUnreadable | DamageKind::OutputUnreadable => {
                "Everything else of this conversation."
            }
            DamageKind::AuditUnreadable
            | DamageKind::AuditMissing
            | DamageKind::AuditForged
            | DamageKind::AuditBroken
            | DamageKind::ActUnaudited
            | DamageKind::ActMissing => "All conversations; the audit trail proves less than it should.",
        }
    }

    /// What helps.
    pub fn remedy(&self) -> String {
        let salvage = |id: &str| format!("`tata session salvage {id}` saves what can still be read");
        match (self.kind, &self.session) {
            (DamageKind::NoSession, _) => {
                "Keep a copy of the database before anything else; a backup has the session.".to_owned()
            }
            (
                DamageKind::AuditUnreadable
                | DamageKind::AuditMissing
                | DamageKind::AuditForged
                | DamageKind::AuditBroken
                | DamageKind::ActUnaudited
                | DamageKind::ActMissing,
                _,
            ) => {
                "Keep a copy of the database and compare it with a backup; `tata audit list` shows the trail."
                    .to_owned()
            }
            (DamageKind::CountWrong | DamageKind::UsageUnreadable, Some(id)) => {
                format!("Nothing must be done; {}.", salvage(id))
            }
            (_, Some(id)) => format!("{}; a backup may have the rest.", salvage(id)),
            (_, None) => {
                "Keep a copy of the database before anything else, then restore a backup; `tata session \
                 salvage ID` saves single conversations."
                    .to_owned()
            }
        }
    }
}

/// Where it is and what it is, in a line.
impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.table)?;
        if let Some(session) = &self.session {
            write!(f, ", session {session}")?;
        }
        if let Some(position) = self.position {
            write!(f, ", position {position}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// What a check of a whole database found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Sessions looked at.
    pub sessions: u64,
    /// Journal entries looked at.
    pub entries: u64,
    /// Versions of documents looked at.
    pub artifacts: u64,
    /// Audit entries looked at.
    pub audit: u64,
    /// What is wrong; nothing when all is whole.
    pub damages: Vec<Damage>,
}

/// Sessions, and those that cannot be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// The sessions, the last used first.
    pub sessions: Vec<Session>,
    /// Rows that cannot be read, and why.
    pub damaged: Vec<Damage>,
}

/// Everything of a session that can be read, and what cannot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Salvage {
    /// Its row, if that can be read.
    pub session: Option<Session>,
    /// Its journal, with gaps where something is lost.
    pub records: Vec<Record>,
    /// Its documents, by name and then version.
    pub artifacts: Vec<Artifact>,
    /// Its requests, in order.
    pub usage: Vec<Arc<UsageRow>>,
    /// What people thought of it.
    pub feedback: Vec<Feedback>,
    /// The whole outputs of calls whose results were shortened.
    pub outputs: Vec<(CallId, String)>,
    /// What could not be read.
    pub lost: Vec<Lost>,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// What is wrong with it.
    #[serde(flatten)]
    pub damage: Damage,
    /// What is stored there, column by column and without loss: text as text, other bytes as `{"hex": …}`. Empty where
    /// nothing is.
    pub columns: BTreeMap<&'static str, Value>,
}
