//! Requests that are served once.

use std::sync::Arc;

use tata_core::{Keys, RequestKey, Scope, ScopedStore, SessionId, Signals};

use super::{Shared, at, session};

fn key(name: &str, session: Option<SessionId>, millis: i64) -> RequestKey {
    RequestKey { name: name.to_owned(), digest: "d".repeat(64), session, at: at(millis), answer: None }
}

/// One of many who come at once gets the key; the others learn what is known of it, and its answer once there is one.
pub async fn a_key_is_taken_once(store: Shared) {
    let (old, lost) = (at(0), at(0));
    let taking = (0..8).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.take_key(key("k \u{1f426}", None, 5), old, lost).await.unwrap() })
    });
    let mut got = 0;
    for one in taking.collect::<Vec<_>>() {
        match one.await.unwrap() {
            None => got += 1,
            Some(known) => assert_eq!(known, key("k \u{1f426}", None, 5)),
        }
    }
    assert_eq!(got, 1);
    store.settle_key("k \u{1f426}".to_owned(), "{\"a\": \"\\u0000\"}".to_owned()).await.unwrap();
    let known = store.take_key(key("k \u{1f426}", None, 9), old, lost).await.unwrap().unwrap();
    assert_eq!((known.answer.as_deref(), known.at), (Some("{\"a\": \"\\u0000\"}"), at(5)));
    // What has an answer is not given back; what has none is.
    store.free_key("k \u{1f426}".to_owned()).await.unwrap();
    assert!(store.take_key(key("k \u{1f426}", None, 9), old, lost).await.unwrap().is_some());
    assert_eq!(store.take_key(key("b", None, 6), old, lost).await.unwrap(), None);
    store.free_key("b".to_owned()).await.unwrap();
    assert_eq!(store.take_key(key("b", None, 7), old, lost).await.unwrap(), None);
    // Whoever took it is gone: the next one serves it. What was answered is not touched by that.
    assert!(store.take_key(key("b", None, 8), old, at(7)).await.unwrap().is_some());
    assert_eq!(store.take_key(key("b", None, 9), old, at(8)).await.unwrap(), None);
    assert!(store.take_key(key("k \u{1f426}", None, 9), old, at(8)).await.unwrap().unwrap().answer.is_some());
    // What is old is forgotten.
    assert_eq!(store.take_key(key("k \u{1f426}", None, 20), at(10), lost).await.unwrap(), None);
}

/// What was answered about a session goes with it, and nobody meets the keys of others.
pub async fn a_key_is_gone_with_its_session(store: Shared) {
    let (old, lost) = (at(0), at(0));
    let id = session(&store).await;
    assert_eq!(store.take_key(key("k", Some(id), 1), old, lost).await.unwrap(), None);
    store.settle_key("k".to_owned(), "secret".to_owned()).await.unwrap();
    assert_eq!(store.take_key(key("k", Some(id), 2), old, lost).await.unwrap().unwrap().session, Some(id));
    store.delete_session(id, "anna".into(), at(9)).await.unwrap();
    assert_eq!(store.take_key(key("k", None, 3), old, lost).await.unwrap(), None);
    for (tenant, user) in [("acme", "anna"), ("acme", "bo"), ("other", "anna")] {
        let scope = Scope { tenant: tenant.to_owned(), user: user.to_owned() };
        let own = ScopedStore::new(&store, scope);
        let taken = own.take_key(key("mine", None, 1), old, lost).await.unwrap();
        assert_eq!(taken, None, "{tenant} {user}");
        own.settle_key("mine".to_owned(), format!("{tenant} {user}")).await.unwrap();
        let known = own.take_key(key("mine", None, 2), old, lost).await.unwrap().unwrap();
        assert_eq!((known.name.as_str(), known.answer), ("mine", Some(format!("{tenant} {user}"))));
        assert!(own.take_key(key("theirs", Some(id), 1), old, lost).await.is_err(), "no such session");
    }
}

/// A wish to stop a turn is seen until it has stopped, it is old, or its session is gone; nobody wishes for others.
pub async fn who_should_stop_is_known_to_all(store: Shared) {
    let (one, two, three) = (session(&store).await, session(&store).await, session(&store).await);
    for (id, millis) in [(one, 5), (two, 6), (three, 7), (one, 8)] {
        store.ask_to_stop(id, u32::try_from(millis).unwrap(), at(millis)).await.unwrap();
    }
    let mut all = vec![(one, 8), (two, 6), (three, 7)];
    all.sort_by_key(|(id, _)| id.to_string());
    assert_eq!(store.asked_to_stop(at(0)).await.unwrap(), all);
    store.has_stopped(three).await.unwrap();
    assert_eq!(store.asked_to_stop(at(7)).await.unwrap(), [(one, 8)], "the others are old, or have stopped");
    store.delete_session(one, "anna".into(), at(9)).await.unwrap();
    assert_eq!(store.asked_to_stop(at(0)).await.unwrap(), [(two, 6)]);
    store.ask_to_stop(one, 1, at(9)).await.unwrap();
    assert_eq!(store.asked_to_stop(at(7)).await.unwrap(), [], "there is no such session");
    let stranger = ScopedStore::new(&store, Scope { tenant: "acme".to_owned(), user: "bo".to_owned() });
    assert!(stranger.ask_to_stop(two, 1, at(20)).await.is_err());
    assert_eq!(store.asked_to_stop(at(7)).await.unwrap(), []);
}
