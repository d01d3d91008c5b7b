//! The models: which there are, what each of them lacks, and whether it works.

use askama::Template;
use axum::{Form, response::Response};
use serde::Deserialize;

use super::{
    services::Probe,
    ui::{Place, Shell, Ui},
    words::Words,
};
use crate::{ModelInfo, Problem, access::admin};

#[derive(Template)]
#[template(path = "models.html")]
struct ModelsPage {
    shell: Shell,
    w: &'static Words,
    models: Vec<ModelView>,
    may_check: bool,
}

struct ModelView {
    info: ModelInfo,
    by_rules: bool,
    window: Option<String>,
    checked: Option<Checked>,
}

struct Checked {
    probes: Vec<ProbeView>,
    failed: Option<String>,
}

struct ProbeView {
    what: &'static str,
    said: &'static str,
    good: bool,
    detail: String,
}

pub(crate) async fn list(ui: Ui) -> Result<Response, Problem> {
    show(&ui, None).await
}

/// Which model.
#[derive(Debug, Deserialize)]
pub(crate) struct ModelForm {
    model: String,
}

/// Tries a model.
pub(crate) async fn check(ui: Ui, Form(meant): Form<ModelForm>) -> Result<Response, Problem> {
    // It costs what the model costs.
    if ui.app.services.accounts {
        admin(&ui.app)?;
    }
    let probes = (ui.pages.check_model)(meant.model.clone()).await;
    let w = ui.words();
    let view = |probe: Probe| ProbeView {
        what: w.check_steps.get(probe.what).copied().unwrap_or_default(),
        said: match probe.works {
            Some(true) => w.works,
            Some(false) => w.fails,
            None => w.not_seen,
        },
        good: probe.works == Some(true),
        detail: probe.detail,
    };
    let checked = match probes {
        Ok(probes) => Checked { probes: probes.into_iter().map(view).collect(), failed: None },
        Err(why) => Checked { probes: Vec::new(), failed: Some(why) },
    };
    show(&ui, Some((meant.model, checked))).await
}

async fn show(ui: &Ui, mut checked: Option<(String, Checked)>) -> Result<Response, Problem> {
    let models = (ui.app.services.models)().into_iter().map(|info| ModelView {
        by_rules: (ui.app.services.files.is_rules)(&info.name),
        window: info.context_window.map(|tokens| format!("{} k", tokens / 1000)),
        checked: checked.take_if(|(name, _)| *name == info.name).map(|(_, checked)| checked),
        info,
    });
    let mut models: Vec<ModelView> = models.collect();
    // What can be used comes first.
    models.sort_by_key(|model| (!model.info.usual, !model.info.configured));
    let shell = ui.shell(ui.words().models, Place::Models, None).await?;
    let may_check = !ui.app.services.accounts || shell.is_admin();
    ui.page(&ModelsPage { shell, w: ui.words(), models, may_check })
}
