//! Who did what.

use std::sync::{Mutex, PoisonError};

use tata_core::{Audit, AuditEntry, NewAudit, StoreFuture};

use super::{PostgresStore, patiently};
use crate::{
    failure::Failure,
    rows::{self, integer, json, millis},
    sql,
};

/// One writer at a time, or the chain would fork. The number is "Tata" in ASCII.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1415672929)";
const IS_STORED: &str = "SELECT EXISTS (SELECT 1 FROM audit WHERE position = $1 AND seal = $2)";

impl PostgresStore {
    /// Adds a link. `tried` keeps the link of an attempt whose answer was lost: it may be in the chain already.
    async fn record(&self, new: &NewAudit, tried: &Mutex<Option<AuditEntry>>) -> Result<AuditEntry, Failure> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query(LOCK).execute(&mut *transaction).await?;
        let before = tried.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(entry) = before {
            let query = sqlx::query_scalar(IS_STORED).bind(integer(entry.position)).bind(&entry.seal);
            if query.fetch_one(&mut *transaction).await? {
                return Ok(entry);
            }
        }
        let last = sqlx::query(sql::AUDIT_HEAD).fetch_optional(&mut *transaction).await?;
        let last = last.map(|row| rows::audit(&row)).transpose()?;
        let entry = AuditEntry::after(last.as_ref(), new.clone());
        *tried.lock().unwrap_or_else(PoisonError::into_inner) = Some(entry.clone());
        sqlx::query(sql::AUDIT)
            .bind(integer(entry.position))
            .bind(millis(entry.at))
            .bind(json(&entry.actor)?)
            .bind(json(&entry.action)?)
            .bind(json(&entry.subject)?)
            .bind(json(&entry.detail)?)
            .bind(&entry.previous)
            .bind(&entry.seal)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(entry)
    }
}

impl Audit for PostgresStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        Box::pin(async move {
            let tried = Mutex::new(None);
            patiently(|_| self.record(&new, &tried)).await
        })
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(patiently(move |_| async move {
            sqlx::query(sql::AUDIT_TRAIL).fetch_all(&self.pool).await?.iter().map(rows::audit).collect()
        }))
    }
}
