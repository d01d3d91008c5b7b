//! Tools that the client runs itself. To the agent such a call waits, as one that a person must decide about does; the
//! client's next request brings the result.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tata_core::{
    Agent, AgentParts, Conversation, Effect, Question, SessionId, Tool, ToolContext, ToolFailure, ToolFuture,
    ToolSpec,
};

use crate::{Problem, state::App};

/// The most tools that a client may bring.
const MOST_TOOLS: usize = 128;

/// A tool of the client, as it describes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Described {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: Value,
}

/// Reads the tools of a request: `{"type": "function", "function": {…}}`, or the same without the inner object.
pub(super) fn described(tools: Option<&[Value]>) -> Result<Vec<Described>, Problem> {
    let tools = tools.unwrap_or_default();
    let wrong = |at: usize, detail: &str| Problem {
        field: Some(format!("tools[{at}]")),
        ..Problem::bad("invalid_tool", detail)
    };
    if tools.len() > MOST_TOOLS {
        return Err(wrong(MOST_TOOLS, &format!("At most {MOST_TOOLS} tools can be brought.")));
    }
    let read = |(at, tool): (usize, &Value)| {
        if tool["type"] != "function" {
            return Err(wrong(at, "Only tools of the type function can be brought; an agent has its own."));
        }
        let inner = if tool["function"].is_object() { &tool["function"] } else { tool };
        let name = inner["name"].as_str().ok_or_else(|| wrong(at, "It has no name."))?;
        let given = inner.get("parameters").filter(|schema| !schema.is_null());
        let schema = given.cloned().unwrap_or_else(|| json!({ "type": "object" }));
        let description = inner["description"].as_str().unwrap_or_default().to_owned();
        Ok(Described { name: name.to_owned(), description, schema })
    };
    tools.iter().enumerate().map(read).collect()
}

/// A tool that the client runs. To the agent its calls wait; the results come with a later request.
struct ClientTool {
    spec: ToolSpec,
}

impl Tool for ClientTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn run<'a>(&'a self, _: Map<String, Value>, _: &'a ToolContext) -> ToolFuture<'a> {
        Box::pin(async {
            let message = "only the client can run it".to_owned();
            Err(ToolFailure::Failed { message, source: None })
        })
    }
}

/// The parts of an agent with the tools of a client beside its own.
fn with_tools(parts: AgentParts, tools: &[Described]) -> Result<AgentParts, Problem> {
    if tools.is_empty() {
        return Ok(parts);
    }
    let wrong =
        |detail: String| Problem { field: Some("tools".to_owned()), ..Problem::bad("invalid_tool", detail) };
    let mut more: Vec<Arc<dyn Tool>> = Vec::new();
    for tool in tools {
        let spec = ToolSpec::new(tool.name.clone(), tool.description.clone(), tool.schema.clone());
        let mut spec = spec.map_err(|error| wrong(error.to_string()))?;
        // What it does, nobody here knows; and it does not run here.
        (spec.effect, spec.needs_approval) = (Effect::Outward, true);
        more.push(Arc::new(ClientTool { spec }));
    }
    let tools = parts.tools.with(more).map_err(|error| wrong(format!("{error}; give yours another name")))?;
    Ok(AgentParts { tools, ..parts })
}

impl App {
    /// An agent of these parts with the tools of a client beside its own. Nothing of it can be taken back from its listener.
    pub(super) fn agent_with(&self, parts: AgentParts, tools: &[Described]) -> Result<Agent, Problem> {
        let parts = with_tools(parts, tools)?;
        let store = Arc::clone(&self.services.store);
        Ok(Agent::new(AgentParts { can_reset: false, store, ..parts }))
    }
}

/// The calls that wait for the client, which are those of tools that the agent does not have itself, and what a person
/// must decide.
pub(super) async fn waiting(
    app: &App,
    session: SessionId,
    own: &AgentParts,
) -> Result<(Vec<Question>, Vec<Question>), Problem> {
    let records = app.services.store.records(session, 0).await?;
    Ok(apart(Conversation::fold("", &records).questions(), own))
}

/// The same of questions that are known.
pub(super) fn apart(questions: &[Question], own: &AgentParts) -> (Vec<Question>, Vec<Question>) {
    questions.iter().cloned().partition(|question| own.tools.get(&question.tool).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_read_in_the_shapes_of_both_apis() {
        let inner = json!({"name": "look", "description": "Looks.", "parameters": {"type": "object"}});
        let mut flat = inner.clone();
        flat["type"] = json!("function");
        let nested = json!({"type": "function", "function": inner});
        let read = described(Some(&[flat])).unwrap();
        assert_eq!(read, described(Some(&[nested])).unwrap());
        assert_eq!((read[0].name.as_str(), read[0].description.as_str()), ("look", "Looks."));
        let bare = described(Some(&[json!({"type": "function", "name": "x"})])).unwrap();
        assert_eq!(bare[0].schema, json!({"type": "object"}));
        assert_eq!(described(None).unwrap(), []);
        for wrong in [json!({"type": "web_search"}), json!({"type": "function"}), json!(7)] {
            assert!(described(Some(std::slice::from_ref(&wrong))).is_err(), "{wrong}");
        }
    }
}
