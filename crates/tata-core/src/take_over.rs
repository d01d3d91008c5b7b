//! A history that a client brings, as entries of a journal.
//!
//! Whoever keeps a conversation at home may bring all of it: what a person said, what was answered, which of the client's
//! tools were called and what they brought. It proves nothing more than that: no document is made by it, nothing runs and
//! nothing is decided.

use std::sync::Arc;

use jiff::Timestamp;

use crate::{
    CallId, Conversation, Effect, Entry, Message, Question, QuestionReason, Record, ReplyOutcome, StopReason,
    ToolCall, ToolResult, ToolStatus, TurnEnd,
    conversation::{OpenTurn, Step},
};

/// What the journal names as the model of an answer that a client brought.
const MODEL: &str = "taken-over";

/// One step of a history that a client brings.
#[derive(Clone, Debug, PartialEq)]
pub enum PastStep {
    /// A person said something.
    Said(Message),
    /// Somebody answered, perhaps with calls of the client's tools.
    Answered(Message),
    /// What these calls brought.
    Brought(Vec<(CallId, String)>),
}

/// A history on its way into a journal.
#[derive(Debug)]
pub struct TakenOver {
    conversation: Conversation,
    now: Timestamp,
    records: Vec<Record>,
}

/// Entries that go on with a conversation by the steps that a client brings. A turn that is open at their end stays open.
pub fn take_over(conversation: Conversation, steps: &[PastStep], now: Timestamp) -> TakenOver {
    let mut taken = TakenOver { conversation, now, records: Vec::new() };
    for step in steps {
        match step {
            PastStep::Said(message) => taken.said(message),
            PastStep::Answered(message) => taken.answered(message),
            PastStep::Brought(results) => taken.brought(results),
        }
    }
    taken
}

impl TakenOver {
    /// The entries, for a person who says something next: no turn is open after them.
    pub fn closed(mut self) -> Vec<Record> {
        self.close();
        self.records
    }

    /// The entries, for a client that brings results of the last calls next: these wait for them. A call for which it
    /// brings none is given up.
    pub fn waiting(mut self, brought: &[CallId]) -> Vec<Record> {
        self.give_up(|call| brought.contains(&call.call_id));
        let turn = self.conversation.last_turn();
        let questions: Vec<Question> = self.open_calls().iter().map(|call| self.question(call)).collect();
        if !questions.is_empty() {
            self.add(Entry::Waiting { turn, questions });
        }
        self.records
    }

    fn said(&mut self, message: &Message) {
        self.close();
        let turn = self.conversation.last_turn() + 1;
        self.add(Entry::UserMessage { turn, message: message.clone(), state: None, answers: None });
    }

    fn answered(&mut self, message: &Message) {
        // An answer without a question, such as a greeting, answers nothing.
        let Some(turn) = self.conversation.open_turn() else { return };
        self.give_up(|_| false);
        let calls = message.tool_calls().next().is_some();
        self.add(Entry::ModelReply {
            turn,
            model: MODEL.into(),
            message: message.clone(),
            outcome: ReplyOutcome::Complete,
            stop: Some(if calls { StopReason::ToolUse } else { StopReason::EndTurn }),
            limit: None,
            tokens: 0,
            cost: None,
            by_person: false,
            by_program: false,
        });
        if !calls {
            self.add(Entry::TurnFinished {
                turn,
                end: TurnEnd::Answered,
                millis: 0,
                asks: None,
                checked: None,
            });
        }
    }

    fn brought(&mut self, results: &[(CallId, String)]) {
        for (call_id, output) in results {
            let call = self.open_calls().into_iter().find(|call| call.call_id == *call_id);
            if let Some(call) = call {
                self.finish(ToolResult::text(&call, output.clone()), ToolStatus::Succeeded);
            }
        }
    }

    /// Answers the calls that nobody will answer any more.
    fn give_up(&mut self, keep: impl Fn(&ToolCall) -> bool) {
        let open = self.conversation.open();
        let steps: Vec<Step> = open.into_iter().flat_map(OpenTurn::unfinished).cloned().collect();
        for Step { call, started, .. } in steps.into_iter().filter(|step| !keep(&step.call)) {
            // One of ours that had begun may have changed the world.
            let (status, why) = if started == Some(Effect::Outward) {
                (ToolStatus::Uncertain, "It had begun; whether it took effect is not known.")
            } else {
                (ToolStatus::NotRun, "Nobody brought a result of this call.")
            };
            self.finish(ToolResult::error(&call, why), status);
        }
    }

    fn close(&mut self) {
        let Some(turn) = self.conversation.open_turn() else { return };
        self.give_up(|_| false);
        self.add(Entry::TurnFinished { turn, end: TurnEnd::Empty, millis: 0, asks: None, checked: None });
    }

    fn finish(&mut self, result: ToolResult, status: ToolStatus) {
        let turn = self.conversation.last_turn();
        self.add(Entry::ToolFinished { turn, result, status, millis: 0, sources: None });
    }

    fn open_calls(&self) -> Vec<Arc<ToolCall>> {
        let open = self.conversation.open();
        open.into_iter().flat_map(OpenTurn::unfinished).map(|step| Arc::clone(&step.call)).collect()
    }

    fn add(&mut self, entry: Entry) {
        let record = Record { position: self.conversation.position() + 1, at: self.now, entry };
        self.conversation.apply(&record);
        self.records.push(record);
    }

    /// A call that waits for its client.
    fn question(&self, call: &ToolCall) -> Question {
        Question {
            call_id: call.call_id.clone(),
            tool: call.name.clone(),
            arguments: call.arguments.clone(),
            reason: QuestionReason::Approval,
            seal: self.conversation.seal(call, None),
            about: None,
            words: String::new(),
        }
    }
}
