//! One turn: from a person's words to the answer. Nothing is told, and nothing done to the world, that rests on a step
//! which is not durable yet; the turn itself goes on while it becomes so.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::{
    Inner, Input, closing,
    decide::{Circumstances, Next, next},
    journal_writer::JournalWriter,
    title,
};
use crate::{
    AnswerToCheck, Begun, CallReport, CheckedAnswer, Conversation, Cost, Entry, Event, Feeder, Limit,
    Message, MessageTooLarge, ModelError, Name, Question, Record, SessionId, StoreError, TurnEnd,
    TurnOutcome, TurnReport, UsageRow, UsageTotal, Verdict, check_message,
};

/// The stable name for a conversation that went on before a turn that was to follow an earlier entry.
pub const MOVED_ON: &str = "moved_on";

/// How soon a busy session is asked for again; later, less often.
const FIRST_PAUSE: Duration = Duration::from_millis(20);

/// A turn waits for the store before it asks a model once more, if so many entries are not on their way to it yet: what
/// they cost would be lost with them.
const MOST_AHEAD: usize = 8;

/// A turn at work.
pub(super) struct Turn {
    pub(super) agent: Arc<Inner>,
    pub(super) session: SessionId,
    pub(super) conversation: Conversation,
    pub(super) writer: JournalWriter,
    pub(super) out: Feeder<Event>,
    pub(super) cancel: CancellationToken,
    pub(super) begun: Instant,
    /// The limit for which the last answer was asked.
    pub(super) last_answer: Option<Limit>,
    pub(super) draft: ReportDraft,
    /// Whose session it is.
    pub(super) user: Option<String>,
    /// The session has no name yet.
    untitled: bool,
    /// Another turn follows at once: the lease is kept.
    more_to_come: bool,
    /// Where in the journal stands what the person said in this turn.
    said: Option<u64>,
}

/// What the report tells, gathered on the way.
#[derive(Default)]
pub(super) struct ReportDraft {
    pub(super) turn: u32,
    /// What the person said is stored.
    pub(super) accepted: bool,
    pub(super) answer: String,
    pub(super) model: Option<Name>,
    pub(super) stop: Option<crate::StopReason>,
    pub(super) usage: Vec<Arc<UsageRow>>,
    pub(super) failure: Option<Arc<ModelError>>,
    /// What was last told about a cut history, so that it is told once.
    pub(super) cut: (usize, usize),
    /// What the program asks below the answer.
    pub(super) asks: Option<Box<Question>>,
    /// What is too long and by how much, when that was it.
    pub(super) too_long: Option<String>,
    /// The requests that were sent.
    pub(super) attempts: u32,
    /// The calls that have their result, with their answer's number and their place in it.
    pub(super) calls: Vec<(u32, usize, CallReport)>,
}

/// Runs a turn to its end and reports it.
pub(super) async fn run(
    agent: Arc<Inner>,
    session: SessionId,
    input: Input,
    cancel: CancellationToken,
    out: Feeder<Event>,
) {
    let (input, expected) =
        if let Input::After { position, input } = input { (*input, Some(position)) } else { (input, None) };
    if let Some(message) = input.message()
        && let Err(refused) = check_message(message)
    {
        return out.give(too_large(session, refused)).await;
    }
    let known = agent.parts.memory.take(session);
    let position = known.as_ref().map_or(0, Conversation::position);
    let begun = match expected {
        // Somebody else is at it: when they are done, the journal ends elsewhere.
        Some(_) => agent.parts.store.begin_after(session, agent.parts.limits.lease, position).await,
        None => begin(&agent, session, position, &cancel, &out).await,
    };
    let mut turn = match begun {
        Ok(begun) if expected.is_some_and(|expected| expected != begun.session.last_position) => {
            if let Err(error) = agent.parts.store.release(&begun.lease).await {
                warn!(%session, %error, "a lease was not given back");
            }
            return out.give(moved_on(session)).await;
        }
        Err(StoreError::Busy { .. }) if expected.is_some() => return out.give(moved_on(session)).await,
        Ok(begun) => Turn::new(begun, known, agent, cancel, out),
        Err(error) => {
            return out.give(broken(session, &mut ReportDraft::default(), Duration::ZERO, &error)).await;
        }
    };
    let taken = turn.take(input).await;
    turn.draft.accepted = turn.said.is_some_and(|position| turn.writer.has_stored(position));
    let written = matches!(taken, Ok(TurnOutcome::Ended { .. }));
    let event = match taken {
        Ok(outcome) => turn.report(outcome),
        Err(error) => {
            turn.writer.give_up().await;
            // What was not told because it was not stored never happened.
            turn.out.forget_held();
            broken(session, &mut turn.draft, turn.begun.elapsed(), &error)
        }
    };
    turn.out.give(event).await;
    if written {
        let Turn { agent, conversation, .. } = turn;
        agent.parts.memory.put(session, conversation);
    }
}

/// Takes the lease. While another turn of the session runs, waits for its end.
async fn begin(
    agent: &Inner,
    session: SessionId,
    known: u64,
    cancel: &CancellationToken,
    out: &Feeder<Event>,
) -> Result<Begun, StoreError> {
    let limits = &agent.parts.limits;
    let patience = after(Instant::now(), limits.patience);
    let mut pause = FIRST_PAUSE;
    loop {
        match agent.parts.store.begin_after(session, limits.lease, known).await {
            Err(StoreError::Busy { .. }) if Instant::now() < patience && !cancel.is_cancelled() => {
                if pause == FIRST_PAUSE {
                    let message = "Another turn of this session is running; waiting for its end.".to_owned();
                    out.give(Event::Warning { code: Event::BUSY, message }).await;
                }
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = cancel.cancelled() => {}
                }
                pause = (pause * 2).min(Duration::from_millis(500));
            }
            other => return other,
        }
    }
}

impl Turn {
    fn new(
        begun: Begun,
        known: Option<Conversation>,
        agent: Arc<Inner>,
        cancel: CancellationToken,
        out: Feeder<Event>,
    ) -> Self {
        let conversation = match known {
            Some(mut known) => {
                begun.records.iter().for_each(|record| known.apply(record));
                known
            }
            None => Conversation::after(agent.prompt.clone(), &begun.records),
        };
        Self {
            writer: JournalWriter::new(Arc::clone(&agent.parts.store), begun.lease, out.clone()),
            conversation,
            untitled: begun.session.title.is_none(),
            session: begun.session.id,
            user: begun.session.user_id,
            agent,
            out,
            cancel,
            begun: Instant::now(),
            last_answer: None,
            draft: ReportDraft::default(),
            more_to_come: false,
            said: None,
        }
    }

    /// Takes what the person did and goes on from there.
    async fn take(&mut self, input: Input) -> Result<TurnOutcome, StoreError> {
        let answers = if let Input::Answer { seal, .. } = &input { Some(seal.clone()) } else { None };
        match input {
            Input::Say(message) | Input::Answer { message, .. } => {
                if self.conversation.open_turn().is_some() {
                    self.more_to_come = true;
                    match self.resume().await? {
                        TurnOutcome::Ended { .. } => self.forget_the_last_turn(),
                        unfinished @ (TurnOutcome::Waiting | TurnOutcome::Broken { .. }) => {
                            return Ok(unfinished);
                        }
                    }
                }
                self.accept(message, answers).await;
                self.go_on().await
            }
            Input::Instead(message) => {
                if self.conversation.open_turn().is_some() {
                    self.more_to_come = true;
                    self.draft.turn = self.conversation.last_turn();
                    self.drop_calls(true).await;
                    self.finish(TurnEnd::Cancelled).await?;
                    self.forget_the_last_turn();
                }
                self.accept(message, None).await;
                self.go_on().await
            }
            Input::Results(results) => {
                self.take_results(results).await;
                self.writer.flush().await?;
                self.resume().await
            }
            Input::AskAgain => self.ask_again().await,
            // It is taken apart before a turn begins.
            Input::After { input, .. } => Box::pin(self.take(*input)).await,
            Input::Resume => self.resume().await,
            Input::Decide { decisions, by } => {
                for Verdict { call_id, seal, decision } in decisions {
                    // A decision about another question than the one that is open now counts for nothing.
                    let mut open = self.conversation.questions().iter();
                    let open = open.find(|question| question.call_id == call_id && question.seal == seal);
                    let Some(Question { tool, about, .. }) = open.cloned() else { continue };
                    let turn = self.conversation.last_turn();
                    // The store writes its audit entry with it.
                    let (by, message) = (by.clone(), None);
                    self.record(Entry::Decided { turn, call_id, seal, decision, by, tool, about, message });
                }
                self.writer.flush().await?;
                self.resume().await
            }
        }
    }

    /// Lets an open turn go on; a finished one stays as it is.
    async fn resume(&mut self) -> Result<TurnOutcome, StoreError> {
        let turn = self.conversation.last_turn();
        self.draft.turn = turn;
        // What was used before the interruption belongs to the turn as well.
        let used = self.writer.store.usage(self.session).await?;
        self.draft.usage = used.into_iter().filter(|row| row.turn == turn).collect();
        if self.conversation.open_turn().is_none() {
            self.writer.store.release(&self.writer.lease).await?;
            let end = self.conversation.last_end().cloned().unwrap_or(TurnEnd::Answered);
            self.draft.answer = self.conversation.last_answer().unwrap_or_default();
            self.draft.asks = self.conversation.closing_question().cloned().map(Box::new);
            return Ok(TurnOutcome::Ended { end });
        }
        info!(session = %self.session, turn, "turn resumes");
        self.writer.tell(Event::TurnStarted { session_id: self.session, turn, resumed: true }).await;
        self.go_on().await
    }

    /// An interrupted turn was finished on the way to the one that was asked for.
    fn forget_the_last_turn(&mut self) {
        self.more_to_come = false;
        self.draft = ReportDraft::default();
        self.last_answer = None;
        self.begun = Instant::now();
    }

    /// Takes in what the person said. Once they are told that the turn has started, it cannot be lost.
    async fn accept(&mut self, message: Message, answers: Option<String>) {
        let turn = self.conversation.last_turn() + 1;
        self.draft.turn = turn;
        if self.untitled {
            self.writer.batch_mut().title = title::title(&message);
        }
        let state = self.state(turn, &message).await;
        self.record(Entry::UserMessage { turn, message, state, answers });
        self.said = Some(self.conversation.position());
        info!(session = %self.session, turn, "turn begins");
        self.writer.tell(Event::TurnStarted { session_id: self.session, turn, resumed: false }).await;
        self.writer.start_write();
    }

    /// What the model is told before the person's words: the moment, the project, what people brought. It is kept with them,
    /// so that every later request begins with the same bytes.
    fn state(&self, turn: u32, message: &Message) -> impl Future<Output = Option<String>> + Send + use<> {
        let parts = &self.agent.parts;
        let (zone, project, now) = (parts.zone.clone(), parts.state.clone(), parts.clock.now());
        let context = project.as_ref().map(|_| self.context_of("state".into(), turn));
        let before = self.conversation.materials().iter().count();
        let after = before + message.texts().filter(|text| !text.text.trim().is_empty()).count();
        let asked = self.conversation.closing_question().map(closing::told);
        async move {
            let mut state = format!("now: {}", now.to_zoned(zone?).strftime("%A %Y-%m-%d %H:%M %Q"));
            if let (Some(project), Some(context)) = (project, context) {
                state.extend(project(context).await.map(|told| format!("; {told}")));
            }
            if before > 0 {
                state.push_str(&format!("; materials: m1 to m{after}"));
            }
            state.extend(asked);
            Some(state)
        }
    }

    /// Step after step until the turn ends or waits.
    async fn go_on(&mut self) -> Result<TurnOutcome, StoreError> {
        loop {
            match self.next_step() {
                Next::Ask { last_time } => {
                    if self.writer.batch().records.len() >= MOST_AHEAD {
                        self.writer.flush().await?;
                    }
                    self.last_answer = last_time;
                    if let Some(end) = self.ask().await? {
                        return self.finish(end).await;
                    }
                }
                Next::RunTools => self.run_tools().await?,
                Next::DropCalls => self.drop_calls(false).await,
                Next::RefuseRest => self.refuse_rest().await,
                Next::Wait(questions) => {
                    if !self.refuse_hopeless(&questions).await? {
                        return self.wait(questions).await;
                    }
                }
                Next::Finish(end) => return self.finish(end).await,
            }
        }
    }

    pub(super) fn next_step(&self) -> Next {
        let Some(open) = self.conversation.open() else { return Next::Finish(TurnEnd::Answered) };
        let parts = &self.agent.parts;
        let limit = parts.limits.reached(open, self.begun.elapsed());
        next(
            &self.conversation,
            open,
            &Circumstances {
                executor: &self.agent.executor,
                approved: &parts.approved,
                cancelled: self.cancel.is_cancelled(),
                limit,
                last_answer: self.last_answer.or(open.limit),
            },
        )
    }

    async fn wait(&mut self, mut questions: Vec<Question>) -> Result<TurnOutcome, StoreError> {
        self.word(&mut questions).await?;
        if self.conversation.questions() != questions {
            let turn = self.conversation.last_turn();
            self.record(Entry::Waiting { turn, questions: questions.clone() });
        }
        self.writer.batch_mut().release = true;
        self.writer.tell(Event::Waiting { questions }).await;
        self.writer.flush().await?;
        Ok(TurnOutcome::Waiting)
    }

    /// Puts the open questions once more, as an entry of their own: what is shown anew stands in the journal anew.
    async fn ask_again(&mut self) -> Result<TurnOutcome, StoreError> {
        let (turn, questions) = (self.conversation.last_turn(), self.conversation.questions().to_vec());
        if questions.is_empty() {
            return self.resume().await;
        }
        self.draft.turn = turn;
        self.writer.tell(Event::TurnStarted { session_id: self.session, turn, resumed: true }).await;
        self.record(Entry::Waiting { turn, questions: questions.clone() });
        self.writer.batch_mut().release = true;
        self.writer.tell(Event::Waiting { questions }).await;
        self.writer.flush().await?;
        Ok(TurnOutcome::Waiting)
    }

    pub(super) async fn finish(&mut self, end: TurnEnd) -> Result<TurnOutcome, StoreError> {
        let turn = self.conversation.last_turn();
        let millis = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let asks = self.close(&end).await?;
        let checked = self.checked(&end);
        info!(session = %self.session, turn, end = end.as_str(), millis, "turn ends");
        self.draft.asks.clone_from(&asks);
        self.record(Entry::TurnFinished { turn, end: end.clone(), millis, asks, checked });
        self.writer.batch_mut().release = !self.more_to_come;
        self.writer.flush().await?;
        Ok(TurnOutcome::Ended { end })
    }

    /// The answer held against its sources, for an agent that answers from documents.
    fn checked(&self, end: &TurnEnd) -> Option<Box<CheckedAnswer>> {
        let check = self.agent.parts.check_answer.as_ref()?;
        // An answer that was cut off is read as well; where nothing was said there is nothing to check.
        if self.draft.answer.trim().is_empty() || matches!(end, TurnEnd::Failed { .. } | TurnEnd::Refused) {
            return None;
        }
        let question = self.conversation.last_question_asked().map(Message::joined_text).unwrap_or_default();
        let searches = self.conversation.found().searches as usize;
        let checked = check(&AnswerToCheck {
            question: &question,
            answer: &self.draft.answer,
            sources: self.conversation.citations(),
            only_searched: searches > 0 && self.draft.calls.len() <= searches,
        });
        if !checked.removed.is_empty() {
            warn!(removed = ?checked.removed, "an answer cited sources that do not exist");
        }
        Some(Box::new(checked))
    }

    /// Writes an entry into the batch and takes it into the conversation.
    pub(super) fn record(&mut self, entry: Entry) {
        let position = self.conversation.position() + 1;
        let record = Record { position, at: self.agent.parts.clock.now(), entry };
        self.conversation.apply(&record);
        let records = &mut self.writer.batch_mut().records;
        if records.is_empty() {
            // Few are written at once; by itself a list would make room for four.
            records.reserve_exact(2);
        }
        records.push(record);
    }

    fn report(&mut self, outcome: TurnOutcome) -> Event {
        let found = self.conversation.found();
        let mut report = self.draft.report(self.session, outcome, self.begun.elapsed());
        report.retrieval_performed = found.searches > 0;
        report.retrieved_sources.clone_from(&found.sources);
        report.take_verdict(self.conversation.last_checked().cloned());
        Event::Finished(Box::new(report))
    }
}

impl ReportDraft {
    /// The report. It takes what was gathered with it.
    fn report(&mut self, session_id: SessionId, outcome: TurnOutcome, elapsed: Duration) -> TurnReport {
        let total: UsageTotal = self.usage.iter().collect();
        let error = match &outcome {
            TurnOutcome::Ended { end: TurnEnd::Answered } | TurnOutcome::Broken { .. } => None,
            TurnOutcome::Ended { end } => end.for_user().map(str::to_owned),
            TurnOutcome::Waiting => Some("A person must decide before this can go on.".to_owned()),
        };
        let counted = total.requests > total.uncounted;
        self.calls.sort_by_key(|(round, place, _)| (*round, *place));
        TurnReport {
            content: std::mem::take(&mut self.answer),
            session_id,
            turn_number: self.turn,
            accepted: self.accepted,
            model: self.model.take(),
            outcome,
            stop_reason: self.stop,
            retrieval_performed: false,
            retrieved_sources: Vec::new(),
            checked: None,
            tokens_used: counted.then_some(total.total_tokens),
            input_tokens: counted.then_some(total.input_tokens),
            output_tokens: counted.then_some(total.output_tokens),
            attempts: self.attempts,
            cost: total.known_cost().filter(|_| total.requests > 0),
            execution_time_seconds: elapsed.as_secs_f64(),
            error,
            asks: self.asks.take(),
            calls: self.calls.drain(..).map(|(_, _, call)| call).collect(),
            requests: std::mem::take(&mut self.usage),
            failure: self.failure.take(),
        }
    }

    /// The known part of the price of these requests.
    pub(super) fn cost(rows: &[Arc<UsageRow>]) -> Option<Cost> {
        rows.iter().any(|row| row.cost.is_some()).then(|| rows.iter().collect::<UsageTotal>().cost)
    }
}

/// A turn that was not begun: what was said is more than can be taken in.
fn too_large(session: SessionId, refused: MessageTooLarge) -> Event {
    warn!(%session, bytes = refused.bytes, "message refused");
    let outcome = TurnOutcome::Broken { error: MessageTooLarge::NAME };
    let mut report = ReportDraft::default().report(session, outcome, Duration::ZERO);
    report.error = Some(refused.to_string());
    Event::Finished(Box::new(report))
}

/// A turn that was not begun: the journal no longer ends where whoever wanted it had looked.
fn moved_on(session: SessionId) -> Event {
    let outcome = TurnOutcome::Broken { error: MOVED_ON };
    let mut report = ReportDraft::default().report(session, outcome, Duration::ZERO);
    report.error = Some("Somebody else has gone on with this conversation.".to_owned());
    Event::Finished(Box::new(report))
}

/// The same for somebody who only listened.
pub(crate) fn broken_off(session: SessionId, cause: &StoreError) -> Event {
    broken(session, &mut ReportDraft::default(), Duration::ZERO, cause)
}

/// A turn that the store did not let go on. What was stored is safe and can be resumed.
fn broken(session: SessionId, draft: &mut ReportDraft, elapsed: Duration, cause: &StoreError) -> Event {
    let kind = match cause {
        StoreError::Busy { .. } => "busy",
        StoreError::LeaseLost { .. } => "lease_lost",
        StoreError::NotFound { .. } => "not_found",
        StoreError::Unavailable { .. } => "store_unavailable",
        StoreError::NotWritable { .. } => "store_not_writable",
        StoreError::Unreadable { .. } => "store_damaged",
        StoreError::Exists { .. } | StoreError::Unusable { .. } | StoreError::Database { .. } => "store",
    };
    let detail = std::error::Error::source(cause).map(ToString::to_string);
    error!(%session, error = %cause, detail, "turn broke off");
    let mut report = draft.report(session, TurnOutcome::Broken { error: kind }, elapsed);
    report.error = Some(cause.for_user().to_owned());
    Event::Finished(Box::new(report))
}

/// A moment later; a time that no clock reaches is a year.
pub(super) fn after(moment: Instant, time: Duration) -> Instant {
    moment.checked_add(time).unwrap_or_else(|| moment + Duration::from_hours(24 * 365))
}
