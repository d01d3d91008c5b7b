//! Our own: the agent with its journal in memory or in SQLite; and the wire alone, to see what the loop adds.

use std::{cell::RefCell, sync::Arc};

use futures_util::{StreamExt, future::join_all, stream};
use schemars::JsonSchema;
use serde::Deserialize;
use tata_core::{
    Agent, AgentParts, Clock, Event, EventStream, Input, Message, Model, ModelChoice, ModelRequest,
    NewSession, SessionId, Store, ToolOutput, ToolRegistry, ToolResult, collect, typed_tool,
};
use tata_llm::{Catalog, Endpoint, HttpModel, Retry, Timeouts, Transport};
use tata_store::{MemoryStore, SqliteStore};
use tokio_util::sync::CancellationToken;

use crate::disk::Folder;

const PROMPT: &str = "You are helpful.";
const QUESTION: &str = "What is the weather in Oslo?";

#[derive(Deserialize, JsonSchema)]
struct Args {
    city: String,
}

fn tools() -> ToolRegistry {
    let look_up = typed_tool(
        "look_up",
        "Looks up the weather in a city.",
        |_| {},
        |args: Args, _| async move { Ok(ToolOutput::text(format!("Rain in {}.", args.city))) },
    );
    ToolRegistry::new([look_up.unwrap()]).unwrap()
}

fn model(address: &str) -> Arc<dyn Model> {
    let (spec, provider) = Catalog::built_in().unwrap().resolve("gpt-6.1-sol").unwrap();
    let endpoint = Endpoint { base_url: address.to_owned(), key: Some("key".into()), headers: Vec::new() };
    let transport = Transport::new(Timeouts::default(), Retry::default()).unwrap();
    Arc::new(HttpModel::new(spec, provider, endpoint, transport))
}

/// The agent.
pub(crate) struct Ours {
    agent: Agent,
    /// Sessions for the turns to come: making one is no part of a turn.
    sessions: RefCell<Vec<SessionId>>,
    _folder: Option<Folder>,
}

impl Ours {
    /// Its journal is in SQLite, in this folder, or in memory.
    pub(crate) async fn new(address: &str, folder: Option<Folder>) -> Self {
        let store: Arc<dyn Store> = match &folder {
            Some(folder) => Arc::new(SqliteStore::open(&folder.join("bench.db")).await.unwrap()),
            None => Arc::new(MemoryStore::default()),
        };
        let parts = AgentParts {
            system_prompt: PROMPT.into(),
            tools: tools(),
            ..AgentParts::new("bench", vec![ModelChoice::new(model(address))], store)
        };
        Self { agent: Agent::new(parts), sessions: RefCell::default(), _folder: folder }
    }

    /// Makes the sessions for so many turns.
    pub(crate) async fn prepare(&self, turns: usize) {
        let one = |_| self.agent.store().create_session(NewSession::with("bench", Clock::System.now()));
        let made: Vec<_> = stream::iter((0..turns).map(one)).buffer_unordered(64).collect().await;
        self.sessions.borrow_mut().extend(made.into_iter().map(|session| session.unwrap().id));
    }

    /// Makes one session for all of so many turns.
    pub(crate) async fn prepare_one(&self, turns: usize) {
        self.prepare(1).await;
        let one = self.sessions.borrow()[0];
        self.sessions.borrow_mut().resize(turns, one);
    }

    /// One turn in a session of its own.
    pub(crate) async fn turn(&self) {
        let mut events = self.begin();
        let (mut pieces, mut answered) = (0, false);
        while let Some(event) = events.next().await {
            match event {
                Event::TextDelta { .. } => pieces += 1,
                Event::Finished(report) => answered = report.outcome.is_answered(),
                _ => {}
            }
        }
        assert!(answered && pieces == 50, "{pieces} pieces");
    }

    fn begin(&self) -> EventStream {
        let session = self.sessions.borrow_mut().pop().expect("a session was prepared");
        self.agent.turn(session, Input::say(QUESTION), CancellationToken::new())
    }

    /// Streams in the middle of their answers.
    pub(crate) async fn hold(&self, streams: usize) -> Vec<EventStream> {
        join_all((0..streams).map(|_| async {
            let mut events = self.begin();
            let mut pieces = 0;
            while pieces < 10 {
                pieces += usize::from(matches!(events.next().await, Some(Event::TextDelta { .. })));
            }
            events
        }))
        .await
    }
}

/// The two requests without the agent.
pub(crate) struct Requests {
    model: Arc<dyn Model>,
    tools: ToolRegistry,
}

impl Requests {
    pub(crate) fn new(address: &str) -> Self {
        Self { model: model(address), tools: tools() }
    }

    pub(crate) async fn turn(&self) {
        let mut messages = vec![Message::system(PROMPT), Message::user(QUESTION)];
        for _ in 0..2 {
            let tools = self.tools.definitions();
            let request = ModelRequest { messages: messages.clone(), tools, ..ModelRequest::default() };
            let reply = collect(self.model.stream(Arc::new(request))).await.into_result().unwrap();
            let results: Vec<_> =
                reply.runnable_calls().map(|call| ToolResult::text(call, "Rain in Oslo.")).collect();
            messages.push(reply.message);
            messages.push(Message::tool_results(results));
        }
    }
}
