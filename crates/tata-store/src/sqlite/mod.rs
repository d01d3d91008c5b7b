//! Sessions in one SQLite file.
//!
//! One connection writes, many read. Whoever wants to write hands a request to the [`writer`], which commits
//! everything that waits in one transaction: sixty-four turns wait for the disk once.

mod accounts;
mod artifacts;
mod audit;
mod chat_marks;
mod connection;
mod files;
mod heads;
mod image;
mod journal;
mod keys;
mod ledger;
mod lock;
mod readers;
mod sessions;
mod signals;
mod upkeep;
mod writer;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use tata_core::StoreError;
use tokio::{sync::mpsc, task::spawn_blocking};

use crate::{
    DatabaseVersion,
    failure::{Failure, not_writable},
};
use connection::Access;
use lock::Owner;
use readers::Readers;
use writer::{Ask, Request, Writer, WriterThread};

/// A store in one SQLite file, which several processes of one machine may share.
#[derive(Debug)]
pub struct SqliteStore {
    readers: Arc<Readers>,
    requests: mpsc::UnboundedSender<Request>,
    owner: Arc<Owner>,
    /// Why nothing can be written, in a few words; none where it can.
    read_only: Option<String>,
}

impl SqliteStore {
    /// Opens a database, or makes one that only this user can read. Refuses files of other programs and databases of
    /// newer versions of this one. One that cannot be written (a full disk, a folder or a file that is read-only) is opened
    /// for reading; whoever writes is told why that does not work.
    ///
    /// The writer runs as a task of the runtime that calls this, and ends when the store is dropped.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        // SQLite reads more into some names, such as `file:…`, but not into whole paths.
        let path =
            std::path::absolute(path).map_err(|error| not_writable(&path.display().to_string(), error))?;
        check_link(&path)?;
        match Self::open_to_write(&path).await {
            Err(StoreError::NotWritable { reason, source }) if path.is_file() => {
                match Self::open_to_read(path, reason.clone()).await {
                    // A file that nobody can read, either: why it cannot be written says more.
                    Err(Failure::Database(_)) => Err(StoreError::NotWritable { reason, source }),
                    opened => Ok(opened?),
                }
            }
            opened => opened,
        }
    }

    async fn open_to_write(path: &Path) -> Result<Self, StoreError> {
        let failed = |error| not_writable(&path.display().to_string(), error);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            lock::private_folder(folder).map_err(failed)?;
        }
        let guard = lock::guard(path).await?;
        lock::private(path).map_err(failed)?;
        let path = path.to_owned();
        let opening = spawn_blocking(move || {
            let connection = connection::writing(&path)?;
            let owner = Arc::new(Owner::new(&path)?);
            let thread = WriterThread::new(Writer::new(connection, Arc::clone(&owner)));
            let thread = thread.map_err(|error| StoreError::Unavailable { source: error.into() })?;
            Ok::<_, Failure>((thread, owner, Readers::new(path, Access::Shared)))
        });
        let opened = opening.await.map_err(|ended| StoreError::Unavailable { source: ended.into() })?;
        let (thread, owner, readers) = opened?;
        drop(guard);
        let (requests, waiting) = mpsc::unbounded_channel();
        tokio::spawn(writer::run(thread, waiting));
        Ok(Self { readers, requests, owner, read_only: None })
    }

    async fn open_to_read(path: PathBuf, reason: String) -> Result<Self, Failure> {
        let opening = spawn_blocking(move || {
            let access = connection::degraded(&path)?;
            Ok::<_, Failure>((Arc::new(Owner::nobody(&path)), Readers::new(path, access), access))
        });
        let opened = opening.await.map_err(|ended| StoreError::Unavailable { source: ended.into() })?;
        let (owner, readers, access) = opened?;
        tracing::warn!(reason, ?access, "the database cannot be written; it is opened for reading");
        // Nobody hears them.
        let (requests, _) = mpsc::unbounded_channel();
        Ok(Self { readers, requests, owner, read_only: Some(reason) })
    }

    /// Why nothing can be written, in a few words; none where it can.
    pub fn read_only(&self) -> Option<&str> {
        self.read_only.as_deref()
    }

    /// What this database is.
    pub async fn version(&self) -> Result<DatabaseVersion, StoreError> {
        let schema = self.readers.read(connection::schema).await?;
        Ok(DatabaseVersion { engine: format!("SQLite {}", rusqlite::version()), schema })
    }

    /// Hands a request to the writer and waits until it is durable. A caller that goes away meanwhile disturbs
    /// nobody: the request is carried out all the same, and its answer dropped.
    fn ask<Q, A>(
        &self,
        question: Q,
        request: fn(Ask<Q, A>) -> Request,
    ) -> impl Future<Output = Result<A, StoreError>> + use<Q, A> {
        let (ask, answer) = Ask::new(question);
        let refused = self.read_only.clone();
        // Without a writer the question is dropped, and with it the hope for an answer.
        let _ = self.requests.send(request(ask));
        async move {
            if let Some(reason) = refused {
                let source = "the database was opened for reading".into();
                return Err(StoreError::NotWritable { reason, source });
            }
            let ended = |_| StoreError::Unavailable { source: "the writer of the database has ended".into() };
            answer.await.map_err(ended)?
        }
    }

    /// Hands a request to the writer and does not wait.
    fn tell<Q, A>(&self, question: Q, request: fn(Ask<Q, A>) -> Request) {
        let (ask, _) = Ask::new(question);
        // A writer that has ended holds no leases either.
        let _ = self.requests.send(request(ask));
    }
}

/// A link that leads nowhere: SQLite and the system would say that the file is not there, or cannot be made.
fn check_link(path: &Path) -> Result<(), StoreError> {
    match fs::read_link(path) {
        Ok(target) if !path.exists() => {
            let (shown, target) = (path.display(), target.display());
            let reason = format!("the database file {shown} is a link to {target}, which is not there");
            Err(StoreError::Unusable { reason })
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.owner.resign();
    }
}
