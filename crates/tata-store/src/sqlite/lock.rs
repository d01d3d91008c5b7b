//! Who on this machine is alive: every open store holds a lock on a file of its own.
//!
//! A lease in the database names its owner. When a program is killed, the kernel drops its lock at once, and whoever
//! finds the lease knows that nobody will come back for it: the turn can be resumed without waiting for the lease to
//! run out. Locks are advisory and local; a database on a network drive is not for several machines (Postgres is).

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use tata_core::StoreError;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::failure::not_writable;

/// Held while a store opens the database, so that two of them neither migrate it nor tidy up at the same time.
const GUARD: &str = "opening";
const PATIENCE: Duration = Duration::from_secs(10);

/// The sign of life of one open store.
#[derive(Debug)]
pub(super) struct Owner {
    token: String,
    folder: PathBuf,
    /// Locked as long as it is open; none for who only reads.
    file: Option<File>,
}

impl Owner {
    /// Makes the sign of life. Call it under [`guard`].
    pub(super) fn new(database: &Path) -> Result<Self, StoreError> {
        let (folder, token) = (folder_of(database), Uuid::new_v4().to_string());
        let path = folder.join(&token);
        let file = private(&path)
            .and_then(|file| file.try_lock().map(|()| file).map_err(io::Error::from))
            .map_err(|error| not_writable(&path.display().to_string(), error))?;
        Ok(Self { token, folder, file: Some(file) })
    }

    /// For a store that only reads: it takes no leases, and only asks who is alive.
    pub(super) fn nobody(database: &Path) -> Self {
        Self { token: String::new(), folder: folder_of(database), file: None }
    }

    /// The name under which this store takes leases.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Whether an owner may still come back. In doubt, yes.
    pub(super) fn is_alive(&self, token: &str) -> bool {
        token == self.token
            || match File::open(self.folder.join(token)) {
                // A shared lock: two that ask at the same time must not take each other for the owner.
                Ok(file) => file.try_lock_shared().is_err(),
                Err(error) => error.kind() != io::ErrorKind::NotFound,
            }
    }

    /// Leaves no sign of life: whoever finds a lease of ours may take it at once.
    pub(super) fn resign(&self) {
        if self.file.is_none() {
            return;
        }
        // What cannot be removed is tidied up by the next store that opens.
        drop(fs::remove_file(self.folder.join(&self.token)));
    }
}

/// Waits for the right to open the database, and clears away the signs of owners that died.
///
/// It waits by trying: a blocking wait could stop the very thread on which the other one is to finish.
pub(super) async fn guard(database: &Path) -> Result<File, StoreError> {
    let folder = folder_of(database);
    let path = folder.join(GUARD);
    let failed = |error| not_writable(&path.display().to_string(), error);
    private_folder(&folder).map_err(failed)?;
    let guard = private(&path).map_err(failed)?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        match guard.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                sleep(Duration::from_millis(5)).await;
            }
            Err(error @ TryLockError::WouldBlock) => {
                return Err(StoreError::Unavailable { source: Box::new(error) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    for entry in fs::read_dir(&folder).map_err(failed)?.flatten() {
        if entry.file_name() != GUARD
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            drop(fs::remove_file(entry.path()));
        }
    }
    Ok(guard)
}

/// Opens a file that only its owner may read, and makes it if need be: candidates' data is private.
pub(super) fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a folder, and those above it, that only their owner may enter.
pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Beside the file itself, however the path to it is spelled: two processes must look into the same folder.
fn folder_of(database: &Path) -> PathBuf {
    let real = database.canonicalize().or_else(|_| {
        // Not there yet: then at least its folder is.
        let name = database.file_name().unwrap_or_default();
        let parent = database.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.unwrap_or(Path::new(".")).canonicalize().map(|folder| folder.join(name))
    });
    let mut folder = real.unwrap_or_else(|_| database.to_owned()).into_os_string();
    folder.push(".owners");
    folder.into()
}
