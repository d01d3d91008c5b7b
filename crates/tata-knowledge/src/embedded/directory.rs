//! The folder of an index. Its files are mapped into memory, all but the rows themselves: they are large, a question
//! needs few of them, and a mapped file stays in memory as a whole once questions have gone over it.

use std::{fs::File, io, path::Path, sync::Arc};

use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
    error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
};
use tantivy_common::file_slice::WrapFile;

/// The ending of the files that hold rows.
const ROWS: &str = "store";

/// A folder in which rows are read and everything else is mapped.
#[derive(Clone, Debug)]
pub(super) struct RowsOnDisk {
    mapped: MmapDirectory,
    folder: Arc<Path>,
}

impl RowsOnDisk {
    pub(super) fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { mapped: MmapDirectory::open(folder)?, folder: folder.into() })
    }
}

impl Directory for RowsOnDisk {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        if path.extension().is_none_or(|ending| ending != ROWS) {
            return self.mapped.get_file_handle(path);
        }
        let file =
            File::open(self.folder.join(path)).and_then(WrapFile::new).map_err(|error| match error {
                error if error.kind() == io::ErrorKind::NotFound => {
                    OpenReadError::FileDoesNotExist(path.to_owned())
                }
                error => OpenReadError::wrap_io_error(error, path.to_owned()),
            })?;
        Ok(Arc::new(file))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.mapped.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.mapped.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.mapped.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.mapped.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.mapped.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.mapped.watch(callback)
    }
}
