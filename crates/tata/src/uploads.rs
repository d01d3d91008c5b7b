//! The files that people bring to a server's collection of documents.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::{config::Config, private, wiring};

/// The folder of a company's files.
pub(crate) fn folder(config: &Config, company: Option<&str>) -> PathBuf {
    let mut folder = config.data_dir.join("uploads");
    if let Some(company) = wiring::other_company(company) {
        folder.push(wiring::short_seal(company));
    }
    folder
}

/// Keeps a file, for its owner alone.
pub(crate) fn keep(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        private::folder(folder).context("the folder for files cannot be made")?;
    }
    private::write_bytes(path, bytes)
}

/// Removes the file behind a document, if it was brought to this folder. Files that lie elsewhere are their owner's.
pub(crate) fn remove(folder: &Path, url: &str) -> io::Result<()> {
    let Some(path) = tata_knowledge::file_of(url) else { return Ok(()) };
    let Ok(folder) = fs::canonicalize(folder) else { return Ok(()) };
    if path.parent() != Some(folder.as_path()) {
        return Ok(());
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
