//! A person in the place of the model: one call, made by hand, through the same loop.
//!
//! Whoever runs a tool from a terminal gets everything a model's call gets: validation, prerequisites, the journal, the
//! resumption after a crash. What was done stands in the conversation, and a model can go on from there.

use std::sync::Arc;

use futures_util::stream;

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

impl Model for DirectCall {
    fn name(&self) -> &'static str {
        "by-hand"
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
