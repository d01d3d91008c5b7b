//! `tata artifact export` and `tata import`: documents leave as files, and files are looked at before they are used.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use tata_core::{Artifact, Session, Store};
use tata_document::{Options, Target, ics, write};
use tata_recruit::{export_words, invitation};

use crate::{
    attached,
    cli::{ExportForm, Import},
    error::UsageError,
    exit::Exit,
    private, shown,
    terminal::{DIM, NOTE, Terminal},
    wiring,
};

/// Writes a document to a file.
pub(super) async fn export(
    store: &dyn Store,
    session: &Session,
    artifact: &Artifact,
    format: Option<ExportForm>,
    output: Option<PathBuf>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let of_ending = output.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    let of_ending = of_ending.and_then(|ending| <ExportForm as clap::ValueEnum>::from_str(ending, true).ok());
    let form = format.or(of_ending).unwrap_or(ExportForm::Docx);
    let by_ai = store.usage(session.id).await?.iter().any(|row| wiring::is_ai(&row.model));
    let bytes = written(session, artifact, form, by_ai)?;
    let output = output.unwrap_or_else(|| PathBuf::from(file_name(artifact, form)));
    if output.as_os_str() == "-" {
        terminal.out().write_all(&bytes)?;
        return Ok(Exit::Done);
    }
    private::write_bytes(&output, &bytes)?;
    terminal.note(&format!("{} ({} bytes)", output.display(), bytes.len()));
    Ok(Exit::Done)
}

/// A document as a file of a format.
pub(super) fn written(
    session: &Session,
    artifact: &Artifact,
    form: ExportForm,
    by_ai: bool,
) -> anyhow::Result<Vec<u8>> {
    let json = serde_json::from_str(artifact.json.as_str())?;
    if form == ExportForm::Json {
        return Ok(format!("{json:#}\n").into_bytes());
    }
    if form == ExportForm::Ics {
        let uid = format!("{}-{}@tata", session.id, artifact.name.kind);
        let meeting = invitation(&json, &uid, artifact.version).map_err(UsageError)?;
        return Ok(ics(&meeting)?);
    }
    let Some(document) = shown::document(artifact) else {
        return Err(UsageError("this is no document for people; choose --format json".to_owned()).into());
    };
    let words = export_words(document.language.as_str());
    let options = Options {
        notice: by_ai.then(|| words.notice.to_owned()),
        sources: Some(words.sources.to_owned()),
        author: artifact.approval.as_ref().map(|approval| approval.by.clone()),
        organization: None,
        created: Some(artifact.created_at),
    };
    let target = Target::of_ending(form.ending()).unwrap_or(Target::Text);
    Ok(write(&document, target, &options)?)
}

/// A name for a file, made of what the document is called.
fn file_name(artifact: &Artifact, form: ExportForm) -> String {
    let title = shown::document(artifact).map(|document| document.title).unwrap_or_default();
    let title = if title.trim().is_empty() { artifact.name.kind.to_string() } else { title };
    let plain: String =
        title.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).take(80).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    format!("{} v{}.{}", words.join(" "), artifact.version, form.ending())
}

/// `tata import`: what a file holds.
pub(super) async fn import(wish: &Import, terminal: &Terminal) -> anyhow::Result<Exit> {
    let attached = attached::read_file(&wish.file, wish.kind).await?;
    if wish.json {
        writeln!(terminal.out(), "{:#}", serde_json::to_value(&attached)?)?;
        return Ok(Exit::Done);
    }
    terminal.say(&attached.text)?;
    terminal.say("\n")?;
    let count = attached.text.split_whitespace().count();
    terminal.note(&format!("{DIM}{} of {count} words; in a chat, /attach brings it{DIM:#}", attached.kind));
    for note in &attached.notes {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
    }
    Ok(Exit::Done)
}
