//! Sessions at a glance.

use sqlx::SqliteConnection;
use tata_core::{
    NewSession, Session, SessionChange, SessionFilter, SessionId, Sessions, StoreError, StoreFuture,
};

use super::{SqliteStore, heads::Heads, lock::Owner, writer::Request};
use crate::{
    change::{folded, no_session},
    failure::Failure,
    rows::{self, json, maybe_json, millis},
    sql::{self, session_columns},
};

const LIST: &str = concat!(
    "SELECT ",
    session_columns!(),
    " FROM sessions WHERE ($1 IS NULL OR user_id = $1) AND ($2 IS NULL OR agent = $2) \
     AND ($3 IS NULL OR instr(title_folded, $3) > 0) AND ($4 IS NULL OR substr(id, 1, length($4)) = $4) \
     ORDER BY updated_at DESC, id LIMIT $5"
);

pub(super) async fn create(connection: &mut SqliteConnection, new: &NewSession) -> Result<Session, Failure> {
    let made = sqlx::query(sql::CREATE)
        .bind(new.id.to_string())
        .bind(json(&new.agent)?)
        .bind(maybe_json(new.title.as_deref())?)
        .bind(new.title.as_deref().map(folded))
        .bind(maybe_json(new.user_id.as_deref())?)
        .bind(maybe_json(new.model.as_deref())?)
        .bind(millis(new.created_at))
        .execute(connection)
        .await?;
    match made.rows_affected() {
        0 => Err(StoreError::Exists { what: format!("session {}", new.id) }.into()),
        _ => Ok(new.clone().into_session()),
    }
}

pub(super) async fn change(
    connection: &mut SqliteConnection,
    (id, change): &(SessionId, SessionChange),
) -> Result<Session, Failure> {
    let row = sqlx::query(sql::CHANGE)
        .bind(id.to_string())
        .bind(maybe_json(change.title.as_deref())?)
        .bind(change.title.as_deref().map(folded))
        .bind(change.model.is_some())
        .bind(maybe_json(change.model.as_ref().and_then(Option::as_deref))?)
        .fetch_optional(connection)
        .await?;
    rows::session(&row.ok_or_else(|| no_session(*id))?)
}

pub(super) async fn delete(
    connection: &mut SqliteConnection,
    owner: &Owner,
    id: SessionId,
) -> Result<(), Failure> {
    let mut heads = Heads::default();
    heads.load(connection, std::iter::once(id)).await?;
    let head = heads.get(id)?;
    if head.is_in_use(owner) {
        return Err(StoreError::Busy { session: id }.into());
    }
    sqlx::query("DELETE FROM sessions WHERE key = $1").bind(head.key).execute(connection).await?;
    Ok(())
}

impl Sessions for SqliteStore {
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        Box::pin(self.ask(new, Request::Create))
    }

    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>> {
        Box::pin(async move {
            let query = sqlx::query(sql::SESSION).bind(id.to_string());
            let row = query.fetch_optional(&self.readers).await.map_err(Failure::from)?;
            Ok(row.map(|row| rows::session(&row)).transpose()?)
        })
    }

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(async move {
            let rows = sqlx::query(LIST)
                .bind(maybe_json(filter.user_id.as_deref())?)
                .bind(maybe_json(filter.agent.as_deref())?)
                .bind(filter.title_contains.as_deref().map(folded))
                .bind(filter.id_prefix.as_deref().map(folded))
                .bind(filter.limit.map_or(i64::MAX, i64::from))
                .fetch_all(&self.readers)
                .await
                .map_err(Failure::from)?;
            Ok(rows.iter().map(rows::session).collect::<Result<_, _>>()?)
        })
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        Box::pin(self.ask((id, change), Request::Change))
    }

    fn delete_session(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(self.ask(id, Request::Delete))
    }
}
