//! Those who read: a few connections, used on threads that may wait for the disk.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::Connection;
use tata_core::StoreError;
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use super::connection::{self, PATIENCE};
use crate::failure::Failure;

const MOST: usize = 4;

/// Connections that only read, opened when they are needed.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Arc<Self> {
        Arc::new(Self { path, idle: Mutex::default(), places: Arc::new(Semaphore::new(MOST)) })
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
            let connection = idle.map_or_else(|| connection::reading(&readers.path), Ok)?;
            let done = work(&connection);
            readers.idle().push(connection);
            done
        });
        Ok(done.await.map_err(|ended| gone(ended.into()))??)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
