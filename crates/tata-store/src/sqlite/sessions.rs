//! Sessions at a glance.

use rusqlite::{Connection, params};
use tata_core::{
    NewSession, Session, SessionChange, SessionFilter, SessionId, Sessions, StoreError, StoreFuture,
};

use super::{
    SqliteStore,
    connection::{all, first, run},
    heads::Heads,
    lock::Owner,
    writer::Request,
};
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

pub(super) fn create(connection: &Connection, new: &NewSession) -> Result<Session, Failure> {
    let values = params![
        new.id.to_string(),
        json(&new.agent)?,
        maybe_json(new.title.as_deref())?,
        new.title.as_deref().map(folded),
        maybe_json(new.user_id.as_deref())?,
        maybe_json(new.model.as_deref())?,
        millis(new.created_at)
    ];
    match run(connection, sql::CREATE, values)? {
        0 => Err(StoreError::Exists { what: format!("session {}", new.id) }.into()),
        _ => Ok(new.clone().into_session()),
    }
}

pub(super) fn change(
    connection: &Connection,
    (id, change): &(SessionId, SessionChange),
) -> Result<Session, Failure> {
    let values = params![
        maybe_json(change.title.as_deref())?,
        change.title.as_deref().map(folded),
        change.model.is_some(),
        maybe_json(change.model.as_ref().and_then(Option::as_deref))?,
        id.to_string()
    ];
    let changed = first(connection, sql::CHANGE, values, |row| rows::session(row))?;
    changed.ok_or_else(|| no_session(*id).into())
}

pub(super) fn delete(connection: &Connection, owner: &Owner, id: SessionId) -> Result<(), Failure> {
    let mut heads = Heads::default();
    heads.load(connection, std::iter::once(id))?;
    let head = heads.get(id)?;
    if head.is_in_use(owner) {
        return Err(StoreError::Busy { session: id }.into());
    }
    run(connection, "DELETE FROM sessions WHERE key = $1", [head.key])?;
    Ok(())
}

impl Sessions for SqliteStore {
    fn create_session(&self, new: NewSession) -> StoreFuture<'_, Session> {
        Box::pin(self.ask(new, Request::Create))
    }

    fn session(&self, id: SessionId) -> StoreFuture<'_, Option<Session>> {
        Box::pin(self.readers.read(move |connection| {
            first(connection, sql::SESSION, [id.to_string()], |row| rows::session(row))
        }))
    }

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(self.readers.read(move |connection| {
            let values = params![
                maybe_json(filter.user_id.as_deref())?,
                maybe_json(filter.agent.as_deref())?,
                filter.title_contains.as_deref().map(folded),
                filter.id_prefix.as_deref().map(folded),
                filter.limit.map_or(i64::MAX, i64::from)
            ];
            all(connection, LIST, values, |row| rows::session(row))
        }))
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        Box::pin(self.ask((id, change), Request::Change))
    }

    fn delete_session(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(self.ask(id, Request::Delete))
    }
}
