//! What a person does with a document: looks at it, approves, restores, decides about remarks, takes it as a file.

use askama::Template;
use axum::{Form, extract::Path, http::HeaderMap, response::Response};
use serde::Deserialize;
use tata_core::{ArtifactKind, ArtifactName, Session};

use super::{
    chat,
    panel::{PanelView, Wanted, view},
    services::Finding,
    turns::document_address,
    ui::{Ui, see},
    words::Words,
};
use crate::{Problem, api::catalog::call_by_hand, files, input::Asked, state::Named};

#[derive(Template)]
#[template(path = "panel.html")]
struct PanelPart {
    w: &'static Words,
    session: String,
    panel: PanelView,
}

/// The page of a document, or the panel alone for a script.
pub(crate) async fn show(
    ui: Ui,
    headers: HeaderMap,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Response, Problem> {
    let wanted = Wanted { kind, ..wanted };
    if headers.contains_key("x-part") {
        return part(&ui, &session, Some(wanted)).await;
    }
    chat::show(&ui, session, Some(wanted), chat::Looking::default()).await
}

/// The panel alone, with what was made last.
pub(crate) async fn newest(ui: Ui, Named(session): Named) -> Result<Response, Problem> {
    part(&ui, &session, None).await
}

async fn part(ui: &Ui, session: &Session, wanted: Option<Wanted>) -> Result<Response, Problem> {
    let records = ui.app.services.store.records(session.id, 0).await?;
    let panel = view(ui, session, &records, wanted).await?;
    ui.part(&PanelPart { w: ui.words(), session: session.id.to_string(), panel })
}

/// A version of a document, and what is decided about it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DecisionForm {
    key: String,
    version: u32,
    /// The finding; none for the whole document.
    finding: Option<usize>,
    /// The part that is worded otherwise.
    edit: Option<usize>,
    choice: usize,
    /// The person's own words.
    text: String,
    /// Their rating.
    rating: Option<u8>,
}

impl DecisionForm {
    fn name(&self, kind: &str) -> ArtifactName {
        ArtifactName { kind: ArtifactKind::new(kind), key: self.key.clone() }
    }
}

pub(crate) async fn approve(
    ui: Ui,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Form(meant): Form<DecisionForm>,
) -> Result<Response, Problem> {
    let name = meant.name(&kind);
    let desk = ui.app.desk();
    desk.approve(session.id, &name, meant.version, ui.app.services.not_ready.as_ref()).await?;
    Ok(see(&document_address(&session.id.to_string(), &name)))
}

/// Makes an old version the newest again.
pub(crate) async fn restore(
    ui: Ui,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Form(meant): Form<DecisionForm>,
) -> Result<Response, Problem> {
    let Some(tool) = ui.app.services.restore_tool.clone() else {
        return Err(Problem::not_found("tool_not_found", "Documents cannot be restored here."));
    };
    let arguments = serde_json::json!({ "kind": kind, "key": meant.key, "version": meant.version });
    run(&ui, &session, &tool, &arguments).await?;
    Ok(see(&document_address(&session.id.to_string(), &meant.name(&kind))))
}

/// Carries out what a person decided about a document or a remark on it.
pub(crate) async fn choose(
    ui: Ui,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Form(meant): Form<DecisionForm>,
) -> Result<Response, Problem> {
    let name = meant.name(&kind);
    let newest = ui.app.services.store.artifact(session.id, name.clone(), None).await?;
    // What is decided is about the version that was shown.
    let Some(artifact) = newest.filter(|artifact| artifact.version == meant.version) else {
        let detail = "The document has changed since it was shown. Look at the newest version first.";
        return Err(Problem::new(axum::http::StatusCode::CONFLICT, "changed_since", detail));
    };
    let shown = (ui.pages.document)(&artifact, ui.lang.code());
    let part = |parts: Vec<Finding>, number| {
        parts.into_iter().find(|one| one.number == number).map(|one| one.choices)
    };
    let choices = match (meant.finding, meant.edit) {
        (Some(number), _) => part(shown.findings, number),
        (None, Some(number)) => part(shown.edits, number),
        (None, None) => Some(shown.choices),
    };
    let Some(choice) = choices.and_then(|choices| choices.into_iter().nth(meant.choice)) else {
        return Err(Problem::not_found("nothing_to_decide", "This can no longer be decided."));
    };
    let mut arguments = choice.arguments.clone();
    if let Some(slot) = choice.own_words.and_then(|place| arguments.pointer_mut(place)) {
        let text = meant.text.trim();
        if text.is_empty() {
            return Err(Problem::invalid("text", "Your own words are missing; write them, then use them."));
        }
        *slot = serde_json::Value::String(text.to_owned());
    }
    if let Some(slot) = choice.rating.and_then(|place| arguments.pointer_mut(place)) {
        let rating = meant.rating.filter(|rating| (1..=5).contains(rating));
        let missing = || Problem::invalid("rating", "The rating is missing; choose one from 1 to 5.");
        *slot = rating.ok_or_else(missing)?.into();
    }
    run(&ui, &session, choice.tool, &arguments).await?;
    Ok(see(&document_address(&session.id.to_string(), &name)))
}

/// Runs a tool as the person's own act. What it refuses is said.
async fn run(ui: &Ui, session: &Session, tool: &str, arguments: &serde_json::Value) -> Result<(), Problem> {
    let called = call_by_hand(&ui.app, session.id, tool, arguments).await?;
    if !called.is_error {
        return Ok(());
    }
    let said = called.result.pointer("/error/message").or_else(|| called.result.get("message"));
    let said = said.and_then(|said| said.as_str()).map_or_else(|| called.result.to_string(), str::to_owned);
    Err(Problem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "refused", said))
}

/// Which file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FileWanted {
    key: String,
    version: Option<u32>,
    format: String,
}

/// A document as a file.
pub(crate) async fn file(
    ui: Ui,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Asked(wanted): Asked<FileWanted>,
) -> Result<Response, Problem> {
    let name = ArtifactName { kind: ArtifactKind::new(&kind), key: wanted.key };
    let Some(artifact) = ui.app.services.store.artifact(session.id, name, wanted.version).await? else {
        return Err(Problem::not_found("artifact_not_found", "There is no such document in this project."));
    };
    let (title, version) = ((ui.pages.document)(&artifact, ui.lang.code()).title, artifact.version);
    let bytes = files::export(&ui.app, session, artifact, &wanted.format).await?;
    let title = if title.trim().is_empty() { kind } else { title };
    let plain: String = title.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).take(80).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = format!("{plain} v{version}.{}", wanted.format);
    Ok(files::download(&file, files::media_type(&wanted.format), bytes))
}
