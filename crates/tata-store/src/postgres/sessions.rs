//! Sessions at a glance.

use sqlx::Row;
use tata_core::{
    NewSession, Session, SessionChange, SessionFilter, SessionId, Sessions, StoreError, StoreFuture,
};

use super::{PostgresStore, now, patiently};
use crate::{
    change::{folded, no_session},
    rows::{self, json, maybe_json, millis},
    sql::{self, session_columns},
};

const LIST: &str = concat!(
    "SELECT ",
    session_columns!(),
    " FROM sessions WHERE ($1 IS NULL OR user_id = $1) AND ($2 IS NULL OR agent = $2) \
     AND ($3 IS NULL OR strpos(title_folded, $3) > 0) AND ($4 IS NULL OR starts_with(id, $4)) \
     ORDER BY updated_at DESC, id LIMIT $5"
);
/// Tells whether the session was there, and whether it was deleted: it is not while its lease runs.
const DELETE: &str = concat!(
    "WITH deleted AS (DELETE FROM sessions WHERE id = $1 AND (lease_holder IS NULL OR lease_until <= ",
    now!(),
    ") RETURNING key) \
     SELECT EXISTS (SELECT 1 FROM sessions WHERE id = $1), EXISTS (SELECT 1 FROM deleted)"
);

impl Sessions for PostgresStore {
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        Box::pin(async move {
            let new = &new;
            patiently(|attempt| async move {
                let made = sqlx::query(sql::CREATE)
                    .bind(new.id.to_string())
                    .bind(json(&new.agent)?)
                    .bind(maybe_json(new.title.as_deref())?)
                    .bind(new.title.as_deref().map(folded))
                    .bind(maybe_json(new.user_id.as_deref())?)
                    .bind(maybe_json(new.model.as_deref())?)
                    .bind(millis(new.created_at))
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

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let filter = &filter;
            patiently(|_| async move {
                let rows = sqlx::query(LIST)
                    .bind(maybe_json(filter.user_id.as_deref())?)
                    .bind(maybe_json(filter.agent.as_deref())?)
                    .bind(filter.title_contains.as_deref().map(folded))
                    .bind(filter.id_prefix.as_deref().map(folded))
                    .bind(filter.limit.map_or(i64::MAX, i64::from))
                    .fetch_all(&self.pool)
                    .await?;
                rows.iter().map(rows::session).collect()
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
                    .bind(change.title.as_deref().map(folded))
                    .bind(change.model.is_some())
                    .bind(maybe_json(change.model.as_ref().and_then(Option::as_deref))?)
                    .bind(id.to_string())
                    .fetch_optional(&self.pool)
                    .await?;
                rows::session(&row.ok_or_else(|| no_session(id))?)
            })
            .await
        })
    }

    fn delete_session(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(patiently(move |attempt| async move {
            let row = sqlx::query(DELETE).bind(id.to_string()).fetch_one(&self.pool).await?;
            match (row.try_get(0)?, row.try_get(1)?) {
                (true, false) => Err(StoreError::Busy { session: id }.into()),
                (false, false) if attempt == 0 => Err(no_session(id).into()),
                (_, true) | (false, false) => Ok(()),
            }
        }))
    }
}
