//! What was used, and what people thought of it.

use std::sync::Arc;

use sqlx::SqliteConnection;
use tata_core::{Feedback, Ledger, SessionId, StoreFuture, UsageRow};

use super::{SqliteStore, writer::Request};
use crate::{
    change::no_session,
    failure::Failure,
    rows::{self, json, millis},
    sql,
};

pub(super) async fn give_feedback(
    connection: &mut SqliteConnection,
    (id, feedback): &(SessionId, Feedback),
) -> Result<(), Failure> {
    let given = sqlx::query(sql::GIVE_FEEDBACK)
        .bind(id.to_string())
        .bind(i64::from(feedback.turn))
        .bind(json(&feedback.user_id)?)
        .bind(millis(feedback.at))
        .bind(json(feedback)?)
        .execute(connection)
        .await?;
    match given.rows_affected() {
        0 => Err(no_session(*id).into()),
        _ => Ok(()),
    }
}

impl Ledger for SqliteStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        Box::pin(async move {
            let query = sqlx::query(sql::USAGE).bind(id.to_string());
            let rows = query.fetch_all(&self.readers).await.map_err(Failure::from)?;
            Ok(rows.iter().map(rows::usage).collect::<Result<_, _>>()?)
        })
    }

    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()> {
        Box::pin(self.ask((id, feedback), Request::Feedback))
    }

    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>> {
        Box::pin(async move {
            let query = sqlx::query(sql::FEEDBACK).bind(id.to_string());
            let rows = query.fetch_all(&self.readers).await.map_err(Failure::from)?;
            Ok(rows::feedback(&rows)?)
        })
    }
}
