//! What there is: agents, models, tools; and a tool called by hand.

use std::sync::Arc;

use axum::{Json, extract::Path};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tata_core::{
    DirectCall, Effect, Entry, Input, SessionId, ToolCall, ToolContext, ToolFailure, TurnReport, near,
    said_by_hand,
};
use utoipa::ToSchema;

use super::Report;
use crate::{
    AgentInfo, ModelInfo, Problem,
    error::ProblemDocument,
    events,
    input::Given,
    state::{App, Named},
};

/// The agents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AgentList {
    agents: Vec<AgentInfo>,
    /// The one that answers when nobody names one.
    usual: String,
}

/// The agents there are.
#[utoipa::path(get, path = "/api/v1/agents", tag = "catalog", responses((status = 200, body = AgentList)))]
pub(crate) async fn agents(app: App) -> Json<AgentList> {
    let agents = &app.services.agents;
    Json(AgentList { agents: agents.known.clone(), usual: agents.usual.clone() })
}

/// The models.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelList {
    models: Vec<ModelInfo>,
}

/// The models and whether each is set up.
#[utoipa::path(get, path = "/api/v1/models", tag = "catalog", responses((status = 200, body = ModelList)))]
pub(crate) async fn models(app: App) -> Json<ModelList> {
    Json(ModelList { models: (app.services.models)() })
}

/// A tool.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ToolView {
    name: String,
    description: String,
    /// The JSON Schema of its input.
    #[schema(value_type = Object)]
    schema: Value,
    /// `read`, `own` or `outward`: what running it changes.
    effect: &'static str,
    /// The kinds of documents that must be there first.
    requires: Vec<String>,
}

/// The tools.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ToolList {
    tools: Vec<ToolView>,
}

/// The tools there are.
#[utoipa::path(get, path = "/api/v1/tools", tag = "catalog", responses((status = 200, body = ToolList)))]
pub(crate) async fn tools(app: App) -> Json<ToolList> {
    let tools = &app.services.tools;
    let specs = tools.definitions();
    let specs = specs.iter().filter_map(|one| tools.get(&one.name)).map(|tool| tool.spec());
    let view = |spec: &tata_core::ToolSpec| ToolView {
        name: spec.name.clone(),
        description: spec.description.clone(),
        schema: Value::clone(&spec.schema),
        effect: match spec.effect {
            Effect::Read => "read",
            Effect::Own => "own",
            Effect::Outward => "outward",
        },
        requires: spec.requires.iter().map(ToString::to_string).collect(),
    };
    Json(ToolList { tools: specs.map(view).collect() })
}

/// What a call brought.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CallMade {
    /// The tool refused or failed; the result says why.
    is_error: bool,
    /// The result.
    #[schema(value_type = Object)]
    result: Value,
    /// The turn that it made.
    turn: Report,
}

/// Calls a tool by hand, in a session: the same checks, the same journal as a model's call.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/tools/{tool}", tag = "catalog",
    params(("id" = String, Path), ("tool" = String, Path)), request_body = Object,
    responses((status = 200, body = CallMade), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument),
        (status = 422, body = ProblemDocument)))]
pub(crate) async fn call(
    app: App,
    Named(session): Named,
    Path((_, tool)): Path<(String, String)>,
    Given(arguments): Given<Map<String, Value>>,
) -> Result<Json<CallMade>, Problem> {
    let Called { report, result, is_error } =
        call_by_hand(&app, session.id, &tool, &Value::Object(arguments)).await?;
    Ok(Json(CallMade { is_error, result, turn: Report::from(&report) }))
}

/// What a tool asks for before it can be called, as a form: its fields with their kinds, questions and choices. The answers go
/// to `…/answers`; what is asked only because of an answer comes back there.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/tools/{tool}/form", tag = "catalog",
    params(("id" = String, Path), ("tool" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = ProblemDocument)))]
pub(crate) async fn form(
    app: App,
    Named(session): Named,
    Path((_, tool)): Path<(String, String)>,
) -> Result<Json<Value>, Problem> {
    let known = app.services.tools.get(&tool).ok_or_else(|| unknown(&app, &tool))?;
    let services = &app.services;
    let context = ToolContext::for_form(Arc::clone(&services.store), session.id, services.clock.now());
    let form = known.form(&Map::new(), &context).await.unwrap_or_default();
    Ok(Json(form.needs_input()))
}

/// Answers to a form.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    /// What the call was given before.
    #[serde(default)]
    #[schema(value_type = Object)]
    arguments: Map<String, Value>,
    /// The answers, by the ids of the form's fields.
    #[schema(value_type = Object)]
    answers: Map<String, Value>,
}

/// Calls a tool with the answers to its form: a call that lacks something comes back with one, in `result.error.form`.
#[utoipa::path(post, path = "/api/v1/sessions/{id}/tools/{tool}/answers", tag = "catalog",
    params(("id" = String, Path), ("tool" = String, Path)), request_body = Answered,
    responses((status = 200, body = CallMade), (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument),
        (status = 422, body = ProblemDocument)))]
pub(crate) async fn answer(
    app: App,
    Named(session): Named,
    Path((_, tool)): Path<(String, String)>,
    Given(answered): Given<Answered>,
) -> Result<Json<CallMade>, Problem> {
    let known = app.services.tools.get(&tool).ok_or_else(|| unknown(&app, &tool))?;
    let now = app.services.clock.now();
    let arguments = known.answered(answered.arguments, &answered.answers, now).map_err(unusable)?;
    let Called { report, result, is_error } =
        call_by_hand(&app, session.id, &tool, &Value::Object(arguments)).await?;
    Ok(Json(CallMade { is_error, result, turn: Report::from(&report) }))
}

/// Answers that no field takes.
fn unusable(failure: ToolFailure) -> Problem {
    match failure {
        ToolFailure::Rejected { problems } => {
            let told: Vec<String> =
                problems.iter().map(|problem| format!("{}: {}", problem.field, problem.message)).collect();
            let field = problems.into_iter().next().map(|problem| problem.field).unwrap_or_default();
            Problem::invalid(&field, told.join("; "))
        }
        ToolFailure::Failed { message, .. } | ToolFailure::Unknown { message, .. } => {
            Problem::invalid("answers", message)
        }
    }
}

fn unknown(app: &App, tool: &str) -> Problem {
    let tool: String = tool.chars().take(80).collect();
    let near = near(&tool, app.services.tools.names());
    let hint = if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(", ")) };
    Problem::not_found("tool_not_found", format!("There is no tool {tool:?}.{hint}"))
}

/// What came of a call.
pub(crate) struct Called {
    pub(crate) report: TurnReport,
    pub(crate) result: Value,
    pub(crate) is_error: bool,
}

/// Makes one call as a turn of a session.
pub(crate) async fn call_by_hand(
    app: &App,
    session: SessionId,
    tool: &str,
    arguments: &Value,
) -> Result<Called, Problem> {
    let services = &app.services;
    if services.tools.get(tool).is_none() {
        return Err(unknown(app, tool));
    }
    let text = arguments.to_string();
    let call = ToolCall::function(format!("hand_{}", SessionId::random()), tool, text.as_str());
    let call_id = call.call_id.clone();
    let agent =
        app.by_hand(DirectCall::new(call, format!("{tool} was run by hand; its result stands above.")));
    let said = Input::Say(said_by_hand(tool, &text));
    let begun = events::begin(app, &agent, session, said).await?;
    let report = begun.report(app).await?;
    let records = services.store.records(session, 0).await?;
    let result = records.into_iter().rev().find_map(|record| {
        let Entry::ToolFinished { result, .. } = record.entry else { return None };
        (result.call_id == call_id).then_some(result)
    });
    let Some(result) = result else {
        let detail = report.error.unwrap_or_else(|| "The turn ended before the tool ran.".to_owned());
        return Err(Problem::new(axum::http::StatusCode::CONFLICT, "not_run", detail));
    };
    let whole = services.store.output(session, call_id).await?;
    let text = result.own().map(str::to_owned).or(whole).unwrap_or_else(|| result.joined_text());
    let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Ok(Called { report, result: value, is_error: result.is_error })
}
