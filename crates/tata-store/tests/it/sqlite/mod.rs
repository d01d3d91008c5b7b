//! The contract in SQLite, and what is special about it.

mod degraded;
mod on_disk;
mod owners;
mod writer;

use std::{path::Path, sync::Arc};

use tata_core::{Store, StoreError};
use tata_store::SqliteStore;
use tata_testkit::store::{LONG, batch, said};

use crate::place::Place;

async fn in_a_file(case: impl AsyncFnOnce(Arc<dyn Store>)) {
    let place = Place::new();
    case(Arc::new(SqliteStore::open(place.file()).await.unwrap())).await;
}

tata_testkit::store_contract!(super::in_a_file);

async fn open(place: &Place) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(place.file()).await.unwrap())
}

/// Does what no store would, behind its back.
fn meddle(file: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(file).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_damage_is_named() {
    for case in &crate::damage::CASES {
        let place = Place::new();
        let meddle = async |sql: String| meddle(&place.file(), &format!("PRAGMA foreign_keys = OFF; {sql}"));
        crate::damage::check(case, open(&place).await, meddle).await;
    }
}

/// Bytes that are no text, and a page that is no page: named, stepped over, and saved as they are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_are_no_text_are_saved_as_they_are() {
    let place = Place::new();
    let store = open(&place).await;
    let id = tata_testkit::store::upkeep::rich(&store).await;
    meddle(&place.file(), "UPDATE journal SET entry = CAST(x'7b22ff00fe' AS TEXT) WHERE position = 2");
    let saved = store.salvage(id.to_string()).await.unwrap().unwrap();
    assert_eq!(saved.records.len(), 5);
    assert_eq!(saved.lost[0].columns["entry"], serde_json::json!({ "hex": "7b22ff00fe" }));
    meddle(&place.file(), "UPDATE sessions SET title = CAST(x'ff' AS TEXT)");
    let listing = store.sessions(tata_core::SessionFilter::default()).await.unwrap();
    assert_eq!((listing.sessions.len(), listing.damaged[0].session.as_deref()), (0, Some(&*id.to_string())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_torn_page_is_named_and_stepped_over() {
    let place = Place::new();
    let store = open(&place).await;
    let id = tata_testkit::store::upkeep::rich(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    for number in 0..200_u64 {
        let more = batch(6 + number, [said(3, &"long ".repeat(400))]);
        store.append(&lease, more).await.unwrap();
    }
    store.release(&lease).await.unwrap();
    store.settle().await.unwrap();
    drop(store);
    // Every page in the last third, but not the whole file: some entries are hit, the schema is not.
    let mut bytes = std::fs::read(place.file()).unwrap();
    let (page, pages) = (4096, bytes.len() / 4096);
    for number in (pages * 2 / 3..pages - 1).step_by(9) {
        bytes[number * page..number * page + 200].fill(0xa5);
    }
    std::fs::write(place.file(), bytes).unwrap();
    let store = open(&place).await;
    let verified = store.verify().await.unwrap();
    let has = |kind| verified.damages.iter().any(|damage| damage.kind == kind);
    assert!(has(tata_core::DamageKind::Engine), "{:#?}", verified.damages);
    assert_eq!(store.sessions(tata_core::SessionFilter::default()).await.unwrap().sessions.len(), 1);
    let saved = store.salvage(id.to_string()).await.unwrap().unwrap();
    assert!(saved.records.len() > 100, "{} of 206 entries are saved", saved.records.len());
    assert!(saved.records.iter().any(|record| record.position == 206), "also those after the damage");
    assert!(!saved.lost.is_empty());
    let refused = store.begin(id, LONG).await;
    assert!(matches!(refused, Err(StoreError::Unreadable { .. })), "{refused:?}");
}
