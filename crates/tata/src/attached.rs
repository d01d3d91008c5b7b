//! The text of a file that a person brings: whatever the format, as far as it can be read.

use std::path::Path;

use tata_document::{FileReader, Hint, Limits, ReadError};

use crate::{
    cli::ImportKind,
    error::{Stopped, UsageError},
    named_file,
    readers::{OneEach, Owner},
};

/// Sheets of a workbook that are named in notes.
const MOST_SHEETS: usize = 20;

/// What was read of a file.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Attached {
    /// What it was taken for: transcript, table or text.
    pub(crate) kind: &'static str,
    /// The text, as it becomes a material.
    pub(crate) text: String,
    /// What was left out, or must be said by a person.
    pub(crate) notes: Vec<String>,
}

/// A file that was read, with its bytes.
type Whole = (Attached, Vec<u8>);

/// The text of a file, or why there is none.
pub(crate) async fn read_file(path: &Path, kind: Option<ImportKind>) -> anyhow::Result<Attached> {
    read_whole(path, kind).await.map(|(attached, _)| attached)
}

/// The same, with the bytes of the file.
pub(crate) async fn read_whole(path: &Path, kind: Option<ImportKind>) -> anyhow::Result<Whole> {
    apart(path, move |path| {
        let bytes = bytes_of(path)?;
        let attached = contents(Owner::default(), &name_of(path), bytes.clone(), kind)
            .map_err(|why| unread(path, &why))?;
        Ok((attached, bytes))
    })
    .await
}

/// The table in a file, or its text where it holds none; with the bytes of the file.
pub(crate) async fn read_table(path: &Path) -> anyhow::Result<Whole> {
    apart(path, |path| {
        let (name, bytes) = (name_of(path), bytes_of(path)?);
        let table = match contents(Owner::default(), &name, bytes.clone(), Some(ImportKind::Funnel)) {
            // Only a file without a table is read again: one that cost its reader too much is not tried twice.
            Err(ReadError::Unknown { .. } | ReadError::Empty { .. }) => {
                contents(Owner::default(), &name, bytes.clone(), Some(ImportKind::Notes))
            }
            table => table,
        };
        Ok((table.map_err(|why| unread(path, &why))?, bytes))
    })
    .await
}

/// Reads on a thread of its own, so that Ctrl-C is heard meanwhile.
async fn apart(
    path: &Path,
    work: impl FnOnce(&Path) -> anyhow::Result<Whole> + Send + 'static,
) -> anyhow::Result<Whole> {
    let path = path.to_owned();
    tokio::select! {
        done = tokio::task::spawn_blocking(move || work(&path)) => done?,
        _ = tokio::signal::ctrl_c() => Err(Stopped.into()),
    }
}

/// The text of a file by its name and bytes, or why there is none.
pub(crate) fn read_bytes(owner: Owner, name: &str, bytes: Vec<u8>) -> Result<Attached, ReadError> {
    contents(owner, name, bytes, None)
}

fn name_of(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned()
}

fn unread(path: &Path, why: &dyn std::fmt::Display) -> UsageError {
    UsageError(format!("{} cannot be read: {why}", path.display()))
}

/// The bytes of a file that is not too large.
fn bytes_of(path: &Path) -> anyhow::Result<Vec<u8>> {
    let most = u64::try_from(Limits::default().bytes).unwrap_or(u64::MAX);
    Ok(named_file::bytes(path, most).map_err(|why| unread(path, &why))?)
}

/// What a file says, read by a process of its own.
fn contents(
    owner: Owner,
    name: &str,
    bytes: Vec<u8>,
    kind: Option<ImportKind>,
) -> Result<Attached, ReadError> {
    let (limits, reader) = (Limits::default(), OneEach::for_person(owner));
    let (hint, ending) = (Hint::named(name), name.rsplit('.').next().unwrap_or_default().to_lowercase());
    let kind = kind.or(match ending.as_str() {
        "vtt" => Some(ImportKind::Transcript),
        "xlsx" | "csv" | "tsv" => Some(ImportKind::Funnel),
        _ => None,
    });
    let attached = match kind {
        Some(ImportKind::Transcript) => {
            let transcript = reader.read_transcript(bytes, hint, limits)?;
            Attached { kind: "transcript", text: transcript.text(), notes: transcript.notes }
        }
        Some(ImportKind::Funnel) => {
            let sheets = reader.read_sheets(bytes, hint, limits)?;
            let rows = sheets.iter().flat_map(|sheet| &sheet.rows).map(|row| row.join("\t"));
            let text = rows.collect::<Vec<_>>().join("\n");
            let names = sheets.iter().filter_map(|sheet| sheet.name.as_ref());
            let notes = names.take(MOST_SHEETS).map(|name| format!("sheet {name}")).collect();
            Attached { kind: "table", text, notes }
        }
        Some(ImportKind::Ad | ImportKind::Notes) | None => {
            let reading = reader.read_text(bytes, hint, limits)?;
            let text: Vec<&str> = reading.blocks.iter().map(|block| block.text.as_str()).collect();
            Attached { kind: "text", text: text.join("\n"), notes: reading.notes }
        }
    };
    if attached.text.trim().is_empty() {
        return Err(ReadError::Blank);
    }
    Ok(attached)
}
