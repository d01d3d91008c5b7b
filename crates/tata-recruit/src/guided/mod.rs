//! The guided model: no network, no guessing. It reads what is wanted by a small trained model that says how sure it
//! is, answers by the parser of what was asked, and calls the same tools through the same loop as any other model.
//!
//! It remembers nothing but the conversation: every answer follows from the messages alone, so a restart, another face or
//! another machine goes on where the last one stopped. What it understood and asked stands beside each answer as a
//! [`Thought`]. Nothing changes by guess: a yes is a whole message from a closed list, a change is shown before and after,
//! and what is not certain becomes a numbered question.

mod ask;
mod change;
mod choose;
mod filling;
mod forms;
mod memory;
mod notes;
mod parts;
mod paste;
mod propose;
mod rivals;
mod say;
mod settle;
mod sheet;
mod tools;
mod turn;

use std::sync::Arc;

use futures_util::{FutureExt, stream};
use jiff::tz::TimeZone;
use serde_json::Value;
use tata_core::{
    Block, Clock, Message, Model, ModelRequest, Origin, Reasoning, ReplyStream, Role, ToolCall, ToolChoice,
    at_once,
};

pub use self::{ask::Ask, memory::Thought};
use self::{
    ask::packed,
    memory::Memory,
    turn::{SEARCH_DOCS, Step, next_step, said_of_documents},
};
use crate::{apart::apart, office::OFFICE_ZONE};

/// The name by which people choose it.
pub const GUIDED: &str = "guided";

/// Answers from what a search of the company's documents brought, if the last call of a conversation was one.
pub type DocumentAnswer = fn(&ModelRequest) -> Option<String>;

/// A model of rules.
#[derive(Clone, Copy, Debug)]
pub struct Guided {
    clock: Clock,
    documents: Option<DocumentAnswer>,
}

impl Guided {
    /// A guided model that reads this clock.
    pub fn new(clock: Clock) -> Self {
        Self { clock, documents: None }
    }

    /// The same, which looks questions about the company up in its documents.
    #[must_use]
    pub fn with_documents(self, answer: DocumentAnswer) -> Self {
        Self { documents: Some(answer), ..self }
    }

    /// What it answers to a conversation: the whole message, with what it understood.
    pub fn reply(&self, request: &ModelRequest) -> Message {
        let zone = TimeZone::get(OFFICE_ZONE).unwrap_or(TimeZone::UTC);
        let today = self.clock.now().to_zoned(zone).date();
        let memory = Memory::of(&request.messages);
        let calls_may_run = request.tool_choice != ToolChoice::None;
        let has = |tool: &str| {
            let is_there = calls_may_run && request.tools.iter().any(|known| known.name == tool);
            is_there && (tool != SEARCH_DOCS || self.documents.is_some())
        };
        let call = |(at, (tool, arguments)): (usize, (String, _))| {
            let id = format!("guided_{}_{at}", request.messages.len());
            Block::ToolCall(ToolCall::function(id, tool, Value::Object(arguments).to_string()))
        };
        let step = match self.documents.and_then(|answer| answer(request)) {
            Some(text) => said_of_documents(&memory, text),
            None => next_step(&memory, today, &has),
        };
        let (thought, rest) = match step {
            Step::Say { thought, text } => (thought, vec![Block::text(text)]),
            Step::Call { thought, calls } => (thought, calls.into_iter().enumerate().map(call).collect()),
        };
        let text = packed(serde_json::to_value(&thought).unwrap_or_default(), &memory.said).to_string();
        let mut blocks = vec![Block::Reasoning(Reasoning::Plain { text })];
        blocks.extend(rest);
        Message { role: Role::Assistant, blocks: blocks.into(), origin: Some(Origin::new(GUIDED, "rules")) }
    }
}

impl Model for Guided {
    fn name(&self) -> &str {
        GUIDED
    }

    /// All it says stands in our texts, its questions too.
    fn is_program(&self) -> bool {
        true
    }

    /// It uses the processor of whoever asks.
    fn thinks_here(&self) -> bool {
        true
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        let model = *self;
        let thinks = apart(move || at_once(GUIDED, model.reply(&request)));
        Box::pin(thinks.map(stream::iter).flatten_stream())
    }
}
