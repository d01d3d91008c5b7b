//! What was used, and what people thought of it.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::{Connection, params};
use tata_core::{Feedback, Ledger, SessionId, StoreFuture, UsageRow};

use super::{
    SqliteStore,
    connection::{all, run},
    writer::Request,
};
use crate::{
    change::no_session,
    failure::Failure,
    rows::{self, json, maybe_json, millis},
    sql,
};

pub(super) fn give_feedback(
    connection: &Connection,
    (id, feedback): &(SessionId, Feedback),
) -> Result<(), Failure> {
    let person = json(&feedback.user_id)?;
    let values = params![feedback.turn, person, millis(feedback.at), json(feedback)?, id.to_string()];
    match run(connection, sql::GIVE_FEEDBACK, values)? {
        0 => Err(no_session(*id).into()),
        _ => Ok(()),
    }
}

impl Ledger for SqliteStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        Box::pin(
            self.readers.read(move |connection| {
                all(connection, sql::USAGE, [id.to_string()], |row| rows::usage(row))
            }),
        )
    }

    fn usage_since(
        &self,
        tenant: Option<String>,
        since: Timestamp,
    ) -> StoreFuture<'_, Vec<(Option<String>, Arc<UsageRow>)>> {
        Box::pin(self.readers.read(move |connection| {
            let tenant = maybe_json(tenant.as_deref())?;
            all(connection, sql::USAGE_SINCE, params![tenant, millis(since)], |row| {
                rows::usage_of_person(row)
            })
        }))
    }

    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()> {
        Box::pin(self.ask((id, feedback), Request::Feedback))
    }

    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>> {
        Box::pin(self.readers.read(move |connection| {
            all(connection, sql::FEEDBACK, [id.to_string()], |row| rows::feedback(row))
                .map(rows::sorted_feedback)
        }))
    }
}
