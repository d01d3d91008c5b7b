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
use crate::{Problem, Rendering, encoded::encoded, input::Asked};

/// The projects that are looked through for words, the last used first.
const MOST_SEARCHED: u32 = 200;
/// The documents of a page.
const MOST_SHOWN: usize = 40;

#[derive(Template)]
#[template(path = "documents.html")]
struct DocumentsPage {
    shell: Shell,
    w: &'static Words,
    q: String,
    rows: Vec<DocumentRow>,
    more: Option<String>,
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
    /// So many were shown before.
    from: usize,
}

pub(crate) async fn list(ui: Ui, Asked(which): Asked<Which>) -> Result<Response, Problem> {
    let q: String = which.q.trim().chars().take(200).collect();
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    let end = which.from.saturating_add(MOST_SHOWN);
    // Without a search, a few projects fill a page; some have nothing but their settings.
    let enough = u32::try_from(end.saturating_add(1).saturating_mul(4)).unwrap_or(u32::MAX);
    let limit = if words.is_empty() { enough } else { MOST_SEARCHED };
    let filter = SessionFilter { with_documents: true, limit: Some(limit), ..SessionFilter::default() };
    let mut rows = Vec::new();
    for session in ui.app.desk().list(filter).await?.sessions {
        // One more than a page has says that there are others.
        if rows.len() > end {
            break;
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
    let more = (rows.len() > end).then(|| format!("/documents?q={}&from={end}", encoded(&q)));
    let rows = rows.into_iter().skip(which.from).take(MOST_SHOWN).collect();
    let shell = ui.shell(ui.words().documents, Place::Documents, None).await?;
    ui.page(&DocumentsPage { shell, w: ui.words(), q, rows, more })
}
