//! The text of a file that a person brings: whatever the format, as far as it can be read.

use std::{fs, path::Path};

use tata_document::{Hint, Limits, read, read_sheets, read_transcript};

use crate::{cli::ImportKind, error::UsageError};

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

/// The text of a file, or why there is none.
pub(crate) fn read_file(path: &Path, kind: Option<ImportKind>) -> anyhow::Result<Attached> {
    read_whole(path, kind).map(|(attached, _)| attached)
}

/// The same, with the bytes of the file.
pub(crate) fn read_whole(path: &Path, kind: Option<ImportKind>) -> anyhow::Result<(Attached, Vec<u8>)> {
    let (limits, shown) = (Limits::default(), path.display());
    let unread = |why: &dyn std::fmt::Display| UsageError(format!("{shown} cannot be read: {why}"));
    let size = fs::metadata(path).map_err(|error| unread(&error))?.len();
    if usize::try_from(size).is_ok_and(|size| size > limits.bytes) {
        return Err(unread(&format!("it has {size} bytes, and {} is the most", limits.bytes)).into());
    }
    let bytes = fs::read(path).map_err(|error| unread(&error))?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let attached = read_bytes(name, bytes.clone(), kind).map_err(|error| unread(&format!("{error:#}")))?;
    Ok((attached, bytes))
}

/// The text of a file by its name and bytes, or why there is none.
pub(crate) fn read_bytes(name: &str, bytes: Vec<u8>, kind: Option<ImportKind>) -> anyhow::Result<Attached> {
    let limits = Limits::default();
    let unread = |why: &dyn std::fmt::Display| UsageError(why.to_string());
    let (hint, ending) = (Hint::named(name), name.rsplit('.').next().unwrap_or_default().to_lowercase());
    let kind = kind.or(match ending.as_str() {
        "vtt" => Some(ImportKind::Transcript),
        "xlsx" | "csv" | "tsv" => Some(ImportKind::Funnel),
        _ => None,
    });
    let attached = match kind {
        Some(ImportKind::Transcript) => {
            let transcript = read_transcript(bytes, &hint, &limits).map_err(|error| unread(&error))?;
            Attached { kind: "transcript", text: transcript.text(), notes: transcript.notes }
        }
        Some(ImportKind::Funnel) => {
            let sheets = read_sheets(bytes, &hint, &limits).map_err(|error| unread(&error))?;
            let rows = sheets.iter().flat_map(|sheet| &sheet.rows).map(|row| row.join("\t"));
            let notes =
                sheets.iter().filter_map(|sheet| sheet.name.as_ref()).map(|name| format!("sheet {name}"));
            Attached { kind: "table", text: rows.collect::<Vec<_>>().join("\n"), notes: notes.collect() }
        }
        Some(ImportKind::Ad | ImportKind::Notes) | None => {
            let reading = read(bytes, &hint, &limits).map_err(|error| unread(&error))?;
            let text: Vec<&str> = reading.blocks.iter().map(|block| block.text.as_str()).collect();
            Attached { kind: "text", text: text.join("\n"), notes: reading.notes }
        }
    };
    if attached.text.trim().is_empty() {
        return Err(unread(&"it has no text; a scanned page must be read by people first").into());
    }
    Ok(attached)
}
