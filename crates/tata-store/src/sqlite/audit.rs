//! Who did what. There is one writer per process and one write transaction per file, so the chain cannot fork.

use rusqlite::{Connection, params};
use tata_core::{Audit, AuditEntry, NewAudit, StoreFuture};

use super::{
    SqliteStore,
    connection::{all, first, run},
    writer::Request,
};
use crate::{
    failure::Failure,
    rows::{self, Cells, count, integer, json, millis},
    sql,
};

/// Adds the link of an act to the transaction that holds the act.
pub(super) fn record_act(connection: &Connection, new: &NewAudit) -> Result<(), Failure> {
    fail::fail_point!("sqlite::before_entry");
    record(connection, new).map(drop)
}

pub(super) fn record(connection: &Connection, new: &NewAudit) -> Result<AuditEntry, Failure> {
    let last =
        first(connection, sql::AUDIT_HEAD, [], |row| Ok((count(row.int(0)?), row.text(1)?.to_owned())))?;
    let last = last.as_ref().map(|(position, seal)| (*position, seal.as_str()));
    let entry = AuditEntry::after(last, new.clone());
    let values = params![
        integer(entry.position),
        millis(entry.at),
        json(&entry.actor)?,
        json(&entry.action)?,
        json(&entry.subject)?,
        json(&entry.detail)?,
        entry.previous,
        entry.seal
    ];
    run(connection, sql::AUDIT, values)?;
    Ok(entry)
}

impl Audit for SqliteStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        Box::pin(self.ask(new, Request::Audit))
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(self.readers.read(|connection| {
            let trail = all(connection, sql::AUDIT_TRAIL, [], |row| Ok(rows::audit(row).ok()))?;
            Ok(trail.into_iter().flatten().collect())
        }))
    }
}
