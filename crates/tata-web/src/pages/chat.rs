//! The conversation: the start page, a project, and what a person can do with the running turn.

use std::time::Duration;

use askama::Template;
use axum::{
    Form, Json,
    extract::Path,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use tata_core::{Artifact, ArtifactKind, CallId, Decision, Effect, Entry, Input, Message, Record, Session};

use super::{
    forms::{FormView, Shape},
    panel::{self, PanelView, Wanted},
    turns::{Around, PartView, TurnView, cleaned, turns},
    ui::{Place, Shell, Ui, see},
    upload::{Said, Sent},
    words::Words,
};
use crate::{
    Problem,
    api::sessions,
    events::{self, Begun},
    input::Asked,
    recover,
    state::Named,
};

/// How long a form without a script waits for its answer before the page shows that it is on its way.
const PATIENCE: Duration = Duration::from_secs(4);

#[derive(Template)]
#[template(path = "start.html")]
struct StartPage {
    shell: Shell,
    w: &'static Words,
    /// Nothing was done here yet.
    first: bool,
    sample: Option<String>,
    file_types: &'static str,
    forms: Vec<(String, String)>,
}

/// The files that can be chosen; what they hold is looked at, not how they are called.
const FILE_TYPES: &str = ".pdf,.docx,.xlsx,.csv,.tsv,.vtt,.html,.htm,.md,.txt";

pub(crate) async fn start(ui: Ui) -> Result<Response, Problem> {
    let mut shell = ui.shell(ui.words().new_project, Place::New, None).await?;
    let sample = super::sample::current(&ui).await?;
    shell.notice = None;
    let first = shell.recent.is_empty();
    let sample = sample.map(|id| format!("/p/{id}"));
    ui.page(&StartPage {
        w: ui.words(),
        first,
        sample,
        file_types: FILE_TYPES,
        forms: forms_of(&ui, &[]),
        shell,
    })
}

/// A project as its page shows it.
#[derive(Template)]
#[template(path = "project.html")]
struct ProjectPage {
    shell: Shell,
    w: &'static Words,
    session: String,
    title: String,
    turns: Vec<TurnView>,
    panel: PanelView,
    /// The document is what is looked at: on a phone it has the page for itself.
    document_view: bool,
    /// Where the form goes, and where one that is not sent.
    action: String,
    cancel: String,
    running: bool,
    /// Where the page stands in the journal: events go on from there.
    position: u64,
    /// The words of the question that is being changed.
    draft: String,
    replaces: Option<u32>,
    model: String,
    models: Vec<String>,
    by_rules: bool,
    file_types: &'static str,
    tokens: Option<String>,
    /// The forms there are: tool and title.
    forms: Vec<(String, String)>,
    /// One of them, in the place of the documents.
    form: Option<FormView>,
}

/// What the page of a project is asked.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Looking {
    edit: Option<u32>,
}

pub(crate) async fn project(
    ui: Ui,
    Named(session): Named,
    Asked(looking): Asked<Looking>,
) -> Result<Response, Problem> {
    show(&ui, session, None, looking).await
}

/// The forms that can be filled in where there are these documents: what a tool builds on must be there, and an empty project
/// begins with something that makes a document.
fn forms_of(ui: &Ui, there: &[Artifact]) -> Vec<(String, String)> {
    let fits = |tool: &&String| {
        ui.app.services.tools.get(tool).is_some_and(|tool| {
            let spec = tool.spec();
            let known = |kind: &ArtifactKind| there.iter().any(|artifact| artifact.name.kind == *kind);
            spec.requires.iter().all(known) && (spec.effect != Effect::Read || !there.is_empty())
        })
    };
    let named = |tool: &String| (tool.clone(), (ui.pages.tool_name)(tool, ui.lang.code()));
    ui.pages.forms.iter().filter(fits).map(named).collect()
}

/// The page of a project, with a document beside it.
pub(crate) async fn show(
    ui: &Ui,
    session: Session,
    wanted: Option<Wanted>,
    looking: Looking,
) -> Result<Response, Problem> {
    show_with(ui, session, wanted, looking, None).await
}

/// The same, with a form in the place of the documents.
pub(crate) async fn show_with(
    ui: &Ui,
    session: Session,
    wanted: Option<Wanted>,
    looking: Looking,
    form: Option<FormView>,
) -> Result<Response, Problem> {
    let services = &ui.app.services;
    // Asked before the journal is read: a turn that ends in between is told once more by its events.
    let running = services.host.is_running(session.id) || session.open_turn;
    let records = services.store.records(session.id, 0).await?;
    let usage = services.store.usage(session.id).await?;
    let document_view = wanted.is_some() || form.is_some();
    let panel = panel::view(ui, &session, &records, wanted).await?;
    let around = Around {
        ui,
        session: session.id.to_string(),
        usage: &usage,
        running: services.host.is_running(session.id),
    };
    let mut turns = cleaned(turns(&records, &around)).await?;
    let replaces =
        looking.edit.filter(|edit| turns.last().is_some_and(|last| last.number == *edit && !last.open));
    let draft =
        replaces.and_then(|_| turns.last()?.said.last()).map(|said| said.text.clone()).unwrap_or_default();
    // What waits for a person is shown as such, and does not run.
    if let Some(last) = turns.last_mut().filter(|last| !last.questions.is_empty()) {
        last.running = false;
    }
    let models = (services.models)();
    let usual = models.iter().find(|model| model.usual).map(|model| model.name.clone());
    let answering = (services.agents.model)(&session.agent, session.model.as_deref());
    let model = answering.or_else(|| session.model.clone()).or(usual).unwrap_or_default();
    let mut choices: Vec<String> =
        models.into_iter().filter(|model| model.configured).map(|model| model.name).collect();
    if !choices.contains(&model) {
        choices.insert(0, model.clone());
    }
    let title = ui.title_of(&session);
    let shell = ui.shell(&title, Place::Project, Some(session.id)).await?;
    let page = ProjectPage {
        w: ui.words(),
        session: session.id.to_string(),
        action: format!("/p/{}/say", session.id),
        cancel: format!("/p/{}", session.id),
        running: running && turns.last().is_some_and(|last| last.open && last.questions.is_empty()),
        position: records.last().map_or(0, |record| record.position),
        by_rules: (ui.app.services.files.is_rules)(&model),
        models: choices,
        tokens: (session.total_tokens_used > 0).then(|| session.total_tokens_used.to_string()),
        file_types: FILE_TYPES,
        forms: forms_of(ui, &services.store.newest_artifacts(session.id).await?),
        form,
        shell,
        title,
        turns,
        panel,
        document_view,
        draft,
        replaces,
        model,
    };
    ui.page(&page)
}

#[derive(Template)]
#[template(path = "turn.html")]
struct TurnPart {
    w: &'static Words,
    session: String,
    turn: TurnView,
}

/// One turn, for a script that has followed it.
pub(crate) async fn turn(
    ui: Ui,
    Named(session): Named,
    Path((_, number)): Path<(String, u32)>,
) -> Result<Response, Problem> {
    let services = &ui.app.services;
    let records = services.store.records(session.id, 0).await?;
    let usage = services.store.usage(session.id).await?;
    let running = services.host.is_running(session.id);
    let around = Around { ui: &ui, session: session.id.to_string(), usage: &usage, running };
    let mut meant = turns(&records, &around);
    meant.retain(|turn| turn.number == number);
    let Some(turn) = cleaned(meant).await?.pop() else {
        return Err(Problem::not_found(
            "turn_not_found",
            format!("There is no turn {number} in this project."),
        ));
    };
    ui.part(&TurnPart { w: ui.words(), session: session.id.to_string(), turn })
}

/// A turn that has begun, for a script.
#[derive(Serialize)]
struct BegunView {
    session: String,
    turn: u32,
}

/// Begins a project with what is said.
pub(crate) async fn begin(ui: Ui, mut sent: Sent) -> Result<Response, Problem> {
    let said = Said::read(&ui, &mut sent).await?;
    let session = sessions::begin(&ui.app, None, None, None).await?;
    let message = said.message(&ui, session.id).await?;
    say_in(&ui, &session, Input::Say(message), sent.field("live") == "1").await
}

/// Says something in a project.
pub(crate) async fn say(ui: Ui, Named(session): Named, mut sent: Sent) -> Result<Response, Problem> {
    let said = Said::read(&ui, &mut sent).await?;
    let message = said.message(&ui, session.id).await?;
    let replaced: Option<u32> = sent.field("replaces").parse().ok();
    if let Some(turn) = replaced {
        take_back(&ui, &session, turn).await?;
    }
    // The last one: an older turn on the page may still hold what it asked.
    let shown = sent.last("answers").map(str::to_owned);
    let input = ui.app.desk().answer(session.id, message, shown).await?;
    say_in(&ui, &session, input, false).await
}

/// Takes the last turn back, if it is still the one that is meant.
async fn take_back(ui: &Ui, session: &Session, turn: u32) -> Result<(), Problem> {
    if last_message(ui, session).await?.is_none_or(|(last, _)| last != turn) {
        let detail = "Something was said since; only the last question can be changed.";
        return Err(Problem::new(axum::http::StatusCode::CONFLICT, "changed_since", detail));
    }
    ui.app.agent_of(session).await?.undo(session.id).await?;
    Ok(())
}

async fn say_in(ui: &Ui, session: &Session, input: Input, live: bool) -> Result<Response, Problem> {
    let agent = ui.app.agent_of(session).await?;
    let begun = events::begin(&ui.app, &agent, session.id, input).await?;
    told(ui, session, begun, live).await
}

/// The answer to a form: for a script at once, for a reader without one when there is something to see.
async fn told(ui: &Ui, session: &Session, begun: Begun, live: bool) -> Result<Response, Problem> {
    let turn = begun.started.turn;
    if ui.by_script {
        return Ok(Json(BegunView { session: session.id.to_string(), turn }).into_response());
    }
    if !live {
        // Whether it is over or not, the page shows how it stands.
        let _shown_later = tokio::time::timeout(PATIENCE, begun.report(&ui.app)).await;
    }
    Ok(see(&format!("/p/{}#turn-{turn}", session.id)))
}

/// Back to the conversation, or nothing for a script.
pub(crate) fn back(ui: &Ui, session: &Session) -> Response {
    if ui.by_script {
        return axum::http::StatusCode::NO_CONTENT.into_response();
    }
    see(&format!("/p/{}", session.id))
}

pub(crate) async fn stop(ui: Ui, Named(session): Named) -> Result<Response, Problem> {
    recover::stop(&ui.app, &session).await?;
    Ok(back(&ui, &session))
}

pub(crate) async fn resume(ui: Ui, Named(session): Named) -> Result<Response, Problem> {
    let agent = ui.app.agent_of(&session).await?;
    let begun = events::begin(&ui.app, &agent, session.id, Input::Resume).await?;
    told(&ui, &session, begun, false).await
}

/// Asks the last question again.
pub(crate) async fn again(ui: Ui, Named(session): Named) -> Result<Response, Problem> {
    let Some((turn, message)) = last_message(&ui, &session).await? else {
        return Err(Problem::not_found("turn_not_found", "Nothing was asked yet."));
    };
    take_back(&ui, &session, turn).await?;
    say_in(&ui, &session, Input::Say(message), false).await
}

/// The last thing that was said and still counts.
async fn last_message(ui: &Ui, session: &Session) -> Result<Option<(u32, Message)>, Problem> {
    let records = ui.app.services.store.records(session.id, 0).await?;
    let undone = |turn: u32| {
        records.iter().any(|record| matches!(&record.entry, Entry::TurnUndone { turn: of } if *of == turn))
    };
    let said = |record: &Record| {
        let Entry::UserMessage { turn, message, .. } = &record.entry else { return None };
        (!undone(*turn)).then(|| (*turn, message.clone()))
    };
    Ok(records.iter().rev().find_map(said))
}

/// A decision about a call.
#[derive(Debug, Deserialize)]
pub(crate) struct Decided {
    call_id: String,
    seal: String,
    decision: Decision,
}

pub(crate) async fn decide(
    ui: Ui,
    Named(session): Named,
    Form(decided): Form<Decided>,
) -> Result<Response, Problem> {
    let decision = (CallId::from(decided.call_id), Some(decided.seal), decided.decision);
    let input = ui.app.desk().decide(session.id, &[decision]).await?;
    let agent = ui.app.agent_of(&session).await?;
    let begun = events::begin(&ui.app, &agent, session.id, input).await?;
    told(&ui, &session, begun, false).await
}

/// Another model for a project.
#[derive(Debug, Deserialize)]
pub(crate) struct OtherModel {
    model: String,
}

pub(crate) async fn other_model(
    ui: Ui,
    Named(session): Named,
    Form(other): Form<OtherModel>,
) -> Result<Response, Problem> {
    let model = Some(other.model).filter(|model| !model.is_empty());
    ui.app.agent(&session.agent, model.clone(), true).await?;
    let change = tata_core::SessionChange { model: Some(model), ..tata_core::SessionChange::default() };
    ui.app.services.store.change_session(session.id, change).await?;
    Ok(back(&ui, &session))
}
