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
mod paste;
mod propose;
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
    turn::{Step, next_step},
};
use crate::{apart::apart, office::OFFICE_ZONE};

/// The name by which people choose it.
pub const GUIDED: &str = "guided";

/// A model of rules.
#[derive(Clone, Copy, Debug)]
pub struct Guided {
    clock: Clock,
}

impl Guided {
    /// A guided model that reads this clock.
    pub fn new(clock: Clock) -> Self {
        Self { clock }
    }

    /// What it answers to a conversation: the whole message, with what it understood.
    pub fn reply(&self, request: &ModelRequest) -> Message {
        let zone = TimeZone::get(OFFICE_ZONE).unwrap_or(TimeZone::UTC);
        let today = self.clock.now().to_zoned(zone).date();
        let memory = Memory::of(&request.messages);
        let calls_may_run = request.tool_choice != ToolChoice::None;
        let has = |tool: &str| calls_may_run && request.tools.iter().any(|known| known.name == tool);
        let call = |(at, (tool, arguments)): (usize, (String, _))| {
            let id = format!("guided_{}_{at}", request.messages.len());
            Block::ToolCall(ToolCall::function(id, tool, Value::Object(arguments).to_string()))
        };
        let (thought, rest) = match next_step(&memory, today, &has) {
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
