//! Sessions in one SQLite file.
//!
//! One connection writes, many read. Whoever wants to write hands a request to the [`writer`], which commits
//! everything that waits in one transaction: sixty-four turns share one `fsync`.

mod artifacts;
mod audit;
mod heads;
mod journal;
mod ledger;
mod lock;
mod sessions;
mod writer;

use std::{path::Path, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions, Connection, SqlSafeStr, SqliteConnection, SqlitePool,
    migrate::{Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tata_core::StoreError;
use tokio::sync::mpsc;

use crate::{
    DatabaseVersion,
    failure::{Failure, migration_failed, not_writable},
    sql,
};
use lock::Owner;
use writer::{Ask, Request};

/// "Tata" in ASCII: how a database of ours is told from another program's.
const APPLICATION_ID: i64 = 0x5461_7461;
/// Versions before have a bug that can damage a WAL database with several writers.
const OLDEST: [u32; 3] = [3, 51, 3];
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const READERS: u32 = 4;

/// A store in one SQLite file, which several processes of one machine may share.
#[derive(Debug)]
pub struct SqliteStore {
    readers: SqlitePool,
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
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            lock::private_folder(folder).map_err(failed)?;
        }
        let guard = lock::guard(path).await?;
        lock::private(path).map_err(failed)?;
        let bare =
            SqliteConnectOptions::new().filename(path).busy_timeout(BUSY_TIMEOUT).disable_statement_logging();
        claim(&bare).await?;
        let options = bare
            .journal_mode(SqliteJournalMode::Wal)
            // What others write than the writer, which says for each transaction how durable it must be.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // What is erased is overwritten, not only forgotten.
            .pragma("secure_delete", "ON")
            // What a statement of many rows may have to undo: otherwise a temporary file, written by every group.
            .pragma("temp_store", "MEMORY")
            .pragma("cache_size", "-16000")
            .row_buffer_size(256);
        let connection = prepared(&options).await?;
        let owner = Arc::new(Owner::new(path)?);
        drop(guard);
        let (requests, waiting) = mpsc::unbounded_channel();
        tokio::spawn(writer::run(connection, Arc::clone(&owner), waiting));
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(BUSY_TIMEOUT)
            // A file does not hang up.
            .test_before_acquire(false)
            .connect_lazy_with(options.pragma("query_only", "ON"));
        Ok(Self { readers, requests, owner })
    }

    /// Looks for damage: SQLite's own check, and references that lead nowhere. Says what it found first.
    pub async fn check_integrity(&self) -> Result<(), StoreError> {
        let said: Vec<String> =
            sqlx::query_scalar("PRAGMA quick_check").fetch_all(&self.readers).await.map_err(Failure::from)?;
        if let Some(fault) = said.into_iter().find(|line| line != "ok") {
            return Err(StoreError::Unusable { reason: format!("it is damaged ({fault})") });
        }
        let lost =
            sqlx::query("PRAGMA foreign_key_check").fetch_all(&self.readers).await.map_err(Failure::from)?;
        match lost.len() {
            0 => Ok(()),
            rows => Err(StoreError::Unusable { reason: format!("{rows} rows belong to no session") }),
        }
    }

    /// What this database is.
    pub async fn version(&self) -> Result<DatabaseVersion, StoreError> {
        let engine: String = sqlx::query_scalar("SELECT sqlite_version()")
            .fetch_one(&self.readers)
            .await
            .map_err(Failure::from)?;
        let schema = sqlx::query_scalar(sql::SCHEMA).fetch_one(&self.readers).await.map_err(Failure::from)?;
        Ok(DatabaseVersion { engine: format!("SQLite {engine}"), schema })
    }

    /// Hands a request to the writer and waits until it is durable. A caller that goes away meanwhile disturbs
    /// nobody: the request is carried out all the same, and its answer dropped.
    async fn ask<Q, A>(&self, question: Q, request: fn(Ask<Q, A>) -> Request) -> Result<A, StoreError> {
        let (ask, answer) = Ask::new(question);
        let sent = self.requests.send(request(ask));
        let answer = if sent.is_ok() { answer.await.ok() } else { None };
        answer.unwrap_or_else(|| {
            Err(StoreError::Unavailable { source: "the writer of the database has ended".into() })
        })
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

/// Makes sure that the file is ours, or new and then makes it ours. Before anything else, and with no setting that
/// would change a file of somebody else.
async fn claim(options: &SqliteConnectOptions) -> Result<(), StoreError> {
    let mut connection = options.connect().await.map_err(Failure::from)?;
    let claimed = claim_with(&mut connection).await;
    drop(connection.close().await);
    claimed.map_err(StoreError::from)
}

async fn claim_with(connection: &mut SqliteConnection) -> Result<(), Failure> {
    let engine: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut *connection).await?;
    let parts: Vec<u32> = engine.split('.').filter_map(|part| part.parse().ok()).collect();
    if parts.as_slice() < OLDEST.as_slice() {
        let reason =
            format!("SQLite {engine} is too old: 3.51.3 is the first that keeps shared databases safe");
        return Err(StoreError::Unusable { reason }.into());
    }
    let id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut *connection).await?;
    match (id, tables) {
        (APPLICATION_ID, _) => Ok(()),
        (0, 0) => {
            sqlx::query("PRAGMA application_id = 1415672929").execute(connection).await?;
            Ok(())
        }
        _ => Err(StoreError::Unusable { reason: "it belongs to another program".to_owned() }.into()),
    }
}

/// The writer's connection, to a database with the newest schema.
async fn prepared(options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    let mut connection = options.connect().await.map_err(Failure::from)?;
    let migrator = Migrator::with_migrations(vec![Migration::new(
        1,
        "sessions".into(),
        MigrationType::Simple,
        include_str!("../../migrations/sqlite/0001_sessions.sql").into_sql_str(),
        false,
    )]);
    // `run` does the same, but its future cannot be sent to another thread.
    let done = migrator.run_direct(None, &mut connection, false).await;
    done.map_err(|error| migration_failed(error, &migrator))?;
    Ok(connection)
}
