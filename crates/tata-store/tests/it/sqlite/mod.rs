//! The contract in SQLite, and what is special about it.

mod files;
mod owners;
mod writer;

use std::{path::Path, sync::Arc};

use tata_core::Store;
use tata_store::SqliteStore;

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
