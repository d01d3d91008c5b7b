//! The files that people bring to a server's collection of documents.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{config::Config, pending, private, wiring};

/// Where the folders of companies lie: no file of anybody begins with a dot, so none can be in their way.
const OF_COMPANIES: &str = ".companies";

/// The folder of a company's files.
pub(crate) fn folder(config: &Config, company: Option<&str>) -> PathBuf {
    let uploads = config.data_dir.join("uploads");
    let Some(company) = wiring::other_company(company) else { return uploads };
    let name = wiring::short_seal(company);
    // Earlier versions made it among the files of the company that always is; the index knows its files by their place.
    let earlier = uploads.join(&name);
    if earlier.is_dir() { earlier } else { uploads.join(OF_COMPANIES).join(name) }
}

/// A place in a folder for a file that somebody calls so, whatever the name is.
pub(crate) fn place(folder: &Path, name: &str) -> PathBuf {
    // Where the folder cannot be made, keeping the file will say why.
    drop(private::folder(folder));
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(file_name(name))
}

/// A name that is one on every system, whatever the browser said. Different names stay different: one that has to be
/// changed gets a seal of what it was.
fn file_name(name: &str) -> String {
    let plain: String = name.chars().map(plain_letter).take(LONGEST_NAME).collect();
    let plain = plain.trim().trim_start_matches('.').trim();
    if plain == name {
        return plain.to_owned();
    }
    let seal = wiring::short_seal(name);
    let stem = Path::new(plain).file_stem().and_then(|stem| stem.to_str()).unwrap_or("file");
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending: String = ending.chars().filter(|letter| letter.is_alphanumeric()).take(8).collect();
    let dot = if ending.is_empty() { "" } else { "." };
    format!("{stem} {}{dot}{ending}", &seal[..6])
}

/// The most characters of a name, without what is added to it.
const LONGEST_NAME: usize = 100;

fn plain_letter(letter: char) -> char {
    if letter.is_alphanumeric() || ".-_ ()".contains(letter) { letter } else { '_' }
}

/// The files of a folder. What a process that ended left half written is removed, so nobody may be writing there.
pub(crate) fn kept(folder: &Path, staged: &[&str]) -> io::Result<Vec<PathBuf>> {
    let Ok(folder) = fs::canonicalize(folder) else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_file() {
            continue;
        }
        let name = entry.file_name();
        // Nobody was told that it is kept: that is done once its change is written down.
        let is_nobodys = pending::is_staged(&name) && !staged.iter().any(|known| *known == name);
        if private::is_half_written(&name) || is_nobodys {
            tracing::warn!("a file that was only half written is removed");
            fs::remove_file(entry.path())?;
        } else if !pending::is_record(&name) && !pending::is_staged(&name) {
            files.push(entry.path());
        }
    }
    Ok(files)
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
