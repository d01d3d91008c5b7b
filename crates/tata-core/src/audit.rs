//! Who did what: a chain in which each entry seals the one before, so that a later change shows.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Something that was done and must be answerable later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAudit {
    /// When.
    pub at: Timestamp,
    /// Who: a person, or the program itself.
    pub actor: String,
    /// What, as `noun.verb`: `session.deleted`, `tool.decided`.
    pub action: String,
    /// To what: an id.
    pub subject: String,
    /// Further facts, never the content of a conversation.
    pub detail: String,
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
    /// The link after `last`.
    pub fn after(last: Option<&Self>, new: NewAudit) -> Self {
        let mut entry = Self {
            position: last.map_or(1, |last| last.position + 1),
            at: new.at,
            actor: new.actor,
            action: new.action,
            subject: new.subject,
            detail: new.detail,
            previous: last.map(|last| last.seal.clone()).unwrap_or_default(),
            seal: String::new(),
        };
        entry.seal = entry.computed_seal();
        entry
    }

    fn computed_seal(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.position.to_be_bytes());
        hash.update(self.at.as_millisecond().to_be_bytes());
        for part in [&self.actor, &self.action, &self.subject, &self.detail, &self.previous] {
            // The length keeps "ab" + "c" apart from "a" + "bc".
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
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
