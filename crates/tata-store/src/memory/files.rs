//! Files as they came.

use tata_core::{Files, NewFile, SessionId, StoreFuture, StoredFile};

use super::MemoryStore;

impl Files for MemoryStore {
    fn keep_file(&self, id: SessionId, file: NewFile) -> StoreFuture<'_, ()> {
        self.with(id, |held| {
            if !held.files.iter().any(|known| known.about.digest == file.about.digest) {
                held.files.push(file);
                held.files.sort_by(|a, b| (a.about.at, &a.about.digest).cmp(&(b.about.at, &b.about.digest)));
            }
            Ok(())
        })
    }

    fn files(&self, id: SessionId) -> StoreFuture<'_, Vec<StoredFile>> {
        self.read(id, |held| held.files.iter().map(|file| file.about.clone()).collect())
    }

    fn file_bytes(&self, id: SessionId, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.read(id, move |held| {
            held.files.iter().find(|file| file.about.digest == digest).map(|file| file.bytes.clone())
        })
    }
}
