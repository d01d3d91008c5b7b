//! A connection: whose file it is, how it is set up, and how statements are put to it.

use std::{path::Path, time::Duration};

use rusqlite::{CachedStatement, Connection, OpenFlags, Params, Row, TransactionBehavior};
use tata_core::StoreError;

use crate::failure::{Failure, schema_too_new};

/// "Tata" in ASCII: how a database of ours is told from another program's.
const APPLICATION_ID: i64 = 0x5461_7461;
/// Versions before have a bug that can damage a WAL database with several writers.
const OLDEST: i32 = 3_051_003;
/// How long another process may keep the right to write.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// All statements of the store, and some to spare.
const STATEMENTS: usize = 48;

/// One for each version of the schema, in order.
const MIGRATIONS: [&str; 1] = [include_str!("../../migrations/sqlite/0001_sessions.sql")];

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

/// A connection that only reads.
pub(super) fn reading(path: &Path) -> Result<Connection, Failure> {
    let connection = bare(path)?;
    connection.execute_batch(SETTINGS)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

fn bare(path: &Path) -> Result<Connection, Failure> {
    // No mutex: nobody shares a connection.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
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
        _ => Err(StoreError::Unusable { reason: "it belongs to another program".to_owned() }.into()),
    }
}

fn migrate(connection: &mut Connection) -> Result<(), Failure> {
    let newest = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
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
