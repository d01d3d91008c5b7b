//! Every route for programs, once: the document that describes them is made from this list.

use std::sync::LazyLock;

use axum::{
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    access::OPEN as OPEN_ROUTES,
    api::{access, accounts, artifacts, catalog, chat, documents, files, messages, search, sessions, turns},
    compatible, health,
    state::{App, ServerState},
};

/// What the document says of all of it.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tata",
        description = "Agents over HTTP: sessions, turns with resumable events, documents with versions. Errors are \
            problem documents (RFC 9457) with a stable `code`. POST requests take an `Idempotency-Key`.",
        license(name = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "sessions", description = "Conversations"),
        (name = "turns", description = "What is said, and what happens then"),
        (name = "messages", description = "What was said and brought"),
        (name = "files", description = "Files as they came, and what was read from them"),
        (name = "artifacts", description = "Documents and their versions"),
        (name = "documents", description = "The documents that answers rest on"),
        (name = "catalog", description = "Agents, models and tools"),
        (name = "chat", description = "One call, one answer"),
        (name = "compatible", description = "For clients of another API: an agent is a model"),
        (name = "accounts", description = "Who signs in, their keys, and what admins look after"),
        (name = "health", description = "For operators")
    )
)]
struct About;

/// Every route that programs use.
pub(crate) fn documented() -> OpenApiRouter<ServerState> {
    OpenApiRouter::with_openapi(About::openapi())
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
        .routes(routes!(document))
        .routes(routes!(sessions::list, sessions::create))
        .routes(routes!(sessions::show, sessions::change, sessions::delete))
        .routes(routes!(turns::say))
        .routes(routes!(turns::show))
        .routes(routes!(turns::events_of_turn))
        .routes(routes!(turns::events_of_session))
        .routes(routes!(turns::cancel))
        .routes(routes!(turns::resume))
        .routes(routes!(turns::decide))
        .routes(routes!(turns::undo))
        .routes(routes!(turns::rate))
        .routes(routes!(messages::list))
        .routes(routes!(messages::materials))
        .routes(routes!(files::list, files::bring))
        .routes(routes!(files::fetch))
        .routes(routes!(search::search))
        .routes(routes!(documents::list, documents::add, documents::remove))
        .routes(routes!(documents::search))
        .routes(routes!(artifacts::list))
        .routes(routes!(artifacts::show))
        .routes(routes!(artifacts::versions))
        .routes(routes!(artifacts::diff))
        .routes(routes!(artifacts::export))
        .routes(routes!(artifacts::approve))
        .routes(routes!(artifacts::restore))
        .routes(routes!(catalog::agents))
        .routes(routes!(catalog::models))
        .routes(routes!(catalog::tools))
        .routes(routes!(catalog::call))
        .routes(routes!(catalog::form))
        .routes(routes!(catalog::answer))
        .routes(routes!(access::sign_in))
        .routes(routes!(access::sign_out))
        .routes(routes!(access::me))
        .routes(routes!(access::password))
        .routes(routes!(access::keys, access::make_key))
        .routes(routes!(access::end_key))
        .routes(routes!(accounts::list, accounts::make))
        .routes(routes!(accounts::change))
        .routes(routes!(accounts::keys))
        .routes(routes!(accounts::end_key))
        .routes(routes!(accounts::usage))
        .routes(routes!(accounts::trail))
        .routes(routes!(chat::chat))
        .routes(routes!(chat::chat_in))
        .routes(routes!(chat::session))
        .routes(routes!(chat::reset))
        .routes(routes!(compatible::models::list))
        .routes(routes!(compatible::models::show))
        .routes(routes!(compatible::chat::completions))
        .routes(routes!(compatible::responses::create))
}

/// A version 4 UUID.
const SESSION_ID: &str = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";

/// The document that describes every route (OpenAPI 3.1).
pub fn openapi() -> Value {
    let mut document = serde_json::to_value(documented().into_openapi()).unwrap_or_default();
    say_how_large(&mut document);
    let Some(paths) = document["paths"].as_object_mut() else { return document };
    for (path, operations) in paths {
        let kind = if path.starts_with("/v1/") { "application/json" } else { "application/problem+json" };
        for operation in operations.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                if parameter["name"] == "id" {
                    parameter["schema"]["pattern"] = json!(SESSION_ID);
                }
            }
            let Some(responses) = operation["responses"].as_object_mut() else { continue };
            for response in responses.values_mut() {
                // What a stream has is events, not one text.
                let stream = response.get_mut("content").and_then(|all| all.get_mut("text/event-stream"));
                if let Some(stream) = stream {
                    *stream = json!({ "schema": { "type": "object" } });
                }
            }
            let failures = responses.iter_mut().filter(|(status, _)| status.starts_with(['4', '5']));
            for content in failures.filter_map(|(_, response)| response["content"].as_object_mut()) {
                if let Some(body) = content.remove("application/json") {
                    content.insert(kind.to_owned(), body);
                }
            }
            // The door refuses whatever route is meant: too large, too often, of the wrong type, from elsewhere.
            let schema = json!({ "type": "object" });
            let refused = json!({ "description": "Why not", "content": { kind: { "schema": schema } } });
            responses.insert("default".to_owned(), refused);
        }
    }
    document
}

/// Whole numbers without a sign go up to twice what the format says of them.
fn say_how_large(part: &mut Value) {
    match part {
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format == "int32")
                && fields.get("minimum").is_some_and(|least| least.as_f64() == Some(0.0))
            {
                fields.insert("format".to_owned(), json!("int64"));
                fields.entry("maximum").or_insert(json!(u32::MAX));
            }
            fields.values_mut().for_each(say_how_large);
        }
        Value::Array(items) => items.iter_mut().for_each(say_how_large),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "health", responses((status = 200, body = Object)))]
pub(crate) async fn document(app: App) -> Response {
    // It is always the same, and long to make.
    static OPEN: LazyLock<String> = LazyLock::new(|| openapi().to_string());
    static GUARDED: LazyLock<String> = LazyLock::new(|| guarded(openapi()).to_string());
    let made = if app.services.accounts { &GUARDED } else { &OPEN };
    ([(CONTENT_TYPE, "application/json")], made.as_str()).into_response()
}

/// The document of a server that people sign in to: a key is needed, but where nobody need be known.
fn guarded(mut document: Value) -> Value {
    document["components"]["securitySchemes"] = json!({
        "key": { "type": "http", "scheme": "bearer", "description": "An API key, `tata_…`." },
    });
    document["security"] = json!([{ "key": [] }]);
    for path in OPEN_ROUTES {
        let operations = document["paths"].get_mut(path).and_then(Value::as_object_mut);
        for operation in operations.into_iter().flat_map(|all| all.values_mut()) {
            operation["security"] = json!([]);
        }
    }
    document
}
