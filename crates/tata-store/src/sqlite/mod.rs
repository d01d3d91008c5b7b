//! Sessions in one SQLite file.
//!
//! One connection writes, many read. Whoever wants to write hands a request to the [`writer`], which commits
//! everything that waits in one transaction: sixty-four turns wait for the disk once.

mod artifacts;
mod audit;
mod connection;
mod heads;
mod journal;
mod ledger;
mod lock;
mod readers;
mod sessions;
mod writer;

use std::{path::Path, sync::Arc};

use rusqlite::Connection;
use tata_core::StoreError;
use tokio::{sync::mpsc, task::spawn_blocking};

use crate::{
    DatabaseVersion,
    failure::{Failure, not_writable},
};
use lock::Owner;
use readers::Readers;
use writer::{Ask, Hand, Request, Writer};

/// A store in one SQLite file, which several processes of one machine may share.
#[derive(Debug)]
pub struct SqliteStore {
    readers: Arc<Readers>,
    requests: mpsc::UnboundedSender<Request>,
    owner: Arc<Owner>,
}

impl SqliteStore {
    /// Opens a database, or makes one that only this user can read. Refuses files of other programs and databases of
    /// newer versions of this one.
    ///
    /// The writer runs as a task of the runtime that calls this, and ends when the store is dropped.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let failed = |error| not_writable(&path.display().to_string(), error);
        // SQLite reads more into some names, such as `file:…`, but not into whole paths.
        let path = &std::path::absolute(path).map_err(failed)?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            lock::private_folder(folder).map_err(failed)?;
        }
        let guard = lock::guard(path).await?;
        lock::private(path).map_err(failed)?;
        let path = path.to_owned();
        let opening = spawn_blocking(move || {
            let connection = connection::writing(&path)?;
            let owner = Arc::new(Owner::new(&path)?);
            let hand = Hand::new(Writer::new(connection, Arc::clone(&owner)));
            let hand = hand.map_err(|error| StoreError::Unavailable { source: error.into() })?;
            Ok::<_, Failure>((hand, owner, Readers::new(path)))
        });
        let opened = opening.await.map_err(|ended| StoreError::Unavailable { source: ended.into() })?;
        let (hand, owner, readers) = opened?;
        drop(guard);
        let (requests, waiting) = mpsc::unbounded_channel();
        tokio::spawn(writer::run(hand, waiting));
        Ok(Self { readers, requests, owner })
    }

    /// Looks for damage: SQLite's own check, and references that lead nowhere. Says what it found first.
    pub async fn check_integrity(&self) -> Result<(), StoreError> {
        let check = |connection: &Connection| {
            let said =
                connection::all(connection, "PRAGMA quick_check", [], |row| Ok(row.get::<_, String>(0)?))?;
            let lost = connection::all(connection, "PRAGMA foreign_key_check", [], |_| Ok(()))?;
            Ok((said.into_iter().find(|line| line != "ok"), lost.len()))
        };
        match self.readers.read(check).await? {
            (None, 0) => Ok(()),
            (Some(fault), _) => Err(StoreError::Unusable { reason: format!("it is damaged ({fault})") }),
            (None, rows) => Err(StoreError::Unusable { reason: format!("{rows} rows belong to no session") }),
        }
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
        // Without a writer the question is dropped, and with it the hope for an answer.
        let _ = self.requests.send(request(ask));
        async {
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

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.owner.resign();
    }
}
