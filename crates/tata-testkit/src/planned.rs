//! A model whose answer depends on the request alone, so that a resumed turn hears what an undisturbed one hears.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use tata_core::{
    Block, CallIdCounts, Message, Model, ModelError, ModelErrorKind, ModelEvent, ModelRequest, Outcome,
    Reply, ReplyStream, Role, Stop, StopReason, ToolCall, ToolChoice, Usage,
};

/// One planned answer.
#[derive(Clone, Debug)]
pub struct Answer {
    blocks: Vec<Block>,
    stop: Option<StopReason>,
    ending: Ending,
    usage: Option<Usage>,
    thinks: Duration,
    lost_events: u64,
    status: Option<u16>,
}

#[derive(Clone, Debug)]
enum Ending {
    Complete,
    Incomplete,
    Paused,
    Failed(ModelErrorKind, Option<Duration>),
    Truncated(ModelErrorKind),
    Stalls,
    /// The stream ends without a reply, which the port forbids.
    Ends,
}

impl Answer {
    /// Blocks in order; calls make it stop for tools.
    pub fn say(blocks: Vec<Block>) -> Self {
        let calls = blocks.iter().any(|block| matches!(block, Block::ToolCall(_)));
        let usage = Usage {
            input_tokens: Some(10),
            output_tokens: Some(5),
            total_tokens: Some(15),
            ..Usage::default()
        };
        Self {
            blocks,
            stop: Some(if calls { StopReason::ToolUse } else { StopReason::EndTurn }),
            ending: Ending::Complete,
            usage: Some(usage),
            thinks: Duration::ZERO,
            lost_events: 0,
            status: None,
        }
    }

    /// A plain answer.
    pub fn text(text: &str) -> Self {
        Self::say(vec![Block::text(text)])
    }

    /// Tool calls: id, name, arguments.
    pub fn calls<S: AsRef<str>>(calls: &[(S, S, S)]) -> Self {
        let call = |(id, name, arguments): &(S, S, S)| {
            Block::ToolCall(ToolCall::function(id.as_ref(), name.as_ref(), arguments.as_ref()))
        };
        Self::say(calls.iter().map(call).collect())
    }

    /// A failure before the first byte.
    pub fn fails(kind: ModelErrorKind) -> Self {
        Self { ending: Ending::Failed(kind, None), ..Self::nothing() }
    }

    /// A failure that says when to come back.
    pub fn fails_for(kind: ModelErrorKind, retry_after: Duration) -> Self {
        Self { ending: Ending::Failed(kind, Some(retry_after)), ..Self::nothing() }
    }

    /// Text, and then the connection breaks.
    pub fn breaks_off(text: &str, kind: ModelErrorKind) -> Self {
        Self { ending: Ending::Truncated(kind), ..Self::stalls(text) }
    }

    /// Text, and then nothing more, ever.
    pub fn stalls(text: &str) -> Self {
        let blocks = if text.is_empty() { Vec::new() } else { vec![Block::text(text)] };
        Self { blocks, ending: Ending::Stalls, ..Self::nothing() }
    }

    /// Text, and then the end of the stream without a reply.
    pub fn ends_abruptly(text: &str) -> Self {
        Self { blocks: vec![Block::text(text)], ending: Ending::Ends, ..Self::nothing() }
    }

    fn nothing() -> Self {
        Self { stop: None, usage: None, ..Self::say(Vec::new()) }
    }

    /// The same answer, stopped for another reason; the outcome follows from it.
    #[must_use]
    pub fn stopped(mut self, reason: StopReason) -> Self {
        self.stop = Some(reason);
        self.ending = match reason {
            StopReason::MaxTokens
            | StopReason::ContentFilter
            | StopReason::ContextWindow
            | StopReason::Damaged => Ending::Incomplete,
            StopReason::PauseTurn => Ending::Paused,
            StopReason::EndTurn
            | StopReason::ToolUse
            | StopReason::StopSequence
            | StopReason::Refusal
            | StopReason::Error
            | StopReason::Other => Ending::Complete,
        };
        self
    }

    /// The same answer with these tokens.
    #[must_use]
    pub fn using(mut self, input: u64, output: u64) -> Self {
        self.usage = Some(Usage {
            input_tokens: Some(input),
            output_tokens: Some(output),
            total_tokens: Some(input + output),
            ..Usage::default()
        });
        self
    }

    /// The same answer without a report of its tokens.
    #[must_use]
    pub fn uncounted(mut self) -> Self {
        self.usage = None;
        self
    }

    /// The same answer with holes: so many events of it could not be read.
    #[must_use]
    pub fn with_holes(mut self, lost_events: u64) -> Self {
        self.lost_events = lost_events;
        self
    }

    /// The same failure, with an HTTP status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// The same answer, begun only after this time.
    #[must_use]
    pub fn after(mut self, time: Duration) -> Self {
        self.thinks = time;
        self
    }

    fn events(self, model: &str) -> (Duration, Vec<ModelEvent>, bool) {
        let mut events = Vec::new();
        let mut calls = 0;
        for (block, part) in self.blocks.iter().enumerate() {
            match part {
                Block::Text(text) => events.extend(
                    text.text
                        .split_inclusive(' ')
                        .map(|piece| ModelEvent::TextDelta { block, text: piece.into() }),
                ),
                Block::Refusal(refusal) => {
                    events.push(ModelEvent::RefusalDelta { block, text: refusal.text.as_str().into() });
                }
                Block::ToolCall(call) => {
                    calls += 1;
                    let (call_id, name) = (call.call_id.clone(), call.name.clone());
                    events.push(ModelEvent::ToolCallStarted { block, call_id, name });
                }
                Block::Reasoning(_) | Block::ToolResult(_) | Block::Opaque(_) => {}
            }
        }
        let status = self.status;
        let error = |kind: ModelErrorKind| ModelError {
            status,
            ..ModelError::new(kind).with_detail("HTTP 500 from 10.0.0.1")
        };
        let outcome = match self.ending {
            Ending::Complete => Outcome::Complete,
            Ending::Incomplete => Outcome::Incomplete,
            Ending::Paused => Outcome::Paused,
            Ending::Failed(kind, retry_after) => Outcome::Failed(ModelError { retry_after, ..error(kind) }),
            Ending::Truncated(kind) => Outcome::Truncated(error(kind)),
            Ending::Stalls => return (self.thinks, events, true),
            Ending::Ends => return (self.thinks, events, false),
        };
        let stop = self.stop.map(|reason| Stop { reason, raw: None, sequence: None, details: None });
        let reply = Reply {
            message: Message { role: Role::Assistant, blocks: self.blocks.into(), origin: None },
            outcome,
            stop,
            usage: self.usage,
            response_id: None,
            model: Some(model.to_owned()),
            request_id: None,
            service_tier: None,
            warnings: Vec::new(),
            lost_events: self.lost_events,
            attempts: 1,
            attempts_left: 1,
            call_ids: CallIdCounts { extracted: calls, ..CallIdCounts::default() },
        };
        events.push(ModelEvent::Finished(Box::new(reply)));
        (self.thinks, events, false)
    }
}

/// A model with a plan for every question. It pauses before each event, so that a turn can be dropped there.
///
/// Which answer it gives follows from the request: the plan of the last question a person asked, at the place given
/// by the number of answers since. Where no tools may be used it gives its last words.
#[derive(Debug)]
pub struct PlannedModel {
    name: String,
    plans: HashMap<String, Vec<Answer>>,
    otherwise: Answer,
    last_words: Answer,
    disturbed: Mutex<HashMap<usize, Answer>>,
    requests: Mutex<Vec<Arc<ModelRequest>>>,
}

impl PlannedModel {
    /// A model without a plan: it always says the same.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            plans: HashMap::new(),
            otherwise: Answer::text("I have nothing planned."),
            last_words: Answer::text("That is what I have."),
            disturbed: Mutex::default(),
            requests: Mutex::default(),
        }
    }

    /// Its answers to a question, one for each round.
    #[must_use]
    pub fn on(mut self, question: &str, answers: impl IntoIterator<Item = Answer>) -> Self {
        self.plans.insert(question.to_owned(), answers.into_iter().collect());
        self
    }

    /// What it says where no plan says anything.
    #[must_use]
    pub fn otherwise(mut self, answer: Answer) -> Self {
        self.otherwise = answer;
        self
    }

    /// What it says when it may not use tools.
    #[must_use]
    pub fn last_words(mut self, answer: Answer) -> Self {
        self.last_words = answer;
        self
    }

    /// The request with this number, counted from 1, gets another answer than planned.
    #[must_use]
    pub fn disturbed(self, request: usize, answer: Answer) -> Self {
        self.disturbed.lock().unwrap().insert(request, answer);
        self
    }

    /// The requests it got so far.
    pub fn requests(&self) -> Vec<Arc<ModelRequest>> {
        self.requests.lock().unwrap().clone()
    }

    fn answer(&self, request: &ModelRequest, number: usize) -> Answer {
        if let Some(answer) = self.disturbed.lock().unwrap().remove(&number) {
            return answer;
        }
        if request.tool_choice == ToolChoice::None {
            return self.last_words.clone();
        }
        let Some(asked) = request.messages.iter().rposition(|message| message.role == Role::User) else {
            return self.otherwise.clone();
        };
        let (question, since) = request.messages[asked..].split_first().unwrap();
        let round = since.iter().filter(|message| message.role == Role::Assistant).count();
        let asked = question.joined_text();
        // Where tools take what people bring, a message has its number before it.
        let words = asked
            .strip_prefix("[m")
            .and_then(|rest| rest.split_once("]\n"))
            .map_or(asked.as_str(), |(_, words)| words);
        let plan = self.plans.get(words);
        plan.and_then(|plan| plan.get(round)).unwrap_or(&self.otherwise).clone()
    }
}

impl Model for PlannedModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        let number = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(Arc::clone(&request));
            requests.len()
        };
        let (thinks, events, stalls) = self.answer(&request, number).events(&self.name);
        let thinking = stream::once(async move {
            if !thinks.is_zero() {
                tokio::time::sleep(thinks).await;
            }
        })
        .filter_map(|()| std::future::ready(None));
        let events = stream::iter(events).then(|event| async {
            tokio::task::yield_now().await;
            event
        });
        if stalls {
            return Box::pin(thinking.chain(events).chain(stream::pending()));
        }
        Box::pin(thinking.chain(events))
    }
}
