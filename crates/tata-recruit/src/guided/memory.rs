//! What the conversation says so far. There is no other memory: whoever has the messages can go on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tata_core::{Block, Message, Name, Reasoning, Role, ToolCall, ToolResult};

use tata_guided::wish::Wish;

use super::{Ask, ask::unpacked};
use crate::{GermanForm, Kind, Language, TableReading, Voice, form::Arguments, tool};

/// What the guided model notes beside its answer: how it understood, and what it asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// What it understood; none if it was not certain.
    pub intent: Option<Wish>,
    /// The language it answers in.
    #[serde(default)]
    pub language: Language,
    /// The language is certain: it was set, or a message left no doubt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sure: bool,
    /// What it asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<Ask>,
    /// It asked whether what was made is right; a yes leaves it as it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stands: bool,
    /// What it offers to do next; a yes does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Wish>,
    /// What was wanted when something it builds on was missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Wish>,
    /// How many messages in a row were not understood.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub misses: u32,
    /// What was begun is given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A call of this turn, and what it brought.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Done {
    pub(super) tool: Name,
    pub(super) arguments: Arguments,
    pub(super) result: Value,
    pub(super) failed: bool,
}

/// What the conversation says so far.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the conversation")]
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) language: Option<Language>,
    /// The language is certain.
    pub(super) sure: bool,
    /// The language of the page that the last message was written on.
    pub(super) reader: Option<Language>,
    /// The language the project is set to; none if nobody set anything.
    pub(super) project: Option<Language>,
    form: GermanForm,
    pub(super) position: Option<String>,
    /// What was asked last.
    pub(super) ask: Option<Ask>,
    /// The last thing that was made or asked about is a profile that nobody confirmed.
    pub(super) draft: bool,
    pub(super) stands: bool,
    pub(super) offer: Option<Wish>,
    pub(super) wanted: Option<Wish>,
    pub(super) misses: u32,
    /// The newest document of each kind.
    pub(super) made: BTreeMap<Kind, Value>,
    /// The kind that was made last.
    pub(super) last: Option<Kind>,
    /// The key of the last report.
    pub(super) report_key: Option<String>,
    /// Whether anything was answered yet.
    pub(super) begun: bool,
    /// The arguments of the last successful call of each tool.
    pub(super) calls: BTreeMap<String, Arguments>,
    /// How the last message was understood, if it was answered by calls.
    pub(super) thought: Option<Thought>,
    /// What the person said, message by message.
    pub(super) said: Vec<String>,
    /// The calls since the last of them.
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

    /// How answers in a language speak.
    pub(super) fn voice(&self, language: Language) -> Voice {
        Voice::new(language, self.form)
    }

    /// How the last table of figures was read.
    pub(super) fn table(&self) -> Option<TableReading> {
        let reading = self.made.get(&Kind::FunnelReport)?.get("reading")?.clone();
        serde_json::from_value(reading).ok()
    }

    /// The last call that made or should have made something, not the change of settings beside it.
    pub(super) fn main_call(&self) -> Option<&Done> {
        self.done.iter().rfind(|done| done.tool != tool::SET_PROJECT).or_else(|| self.done.last())
    }

    /// What the person said last.
    pub(super) fn message(&self) -> &str {
        self.said.last().map_or("", |said| said.trim())
    }
}

/// What is gathered on the way. Documents and arguments are long, and most of them are superseded: they are read at the
/// end, and only those that still count, so that a long conversation costs hardly more than a short one.
#[derive(Default)]
struct Fold<'a> {
    memory: Memory,
    open: Vec<&'a ToolCall>,
    /// The last thought, and the last since the person spoke.
    last: Option<&'a str>,
    thought: Option<&'a str>,
    /// The calls since then.
    done: Vec<(&'a ToolCall, &'a ToolResult)>,
    /// Calls that may have made a document, and how many steps were before each.
    made: Vec<(usize, &'a ToolCall, &'a ToolResult)>,
    steps: usize,
    /// When the position was last named for the project, and when what was begun was last given up.
    named: usize,
    dropped: usize,
}

impl<'a> Fold<'a> {
    fn hear(&mut self, message: &'a Message) {
        self.memory.begun |= self.memory.said.iter().any(|said| !said.is_empty());
        // A file and the words beside it are two texts: the last cell of a table ends before "make a report of this".
        let texts: Vec<&str> = message.texts().map(|text| text.text.as_str()).collect();
        self.memory.said.push(texts.join("\n\n"));
        let page = message.origin.as_ref().and_then(|origin| origin.page_language());
        self.memory.reader = page.and_then(Language::wished);
        self.thought = None;
        self.done.clear();
    }

    fn think(&mut self, noted: &'a str) {
        #[derive(Deserialize)]
        struct Gist {
            #[serde(default)]
            wanted: Option<Wish>,
            #[serde(default)]
            dropped: bool,
        }
        let Ok(gist) = serde_json::from_str::<Gist>(noted) else { return };
        self.steps += 1;
        self.memory.wanted = gist.wanted.or(self.memory.wanted);
        if gist.dropped {
            self.memory.wanted = None;
            self.dropped = self.steps;
        }
        (self.last, self.thought) = (Some(noted), Some(noted));
    }

    fn finish(&mut self, result: &'a ToolResult) {
        let at = self.open.iter().position(|call| call.call_id == result.call_id);
        let Some(call) = at.map(|at| self.open.remove(at)) else { return };
        self.steps += 1;
        self.done.push((call, result));
        if result.is_error {
            return;
        }
        // The settings are short, and each builds on those before.
        let settings = matches!(call.name.as_str(), tool::SET_PROJECT | "restore_document")
            .then(|| value(result))
            .filter(|value| kind_of(value) == Some(Kind::ProjectSettings));
        if let Some(value) = settings {
            self.set(&value["artifact"]);
        } else {
            self.made.push((self.steps, call, result));
        }
    }

    fn set(&mut self, settings: &Value) {
        let memory = &mut self.memory;
        memory.project = settings["language"].as_str().and_then(Language::wished).or(memory.project);
        memory.form = if settings["german_form"] == "du" { GermanForm::Du } else { GermanForm::Sie };
        if let Some(position) = settings["position_name"].as_str() {
            (memory.position, self.named) = (Some(position.to_owned()), self.steps);
        }
    }

    fn memory(mut self) -> Memory {
        self.read_documents();
        let mut memory = self.memory;
        let read = |noted: &str| -> Option<Thought> {
            let noted = unpacked(serde_json::from_str(noted).ok()?, &memory.said);
            serde_json::from_value(noted).ok()
        };
        let thought = self.last.and_then(read);
        let now = self.thought.and_then(read);
        if let Some(thought) = thought {
            memory.language = memory.project.or(Some(thought.language));
            memory.sure = thought.sure || memory.project.is_some();
            (memory.offer, memory.misses, memory.ask) = (thought.offer, thought.misses, thought.ask);
            memory.stands = thought.stands;
        }
        // A project that was begun by forms speaks as its documents do.
        if memory.language.is_none() {
            memory.language = memory.project.or_else(|| memory.made.values().find_map(language_of));
        }
        memory.thought = now;
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
            if read.contains(&tool) || tool == tool::COMPARE_CANDIDATES {
                continue;
            }
            let mut value = value(result);
            let Some(kind) = kind_of(&value) else { continue };
            if tool != "restore_document" {
                read.push(tool);
                memory.calls.insert(tool.to_owned(), call.parse_arguments().unwrap_or_default());
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

/// The language a document speaks.
fn language_of(document: &Value) -> Option<Language> {
    Voice::deserialize(document.get("voice")?).ok().map(Voice::language)
}

fn value(result: &ToolResult) -> Value {
    let text = result.own().map_or_else(|| result.joined_text().into(), std::borrow::Cow::Borrowed);
    serde_json::from_str(&text).unwrap_or_default()
}

/// The kind of document that a result brought.
pub(super) fn kind_of(value: &Value) -> Option<Kind> {
    value["document"].as_str().and_then(Kind::find)
}

/// What the guided model noted in an answer of its own, as it is written.
fn noted(message: &Message) -> Option<&str> {
    message.blocks.iter().find_map(|block| {
        let Block::Reasoning(Reasoning::Plain { text }) = block else { return None };
        text.starts_with('{').then_some(text.as_str())
    })
}
