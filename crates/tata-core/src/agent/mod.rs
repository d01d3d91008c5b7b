//! The agent: models in order of preference, tools, limits, a place to keep things. It runs turns.

mod ask;
mod assent;
mod closing;
mod decide;
mod journal_writer;
mod limits;
mod memory;
mod request;
mod shown;
mod title;
mod tools;
mod turn;

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use jiff::tz::TimeZone;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    AnswerCheck, CallId, Clock, Conversation, Entry, Event, Feed, Message, ModelChoice, Question, Record,
    SessionId, Store, StoreError, ToolContext, ToolExecutor, ToolRegistry, Verdict, conversation::prompt,
};

pub use assent::{says_no, says_yes};
pub use limits::Limits;
pub use memory::AgentMemory;
use memory::Health;
pub use turn::MOVED_ON;
pub(crate) use turn::broken_off;

/// What an agent is made of.
#[derive(Clone)]
pub struct AgentParts {
    /// Its name.
    pub name: String,
    /// What it is told before everything else.
    pub system_prompt: Arc<str>,
    /// Its models: the first that can answers, the next ones step in.
    pub models: Vec<ModelChoice>,
    /// What it can do.
    pub tools: ToolRegistry,
    /// Where its sessions live.
    pub store: Arc<dyn Store>,
    /// What a turn may use.
    pub limits: Limits,
    /// Sampling temperature, for models that take one.
    pub temperature: Option<f64>,
    /// The most tokens of one answer.
    pub max_output_tokens: Option<u64>,
    /// How hard to think, for models that can be told.
    pub effort: Option<String>,
    /// Tools that may run without asking although they need approval.
    pub approved: Vec<String>,
    /// The listener can take back what it has shown. One that cannot, such as a pipe, gets no second attempt once
    /// something was shown.
    pub can_reset: bool,
    /// Holds its answers against the passages that were found, for an agent that answers from documents.
    pub check_answer: Option<AnswerCheck>,
    /// Judges what the model writes against what it rests on, beside the rules.
    pub verifier: Option<ModelChoice>,
    /// Whoever shows its turns shows the arguments of every step and the tokens of every request.
    pub verbose: bool,
    /// Tells a model, before the person's words, how the project stands.
    pub state: Option<StateNote>,
    /// Where the person is: with it, a model is told the day and the hour.
    pub zone: Option<TimeZone>,
    /// What time it is.
    pub clock: Clock,
    /// What it has learned; shared by all agents that are made of these parts.
    pub memory: Arc<AgentMemory>,
}

/// Tells in a few words how the project of a session stands.
pub type StateNote = Arc<dyn Fn(ToolContext) -> BoxFuture<'static, Option<String>> + Send + Sync>;

impl AgentParts {
    /// An agent with these models and nothing else: no tools, no prompt, the usual limits.
    pub fn new(name: impl Into<String>, models: Vec<ModelChoice>, store: Arc<dyn Store>) -> Self {
        Self {
            name: name.into(),
            system_prompt: "".into(),
            models,
            tools: ToolRegistry::default(),
            store,
            limits: Limits::default(),
            temperature: None,
            max_output_tokens: None,
            effort: None,
            approved: Vec::new(),
            can_reset: true,
            check_answer: None,
            verifier: None,
            verbose: false,
            state: None,
            zone: None,
            clock: Clock::System,
            memory: Arc::default(),
        }
    }
}

/// What a person does in a session.
#[derive(Clone, Debug)]
pub enum Input {
    /// Says something. An interrupted turn is finished first.
    Say(Message),
    /// Says something with a question of the program before their eyes: the one at the end of the last turn, as the last
    /// thing that their face shows. Only then does a plain yes decide it.
    Answer {
        /// What is said.
        message: Message,
        /// The seal of the question that was shown.
        seal: String,
    },
    /// Lets an interrupted turn go on.
    Resume,
    /// Decides what the open turn asked.
    Decide {
        /// What they decided about the questions they saw.
        decisions: Vec<Verdict>,
        /// Who.
        by: String,
    },
    /// Brings results of calls that wait; nothing runs for them. A call without one is given up.
    Results(Vec<(CallId, Option<String>)>),
    /// Gives up whatever the open turn waits for, ends that turn, and says this.
    Instead(Message),
    /// Puts the open questions once more.
    AskAgain,
    /// Does this only if the journal still ends at this position: whoever looked before must not go on upon what somebody
    /// else has said since.
    After {
        /// The position of the last entry.
        position: u64,
        /// What is done.
        input: Box<Input>,
    },
}

impl Input {
    /// Says a text.
    pub fn say(text: impl Into<String>) -> Self {
        Self::Say(Message::user(text))
    }

    /// Says something with this question of the program, if there is one, as the last thing on the screen.
    pub fn reply(message: Message, shown: Option<&Question>) -> Self {
        match shown {
            Some(question) => Self::Answer { message, seal: question.seal.clone() },
            None => Self::Say(message),
        }
    }

    /// What is said, if this says something.
    pub fn message(&self) -> Option<&Message> {
        match self {
            Self::Say(message) | Self::Instead(message) | Self::Answer { message, .. } => Some(message),
            Self::After { input, .. } => input.message(),
            Self::Resume | Self::Decide { .. } | Self::Results(_) | Self::AskAgain => None,
        }
    }
}

/// The events of one turn. Dropping it stops the turn where it stands; what is stored can be resumed.
pub type EventStream = Feed<Event>;

/// An agent: runs turns of sessions, as many at once as there are sessions.
#[doc(alias = "TataAgent")]
#[derive(Clone)]
pub struct Agent {
    inner: Arc<Inner>,
}

struct Inner {
    parts: AgentParts,
    executor: ToolExecutor,
    /// The system prompt, which all conversations share.
    prompt: Option<Message>,
    /// Its tools take what people brought, so a model is told the numbers.
    numbers: bool,
    /// The tokens that the tool definitions take in every request, as estimated.
    tool_tokens: u64,
    /// Requests of this agent share a prompt cache.
    cache_key: String,
}

/// How long a model rests that is overloaded and does not say for how long.
const REST: Duration = Duration::from_secs(20);

impl Agent {
    /// An agent of these parts.
    pub fn new(parts: AgentParts) -> Self {
        let limits = parts.limits;
        let executor = ToolExecutor::new(parts.tools.clone(), limits.tool_time, limits.tool_characters);
        let tool_tokens = request::tool_tokens(&parts.tools.definitions());
        let (prompt, numbers) = (prompt(&parts.system_prompt), parts.tools.takes_materials());
        let cache_key = format!("tata-{}", parts.name);
        let inner = Inner { parts, executor, prompt, numbers, tool_tokens, cache_key };
        Self { inner: Arc::new(inner) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.parts.name
    }

    /// What it is made of, for an agent that differs in something.
    pub fn parts(&self) -> &AgentParts {
        &self.inner.parts
    }

    /// Where its sessions live.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.parts.store
    }

    /// Runs a turn. The events end with [`crate::Event::Finished`], whatever happens. `cancel` stops the turn and
    /// keeps what had arrived; dropping the stream stops it like a crash would, to be resumed.
    pub fn turn(&self, session: SessionId, input: Input, cancel: CancellationToken) -> EventStream {
        let inner = Arc::clone(&self.inner);
        Feed::of(|out| turn::run(inner, session, input, cancel, out))
    }

    /// Takes the last turn back and says which it was; none when there is none. Documents made in it stay.
    pub async fn undo(&self, session: SessionId) -> Result<Option<u32>, StoreError> {
        let parts = &self.inner.parts;
        let begun = parts.store.begin(session, parts.limits.lease).await?;
        let conversation = Conversation::after(None, &begun.records);
        let Some(turn) = conversation.undoable() else {
            parts.store.release(&begun.lease).await?;
            return Ok(None);
        };
        let entry = Entry::TurnUndone { turn };
        let record = Record { position: conversation.position() + 1, at: parts.clock.now(), entry };
        let batch = crate::Batch { records: vec![record], release: true, ..crate::Batch::default() };
        if let Err(error) = parts.store.append(&begun.lease, batch).await {
            parts.store.abandon(begun.lease);
            return Err(error);
        }
        Ok(Some(turn))
    }
}

impl Inner {
    /// The models to try, in order: those that rest come last, for when nothing else is left.
    fn candidates(&self) -> Vec<usize> {
        let mut plan: Vec<usize> = (0..self.parts.models.len()).collect();
        let health = self.parts.memory.health();
        if !health.is_empty() {
            let now = Instant::now();
            plan.sort_by_key(|at| {
                let name = self.parts.models.get(*at).map(|choice| choice.model.name());
                name.and_then(|name| health.get(name)?.rests_until).is_some_and(|until| until > now)
            });
        }
        plan
    }

    fn learn(&self, model: &str, lesson: impl FnOnce(&mut Health)) {
        let mut health = self.parts.memory.health();
        if let Some(known) = health.get_mut(model) {
            lesson(known);
        } else {
            lesson(health.entry(model.to_owned()).or_default());
        }
    }

    fn tokens_per_estimate(&self, model: &str) -> f64 {
        let health = self.parts.memory.health();
        health.get(model).map_or(1.0, |health| health.tokens_per_estimate)
    }
}
