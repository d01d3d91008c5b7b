//! An agent's tools on offer: one that reads, one that makes documents, one that changes the world.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tata_core::{
    AgentParts, ArtifactKind, Effect, Input, NewSession, Store, ToolFailure, ToolOutput, ToolRegistry,
    typed_tool,
};
use tata_mcp::{About, AgentOffer, AgentOfferParts, Offer, Prompt, PromptField};
use tata_store::MemoryStore;

#[derive(Deserialize, JsonSchema)]
struct Note {
    /// What the note is about.
    title: String,
    /// What it says.
    #[serde(default)]
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Letter {
    /// To whom.
    to: String,
}

pub(crate) fn offer() -> Arc<dyn Offer> {
    let kind = ArtifactKind::new("Note");
    let made = kind.clone();
    let write = typed_tool(
        "write_note",
        "Writes a note.",
        |spec| {
            spec.effect = Effect::Own;
            spec.produces = Some(made);
        },
        move |note: Note, _| {
            let kind = kind.clone();
            async move {
                if note.title.trim().is_empty() {
                    return Err(ToolFailure::rejected("/title", "is empty"));
                }
                let value = json!({"title": note.title, "text": note.text});
                Ok(ToolOutput::artifact(kind, note.title, &value))
            }
        },
    );
    let count = typed_tool(
        "count_notes",
        "Counts the notes.",
        |_| {},
        |_: serde_json::Map<String, serde_json::Value>, context| async move {
            let notes = context.artifacts().await.map_err(|error| ToolFailure::failed(error.to_string()))?;
            Ok(ToolOutput::json(&json!({"notes": notes.len()})))
        },
    );
    let send = typed_tool(
        "send_letter",
        "Sends a letter.",
        |spec| {
            spec.effect = Effect::Outward;
            spec.needs_approval = true;
        },
        |letter: Letter, _| async move { Ok(ToolOutput::text(format!("Sent to {}.", letter.to))) },
    );
    let tools = ToolRegistry::new([write.unwrap(), count.unwrap(), send.unwrap()]).unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let agent = AgentParts { tools, ..AgentParts::new("notes", Vec::new(), store) };
    let clock = agent.clock;
    let field = PromptField { name: "topic".to_owned(), description: None, required: true };
    let prompt = Prompt { name: "note".to_owned(), fields: vec![field], ..Prompt::default() };
    Arc::new(AgentOffer::new(AgentOfferParts {
        about: About { name: "notes".to_owned(), version: "1.0.0".to_owned(), instructions: String::new() },
        agent,
        session: Arc::new(move |_| NewSession::with("notes", clock.now())),
        // Nothing of what a client's model wrote stands in it.
        input: Arc::new(|called| Input::say(format!("A client calls {}.", called.tool))),
        show: Arc::new(|artifact| Some(format!("# {}\n", artifact.name.key))),
        prompts: vec![(prompt, "Write a note about {topic}.".to_owned())],
    }))
}
