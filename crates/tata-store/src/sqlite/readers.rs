//! Those who read: a few connections, used on threads that may wait for the disk.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::Connection;
use tata_core::StoreError;
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use super::connection::{self, Access, PATIENCE};
use crate::failure::Failure;

const MOST: usize = 4;

/// Connections that only read, opened when they are needed.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    access: Access,
    idle: Mutex<Vec<Connection>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(path: PathBuf, access: Access) -> Arc<Self> {
        // Each copy needs its room.
        let places = if access == Access::Copied { 1 } else { MOST };
        Arc::new(Self { path, access, idle: Mutex::default(), places: Arc::new(Semaphore::new(places)) })
    }

    /// Reads, on a thread that may wait. A caller that goes away meanwhile disturbs nobody.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let gone = |source| StoreError::Unavailable { source };
        let place = timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await;
        let place = place.map_err(|late| gone(late.into()))?.map_err(|closed| gone(closed.into()))?;
        let readers = Arc::clone(self);
        let done = spawn_blocking(move || {
            let _place = place;
            let idle = readers.idle().pop();
            let connection = idle.map_or_else(|| connection::reading(&readers.path, readers.access), Ok)?;
            let before = (readers.access == Access::Immutable).then(|| connection::standing(&readers.path));
            let done = work(&connection);
            // Nobody was to write, and nothing else keeps them from it: what was read then may be of two moments.
            if before.is_some_and(|before| before != connection::standing(&readers.path)) {
                return Err(
                    StoreError::Unavailable { source: "another process began to write it".into() }.into()
                );
            }
            readers.idle().push(connection);
            done
        });
        Ok(done.await.map_err(|ended| gone(ended.into()))??)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
