//! A connection: whose file it is, how it is set up, and how statements are put to it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use rusqlite::{CachedStatement, Connection, OpenFlags, Params, Row, TransactionBehavior};
use tata_core::StoreError;

use super::image;
use crate::failure::{Failure, not_readable, schema_too_new};

/// "Tata" in ASCII: how a database of ours is told from another program's.
const APPLICATION_ID: i64 = 0x5461_7461;
/// Versions before have a bug that can damage a WAL database with several writers.
const OLDEST: i32 = 3_051_003;
/// How long another process may keep the right to write.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// All statements of the store, and some to spare.
const STATEMENTS: usize = 56;

/// One for each version of the schema, in order.
const MIGRATIONS: [&str; 8] = [
    include_str!("../../migrations/sqlite/0001_sessions.sql"),
    include_str!("../../migrations/sqlite/0002_titles.sql"),
    include_str!("../../migrations/sqlite/0003_accounts.sql"),
    include_str!("../../migrations/sqlite/0004_files.sql"),
    include_str!("../../migrations/sqlite/0005_request_keys.sql"),
    include_str!("../../migrations/sqlite/0006_people.sql"),
    include_str!("../../migrations/sqlite/0007_chat_marks.sql"),
    include_str!("../../migrations/sqlite/0008_deletions.sql"),
];

const SETTINGS: &str = "PRAGMA journal_mode = WAL; \
    PRAGMA synchronous = FULL; \
    PRAGMA foreign_keys = ON; \
    -- What is erased is overwritten, not only forgotten.
    PRAGMA secure_delete = ON; \
    PRAGMA temp_store = MEMORY; \
    PRAGMA cache_size = -16000;";

/// A connection that writes, to a database with the newest schema. Makes the file ours if it is new, and changes
/// nothing in a file of somebody else.
pub(super) fn writing(path: &Path) -> Result<Connection, Failure> {
    let mut connection = bare(path)?;
    claim(&connection)?;
    connection.execute_batch(SETTINGS)?;
    migrate(&mut connection)?;
    Ok(connection)
}

/// How a database is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// As one that may be written.
    Shared,
    /// The file may not be written, but what SQLite needs beside it is there or can be made.
    ReadOnly,
    /// Nothing can be made beside the file, and there is no log: the file alone is the database.
    Immutable,
    /// Nothing can be made beside the file, and there is a log: both are read into memory.
    Copied,
}

/// A connection that only reads.
pub(super) fn reading(path: &Path, access: Access) -> Result<Connection, Failure> {
    let only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match access {
        Access::Shared => {
            let connection = bare(path)?;
            connection.execute_batch(SETTINGS)?;
            connection
        }
        Access::ReadOnly => patient(Connection::open_with_flags(path, only)?)?,
        Access::Immutable => {
            let uri = immutable(path);
            patient(Connection::open_with_flags(uri, only | OpenFlags::SQLITE_OPEN_URI)?)?
        }
        Access::Copied => {
            let image = copied(path)?;
            let mut connection = patient(Connection::open_in_memory()?)?;
            connection.deserialize_read_exact(rusqlite::MAIN_DB, &*image, image.len(), false)?;
            // The copy may be brought up to date where the file cannot.
            migrate(&mut connection)?;
            connection
        }
    };
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

/// How a database that cannot be written can be read.
///
/// A log that is there is always read: what was acknowledged may stand in it alone. `immutable` tells SQLite not to look
/// for one and not to lock, so it is used only where there is none: whoever writes makes one first.
pub(super) fn degraded(path: &Path) -> Result<Access, Failure> {
    let works = |access| {
        let connection = reading(path, access)?;
        if known(&connection)? < newest() {
            return Ok(Access::Copied);
        }
        // The first page that is read is where a missing index of the log shows.
        connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get::<_, i64>(0))?;
        Ok::<_, Failure>(access)
    };
    match works(Access::ReadOnly) {
        Err(Failure::Database(_)) if has_log(path) => works(Access::Copied),
        Err(Failure::Database(_)) => works(Access::Immutable),
        done => done,
    }
}

/// The version of the schema, if the database is ours and its schema is known. One of an earlier version is read as a copy.
fn known(connection: &Connection) -> Result<i64, Failure> {
    let id: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id != APPLICATION_ID {
        return Err(not_ours());
    }
    let (found, newest) = (schema(connection)?, newest());
    if found > newest { Err(schema_too_new(found, newest).into()) } else { Ok(found) }
}

/// The sizes and times of the file and its log: they change when somebody writes.
pub(super) fn standing(path: &Path) -> [Option<(u64, SystemTime)>; 2] {
    [path, &log_of(path)].map(|path| {
        let file = fs::metadata(path).ok()?;
        Some((file.len(), file.modified().ok()?))
    })
}

fn has_log(path: &Path) -> bool {
    fs::metadata(log_of(path)).is_ok_and(|log| log.len() > 0)
}

fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// The file and its log as one. Both are read again if one of them changed meanwhile.
fn copied(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::from(not_readable(path, error));
    for _ in 0..5 {
        let before = standing(path);
        let database = fs::read(path).map_err(failed)?;
        let log = match fs::read(log_of(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(failed)?,
        };
        if standing(path) == before {
            let whole = image::with_log(database, &log);
            let broken = || StoreError::Unusable { reason: "the file is not a SQLite database".to_owned() };
            return Ok(whole.ok_or_else(broken)?);
        }
    }
    Err(StoreError::Unavailable { source: "another process keeps writing it".into() }.into())
}

/// As SQLite spells a file that does not change. Everything that could mean something in a URI is escaped.
fn immutable(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri + "?immutable=1"
}

fn bare(path: &Path) -> Result<Connection, Failure> {
    // No mutex: nobody shares a connection.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    patient(Connection::open_with_flags(path, flags)?)
}

fn patient(connection: Connection) -> Result<Connection, Failure> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Before anything else, and with no setting that would change a file of somebody else.
fn claim(connection: &Connection) -> Result<(), Failure> {
    if rusqlite::version_number() < OLDEST {
        let reason = format!(
            "SQLite {} is too old: 3.51.3 is the first that keeps shared databases safe",
            rusqlite::version()
        );
        return Err(StoreError::Unusable { reason }.into());
    }
    let ask = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    match (ask("PRAGMA application_id")?, ask("SELECT count(*) FROM sqlite_schema")?) {
        (APPLICATION_ID, _) => Ok(()),
        (0, 0) => Ok(connection.pragma_update(None, "application_id", APPLICATION_ID)?),
        _ => Err(not_ours()),
    }
}

fn not_ours() -> Failure {
    StoreError::Unusable { reason: "it belongs to another program".to_owned() }.into()
}

fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

fn migrate(connection: &mut Connection) -> Result<(), Failure> {
    let newest = newest();
    // Whoever only wants to read can do so on a full disk, and disturbs nobody.
    if said_version(connection)? == newest {
        return Ok(());
    }
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = schema(&change)?;
    let missing = usize::try_from(found).ok().and_then(|known| MIGRATIONS.get(known..));
    let missing = missing.ok_or_else(|| schema_too_new(found, newest))?;
    for migration in missing {
        change.execute_batch(migration)?;
    }
    change.execute_batch("DROP TABLE IF EXISTS _sqlx_migrations")?;
    change.pragma_update(None, "user_version", newest)?;
    Ok(change.commit()?)
}

/// The version of the schema; 0 for a new file.
pub(super) fn schema(connection: &Connection) -> Result<i64, Failure> {
    match said_version(connection)? {
        // The first databases told their version in a table of its own, and there was only the first.
        0 => {
            let sessions = "SELECT count(*) FROM sqlite_schema WHERE name = 'sessions'";
            Ok(connection.query_row(sessions, [], |row| row.get(0))?)
        }
        version => Ok(version),
    }
}

fn said_version(connection: &Connection) -> Result<i64, rusqlite::Error> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// A statement, kept for the next time.
pub(super) fn prepared<'c>(
    connection: &'c Connection,
    sql: &str,
) -> Result<CachedStatement<'c>, rusqlite::Error> {
    let statement = connection.prepare_cached(sql)?;
    // To SQLite these are names, numbered in the order of their first appearance.
    debug_assert!(
        (1..=statement.parameter_count())
            .all(|number| statement.parameter_name(number) == Some(&*format!("${number}"))),
        "the values do not stand in order: {sql}"
    );
    Ok(statement)
}

/// Puts a statement that answers nothing, and says how many rows it changed.
pub(super) fn run(connection: &Connection, sql: &str, values: impl Params) -> Result<usize, rusqlite::Error> {
    prepared(connection, sql)?.execute(values)
}

/// The first row that a statement answers.
pub(super) fn first<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let mut statement = prepared(connection, sql)?;
    let mut rows = statement.query(values)?;
    rows.next()?.map(read).transpose()
}

/// Every row that a statement answers.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let mut statement = prepared(connection, sql)?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}
