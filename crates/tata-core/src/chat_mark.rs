//! Marks of conversations whose clients keep the history themselves: which answer of which session a history ends with.
//!
//! A client that sends everything each time says by its history alone where it stands. A mark says which session gave
//! that very answer. The same words may have been said to several people, so a mark is never taken for an identity by itself:
//! whoever asks is told of every session that may have given the answer.

use jiff::Timestamp;

use crate::{ScopedStore, SessionId, StoreError, StoreFuture};

/// So many sessions are told of: the first tells where a history belongs, the second that nobody can say.
pub const MOST_CHAT_MARKS: usize = 8;

/// That a session was asked something, and what it answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMark {
    /// A digest of everything that the client had sent when it asked, and of whose conversation it is.
    pub question: String,
    /// The session that answers; none once it is deleted. The mark stays: what was said there was said to somebody.
    pub session: Option<SessionId>,
    /// A digest of the answer; none while it is not known, because the turn runs or the program ended in the middle.
    pub answer: Option<String>,
    /// A digest of the part that the client plays, by its instructions and tools.
    pub setting: String,
    /// The position of the journal entry with which the answer ended; 0 while it is not known.
    pub position: u64,
    /// When it was asked.
    pub at: Timestamp,
}

/// Marks of conversations whose clients keep the history themselves.
pub trait ChatMarks: Send + Sync {
    /// Keeps a mark. One of the same question and session is replaced; both are needed. Refused with
    /// [`StoreError::NotFound`] if there is no such session.
    fn keep_chat_mark(&self, mark: ChatMark) -> StoreFuture<'_, ()>;

    /// The marks of a question with this answer, the newest first, then those whose answer is not known: at most
    /// [`MOST_CHAT_MARKS`].
    fn chat_marks(&self, question: String, answer: String) -> StoreFuture<'_, Vec<ChatMark>>;
}

impl ChatMarks for ScopedStore {
    fn keep_chat_mark(&self, mark: ChatMark) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let id = mark.session.ok_or_else(|| StoreError::NotFound { what: "the session".to_owned() })?;
            self.check(id).await?;
            let question = self.own(&mark.question);
            self.store().keep_chat_mark(ChatMark { question, ..mark }).await
        })
    }

    fn chat_marks(&self, question: String, answer: String) -> StoreFuture<'_, Vec<ChatMark>> {
        Box::pin(async move {
            let found = self.store().chat_marks(self.own(&question), answer).await?;
            Ok(found.into_iter().map(|mark| ChatMark { question: question.clone(), ..mark }).collect())
        })
    }
}
