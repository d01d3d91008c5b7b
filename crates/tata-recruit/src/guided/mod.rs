//! The guided model: no network, no weights, only rules. It understands what a recruiter wants in five languages, calls
//! the same tools through the same loop as any other model, and words the answers.
//!
//! It remembers nothing but the conversation: every answer follows from the messages alone, so a restart, another face or
//! another machine goes on where the last one stopped. What it understood stands beside each answer as a [`Thought`]. The
//! tools own every rule; what they refuse becomes the next question. It does **not** pretend: what it does not understand
//! it says, and after two misses it shows what it can do.

mod act;
mod answer;
mod calendar;
mod clock;
mod counts;
mod dates;
mod decisions;
mod details;
mod fields;
mod hearing;
mod intent;
mod lexicon;
mod mail;
mod memory;
mod named;
mod needs;
mod numerals;
mod pasted;
mod people;
mod repairs;
mod shelf;
mod slots;
mod swaps;
mod titles;
mod tokens;
mod wishes;

use std::sync::Arc;

use futures_util::{FutureExt, stream};
use jiff::tz::TimeZone;
use tata_core::{
    Block, Clock, Message, Model, ModelRequest, Origin, Reasoning, ReplyStream, Role, ToolCall, ToolChoice,
    at_once,
};

pub(crate) use self::named::{lengths_in, names_day, times_in};
use self::{
    act::{Step, next_step},
    memory::Memory,
};
pub use self::{intent::Intent, memory::Thought};
use crate::apart::apart;

/// The name by which people choose it.
pub const GUIDED: &str = "guided";

/// Recruiters count days where the offices are.
pub(crate) const OFFICE_ZONE: &str = "Europe/Stockholm";

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
        let step = next_step(&memory, today, &has);
        let count = request.messages.len();
        let mut blocks = Vec::new();
        let (thought, rest) = match step {
            Step::Say { thought, text } => (thought, vec![Block::text(text)]),
            Step::Call { thought, calls } => {
                let call = |(at, (tool, arguments)): (usize, (String, _))| {
                    let id = format!("guided_{count}_{at}");
                    Block::ToolCall(ToolCall::function(
                        id,
                        tool,
                        serde_json::Value::Object(arguments).to_string(),
                    ))
                };
                (thought, calls.into_iter().enumerate().map(call).collect())
            }
        };
        let text = serde_json::to_string(&thought).unwrap_or_default();
        blocks.push(Block::Reasoning(Reasoning::Plain { text }));
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
