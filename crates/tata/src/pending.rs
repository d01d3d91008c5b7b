//! Changes of a collection that are under way: written down before they begin, so that a server that is killed on the way
//! ends them at its next start, with the audit entry of whoever began them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{Actor, NewAudit, Store, StoreError};
use tata_knowledge::sealed_address;

use crate::{private, wiring};

/// How the files of changes are called: no file that somebody brings begins with a dot.
const PREFIX: &str = ".change-";

/// A change of one document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PendingChange {
    pub(crate) kind: ChangeKind,
    /// The address of the document.
    pub(crate) url: String,
    at: Timestamp,
    actor: String,
    account: Option<String>,
    tenant: String,
    /// The file that it is written down in.
    #[serde(skip)]
    record: PathBuf,
    /// An earlier process began it, and may have written the audit entry already.
    #[serde(skip)]
    is_resumed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChangeKind {
    Addition,
    Removal,
}

impl PendingChange {
    /// Writes down what is about to be done.
    pub(crate) fn begin(
        folder: &Path,
        kind: ChangeKind,
        url: String,
        by: Actor,
        at: Timestamp,
        tenant: &str,
    ) -> anyhow::Result<Self> {
        private::folder(folder)?;
        let Actor { name: actor, account } = by;
        let (tenant, record) = (tenant.to_owned(), PathBuf::new());
        let change = Self { kind, url, at, actor, account, tenant, record, is_resumed: false };
        let text = serde_json::to_string(&change)?;
        let record = folder.join(format!("{PREFIX}{}", wiring::short_seal(&text)));
        private::write(&record, &text)?;
        Ok(Self { record, ..change })
    }

    /// The changes that an earlier process did not end, the oldest first.
    pub(crate) fn left(folder: &Path) -> io::Result<Vec<Self>> {
        let mut changes = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if !is_record(&entry.file_name()) {
                continue;
            }
            let record = entry.path();
            match serde_json::from_slice::<Self>(&fs::read(&record)?) {
                Ok(change) => changes.push(Self { record, is_resumed: true, ..change }),
                Err(error) => tracing::warn!(%error, "the record of a change cannot be read"),
            }
        }
        changes.sort_by_key(|change| change.at);
        Ok(changes)
    }

    /// Whether it was begun later than another.
    pub(crate) fn is_after(&self, other: &Self) -> bool {
        self.at > other.at
    }

    /// Ends a change that was carried out: the audit tells of it, once.
    pub(crate) async fn done(self, store: &dyn Store) -> Result<(), StoreError> {
        let entry = self.audit_entry();
        let is_told = self.is_resumed && {
            let newest = store.audit_of(self.tenant.clone(), MOST_LOOKED_THROUGH).await?;
            newest.iter().any(|there| {
                there.at == entry.at && there.action == entry.action && there.subject == entry.subject
            })
        };
        if !is_told {
            store.record_audit(entry).await?;
        }
        self.forget();
        Ok(())
    }

    /// Ends a change that came to nothing: no entry tells of it.
    pub(crate) fn forget(self) {
        if let Err(error) = fs::remove_file(&self.record) {
            tracing::warn!(%error, "the record of a change stays");
        }
    }

    fn audit_entry(&self) -> NewAudit {
        let action = match self.kind {
            ChangeKind::Addition => "document.added",
            ChangeKind::Removal => "document.removed",
        };
        NewAudit {
            at: self.at,
            actor: self.actor.clone(),
            account: self.account.clone(),
            tenant: Some(self.tenant.clone()),
            action: action.to_owned(),
            subject: sealed_address(&self.url),
            detail: String::new(),
        }
    }
}

/// A server that was killed wrote the entry last, or nearly so.
const MOST_LOOKED_THROUGH: u32 = 200;

/// Whether a file is the record of a change.
pub(crate) fn is_record(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}
