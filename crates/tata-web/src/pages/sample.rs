//! The sample project: made by one click and removed by another.

use axum::response::Response;
use tata_core::{SessionChange, SessionId};

use super::ui::{Ui, see};
use crate::{
    Problem,
    api::{catalog::call_by_hand, sessions},
};

/// The sample project, if it is there.
pub(crate) async fn current(ui: &Ui) -> Result<Option<SessionId>, Problem> {
    let Some(id) = (ui.pages.sample.marked)() else { return Ok(None) };
    let found = ui.app.services.store.session(id).await?;
    Ok(found.filter(|session| session.delete_at.is_none()).map(|session| session.id))
}

fn failed(why: String) -> Problem {
    Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "sample_failed", why)
}

pub(crate) async fn create(ui: Ui) -> Result<Response, Problem> {
    if let Some(id) = current(&ui).await? {
        return Ok(see(&format!("/p/{id}")));
    }
    let sample = &ui.pages.sample;
    let steps = (sample.steps)().map_err(failed)?;
    let session = sessions::begin(&ui.app, None, None, None).await?;
    (sample.mark)(Some(session.id)).map_err(failed)?;
    for (tool, arguments) in steps {
        let called = call_by_hand(&ui.app, session.id, &tool, &arguments).await?;
        if called.is_error {
            return Err(failed(format!("{tool} refused its input: {}", called.result)));
        }
    }
    let change = SessionChange { title: Some(sample.title.clone()), ..SessionChange::default() };
    ui.app.services.store.change_session(session.id, change).await?;
    Ok(see(&format!("/p/{}", session.id)))
}

pub(crate) async fn remove(ui: Ui) -> Result<Response, Problem> {
    if let Some(id) = current(&ui).await? {
        ui.app.desk().delete(id).await?;
    }
    (ui.pages.sample.mark)(None).map_err(failed)?;
    Ok(see("/projects?said=sample-gone"))
}
