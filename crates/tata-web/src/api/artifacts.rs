//! Documents: list, read, compare by version, approve, restore, export.

use axum::{
    Json,
    extract::Path,
    http::{
        HeaderMap, StatusCode,
        header::{ETAG, IF_MATCH, IF_NONE_MATCH},
    },
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tata_core::{Artifact, ArtifactKind, ArtifactName, SessionId};
use utoipa::{IntoParams, ToSchema};

use super::{Report, catalog::call_by_hand};
use crate::{
    Problem, Rendering,
    error::ProblemDocument,
    files,
    input::{Asked, Given, header},
    state::{App, Named},
};

/// A version of a document at a glance.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArtifactView {
    kind: String,
    /// Which one, where there are several of a kind.
    key: String,
    version: u32,
    /// Something it was made from has changed since.
    stale: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Who approved this version, and when.
    #[schema(value_type = Option<Object>)]
    approval: Option<tata_core::Approval>,
    /// What `If-Match` wants.
    etag: String,
}

impl ArtifactView {
    fn of(artifact: &Artifact) -> Self {
        Self {
            kind: artifact.name.kind.to_string(),
            key: artifact.name.key.clone(),
            version: artifact.version,
            stale: artifact.stale,
            created_at: artifact.created_at,
            approval: artifact.approval.clone(),
            etag: etag(artifact),
        }
    }
}

/// A version of a document.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArtifactDetail {
    #[serde(flatten)]
    about: ArtifactView,
    /// The document.
    #[schema(value_type = Object)]
    document: Value,
    /// As people read it.
    markdown: Option<String>,
}

/// Documents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArtifactList {
    artifacts: Vec<ArtifactView>,
}

/// The mark of a version as it stands: its approval and whether it is out of date belong to it.
fn etag(artifact: &Artifact) -> String {
    let Artifact { name, version, json, stale, created_at, approval } = artifact;
    let approval = approval.as_ref().map(|yes| format!("{} {}", yes.by, yes.at)).unwrap_or_default();
    let whole = format!(
        "{}\n{}\n{version}\n{stale}\n{created_at}\n{approval}\n{}",
        name.kind,
        name.key,
        json.as_str()
    );
    let digest = Sha256::digest(whole);
    let hex: String = digest.iter().take(12).flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect();
    format!("\"{hex}\"")
}

fn digit(nibble: u8) -> char {
    char::from_digit(nibble.into(), 16).unwrap_or('0')
}

/// The newest version of every document.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/artifacts", tag = "artifacts", params(("id" = String, Path)),
    responses((status = 200, body = ArtifactList), (status = 404, body = ProblemDocument)))]
pub(crate) async fn list(app: App, Named(session): Named) -> Result<Json<ArtifactList>, Problem> {
    let mut newest: Vec<Artifact> = Vec::new();
    for artifact in app.services.store.artifacts(session.id).await? {
        match newest.last_mut().filter(|last| last.name == artifact.name) {
            Some(last) if last.version < artifact.version => *last = artifact,
            Some(_) => {}
            None => newest.push(artifact),
        }
    }
    Ok(Json(ArtifactList { artifacts: newest.iter().map(ArtifactView::of).collect() }))
}

/// Which document and version.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Which one of its kind; none where there is only one.
    key: String,
    /// The version; the newest when none is named.
    version: Option<u32>,
}

async fn find(
    app: &App,
    session: SessionId,
    kind: &str,
    key: &str,
    version: Option<u32>,
) -> Result<Artifact, Problem> {
    let name = ArtifactName { kind: ArtifactKind::new(kind), key: key.to_owned() };
    let found = app.services.store.artifact(session, name, version).await?;
    found.ok_or_else(|| {
        let version = version.map(|version| format!(" version {version}")).unwrap_or_default();
        let kind: String = kind.chars().take(80).collect();
        Problem::not_found("artifact_not_found", format!("There is no {kind}{version} in this conversation."))
    })
}

/// A version of a document.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/artifacts/{kind}", tag = "artifacts",
    params(("id" = String, Path), ("kind" = String, Path), Which),
    responses((status = 200, body = ArtifactDetail), (status = 304), (status = 404, body = ProblemDocument)))]
pub(crate) async fn show(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Asked(which): Asked<Which>,
) -> Result<Response, Problem> {
    let artifact = find(&app, session.id, &kind, &which.key, which.version).await?;
    let mark = etag(&artifact);
    if header(&headers, IF_NONE_MATCH.as_str())?.is_some_and(|known| names(known, &mark)) {
        return Ok((StatusCode::NOT_MODIFIED, [(ETAG, mark)]).into_response());
    }
    let detail = ArtifactDetail {
        document: serde_json::from_str(artifact.json.as_str()).unwrap_or_default(),
        markdown: (app.services.render)(&artifact, Rendering::Markdown),
        about: ArtifactView::of(&artifact),
    };
    Ok(([(ETAG, mark)], Json(detail)).into_response())
}

/// Whether a list of marks names this one.
fn names(list: &str, mark: &str) -> bool {
    list.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == mark)
}

/// All versions of a document, the oldest first.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/artifacts/{kind}/versions", tag = "artifacts",
    params(("id" = String, Path), ("kind" = String, Path), Which),
    responses((status = 200, body = ArtifactList), (status = 404, body = ProblemDocument)))]
pub(crate) async fn versions(
    app: App,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Asked(which): Asked<Which>,
) -> Result<Json<ArtifactList>, Problem> {
    let all = app.services.store.artifacts(session.id).await?;
    let meant = all.iter().filter(|one| one.name.kind.as_str() == kind && one.name.key == which.key);
    let artifacts: Vec<ArtifactView> = meant.map(ArtifactView::of).collect();
    if artifacts.is_empty() {
        find(&app, session.id, &kind, &which.key, None).await?;
    }
    Ok(Json(ArtifactList { artifacts }))
}

/// Which versions.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct Compared {
    key: String,
    /// The older version; the one before `to` when none is named.
    from: Option<u32>,
    /// The newer version; the newest when none is named.
    to: Option<u32>,
}

/// How long the smallest difference is looked for; after it a larger one is taken.
const DIFF_TIME: std::time::Duration = std::time::Duration::from_millis(500);

/// How two versions differ.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Difference {
    from: u32,
    to: u32,
    /// A unified diff of both as people read them; empty when they read the same.
    unified: String,
}

/// How two versions of a document differ, as people read them.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/artifacts/{kind}/diff", tag = "artifacts",
    params(("id" = String, Path), ("kind" = String, Path), Compared),
    responses((status = 200, body = Difference), (status = 404, body = ProblemDocument)))]
pub(crate) async fn diff(
    app: App,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Asked(wish): Asked<Compared>,
) -> Result<Json<Difference>, Problem> {
    let new = find(&app, session.id, &kind, &wish.key, wish.to).await?;
    let from = wish.from.unwrap_or(new.version.saturating_sub(1));
    let old = find(&app, session.id, &kind, &wish.key, Some(from)).await?;
    let plain = |one: &Artifact| {
        (app.services.render)(one, Rendering::Plain).unwrap_or_else(|| one.json.as_str().to_owned())
    };
    let (before, after) = (plain(&old), plain(&new));
    let header = |one: &Artifact| format!("{kind} version {}", one.version);
    let headers = (header(&old), header(&new));
    let compared = tokio::task::spawn_blocking(move || {
        let differences = similar::TextDiff::configure().timeout(DIFF_TIME).diff_lines(&before, &after);
        differences.unified_diff().header(&headers.0, &headers.1).to_string()
    });
    let unified = compared.await.map_err(|error| Problem::internal(&error))?;
    Ok(Json(Difference { from: old.version, to: new.version, unified }))
}

/// Which document, and how.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct Exported {
    key: String,
    version: Option<u32>,
    /// `md`, `txt` or `json`.
    format: String,
}

/// A document as a file.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/artifacts/{kind}/export", tag = "artifacts",
    params(("id" = String, Path), ("kind" = String, Path), Exported),
    responses((status = 200, content_type = "text/markdown", body = String), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn export(
    app: App,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Asked(wish): Asked<Exported>,
) -> Result<Response, Problem> {
    let artifact = find(&app, session.id, &kind, &wish.key, wish.version).await?;
    let format = if wish.format.is_empty() { "md" } else { wish.format.as_str() };
    // A kind may come from a server that we do not know: only what is harmless in a file name is kept.
    let name: String =
        kind.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(60).collect();
    let (file, etag) = (format!("{name}-v{}.{format}", artifact.version), etag(&artifact));
    let bytes = files::export(&app, session, artifact, format).await?;
    let mut response = files::download(&file, files::media_type(format), bytes);
    if let Ok(etag) = etag.parse() {
        response.headers_mut().insert(ETAG, etag);
    }
    Ok(response)
}

/// A version of a document.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Version {
    /// Which one of its kind; none where there is only one.
    #[serde(default)]
    key: String,
    version: u32,
}

/// Whether the newest version is still the one that the caller has seen.
async fn check_match(
    app: &App,
    headers: &HeaderMap,
    session: SessionId,
    kind: &str,
    key: &str,
) -> Result<(), Problem> {
    let Some(seen) = header(headers, IF_MATCH.as_str())? else { return Ok(()) };
    let newest = find(app, session, kind, key, None).await?;
    if names(seen, &etag(&newest)) {
        return Ok(());
    }
    let detail =
        format!("The document has changed: version {} is the newest. Look at it first.", newest.version);
    Err(Problem::new(StatusCode::PRECONDITION_FAILED, "changed_since", detail))
}

/// Approves a version of a document. The audit keeps who did it. With `If-Match` only if the newest version is still the one
/// that was seen.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/artifacts/{kind}/approve", tag = "artifacts",
    params(("id" = String, Path), ("kind" = String, Path)), request_body = Version,
    responses((status = 200, body = ArtifactView), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument),
        (status = 412, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn approve(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Given(Version { key, version }): Given<Version>,
) -> Result<Response, Problem> {
    check_match(&app, &headers, session.id, &kind, &key).await?;
    let name = ArtifactName { kind: ArtifactKind::new(&kind), key };
    let approved = app.desk().approve(session.id, &name, version, app.services.not_ready.as_ref()).await?;
    Ok(([(ETAG, etag(&approved))], Json(ArtifactView::of(&approved))).into_response())
}

/// Makes an old version the newest again, as a new version. It is a turn, like every change.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/artifacts/{kind}/restore", tag = "artifacts",
    params(("id" = String, Path), ("kind" = String, Path)), request_body = Version,
    responses((status = 200, body = Report), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument),
        (status = 412, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn restore(
    app: App,
    headers: HeaderMap,
    Named(session): Named,
    Path((_, kind)): Path<(String, String)>,
    Given(Version { key, version }): Given<Version>,
) -> Result<Json<Report>, Problem> {
    let Some(tool) = app.services.restore_tool.clone() else {
        return Err(Problem::not_found("tool_not_found", "Documents cannot be restored here."));
    };
    find(&app, session.id, &kind, &key, Some(version)).await?;
    check_match(&app, &headers, session.id, &kind, &key).await?;
    let arguments = json!({ "kind": kind, "key": key, "version": version });
    let called = call_by_hand(&app, session.id, &tool, &arguments).await?;
    Ok(Json(Report::from(&called.report)))
}
