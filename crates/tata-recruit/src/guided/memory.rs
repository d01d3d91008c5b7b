//! What the conversation says so far. There is no other memory: whoever has the messages can go on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tata_core::{Block, Message, Name, Reasoning, Role, ToolCall, ToolResult};

use super::intent::Intent;
use crate::{GermanForm, Kind, Language, Voice};

/// What the guided model notes beside its answer: how it understood, and what it asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// What it understood.
    pub intent: Option<Intent>,
    /// The language it answers in.
    #[serde(default)]
    pub language: Language,
    /// What the sentence said, as arguments of the tool.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub slots: Map<String, Value>,
    /// What it offers to do next; a yes does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Intent>,
    /// What was wanted when something it builds on was missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Intent>,
    /// How many messages in a row were not understood.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub misses: u32,
    /// Whether it asked for the position.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_position: bool,
    /// What was begun is given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A call that lacked something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pending {
    pub(super) tool: Name,
    pub(super) arguments: Map<String, Value>,
    /// What was asked for.
    pub(super) field: String,
}

/// A call of this turn, and what it brought.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Done {
    pub(super) tool: Name,
    pub(super) arguments: Map<String, Value>,
    pub(super) result: Value,
    pub(super) failed: bool,
}

/// What the conversation says so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) language: Option<Language>,
    /// The language the project is set to; none if nobody set anything.
    pub(super) project: Option<Language>,
    /// The hiring manager, as a call named one.
    pub(super) manager: Option<String>,
    form: GermanForm,
    pub(super) position: Option<String>,
    pub(super) pending: Option<Pending>,
    /// The last thing that was made or asked about is a profile that nobody confirmed.
    pub(super) draft: bool,
    pub(super) offer: Option<Intent>,
    pub(super) wanted: Option<Intent>,
    pub(super) misses: u32,
    pub(super) asks_position: bool,
    /// The newest document of each kind.
    pub(super) made: BTreeMap<Kind, Value>,
    /// The kind that was made last.
    pub(super) last: Option<Kind>,
    /// The key of the last report.
    pub(super) report_key: Option<String>,
    /// Whether anything was answered yet.
    pub(super) begun: bool,
    /// The ad that was reviewed last, as it was pasted.
    pub(super) ad: Option<String>,
    /// How the last message was understood, if it was answered by calls.
    pub(super) thought: Option<Thought>,
    /// What the person said last.
    pub(super) message: String,
    /// The calls since then.
    pub(super) done: Vec<Done>,
}

impl Memory {
    /// Reads a conversation.
    pub(super) fn of(messages: &[Message]) -> Self {
        let mut memory = Self::default();
        let mut open: Vec<&ToolCall> = Vec::new();
        for message in messages {
            match message.role {
                Role::System => {}
                Role::User => {
                    memory.begun |= !memory.message.is_empty();
                    memory.message = message.joined_text();
                    memory.done.clear();
                    memory.thought = None;
                }
                Role::Assistant => {
                    if let Some(thought) = thought(message) {
                        memory.take(&thought);
                        memory.thought = Some(thought);
                    }
                    open.extend(message.tool_calls());
                }
                Role::Tool => {
                    for result in message.results() {
                        let at = open.iter().position(|call| call.call_id == result.call_id);
                        if let Some(call) = at.map(|at| open.remove(at)) {
                            memory.finish(call, result);
                        }
                    }
                }
            }
        }
        memory
    }

    fn take(&mut self, thought: &Thought) {
        self.language = Some(thought.language);
        self.offer = thought.offer;
        self.wanted = thought.wanted.or(self.wanted);
        self.misses = thought.misses;
        self.asks_position = thought.asks_position;
        if thought.dropped {
            self.pending = None;
            self.draft = false;
            self.wanted = None;
        }
    }

    fn finish(&mut self, call: &ToolCall, result: &ToolResult) {
        let arguments = call.parse_arguments().unwrap_or_default();
        let value: Value = serde_json::from_str(&result.joined_text()).unwrap_or_default();
        let failed = result.is_error;
        let named =
            arguments.get("hiring_manager_name").or_else(|| arguments.get("hiring_manager")?.get("name"));
        self.manager = named.and_then(Value::as_str).map(str::to_owned).or(self.manager.take());
        let pasted = arguments.get("job_ad_text").and_then(Value::as_str);
        self.ad = pasted.map(str::to_owned).or(self.ad.take());
        if failed {
            let error = &value["error"];
            let field = error["problems"][0]["field"].as_str();
            let asks = matches!(error["kind"].as_str(), Some("rejected" | "invalid_arguments"));
            self.pending = field.filter(|_| asks).map(|field| Pending {
                tool: call.name.clone(),
                arguments: arguments.clone(),
                field: field.to_owned(),
            });
        } else {
            self.succeed(call, &value);
        }
        self.done.push(Done { tool: call.name.clone(), arguments, result: value, failed });
    }

    fn succeed(&mut self, call: &ToolCall, value: &Value) {
        let kind = value["document"].as_str().and_then(Kind::find);
        let artifact = &value["artifact"];
        if kind == Some(Kind::ProjectSettings) {
            self.project = artifact["language"].as_str().and_then(Language::find).or(self.project);
            self.language = self.project.or(self.language);
            self.form = if artifact["german_form"] == "du" { GermanForm::Du } else { GermanForm::Sie };
            self.position = artifact["position_name"].as_str().map(str::to_owned).or(self.position.take());
            return;
        }
        self.pending = None;
        let Some(kind) = kind else { return };
        if call.name == "compare_candidates" {
            return;
        }
        self.last = Some(kind);
        if kind == Kind::RequirementProfile {
            self.draft = artifact["status"] == "draft";
            self.position = artifact["position_title"].as_str().map(str::to_owned).or(self.position.take());
        }
        if kind == Kind::CandidateReport {
            self.report_key = value["key"].as_str().map(str::to_owned);
        }
        self.made.insert(kind, artifact.clone());
    }

    /// How the answers speak.
    pub(super) fn voice(&self) -> Voice {
        Voice::new(self.language.unwrap_or_default(), self.form)
    }
}

/// What the guided model noted in an answer of its own.
pub(super) fn thought(message: &Message) -> Option<Thought> {
    message.blocks.iter().find_map(|block| match block {
        Block::Reasoning(Reasoning::Plain { text }) => serde_json::from_str(text).ok(),
        Block::Reasoning(_)
        | Block::Text(_)
        | Block::Refusal(_)
        | Block::ToolCall(_)
        | Block::ToolResult(_)
        | Block::Opaque(_) => None,
    })
}
