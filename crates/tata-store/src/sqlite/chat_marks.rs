//! Where the conversations of clients stand that keep the history themselves.

use rusqlite::{Connection, params};
use tata_core::{ChatMark, ChatMarks, MOST_CHAT_MARKS, SessionId, StoreFuture};

use super::{
    SqliteStore,
    connection::{all, run},
    writer::Request,
};
use crate::{
    change::no_session,
    failure::Failure,
    rows::{self, millis},
    sql,
};

/// Keeps a mark; tells whether its session is there.
pub(super) fn keep(connection: &Connection, mark: &ChatMark) -> Result<bool, Failure> {
    let session = mark.session.map(|id| id.to_string());
    let position = i64::try_from(mark.position).unwrap_or(i64::MAX);
    let values = params![mark.question, mark.answer, mark.setting, position, millis(mark.at), session];
    Ok(run(connection, sql::KEEP_CHAT_MARK, values)? > 0)
}

impl ChatMarks for SqliteStore {
    fn keep_chat_mark(&self, mark: ChatMark) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let session = mark.session;
            if self.ask(mark, Request::ChatMark).await? { Ok(()) } else { Err(unknown(session)) }
        })
    }

    fn chat_marks(&self, question: String, answer: String) -> StoreFuture<'_, Vec<ChatMark>> {
        Box::pin(self.readers.read(move |connection| {
            let most = i64::try_from(MOST_CHAT_MARKS).unwrap_or(i64::MAX);
            all(connection, sql::CHAT_MARKS, params![question, answer, most], |row| {
                rows::chat_mark(row, &question)
            })
        }))
    }
}

fn unknown(session: Option<SessionId>) -> tata_core::StoreError {
    session.map_or_else(|| tata_core::StoreError::NotFound { what: "the session".to_owned() }, no_session)
}
