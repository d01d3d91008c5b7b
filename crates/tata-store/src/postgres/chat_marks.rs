//! Where the conversations of clients stand that keep the history themselves.

use tata_core::{ChatMark, ChatMarks, MOST_CHAT_MARKS, StoreError, StoreFuture};

use super::{PostgresStore, patiently};
use crate::{
    change::no_session,
    rows::{self, millis},
    sql,
};

impl ChatMarks for PostgresStore {
    fn keep_chat_mark(&self, mark: ChatMark) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let Some(session) = mark.session else {
                return Err(StoreError::NotFound { what: "the session".to_owned() });
            };
            let mark = &mark;
            let kept = patiently(|_| async move {
                let kept = sqlx::query(sql::KEEP_CHAT_MARK)
                    .bind(&mark.question)
                    .bind(&mark.answer)
                    .bind(&mark.setting)
                    .bind(i64::try_from(mark.position).unwrap_or(i64::MAX))
                    .bind(millis(mark.at))
                    .bind(session.to_string())
                    .execute(&self.pool)
                    .await?;
                Ok(kept.rows_affected())
            })
            .await?;
            if kept == 0 { Err(no_session(session)) } else { Ok(()) }
        })
    }

    fn chat_marks(&self, question: String, answer: String) -> StoreFuture<'_, Vec<ChatMark>> {
        Box::pin(async move {
            let (question, answer) = (&question, &answer);
            patiently(|_| async move {
                let most = i64::try_from(MOST_CHAT_MARKS).unwrap_or(i64::MAX);
                let query = sqlx::query(sql::CHAT_MARKS).bind(question).bind(answer).bind(most);
                let rows = query.fetch_all(&self.pool).await?;
                rows.iter().map(|row| rows::chat_mark(row, question)).collect()
            })
            .await
        })
    }
}
