//! What processes over one store tell each other.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use tata_core::{SessionId, Signals, StoreFuture};

use super::{
    SqliteStore,
    connection::{all, run},
    writer::Request,
};
use crate::{
    failure::Failure,
    rows::{self, millis},
    sql,
};

/// Notes that a turn should stop, or, without one, that it has.
pub(super) fn note(
    connection: &Connection,
    (id, asked): &(SessionId, Option<(u32, Timestamp)>),
) -> Result<(), Failure> {
    match asked {
        Some((turn, at)) => run(connection, sql::ASK_TO_STOP, params![turn, millis(*at), id.to_string()])?,
        None => run(connection, sql::HAS_STOPPED, [id.to_string()])?,
    };
    Ok(())
}

impl Signals for SqliteStore {
    fn ask_to_stop(&self, id: SessionId, turn: u32, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(self.ask((id, Some((turn, at))), Request::Stop))
    }

    fn asked_to_stop(&self, old: Timestamp) -> StoreFuture<'_, Vec<(SessionId, u32)>> {
        Box::pin(self.readers.read(move |connection| {
            all(connection, sql::ASKED_TO_STOP, [millis(old)], |row| rows::stop(row))
        }))
    }

    fn has_stopped(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(self.ask((id, None), Request::Stop))
    }
}
