//! Sessions at a glance.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use tata_core::{
    Actor, Listing, NewAudit, NewSession, Session, SessionChange, SessionFilter, SessionId, Sessions,
    StoreError, StoreFuture,
};

use super::{
    SqliteStore, audit,
    connection::{all, first, prepared, run},
    heads::is_in_use,
    lock::Owner,
    writer::Request,
};
use crate::{
    change::no_session,
    failure::Failure,
    inspect::damaged_session,
    raw,
    rows::{self, Cells, json, maybe_json, millis},
    search::{Wanted, id_prefix, pieces},
    sql::{self, session_columns},
};

const LIST: &str = concat!(
    "SELECT ",
    session_columns!(),
    " FROM sessions WHERE delete_at IS NULL AND ($1 IS NULL OR user_id = $1) AND ($2 IS NULL OR agent = $2) \
     AND ($3 IS NULL OR substr(id, 1, length($3)) = $3) \
     AND ($4 IS NULL OR tenant_id = $4) \
     AND (NOT $5 OR EXISTS (SELECT 1 FROM artifacts a WHERE a.session = sessions.key)) \
     AND ($6 IS NULL OR EXISTS (SELECT 1 FROM journal j WHERE j.session = sessions.key \
        AND NOT EXISTS (SELECT 1 FROM json_each($6) w WHERE j.entry NOT LIKE w.value))) \
     ORDER BY updated_at DESC, id LIMIT $7"
);
const HOLDER: &str = "SELECT key, lease_holder, lease_until, delete_at FROM sessions WHERE id = $1";

/// To delete a session: with the entry that tells of it, and only if it is due by then if that is asked for.
pub(super) struct Deletion {
    id: SessionId,
    audit: NewAudit,
    only_due: bool,
}

pub(super) fn create(connection: &Connection, new: &NewSession) -> Result<Session, Failure> {
    let values = params![
        new.id.to_string(),
        json(&new.agent)?,
        maybe_json(new.title.as_deref())?,
        maybe_json(new.user_id.as_deref())?,
        maybe_json(new.model.as_deref())?,
        millis(new.created_at),
        maybe_json(new.tenant_id.as_deref())?
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
        change.model.is_some(),
        maybe_json(change.model.as_ref().and_then(Option::as_deref))?,
        change.delete_at.is_some(),
        change.delete_at.flatten().map(millis),
        id.to_string()
    ];
    let changed = first(connection, sql::CHANGE, values, |row| rows::session(row))?;
    changed.ok_or_else(|| no_session(*id).into())
}

/// Only what says whether it is in use is read: one that is damaged can be deleted as well.
pub(super) fn delete(
    connection: &Connection,
    owner: &Owner,
    Deletion { id, audit, only_due }: &Deletion,
) -> Result<(), Failure> {
    let read = |row: &Row<'_>| {
        let is_due = !only_due || row.maybe_int(3)?.is_some_and(|due| due <= millis(audit.at));
        let in_use = is_in_use(row.maybe_text(1)?, row.maybe_int(2)?.unwrap_or(0), owner);
        Ok((row.int(0)?, is_due, in_use))
    };
    let found = first(connection, HOLDER, [id.to_string()], read)?;
    let (key, _, in_use) = found.filter(|(_, is_due, _)| *is_due).ok_or_else(|| no_session(*id))?;
    if in_use {
        return Err(StoreError::Busy { session: *id }.into());
    }
    let act = audit.clone().in_tenant(audit::tenant_of(connection, *id)?);
    run(connection, "DELETE FROM sessions WHERE key = $1", [key])?;
    audit::record_act(connection, &act)
}

/// Looks at no more than so many rows.
fn list(connection: &Connection, filter: &SessionFilter, most: i64) -> Result<Listing, Failure> {
    let (wanted, limit) = (Wanted::new(filter), filter.limit.unwrap_or(u32::MAX) as usize);
    let values = params![
        maybe_json(filter.user_id.as_deref())?,
        maybe_json(filter.agent.as_deref())?,
        id_prefix(filter),
        maybe_json(filter.tenant_id.as_deref())?,
        filter.with_documents,
        pieces(filter).map(|pieces| json(&pieces)).transpose()?,
        most
    ];
    let mut listing = Listing::default();
    let mut statement = prepared(connection, LIST)?;
    let mut rows = statement.query(values)?;
    while listing.sessions.len() < limit
        && let Some(row) = rows.next()?
    {
        match rows::session(row) {
            Ok(session) if wanted.fits(&session) => listing.sessions.push(session),
            Ok(_) => {}
            Err(failure) => listing.damaged.push(damaged_session(&raw::Row::of_sqlite(row)?, &failure)),
        }
    }
    Ok(listing)
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

    fn sessions(&self, filter: SessionFilter) -> StoreFuture<'_, Listing> {
        Box::pin(self.readers.read(move |connection| {
            let limit = filter.limit.unwrap_or(u32::MAX);
            if filter.title_contains.is_none() {
                let listing = list(connection, &filter, i64::from(limit))?;
                // Rows that cannot be read do not count.
                if listing.damaged.is_empty() {
                    return Ok(listing);
                }
            }
            list(connection, &filter, i64::MAX)
        }))
    }

    fn change_session(&self, id: SessionId, change: SessionChange) -> StoreFuture<'_, Session> {
        Box::pin(self.ask((id, change), Request::Change))
    }

    fn delete_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        let deletion = Deletion { id, audit: NewAudit::deleted(id, by, at), only_due: false };
        Box::pin(self.ask(deletion, Request::Delete))
    }

    fn delete_due_session(&self, id: SessionId, by: Actor, at: Timestamp) -> StoreFuture<'_, ()> {
        let deletion = Deletion { id, audit: NewAudit::deleted(id, by, at), only_due: true };
        Box::pin(self.ask(deletion, Request::Delete))
    }

    fn due_deletions(&self, at: Timestamp) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(self.readers.read(move |connection| {
            let found = all(connection, sql::DUE_DELETIONS, [millis(at)], |row| Ok(rows::session(row).ok()))?;
            Ok(found.into_iter().flatten().collect())
        }))
    }
}
