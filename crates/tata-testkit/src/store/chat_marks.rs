//! Where the conversations of clients stand that keep the history themselves.

use std::sync::Arc;

use tata_core::{ChatMark, MOST_CHAT_MARKS, Scope, ScopedStore, SessionId, StoreError};

use super::{Shared, at, session};

const ASKED: &str = "a digest";

fn mark(session: SessionId, answer: Option<&str>, position: u64) -> ChatMark {
    ChatMark {
        question: ASKED.to_owned(),
        session: Some(session),
        answer: answer.map(str::to_owned),
        setting: "s \u{1f426}".to_owned(),
        position,
        at: at(i64::try_from(position).unwrap()),
    }
}

async fn sessions(store: &Shared, answer: &str) -> Vec<Option<SessionId>> {
    let found = store.chat_marks(ASKED.to_owned(), answer.to_owned()).await.unwrap();
    found.into_iter().map(|mark| mark.session).collect()
}

/// The newest that gave the answer comes first, those whose answer is not known come last, and no more than needed.
pub async fn a_mark_tells_which_session_gave_an_answer(store: Shared) {
    let [one, two, three] = [session(&store).await, session(&store).await, session(&store).await];
    assert_eq!(sessions(&store, "a").await, []);
    for id in [one, two, three] {
        store.keep_chat_mark(mark(id, None, 0)).await.unwrap();
    }
    assert_eq!(sessions(&store, "a").await, [Some(three), Some(two), Some(one)], "any may give it");
    store.keep_chat_mark(mark(one, Some("a"), 7)).await.unwrap();
    store.keep_chat_mark(mark(three, Some("b"), 9)).await.unwrap();
    assert_eq!(sessions(&store, "a").await, [Some(one), Some(two)]);
    assert_eq!(sessions(&store, "b").await, [Some(three), Some(two)]);
    let found = store.chat_marks(ASKED.to_owned(), "a".to_owned()).await.unwrap();
    assert_eq!(found.first(), Some(&mark(one, Some("a"), 7)));
    assert_eq!(store.chat_marks("other".to_owned(), "a".to_owned()).await.unwrap(), []);
    for _ in 0..=MOST_CHAT_MARKS {
        store.keep_chat_mark(mark(session(&store).await, Some("a"), 3)).await.unwrap();
    }
    assert_eq!(sessions(&store, "a").await.len(), MOST_CHAT_MARKS);
    let nobody = store.keep_chat_mark(mark(SessionId::random(), None, 0)).await.unwrap_err();
    assert!(matches!(nobody, StoreError::NotFound { .. }), "{nobody}");
    let nameless = ChatMark { session: None, ..mark(one, None, 0) };
    let nameless = store.keep_chat_mark(nameless).await.unwrap_err();
    assert!(matches!(nameless, StoreError::NotFound { .. }), "{nameless}");
}

/// What a deleted session said was said to somebody all the same: nobody else is taken for them.
pub async fn a_mark_outlives_its_session(store: Shared) {
    let [one, two] = [session(&store).await, session(&store).await];
    store.keep_chat_mark(mark(one, Some("a"), 7)).await.unwrap();
    store.keep_chat_mark(mark(two, Some("a"), 8)).await.unwrap();
    store.delete_session(one, "anna".into(), at(9)).await.unwrap();
    assert_eq!(sessions(&store, "a").await, [Some(two), None]);
    store.delete_session(two, "anna".into(), at(9)).await.unwrap();
    assert_eq!(sessions(&store, "a").await, [None, None]);
}

/// Somebody else's marks are none, and nobody marks a session of somebody else.
pub async fn nobody_meets_the_marks_of_others(store: Shared) {
    let scope = |tenant: &str, user: &str| Scope { tenant: tenant.to_owned(), user: user.to_owned() };
    let [anna, bo, stranger] = [scope("acme", "anna"), scope("acme", "bo"), scope("other", "anna")]
        .map(|scope| Arc::new(ScopedStore::new(&store, scope)) as Shared);
    let id = session(&anna).await;
    anna.keep_chat_mark(mark(id, Some("a"), 7)).await.unwrap();
    assert_eq!(sessions(&anna, "a").await, [Some(id)]);
    let found = anna.chat_marks(ASKED.to_owned(), "a".to_owned()).await.unwrap();
    assert_eq!(found, [mark(id, Some("a"), 7)]);
    for other in [&bo, &stranger] {
        assert_eq!(sessions(other, "a").await, []);
        assert!(other.keep_chat_mark(mark(id, Some("b"), 8)).await.is_err());
    }
    assert_eq!(sessions(&anna, "a").await, [Some(id)]);
}
