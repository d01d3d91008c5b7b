//! Requests that are served once.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use tata_core::{Keys, RequestKey, StoreFuture};

use super::{
    SqliteStore,
    connection::{first, run},
    writer::Request,
};
use crate::{
    failure::Failure,
    rows::{self, millis},
    sql,
};

/// A key to be taken, and from when on others count.
pub(super) struct Take {
    key: RequestKey,
    old: Timestamp,
    lost: Timestamp,
}

/// Takes a key, or brings the one that is there.
pub(super) fn take(
    connection: &Connection,
    Take { key, old, lost }: &Take,
) -> Result<Option<RequestKey>, Failure> {
    run(connection, sql::FORGET_KEYS, [millis(*old)])?;
    let session = key.session.map(|id| id.to_string());
    let values = params![key.name, key.digest, session, millis(key.at), millis(*lost)];
    if run(connection, sql::TAKE_KEY, values)? > 0 {
        return Ok(None);
    }
    first(connection, sql::KEY, [&key.name], |row| rows::request_key(row, &key.name))
}

/// Keeps the answer of a key; without one, the key is free again.
pub(super) fn settle(
    connection: &Connection,
    (name, answer): &(String, Option<String>),
) -> Result<(), Failure> {
    match answer {
        Some(answer) => run(connection, sql::SETTLE_KEY, [answer, name])?,
        None => run(connection, sql::FREE_KEY, [name])?,
    };
    Ok(())
}

impl Keys for SqliteStore {
    fn take_key(
        &self,
        key: RequestKey,
        old: Timestamp,
        lost: Timestamp,
    ) -> StoreFuture<'_, Option<RequestKey>> {
        Box::pin(self.ask(Take { key, old, lost }, Request::TakeKey))
    }

    fn settle_key(&self, name: String, answer: String) -> StoreFuture<'_, ()> {
        Box::pin(self.ask((name, Some(answer)), Request::SettleKey))
    }

    fn free_key(&self, name: String) -> StoreFuture<'_, ()> {
        Box::pin(self.ask((name, None), Request::SettleKey))
    }
}
