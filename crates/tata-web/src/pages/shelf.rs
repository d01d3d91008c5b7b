//! The documents of all projects.

use askama::Template;
use axum::response::Response;
use serde::Deserialize;
use tata_core::SessionFilter;

use super::{
    panel::tab_name,
    turns::document_address,
    ui::{Place, Shell, Ui},
    words::Words,
};
use crate::{Problem, Rendering, input::Asked};

/// The projects that are looked through, the last used first.
const MOST_PROJECTS: u32 = 200;
/// The documents that are shown.
const MOST_SHOWN: usize = 100;

#[derive(Template)]
#[template(path = "documents.html")]
struct DocumentsPage {
    shell: Shell,
    w: &'static Words,
    q: String,
    rows: Vec<DocumentRow>,
}

struct DocumentRow {
    name: String,
    address: String,
    project: String,
    project_address: String,
    version: u32,
    at: String,
    stale: bool,
    approved: bool,
}

/// What to look for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Which {
    q: String,
}

pub(crate) async fn list(ui: Ui, Asked(which): Asked<Which>) -> Result<Response, Problem> {
    let q: String = which.q.trim().chars().take(200).collect();
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    let filter =
        SessionFilter { with_documents: true, limit: Some(MOST_PROJECTS), ..SessionFilter::default() };
    let mut rows = Vec::new();
    for session in ui.app.desk().list(filter).await?.sessions {
        if rows.len() >= MOST_SHOWN || ui.app.trash.holds(session.id) {
            continue;
        }
        let mut all = ui.app.services.store.newest_artifacts(session.id).await?;
        all.retain(|artifact| (ui.pages.is_document)(artifact.name.kind.as_str()));
        let project = ui.title_of(&session);
        for artifact in &all {
            let name = tab_name(&ui, &artifact.name);
            if !words.is_empty() {
                let text = (ui.app.services.render)(artifact, Rendering::Plain).unwrap_or_default();
                let whole = format!("{name}\n{project}\n{text}").to_lowercase();
                if !words.iter().all(|word| whole.contains(word.as_str())) {
                    continue;
                }
            }
            rows.push(DocumentRow {
                name,
                address: document_address(&session.id.to_string(), &artifact.name),
                project: project.clone(),
                project_address: format!("/p/{}", session.id),
                version: artifact.version,
                at: ui.moment(artifact.created_at),
                stale: artifact.stale,
                approved: artifact.approval.is_some(),
            });
        }
    }
    rows.truncate(MOST_SHOWN);
    let shell = ui.shell(ui.words().documents, Place::Documents, None).await?;
    ui.page(&DocumentsPage { shell, w: ui.words(), q, rows })
}
