//! Who did what.

use std::sync::{Mutex, PoisonError};

use sqlx::{PgConnection, PgPool, Postgres, Row, Transaction};
use tata_core::{Audit, AuditEntry, NewAudit, SessionId, StoreFuture};

use super::{PostgresStore, patiently};
use crate::{
    rows::{self, count, integer, json, millis},
    sql,
};

/// One writer at a time, or the chain would fork. The number is "Tata" in ASCII.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1415672929)";
/// What the next entry continues, also for a company's connection, which sees no entry of others; see the migration.
const AUDIT_HEAD: &str = "SELECT last_position, last_seal FROM audit_head()";
const IS_STORED: &str = "SELECT EXISTS (SELECT 1 FROM audit WHERE position = $1 AND seal = $2)";

/// Begins a transaction that may lengthen the chain.
pub(super) async fn begin(pool: &PgPool) -> Result<Transaction<'_, Postgres>, sqlx::Error> {
    let mut transaction = pool.begin().await?;
    sqlx::query(LOCK).execute(&mut *transaction).await?;
    Ok(transaction)
}

/// The company of a session.
pub(super) async fn tenant_of(
    connection: &mut PgConnection,
    id: SessionId,
) -> Result<Option<String>, sqlx::Error> {
    let row = sqlx::query(sql::TENANT_OF).bind(id.to_string()).fetch_optional(connection).await?;
    let text = row.map(|row| row.try_get::<Option<String>, _>(0)).transpose()?.flatten();
    // One that cannot be read is none: what was done is told all the same.
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Adds a link, under the lock of [`begin`].
pub(super) async fn add(connection: &mut PgConnection, new: &NewAudit) -> Result<AuditEntry, sqlx::Error> {
    fail::fail_point!("postgres::before_entry");
    let last = sqlx::query(AUDIT_HEAD).fetch_optional(&mut *connection).await?;
    let last: Option<(i64, String)> =
        last.map(|row| Ok::<_, sqlx::Error>((row.try_get(0)?, row.try_get(1)?))).transpose()?;
    let last = last.as_ref().map(|(position, seal)| (count(*position), seal.as_str()));
    let entry = AuditEntry::after(last, new.clone());
    let text = |text: &str| json(text).map_err(|error| sqlx::Error::Encode(error.into()));
    sqlx::query(sql::AUDIT)
        .bind(integer(entry.position))
        .bind(millis(entry.at))
        .bind(text(&entry.actor)?)
        .bind(text(&entry.action)?)
        .bind(text(&entry.subject)?)
        .bind(text(&entry.detail)?)
        .bind(&entry.previous)
        .bind(&entry.seal)
        .bind(entry.tenant.as_deref().map(text).transpose()?)
        .bind(entry.account.as_deref().map(text).transpose()?)
        .execute(connection)
        .await?;
    Ok(entry)
}

pub(super) async fn commit(transaction: Transaction<'_, Postgres>) -> Result<(), sqlx::Error> {
    fail::fail_point!("postgres::before_act_commit");
    transaction.commit().await?;
    fail::fail_point!("postgres::after_act_commit");
    Ok(())
}

/// An act that is one write with its entry. It remembers the entry of an attempt whose answer was lost: that may be in the
/// chain already, and then the act was done.
#[derive(Default)]
pub(super) struct Tried(Mutex<Option<AuditEntry>>);

impl Tried {
    /// The entry of an earlier attempt, if it is stored.
    pub(super) async fn done(
        &self,
        connection: &mut PgConnection,
    ) -> Result<Option<AuditEntry>, sqlx::Error> {
        let Some(entry) = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone() else {
            return Ok(None);
        };
        let query = sqlx::query_scalar::<_, bool>(IS_STORED).bind(integer(entry.position)).bind(&entry.seal);
        Ok(query.fetch_one(connection).await?.then_some(entry))
    }

    /// Adds the entry and commits the act with it.
    pub(super) async fn commit(
        &self,
        mut transaction: Transaction<'_, Postgres>,
        act: &NewAudit,
    ) -> Result<AuditEntry, sqlx::Error> {
        let entry = add(&mut transaction, act).await?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(entry.clone());
        commit(transaction).await?;
        Ok(entry)
    }
}

impl Audit for PostgresStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        Box::pin(async move {
            let (new, tried) = (&new, &Tried::default());
            patiently(|_| async move {
                let mut transaction = begin(&self.pool).await?;
                match tried.done(&mut transaction).await? {
                    Some(entry) => Ok(entry),
                    None => Ok(tried.commit(transaction, new).await?),
                }
            })
            .await
        })
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::AUDIT_TRAIL).fetch_all(&self.pool).await?;
            Ok(rows.iter().filter_map(|row| rows::audit(row).ok()).collect())
        }))
    }

    fn audit_of(&self, tenant: String, most: u32) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(async move {
            let tenant = &tenant;
            patiently(|_| async move {
                let query = sqlx::query(sql::AUDIT_OF).bind(json(tenant)?).bind(i64::from(most));
                let rows = query.fetch_all(&self.pool).await?;
                Ok(rows.iter().filter_map(|row| rows::audit(row).ok()).collect())
            })
            .await
        })
    }
}
