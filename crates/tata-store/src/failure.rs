//! What can go wrong between us and a database, sorted by what the caller does next.

use std::{error::Error, io, path::Path, sync::Arc};

use sqlx::{
    migrate::{MigrateError, Migrator},
    postgres::PgDatabaseError,
};
use tata_core::StoreError;

/// What a database reported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error(transparent)]
    Postgres(#[from] sqlx::Error),
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// A cell holds something else than it should.
    #[error("{0}")]
    Cell(&'static str),
}

/// Why a step inside a store ended. The two are kept apart because a refusal leaves the transaction whole.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The database reported an error.
    Database(Fault),
    /// The store refused.
    Refused(StoreError),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Database(fault)
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Database(fault) => classified(&Arc::new(fault)),
            Failure::Refused(error) => error,
        }
    }
}

/// The error for the caller. Shared, because one failed commit answers many callers.
pub(crate) fn classified(fault: &Arc<Fault>) -> StoreError {
    let source: Box<dyn Error + Send + Sync> = Box::new(Arc::clone(fault));
    match kind(fault) {
        Kind::Unavailable => StoreError::Unavailable { source },
        Kind::NotWritable(reason) => StoreError::NotWritable { reason: reason.to_owned(), source },
        Kind::Unreadable => StoreError::Unreadable { what: "the database".to_owned(), source },
        Kind::Unusable(reason) => StoreError::Unusable { reason: reason.to_owned() },
        Kind::Other => StoreError::Database { source },
    }
}

/// Whether the whole database is in trouble, and not one request wrong.
pub(crate) fn is_outage(fault: &Fault) -> bool {
    matches!(kind(fault), Kind::Unavailable | Kind::NotWritable(_))
}

/// Whether what is stored cannot be read.
pub(crate) fn is_unreadable(failure: &Failure) -> bool {
    match failure {
        Failure::Database(fault) => matches!(kind(fault), Kind::Unreadable),
        Failure::Refused(error) => matches!(error, StoreError::Unreadable { .. }),
    }
}

enum Kind {
    Unavailable,
    NotWritable(&'static str),
    Unreadable,
    Unusable(&'static str),
    Other,
}

fn kind(fault: &Fault) -> Kind {
    match fault {
        Fault::Postgres(error) => postgres_kind(error),
        Fault::Sqlite(error) => sqlite_kind(error),
        Fault::Cell(_) => Kind::Unreadable,
    }
}

fn postgres_kind(error: &sqlx::Error) -> Kind {
    if let Some(error) = error.as_database_error().and_then(|error| error.try_downcast_ref()) {
        return kind_of_state(PgDatabaseError::code(error));
    }
    if matches!(
        error,
        sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            // A server that goes away in the middle of a word: sqlx reads the missing byte as a wrong one.
            | sqlx::Error::Protocol(_)
    ) {
        Kind::Unavailable
    } else if matches!(error, sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. }) {
        Kind::Unreadable
    } else {
        Kind::Other
    }
}

fn sqlite_kind(error: &rusqlite::Error) -> Kind {
    if let Some(error) = error.sqlite_error() {
        return kind_of_code(error.extended_code);
    }
    if matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    ) {
        Kind::Unreadable
    } else {
        Kind::Other
    }
}

/// By [result code](https://www.sqlite.org/rescode.html); the low byte of an extended code is the plain one.
fn kind_of_code(code: i32) -> Kind {
    match code & 0xff {
        // BUSY, LOCKED: another process writes.
        5 | 6 => Kind::Unavailable,
        3 => Kind::NotWritable("no permission"),
        8 => Kind::NotWritable("it is read-only"),
        10 => Kind::NotWritable("the disk reported an error"),
        13 => Kind::NotWritable("the disk is full"),
        14 => Kind::NotWritable("the file cannot be opened"),
        11 => Kind::Unreadable,
        26 => Kind::Unusable("the file is not a SQLite database"),
        _ => Kind::Other,
    }
}

/// By [SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html).
fn kind_of_state(code: &str) -> Kind {
    match code {
        // The server stops, stopped, or starts; it ended a transaction that slept; it has no connection or memory to spare;
        // two writers met.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" | "53200" | "53300" | "40001" | "40P01" => {
            Kind::Unavailable
        }
        "53100" => Kind::NotWritable("the disk is full"),
        "25006" => Kind::NotWritable("it is read-only"),
        code if code.starts_with("08") => Kind::Unavailable,
        _ => Kind::Other,
    }
}

/// A file or folder beside the database could not be made or locked.
pub(crate) fn not_writable(what: &str, error: io::Error) -> StoreError {
    StoreError::NotWritable { reason: format!("{what}: {error}"), source: Box::new(error) }
}

/// A file of the database could not be read.
pub(crate) fn not_readable(path: &Path, error: io::Error) -> StoreError {
    StoreError::Unreadable { what: path.display().to_string(), source: Box::new(error) }
}

/// The schema could not be brought up to date.
pub(crate) fn migration_failed(error: MigrateError, ours: &Migrator) -> StoreError {
    let newest = ours.iter().map(|migration| migration.version).max().unwrap_or(0);
    if let MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) = error {
        return Failure::from(error).into();
    }
    if let MigrateError::VersionMissing(version) = error {
        return schema_too_new(version, newest);
    }
    StoreError::Unusable { reason: format!("its schema was changed by something else ({error})") }
}

/// A schema that this program does not know.
pub(crate) fn schema_too_new(found: i64, newest: i64) -> StoreError {
    let reason = format!(
        "a newer version of Tata wrote it (its schema has version {found}, this program knows {newest}); \
         please update this program"
    );
    StoreError::Unusable { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_gone_in_the_handshake_is_unavailable() {
        let error = sqlx::Error::Protocol("unexpected response from SSLRequest: 0x00".to_owned());
        assert!(matches!(Failure::from(error).into(), StoreError::Unavailable { .. }));
    }

    #[test]
    fn codes_say_what_to_do_next() {
        for code in ["57P01", "25P03", "57P03", "08006", "53300", "40001"] {
            assert!(matches!(kind_of_state(code), Kind::Unavailable), "{code}");
        }
        for code in ["53100", "25006"] {
            assert!(matches!(kind_of_state(code), Kind::NotWritable(_)), "{code}");
        }
        assert!(matches!(kind_of_state("42601"), Kind::Other));
        // FULL, READONLY_DBMOVED, IOERR_FSYNC, CANTOPEN.
        for code in [13, 1032, 1034, 14] {
            assert!(matches!(kind_of_code(code), Kind::NotWritable(_)), "{code}");
        }
        // BUSY, BUSY_SNAPSHOT.
        for code in [5, 517] {
            assert!(matches!(kind_of_code(code), Kind::Unavailable), "{code}");
        }
        assert!(matches!(kind_of_code(19), Kind::Other));
    }
}
