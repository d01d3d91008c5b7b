//! Changes of a collection that are under way: written down before they begin, so that a server that is killed on the way
//! ends them at its next start, with the audit entry of whoever began them.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{Actor, NewAudit, Store, StoreError};
use tata_knowledge::sealed_address;

use crate::{private, wiring};

/// How the files of changes are called: no file that somebody brings begins with a dot.
const PREFIX: &str = ".change-";

/// How files are called that wait for their turn.
const STAGED_PREFIX: &str = ".brought-";

/// Tells the files apart that this process makes.
static NUMBER: AtomicU64 = AtomicU64::new(0);

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
    /// The file that was brought, by its name in the folder, until it is put in its place.
    #[serde(default)]
    staged: Option<String>,
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
    /// Who changes which document of which company.
    pub(crate) fn new(kind: ChangeKind, url: String, by: Actor, at: Timestamp, tenant: &str) -> Self {
        let Actor { name: actor, account } = by;
        let (tenant, record) = (tenant.to_owned(), PathBuf::new());
        Self { kind, url, at, actor, account, tenant, staged: None, record, is_resumed: false }
    }

    /// Writes down what is about to be done.
    pub(crate) fn begin(self, folder: &Path) -> anyhow::Result<Self> {
        private::folder(folder)?;
        // Two may do the same at the same moment.
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let text = serde_json::to_string(&self)?;
        let seal = wiring::short_seal(&format!("{} {number} {text}", std::process::id()));
        let record = folder.join(format!("{PREFIX}{seal}"));
        private::write(&record, &text)?;
        Ok(Self { record, ..self })
    }

    /// The same with the file that was brought: it is safe before anybody is told so, and in its place when its turn comes.
    pub(crate) fn begin_with(self, folder: &Path, bytes: &[u8]) -> anyhow::Result<Self> {
        private::folder(folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let seal = wiring::short_seal(&format!("{} {number} {} {}", std::process::id(), self.at, self.url));
        let staged = format!("{STAGED_PREFIX}{seal}");
        let path = folder.join(&staged);
        private::write_bytes(&path, bytes)?;
        let begun = Self { staged: Some(staged), ..self }.begin(folder);
        if begun.is_err() {
            drop(fs::remove_file(path));
        }
        begun
    }

    /// The name of the file that was brought with it.
    pub(crate) fn staged(&self) -> Option<&str> {
        self.staged.as_deref()
    }

    /// Puts the file that was brought in its place. An earlier process may have done so.
    pub(crate) fn put_in_place(&self, path: &Path) -> io::Result<()> {
        let Some(staged) = &self.staged else { return Ok(()) };
        match fs::rename(self.record.with_file_name(staged), path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_file() => Ok(()),
            put => put,
        }
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
        if let Some(staged) = &self.staged {
            // It was put in its place, or it is not wanted any more.
            drop(fs::remove_file(self.record.with_file_name(staged)));
        }
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
pub(crate) fn is_record(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}

/// Whether a file was brought and is not in its place yet.
pub(crate) fn is_staged(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(STAGED_PREFIX.as_bytes())
}
