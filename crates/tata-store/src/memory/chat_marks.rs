//! Where the conversations of clients stand that keep the history themselves.

use tata_core::{ChatMark, ChatMarks, MOST_CHAT_MARKS, StoreError, StoreFuture};

use super::MemoryStore;
use crate::change::no_session;

impl ChatMarks for MemoryStore {
    fn keep_chat_mark(&self, mark: ChatMark) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let Some(id) = mark.session else {
                return Err(StoreError::NotFound { what: "the session".to_owned() });
            };
            let mut state = self.state();
            if !state.sessions.contains_key(&id) {
                return Err(no_session(id));
            }
            let marks = state.chat_marks.entry(mark.question.clone()).or_default();
            match marks.iter_mut().find(|known| known.session == mark.session) {
                Some(known) => *known = mark,
                None => marks.push(mark),
            }
            Ok(())
        })
    }

    fn chat_marks(&self, question: String, answer: String) -> StoreFuture<'_, Vec<ChatMark>> {
        Box::pin(async move {
            let state = self.state();
            let marks = || state.chat_marks.get(&question).into_iter().flatten().rev();
            let answered = marks().filter(|mark| mark.answer.as_ref() == Some(&answer));
            let unknown = marks().filter(|mark| mark.answer.is_none());
            let found = answered.chain(unknown).take(MOST_CHAT_MARKS).cloned();
            let known = |mark: ChatMark| ChatMark {
                session: mark.session.filter(|id| state.sessions.contains_key(id)),
                ..mark
            };
            Ok(found.map(known).collect())
        })
    }
}
