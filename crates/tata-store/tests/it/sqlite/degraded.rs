//! Places where nothing can be written: what is there can be read, and writing says why not.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use tata_core::{Batch, NewSession, SessionFilter, SessionId, Store, StoreError};
use tata_store::SqliteStore;
use tata_testkit::store::{LONG, at, batch, finished, said, session, upkeep::rich};

use super::meddle;
use crate::place::Place;

/// A small disk of its own, gone with the test. Making one needs rights that not everybody has.
struct Disk(PathBuf);

impl Disk {
    #[expect(clippy::print_stderr, reason = "a test that is left out says so")]
    fn new(place: &Place, megabytes: u32) -> Option<Self> {
        let folder = place.folder().join("disk");
        fs::create_dir(&folder).unwrap();
        let size = format!("size={megabytes}m");
        let mut mount = Command::new("mount");
        let made = mount.args(["-t", "tmpfs", "-o", &size, "tata-test"]).arg(&folder).output();
        if made.is_ok_and(|made| made.status.success()) {
            return Some(Self(folder));
        }
        eprintln!(
            "SKIPPED: a small disk cannot be mounted here; run as root to test a full and a read-only one"
        );
        None
    }

    fn file(&self) -> PathBuf {
        self.0.join("tata.db")
    }

    fn make_read_only(&self) {
        let done = Command::new("mount").args(["-o", "remount,ro"]).arg(&self.0).status().unwrap();
        assert!(done.success());
    }

    /// Leaves no room.
    fn fill(&self) -> PathBuf {
        let path = self.0.join("filler");
        drop(fs::write(&path, vec![1; 64 << 20]));
        drop(fs::write(self.0.join("filler-2"), vec![1; 4 << 20]));
        path
    }

    fn make_room(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
        drop(fs::remove_file(self.0.join("filler-2")));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(&self.0).status());
    }
}

async fn open(path: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(path).await.unwrap())
}

/// Everything can be read, nothing written, and the reason is said.
async fn check_reading(path: &Path, id: SessionId, entries: usize) {
    let store = open(path).await;
    let reason = store.read_only().unwrap().to_owned();
    let store: Arc<dyn Store> = store;
    assert_eq!(store.sessions(SessionFilter::default()).await.unwrap().sessions[0].id, id);
    assert_eq!(store.records(id, 0).await.unwrap().len(), entries);
    assert_eq!(store.artifacts(id).await.unwrap().len(), 2);
    assert_eq!(store.usage(id).await.unwrap().len(), 2);
    assert_eq!(store.salvage(id.to_string()).await.unwrap().unwrap().lost, []);
    assert_eq!(store.verify().await.unwrap().damages, []);
    assert_eq!(store.interrupted().await.unwrap(), []);
    store.settle().await.unwrap();
    let refusals = [
        store.create_session(NewSession::with("tata", at(0))).await.map(drop),
        store.begin(id, LONG).await.map(drop),
        store.delete_session(id, "anna".into(), at(0)).await,
    ];
    for refused in refusals {
        assert!(
            matches!(&refused, Err(StoreError::NotWritable { reason: said, .. }) if *said == reason),
            "{refused:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_disk_can_be_read() {
    let place = Place::new();
    let Some(disk) = Disk::new(&place, 8) else { return };
    let store: Arc<dyn Store> = open(&disk.file()).await;
    let id = rich(&store).await;
    store.settle().await.unwrap();
    drop(store);
    wait_for_the_end(&disk.file()).await;
    disk.make_read_only();
    check_reading(&disk.file(), id, 6).await;
}

/// As after a power cut, or in a backup: what was acknowledged last stands in the log alone, and is read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_on_a_read_only_disk_is_read() {
    for with_index in [false, true] {
        let place = Place::new();
        let Some(disk) = Disk::new(&place, 8) else { return };
        let store: Arc<dyn Store> = open(&place.file()).await;
        let id = rich(&store).await;
        store.settle().await.unwrap();
        let lease = store.begin(id, LONG).await.unwrap().lease;
        let more = Batch { release: true, ..batch(6, [said(3, "more"), finished(3)]) };
        store.append(&lease, more).await.unwrap();
        let ends = ["", "-wal", "-shm"];
        for end in ends.iter().take(if with_index { 3 } else { 2 }) {
            let name = format!("tata.db{end}");
            fs::copy(place.folder().join(&name), disk.0.join(&name)).unwrap();
        }
        assert!(fs::metadata(disk.0.join("tata.db-wal")).unwrap().len() > 0, "there is a log");
        disk.make_read_only();
        check_reading(&disk.file(), id, 8).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_can_be_read_and_works_again_when_there_is_room() {
    let place = Place::new();
    let Some(disk) = Disk::new(&place, 8) else { return };
    let store: Arc<dyn Store> = open(&disk.file()).await;
    let id = rich(&store).await;
    // Somebody is at work when the disk gets full: the turn fails by name, and reading goes on.
    let other = session(&store).await;
    let lease = store.begin(other, LONG).await.unwrap().lease;
    disk.fill();
    let mut position = 0;
    let refused = loop {
        match store.append(&lease, batch(position, [said(1, &"x".repeat(100_000))])).await {
            Ok(()) => position += 1,
            Err(error) => break error,
        }
        assert!(position < 1000, "the disk is never full");
    };
    assert!(matches!(refused, StoreError::NotWritable { .. }), "{refused:?}");
    assert_eq!(store.records(id, 0).await.unwrap().len(), 6);
    disk.make_room();
    store.append(&lease, batch(position, [finished(1)])).await.unwrap();
    store.release(&lease).await.unwrap();
    store.delete_session(other, "anna".into(), at(0)).await.unwrap();
    store.settle().await.unwrap();
    drop(store);
    wait_for_the_end(&disk.file()).await;
    // Nobody has it open, and nothing can be made beside it.
    disk.fill();
    check_reading(&disk.file(), id, 6).await;
    disk.make_room();
    let store = open(&disk.file()).await;
    assert_eq!(store.read_only(), None);
    let store: Arc<dyn Store> = store;
    session(&store).await;
}

/// The rights of a file hold for everybody but root, who has the tests above.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_folder_or_file_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    for (file, folder) in [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)] {
        let place = Place::new();
        let home = place.folder().join("home");
        let store: Arc<dyn Store> = open(&home.join("tata.db")).await;
        let id = rich(&store).await;
        store.settle().await.unwrap();
        drop(store);
        wait_for_the_end(&home.join("tata.db")).await;
        let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        allow(&home.join("tata.db"), file);
        allow(&home.join("tata.db.owners"), folder);
        allow(&home, folder);
        if nix::unistd::Uid::effective().is_root() {
            // Root may write all the same, and then it works as ever.
            assert_eq!(open(&home.join("tata.db")).await.read_only(), None);
        } else {
            check_reading(&home.join("tata.db"), id, 6).await;
        }
        allow(&home, 0o700);
        allow(&home.join("tata.db.owners"), 0o700);
    }
}

#[tokio::test]
async fn a_dangling_link_is_named() {
    let place = Place::new();
    std::os::unix::fs::symlink("/nowhere/at/all.db", place.file()).unwrap();
    let refused = SqliteStore::open(place.file()).await.unwrap_err().to_string();
    let expected = "is a link to /nowhere/at/all.db, which is not there";
    assert!(refused.contains(expected) && refused.contains("tata.db"), "{refused}");
    // A link that leads somewhere is as good as the file.
    let real = place.folder().join("real.db");
    let store: Arc<dyn Store> = open(&real).await;
    let id = session(&store).await;
    fs::remove_file(place.file()).unwrap();
    std::os::unix::fs::symlink(&real, place.file()).unwrap();
    let linked = open(&place.file()).await;
    assert_eq!(tata_core::Sessions::session(linked.as_ref(), id).await.unwrap().unwrap().id, id);
}

/// Somebody else's file stays somebody else's, also where it cannot be written.
#[tokio::test]
async fn a_read_only_file_of_others_is_refused() {
    let place = Place::new();
    let Some(disk) = Disk::new(&place, 8) else { return };
    meddle(&disk.file(), "CREATE TABLE birds (name TEXT)");
    disk.make_read_only();
    let refused = SqliteStore::open(disk.file()).await;
    assert!(
        matches!(&refused, Err(StoreError::Unusable { reason }) if reason == "it belongs to another program"),
        "{refused:?}"
    );
}

/// The last connection to close moves the log into the file.
async fn wait_for_the_end(path: &Path) {
    let log = format!("{}-wal", path.display());
    for _ in 0..5000 {
        if !Path::new(&log).exists() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    panic!("the store is not closed");
}
