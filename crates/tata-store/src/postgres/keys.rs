//! Requests that are served once.

use jiff::Timestamp;
use tata_core::{Keys, RequestKey, StoreFuture};

use super::{PostgresStore, patiently};
use crate::{
    rows::{self, millis},
    sql,
};

impl Keys for PostgresStore {
    fn take_key(
        &self,
        key: RequestKey,
        old: Timestamp,
        lost: Timestamp,
    ) -> StoreFuture<'_, Option<RequestKey>> {
        Box::pin(async move {
            let key = &key;
            patiently(|_| async move {
                sqlx::query(sql::FORGET_KEYS).bind(millis(old)).execute(&self.pool).await?;
                let taken = sqlx::query(sql::TAKE_KEY)
                    .bind(&key.name)
                    .bind(&key.digest)
                    .bind(key.session.map(|id| id.to_string()))
                    .bind(millis(key.at))
                    .bind(millis(lost))
                    .execute(&self.pool)
                    .await?;
                if taken.rows_affected() > 0 {
                    return Ok(None);
                }
                let row = sqlx::query(sql::KEY).bind(&key.name).fetch_optional(&self.pool).await?;
                row.map(|row| rows::request_key(&row, &key.name)).transpose()
            })
            .await
        })
    }

    fn settle_key(&self, name: String, answer: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let (name, answer) = (&name, &answer);
            patiently(|_| async move {
                sqlx::query(sql::SETTLE_KEY).bind(answer).bind(name).execute(&self.pool).await?;
                Ok(())
            })
            .await
        })
    }

    fn free_key(&self, name: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let name = &name;
            patiently(|_| async move {
                sqlx::query(sql::FREE_KEY).bind(name).execute(&self.pool).await?;
                Ok(())
            })
            .await
        })
    }
}
