//! Who did what. There is one writer per process and one write transaction per file, so the chain cannot fork.

use sqlx::SqliteConnection;
use tata_core::{Audit, AuditEntry, NewAudit, StoreFuture};

use super::{SqliteStore, writer::Request};
use crate::{
    failure::Failure,
    rows::{self, integer, json, millis},
    sql,
};

pub(super) async fn record(connection: &mut SqliteConnection, new: &NewAudit) -> Result<AuditEntry, Failure> {
    let last = sqlx::query(sql::AUDIT_HEAD).fetch_optional(&mut *connection).await?;
    let last = last.map(|row| rows::audit(&row)).transpose()?;
    let entry = AuditEntry::after(last.as_ref(), new.clone());
    sqlx::query(sql::AUDIT)
        .bind(integer(entry.position))
        .bind(millis(entry.at))
        .bind(json(&entry.actor)?)
        .bind(json(&entry.action)?)
        .bind(json(&entry.subject)?)
        .bind(json(&entry.detail)?)
        .bind(&entry.previous)
        .bind(&entry.seal)
        .execute(connection)
        .await?;
    Ok(entry)
}

impl Audit for SqliteStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        Box::pin(self.ask(new, Request::Audit))
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(async move {
            let rows = sqlx::query(sql::AUDIT_TRAIL).fetch_all(&self.readers).await.map_err(Failure::from)?;
            Ok(rows.iter().map(rows::audit).collect::<Result<_, _>>()?)
        })
    }
}
