//! Who did what. There is one writer per process and one write transaction per file, so the chain cannot fork.

use rusqlite::{Connection, params};
use tata_core::{Audit, AuditEntry, NewAudit, SessionId, StoreFuture};

use super::{
    SqliteStore,
    connection::{all, first, run},
    writer::Request,
};
use crate::{
    failure::Failure,
    rows::{self, Cells, count, integer, json, maybe_json, millis},
    sql,
};

/// What the next entry continues. No more than that: the rest may be damaged, and the trail goes on all the same.
const AUDIT_HEAD: &str = "SELECT position, seal FROM audit ORDER BY position DESC LIMIT 1";

/// The company of a session.
pub(super) fn tenant_of(connection: &Connection, id: SessionId) -> Result<Option<String>, Failure> {
    Ok(first(connection, sql::TENANT_OF, [id.to_string()], |row| rows::tenant(row))?.flatten())
}

/// Adds the link of an act to the transaction that holds the act.
pub(super) fn record_act(connection: &Connection, new: &NewAudit) -> Result<(), Failure> {
    fail::fail_point!("sqlite::before_entry");
    record(connection, new).map(drop)
}

pub(super) fn record(connection: &Connection, new: &NewAudit) -> Result<AuditEntry, Failure> {
    let last = first(connection, AUDIT_HEAD, [], |row| Ok((count(row.int(0)?), row.text(1)?.to_owned())))?;
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
        entry.seal,
        maybe_json(entry.tenant.as_deref())?,
        maybe_json(entry.account.as_deref())?
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

    fn audit_of(&self, tenant: String, most: u32) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(self.readers.read(move |connection| {
            let values = params![json(&tenant)?, most];
            let found = all(connection, sql::AUDIT_OF, values, |row| Ok(rows::audit(row).ok()))?;
            Ok(found.into_iter().flatten().collect())
        }))
    }
}
