//! All projects: found, renamed, pinned, deleted and taken back.

use askama::Template;
use axum::{Form, extract::Path, response::Response};
use serde::Deserialize;
use tata_core::{DeskError, Session, SessionFilter, SessionId};

use super::{
    day,
    ui::{MOST_PINS, PINS, Place, Shell, Ui, see, see_with},
    words::Words,
};
use crate::{
    Problem,
    api::search::{self, Hit},
    deletions::TIME_TO_TAKE_BACK,
    encoded::encoded,
    input::Asked,
    recover,
    state::Named,
};

/// The projects of a page.
const MOST_ROWS: usize = 100;
/// The messages that are shown of a search.
const MOST_HITS: usize = 12;

#[derive(Template)]
#[template(path = "projects.html")]
struct ProjectsPage {
    shell: Shell,
    w: &'static Words,
    q: String,
    groups: Vec<GroupView>,
    hits: Vec<Hit>,
    deleted: Option<SessionId>,
    more: Option<String>,
}

struct GroupView {
    heading: &'static str,
    rows: Vec<ProjectRow>,
}

struct ProjectRow {
    id: SessionId,
    title: String,
    at: String,
    pinned: bool,
    open: bool,
}

/// Which projects.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Which {
    q: String,
    from: usize,
    deleted: Option<String>,
    said: Option<String>,
}

pub(crate) async fn list(ui: Ui, Asked(which): Asked<Which>) -> Result<Response, Problem> {
    let w = ui.words();
    let q: String = which.q.trim().chars().take(200).collect();
    let limit = u32::try_from(which.from + MOST_ROWS + 1).ok();
    let filter = SessionFilter {
        title_contains: Some(q.clone()).filter(|q| !q.is_empty()),
        limit,
        ..SessionFilter::default()
    };
    let mut all = ui.app.desk().list(filter).await?.sessions;
    if which.from == 0 && q.is_empty() {
        add_pinned(&ui, &mut all).await?;
    }
    let more = (all.len() > which.from + MOST_ROWS)
        .then(|| format!("/projects?q={}&from={}", encoded(&q), which.from + MOST_ROWS));
    let rows: Vec<Session> = all.into_iter().skip(which.from).take(MOST_ROWS).collect();
    let hits =
        if q.chars().count() >= 2 { search::hits(&ui.app, &q, MOST_HITS).await?.0 } else { Vec::new() };
    let deleted = match which.deleted.and_then(|id| id.parse().ok()) {
        Some(id) if ui.app.desk().is_to_be_deleted(id).await? => Some(id),
        Some(_) | None => None,
    };
    let mut shell = ui.shell(w.projects, Place::Projects, None).await?;
    shell.notice = match which.said.as_deref() {
        Some("restored") => Some(w.restored.to_owned()),
        Some("sample-gone") => Some(w.demo_gone.to_owned()),
        Some(_) | None => None,
    };
    ui.page(&ProjectsPage { groups: grouped(&ui, rows), shell, w, q, hits, deleted, more })
}

/// Pinned projects are at hand however old they are.
async fn add_pinned(ui: &Ui, all: &mut Vec<Session>) -> Result<(), Problem> {
    for id in &ui.pins {
        if !all.iter().any(|session| session.id == *id)
            && let Ok(session) = ui.app.desk().session(*id).await
        {
            all.insert(0, session);
        }
    }
    Ok(())
}

fn grouped(ui: &Ui, sessions: Vec<Session>) -> Vec<GroupView> {
    let now = ui.app.services.clock.now();
    let mut groups: Vec<GroupView> = Vec::new();
    let (pinned, others): (Vec<_>, Vec<_>) = sessions.into_iter().partition(|one| ui.pins.contains(&one.id));
    let headed = pinned
        .into_iter()
        .map(|one| (ui.words().pinned, one))
        .chain(others.into_iter().map(|one| (day::group(one.updated_at, now, &ui.pages.zone, ui.lang), one)));
    for (heading, session) in headed {
        let row = ProjectRow {
            id: session.id,
            title: ui.title_of(&session),
            at: ui.moment(session.updated_at),
            pinned: ui.pins.contains(&session.id),
            open: session.open_turn,
        };
        match groups.iter_mut().find(|group| group.heading == heading) {
            Some(group) => group.rows.push(row),
            None => groups.push(GroupView { heading, rows: vec![row] }),
        }
    }
    groups
}

/// Another name.
#[derive(Debug, Deserialize)]
pub(crate) struct Renamed {
    title: String,
}

pub(crate) async fn rename(
    ui: Ui,
    Named(session): Named,
    Form(renamed): Form<Renamed>,
) -> Result<Response, Problem> {
    ui.app.desk().rename(session.id, &renamed.title).await?;
    Ok(see("/projects"))
}

/// Pins a project, or lets it go. Pins belong to the browser.
pub(crate) async fn pin(ui: Ui, Named(session): Named) -> Response {
    let mut pins = ui.pins.clone();
    if pins.contains(&session.id) {
        pins.retain(|id| *id != session.id);
    } else {
        pins.insert(0, session.id);
        pins.truncate(MOST_PINS);
    }
    let pins: Vec<String> = pins.iter().map(ToString::to_string).collect();
    see_with("/projects", PINS, &pins.join("."))
}

pub(crate) async fn delete(ui: Ui, Named(session): Named) -> Result<Response, Problem> {
    recover::stop(&ui.app, &session).await?;
    ui.app.desk().delete_after(session.id, TIME_TO_TAKE_BACK).await?;
    Ok(see(&format!("/projects?deleted={}", session.id)))
}

pub(crate) async fn undelete(ui: Ui, Path(id): Path<String>) -> Result<Response, Problem> {
    match ui.app.desk().take_deletion_back(id.parse()?).await {
        Ok(()) => Ok(see("/projects?said=restored")),
        Err(DeskError::NoSession(_)) => {
            Err(Problem::not_found("session_not_found", "It is too late: the project is gone."))
        }
        Err(error) => Err(error.into()),
    }
}
