//! Runs the calls of an answer: independent ones at once. Each result is stored as soon as it is there, or with the next
//! write if one is on its way.

use std::{future::poll_fn, sync::Arc, task::Poll, time::Duration};

use fail::fail_point;
use futures_util::{StreamExt, stream::FuturesUnordered};
use serde_json::json;
use tokio::time::Instant;

use super::{
    decide::{Circumstances, Standing, ready, standing},
    turn::Turn,
};
use crate::{
    About, Batch, CallId, CallReport, Citation, Decision, Effect, Entry, Event, Executed, MOST_CALLS,
    MaterialId, NewArtifact, Question, ReplyOutcome, ResultPart, SessionChange, StoreError, ToolCall,
    ToolContext, ToolEnd, ToolError, ToolResult, ToolStart, ToolStatus, UsageRow, Verifier,
    conversation::{OpenTurn, Step},
    fingerprint::NOTE,
};

/// The same call with the same result: from this count on the model is told.
const REPEATS_TOLD: u32 = 3;

impl Turn {
    /// Runs what may run until nothing is left but what a person must decide.
    pub(super) async fn run_tools(&mut self) -> Result<(), StoreError> {
        let agent = Arc::clone(&self.agent);
        let mut running = FuturesUnordered::new();
        let mut running_ids: Vec<CallId> = Vec::new();
        let mut harmless = true;
        loop {
            let mut starting = Vec::new();
            // Nothing begins after the stop, or when the time is over; what is left is answered without running.
            let steps = if self.must_stop() { Vec::new() } else { self.ready_steps(&running_ids) };
            for step in steps {
                let decided = self.decided(&step);
                let standing = standing(&self.conversation, &step, &self.circumstances());
                let call = step.call;
                if let Some(executed) = decided {
                    Box::pin(self.finish_step(&call, executed, Duration::ZERO)).await;
                    continue;
                }
                match standing {
                    Standing::Decided(about, message) => self.note_decision(&call, about, message),
                    Standing::NotShown(document) => {
                        let error = ToolError::NotShown { tool: call.name.clone(), document };
                        Box::pin(self.refuse(&call, error)).await?;
                        continue;
                    }
                    Standing::Free | Standing::Asks(_) => {}
                }
                match agent.executor.check(&call, self.conversation.artifacts()) {
                    Ok(prepared) => starting.push((call, prepared)),
                    Err(error) => Box::pin(self.refuse(&call, error)).await?,
                }
            }
            for (call, prepared) in &starting {
                let effect = prepared.tool.spec().effect;
                harmless &= effect != Effect::Outward;
                self.announce(call, effect).await;
            }
            // What changes the world is stored before it happens, and a tool finds what those before it made.
            let may_start = starting.is_empty() || harmless && self.writer.all_made_is_stored();
            if !may_start {
                self.writer.flush().await?;
            }
            for (call, prepared) in starting {
                running_ids.push(call.call_id.clone());
                let (agent, context, time) = (Arc::clone(&agent), self.context(&call), self.time_left());
                running.push(async move {
                    fail_point!("turn::before_tool");
                    let begun = Instant::now();
                    let executed = agent.executor.run(&call, prepared, &context, time).await;
                    let asked = context.verifier.map(|verifier| verifier.take_rows()).unwrap_or_default();
                    (call, executed, begun.elapsed(), asked)
                });
            }
            // The call of a tool that answers at once is stored with its result.
            let quick = poll_fn(|context| {
                Poll::Ready(if harmless { running.poll_next_unpin(context) } else { Poll::Pending })
            });
            let done = match quick.await {
                Poll::Ready(done) => done,
                Poll::Pending => {
                    self.writer.start_write();
                    self.writer.under_lease(running.next()).await?
                }
            };
            let Some((call, mut executed, duration, asked)) = done else { return Ok(()) };
            self.take_asked(asked).await;
            fail_point!("turn::after_tool");
            running_ids.retain(|id| *id != call.call_id);
            let title = executed.title.take();
            if self.crosses(&executed) || title.is_some() {
                Box::pin(self.writer.flush()).await?;
            }
            if let Some(title) = title {
                // Before the result says so: done twice it is the same.
                let change = SessionChange { title: Some(title), ..SessionChange::default() };
                self.writer.store.change_session(self.session, change).await?;
            }
            self.finish_step(&call, executed, duration).await;
        }
    }

    /// Counts the requests that a tool made.
    async fn take_asked(&mut self, rows: Vec<UsageRow>) {
        for row in rows {
            let (model, usage, cost) = (row.model.clone(), row.usage.clone().map(Box::new), row.cost);
            self.keep_row(row);
            self.writer.tell(Event::Usage { model, attempts: 1, usage, cost }).await;
        }
    }

    /// Answers a call that cannot run, in words that the model can act on.
    async fn refuse(&mut self, call: &Arc<ToolCall>, error: ToolError) -> Result<(), StoreError> {
        if !self.writer.all_made_is_stored() {
            // The words depend on what the project holds.
            self.writer.flush().await?;
        }
        let (agent, context) = (Arc::clone(&self.agent), self.context(call));
        // The words may want to read the store, and a write that nobody asks about may hold the connection for that.
        let error = self.writer.under_lease(agent.executor.worded(error, &context)).await?;
        let refused = self.agent.executor.refuse(call, &error);
        self.finish_step(call, refused, Duration::ZERO).await;
        Ok(())
    }

    /// Answers the calls that would be refused whatever the person decided: nobody is asked about what cannot be. Tells
    /// whether there were any.
    pub(super) async fn refuse_hopeless(&mut self, questions: &[Question]) -> Result<bool, StoreError> {
        let executor = self.agent.executor.clone();
        let mut any = false;
        for question in questions.iter().filter(|question| question.about.is_some()) {
            let Some(call) = self.waiting_call(&question.call_id) else { continue };
            if !self.writer.all_made_is_stored() {
                // The tool reads what was made.
                self.writer.flush().await?;
            }
            let context = self.context(&call);
            let refused = executor.refused_beforehand(&call, self.conversation.artifacts(), &context);
            let Some(refused) = self.writer.under_lease(refused).await? else { continue };
            self.finish_step(&call, refused, Duration::ZERO).await;
            any = true;
        }
        Ok(any)
    }

    /// Answers the calls of an answer that may not run: it was cut off, stopped, or asked for without tools.
    pub(super) async fn drop_calls(&mut self, given_up: bool) {
        let open = self.conversation.open();
        let steps: Vec<Step> = open.into_iter().flat_map(OpenTurn::unfinished).cloned().collect();
        let whole = open.is_some_and(|open| matches!(open.last, Some((ReplyOutcome::Complete, _))));
        let cancelled = given_up || self.cancel.is_cancelled();
        for Step { call, started, .. } in steps {
            let tool = call.name.clone();
            let error = match (started, cancelled, whole) {
                (Some(Effect::Outward), ..) => ToolError::Uncertain { tool },
                (_, true, _) => ToolError::Cancelled { tool },
                (_, false, true) => ToolError::NotAllowed { tool },
                (_, false, false) => ToolError::CutOff { tool },
            };
            let refused = self.agent.executor.refuse(&call, &error);
            self.finish_step(&call, refused, Duration::ZERO).await;
        }
    }

    /// Takes in results that somebody else brings, and gives up the calls for which they bring none.
    pub(super) async fn take_results(&mut self, results: Vec<(CallId, Option<String>)>) {
        for (call_id, output) in results {
            let Some(call) = self.waiting_call(&call_id) else { continue };
            let executed = if let Some(output) = output {
                self.agent.executor.brought(&call, output)
            } else {
                let tool = call.name.clone();
                self.agent.executor.refuse(&call, &ToolError::NotApproved { tool })
            };
            self.finish_step(&call, executed, Duration::ZERO).await;
        }
    }

    /// A call that has not begun.
    fn waiting_call(&self, call_id: &CallId) -> Option<Arc<ToolCall>> {
        let mut steps = self.conversation.open()?.unfinished();
        let step = steps.find(|step| step.call.call_id == *call_id && step.started.is_none())?;
        Some(Arc::clone(&step.call))
    }

    /// Answers the calls beyond those that one answer may have run.
    pub(super) async fn refuse_rest(&mut self) {
        let open = self.conversation.open();
        let asked = open.map_or(0, |open| open.steps.len());
        let calls: Vec<Arc<ToolCall>> =
            open.into_iter().flat_map(OpenTurn::unfinished).map(|step| Arc::clone(&step.call)).collect();
        let message = format!("The model asked for {asked} calls in one answer; {MOST_CALLS} were run.");
        self.writer.tell(Event::Warning { code: Event::TOO_MANY_CALLS, message }).await;
        for call in calls {
            let error = ToolError::TooMany { tool: call.name.clone() };
            let refused = self.agent.executor.refuse(&call, &error);
            self.finish_step(&call, refused, Duration::ZERO).await;
        }
    }

    fn ready_steps(&self, running: &[CallId]) -> Vec<Step> {
        let Some(open) = self.conversation.open() else { return Vec::new() };
        ready(&self.conversation, open, &self.circumstances(), running).into_iter().cloned().collect()
    }

    fn circumstances(&self) -> Circumstances<'_> {
        Circumstances {
            executor: &self.agent.executor,
            approved: &self.agent.parts.approved,
            cancelled: false,
            limit: None,
            last_answer: None,
        }
    }

    /// A person decided by a message, or by a call of their own: that is written down before it takes effect.
    fn note_decision(&mut self, call: &ToolCall, about: About, message: Option<MaterialId>) {
        self.record(Entry::Decided {
            turn: self.conversation.last_turn(),
            call_id: call.call_id.clone(),
            seal: self.conversation.seal(call, Some(&about)),
            decision: Decision::Run,
            by: self.user.clone().unwrap_or_else(|| "person".to_owned()),
            tool: call.name.clone(),
            about: Some(about),
            message,
        });
    }

    async fn announce(&mut self, call: &ToolCall, effect: Effect) {
        let turn = self.conversation.last_turn();
        let (call_id, tool) = (call.call_id.clone(), call.name.clone());
        let start =
            ToolStart { call_id: call_id.clone(), tool: tool.clone(), arguments: call.arguments.clone() };
        self.record(Entry::ToolStarted { turn, call_id, tool, effect });
        self.writer.tell(Event::ToolStarted(Box::new(start))).await;
    }

    /// Whether a result and one before it, not stored yet, say different things about one kind of document: that it was
    /// made, and that it is out of date. A write does not know which came first.
    fn crosses(&self, executed: &Executed) -> bool {
        let Batch { artifacts, stale, .. } = self.writer.batch();
        artifacts.iter().any(|made| executed.stale.contains(&made.name.kind))
            || executed.artifacts.iter().any(|made| stale.contains(&made.name.kind))
    }

    fn context(&self, call: &ToolCall) -> ToolContext {
        let rejected = self.conversation.open().into_iter().flat_map(|open| &open.rejected);
        ToolContext {
            rejected_before: rejected.filter(|tool| **tool == call.name).count(),
            ..self.context_of(call.call_id.clone(), self.conversation.last_turn())
        }
    }

    /// What a call of this name sees.
    pub(super) fn context_of(&self, call_id: CallId, turn: u32) -> ToolContext {
        ToolContext {
            session: self.session,
            turn,
            call_id,
            now: self.agent.parts.clock.now(),
            most_characters: self.agent.executor.most_characters(),
            materials: self.conversation.materials().clone(),
            passages: Arc::clone(self.conversation.citations()),
            by_person: self.conversation.open().is_some_and(|open| open.by_person),
            by_program: self.conversation.open().is_some_and(|open| open.by_program),
            rejected_before: 0,
            verifier: self.verifier(turn),
            cancel: self.cancel.clone(),
            store: Arc::clone(&self.writer.store),
        }
    }

    /// A second opinion on what a model writes. What a person writes needs none.
    fn verifier(&self, turn: u32) -> Option<Verifier> {
        let by_person = self.conversation.open().is_some_and(|open| open.by_person);
        let parts = &self.agent.parts;
        let choice = parts.verifier.clone().filter(|_| !by_person)?;
        Some(Verifier::new(choice, turn, parts.clock))
    }

    /// What is left of the turn's time; a tool gets no more.
    fn time_left(&self) -> Duration {
        self.agent.parts.limits.time.saturating_sub(self.begun.elapsed())
    }

    fn must_stop(&self) -> bool {
        self.cancel.is_cancelled() || self.time_left().is_zero()
    }

    /// Takes in a result together with the documents made, to be told of once both are stored. What the tool gave is taken
    /// in before any wait, so that no wait carries it.
    fn finish_step(
        &mut self,
        call: &Arc<ToolCall>,
        executed: Executed,
        duration: Duration,
    ) -> impl Future<Output = ()> {
        let (end, others) = self.take_result(call, executed, duration);
        async move {
            self.writer.tell(Event::ToolFinished(end)).await;
            for event in others {
                self.writer.tell(event).await;
            }
            self.writer.start_write();
        }
    }

    /// Records a result and the documents made. Brings what is to be told once they are stored.
    fn take_result(
        &mut self,
        call: &Arc<ToolCall>,
        mut executed: Executed,
        duration: Duration,
    ) -> (Box<ToolEnd>, Vec<Event>) {
        let turn = self.conversation.last_turn();
        let report = CallReport {
            call: Arc::clone(call),
            status: executed.status,
            problem: executed.problem.clone(),
            duration,
        };
        if let Some(open) = self.conversation.open() {
            let place = open.place(&call.call_id).unwrap_or(usize::MAX);
            self.draft.calls.push((open.rounds, place, report));
        }
        let repeats = self.conversation.open().map_or(0, |open| open.repeats(call, &executed.result)) + 1;
        let mut events = Vec::new();
        if !executed.stale.is_empty() {
            self.record(Entry::MadeStale { turn, kinds: executed.stale.clone() });
        }
        for made in executed.artifacts {
            let version = self.conversation.artifacts().version(&made.name).unwrap_or(0) + 1;
            let created_at = self.agent.parts.clock.now();
            let artifact = NewArtifact { name: made.name.clone(), version, json: made.json, created_at };
            self.writer.batch_mut().artifacts.push(artifact);
            events.push(Event::Artifact { name: made.name.clone(), version });
            self.record(Entry::ArtifactStored { turn, name: made.name, version });
        }
        self.writer.batch_mut().stale.extend(executed.stale);
        self.writer.batch_mut().outputs.extend(executed.whole.map(|whole| (call.call_id.clone(), whole)));
        if repeats >= REPEATS_TOLD {
            executed.result.content.push(ResultPart::Text(nothing_new(repeats)));
            let message =
                format!("{} brought the same result for the same input {repeats} times.", call.name);
            events.push(Event::Warning { code: Event::REPEATED_CALL, message });
        }
        if let Some(sources) = &mut executed.sources {
            self.conversation.number(sources);
            executed.result.content.extend(numbers(sources).map(ResultPart::Text));
        }
        self.record(Entry::ToolFinished {
            turn,
            result: executed.result,
            status: executed.status,
            millis: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            sources: executed.sources,
        });
        let (call_id, tool, arguments) = (call.call_id.clone(), call.name.clone(), call.arguments.clone());
        let (status, problem) = (executed.status, executed.problem);
        (Box::new(ToolEnd { call_id, tool, arguments, status, problem, duration }), events)
    }

    /// The result of a call about which a person decided that it does not run.
    fn decided(&self, step: &Step) -> Option<Executed> {
        let call = &step.call;
        match step.decision? {
            Decision::Run => None,
            Decision::Refuse => {
                let tool = call.name.clone();
                let error = match step.started {
                    Some(Effect::Outward) => ToolError::Uncertain { tool },
                    Some(Effect::Read | Effect::Own) | None => ToolError::NotApproved { tool },
                };
                Some(self.agent.executor.refuse(call, &error))
            }
            Decision::Done => {
                let text =
                    json!({"status": "done", "note": "A person confirmed that this step had taken effect."});
                let result = ToolResult::text(call, text.to_string());
                Some(Executed { status: ToolStatus::TakenAsDone, ..Executed::of(result) })
            }
        }
    }
}

/// What the model reads below passages: the numbers by which it cites them.
fn numbers(sources: &[Citation]) -> Option<String> {
    let numbers: Vec<String> = sources.iter().map(|source| format!("[{}]", source.number)).collect();
    match numbers.as_slice() {
        [] => None,
        [one] => Some(format!("{NOTE} cite this as {one}.]")),
        [..] => Some(format!("{NOTE} cite these results, in their order, as {}.]", numbers.join(" "))),
    }
}

/// What the model reads beside a result that it has had before.
fn nothing_new(times: u32) -> String {
    format!(
        "{NOTE} the same call has brought the same result {times} times. Do something else, or answer with what you \
         have.]"
    )
}
