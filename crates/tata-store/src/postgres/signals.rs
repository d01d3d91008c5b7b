//! What processes over one store tell each other.

use jiff::Timestamp;
use tata_core::{SessionId, Signals, StoreFuture};

use super::{PostgresStore, patiently};
use crate::{
    rows::{self, millis},
    sql,
};

impl Signals for PostgresStore {
    fn ask_to_stop(&self, id: SessionId, turn: u32, at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(patiently(move |_| async move {
            let query =
                sqlx::query(sql::ASK_TO_STOP).bind(i64::from(turn)).bind(millis(at)).bind(id.to_string());
            query.execute(&self.pool).await?;
            Ok(())
        }))
    }

    fn asked_to_stop(&self, old: Timestamp) -> StoreFuture<'_, Vec<(SessionId, u32)>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::ASKED_TO_STOP).bind(millis(old)).fetch_all(&self.pool).await?;
            rows.iter().map(rows::stop).collect()
        }))
    }

    fn has_stopped(&self, id: SessionId) -> StoreFuture<'_, ()> {
        Box::pin(patiently(move |_| async move {
            sqlx::query(sql::HAS_STOPPED).bind(id.to_string()).execute(&self.pool).await?;
            Ok(())
        }))
    }
}
