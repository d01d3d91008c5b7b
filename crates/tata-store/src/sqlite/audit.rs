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
    rows::{self, integer, json, millis},
    sql,
};

pub(super) fn record(connection: &Connection, new: &NewAudit) -> Result<AuditEntry, Failure> {
    let last = first(connection, sql::AUDIT_HEAD, [], |row| rows::audit(row))?;
    let entry = AuditEntry::after(last.as_ref(), new.clone());
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
        Box::pin(
            self.readers.read(|connection| all(connection, sql::AUDIT_TRAIL, [], |row| rows::audit(row))),
        )
    }
}
