//! The agents, as a list of models.

use axum::{Json, extract::Path};
use serde_json::{Value, json};

use crate::{Problem, state::App};

/// The agents, as models.
#[utoipa::path(get, path = "/v1/models", tag = "compatible", responses((status = 200, body = Object)))]
pub(crate) async fn list(app: App) -> Json<Value> {
    let agents: Vec<Value> = app.services.agents.known.iter().map(|agent| model(&agent.name)).collect();
    Json(json!({ "object": "list", "data": agents }))
}

/// An agent, as a model.
#[utoipa::path(get, path = "/v1/models/{model}", tag = "compatible", params(("model" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = Object)))]
pub(crate) async fn show(app: App, Path(name): Path<String>) -> Result<Json<Value>, Problem> {
    if app.services.agents.known.iter().any(|agent| agent.name == name) {
        return Ok(Json(model(&name)));
    }
    let name: String = name.chars().take(80).collect();
    Err(Problem::not_found("agent_not_found", format!("There is no agent {name:?}.")))
}

fn model(name: &str) -> Value {
    json!({ "id": name, "object": "model", "created": 0, "owned_by": "tata" })
}
