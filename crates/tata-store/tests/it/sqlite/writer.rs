//! The one that writes, and those who wait for it.

use std::{future::Future, pin::pin, sync::Arc, task::Context, time::Duration};

use tata_core::{Batch, NewSession, StoreError};
use tata_testkit::store::{LONG, at, batch, now, said, session};

use super::{meddle, open};
use crate::place::Place;

/// On one thread all of these wait when the writer comes to look: they are one group, or two.
#[tokio::test]
async fn a_group_commit_answers_everyone() {
    let place = Place::new();
    let store = open(&place).await;
    let tasks: Vec<_> = (0..300)
        .map(|number: u32| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let id = session(&store).await;
                let lease = store.begin(id, LONG).await.unwrap().lease;
                store.append(&lease, batch(0, [said(1, &number.to_string())])).await.unwrap();
                if number.is_multiple_of(3) {
                    let refused = store.append(&lease, batch(0, [said(1, "again")])).await;
                    assert!(matches!(refused, Err(StoreError::Exists { .. })), "{refused:?}");
                }
                (id, number)
            })
        })
        .collect();
    for task in tasks {
        let (id, number) = task.await.unwrap();
        assert_eq!(store.records(id, 0).await.unwrap()[0].entry, said(1, &number.to_string()));
    }
}

/// Requests for one session that meet in one group do what they would do one after the other.
#[tokio::test]
async fn one_session_may_ask_twice_in_a_group() {
    let place = Place::new();
    let store = open(&place).await;
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let (first, second, renewed, third, begun) = tokio::join!(
        store.append(&lease, batch(0, [said(1, "a")])),
        store.append(&lease, batch(1, [said(1, "b")])),
        store.renew(&lease),
        store.append(&lease, Batch { release: true, ..batch(2, [said(1, "c")]) }),
        store.begin(id, LONG),
    );
    first.unwrap();
    second.unwrap();
    renewed.unwrap();
    third.unwrap();
    let begun = begun.unwrap();
    assert_eq!((begun.lease.epoch, begun.records.len(), begun.session.turn_count), (2, 3, 3));
    assert_eq!(now(&store, id).await, begun.session);
}

/// An error of the database in the middle of a group fails the one that caused it.
#[tokio::test]
async fn only_the_guilty_fails() {
    let place = Place::new();
    let store = open(&place).await;
    meddle(&place.file(), "DROP TABLE outputs");
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let id = session(&store).await;
                let lease = store.begin(id, LONG).await.unwrap().lease;
                let guilty = number == 7;
                let outputs = if guilty { vec![("c1".into(), "x".to_owned())] } else { Vec::new() };
                let answer = store.append(&lease, Batch { outputs, ..batch(0, [said(1, "hi")]) }).await;
                assert_eq!(matches!(answer, Err(StoreError::Database { .. })), guilty, "{answer:?}");
                assert_eq!(store.records(id, 0).await.unwrap().len(), usize::from(!guilty));
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

/// Who asks and goes away disturbs nobody, and keeps no lease.
#[tokio::test]
async fn a_caller_may_go_away() {
    let place = Place::new();
    let store = open(&place).await;
    let id = session(&store).await;
    for _ in 0..5 {
        let mut asked = pin!(store.begin(id, LONG));
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(asked.as_mut().poll(&mut context).is_pending());
    }
    let begun = loop {
        match store.begin(id, LONG).await {
            Ok(begun) => break begun,
            Err(StoreError::Busy { .. }) => tokio::time::sleep(Duration::from_millis(1)).await,
            Err(error) => panic!("{error:?}"),
        }
    };
    store.append(&begun.lease, batch(0, [said(1, "hi")])).await.unwrap();
}

/// What was asked for is carried out and answered, also when the store is closed meanwhile, however it was gathered.
#[tokio::test]
async fn a_closed_store_still_answers() {
    let place = Place::new();
    for gap in [false, true] {
        let store = open(&place).await;
        let id = session(&store).await;
        let lease = store.begin(id, LONG).await.unwrap().lease;
        let first = store.append(&lease, batch(0, [said(1, "a")]));
        if gap {
            // The first is on its way when the second comes.
            tokio::task::yield_now().await;
        }
        let second = store.append(&lease, batch(1, [said(1, "b")]));
        drop(store);
        first.await.unwrap();
        second.await.unwrap();
        assert_eq!(open(&place).await.records(id, 0).await.unwrap().len(), 2);
    }
}

/// The writer works on any runtime, and a store may be opened on one after the other.
#[test]
fn a_store_outlives_no_runtime_but_the_file_does() {
    let place = Place::new();
    let ids: Vec<_> = (0..3)
        .map(|_| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { session(&open(&place).await).await })
        })
        .collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = runtime.block_on(open(&place));
    for id in ids {
        runtime.block_on(now(&store, id));
    }
    drop(runtime);
    let other = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let refused = other.block_on(store.create_session(NewSession::with("tata", at(0))));
    assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
}
