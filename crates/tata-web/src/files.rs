//! Files in and out, for the API and for the pages alike.

use axum::{
    extract::Request,
    http::{
        StatusCode,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};
use tata_core::{Artifact, Block, NewAudit, NewFile, Session, SessionId};

use crate::{Problem, UnreadFile, UploadRead, encoded::encoded, input, state::App};

/// Seconds after which a place to read a file is free again, at the latest.
const AGAIN_AFTER: u64 = 5;

/// A file that somebody brings.
pub(crate) struct SentFile {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl SentFile {
    /// A file as a program sends it: bytes, and the name beside them.
    pub(crate) async fn of(app: &App, name: &str, request: Request) -> Result<Self, Problem> {
        let kind =
            request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        // A form of a stranger's page cannot send this type without asking first.
        if !kind.eq_ignore_ascii_case("application/octet-stream") {
            let kind: String = kind.chars().take(80).collect();
            let detail = format!("The body is {kind:?}; a file is sent as application/octet-stream.");
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_a_file", detail));
        }
        if name.trim().is_empty() {
            return Err(Problem::invalid(
                "name",
                "name is empty; it says what the file is, such as notes.docx.",
            ));
        }
        let bytes = input::read(request.into_body(), app.services.files.largest).await?;
        Self::new(name, bytes.to_vec(), app.services.files.largest)
    }

    /// A file within the limit of one.
    pub(crate) fn new(name: &str, bytes: Vec<u8>, most: usize) -> Result<Self, Problem> {
        let name = tidy(name);
        if bytes.len() > most {
            let detail = format!("{name} has {} bytes; {most} are the most of one file.", bytes.len());
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "file_too_large", detail));
        }
        Ok(Self { name, bytes })
    }
}

/// The last part of a name, short and on one line.
pub(crate) fn tidy(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars().filter(|letter| !letter.is_control()).take(120).collect()
}

/// Reads a file on a thread of its own: parsers take their time.
pub(crate) async fn read(app: &App, name: &str, bytes: Vec<u8>) -> Result<UploadRead, Problem> {
    let (reader, own, owner) = (app.services.files.read.clone(), name.to_owned(), app.file_owner());
    match tokio::task::spawn_blocking(move || reader(owner, &own, bytes)).await {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(UnreadFile::Later(why))) => {
            let problem =
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "readers_busy", format!("{name}: {why}"));
            Err(Problem { retry_after: Some(AGAIN_AFTER), ..problem })
        }
        Ok(Err(UnreadFile::Unreadable(why))) => {
            let problem =
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "file_unreadable", format!("{name}: {why}"));
            Err(Problem { field: Some("file".to_owned()), ..problem })
        }
        Err(error) => Err(Problem::internal(&error)),
    }
}

/// Files that were read: what they say, and what is kept of them.
#[derive(Default)]
pub(crate) struct Brought {
    pub(crate) blocks: Vec<Block>,
    files: Vec<NewFile>,
}

impl Brought {
    /// Reads one more. Its text is a material of its own.
    pub(crate) async fn add(&mut self, app: &App, file: SentFile) -> Result<UploadRead, Problem> {
        let read = read(app, &file.name, file.bytes.clone()).await?;
        self.blocks.push(Block::text(read.text.as_str()));
        self.files.push(NewFile::new(file.name, file.bytes, &read.text, app.services.clock.now()));
        Ok(read)
    }

    /// What their bytes come to.
    pub(crate) fn digests(&self) -> impl Iterator<Item = String> + '_ {
        self.files.iter().map(|file| file.about.digest.clone())
    }

    /// Keeps the files of a session as they came.
    pub(crate) async fn keep(self, app: &App, session: SessionId) -> Result<Vec<Block>, Problem> {
        for file in self.files {
            app.services.store.keep_file(session, file).await?;
        }
        Ok(self.blocks)
    }
}

/// A document as a file of a format, given by its ending; told whether a model wrote in its session.
pub(crate) async fn export(
    app: &App,
    session: Session,
    artifact: Artifact,
    format: &str,
) -> Result<Vec<u8>, Problem> {
    let usage = app.services.store.usage(session.id).await?;
    let by_ai = usage.iter().any(|row| !(app.services.files.is_rules)(row.model.as_str()));
    let (export, ending) = (app.services.files.export.clone(), format.to_owned());
    let entry = NewAudit {
        at: app.services.clock.now(),
        actor: app.services.person.name.clone(),
        account: app.account.as_ref().map(|account| account.id.clone()),
        tenant: session.tenant_id.clone(),
        action: "artifact.exported".to_owned(),
        subject: session.id.to_string(),
        detail: format!("{} {} v{} {format}", artifact.name.kind, artifact.name.key, artifact.version),
    };
    let bytes = match tokio::task::spawn_blocking(move || export(&session, &artifact, &ending, by_ai)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(why)) => return Err(Problem::invalid("format", why)),
        Err(error) => return Err(Problem::internal(&error)),
    };
    // What leaves is written down before it does.
    app.audit.record_audit(entry).await?;
    Ok(bytes)
}

/// Bytes that a browser puts into a file and never shows as a page of ours.
pub(crate) fn download(name: &str, media_type: &str, bytes: Vec<u8>) -> Response {
    let ascii: String = name
        .chars()
        .map(|c| if (c.is_ascii_graphic() && c != '"' && c != '\\') || c == ' ' { c } else { '_' })
        .collect();
    let exact = if ascii == name { String::new() } else { format!("; filename*=UTF-8''{}", encoded(name)) };
    let disposition = format!("attachment; filename=\"{ascii}\"{exact}");
    ([(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, disposition)], bytes).into_response()
}

/// The type of a format, given by its ending.
pub(crate) fn media_type(ending: &str) -> &'static str {
    match ending {
        "md" => "text/markdown; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "ics" => "text/calendar; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ => "application/octet-stream",
    }
}
