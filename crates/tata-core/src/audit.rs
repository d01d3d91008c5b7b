//! Who did what: a chain in which each entry seals the one before, so that a later change shows.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Approval, ArtifactName, Entry, Record, SessionId};

/// Something that was done and must be answerable later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAudit {
    /// When.
    pub at: Timestamp,
    /// Who: a person, or the program itself.
    pub actor: String,
    /// The account that did it; none where somebody without one did: at the command line, or the program by itself. A name
    /// can be anybody's word, this is who was signed in.
    pub account: Option<String>,
    /// The company it happened in, where there are companies. For an act upon a session the store writes the session's.
    pub tenant: Option<String>,
    /// What, as `noun.verb`: `session.deleted`, `tool.decided`.
    pub action: String,
    /// To what: an id.
    pub subject: String,
    /// Further facts, never the content of a conversation.
    pub detail: String,
}

/// Who does something of which the audit will tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// What the audit calls them.
    pub name: String,
    /// The account they are signed in with; see [`NewAudit::account`].
    pub account: Option<String>,
}

impl From<&str> for Actor {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), account: None }
    }
}

/// Acts that are one write with their entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Deleted,
    Approved,
    Decided,
}

impl Action {
    const ALL: [Self; 3] = [Self::Deleted, Self::Approved, Self::Decided];

    fn as_str(self) -> &'static str {
        match self {
            Self::Deleted => "session.deleted",
            Self::Approved => "artifact.approved",
            Self::Decided => "tool.decided",
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }
}

/// The entries that stores write together with the act they tell of. They outlive the session, so they name documents by
/// kind, version and digest: a key may be somebody's name.
impl NewAudit {
    /// A session was deleted.
    pub fn deleted(session: SessionId, by: Actor, at: Timestamp) -> Self {
        Self::about(Action::Deleted, session, by, at, String::new())
    }

    /// A version of a document was approved.
    pub fn approved(
        session: SessionId,
        name: &ArtifactName,
        version: u32,
        json: &str,
        approval: &Approval,
    ) -> Self {
        let digest = hex(&Sha256::digest(json));
        let detail = format!("{} version {version} sha256 {digest}", name.kind);
        let by = Actor { name: approval.by.clone(), account: approval.account.clone() };
        Self::about(Action::Approved, session, by, approval.at, detail)
    }

    /// A person decided about a call; none for other entries. `account` is who was signed in.
    pub fn decided(session: SessionId, record: &Record, account: Option<&str>) -> Option<Self> {
        let Entry::Decided { tool, call_id, seal, decision, by, .. } = &record.entry else { return None };
        let detail = format!("{tool} {call_id} {} {seal}", decision.as_str());
        let by = Actor { name: by.clone(), account: account.map(str::to_owned) };
        Some(Self::about(Action::Decided, session, by, record.at, detail))
    }

    fn about(action: Action, session: SessionId, by: Actor, at: Timestamp, detail: String) -> Self {
        let (action, subject) = (action.as_str().to_owned(), session.to_string());
        Self { at, actor: by.name, account: by.account, tenant: None, action, subject, detail }
    }

    /// The same with the company of the session it is about, as the store knows it.
    #[must_use]
    pub fn in_tenant(self, tenant: Option<String>) -> Self {
        Self { tenant, ..self }
    }
}

/// One link of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its position, from 1.
    pub position: u64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: String,
    /// The account that did it; none where somebody without one did, and in entries from before there was this column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The company it happened in; none where there are no companies, and in entries from before there was this column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// What.
    pub action: String,
    /// To what.
    pub subject: String,
    /// Further facts.
    pub detail: String,
    /// The seal of the entry before; empty for the first.
    pub previous: String,
    /// The seal of this entry.
    pub seal: String,
}

/// The chain does not hold: from this position on, something was changed, removed or put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the audit chain is broken at entry {position}")]
pub struct BrokenChain {
    /// The first entry that does not fit.
    pub position: u64,
}

impl AuditEntry {
    /// The link after the last one, of which position and seal are given.
    pub fn after(last: Option<(u64, &str)>, new: NewAudit) -> Self {
        let mut entry = Self {
            position: last.map_or(1, |(position, _)| position + 1),
            at: new.at,
            actor: new.actor,
            account: new.account,
            tenant: new.tenant,
            action: new.action,
            subject: new.subject,
            detail: new.detail,
            previous: last.map(|(_, seal)| seal.to_owned()).unwrap_or_default(),
            seal: String::new(),
        };
        entry.seal = entry.computed_seal();
        entry
    }

    /// Whether the seal is that of what stands here.
    pub(crate) fn is_sealed(&self) -> bool {
        self.seal == self.computed_seal()
    }

    /// Whether this entry was written with this act.
    pub(crate) fn tells_of(&self, act: &NewAudit) -> bool {
        self.actor == act.actor && self.is_about(act)
    }

    /// Whether this entry and this act are about the same thing, whoever did it.
    pub(crate) fn is_about(&self, act: &NewAudit) -> bool {
        // The first version of this program named a document by its key, and knew the tool of every decision.
        let first_words = || match Action::of(&act.action) {
            Some(Action::Approved) => act.detail.split_once(" sha256 ").is_some_and(|(document, _)| {
                let (kind, version) = document.rsplit_once(" version ").unwrap_or_default();
                self.detail.starts_with(kind) && self.detail.ends_with(&format!(" version {version}"))
            }),
            Some(Action::Decided) => act.detail.starts_with(' ') && self.detail.ends_with(&act.detail),
            Some(Action::Deleted) | None => false,
        };
        self.detail == act.detail || first_words()
    }

    fn computed_seal(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.position.to_be_bytes());
        hash.update(self.at.as_millisecond().to_be_bytes());
        let mut add = |part: &str| {
            // The length keeps "ab" + "c" apart from "a" + "bc".
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        };
        for part in [&self.actor, &self.action, &self.subject, &self.detail, &self.previous] {
            add(part);
        }
        // Entries without them have the seal that they had before there were such columns. The name of the column keeps a
        // company apart from an account.
        for (column, value) in [("tenant", &self.tenant), ("account", &self.account)] {
            if let Some(value) = value {
                add(column);
                add(value);
            }
        }
        hex(&hash.finalize())
    }
}

/// Checks a chain from its first entry.
pub fn verify_chain<'a>(entries: impl IntoIterator<Item = &'a AuditEntry>) -> Result<(), BrokenChain> {
    let (mut position, mut previous) = (0, "");
    for entry in entries {
        position += 1;
        if entry.position != position || entry.previous != previous || entry.seal != entry.computed_seal() {
            return Err(BrokenChain { position });
        }
        previous = &entry.seal;
    }
    Ok(())
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).map_or('0', |digit| char::from(*digit));
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
