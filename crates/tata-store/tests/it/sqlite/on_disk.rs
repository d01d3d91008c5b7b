//! The file: whose it is, who may read it, and what is left of it after a power cut.

use std::{fs, os::unix::fs::PermissionsExt};

use proptest::{
    prelude::{Strategy, any},
    sample::Index,
    test_runner::{Config, TestRunner},
};
use tata_core::{Batch, Entry, Journal, NewSession, SessionFilter, SessionId, Sessions, StoreError, Upkeep};
use tata_store::SqliteStore;
use tata_testkit::store::{LONG, at, batch, document, name, said, unknown_usage};

use super::meddle;
use crate::place::Place;

async fn reason(place: &Place) -> String {
    match SqliteStore::open(place.file()).await {
        Err(StoreError::Unusable { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn files_of_others_are_refused_and_left_alone() {
    let place = Place::new();
    meddle(&place.file(), "CREATE TABLE birds (name TEXT); INSERT INTO birds VALUES ('wren')");
    let before = fs::read(place.file()).unwrap();
    assert_eq!(reason(&place).await, "it belongs to another program");
    assert_eq!(fs::read(place.file()).unwrap(), before);
    fs::write(place.file(), "Dear diary, ".repeat(1000)).unwrap();
    assert_eq!(reason(&place).await, "the file is not a SQLite database");
    assert!(fs::read_to_string(place.file()).unwrap().starts_with("Dear diary"));
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let place = Place::new();
    drop(SqliteStore::open(place.file()).await.unwrap());
    meddle(&place.file(), "PRAGMA user_version = 999");
    let said = reason(&place).await;
    assert!(said.contains("newer version of Tata") && said.contains("999"), "{said}");
}

/// A database as version 0.1 of this program made it, with one session.
fn of_the_first_version(place: &Place, user_version: u32) -> SessionId {
    let id = SessionId::random();
    meddle(&place.file(), "PRAGMA application_id = 0x54617461; PRAGMA journal_mode = WAL");
    meddle(&place.file(), include_str!("../../../migrations/sqlite/0001_sessions.sql"));
    meddle(
        &place.file(),
        &format!(
            "PRAGMA user_version = {user_version}; \
             INSERT INTO sessions (id, agent, title, title_folded, created_at, updated_at, turn_count, open_turn, \
                 last_position) VALUES ('{id}', '\"tata\"', '\"A\u{30a}rhus\"', 'a\u{30a}rhus', 0, 0, 1, 0, 2); \
             INSERT INTO journal VALUES (1, 1, 0, '{{\"type\":\"user_message\",\"turn\":1,\"message\":\
                 {{\"role\":\"user\",\"blocks\":[]}}}}'), (1, 2, 0, '{{\"type\":\"turn_finished\",\"turn\":1,\
                 \"end\":{{\"kind\":\"answered\"}},\"millis\":1}}')"
        ),
    );
    id
}

async fn check_first_version(place: &Place, id: SessionId) {
    for _ in 0..2 {
        let store = SqliteStore::open(place.file()).await.unwrap();
        assert_eq!(store.version().await.unwrap().schema, 8);
        let filter =
            SessionFilter { title_contains: Some("\u{e5}RHUS".to_owned()), ..SessionFilter::default() };
        assert_eq!(store.sessions(filter).await.unwrap().sessions[0].id, id, "found by its title");
        assert_eq!(store.verify().await.unwrap().damages, []);
        let begun = store.begin(id, LONG).await.unwrap();
        assert_eq!(begun.records.len(), 2, "it goes on");
    }
}

#[tokio::test]
async fn a_database_of_the_first_version_opens() {
    let place = Place::new();
    let id = of_the_first_version(&place, 1);
    check_first_version(&place, id).await;
}

/// The first databases told their version in a table.
#[tokio::test]
async fn a_database_of_the_first_days_is_taken_over() {
    let place = Place::new();
    let id = of_the_first_version(&place, 0);
    meddle(
        &place.file(),
        "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
             installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, \
             checksum BLOB NOT NULL, execution_time BIGINT NOT NULL); \
         INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (1, 'sessions', TRUE, x'00', 0)",
    );
    check_first_version(&place, id).await;
}

/// Whoever only reads can do so on a full disk, and others need not look again at what they know.
#[tokio::test]
async fn opening_writes_nothing() {
    let place = Place::new();
    let store = SqliteStore::open(place.file()).await.unwrap();
    let other = rusqlite::Connection::open(place.file()).unwrap();
    let version = || other.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0)).unwrap();
    let before = version();
    SqliteStore::open(place.file()).await.unwrap();
    assert_eq!(version(), before);
    store.create_session(NewSession::with("tata", at(0))).await.unwrap();
    assert_ne!(version(), before);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named() {
    let place = Place::new();
    fs::write(place.folder().join("file"), "").unwrap();
    // Root may write anywhere, so the second one is a folder in which nobody can make anything.
    for path in [place.folder().join("file/tata.db"), "/proc/tata/tata.db".into()] {
        let refused = SqliteStore::open(&path).await;
        assert!(matches!(&refused, Err(StoreError::NotWritable { .. })), "{refused:?}");
    }
    let locked = place.folder().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o500)).unwrap();
    let refused = SqliteStore::open(locked.join("tata.db")).await;
    let is_root = fs::write(locked.join("probe"), "").is_ok();
    assert!(is_root || matches!(&refused, Err(StoreError::NotWritable { .. })), "{refused:?}");
}

#[tokio::test]
async fn only_the_owner_can_read() {
    let place = Place::new();
    let path = place.folder().join("new/deep/tata.db");
    let store = SqliteStore::open(&path).await.unwrap();
    store.create_session(NewSession::with("tata", at(0))).await.unwrap();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&place.folder().join("new")), 0o700);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        let expected = if entry.path().is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&entry.path()), expected, "{}", entry.path().display());
    }
}

#[tokio::test]
async fn versions_are_told() {
    let place = Place::new();
    let store = SqliteStore::open(place.file()).await.unwrap();
    let version = store.version().await.unwrap();
    assert!(version.engine.starts_with("SQLite 3.") && version.schema == 8, "{version:?}");
}

/// A power cut leaves some first part of the log. Whatever part it is, the database opens, is whole, and holds every
/// batch up to some point and nothing of the next.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_cut_anywhere_gives_a_consistent_prefix() {
    let place = Place::new();
    let store = SqliteStore::open(place.file()).await.unwrap();
    let id = store.create_session(NewSession::with("tata", at(0))).await.unwrap().id;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    for number in 0..40_u32 {
        let whole = Batch {
            artifacts: vec![document("A", "", number + 1)],
            usage: vec![unknown_usage(1).into()],
            ..batch(u64::from(number) * 2, [said(1, &"x".repeat(500)), made(number + 1)])
        };
        store.append(&lease, whole).await.unwrap();
    }
    let log = fs::read(place.folder().join("tata.db-wal")).unwrap();
    let database = fs::read(place.file()).unwrap();
    let handle = tokio::runtime::Handle::current();
    let run = move || {
        TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() })
            .run(&any::<Index>().prop_map(|index| index.index(log.len() + 1)), |length| {
                handle.block_on(check(&database, &log[..length]));
                Ok(())
            })
            .unwrap_or_else(|failure| panic!("{failure}"));
        handle.block_on(check(&database, &log));
    };
    tokio::task::spawn_blocking(run).await.unwrap();
}

fn made(version: u32) -> Entry {
    Entry::ArtifactStored { turn: 1, name: name("A", ""), version }
}

async fn check(database: &[u8], log: &[u8]) {
    let place = Place::new();
    fs::write(place.file(), database).unwrap();
    fs::write(place.folder().join("tata.db-wal"), log).unwrap();
    let store = SqliteStore::open(place.file()).await.unwrap();
    assert_eq!(store.verify().await.unwrap().damages, []);
    for session in store.sessions(SessionFilter::default()).await.unwrap().sessions {
        let begun = store.begin(session.id, LONG).await.unwrap();
        let count = begun.records.len();
        assert_eq!(u64::try_from(count).unwrap(), session.last_position);
        assert_eq!(count % 2, 0, "half a batch");
        assert_eq!(tata_core::Artifacts::artifacts(&store, session.id).await.unwrap().len(), count / 2);
        assert_eq!(tata_core::Ledger::usage(&store, session.id).await.unwrap().len(), count / 2);
        let next = batch(session.last_position, [said(9, "on")]);
        store.append(&begun.lease, next).await.unwrap();
    }
}

/// Whether words stand anywhere in the file or its log.
fn stands_on_disk(place: &Place, words: &str) -> bool {
    let mut log = place.file().into_os_string();
    log.push("-wal");
    let holds = |path: &std::path::Path| {
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(words.len()).any(|found| found == words.as_bytes())
    };
    holds(&place.file()) || holds(std::path::Path::new(&log))
}

/// A conversation that was deleted stood in the log for as long as the server ran.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_deleted_is_gone_from_the_disk_while_the_store_is_open() {
    const SECRET: &str = "the candidate is called Runa Kvist";
    let place = Place::new();
    let store = SqliteStore::open(place.file()).await.unwrap();
    let kept = store.create_session(NewSession::with("tata", at(0))).await.unwrap();
    let session = store.create_session(NewSession::with("tata", at(0))).await.unwrap();
    let begun = store.begin(session.id, LONG).await.unwrap();
    store.append(&begun.lease, batch(0, [said(1, SECRET)])).await.unwrap();
    store.release(&begun.lease).await.unwrap();
    assert!(stands_on_disk(&place, SECRET), "or there is nothing to look for");
    // Somebody reads the database just now: the log cannot be emptied yet, and nobody waits for it.
    let reader = rusqlite::Connection::open(place.file()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM sessions").unwrap();
    store.delete_session(session.id, "anna".into(), at(1)).await.unwrap();
    assert!(store.session(kept.id).await.unwrap().is_some());
    assert!(stands_on_disk(&place, SECRET), "the reader does not hold the log");
    reader.execute_batch("COMMIT").unwrap();
    for _ in 0..100 {
        if !stands_on_disk(&place, SECRET) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("what was deleted still stands on the disk");
}
