//! What a form brings: words and files, within limits.

use std::time::Duration;

use axum::{
    Json,
    extract::{FromRequest, Multipart, Request, multipart::MultipartError},
    http::StatusCode,
};
use serde::Serialize;
use tata_core::{Block, Message, Origin, SessionId};

use super::ui::Ui;
use crate::{
    Problem, UploadRead,
    budgets::MOST_FORM_BYTES,
    files::{Brought, SentFile, read, tidy},
    state::ServerState,
};

/// The most files of one message.
const MOST_FILES: usize = 12;
/// They must have arrived by then.
const UPLOAD_TIME: Duration = Duration::from_mins(3);
/// The characters of a file that are shown before it is used.
const PREVIEW: usize = 4_000;

/// A form with words and files.
#[derive(Default)]
pub(crate) struct Sent {
    pub(super) fields: Vec<(String, String)>,
    pub(crate) files: Vec<SentFile>,
}

impl Sent {
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// The last field of this name that holds something.
    pub(crate) fn last(&self, name: &str) -> Option<&str> {
        let mut named = self.fields.iter().rev().filter(|(key, _)| key == name);
        named.next().map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

impl FromRequest<ServerState> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &ServerState) -> Result<Self, Problem> {
        let form = Multipart::from_request(request, server).await;
        let form = form.map_err(|error| Problem::bad("invalid_form", error.body_text()))?;
        let sent = tokio::time::timeout(UPLOAD_TIME, gather(form, server)).await;
        sent.unwrap_or_else(|_| {
            let detail = format!("The files did not arrive within {} seconds.", UPLOAD_TIME.as_secs());
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail))
        })
    }
}

async fn gather(mut form: Multipart, server: &ServerState) -> Result<Sent, Problem> {
    let mut sent = Sent::default();
    while let Some(field) = form.next_field().await.map_err(|error| broken(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        let Some(file) = field.file_name().map(tidy) else {
            sent.fields.push((name, field.text().await.map_err(|error| broken(&error))?));
            continue;
        };
        let bytes = field.bytes().await.map_err(|error| broken(&error))?;
        // A form without a chosen file sends an empty one.
        if file.is_empty() && bytes.is_empty() {
            continue;
        }
        let file = SentFile::new(&file, bytes.to_vec(), server.largest_file())?;
        if sent.files.len() == MOST_FILES {
            let detail =
                format!("A message takes at most {MOST_FILES} files; send the others with the next one.");
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_many_files", detail));
        }
        sent.files.push(file);
    }
    Ok(sent)
}

fn broken(error: &MultipartError) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let detail =
            format!("The files have more than {MOST_FORM_BYTES} bytes together; send them one by one.");
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail);
    }
    Problem::bad("invalid_form", error.body_text())
}

/// What a person says with a form: the texts of its files, then the words. Each is a material of its own.
pub(crate) struct Said {
    brought: Brought,
    words: Option<Block>,
}

impl Said {
    pub(crate) async fn read(ui: &Ui, sent: &mut Sent) -> Result<Self, Problem> {
        let mut brought = Brought::default();
        for file in std::mem::take(&mut sent.files) {
            brought.add(&ui.app, file).await?;
        }
        // A browser sends the line ends of another age.
        let words = sent.field("message").replace("\r\n", "\n");
        let words = (!words.trim().is_empty()).then(|| Block::text(words));
        if brought.blocks.is_empty() && words.is_none() {
            return Err(Problem::invalid("message", "The message is empty; say something or bring a file."));
        }
        Ok(Self { brought, words })
    }

    /// The message, once its files are kept.
    pub(crate) async fn message(self, ui: &Ui, session: SessionId) -> Result<Message, Problem> {
        let mut blocks = self.brought.keep(&ui.app, session).await?;
        blocks.extend(self.words);
        Ok(Message { blocks: blocks.into(), origin: Some(Origin::page(ui.lang.code())), ..Message::user("") })
    }
}

/// What is in a file, before it is used.
#[derive(Serialize)]
pub(crate) struct Preview {
    name: String,
    kind: &'static str,
    characters: usize,
    /// The beginning of the text.
    text: String,
    /// There is more of it.
    more: bool,
    notes: Vec<String>,
}

pub(crate) async fn preview(ui: Ui, mut sent: Sent) -> Result<Json<Preview>, Problem> {
    let Some(file) = sent.files.pop() else {
        return Err(Problem::invalid("file", ui.words().file_none));
    };
    let name = file.name.clone();
    let UploadRead { kind, text, notes } = read(&ui.app, &file.name, file.bytes).await?;
    let characters = text.chars().count();
    let shown: String = text.chars().take(PREVIEW).collect();
    Ok(Json(Preview { name, kind, characters, text: shown, more: characters > PREVIEW, notes }))
}
