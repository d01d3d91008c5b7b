//! What child and supervisor share: the job, the files beside the database, the scripted model and the tools.

use std::{
    collections::hash_map::DefaultHasher,
    fs::{self, OpenOptions},
    hash::{Hash, Hasher},
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use futures_util::stream;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tata_core::{
    Agent, AgentParts, ArtifactKind, Block, CallIdCounts, Effect, Limits, Message, Model, ModelChoice,
    ModelEvent, ModelRequest, Outcome, Reply, ReplyStream, Role, Scope, ScopedStore, Stop, StopReason, Store,
    ToolCall, ToolContext, ToolOutput, ToolRegistry, Usage, typed_tool,
};
use tata_store::{PostgresStore, SqliteStore};

/// How long a lease lasts here: short, so that a killed child's sessions come free soon.
pub(crate) const LEASE: Duration = Duration::from_millis(800);

/// Where the sessions of one test live.
#[derive(Clone, Debug)]
pub(crate) enum Engine {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Engine {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(folder().join("kill.db"))
    }

    /// A fresh database on the test server; none, loudly, when there is no server.
    pub(crate) fn postgres(name: &str) -> Option<Self> {
        crate::postgres::fresh_database(name).map(Self::Postgres)
    }

    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        match self {
            Self::Sqlite(path) => Arc::new(SqliteStore::open(path).await.unwrap()),
            Self::Postgres(url) => Arc::new(PostgresStore::connect(url).await.unwrap()),
        }
    }

    pub(crate) fn as_text(&self) -> String {
        match self {
            Self::Sqlite(path) => path.display().to_string(),
            Self::Postgres(url) => url.clone(),
        }
    }

    pub(crate) fn from_text(text: &str) -> Self {
        if text.starts_with("postgres") { Self::Postgres(text.to_owned()) } else { Self::Sqlite(text.into()) }
    }
}

/// A fresh folder of this test.
pub(crate) fn folder() -> PathBuf {
    let name = format!("kill-{}-{:x}", std::process::id(), fastrand::u64(..));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Two companies with one person each. Every process serves both.
pub(crate) const COMPANIES: [&str; 2] = ["acme", "acme holding"];

/// The store as the person of a company sees it.
pub(crate) fn store_of(company: &str, store: &Arc<dyn Store>) -> Arc<dyn Store> {
    let scope = Scope { tenant: company.to_owned(), user: format!("a person of {company}") };
    Arc::new(ScopedStore::new(store, scope))
}

/// How many times each engine's child is killed.
pub(crate) fn kills() -> u32 {
    variable("TATA_KILLS").map_or(50, |text| text.parse().expect("TATA_KILLS is a number"))
}

#[expect(clippy::disallowed_methods, reason = "a test binary's own switches")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// One line, written at once: it survives the writer's death and never mixes with another's.
pub(crate) fn write_line(path: &Path, line: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}

pub(crate) fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A model whose answer follows from the conversation alone: some rounds of calls, then words.
pub(crate) struct Walker {
    /// Pauses between the pieces, so that a kill can hit anywhere.
    pub(crate) pause: Duration,
}

/// The calls that the walker makes in a round for a message; none means that it answers.
pub(crate) fn plan(text: &str, round: usize) -> Vec<ToolCall> {
    let seed = hash((text, round));
    if round as u64 >= hash(text) % 4 {
        return Vec::new();
    }
    (0..=seed % 3)
        .map(|at| {
            let tool = ["look", "note", "send"][(hash((seed, at)) % 3) as usize];
            ToolCall::function(
                format!("{text}:{round}:{at}"),
                tool,
                json!({"what": format!("{text} {round} {at}")}).to_string(),
            )
        })
        .collect()
}

/// What the walker says at the end.
pub(crate) fn answer(text: &str) -> String {
    format!("That was {text}, word by word.")
}

impl Model for Walker {
    fn name(&self) -> &'static str {
        "walker"
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        let at = request.messages.iter().rposition(|message| message.role == Role::User).unwrap();
        let text = request.messages[at].joined_text();
        let round = request.messages[at..].iter().filter(|message| message.role == Role::Assistant).count();
        let calls = plan(&text, round);
        let mut events = Vec::new();
        let (blocks, reason) = if calls.is_empty() {
            let words = answer(&text);
            for piece in words.split_inclusive(' ') {
                events.push(ModelEvent::TextDelta { block: 0, text: piece.into() });
            }
            (vec![Block::text(words)], StopReason::EndTurn)
        } else {
            (calls.into_iter().map(Block::ToolCall).collect(), StopReason::ToolUse)
        };
        let usage = Usage { input_tokens: Some(10), output_tokens: Some(5), ..Usage::default() };
        events.push(ModelEvent::Finished(Box::new(Reply {
            message: Message { role: Role::Assistant, blocks: blocks.into(), origin: None },
            outcome: Outcome::Complete,
            stop: Some(Stop { reason, raw: None, sequence: None, details: None }),
            usage: Some(usage),
            response_id: None,
            model: None,
            request_id: None,
            service_tier: None,
            warnings: Vec::new(),
            lost_events: 0,
            attempts: 1,
            attempts_left: 0,
            call_ids: CallIdCounts::default(),
        })));
        let pause = self.pause;
        Box::pin(stream::unfold(events.into_iter(), move |mut events| async move {
            tokio::time::sleep(pause).await;
            events.next().map(|event| (event, events))
        }))
    }
}

#[derive(Deserialize, JsonSchema)]
struct Args {
    what: String,
}

/// The agent of a company. It reads, notes, sends; each run leaves a line that no kill can take back.
pub(crate) fn agent(
    company: &'static str,
    store: &Arc<dyn Store>,
    effects: &Path,
    pause: Duration,
    lease: Duration,
) -> Agent {
    let store = store_of(company, store);
    let tool = |name: &'static str, effect: Effect| {
        let effects = effects.to_owned();
        typed_tool(
            name,
            "Leaves a line.",
            move |spec| spec.effect = effect,
            move |args: Args, context: ToolContext| {
                let effects = effects.clone();
                async move {
                    write_line(&effects.with_file_name("begun"), &format!("{name} {}", context.call_id));
                    tokio::time::sleep(pause).await;
                    write_line(&effects, &format!("{name} {}", context.call_id));
                    let session = context.session;
                    write_line(&effects.with_file_name("ran-for"), &format!("{session} {company}"));
                    tokio::time::sleep(pause).await;
                    Ok(if effect == Effect::Own {
                        let document = json!({"what": args.what, "company": company});
                        ToolOutput::artifact(ArtifactKind::new("Note"), args.what, &document)
                    } else {
                        ToolOutput::text(result(name, &args.what))
                    })
                }
            },
        )
        .unwrap()
    };
    let tools = [tool("look", Effect::Read), tool("note", Effect::Own), tool("send", Effect::Outward)];
    Agent::new(AgentParts {
        tools: ToolRegistry::new(tools).unwrap(),
        limits: Limits { lease, patience: Duration::from_mins(1), ..Limits::default() },
        ..AgentParts::new("walker", vec![ModelChoice::new(Arc::new(Walker { pause }))], store)
    })
}

/// What a tool other than `note` answers.
pub(crate) fn result(tool: &str, what: &str) -> String {
    format!("{tool}: {what}")
}
