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
        let mut fold = Fold::default();
        for message in messages {
            match message.role {
                Role::System => {}
                Role::User => fold.hear(message),
                Role::Assistant => {
                    if let Some(noted) = noted(message) {
                        fold.think(noted);
                    }
                    fold.open.extend(message.tool_calls());
                }
                Role::Tool => message.results().for_each(|result| fold.finish(result)),
            }
        }
        fold.memory()
    }

    /// How the answers speak.
    pub(super) fn voice(&self) -> Voice {
        Voice::new(self.language.unwrap_or_default(), self.form)
    }
}

/// The part of a thought that the next one builds on.
#[derive(Deserialize)]
struct Gist {
    #[serde(default)]
    language: Language,
    #[serde(default)]
    offer: Option<Intent>,
    #[serde(default)]
    wanted: Option<Intent>,
    #[serde(default)]
    misses: u32,
    #[serde(default)]
    asks_position: bool,
    #[serde(default)]
    dropped: bool,
}

/// What is gathered on the way. Documents and arguments are long, and most of them are superseded: they are read at the
/// end, and only those that still count, so that a long conversation costs hardly more than a short one.
#[derive(Default)]
struct Fold<'a> {
    memory: Memory,
    open: Vec<&'a ToolCall>,
    said: Option<&'a Message>,
    /// The last thought since then.
    thought: Option<&'a str>,
    /// The calls since then.
    done: Vec<(&'a ToolCall, &'a ToolResult)>,
    /// Calls that may have made a document, and how many steps were before each.
    made: Vec<(usize, &'a ToolCall, &'a ToolResult)>,
    /// The last call that failed, unless something came of it since.
    failed: Option<(&'a ToolCall, &'a ToolResult)>,
    /// Calls that may name the hiring manager, and that may bring an ad.
    managers: Vec<&'a ToolCall>,
    ads: Vec<&'a ToolCall>,
    steps: usize,
    /// When the position was last named for the project, and when what was begun was last given up.
    named: usize,
    dropped: usize,
}

impl<'a> Fold<'a> {
    fn hear(&mut self, message: &'a Message) {
        let says = |block: &Block| matches!(block, Block::Text(part) if !part.text.is_empty());
        self.memory.begun |= self.said.is_some_and(|before| before.blocks.iter().any(says));
        self.said = Some(message);
        self.thought = None;
        self.done.clear();
    }

    fn think(&mut self, noted: &'a str) {
        let Ok(gist) = serde_json::from_str::<Gist>(noted) else { return };
        self.steps += 1;
        let memory = &mut self.memory;
        memory.language = Some(gist.language);
        memory.offer = gist.offer;
        memory.wanted = gist.wanted.or(memory.wanted);
        memory.misses = gist.misses;
        memory.asks_position = gist.asks_position;
        if gist.dropped {
            memory.wanted = None;
            (self.failed, self.dropped) = (None, self.steps);
        }
        self.thought = Some(noted);
    }

    fn finish(&mut self, result: &'a ToolResult) {
        let at = self.open.iter().position(|call| call.call_id == result.call_id);
        let Some(call) = at.map(|at| self.open.remove(at)) else { return };
        self.steps += 1;
        self.done.push((call, result));
        if call.arguments.contains("hiring_manager") {
            self.managers.push(call);
        }
        if call.arguments.contains("job_ad_text") {
            self.ads.push(call);
        }
        if result.is_error {
            self.failed = Some((call, result));
            return;
        }
        // The settings are short, and each builds on those before.
        let settings = matches!(call.name.as_str(), "set_project" | "restore_document")
            .then(|| value(result))
            .filter(|value| kind_of(value) == Some(Kind::ProjectSettings));
        if let Some(value) = settings {
            self.set(&value["artifact"]);
        } else {
            self.failed = None;
            self.made.push((self.steps, call, result));
        }
    }

    fn set(&mut self, settings: &Value) {
        let memory = &mut self.memory;
        memory.project = settings["language"].as_str().and_then(Language::find).or(memory.project);
        memory.language = memory.project.or(memory.language);
        memory.form = if settings["german_form"] == "du" { GermanForm::Du } else { GermanForm::Sie };
        if let Some(position) = settings["position_name"].as_str() {
            (memory.position, self.named) = (Some(position.to_owned()), self.steps);
        }
    }

    fn memory(mut self) -> Memory {
        self.read_documents();
        let mut memory = self.memory;
        memory.message = self.said.map(Message::joined_text).unwrap_or_default();
        memory.thought = self.thought.and_then(|noted| serde_json::from_str(noted).ok());
        memory.pending = self.failed.and_then(|(call, result)| pending(call, result));
        let last = |calls: &[&ToolCall], text: fn(&Map<String, Value>) -> Option<&str>| {
            let mut arguments = calls.iter().rev().map(|call| call.parse_arguments().unwrap_or_default());
            arguments.find_map(|arguments| text(&arguments).map(str::to_owned))
        };
        memory.manager = last(&self.managers, |arguments| {
            let named =
                arguments.get("hiring_manager_name").or_else(|| arguments.get("hiring_manager")?.get("name"));
            named.and_then(Value::as_str)
        });
        memory.ad = last(&self.ads, |arguments| arguments.get("job_ad_text").and_then(Value::as_str));
        let done = self.done.into_iter().map(|(call, result)| Done {
            tool: call.name.clone(),
            arguments: call.parse_arguments().unwrap_or_default(),
            result: value(result),
            failed: result.is_error,
        });
        memory.done = done.collect();
        memory
    }

    /// The newest document of each kind: from the last step back, and one of each tool, for what a tool makes is always of
    /// the same kind. Only what was restored may be of any.
    fn read_documents(&mut self) {
        let memory = &mut self.memory;
        let mut read: Vec<&str> = Vec::new();
        for (step, call, result) in self.made.drain(..).rev() {
            let tool = call.name.as_str();
            if read.contains(&tool) || tool == "compare_candidates" {
                continue;
            }
            let mut value = value(result);
            let Some(kind) = kind_of(&value) else { continue };
            if tool != "restore_document" {
                read.push(tool);
            }
            memory.last = memory.last.or(Some(kind));
            if memory.made.contains_key(&kind) {
                continue;
            }
            let artifact = value["artifact"].take();
            if kind == Kind::RequirementProfile {
                memory.draft = artifact["status"] == "draft" && self.dropped < step;
                let title = artifact["position_title"].as_str().filter(|_| self.named < step);
                memory.position = title.map(str::to_owned).or(memory.position.take());
            }
            if kind == Kind::CandidateReport {
                memory.report_key = value["key"].as_str().map(str::to_owned);
            }
            memory.made.insert(kind, artifact);
        }
    }
}

/// What a call lacked, if somebody was asked for it.
fn pending(call: &ToolCall, result: &ToolResult) -> Option<Pending> {
    let value = value(result);
    let error = &value["error"];
    let asks = matches!(error["kind"].as_str(), Some("rejected" | "invalid_arguments"));
    let field = error["problems"][0]["field"].as_str().filter(|_| asks)?.to_owned();
    Some(Pending { tool: call.name.clone(), arguments: call.parse_arguments().unwrap_or_default(), field })
}

fn value(result: &ToolResult) -> Value {
    let text = result.own().map_or_else(|| result.joined_text().into(), std::borrow::Cow::Borrowed);
    serde_json::from_str(&text).unwrap_or_default()
}

fn kind_of(value: &Value) -> Option<Kind> {
    value["document"].as_str().and_then(Kind::find)
}

/// What the guided model noted in an answer of its own, as it is written.
fn noted(message: &Message) -> Option<&str> {
    message.blocks.iter().find_map(|block| match block {
        Block::Reasoning(Reasoning::Plain { text }) if text.starts_with('{') => Some(text.as_str()),
        Block::Reasoning(_)
        | Block::Text(_)
        | Block::Refusal(_)
        | Block::ToolCall(_)
        | Block::ToolResult(_)
        | Block::Opaque(_) => None,
    })
}
