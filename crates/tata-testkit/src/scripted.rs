//! A model that answers from a script.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use futures_util::stream;
use tata_core::{
    Block, CallIdCounts, Message, Model, ModelError, ModelErrorKind, ModelEvent, ModelRequest, Outcome,
    Reply, ReplyStream, Role, Stop, StopReason, ToolCall, Usage,
};

/// One scripted answer.
#[derive(Debug)]
pub enum Script {
    /// Blocks, in order; calls make it stop for tools.
    Say(Vec<Block>),
    /// A failure, after the given text was streamed.
    Fail(String, ModelError),
}

impl Script {
    /// A plain answer.
    pub fn text(text: &str) -> Self {
        Self::Say(vec![Block::text(text)])
    }

    /// Tool calls: id, name, arguments.
    pub fn calls(calls: &[(&str, &str, &str)]) -> Self {
        let call = |(id, name, arguments): &(&str, &str, &str)| {
            Block::ToolCall(ToolCall::function(*id, *name, *arguments))
        };
        Self::Say(calls.iter().map(call).collect())
    }
}

/// Answers requests in the order of its script. A request beyond it fails, as a real one would.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    answers: Mutex<VecDeque<Script>>,
    requests: Mutex<Vec<Arc<ModelRequest>>>,
}

impl ScriptedModel {
    /// A model with these answers.
    pub fn new(answers: impl IntoIterator<Item = Script>) -> Self {
        Self { answers: Mutex::new(answers.into_iter().collect()), requests: Mutex::default() }
    }

    /// The requests it got so far.
    pub fn requests(&self) -> Vec<Arc<ModelRequest>> {
        self.requests.lock().unwrap().clone()
    }
}

impl Model for ScriptedModel {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        self.requests.lock().unwrap().push(request);
        let script = self.answers.lock().unwrap().pop_front();
        let events = match script {
            Some(Script::Say(blocks)) => said(blocks),
            Some(Script::Fail(text, error)) => {
                let mut events = deltas(0, &text);
                let mut reply = Reply::failed(error);
                if !text.is_empty() {
                    reply.message.blocks.push(Block::text(text));
                }
                events.push(ModelEvent::Finished(Box::new(reply)));
                events
            }
            None => {
                let error = ModelError::new(ModelErrorKind::Server).with_detail("the script is over");
                vec![ModelEvent::Finished(Box::new(Reply::failed(error)))]
            }
        };
        Box::pin(stream::iter(events))
    }
}

fn deltas(block: usize, text: &str) -> Vec<ModelEvent> {
    text.split_inclusive(' ').map(|piece| ModelEvent::TextDelta { block, text: piece.into() }).collect()
}

fn said(blocks: Vec<Block>) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    let mut calls = 0;
    for (block, part) in blocks.iter().enumerate() {
        match part {
            Block::Text(text) => events.extend(deltas(block, &text.text)),
            Block::ToolCall(call) => {
                calls += 1;
                let (call_id, name) = (call.call_id.clone(), call.name.clone());
                events.push(ModelEvent::ToolCallStarted { block, call_id, name });
            }
            Block::Reasoning(_) | Block::Refusal(_) | Block::ToolResult(_) | Block::Opaque(_) => {}
        }
    }
    let reason = if calls > 0 { StopReason::ToolUse } else { StopReason::EndTurn };
    let reply = Reply {
        message: Message { role: Role::Assistant, blocks: blocks.into(), origin: None },
        outcome: Outcome::Complete,
        stop: Some(Stop { reason, raw: None, sequence: None, details: None }),
        usage: Some(Usage {
            input_tokens: Some(10),
            output_tokens: Some(5),
            total_tokens: Some(15),
            ..Usage::default()
        }),
        response_id: None,
        model: Some("scripted".to_owned()),
        request_id: None,
        service_tier: None,
        warnings: Vec::new(),
        lost_events: 0,
        attempts: 1,
        attempts_left: 1,
        call_ids: CallIdCounts { extracted: calls, ..CallIdCounts::default() },
    };
    events.push(ModelEvent::Finished(Box::new(reply)));
    events
}
