//! The documents that answers rest on: added, found, removed.

use axum::{Json, extract::Request, http::StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    Problem, access::admin, error::ProblemDocument, files::SentFile, input::Asked, pages::Collection,
    state::App,
};

/// A document of the collection.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptDocument {
    /// By which it is known.
    address: String,
    title: String,
    /// The code of its language, where that is known.
    language: Option<String>,
    passages: usize,
}

/// A file on its way into the collection.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakenFile {
    name: String,
    /// `running`, `done` or `failed`.
    status: &'static str,
    /// The passages it has, once it is done.
    passages: Option<usize>,
    /// Why it failed.
    problem: Option<String>,
}

/// What the collection holds, and what is on its way into it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DocumentList {
    documents: Vec<KeptDocument>,
    taking: Vec<TakenFile>,
}

/// A passage that fits a question.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Passage {
    address: String,
    title: String,
    headings: Vec<String>,
    page: Option<u32>,
    text: String,
    /// From 0 to 1.
    score: f32,
}

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Passages {
    passages: Vec<Passage>,
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

/// Which document.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DocumentAddress {
    /// Its address, as the list names it.
    #[param(min_length = 1)]
    address: String,
}

/// What to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Question {
    /// A question or its main words; 2 to 500 characters.
    #[param(min_length = 2, max_length = 500)]
    q: String,
}

fn collection(app: &App) -> Result<&Collection, Problem> {
    let none = || Problem::not_found("no_collection", "This server has no collection of documents.");
    app.services.pages.as_ref().and_then(|pages| pages.collection.as_ref()).ok_or_else(none)
}

fn failed(why: String) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "collection_unavailable", why)
}

/// Where people sign in, the documents are those of their company, and its admins look after them.
fn may_change(app: &App) -> Result<(), Problem> {
    if app.services.accounts { admin(app).map(drop) } else { Ok(()) }
}

/// The documents that answers rest on, and the files that are being taken in.
#[utoipa::path(get, path = "/api/v1/documents", tag = "documents",
    responses((status = 200, body = DocumentList), (status = 404, body = ProblemDocument), (status = 503, body = ProblemDocument)))]
pub(crate) async fn list(app: App) -> Result<Json<DocumentList>, Problem> {
    let collection = collection(&app)?;
    let kept = (collection.list)().await.map_err(failed)?.into_iter();
    let documents = kept
        .map(|kept| KeptDocument {
            address: kept.address,
            title: kept.title,
            language: kept.language,
            passages: kept.passages,
        })
        .collect();
    let taking = (collection.taken)().into_iter().map(|taken| {
        let (status, passages, problem) = match taken.came {
            None => ("running", None, None),
            Some(Ok(count)) => ("done", Some(count), None),
            Some(Err(why)) => ("failed", None, Some(why)),
        };
        TakenFile { name: taken.name, status, passages, problem }
    });
    Ok(Json(DocumentList { documents, taking: taking.collect() }))
}

/// Begins to take a file in; the list says what came of it.
#[utoipa::path(post, path = "/api/v1/documents", tag = "documents", params(Called),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 202, description = "It is being taken in"), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument), (status = 413, body = ProblemDocument), (status = 415, body = ProblemDocument),
        (status = 422, body = ProblemDocument)))]
pub(crate) async fn add(
    app: App,
    Asked(called): Asked<Called>,
    request: Request,
) -> Result<StatusCode, Problem> {
    may_change(&app)?;
    collection(&app)?;
    let file = SentFile::of(&app, &called.name, request).await?;
    add_document(&app, file).await?;
    Ok(StatusCode::ACCEPTED)
}

/// The same for a page.
pub(crate) async fn add_document(app: &App, file: SentFile) -> Result<(), Problem> {
    may_change(app)?;
    let (by, at) = (app.actor(), app.services.clock.now());
    (collection(app)?.take)(file.name, file.bytes, by, at).await.map_err(failed)
}

/// Takes a document out.
#[utoipa::path(delete, path = "/api/v1/documents", tag = "documents", params(DocumentAddress),
    responses((status = 204), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument),
        (status = 422, body = ProblemDocument), (status = 503, body = ProblemDocument)))]
pub(crate) async fn remove(app: App, Asked(meant): Asked<DocumentAddress>) -> Result<StatusCode, Problem> {
    if remove_document(&app, meant.address).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = "There is no document with this address; GET /api/v1/documents names them.";
    Err(Problem::not_found("document_not_found", detail))
}

/// The same for a page: says whether there was one.
pub(crate) async fn remove_document(app: &App, address: String) -> Result<bool, Problem> {
    may_change(app)?;
    let (by, at) = (app.actor(), app.services.clock.now());
    (collection(app)?.remove)(address, by, at).await.map_err(failed)
}

/// Passages that fit a question, the best first.
#[utoipa::path(get, path = "/api/v1/documents/search", tag = "documents", params(Question),
    responses((status = 200, body = Passages), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument),
        (status = 503, body = ProblemDocument)))]
pub(crate) async fn search(app: App, Asked(question): Asked<Question>) -> Result<Json<Passages>, Problem> {
    let length = question.q.trim().chars().count();
    if !(2..=500).contains(&length) {
        return Err(Problem::invalid("q", format!("q has {length} characters; it must have 2 to 500.")));
    }
    let found = (collection(&app)?.search)(question.q.trim().to_owned()).await.map_err(failed)?;
    let passage = |found: crate::pages::PassageFound| Passage {
        address: found.address,
        title: found.title,
        headings: found.headings,
        page: found.page,
        text: found.text,
        #[expect(clippy::cast_precision_loss, reason = "hundredths")]
        score: found.score as f32 / 100.0,
    };
    Ok(Json(Passages { passages: found.into_iter().map(passage).collect() }))
}
