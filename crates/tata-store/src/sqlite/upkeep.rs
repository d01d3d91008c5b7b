//! Looking for damage, and saving what is left.

use rusqlite::{Connection, params};
use tata_core::{Salvage, StoreFuture, Upkeep, Verified};

use super::{
    SqliteStore,
    connection::{all, first, prepared},
};
use crate::{
    failure::{Failure, Fault},
    inspect::{RawSession, RawTable, TABLES, Table, Verifier, inspect},
    raw::Row,
    rows::{Cells, count, integer},
    sql,
};

/// Beyond so many findings of SQLite nothing new is learned.
const ENGINE_CHECK: &str = "PRAGMA integrity_check(100)";
const JOURNAL_AFTER: &str = "SELECT position, at, entry FROM journal WHERE session = $1 AND position > $2 \
    ORDER BY position";
/// So many places that cannot be read are stepped over, one after the other.
const MOST_STEPS: u64 = 10_000;

/// All rows of a statement; on the way to the end, whatever can be read.
fn rows(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> RawTable {
    let mut found = RawTable::default();
    let read = || -> Result<(), rusqlite::Error> {
        let mut statement = prepared(connection, sql)?;
        let mut rows = statement.query(values)?;
        while let Some(row) = rows.next()? {
            found.rows.push(Row::of_sqlite(row)?);
        }
        Ok(())
    };
    if let Err(error) = read() {
        found.faults.push(error.to_string());
    }
    found
}

/// The journal of a session. A page that cannot be read does not hide what stands after it.
fn journal(connection: &Connection, key: i64, last: u64) -> RawTable {
    let mut found = RawTable::default();
    let (mut after, mut steps) = (0, 0);
    loop {
        let part = rows(connection, JOURNAL_AFTER, params![key, integer(after)]);
        let end = part.rows.last().and_then(|row| row.int(0).ok()).map_or(after, count);
        found.rows.extend(part.rows);
        if part.faults.is_empty() {
            return found;
        }
        if found.faults.is_empty() {
            found.faults = part.faults;
        }
        (after, steps) = (end + 1, steps + 1);
        if after >= last || steps > MOST_STEPS {
            return found;
        }
    }
}

fn session(connection: &Connection, row: Row) -> RawSession {
    // A key is the number of the row itself, so it can always be read.
    let (key, last) = (row.int(14).unwrap_or(0), row.int(11).map_or(0, count));
    let table = |table: &Table| match table.name {
        "journal" => journal(connection, key, last),
        _ => rows(connection, table.rows, [key]),
    };
    RawSession { tables: TABLES.each_ref().map(table), row }
}

fn verify(connection: &Connection) -> Verified {
    let mut verifier = Verifier::default();
    match all(connection, ENGINE_CHECK, [], |row| Ok(row.get::<_, String>(0)?)) {
        Ok(said) => said.into_iter().filter(|said| said != "ok").for_each(|said| verifier.engine(said)),
        Err(Failure::Database(fault)) => verifier.engine(fault.to_string()),
        Err(Failure::Refused(error)) => verifier.engine(error.to_string()),
    }
    let sessions = rows(connection, sql::ALL_SESSIONS, []);
    sessions.faults.iter().for_each(|fault| verifier.unreadable("sessions", fault));
    for row in sessions.rows {
        verifier.session(&session(connection, row));
    }
    for table in &TABLES {
        let lost = rows(connection, table.lost, []);
        lost.faults.iter().for_each(|fault| verifier.unreadable(table.name, fault));
        verifier.lost(table.name, &lost.rows);
    }
    let audit = rows(connection, sql::AUDIT_TRAIL, []);
    audit.faults.iter().for_each(|fault| verifier.unreadable("audit", fault));
    verifier.audit(&audit.rows)
}

/// Everything is read as it is at one moment: a turn that goes on meanwhile is no damage.
fn at_one_moment<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    connection.execute_batch("BEGIN")?;
    let done = work(connection);
    // Nothing was written; an error of the disk may have ended it already.
    drop(connection.execute_batch("ROLLBACK"));
    done
}

impl Upkeep for SqliteStore {
    fn verify(&self) -> StoreFuture<'_, Verified> {
        Box::pin(
            self.readers.read(|connection| at_one_moment(connection, |connection| Ok(verify(connection)))),
        )
    }

    fn salvage(&self, id: String) -> StoreFuture<'_, Option<Salvage>> {
        Box::pin(self.readers.read(move |connection| {
            at_one_moment(connection, |connection| {
                let read = |row: &rusqlite::Row<'_>| Ok(Row::of_sqlite(row).map_err(Fault::from)?);
                let found = first(connection, sql::RAW_SESSION, [id], read)?;
                Ok(found.map(|row| inspect(&session(connection, row))))
            })
        }))
    }
}
