//! The tools of a server: what it says of them, as far as that can be used.

use std::{collections::BTreeSet, time::Duration};

use rmcp::model::{PaginatedRequestParams, Tool as Remote};
use serde_json::{Value, json};
use tata_core::{Effect, Tool, ToolContext, ToolFailure, ToolFuture, ToolRegistry, ToolSpec};

use super::connect::{Connection, Failed};
use crate::{McpError, error::words, names::fitted_name};

/// What a server may fill a model's context with.
const MOST_TOOLS: usize = 256;
const MOST_PAGES: usize = 64;
const LONGEST_DESCRIPTION: usize = 8_000;
const LARGEST_SCHEMA: usize = 64 * 1024;

/// The tools of a server.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Listed {
    pub(super) tools: Vec<RemoteTool>,
    pub(super) left_out: Vec<LeftOut>,
}

/// A tool that can be used.
#[derive(Clone, Debug)]
pub(super) struct RemoteTool {
    /// As a model sees it.
    pub(super) spec: ToolSpec,
    /// Its name on the server.
    pub(super) remote: String,
    pub(super) hints: Hints,
}

/// A tool that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name on the server.
    pub tool: String,
    /// Why.
    pub why: String,
}

/// What a server says about a tool. Hints for people: nothing is decided by them, since any server can say anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// A name for people.
    pub title: Option<String>,
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Doing it twice is like doing it once.
    pub idempotent: Option<bool>,
    /// It reaches out into the world.
    pub open_world: Option<bool>,
}

impl PartialEq for RemoteTool {
    fn eq(&self, other: &Self) -> bool {
        let (ours, theirs) = (&self.spec, &other.spec);
        self.remote == other.remote
            && self.hints == other.hints
            && (&ours.name, &ours.description, &ours.schema)
                == (&theirs.name, &theirs.description, &theirs.schema)
    }
}

/// Asks for all pages, within the time there is for it.
pub(super) async fn list(connection: &Connection, server: &str, time: Duration) -> Result<Listed, Failed> {
    if connection.peer_info().is_some_and(|info| info.capabilities.tools.is_none()) {
        return Ok(Listed::default());
    }
    let all = async {
        let (mut remote, mut cursor) = (Vec::new(), None);
        for _ in 0..MOST_PAGES {
            let asked = PaginatedRequestParams::default().with_cursor(cursor.take());
            let page = connection.running.peer().list_tools(Some(asked)).await;
            let page = page.map_err(|error| connection.failed(error))?;
            remote.extend(page.tools);
            cursor = page.next_cursor;
            if cursor.is_none() || remote.len() > MOST_TOOLS {
                break;
            }
        }
        Ok(usable(server, remote))
    };
    match tokio::time::timeout(time, all).await {
        Ok(listed) => listed,
        Err(_) => Err(Failed::Lost(McpError::TimedOut {
            server: server.to_owned(),
            step: "list its tools",
            after: time,
        })),
    }
}

fn usable(server: &str, remote: Vec<Remote>) -> Listed {
    let mut listed = Listed::default();
    let mut names = BTreeSet::new();
    for tool in remote {
        let name = words(&tool.name);
        let found = if listed.tools.len() == MOST_TOOLS {
            Err(format!("the server has more than {MOST_TOOLS} tools"))
        } else if names.insert(tool.name.clone()) {
            found(server, tool)
        } else {
            Err("the server has two tools of this name".to_owned())
        };
        match found {
            Ok(found) => listed.tools.push(found),
            Err(why) => listed.left_out.push(LeftOut { tool: name, why }),
        }
    }
    listed
}

fn found(server: &str, tool: Remote) -> Result<RemoteTool, String> {
    let mut schema = Value::Object((*tool.input_schema).clone());
    let size = schema.to_string().len();
    if size > LARGEST_SCHEMA {
        return Err(format!("its schema has {size} bytes; at most {LARGEST_SCHEMA} are taken"));
    }
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        // Some servers leave out what goes without saying.
        object.entry("type").or_insert_with(|| json!("object"));
        object.entry("properties").or_insert_with(|| json!({}));
    }
    let description: String =
        tool.description.unwrap_or_default().chars().take(LONGEST_DESCRIPTION).collect();
    let mut spec = ToolSpec::new(fitted_name(server, &tool.name), description, schema)
        .map_err(|error| error.to_string())?;
    // Whatever the server says of itself: it is not ours, so it may change the world, and a person is asked.
    spec.effect = Effect::Outward;
    spec.needs_approval = true;
    // The registry knows what a schema is; one tool with a false one must not cost all the others.
    ToolRegistry::new([std::sync::Arc::new(Probe(spec.clone())) as std::sync::Arc<dyn Tool>])
        .map_err(|error| words(&error.to_string()))?;
    let said = tool.annotations.unwrap_or_default();
    let hints = Hints {
        title: tool.title.or(said.title).map(|title| words(&title)),
        read_only: said.read_only_hint,
        destructive: said.destructive_hint,
        idempotent: said.idempotent_hint,
        open_world: said.open_world_hint,
    };
    Ok(RemoteTool { spec, remote: tool.name.into_owned(), hints })
}

/// A tool that is only looked at.
struct Probe(ToolSpec);

impl Tool for Probe {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn run<'a>(&'a self, _: serde_json::Map<String, Value>, _: &'a ToolContext) -> ToolFuture<'a> {
        Box::pin(std::future::ready(Err(ToolFailure::failed("it is only looked at"))))
    }
}
