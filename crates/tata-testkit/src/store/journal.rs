//! What is written, and in which order.

use std::sync::Arc;

use tata_core::{Batch, StoreError};

use super::{LONG, Shared, batch, finished, now, records, said, session};

/// A journal comes back whole and in order, by whichever door.
pub async fn entries_come_back_in_order(store: Shared) {
    let id = session(&store).await;
    let begun = store.begin(id, LONG).await.unwrap();
    assert_eq!((begun.records.len(), begun.session.last_position), (0, 0));
    for position in 0..30 {
        store.append(&begun.lease, batch(position, [said(1, &position.to_string())])).await.unwrap();
    }
    let expected = records(0, (0..30).map(|position| said(1, &position.to_string())));
    assert_eq!(store.records(id, 0).await.unwrap(), expected);
    store.release(&begun.lease).await.unwrap();
    let begun = store.begin(id, LONG).await.unwrap();
    assert_eq!((begun.records, begun.session), (expected, now(&store, id).await));
}

/// Positions go up one by one from 1; anything else is refused and changes nothing.
pub async fn positions_follow(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    assert!(store.append(&lease, batch(1, [said(1, "gap")])).await.is_err());
    store.append(&lease, batch(0, [said(1, "a"), said(1, "b")])).await.unwrap();
    let taken = store.append(&lease, batch(1, [said(1, "again")])).await;
    assert!(matches!(taken, Err(StoreError::Exists { .. })), "{taken:?}");
    assert!(store.append(&lease, batch(3, [said(1, "gap")])).await.is_err());
    let mut holed = batch(2, [said(1, "c"), said(1, "d")]);
    holed.records[1].position += 1;
    assert!(store.append(&lease, holed).await.is_err());
    let mut double = batch(2, [said(1, "c"), said(1, "d")]);
    double.records[1].position -= 1;
    assert!(store.append(&lease, double).await.is_err());
    assert_eq!(store.records(id, 0).await.unwrap(), records(0, [said(1, "a"), said(1, "b")]));
    store.append(&lease, batch(2, [said(1, "c")])).await.unwrap();
    assert_eq!(now(&store, id).await.last_position, 3);
}

/// Two writes may be asked for at once and waited for one after the other. Without the first, the second is refused.
pub async fn a_write_may_wait_behind_another(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let [first, second] =
        [(0, "a"), (1, "b")].map(|(after, text)| store.append(&lease, batch(after, [said(1, text)])));
    first.await.unwrap();
    second.await.unwrap();
    let [first, second] =
        [(3, "gap"), (4, "e")].map(|(after, text)| store.append(&lease, batch(after, [said(1, text)])));
    assert!(first.await.is_err() && second.await.is_err());
    assert_eq!(store.records(id, 0).await.unwrap(), records(0, [said(1, "a"), said(1, "b")]));
}

/// Who has seen a part reads only the rest.
pub async fn a_journal_is_read_from_anywhere(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    store.append(&lease, batch(0, [said(1, "a"), finished(1), said(2, "b")])).await.unwrap();
    let after = async |position| store.records(id, position).await.unwrap();
    assert_eq!(after(1).await, records(1, [finished(1), said(2, "b")]));
    assert_eq!(after(3).await, []);
    assert_eq!(after(u64::MAX).await, []);
}

/// Many sessions write at the same time, and each gets its own.
pub async fn sixty_four_sessions_at_once(store: Shared) {
    let tasks: Vec<_> = (0..64)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let id = session(&store).await;
                let mut expected = Vec::new();
                for turn in 1..=3_u32 {
                    let begun = store.begin(id, LONG).await.unwrap();
                    assert_eq!(begun.records, expected, "session {number}, turn {turn}");
                    let entries = [said(turn, &format!("{number}/{turn}")), finished(turn)];
                    for (entry, release) in entries.into_iter().zip([false, true]) {
                        let after = u64::try_from(expected.len()).unwrap();
                        let next = Batch { release, ..batch(after, [entry]) };
                        expected.extend(next.records.clone());
                        store.append(&begun.lease, next).await.unwrap();
                    }
                }
                (id, expected)
            })
        })
        .collect();
    for task in tasks {
        let (id, expected) = task.await.unwrap();
        assert_eq!(store.records(id, 0).await.unwrap(), expected);
        let session = now(&store, id).await;
        assert_eq!((session.turn_count, session.last_position, session.open_turn), (3, 6, false));
    }
}

/// Whole outputs are kept beside the journal; the later one of a call counts.
pub async fn outputs_are_kept_whole(store: Shared) {
    let (id, other) = (session(&store).await, session(&store).await);
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let big = "\u{1f4be}\0".repeat(200_000);
    let outputs =
        vec![("c1".into(), "first".to_owned()), ("c2".into(), big.clone()), ("c1".into(), "x".to_owned())];
    store.append(&lease, Batch { outputs, ..Batch::default() }).await.unwrap();
    assert_eq!(store.output(id, "c1".into()).await.unwrap().as_deref(), Some("x"));
    assert!(store.output(id, "c2".into()).await.unwrap() == Some(big));
    let outputs = vec![("c1".into(), "y".to_owned())];
    store.append(&lease, Batch { outputs, ..Batch::default() }).await.unwrap();
    assert_eq!(store.output(id, "c1".into()).await.unwrap().as_deref(), Some("y"));
    assert_eq!(store.output(id, "c3".into()).await.unwrap(), None);
    assert_eq!(store.output(other, "c1".into()).await.unwrap(), None);
}
