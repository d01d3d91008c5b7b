//! Sessions at a glance.

use std::sync::Arc;

use jiff::Timestamp;
use sqlx::Row;
use tata_core::{
    Actor, Listing, NewAudit, NewSession, Session, SessionChange, SessionFilter, SessionId, Sessions, Store,
    StoreError, StoreFuture,
};

use super::{
    PostgresStore,
    audit::{self, Tried},
    now, patiently,
};
use crate::{
    change::no_session,
    failure::Failure,
    inspect::damaged_session,
    raw,
    rows::{self, json, maybe_json, millis},
    search::{Wanted, id_prefix, pieces},
    sql::{self, session_columns},
};

const LIST: &str = concat!(
    "SELECT ",
    session_columns!(),
    " FROM sessions WHERE delete_at IS NULL AND ($1 IS NULL OR user_id = $1) AND ($2 IS NULL OR agent = $2) \
     AND ($3 IS NULL OR starts_with(id, $3)) \
     AND ($4 IS NULL OR tenant_id = $4) \
     AND (NOT $5 OR EXISTS (SELECT 1 FROM artifacts a WHERE a.session = sessions.key)) \
     AND ($6::text[] IS NULL OR EXISTS (SELECT 1 FROM journal j WHERE j.session = sessions.key \
        AND j.entry ILIKE ALL ($6::text[]))) \
     ORDER BY updated_at DESC, id LIMIT $7"
);
/// Tells whether the session was there, and whether it was deleted: it is not while its lease runs. With a moment, one that
/// is not due by then is none.
const DELETE: &str = concat!(
    "WITH deleted AS (DELETE FROM sessions WHERE id = $1 AND ($2 IS NULL OR delete_at <= $2) \
     AND (lease_holder IS NULL OR lease_until <= ",
    now!(),
    ") RETURNING key) \
     SELECT EXISTS (SELECT 1 FROM sessions WHERE id = $1 AND ($2 IS NULL OR delete_at <= $2)), \
     EXISTS (SELECT 1 FROM deleted)"
);

impl PostgresStore {
    /// Looks at no more than so many rows.
    async fn list(&self, filter: &SessionFilter, most: i64) -> Result<Listing, Failure> {
        let (wanted, limit) = (Wanted::new(filter), filter.limit.unwrap_or(u32::MAX) as usize);
        let rows = sqlx::query(LIST)
            .bind(maybe_json(filter.user_id.as_deref())?)
            .bind(maybe_json(filter.agent.as_deref())?)
            .bind(id_prefix(filter))
            .bind(maybe_json(filter.tenant_id.as_deref())?)
            .bind(filter.with_documents)
            .bind(pieces(filter))
            .bind(most)
            .fetch_all(&self.pool)
            .await?;
        let mut listing = Listing::default();
        for row in &rows {
            match rows::session(row) {
                _ if listing.sessions.len() >= limit => break,
                Ok(session) if wanted.fits(&session) => listing.sessions.push(session),
                Ok(_) => {}
                Err(failure) => {
                    listing.damaged.push(damaged_session(&raw::Row::of_postgres(row)?, &failure));
                }
            }
        }
        Ok(listing)
    }

    async fn delete(&self, id: SessionId, act: NewAudit, due: Option<Timestamp>) -> Result<(), StoreError> {
        let (act, tried) = (&act, &Tried::default());
        patiently(|_| async move {
            let mut transaction = audit::begin(&self.pool).await?;
            if tried.done(&mut transaction).await?.is_some() {
                return Ok(());
            }
            let tenant = audit::tenant_of(&mut transaction, id).await?;
            let query = sqlx::query(DELETE).bind(id.to_string()).bind(due.map(millis));
            let row = query.fetch_one(&mut *transaction).await?;
            match (row.try_get(0)?, row.try_get(1)?) {
                (true, false) => Err(StoreError::Busy { session: id }.into()),
                (false, false) => Err(no_session(id).into()),
                (_, true) => {
                    tried.commit(transaction, &act.clone().in_tenant(tenant)).await?;
                    Ok(())
                }
            }
        })
        .await
    }
}

impl Sessions for PostgresStore {
    fn walled(&self, tenant: &str) -> Option<Arc<dyn Store>> {
        Some(Arc::new(self.of_tenant(tenant)))
    }

    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        Box::pin(async move {
            let new = &new;
            patiently(|attempt| async move {
                let made = sqlx::query(sql::CREATE)
                    .bind(new.id.to_string())
                    .bind(json(&new.agent)?)
                    .bind(maybe_json(new.title.as_deref())?)
                    .bind(maybe_json(new.user_id.as_deref())?)
                    .bind(maybe_json(new.model.as_deref())?)
                    .bind(millis(new.created_at))
                    .bind(maybe_json(new.tenant_id.as_deref())?)
                    .execute(&self.pool)
                    .await?;
                // Ids are random: what a later attempt finds, the first one made.
                match made.rows_affected() {
                    0 if attempt == 0 => {
                        Err(StoreError::Exists { what: format!("session {}", new.id) }.into())
                    }
                    _ => Ok(new.clone().into_session()),
                }
            })
            .await
        })
    }

    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>> {
        Box::pin(patiently(move |_| async move {
            let row = sqlx::query(sql::SESSION).bind(id.to_string()).fetch_optional(&self.pool).await?;
            row.map(|row| rows::session(&row)).transpose()
        }))
    }

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Listing> {
        Box::pin(async move {
            let filter = &filter;
            patiently(|_| async move {
                let limit = filter.limit.unwrap_or(u32::MAX);
                if filter.title_contains.is_none() {
                    let listing = self.list(filter, i64::from(limit)).await?;
                    // Rows that cannot be read do not count.
                    if listing.damaged.is_empty() {
                        return Ok(listing);
                    }
                }
                self.list(filter, i64::MAX).await
            })
            .await
        })
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        Box::pin(async move {
            let change = &change;
            patiently(|_| async move {
                let row = sqlx::query(sql::CHANGE)
                    .bind(maybe_json(change.title.as_deref())?)
                    .bind(change.model.is_some())
                    .bind(maybe_json(change.model.as_ref().and_then(Option::as_deref))?)
                    .bind(change.delete_at.is_some())
                    .bind(change.delete_at.flatten().map(millis))
                    .bind(id.to_string())
                    .fetch_optional(&self.pool)
                    .await?;
                rows::session(&row.ok_or_else(|| no_session(id))?)
            })
            .await
        })
    }

    fn delete_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(self.delete(id, NewAudit::deleted(id, by, at), None))
    }

    fn delete_due_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(self.delete(id, NewAudit::deleted(id, by, at), Some(at)))
    }

    fn due_deletions(&self, at: Timestamp) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::DUE_DELETIONS).bind(millis(at)).fetch_all(&self.pool).await?;
            Ok(rows.iter().filter_map(|row| rows::session(row).ok()).collect())
        }))
    }
}
