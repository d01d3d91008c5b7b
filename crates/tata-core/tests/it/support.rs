//! What the agent's tests share: a small world of a store, a session and an agent.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use jiff::Timestamp;
use tata_core::{
    Agent, AgentParts, ArtifactKind, CallId, Clock, Conversation, Decision, Effect, Entry, Event,
    EventStream, Input, Message, Model, ModelChoice, ModelRequest, NewSession, Record, Role, Session,
    SessionId, Store, Tool, ToolOutput, ToolRegistry, TurnEnd, TurnOutcome, TurnReport, UsageRow,
    pair_calls_with_results,
};
use tata_store::MemoryStore;
use tata_testkit::{CountingTool, PlannedModel, Runs};
use tokio_util::sync::CancellationToken;

pub(crate) const PROMPT: &str = "You are Tata. \u{1f426}\n  Keep   these spaces.";

/// The three kinds of tools, by the names the tests use.
pub(crate) fn tools(runs: &Runs) -> Vec<CountingTool> {
    vec![
        CountingTool::new("look_up", Effect::Read, runs),
        CountingTool::new("write_profile", Effect::Own, runs),
        CountingTool::new("send_invite", Effect::Outward, runs),
    ]
}

pub(crate) fn registry(tools: impl IntoIterator<Item = CountingTool>) -> ToolRegistry {
    ToolRegistry::new(tools.into_iter().map(CountingTool::shared)).unwrap()
}

/// A store with one session, and how to run turns in it.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) session: SessionId,
    pub(crate) parts: AgentParts,
}

pub(crate) fn moment() -> Timestamp {
    "2026-10-05T09:00:00Z".parse().unwrap()
}

impl World {
    pub(crate) async fn new(model: &Arc<PlannedModel>, tools: ToolRegistry) -> Self {
        Self::with(Arc::new(MemoryStore::new()), vec![choice(model)], tools).await
    }

    pub(crate) async fn with(store: Arc<dyn Store>, models: Vec<ModelChoice>, tools: ToolRegistry) -> Self {
        let session = store.create_session(NewSession::with("tata", moment())).await.unwrap().id;
        let mut parts = AgentParts::new("tata", models, Arc::clone(&store));
        parts.system_prompt = PROMPT.into();
        parts.tools = tools;
        parts.limits.patience = Duration::from_mins(10);
        parts.clock = Clock::Fixed(moment());
        Self { store, session, parts }
    }

    /// The same world with an agent of other parts.
    pub(crate) fn but(mut self, change: impl FnOnce(&mut AgentParts)) -> Self {
        change(&mut self.parts);
        self
    }

    /// A new agent, as after a restart.
    pub(crate) fn agent(&self) -> Agent {
        Agent::new(self.parts.clone())
    }

    pub(crate) fn turn(&self, input: Input) -> EventStream {
        self.agent().turn(self.session, input, CancellationToken::new())
    }

    /// Runs a turn to its end in a new agent.
    pub(crate) async fn run(&self, input: Input) -> Told {
        told(self.turn(input)).await
    }

    /// Decides about the questions that are open now.
    pub(crate) async fn decide(&self, decisions: Vec<(CallId, Decision)>) -> Told {
        let conversation = self.conversation().await;
        let verdict = |(call_id, decision): (CallId, Decision)| {
            let open = conversation.questions().iter().find(|question| question.call_id == call_id);
            open.map(|question| question.decide(decision))
        };
        let decisions = decisions.into_iter().filter_map(verdict).collect();
        self.run(Input::Decide { decisions, by: "anna".to_owned() }).await
    }

    pub(crate) async fn say(&self, text: &str) -> Told {
        self.run(Input::say(text)).await
    }

    pub(crate) async fn records(&self) -> Vec<Record> {
        self.store.records(self.session, 0).await.unwrap()
    }

    pub(crate) async fn conversation(&self) -> Conversation {
        Conversation::fold(PROMPT, &self.records().await)
    }

    pub(crate) async fn messages(&self) -> Vec<Message> {
        self.conversation().await.messages().to_vec()
    }

    pub(crate) async fn usage(&self) -> Vec<Arc<UsageRow>> {
        self.store.usage(self.session).await.unwrap()
    }

    pub(crate) async fn row(&self) -> Session {
        self.store.session(self.session).await.unwrap().unwrap()
    }

    pub(crate) async fn artifact_count(&self) -> usize {
        self.store.artifacts(self.session).await.unwrap().len()
    }
}

pub(crate) fn choice(model: &Arc<PlannedModel>) -> ModelChoice {
    ModelChoice::new(Arc::clone(model) as Arc<dyn Model>)
}

/// The events of a turn.
#[derive(Debug)]
pub(crate) struct Told(pub(crate) Vec<Event>);

/// Listens to a turn to its end; checks what holds for every turn (the last event is Finished, and it comes once;
/// every event is one JSON line that names itself).
pub(crate) async fn told(stream: EventStream) -> Told {
    let events: Vec<Event> = stream.collect().await;
    let ends = events.iter().filter(|event| matches!(event, Event::Finished(_))).count();
    assert_eq!(ends, 1, "finished exactly once: {events:?}");
    assert!(matches!(events.last(), Some(Event::Finished(_))), "finished at last: {events:?}");
    for event in &events {
        let line = serde_json::to_string(event).unwrap();
        assert!(!line.contains('\n'), "{line}");
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert!(value["event"].is_string(), "{line}");
    }
    Told(events)
}

impl Told {
    pub(crate) fn report(&self) -> &TurnReport {
        match self.0.last() {
            Some(Event::Finished(report)) => report,
            other => panic!("not finished: {other:?}"),
        }
    }

    pub(crate) fn content(&self) -> &str {
        &self.report().content
    }

    pub(crate) fn end(&self) -> &TurnEnd {
        match &self.report().outcome {
            TurnOutcome::Ended { end } => end,
            other @ (TurnOutcome::Waiting | TurnOutcome::Broken { .. }) => panic!("not ended: {other:?}"),
        }
    }

    pub(crate) fn waits(&self) -> bool {
        matches!(self.report().outcome, TurnOutcome::Waiting)
    }

    pub(crate) fn broken(&self) -> Option<&'static str> {
        match self.report().outcome {
            TurnOutcome::Broken { error } => Some(error),
            TurnOutcome::Ended { .. } | TurnOutcome::Waiting => None,
        }
    }

    /// The text as a listener has it in the end: what came after the last reset or request.
    pub(crate) fn heard(&self) -> String {
        let mut heard = String::new();
        for event in &self.0 {
            if let Event::TextDelta { text } = event {
                heard.push_str(text);
            } else if matches!(event, Event::Reset { .. } | Event::ModelAsked { .. }) {
                heard.clear();
            }
        }
        heard
    }

    pub(crate) fn count(&self, what: impl Fn(&Event) -> bool) -> usize {
        self.0.iter().filter(|event| what(event)).count()
    }

    pub(crate) fn resets(&self) -> usize {
        self.count(|event| matches!(event, Event::Reset { .. }))
    }

    /// How the calls went, by id, in the order of the events.
    pub(crate) fn statuses(&self) -> Vec<(String, &'static str)> {
        self.0
            .iter()
            .filter_map(|event| match event {
                Event::ToolFinished(end) => Some((end.call_id.to_string(), end.status.as_str())),
                _ => None,
            })
            .collect()
    }
}

/// What holds for every request: the system prompt first and byte for byte, each call with its result and each
/// result with its call, directly after it, in call order.
pub(crate) fn check_request(request: &ModelRequest) {
    let messages = &request.messages;
    assert_eq!(messages.first(), Some(&Message::system(PROMPT)), "the system prompt comes first");
    assert_eq!(messages.iter().filter(|message| message.role == Role::System).count(), 1);
    let paired = pair_calls_with_results(messages);
    assert_eq!((paired.uncorrelated, paired.unanswered), (0, 0), "pair-complete: {messages:#?}");
    let same: Vec<Message> = paired.messages.into_iter().map(std::borrow::Cow::into_owned).collect();
    assert_eq!(&same, messages, "already in order");
}

pub(crate) fn check_requests(model: &PlannedModel) {
    model.requests().iter().for_each(|request| check_request(request));
}

/// The results that the model reads, by call id, in order.
pub(crate) fn results(messages: &[Message]) -> Vec<(String, String, bool)> {
    messages
        .iter()
        .flat_map(Message::results)
        .map(|result| (result.call_id.to_string(), result.joined_text(), result.is_error))
        .collect()
}

/// The error that a result tells, as JSON.
pub(crate) fn error_of(text: &str) -> serde_json::Value {
    let value: serde_json::Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("not JSON: {text}"));
    value["error"].clone()
}

pub(crate) fn kinds(records: &[Record]) -> Vec<&'static str> {
    let kind = |record: &Record| match &record.entry {
        Entry::UserMessage { .. } => "user",
        Entry::ModelReply { .. } => "reply",
        Entry::ToolStarted { .. } => "started",
        Entry::ToolFinished { .. } => "finished",
        Entry::ArtifactStored { .. } => "artifact",
        Entry::MadeStale { .. } => "stale",
        Entry::Waiting { .. } => "waiting",
        Entry::Decided { .. } => "decided",
        Entry::TurnFinished { .. } => "end",
        Entry::TurnUndone { .. } => "undone",
    };
    records.iter().map(kind).collect()
}

/// A tool with its own async work.
pub(crate) fn tool<F>(
    name: &str,
    describe: impl FnOnce(&mut tata_core::ToolSpec),
    run: impl Fn(AnyArgs, tata_core::ToolContext) -> F + Send + Sync + 'static,
) -> Arc<dyn Tool>
where
    F: Future<Output = Result<ToolOutput, tata_core::ToolFailure>> + Send + 'static,
{
    tata_core::typed_tool(name, "A tool of a test.", describe, run).unwrap()
}

/// Arguments of a test's own tool.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct AnyArgs {
    /// What.
    #[serde(default)]
    pub(crate) what: String,
}

/// Sends an invitation at once, without a pause, so that no stop can come between; it needs a profile.
pub(crate) fn prompt_invite(runs: &Runs) -> Arc<dyn Tool> {
    let (runs, kind) = (runs.clone(), ArtifactKind::new(CountingTool::KIND));
    tool(
        "send_invite",
        |spec| (spec.effect, spec.requires) = (Effect::Outward, vec![kind]),
        move |_, context| {
            runs.count(context.call_id.as_str());
            std::future::ready(Ok(ToolOutput::text("sent")))
        },
    )
}
