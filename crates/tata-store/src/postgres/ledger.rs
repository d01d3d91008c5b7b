//! What was used, and what people thought of it.

use std::sync::Arc;

use jiff::Timestamp;
use tata_core::{Feedback, Ledger, SessionId, StoreFuture, UsageRow};

use super::{PostgresStore, patiently};
use crate::{
    change::no_session,
    rows::{self, json, maybe_json, millis},
    sql,
};

impl Ledger for PostgresStore {
    fn usage(&self, id: SessionId) -> StoreFuture<'_, Vec<Arc<UsageRow>>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::USAGE).bind(id.to_string()).fetch_all(&self.pool).await?;
            rows.iter().map(rows::usage).collect()
        }))
    }

    fn usage_since(
        &self,
        tenant: Option<String>,
        since: Timestamp,
    ) -> StoreFuture<'_, Vec<(Option<String>, Arc<UsageRow>)>> {
        Box::pin(async move {
            let tenant = &maybe_json(tenant.as_deref())?;
            patiently(|_| async move {
                let query = sqlx::query(sql::USAGE_SINCE).bind(tenant).bind(millis(since));
                query.fetch_all(&self.pool).await?.iter().map(rows::usage_of_person).collect()
            })
            .await
        })
    }

    fn give_feedback(&self, id: SessionId, feedback: Feedback) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let feedback = &feedback;
            patiently(|_| async move {
                let given = sqlx::query(sql::GIVE_FEEDBACK)
                    .bind(i64::from(feedback.turn))
                    .bind(json(&feedback.user_id)?)
                    .bind(millis(feedback.at))
                    .bind(json(feedback)?)
                    .bind(id.to_string())
                    .execute(&self.pool)
                    .await?;
                match given.rows_affected() {
                    0 => Err(no_session(id).into()),
                    _ => Ok(()),
                }
            })
            .await
        })
    }

    fn feedback(&self, id: SessionId) -> StoreFuture<'_, Vec<Feedback>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::FEEDBACK).bind(id.to_string()).fetch_all(&self.pool).await?;
            let found = rows.iter().map(rows::feedback).collect::<Result<_, _>>()?;
            Ok(rows::sorted_feedback(found))
        }))
    }
}
