//! The disk by itself: what it takes to make something durable, for no store can be faster.

use std::{
    cell::Cell,
    fs::{self, File},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::measure::milliseconds;

const PAGE: [u8; 4096] = [7; 4096];
/// So many pages SQLite's log has before it begins again.
const PAGES: u64 = 1_000;
/// Where a file is memory, if this system has such a place.
const MEMORY: &str = "/dev/shm";

/// A folder of this process, gone with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Beside the program: a temporary one may be memory, and memory needs no durability.
    pub(crate) fn on_disk() -> Self {
        Self::within(std::env::current_exe().unwrap().parent().unwrap())
    }

    /// Where nothing waits for a disk.
    pub(crate) fn in_memory() -> Self {
        Self::within(Path::new(MEMORY))
    }

    fn within(place: &Path) -> Self {
        let folder = place.join(format!("bench-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn has_memory() -> bool {
    Path::new(MEMORY).is_dir()
}

/// A file whose pages are overwritten and made durable, one after the other and then again, as a database writes its log.
pub(crate) struct Pages {
    file: File,
    next: Cell<u64>,
    _folder: Folder,
}

impl Pages {
    pub(crate) fn new() -> Self {
        let folder = Folder::on_disk();
        let file = File::create(folder.join("pages")).unwrap();
        file.write_all_at(&PAGE.repeat(PAGES as usize), 0).unwrap();
        file.sync_all().unwrap();
        Self { file, next: Cell::new(0), _folder: folder }
    }

    /// Writes one page and waits until it is durable.
    pub(crate) fn write(&self) {
        let page = self.next.get();
        self.next.set((page + 1) % PAGES);
        self.file.write_all_at(&PAGE, page * PAGE.len() as u64).unwrap();
        self.file.sync_data().unwrap();
    }
}

/// How long the disk takes for one page, so long after the last one. In milliseconds, the shortest first.
pub(crate) fn syncs(count: usize, pause: Duration) -> Vec<f64> {
    let pages = Pages::new();
    let one = |_| {
        let rested = Instant::now();
        // To sleep takes longer than so short a time.
        while rested.elapsed() < pause {
            std::hint::spin_loop();
        }
        let begun = Instant::now();
        pages.write();
        milliseconds(begun.elapsed())
    };
    let mut times: Vec<f64> = (0..count).map(one).collect();
    times.sort_by(f64::total_cmp);
    times
}
