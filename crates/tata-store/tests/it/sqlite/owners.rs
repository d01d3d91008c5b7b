//! Several stores on one file, and those that died.

use std::{fs, sync::Arc, time::Duration};

use tata_core::{Batch, SessionChange, Store, StoreError, verify_chain};
use tata_store::SqliteStore;
use tata_testkit::store::{self, LONG, at, batch, finished, now, said, session};

use super::{meddle, open};
use crate::place::Place;

#[tokio::test]
async fn two_stores_on_one_file_take_turns() {
    let place = Place::new();
    let (one, two) = (open(&place).await, open(&place).await);
    let id = session(&one).await;
    let lease = one.begin(id, LONG).await.unwrap().lease;
    assert!(matches!(two.begin(id, LONG).await, Err(StoreError::Busy { .. })));
    assert!(matches!(two.delete_session(id, "anna".into(), at(0)).await, Err(StoreError::Busy { .. })));
    one.append(&lease, Batch { release: true, ..batch(0, [said(1, "hi"), finished(1)]) }).await.unwrap();
    let begun = two.begin(id, LONG).await.unwrap();
    assert_eq!((begun.lease.epoch, begun.records.len()), (2, 2));
    let stale = one.append(&lease, batch(2, [said(2, "late")])).await;
    assert!(matches!(stale, Err(StoreError::LeaseLost { .. })), "{stale:?}");
}

/// The writer remembers what it last read of a session in use. Whoever else writes, in this process or in another,
/// is seen all the same.
#[tokio::test]
async fn what_is_remembered_of_a_session_follows_the_writes_of_others() {
    let place = Place::new();
    let (one, two) = (open(&place).await, open(&place).await);
    let id = session(&one).await;
    let short = Duration::from_millis(1);
    let lease = one.begin(id, short).await.unwrap().lease;
    let named = SessionChange { title: Some("By hand".to_owned()), ..SessionChange::default() };
    one.change_session(id, named).await.unwrap();
    let first = Batch { title: Some("hi".to_owned()), ..batch(0, [said(1, "hi")]) };
    one.append(&lease, first).await.unwrap();
    assert_eq!(now(&one, id).await.title.as_deref(), Some("By hand"));
    tokio::time::sleep(Duration::from_millis(20)).await;
    let taken = two.begin(id, short).await.unwrap().lease;
    let late = one.append(&lease, batch(1, [said(2, "late")])).await;
    assert!(matches!(late, Err(StoreError::LeaseLost { .. })), "{late:?}");
    two.append(&taken, batch(1, [finished(1)])).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let begun = one.begin(id, LONG).await.unwrap();
    assert_eq!((begun.lease.epoch, begun.records.len()), (3, 2));
    one.append(&begun.lease, batch(2, [said(2, "on")])).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_write_at_the_same_time() {
    let place = Place::new();
    let stores = [open(&place).await, open(&place).await];
    tokio::join!(
        store::journal::sixty_four_sessions_at_once(Arc::clone(&stores[0])),
        store::journal::sixty_four_sessions_at_once(Arc::clone(&stores[1])),
    );
    let noted = |actor: &str| tata_core::NewAudit {
        account: None,
        tenant: None,
        at: at(0),
        actor: actor.to_owned(),
        action: "a.b".to_owned(),
        subject: String::new(),
        detail: String::new(),
    };
    for _ in 0..10 {
        let (one, two) =
            tokio::join!(stores[0].record_audit(noted("one")), stores[1].record_audit(noted("two")));
        assert_ne!(one.unwrap().position, two.unwrap().position);
    }
    let trail = stores[0].audit_trail().await.unwrap();
    assert_eq!((trail.len(), verify_chain(&trail)), (20, Ok(())));
}

#[tokio::test]
async fn stores_may_open_at_the_same_time() {
    let place = Place::new();
    let opening = [(); 5].map(|()| {
        let file = place.file();
        tokio::spawn(async move { SqliteStore::open(file).await.unwrap() })
    });
    let mut stores: Vec<Arc<dyn Store>> = Vec::new();
    for store in opening {
        stores.push(Arc::new(store.await.unwrap()));
    }
    let id = session(&stores[0]).await;
    assert_eq!(now(&stores[4], id).await.id, id);
}

/// As after `kill -9`: the lease stands, its owner is nowhere.
#[tokio::test]
async fn a_dead_owners_lease_is_taken_at_once() {
    let place = Place::new();
    let store = open(&place).await;
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    store.append(&lease, batch(0, [said(1, "hi")])).await.unwrap();
    assert_eq!(store.interrupted().await.unwrap(), []);
    let owners = place.folder().join("tata.db.owners");
    fs::write(owners.join("left-behind"), "").unwrap();
    for dead in ["unknown", "left-behind"] {
        meddle(&place.file(), &format!("UPDATE sessions SET lease_holder = '{dead}'"));
        assert_eq!(store.interrupted().await.unwrap().len(), 1, "{dead}");
        let epoch = store.begin(id, LONG).await.unwrap().lease.epoch;
        assert!(epoch > lease.epoch, "{dead}");
    }
    let late = store.append(&lease, batch(1, [said(1, "late")])).await;
    assert!(matches!(late, Err(StoreError::LeaseLost { .. })), "{late:?}");
    meddle(&place.file(), "UPDATE sessions SET lease_holder = 'unknown'");
    store.delete_session(id, "anna".into(), at(0)).await.unwrap();
}

#[tokio::test]
async fn a_closed_store_leaves_nothing_behind() {
    let place = Place::new();
    let owners = place.folder().join("tata.db.owners");
    let names =
        || -> Vec<_> { fs::read_dir(&owners).unwrap().map(|entry| entry.unwrap().file_name()).collect() };
    let store = open(&place).await;
    let id = session(&store).await;
    store.begin(id, LONG).await.unwrap();
    fs::write(owners.join("left-behind"), "").unwrap();
    assert_eq!(names().len(), 3);
    drop(store);
    let store = open(&place).await;
    assert_eq!(names().len(), 2, "its own sign of life and the guard");
    assert_eq!(
        store.begin(id, LONG).await.unwrap().lease.epoch,
        2,
        "nobody waits for a store that was closed"
    );
}

#[tokio::test]
async fn a_change_behind_our_back_breaks_the_chain() {
    let place = Place::new();
    let store = open(&place).await;
    store::audit::many_writers_make_one_chain(Arc::clone(&store)).await;
    for (sql, position) in [
        ("UPDATE audit SET detail = '\"kind\"' WHERE position = 7", 7),
        ("DELETE FROM audit WHERE position = 5", 5),
        ("UPDATE audit SET at = at + 1 WHERE position = 2", 2),
    ] {
        meddle(&place.file(), sql);
        let trail = store.audit_trail().await.unwrap();
        assert_eq!(verify_chain(&trail).unwrap_err().position, position);
    }
}

#[tokio::test]
async fn a_damaged_journal_is_said_and_not_busy() {
    let place = Place::new();
    let store = open(&place).await;
    let (id, other) = (session(&store).await, session(&store).await);
    for id in [id, other] {
        let lease = store.begin(id, LONG).await.unwrap().lease;
        store.append(&lease, Batch { release: true, ..batch(0, [said(1, "hi")]) }).await.unwrap();
    }
    let damage = format!(
        "UPDATE journal SET entry = '{{\"type\":\"from_tomorrow\"}}' WHERE session = \
        (SELECT key FROM sessions WHERE id = '{id}')"
    );
    meddle(&place.file(), &damage);
    for _ in 0..2 {
        let refused = store.begin(id, LONG).await;
        assert!(
            matches!(&refused, Err(StoreError::Unreadable { what, .. }) if what.contains("entry 1")),
            "{refused:?}"
        );
    }
    assert!(matches!(store.records(id, 0).await, Err(StoreError::Unreadable { .. })));
    meddle(&place.file(), &format!("UPDATE sessions SET agent = 'bare' WHERE id = '{id}'"));
    let (broken, whole) = tokio::join!(store.begin(id, LONG), store.begin(other, LONG));
    assert!(matches!(broken, Err(StoreError::Unreadable { .. })), "{broken:?}");
    assert_eq!(whole.unwrap().records.len(), 1, "the neighbor in the group is served");
}
