//! The documents that answers rest on: added, searched, removed.

use askama::Template;
use axum::{Form, response::Response};
use serde::Deserialize;

use super::{
    services::{Collection, Kept, PassageFound, Taken},
    ui::{Place, Shell, Ui, see},
    upload::Sent,
    words::{Words, counted},
};
use crate::{
    Problem,
    api::documents::{add_document, remove_document},
    input::Asked,
};

#[derive(Template)]
#[template(path = "knowledge.html")]
struct KnowledgePage {
    shell: Shell,
    w: &'static Words,
    q: String,
    found: Option<Vec<PassageFound>>,
    kept: Vec<KeptView>,
    taken: Vec<TakenView>,
    on_its_way: bool,
}

struct KeptView {
    kept: Kept,
    passages: String,
}

struct TakenView {
    name: String,
    status: &'static str,
    detail: String,
    failed: bool,
}

/// What to look for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Which {
    q: String,
}

fn collection(ui: &Ui) -> Result<&Collection, Problem> {
    let none = || Problem::not_found("no_such_route", ui.words().no_knowledge);
    ui.pages.collection.as_ref().ok_or_else(none)
}

fn failed(why: String) -> Problem {
    Problem::new(axum::http::StatusCode::SERVICE_UNAVAILABLE, "collection_unavailable", why)
}

pub(crate) async fn list(ui: Ui, Asked(which): Asked<Which>) -> Result<Response, Problem> {
    let w = ui.words();
    let collection = collection(&ui)?;
    let q: String = which.q.trim().chars().take(500).collect();
    let found = if q.is_empty() { None } else { Some((collection.search)(q.clone()).await.map_err(failed)?) };
    let kept = (collection.list)().await.map_err(failed)?;
    let kept =
        kept.into_iter().map(|kept| KeptView { passages: counted(w.chunk_count, kept.passages), kept });
    let view = |taken: Taken| {
        let (status, detail, failed) = match taken.came {
            None => (w.ingest_running, String::new(), false),
            Some(Ok(count)) => (w.ingest_done, counted(w.chunk_count, count), false),
            Some(Err(why)) => (w.ingest_failed, why, true),
        };
        TakenView { name: taken.name, status, detail, failed }
    };
    let taken = (collection.taken)();
    let on_its_way = taken.iter().any(|taken| taken.came.is_none());
    ui.page(&KnowledgePage {
        shell: ui.shell(w.knowledge, Place::Knowledge, None).await?,
        kept: kept.collect(),
        taken: taken.into_iter().map(view).collect(),
        w,
        q,
        found,
        on_its_way,
    })
}

pub(crate) async fn add(ui: Ui, sent: Sent) -> Result<Response, Problem> {
    collection(&ui)?;
    if sent.files.is_empty() {
        return Err(Problem::invalid("file", ui.words().file_none));
    }
    for file in sent.files {
        add_document(&ui.app, file).await?;
    }
    Ok(see("/knowledge"))
}

/// Which document.
#[derive(Debug, Deserialize)]
pub(crate) struct AddressForm {
    address: String,
}

pub(crate) async fn remove(ui: Ui, Form(meant): Form<AddressForm>) -> Result<Response, Problem> {
    collection(&ui)?;
    remove_document(&ui.app, meant.address).await?;
    Ok(see("/knowledge"))
}
