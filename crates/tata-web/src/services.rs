//! What the program hands over: ports and closures. Everything that the routes do goes through these.

use std::{convert::Infallible, future::Future, net::SocketAddr, pin::Pin, sync::Arc};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use serde::Serialize;
use tata_core::{AgentParts, Artifact, Clock, Person, Readiness, Session, Store, ToolRegistry, TurnHost};
use utoipa::ToSchema;

use crate::{Collection, Counter, Metrics, Oidc, Pages};

/// What the server is made of.
#[derive(Clone)]
pub struct Services {
    /// Where sessions live.
    pub store: Arc<dyn Store>,
    /// Who runs turns.
    pub host: TurnHost,
    /// Who answers.
    pub agents: Agents,
    /// Every tool that can be called by hand.
    pub tools: ToolRegistry,
    /// The tool that makes an old version of a document the newest, if there is one.
    pub restore_tool: Option<String>,
    /// The models and whether they are set up.
    pub models: Arc<dyn Fn() -> Vec<ModelInfo> + Send + Sync>,
    /// A document as people read it.
    pub render: Render,
    /// Files in and out.
    pub files: FileServices,
    /// Why a document may not be approved as it is.
    pub not_ready: Arc<Readiness>,
    /// Counters that others keep.
    pub counters: Arc<dyn Fn() -> Vec<Counter> + Send + Sync>,
    /// Counters of turns and requests.
    pub metrics: Arc<Metrics>,
    /// What the pages are made of, if there are any.
    pub pages: Option<Arc<Pages>>,
    /// The MCP service, if it is offered.
    pub mcp: Option<Mounted>,
    /// Who of this machine may connect, where people do not sign in; without it everybody who reaches the server.
    pub admit: Option<AdmitPeer>,
    /// People sign in. Without it there is one person: whoever sits at this machine.
    pub accounts: bool,
    /// What a company has to itself, where people sign in; without it all share what is here.
    pub company: Option<OfCompany>,
    /// The company's own directory, where people may sign in with it.
    pub oidc: Option<Arc<Oidc>>,
    /// Who asks: the only person there is, or whoever is signed in.
    pub person: Person,
    /// What time it is.
    pub clock: Clock,
    /// The program's version.
    pub version: String,
}

/// Judges a connection by its peer's end and ours, once; the words are for whoever is refused. It may block.
pub type AdmitPeer = Arc<dyn Fn(SocketAddr, SocketAddr) -> Result<(), String> + Send + Sync>;

/// Files in and out.
#[derive(Clone)]
pub struct FileServices {
    /// Documents as files.
    pub export: ExportDocument,
    /// What is in a file that somebody brings.
    pub read: ReadUpload,
    /// The most bytes of a file.
    pub largest: usize,
    /// Whether a model is no AI but rules on this machine.
    pub is_rules: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

/// Writes a document as a file of a format, given by its ending, and told whether a model wrote in its session.
pub type ExportDocument =
    Arc<dyn Fn(&Session, &Artifact, &str, bool) -> Result<Vec<u8>, String> + Send + Sync>;

/// Whose file is read: what somebody brings must not keep the files of others waiting. Without accounts all are one person's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileOwner {
    /// Their company.
    pub company: Option<String>,
    /// Their account.
    pub account: Option<String>,
}

/// Reads a file of somebody by its name and bytes. It may take a while and blocks.
pub type ReadUpload = Arc<dyn Fn(FileOwner, &str, Vec<u8>) -> Result<UploadRead, UnreadFile> + Send + Sync>;

/// Why a file was not read, in words for the person who brought it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadFile {
    /// It cannot be read.
    Unreadable(String),
    /// It may be read when the same is sent again a little later.
    Later(String),
}

/// What was read of a file.
#[derive(Clone, Debug, Default)]
pub struct UploadRead {
    /// What it was taken for.
    pub kind: &'static str,
    /// The text.
    pub text: String,
    /// What was left out.
    pub notes: Vec<String>,
}

/// A document as people read it, where it has such a form.
pub type Render = Arc<dyn Fn(&Artifact, Rendering) -> Option<String> + Send + Sync>;

/// What a company has to itself, by its name.
pub type OfCompany = Arc<dyn Fn(&str) -> Result<CompanyServices, String> + Send + Sync>;

/// What a company has to itself: its documents, and whatever looks things up in them.
#[derive(Clone)]
pub struct CompanyServices {
    /// Every tool that can be called by hand.
    pub tools: ToolRegistry,
    /// The parts of an agent.
    pub parts: AgentMaker,
    /// The documents that answers rest on.
    pub collection: Option<Collection>,
}

/// Answers a request of a service that is mounted.
pub type Mounted = Arc<dyn Fn(Caller, axum::extract::Request) -> MountedFuture + Send + Sync>;

/// Who makes a request, for a service that is mounted.
#[derive(Clone)]
pub struct Caller {
    /// Their account and their company, where people sign in.
    pub account: Option<(String, String)>,
    /// The sessions that are theirs.
    pub store: Arc<dyn Store>,
    /// Who they are.
    pub person: Person,
}

/// What such a service gives, or why it gives nothing.
pub type MountedFuture =
    Pin<Box<dyn Future<Output = Result<axum::http::Response<BoxBody<Bytes, Infallible>>, String>> + Send>>;

/// The agents there are.
#[derive(Clone)]
pub struct Agents {
    /// The one that answers when nobody names one.
    pub usual: String,
    /// All of them.
    pub known: Vec<AgentInfo>,
    /// The parts of an agent by its name, with another model than its own if one is named.
    pub parts: AgentMaker,
    /// The model that an agent asks.
    pub model: AnsweringModel,
}

/// The model that an agent asks first, by the agent's name and another model than its own if one is named; none if the agent
/// cannot answer.
pub type AnsweringModel = Arc<dyn Fn(&str, Option<&str>) -> Option<String> + Send + Sync>;

/// Puts an agent together by its name, with another model than its own if one is named.
pub type AgentMaker = Arc<dyn Fn(String, Option<String>) -> AgentFuture + Send + Sync>;

/// What it takes to put an agent together.
pub type AgentFuture = Pin<Box<dyn Future<Output = Result<AgentParts, Unavailable>> + Send>>;

/// An agent at a glance.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AgentInfo {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
}

/// Why an agent cannot answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// There is none of this name, or no such model.
    #[error("{0}")]
    Unknown(String),
    /// Its model is not set up.
    #[error("{0}")]
    NotConfigured(String),
    /// It could not be put together.
    #[error("{0}")]
    Failed(String),
}

/// A model and whether it is set up.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ModelInfo {
    /// The name by which it is chosen.
    pub name: String,
    /// Who serves it.
    pub provider: String,
    /// Whether it can be used.
    pub configured: bool,
    /// What must be set before it can be used.
    pub missing: Vec<String>,
    /// It is used when nobody names another.
    pub usual: bool,
    /// The most tokens of a request and its answer.
    pub context_window: Option<u64>,
    /// The most tokens of an answer.
    pub max_output: Option<u64>,
}

/// How a document is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rendering {
    /// Markdown.
    Markdown,
    /// Plain text.
    Plain,
}
