//! Asks a model, and the next one when it fails.

use std::{
    collections::{HashSet, VecDeque},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use fail::fail_point;
use tokio::time::Instant;
use tracing::{info, warn};

use super::{
    REST,
    limits::LAST_ANSWER,
    request::{Built, build, correct, too_long},
    turn::{ReportDraft, Turn, after},
};
use crate::{
    Block, CallId, Entry, Event, Feeder, IdOrigin, Limit, Message, Model, ModelChoice, ModelError,
    ModelErrorKind, ModelEvent, ModelRequest, Name, Outcome, Phase, Reply, ReplyOutcome, ReplyStream, Role,
    Stop, StopReason, StoreError, TurnEnd, UsageRow,
};

/// How often a request is built smaller because the provider found it too long.
const SQUEEZES: u32 = 3;

/// A provider that asks for more than this is asked again anyway.
const LONGEST_REST: Duration = Duration::from_hours(1);

/// What was tried with the model that is asked now.
#[derive(Default)]
struct Tried {
    model: Option<usize>,
    /// A smaller room than usual, for when the provider found a request too long.
    room: Option<u64>,
    /// The tokens of the last request that the provider found too long.
    refused: Option<u64>,
    squeezes: u32,
    /// The requests it got for this answer, whoever repeated them.
    sent: u32,
    asked_again: bool,
}

/// What came of one request.
enum Answer {
    Came(Box<Reply>),
    /// A person stopped it, or the time was over; the text that had arrived.
    Stopped(String),
}

/// Whose words an answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    /// A model of a provider: its words are nobody's here.
    Model,
    /// A person who makes a call by hand.
    Person,
    /// The program itself.
    Program,
}

impl Author {
    fn of(model: &dyn Model) -> Self {
        match (model.is_person(), model.is_program()) {
            (true, _) => Self::Person,
            (false, true) => Self::Program,
            (false, false) => Self::Model,
        }
    }
}

impl Turn {
    /// Asks the models in turn until one answers, and records the answer. Brings the end of the turn when nothing
    /// more can come.
    pub(super) async fn ask(&mut self) -> Result<Option<TurnEnd>, StoreError> {
        let last_answer = self.last_answer;
        let agent = Arc::clone(&self.agent);
        let mut plan: VecDeque<usize> = agent.candidates().into();
        let mut tried = Tried::default();
        let before = self.draft.usage.len();
        let mut failure: Option<(Box<Reply>, Name)> = None;
        while let Some(at) = plan.pop_front() {
            let Some(choice) = agent.parts.models.get(at) else { continue };
            let name = Name::from(choice.model.name());
            if tried.model != Some(at) {
                // Every model has its own count, and its own room.
                tried = Tried { model: Some(at), ..Tried::default() };
            }
            let built = build(&agent, choice, &self.conversation, last_answer, tried.room, tried.sent);
            // The smallest form is sent once, if the provider has refused only larger ones: our room was a guess then.
            let smaller = tried.refused.is_some_and(|refused| built.tokens < refused);
            if !built.fits && !smaller {
                self.draft.too_long = Some(if tried.refused.is_some() {
                    too_long(built.question, None)
                } else {
                    built.too_long()
                });
                // What the provider itself said about it is worth more than our guess.
                if failure.is_none() || tried.refused.is_none() {
                    let error = ModelError::new(ModelErrorKind::ContextTooLong)
                        .with_detail(format!("about {} tokens, room for {:?}", built.tokens, built.room));
                    failure = Some((Box::new(Reply::failed(error)), name));
                }
                continue;
            }
            if let Some((failed, _)) = failure.take() {
                let reason = failed.error().map_or("", ModelError::for_user).to_owned();
                self.writer.tell(Event::Reset { model: name.clone(), reason }).await;
            }
            self.tell_of_cut(&built).await;
            let (estimate, tokens) = (built.estimate, built.tokens);
            let (question, fits) = (built.question, built.fits);
            match self.request(choice, built.request).await? {
                Answer::Stopped(text) => {
                    let author = Author::of(choice.model.as_ref());
                    return Ok(self.stopped(name, text, before, author));
                }
                Answer::Came(mut reply) => {
                    self.note_usage(choice, &name, &mut reply).await;
                    let reported = reply.usage.as_ref().and_then(|usage| usage.input_tokens);
                    let Some(error) = reply.error() else {
                        correct(&agent, &name, estimate, reported);
                        self.answered(name, reply, before, Author::of(choice.model.as_ref()));
                        return Ok(None);
                    };
                    self.note_failure(&name, error);
                    tried.sent += reply.attempts;
                    if error.kind == ModelErrorKind::ContextTooLong {
                        self.draft.too_long = Some(too_long(question, None));
                    }
                    if error.kind == ModelErrorKind::ContextTooLong && tried.squeezes < SQUEEZES && fits {
                        tried.squeezes += 1;
                        (tried.room, tried.refused) = (Some(tokens / 5 * 3), Some(tokens));
                        // Another request, with its own repetitions.
                        tried.sent = 0;
                        plan.push_front(at);
                    } else if !another_may_help(error) || (shown(&reply) && !agent.parts.can_reset) {
                        plan.clear();
                    } else if plan.is_empty() && !tried.asked_again && broke_off(&reply, error) {
                        // One retry layer: the transport repeats what had not begun, this what broke off, and both count
                        // the same requests.
                        tried.asked_again = Box::pin(self.rest(error.retry_after)).await?;
                        plan.extend(tried.asked_again.then_some(at));
                    }
                    failure = Some((reply, name));
                }
            }
        }
        let (reply, name) = failure.unwrap_or_else(|| {
            let error = ModelError::new(ModelErrorKind::NotConfigured).with_detail("the agent has no model");
            (Box::new(Reply::failed(error)), Name::default())
        });
        Ok(self.failed(name, reply, before))
    }

    /// Sends one request and passes on what arrives.
    async fn request(
        &mut self,
        choice: &ModelChoice,
        request: Arc<ModelRequest>,
    ) -> Result<Answer, StoreError> {
        let round = u32::try_from(self.draft.usage.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.writer.tell(Event::ModelAsked { model: choice.model.name().into(), round }).await;
        fail_point!("turn::before_model");
        if choice.model.thinks_here() {
            self.writer.flush().await?;
        }
        let mut stream = choice.model.stream(request);
        // A model that is asked changes nothing. So it thinks and answers already while what it was asked about becomes
        // durable; the listener hears of it after that.
        self.writer.start_write();
        self.writer.gate_events();
        let deadline = self.deadline();
        let mut partial = PartialAnswer::of(choice.model.name(), self.agent.parts.can_reset);
        let came = {
            let (cancel, out) = (&self.cancel, &self.out);
            let came = pin!(async {
                tokio::select! {
                    // The stop comes first: a stream that never pauses must still be stoppable.
                    biased;
                    () = cancel.cancelled() => None,
                    reply = pass_on(&mut stream, &mut partial, out) => Some(reply),
                }
            });
            self.writer.under_lease_until(deadline, came).await?.flatten()
        };
        fail_point!("turn::after_model");
        Ok(match came {
            Some(Some(reply)) => Answer::Came(reply),
            Some(None) => {
                let error = ModelError::new(ModelErrorKind::StreamTruncated)
                    .with_detail("the model's stream ended without a reply");
                let mut reply = Reply::failed(error);
                reply.message.blocks.extend((!partial.text.is_empty()).then(|| Block::text(partial.text)));
                reply.attempts_left = 1;
                Answer::Came(Box::new(reply))
            }
            None => Answer::Stopped(partial.text),
        })
    }

    /// Waits as long as a provider asked. Not when that is long, or the turn must end before.
    async fn rest(&mut self, asked_for: Option<Duration>) -> Result<bool, StoreError> {
        let Some(pause) = asked_for else { return Ok(true) };
        if pause > REST || after(Instant::now(), pause) >= self.deadline() {
            return Ok(false);
        }
        self.writer.start_write();
        let cancel = &self.cancel;
        let rested = self.writer.under_lease(async {
            tokio::select! {
                () = tokio::time::sleep(pause) => true,
                () = cancel.cancelled() => false,
            }
        });
        rested.await
    }

    /// When the running request must end: the turn's time, or a little more for the last answer.
    fn deadline(&self) -> Instant {
        let end = after(self.begun, self.agent.parts.limits.time);
        if self.last_answer.is_some() { end.max(Instant::now() + LAST_ANSWER) } else { end }
    }

    /// Records an answer.
    fn answered(&mut self, model: Name, mut reply: Box<Reply>, before: usize, author: Author) {
        let cap = self.agent.parts.max_output_tokens;
        let written = reply.usage.as_ref().and_then(|usage| usage.output_tokens);
        // Some servers call an answer complete that ended at the cap: its calls may be cut off and must not run.
        if matches!(reply.outcome, Outcome::Complete) && cap.is_some() && written >= cap {
            reply.outcome = Outcome::Incomplete;
            reply.stop =
                Some(Stop { reason: StopReason::MaxTokens, raw: None, sequence: None, details: None });
        }
        // An answer with holes is not called complete. Its calls came whole, or they would not run.
        let finished = matches!(
            reply.stop.as_ref().map(|stop| stop.reason),
            None | Some(StopReason::EndTurn | StopReason::StopSequence)
        );
        if matches!(reply.outcome, Outcome::Complete) && reply.lost_events > 0 && finished {
            reply.outcome = Outcome::Incomplete;
            reply.stop = Some(Stop { reason: StopReason::Damaged, raw: None, sequence: None, details: None });
        }
        tell_calls_apart(&mut reply.message, self.conversation.messages());
        let outcome = match reply.outcome {
            Outcome::Complete => ReplyOutcome::Complete,
            Outcome::Incomplete => ReplyOutcome::Incomplete,
            Outcome::Paused => ReplyOutcome::Paused,
            Outcome::Truncated(_) | Outcome::Failed(_) => ReplyOutcome::Failed,
        };
        let stop = reply.stop.map(|stop| stop.reason);
        self.take_reply(model, reply.message, outcome, stop, before, author);
    }

    /// Records what had arrived when a person or the clock stopped it.
    fn stopped(&mut self, model: Name, text: String, before: usize, author: Author) -> Option<TurnEnd> {
        let (turn, at) = (self.conversation.last_turn(), self.agent.parts.clock.now());
        self.keep_row(UsageRow::begun(turn, at, model.clone()));
        let blocks = if text.is_empty() { Vec::new() } else { vec![Block::text(text)] };
        let message = Message { role: Role::Assistant, blocks: blocks.into(), origin: None };
        self.take_reply(model, message, ReplyOutcome::Cancelled, None, before, author);
        let limit = self.last_answer.unwrap_or(Limit::Time);
        (!self.cancel.is_cancelled()).then_some(TurnEnd::Limit { limit })
    }

    /// No model could answer: the turn ends, and what had arrived is kept.
    fn failed(&mut self, model: Name, reply: Box<Reply>, before: usize) -> Option<TurnEnd> {
        let error = match reply.outcome {
            Outcome::Truncated(error) | Outcome::Failed(error) => error,
            Outcome::Complete | Outcome::Incomplete | Outcome::Paused => return None,
        };
        let too_long = self.draft.too_long.take().filter(|_| error.kind == ModelErrorKind::ContextTooLong);
        let message = too_long.unwrap_or_else(|| error.for_user().to_owned());
        let end = TurnEnd::Failed { error: error.kind.as_str().to_owned(), message };
        self.draft.failure = Some(Arc::new(error));
        self.take_reply(model, reply.message, ReplyOutcome::Failed, None, before, Author::Model);
        Some(end)
    }

    fn take_reply(
        &mut self,
        model: Name,
        message: Message,
        outcome: ReplyOutcome,
        stop: Option<StopReason>,
        before: usize,
        author: Author,
    ) {
        let rows = self.draft.usage.get(before..).unwrap_or_default();
        let tokens = rows.iter().filter_map(|row| row.tokens()).fold(0, u64::saturating_add);
        let cost = ReportDraft::cost(rows);
        let said = message.spoken();
        if !said.is_empty() || outcome == ReplyOutcome::Complete {
            self.draft.answer = said;
        }
        (self.draft.model, self.draft.stop) = (Some(model.clone()), stop);
        let turn = self.conversation.last_turn();
        let limit = self.last_answer;
        self.record(Entry::ModelReply {
            turn,
            model,
            message,
            outcome,
            stop,
            limit,
            tokens,
            cost,
            by_person: author == Author::Person,
            by_program: author == Author::Program,
        });
    }

    /// One row for each request, with what is known and nothing else.
    async fn note_usage(&mut self, choice: &ModelChoice, name: &Name, reply: &mut Reply) {
        let (turn, at) = (self.conversation.last_turn(), self.agent.parts.clock.now());
        let row = UsageRow::of_reply(turn, at, name.clone(), reply, choice.prices.as_ref());
        self.draft.attempts = self.draft.attempts.saturating_add(reply.attempts);
        info!(session = %self.session, model = %name, outcome = %row.outcome, request_id = row.request_id, "request");
        let (usage, cost, attempts) = (row.usage.clone().map(Box::new), row.cost, reply.attempts);
        let event = Event::Usage { model: name.clone(), attempts, usage, cost };
        self.keep_row(row);
        self.writer.tell(event).await;
        if reply.lost_events > 0 && reply.error().is_none() {
            let what = if reply.lost_events == 1 { "A piece" } else { "Pieces" };
            let message = format!("{what} of the answer could not be read: it may be incomplete.");
            self.writer.tell(Event::Warning { code: Event::MAY_BE_INCOMPLETE, message }).await;
        }
    }

    /// Keeps a row for the store and for the report.
    pub(super) fn keep_row(&mut self, row: UsageRow) {
        let row = Arc::new(row);
        self.writer.batch_mut().usage.push(Arc::clone(&row));
        self.draft.usage.push(row);
    }

    /// Logs a failure in full, and lets a model rest that asked for it.
    fn note_failure(&self, model: &str, error: &ModelError) {
        warn!(session = %self.session, model, error = %error, kind = error.kind.as_str(), "model failed");
        if matches!(
            error.kind,
            ModelErrorKind::RateLimited | ModelErrorKind::Overloaded | ModelErrorKind::QuotaExhausted
        ) {
            let rest = error.retry_after.unwrap_or(REST).min(LONGEST_REST);
            self.agent.learn(model, |health| health.rests_until = Some(Instant::now() + rest));
        }
    }

    /// Says once what of the conversation is not in the request.
    async fn tell_of_cut(&mut self, built: &Built) {
        let cut = (built.left_out, built.shortened);
        if cut != (0, 0) && cut != self.draft.cut {
            self.draft.cut = cut;
            let (left_out, shortened) = cut;
            let event = Event::HistoryCut { left_out, shortened, tokens: built.estimate };
            self.writer.tell(event).await;
        }
    }
}

/// What was heard of an answer so far.
struct PartialAnswer {
    model: Name,
    text: String,
    /// The listener can take back what it has shown.
    can_reset: bool,
    /// What comes now was shown already, but for what had been lost of it.
    muted: bool,
}

impl PartialAnswer {
    fn of(model: &str, can_reset: bool) -> Self {
        Self { model: model.into(), text: String::new(), can_reset, muted: false }
    }

    /// What was shown does not count: the whole follows. A listener that cannot take anything back would have it twice.
    fn revoke(&mut self) -> Event {
        self.text.clear();
        if self.can_reset {
            let reason = "Pieces of the answer were lost on the way.".to_owned();
            return Event::Reset { model: self.model.clone(), reason };
        }
        self.muted = true;
        let message =
            "Pieces of the answer were lost on the way: what is kept of it differs from what was shown.";
        Event::Warning { code: Event::SHOWN_DIFFERS, message: message.to_owned() }
    }
}

/// Passes on what a model says until its reply is there, and keeps the text. Much of an answer comes in one packet:
/// between two pieces of it the clock, the lease and the stop need no look.
async fn pass_on(
    stream: &mut ReplyStream,
    partial: &mut PartialAnswer,
    out: &Feeder<Event>,
) -> Option<Box<Reply>> {
    out.pass(stream, |event| {
        Ok(Some(match event {
            ModelEvent::TextDelta { text: piece, .. } | ModelEvent::RefusalDelta { text: piece, .. } => {
                if partial.text.is_empty() {
                    // What comes in pieces is long: the first steps of growing are skipped.
                    partial.text.reserve(512);
                }
                partial.text.push_str(&piece);
                if partial.muted {
                    return Ok(None);
                }
                Event::TextDelta { text: piece }
            }
            ModelEvent::TextRevoked => partial.revoke(),
            ModelEvent::ReasoningDelta { text, .. } => Event::ReasoningDelta { text },
            ModelEvent::ToolCallStarted { name, .. } => Event::ToolAnnounced { tool: name },
            ModelEvent::Warning(warning) => Event::from_wire(&warning),
            ModelEvent::Retrying { attempt, after, error } => {
                Event::Retrying { attempt, after, reason: error.for_user().to_owned() }
            }
            // For nobody here.
            ModelEvent::Started { .. } | ModelEvent::ToolArgumentsDelta { .. } => return Ok(None),
            ModelEvent::Finished(reply) => return Err(reply),
        }))
    })
    .await
}

/// Two calls with one id could not be told apart, also in different answers (some servers count from 0 in each): the
/// later one gets an id of its own.
fn tell_calls_apart(message: &mut Message, earlier: &[Message]) {
    if message.tool_calls().next().is_none() {
        return;
    }
    let mut seen: HashSet<CallId> = earlier.iter().flat_map(Message::call_ids).cloned().collect();
    for block in &mut message.blocks {
        let Block::ToolCall(call) = block else { continue };
        let given = call.call_id.clone();
        let mut at = 1;
        while seen.contains(&call.call_id) {
            at += 1;
            call.call_id = CallId::from(format!("{given}_{at}"));
            call.id_origin = IdOrigin::Minted;
        }
        seen.insert(call.call_id.clone());
    }
}

/// Whether another model may do better. What is wrong with the request itself stays wrong.
fn another_may_help(error: &ModelError) -> bool {
    match error.kind {
        ModelErrorKind::InvalidRequest | ModelErrorKind::ContentBlocked | ModelErrorKind::PolicyViolation => {
            false
        }
        ModelErrorKind::NotConfigured
        | ModelErrorKind::Unauthorized
        | ModelErrorKind::Forbidden
        | ModelErrorKind::ModelNotFound
        | ModelErrorKind::ContextTooLong
        | ModelErrorKind::QuotaExhausted
        | ModelErrorKind::RateLimited
        | ModelErrorKind::Overloaded
        | ModelErrorKind::Server
        | ModelErrorKind::Unreachable
        | ModelErrorKind::TimedOut(Phase::Connect | Phase::FirstByte | Phase::Idle | Phase::Total)
        | ModelErrorKind::StreamTruncated
        | ModelErrorKind::EventTooLarge
        | ModelErrorKind::UnreadableResponse => true,
    }
}

/// Whether the person has seen something of the answer.
fn shown(reply: &Reply) -> bool {
    reply.message.blocks.iter().any(|block| matches!(block, Block::Text(_) | Block::Refusal(_)))
}

/// Whether an answer had begun and broke off in a way that a new attempt may mend, and the model's count has one left. One
/// that stalled is not asked again: the person has waited for it as long as one waits.
fn broke_off(reply: &Reply, error: &ModelError) -> bool {
    let begun = matches!(reply.outcome, Outcome::Truncated(_)) || !reply.message.blocks.is_empty();
    let stalled = error.kind == ModelErrorKind::TimedOut(Phase::Idle);
    begun && !stalled && reply.attempts_left > 0 && error.retryable()
}
