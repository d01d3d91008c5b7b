//! Files as they came.

use sqlx::Row;
use tata_core::{Files, NewFile, SessionId, Sessions, StoreFuture, StoredFile};

use super::{PostgresStore, patiently};
use crate::{
    change::no_session,
    rows::{self, json, millis},
    sql,
};

impl Files for PostgresStore {
    fn keep_file(&self, id: SessionId, file: NewFile) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let file = &file;
            let kept = patiently(|_| async move {
                let kept = sqlx::query(sql::KEEP_FILE)
                    .bind(&file.about.digest)
                    .bind(millis(file.about.at))
                    .bind(json(&file.about)?)
                    .bind(&file.bytes)
                    .bind(id.to_string())
                    .execute(&self.pool)
                    .await?;
                Ok(kept.rows_affected())
            })
            .await?;
            // Nothing was written: it is there already, or the session is not.
            match kept {
                0 if self.session(id).await?.is_none() => Err(no_session(id)),
                _ => Ok(()),
            }
        })
    }

    fn files(&self, id: SessionId) -> StoreFuture<'_, Vec<StoredFile>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::FILES).bind(id.to_string()).fetch_all(&self.pool).await?;
            rows.iter().map(rows::file).collect()
        }))
    }

    fn file_bytes(&self, id: SessionId, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            let digest = &digest;
            patiently(|_| async move {
                let query = sqlx::query(sql::FILE_BYTES).bind(id.to_string()).bind(digest);
                let row = query.fetch_optional(&self.pool).await?;
                Ok(row.map(|row| row.try_get(0)).transpose()?)
            })
            .await
        })
    }
}
