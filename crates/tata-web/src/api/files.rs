//! Files that people bring: kept byte for byte, read, and used in a turn.

use axum::{
    Json,
    extract::{Path, Request},
    http::StatusCode,
    response::Response,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{Block, SessionId, StoredFile};
use utoipa::{IntoParams, ToSchema};

use crate::{
    Problem,
    error::ProblemDocument,
    files::{Brought, SentFile, download, read},
    input::Asked,
    state::{App, Named},
};

/// The characters of a file that are shown before it is used.
const PREVIEW: usize = 4_000;
/// The most files of one message.
const MOST_FILES: usize = 12;

/// A file that is kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FileView {
    /// SHA-256 of its bytes: its name in the session.
    digest: String,
    name: String,
    bytes: u64,
    #[schema(value_type = String, format = DateTime)]
    brought_at: Timestamp,
}

impl From<StoredFile> for FileView {
    fn from(file: StoredFile) -> Self {
        Self { digest: file.digest, name: file.name, bytes: file.size, brought_at: file.at }
    }
}

/// What was read from a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FileRead {
    /// By which a turn uses it.
    digest: String,
    name: String,
    /// What it was read as: `text`, `table` or `transcript`.
    kind: String,
    characters: usize,
    /// The beginning of the text.
    text: String,
    /// There is more of it.
    more: bool,
    /// What could not be read, and what was left out.
    notes: Vec<String>,
}

/// The files of a session.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FileList {
    files: Vec<FileView>,
}

/// How a file is called.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Called {
    /// The name it has at home; its ending says what it is.
    #[param(min_length = 1)]
    name: String,
}

/// Brings a file: it is read, and kept as it came. Nothing is said by that; a turn uses it by its `digest`.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/files", tag = "files", params(("id" = String, Path), Called),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = FileRead), (status = 404, body = ProblemDocument), (status = 413, body = ProblemDocument),
        (status = 415, body = ProblemDocument), (status = 422, body = ProblemDocument), (status = 503, body = ProblemDocument)))]
pub(crate) async fn bring(
    app: App,
    Named(session): Named,
    Asked(called): Asked<Called>,
    request: Request,
) -> Result<(StatusCode, Json<FileRead>), Problem> {
    let file = SentFile::of(&app, &called.name, request).await?;
    let name = file.name.clone();
    let mut brought = Brought::default();
    let read = brought.add(&app, file).await?;
    let digest = brought.digests().next().unwrap_or_default();
    brought.keep(&app, session.id).await?;
    let characters = read.text.chars().count();
    let text: String = read.text.chars().take(PREVIEW).collect();
    let view = FileRead {
        digest,
        name,
        kind: read.kind.to_owned(),
        characters,
        text,
        more: characters > PREVIEW,
        notes: read.notes,
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// The files of a session, in the order in which they came.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/files", tag = "files", params(("id" = String, Path)),
    responses((status = 200, body = FileList), (status = 404, body = ProblemDocument)))]
pub(crate) async fn list(app: App, Named(session): Named) -> Result<Json<FileList>, Problem> {
    let files = app.services.store.files(session.id).await?;
    Ok(Json(FileList { files: files.into_iter().map(FileView::from).collect() }))
}

/// A file, byte for byte as it came.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/files/{digest}", tag = "files",
    params(("id" = String, Path), ("digest" = String, Path)),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>), (status = 404, body = ProblemDocument)))]
pub(crate) async fn fetch(
    app: App,
    Named(session): Named,
    Path((_, digest)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (file, bytes) = stored(&app, session.id, &digest).await?;
    Ok(download(&file.name, "application/octet-stream", bytes))
}

async fn stored(app: &App, session: SessionId, digest: &str) -> Result<(StoredFile, Vec<u8>), Problem> {
    let store = &app.services.store;
    let known = store.files(session).await?.into_iter().find(|file| file.digest == digest);
    let bytes = store.file_bytes(session, digest.to_owned()).await?;
    known.zip(bytes).ok_or_else(|| {
        let digest: String = digest.chars().take(64).collect();
        Problem::not_found("file_not_found", format!("There is no file {digest:?} in this conversation."))
    })
}

/// The texts of files that were brought before, each a part of a message.
pub(super) async fn texts(app: &App, session: SessionId, digests: &[String]) -> Result<Vec<Block>, Problem> {
    if digests.len() > MOST_FILES {
        let detail = format!("files has {} entries; a message takes at most {MOST_FILES}.", digests.len());
        return Err(Problem::invalid("files", detail));
    }
    let mut blocks = Vec::new();
    for digest in digests {
        let (file, bytes) = stored(app, session, digest).await?;
        blocks.push(Block::text(read(app, &file.name, bytes).await?.text));
    }
    Ok(blocks)
}
