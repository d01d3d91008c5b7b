//! Who may write.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use futures_util::FutureExt;
use tata_core::{Batch, Entry, StoreError};

use super::{LONG, SHORT, Shared, batch, finished, records, said, session};

fn is_lost(result: &Result<(), StoreError>) -> bool {
    matches!(result, Err(StoreError::LeaseLost { .. }))
}

/// Sixteen want the same session again and again: one at a time has it, and each finds what those before wrote.
pub async fn one_of_many_begins_wins(store: Shared) {
    let id = session(&store).await;
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let begun = loop {
                    match store.begin(id, LONG).await {
                        Ok(begun) => break begun,
                        Err(StoreError::Busy { .. }) => tokio::time::sleep(Duration::from_millis(2)).await,
                        Err(error) => panic!("{error:?}"),
                    }
                };
                let after = begun.session.last_position;
                assert_eq!(u64::try_from(begun.records.len()).unwrap(), after);
                let turn = u32::try_from(after / 2 + 1).unwrap();
                store.append(&begun.lease, batch(after, [said(turn, "hi")])).await.unwrap();
                let last = Batch { release: true, ..batch(after + 1, [finished(turn)]) };
                store.append(&begun.lease, last).await.unwrap();
                begun.lease.epoch
            })
        })
        .collect();
    let mut epochs = BTreeSet::new();
    for task in tasks {
        assert!(epochs.insert(task.await.unwrap()), "an epoch was given twice");
    }
    assert_eq!(store.records(id, 0).await.unwrap().len(), 32);
    let (first, last) = (epochs.first().unwrap(), epochs.last().unwrap());
    assert_eq!((*first, *last), (1, 16), "refused attempts take no epoch");
}

/// Each lease outranks those before; while it runs nobody else gets one.
pub async fn epochs_rise(store: Shared) {
    let id = session(&store).await;
    for epoch in 1..=3 {
        let begun = store.begin(id, LONG).await.unwrap();
        assert_eq!((begun.lease.epoch, begun.lease.session, begun.lease.time), (epoch, id, LONG));
        let refused = store.begin(id, LONG).await;
        assert!(matches!(refused, Err(StoreError::Busy { session }) if session == id), "{refused:?}");
        store.release(&begun.lease).await.unwrap();
    }
    assert_eq!(store.begin(session(&store).await, LONG).await.unwrap().lease.epoch, 1);
}

/// Whoever goes away before they have the lease, or before they look at it, leaves the session free.
pub async fn who_goes_away_holds_nothing(store: Shared) {
    let id = session(&store).await;
    for looks in 0..5 {
        let mut asked = store.begin(id, LONG);
        for _ in 0..looks {
            // In the end the answer lies there, and nobody looks.
            if let Some(begun) = (&mut asked).now_or_never() {
                store.release(&begun.unwrap().lease).await.unwrap();
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        drop(asked);
        let free = async {
            loop {
                match store.begin(id, LONG).await {
                    Ok(begun) => return store.release(&begun.lease).await.unwrap(),
                    Err(_) => tokio::time::sleep(Duration::from_millis(2)).await,
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(20), free).await.expect("the session is in use, by nobody");
    }
}

/// A writer that slept past its lease cannot disturb the one that took over.
pub async fn a_stale_writer_is_refused(store: Shared) {
    let id = session(&store).await;
    let old = store.begin(id, SHORT).await.unwrap().lease;
    tokio::time::sleep(SHORT * 20).await;
    let new = store.begin(id, LONG).await.unwrap().lease;
    assert_eq!(new.epoch, old.epoch + 1);
    assert!(is_lost(&store.append(&old, batch(0, [said(1, "old")])).await));
    assert!(is_lost(&store.renew(&old).await));
    store.release(&old).await.unwrap();
    store.append(&new, batch(0, [said(1, "new")])).await.unwrap();
    assert_eq!(store.records(id, 0).await.unwrap(), records(0, [said(1, "new")]));
    assert!(
        matches!(store.begin(id, LONG).await, Err(StoreError::Busy { .. })),
        "the old one gave nothing away"
    );
}

/// A lease that ran out while nobody else came still counts: a laptop that slept goes on.
pub async fn a_slept_lease_may_go_on(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, SHORT).await.unwrap().lease;
    tokio::time::sleep(SHORT * 20).await;
    store.append(&lease, batch(0, [said(1, "hi")])).await.unwrap();
    tokio::time::sleep(SHORT * 20).await;
    store.renew(&lease).await.unwrap();
}

/// What was given back, in whichever way, is not the giver's any more; nor can a late renewal take it again.
pub async fn a_lease_given_back_is_over(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    store.release(&lease).await.unwrap();
    store.release(&lease).await.unwrap();
    assert!(is_lost(&store.renew(&lease).await));
    assert!(is_lost(&store.append(&lease, batch(0, [said(1, "hi")])).await));
    let lease = store.begin(id, LONG).await.unwrap().lease;
    assert_eq!(lease.epoch, 2);
    let last = Batch { release: true, ..batch(0, [said(1, "hi"), finished(1)]) };
    store.append(&lease, last).await.unwrap();
    assert!(is_lost(&store.renew(&lease).await));
    assert_eq!(store.begin(id, LONG).await.unwrap().lease.epoch, 3);
}

/// Renewals and writes extend a lease by its time.
pub async fn renewing_keeps_others_out(store: Shared) {
    let id = session(&store).await;
    let mut lease = store.begin(id, SHORT).await.unwrap().lease;
    lease.time = LONG;
    store.renew(&lease).await.unwrap();
    tokio::time::sleep(SHORT * 20).await;
    assert!(matches!(store.begin(id, LONG).await, Err(StoreError::Busy { .. })));
    lease.time = SHORT;
    store.append(&lease, batch(0, [said(1, "hi")])).await.unwrap();
    tokio::time::sleep(SHORT * 20).await;
    assert_eq!(store.begin(id, LONG).await.unwrap().lease.epoch, 2);
}

/// Unfinished turns that nobody works on are found, the oldest first. One that waits for a person is among them.
pub async fn interrupted_turns_are_found(store: Shared) {
    let found = async || -> Vec<_> { store.interrupted().await.unwrap().iter().map(|one| one.id).collect() };
    let mut ids = Vec::new();
    for entries in 1..=2 {
        let id = session(&store).await;
        let lease = store.begin(id, LONG).await.unwrap().lease;
        let waiting = Entry::Waiting { turn: 1, questions: Vec::new() };
        store.append(&lease, batch(0, [said(1, "hi"), waiting].into_iter().take(entries))).await.unwrap();
        ids.push((id, lease));
    }
    session(&store).await;
    assert_eq!(found().await, [], "both are worked on");
    store.release(&ids[1].1).await.unwrap();
    assert_eq!(found().await, [ids[1].0]);
    store.release(&ids[0].1).await.unwrap();
    assert_eq!(found().await, [ids[0].0, ids[1].0]);
    let begun = store.begin(ids[0].0, LONG).await.unwrap();
    assert!(begun.session.open_turn);
    let last = Batch { release: true, ..batch(1, [finished(1)]) };
    store.append(&begun.lease, last).await.unwrap();
    assert_eq!(found().await, [ids[1].0]);
    let begun = store.begin(ids[1].0, LONG).await.unwrap();
    let undone = Batch { release: true, ..batch(2, [Entry::TurnUndone { turn: 1 }]) };
    store.append(&begun.lease, undone).await.unwrap();
    assert_eq!(found().await, []);
}
