//! Files as they came.

use rusqlite::{Connection, params};
use tata_core::{Files, NewFile, SessionId, Sessions, StoreFuture, StoredFile};

use super::{
    SqliteStore,
    connection::{all, first, run},
    writer::Request,
};
use crate::{
    change::no_session,
    failure::Failure,
    rows::{self, json, millis},
    sql,
};

/// Keeps a file; tells whether it was written.
pub(super) fn keep(connection: &Connection, (id, file): &(SessionId, NewFile)) -> Result<bool, Failure> {
    let about = &file.about;
    let values = params![about.digest, millis(about.at), json(about)?, file.bytes, id.to_string()];
    Ok(run(connection, sql::KEEP_FILE, values)? > 0)
}

impl Files for SqliteStore {
    fn keep_file(&self, id: SessionId, file: NewFile) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let kept = self.ask((id, file), Request::File).await?;
            // Nothing was written: it is there already, or the session is not.
            if kept || self.session(id).await?.is_some() { Ok(()) } else { Err(no_session(id)) }
        })
    }

    fn files(&self, id: SessionId) -> StoreFuture<'_, Vec<StoredFile>> {
        Box::pin(
            self.readers
                .read(move |connection| all(connection, sql::FILES, [id.to_string()], |row| rows::file(row))),
        )
    }

    fn file_bytes(&self, id: SessionId, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(self.readers.read(move |connection| {
            let found =
                first(connection, sql::FILE_BYTES, params![id.to_string(), digest], |row| Ok(row.get(0)?))?;
            Ok(found)
        }))
    }
}
