//! A person in the place of the model: one call, made by hand, through the same loop.
//!
//! Whoever runs a tool from a terminal gets everything a model's call gets: validation, prerequisites, the journal, the
//! resumption after a crash. What was done stands in the conversation, and a model can go on from there.

use std::sync::Arc;

use futures_util::stream;
use serde_json::Value;

use crate::{
    Block, CallIdCounts, Message, Model, ModelEvent, ModelRequest, Outcome, Reply, ReplyStream, Role, Stop,
    StopReason, ToolCall,
};

/// Makes one call, then says that it was made.
#[derive(Clone, Debug)]
pub struct DirectCall {
    call: ToolCall,
    farewell: String,
    by_person: bool,
}

impl DirectCall {
    /// What stands in the ledger where a model would, when a person made the call.
    pub const BY_PERSON: &'static str = "by-hand";

    /// A call, and what to say once it has its result.
    pub fn new(call: ToolCall, farewell: impl Into<String>) -> Self {
        Self { call, farewell: farewell.into(), by_person: true }
    }

    /// The same call, made by somebody else's model: what it says is a claim, and it decides nothing.
    #[must_use]
    pub fn by_model(mut self) -> Self {
        self.by_person = false;
        self
    }
}

/// What a person says by making a call: every text they hand over is a material of its own, so that the documents can be
/// traced to it; the small values stand together.
pub fn said_by_hand(tool: &str, arguments: &str) -> Message {
    let (mut texts, mut small) = (Vec::new(), format!("Run {tool}.\n"));
    if let Ok(arguments) = serde_json::from_str::<Value>(arguments) {
        gather("", &arguments, &mut texts, &mut small);
    }
    let blocks = std::iter::once(small).chain(texts).map(Block::text).collect();
    Message { role: Role::User, blocks, origin: None }
}

/// Texts of several lines are told apart from small values.
fn gather(name: &str, value: &Value, texts: &mut Vec<String>, small: &mut String) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| gather(name, value, texts, small)),
        Value::Array(members) => members.iter().for_each(|value| gather(name, value, texts, small)),
        Value::String(text) if text.contains('\n') => texts.push(text.clone()),
        Value::String(text) => small.push_str(&format!("{name}: {text}\n")),
        Value::Number(number) => small.push_str(&format!("{name}: {number}\n")),
        Value::Null | Value::Bool(_) => {}
    }
}

impl Model for DirectCall {
    fn name(&self) -> &'static str {
        if self.by_person { Self::BY_PERSON } else { "by-program" }
    }

    fn is_person(&self) -> bool {
        self.by_person
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        let answered = request.messages.iter().any(|message| {
            message.blocks.iter().any(
                |block| matches!(block, Block::ToolResult(result) if result.call_id == self.call.call_id),
            )
        });
        let (block, reason) = if answered {
            (Block::text(self.farewell.clone()), StopReason::EndTurn)
        } else {
            (Block::ToolCall(self.call.clone()), StopReason::ToolUse)
        };
        let reply = Reply {
            message: Message { role: Role::Assistant, blocks: vec![block].into(), origin: None },
            outcome: Outcome::Complete,
            stop: Some(Stop { reason, raw: None, sequence: None, details: None }),
            usage: None,
            response_id: None,
            model: None,
            request_id: None,
            service_tier: None,
            warnings: Vec::new(),
            lost_events: 0,
            attempts: 1,
            attempts_left: 0,
            call_ids: CallIdCounts::default(),
        };
        Box::pin(stream::iter([ModelEvent::Finished(Box::new(reply))]))
    }
}
