//! What the tools make: documents with versions. Nothing is overwritten; a change is a new version.

use std::{collections::BTreeMap, fmt};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::RawJson;

/// What sort of document it is, e.g. `RequirementProfile`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArtifactKind(Box<str>);

impl ArtifactKind {
    /// A kind by its name.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ArtifactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One document among those of a session: its kind and, where there are several, its key (a candidate, say).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ArtifactName {
    /// What it is.
    pub kind: ArtifactKind,
    /// Which one; empty where there is only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
}

/// One stored version of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Artifact {
    /// Which document.
    #[serde(flatten)]
    pub name: ArtifactName,
    /// Its version, from 1.
    pub version: u32,
    /// The document.
    pub json: RawJson,
    /// Something it was made from has changed since.
    pub stale: bool,
    /// When it was stored.
    pub created_at: Timestamp,
    /// Who approved this version, and when.
    pub approval: Option<Approval>,
}

/// A person's yes to a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Who.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// The account that was signed in, for the audit alone; see [`crate::NewAudit::account`].
    #[serde(skip)]
    pub account: Option<String>,
}

/// A version to be stored. The holder of the lease is the only writer, so it knows the next number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewArtifact {
    /// Which document.
    pub name: ArtifactName,
    /// Its version; a store refuses one that is already there.
    pub version: u32,
    /// The document.
    pub json: RawJson,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The newest version of every document of a session, as its journal tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArtifactIndex {
    current: BTreeMap<ArtifactName, Current>,
    /// The versions that a person's decision made, each document's in order.
    settled: BTreeMap<ArtifactName, Vec<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Current {
    version: u32,
    stale: bool,
    /// The turn in which the version was stored.
    turn: u32,
    /// A person's decision made it.
    settled: bool,
}

impl ArtifactIndex {
    /// Whether any document of this kind exists.
    pub fn has(&self, kind: &ArtifactKind) -> bool {
        self.current.keys().any(|name| name.kind == *kind)
    }

    /// The newest version of a document.
    pub fn version(&self, name: &ArtifactName) -> Option<u32> {
        self.current.get(name).map(|current| current.version)
    }

    /// Whether something the document was made from has changed since.
    pub fn is_stale(&self, name: &ArtifactName) -> bool {
        self.current.get(name).is_some_and(|current| current.stale)
    }

    /// Whether a person decided about the document and it has not been changed since.
    pub fn is_settled(&self, name: &ArtifactName) -> bool {
        self.current.get(name).is_some_and(|current| current.settled)
    }

    /// Whether a person's decision made this version, however old it is.
    pub fn was_settled(&self, name: &ArtifactName, version: u32) -> bool {
        self.settled.get(name).is_some_and(|versions| versions.contains(&version))
    }

    /// The turn in which the newest version was stored.
    pub(crate) fn turn(&self, name: &ArtifactName) -> Option<u32> {
        self.current.get(name).map(|current| current.turn)
    }

    /// The documents, in order of name.
    pub fn names(&self) -> impl Iterator<Item = &ArtifactName> {
        self.current.keys()
    }

    /// Takes note of a stored version.
    pub(crate) fn note(&mut self, name: &ArtifactName, version: u32, turn: u32, settled: bool) {
        self.current.insert(name.clone(), Current { version, stale: false, turn, settled });
        if settled {
            self.settled.entry(name.clone()).or_default().push(version);
        }
    }

    /// Takes note of kinds that are out of date.
    pub(crate) fn note_stale(&mut self, kinds: &[ArtifactKind]) {
        for (name, current) in &mut self.current {
            current.stale |= kinds.contains(&name.kind);
        }
    }
}
