//! Tools that the client runs itself. To the agent such a call waits, as one that a person must decide about does; the
//! client's next request brings the result.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Map, Value, json};
use tata_core::{
    Agent, AgentParts, CallId, Conversation, Decision, Effect, Question, SessionId, Tool, ToolContext,
    ToolFailure, ToolFuture, ToolOutput, ToolSpec, Verdict,
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

/// A result of such a tool, under the id of its call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Brought {
    pub(super) call_id: String,
    pub(super) output: String,
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

/// A tool whose results come from the client.
struct ClientTool {
    spec: ToolSpec,
    brought: Arc<HashMap<CallId, String>>,
}

impl Tool for ClientTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn run<'a>(&'a self, _: Map<String, Value>, context: &'a ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            match self.brought.get(&context.call_id) {
                Some(output) => Ok(ToolOutput::text(output.clone())),
                None => Err(ToolFailure::Failed {
                    message: "the client brought no result".to_owned(),
                    source: None,
                }),
            }
        })
    }
}

/// The parts of an agent with the tools of a client beside its own.
fn with_tools(parts: AgentParts, tools: &[Described], brought: &[Brought]) -> Result<AgentParts, Problem> {
    if tools.is_empty() {
        return Ok(parts);
    }
    let brought = brought.iter().map(|one| (CallId::from(one.call_id.as_str()), one.output.clone()));
    let brought: Arc<HashMap<CallId, String>> = Arc::new(brought.collect());
    let wrong =
        |detail: String| Problem { field: Some("tools".to_owned()), ..Problem::bad("invalid_tool", detail) };
    let mut more: Vec<Arc<dyn Tool>> = Vec::new();
    for tool in tools {
        let spec = ToolSpec::new(tool.name.clone(), tool.description.clone(), tool.schema.clone());
        let mut spec = spec.map_err(|error| wrong(error.to_string()))?;
        // What it does, nobody here knows; and it does not run here.
        (spec.effect, spec.needs_approval) = (Effect::Outward, true);
        more.push(Arc::new(ClientTool { spec, brought: Arc::clone(&brought) }));
    }
    let tools = parts.tools.with(more).map_err(|error| wrong(format!("{error}; give yours another name")))?;
    Ok(AgentParts { tools, ..parts })
}

impl App {
    /// An agent of these parts with the tools of a client beside its own. Nothing of it can be taken back from its listener.
    pub(super) fn agent_with(
        &self,
        parts: AgentParts,
        tools: &[Described],
        brought: &[Brought],
    ) -> Result<Agent, Problem> {
        let parts = with_tools(parts, tools, brought)?;
        let store = Arc::clone(&self.services.store);
        Ok(Agent::new(AgentParts { can_reset: false, store, ..parts }))
    }
}

/// The calls that wait for the client: those of tools that the agent does not have itself.
pub(super) async fn waiting(
    app: &App,
    session: SessionId,
    own: &AgentParts,
) -> Result<Vec<Question>, Problem> {
    let records = app.services.store.records(session, 0).await?;
    let conversation = Conversation::fold("", &records);
    let questions = conversation.questions().iter();
    Ok(questions.filter(|question| own.tools.get(&question.tool).is_none()).cloned().collect())
}

/// The calls that wait may run where a result was brought, and are given up where none was.
pub(super) fn verdicts(waiting: &[Question], brought: &[Brought]) -> Vec<Verdict> {
    let decide = |question: &Question| {
        let has = brought.iter().any(|one| one.call_id == question.call_id.as_str());
        question.decide(if has { Decision::Run } else { Decision::Refuse })
    };
    waiting.iter().map(decide).collect()
}

/// Tools for calls that wait, where the client did not describe them again.
pub(super) fn undescribed(waiting: &[Question], tools: &[Described]) -> Vec<Described> {
    let mut more: Vec<Described> = Vec::new();
    for question in waiting {
        let known = |one: &Described| *one.name == *question.tool;
        if !tools.iter().chain(&more).any(known) {
            let (name, schema) = (question.tool.to_string(), json!({ "type": "object" }));
            more.push(Described { name, description: String::new(), schema });
        }
    }
    more
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
