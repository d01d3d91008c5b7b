//! A server as a client sees it: connected when needed, once for all callers, and again when it went away.

mod capped;
mod connect;
mod content;
mod handler;
mod http;
mod list;
mod loopback;
mod options;
mod question;
mod sign_in;
mod status;
mod tool;

use std::sync::{
    Arc, Mutex, PoisonError, Weak,
    atomic::{AtomicBool, AtomicU64, Ordering},
};
use std::time::Duration;

use rmcp::{
    model::{CallToolRequestParams, CallToolResult},
    transport::auth::AuthClient,
};
use serde_json::{Map, Value};
use tata_core::Tool;
use tokio::sync::{Mutex as AsyncMutex, watch};
use tracing::{debug, info, warn};

use self::{
    connect::{Connection, Failed, connect},
    list::{Listed, list},
    status::Known,
    tool::ForeignTool,
};
use crate::{McpError, Reach, ServerConfig};

pub use list::{Hints, LeftOut};
pub use loopback::Loopback;
pub use options::{Answer, Asker, ClientOptions, Elicitation, Elicited};
pub use question::{ElicitedField, FieldKind};
pub use sign_in::{SignIn, Vault, Visit};
pub use status::{State, Status};

/// Lists are not asked for more often than this, however often a server says that its list has changed.
const BETWEEN_LISTS: Duration = Duration::from_millis(500);

/// One server. Clones share its connection.
#[derive(Clone)]
pub struct McpClient(Arc<Inner>);

struct Inner {
    config: ServerConfig,
    options: ClientOptions,
    /// Whoever holds it connects; the others wait and find what came of it.
    link: AsyncMutex<Link>,
    auth: AsyncMutex<Option<AuthClient<reqwest::Client>>>,
    attempts: AtomicU64,
    connects: AtomicU64,
    closed: AtomicBool,
    known: Mutex<Known>,
    /// Rises whenever the list of tools becomes another.
    version: watch::Sender<u64>,
}

enum Link {
    Down(Option<Arc<McpError>>),
    Up(Arc<Connection>),
}

/// Why a call brought nothing.
#[derive(Debug)]
pub(crate) enum CallError {
    /// It did not happen.
    NotDone(Arc<McpError>),
    /// Nobody knows.
    Lost(Arc<McpError>),
}

impl McpClient {
    /// A client for this server; nothing is started yet.
    pub fn new(config: ServerConfig, options: ClientOptions) -> Self {
        Self(Arc::new(Inner {
            config,
            options,
            link: AsyncMutex::new(Link::Down(None)),
            auth: AsyncMutex::new(None),
            attempts: AtomicU64::new(0),
            connects: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            known: Mutex::default(),
            version: watch::Sender::new(0),
        }))
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.0.config.name
    }

    /// Connects, unless it is connected, and lists the tools.
    pub async fn connect(&self) -> Result<(), Arc<McpError>> {
        self.connection().await.map(drop)
    }

    /// The tools as an agent takes them, as last listed.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let listed = Arc::clone(&self.known().listed);
        let tools = listed.tools.iter().cloned();
        tools.map(|found| Arc::new(ForeignTool::new(found, self.clone())) as Arc<dyn Tool>).collect()
    }

    /// What the server says about its tools, by the names models see. It is not trusted: for people to read.
    pub fn hints(&self, tool: &str) -> Option<Hints> {
        self.known()
            .listed
            .tools
            .iter()
            .find(|found| found.spec.name == tool)
            .map(|found| found.hints.clone())
    }

    /// Rises whenever the list of tools becomes another.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.version.subscribe()
    }

    /// What there is to know.
    pub fn status(&self) -> Status {
        let gone = self.0.link.try_lock().is_ok_and(|link| matches!(&*link, Link::Up(up) if !up.is_open()));
        let known = self.known();
        let state = match &known.state {
            State::Ready if gone => State::Lost,
            State::Idle | State::Ready | State::Lost | State::Failed(_) | State::Closed => {
                known.state.clone()
            }
        };
        Status {
            server: self.0.config.name.clone(),
            place: self.0.config.place(),
            state,
            tools: known.listed.tools.iter().map(|found| found.spec.name.clone()).collect(),
            left_out: known.listed.left_out.clone(),
            protocol: known.protocol.clone(),
            introduced: known.introduced.clone(),
            connects: self.0.connects.load(Ordering::Relaxed),
        }
    }

    /// Whether the server has a person asked right now.
    pub(crate) fn is_asking(&self) -> bool {
        let link = self.0.link.try_lock();
        link.is_ok_and(|link| matches!(&*link, Link::Up(up) if up.running.service().is_asking()))
    }

    /// Says goodbye. A server that is a program has ended when this returns.
    pub async fn close(&self) {
        self.0.closed.store(true, Ordering::Relaxed);
        let link = std::mem::replace(&mut *self.0.link.lock().await, Link::Down(None));
        if let Link::Up(connection) = link {
            connection.close().await;
        }
        self.known().state = State::Closed;
    }

    /// Calls a tool. What surely did not reach the server is tried once more; everything else is not.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<CallToolResult, CallError> {
        let mut again = true;
        loop {
            let connection = self.connection().await.map_err(CallError::NotDone)?;
            let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.clone());
            let error = match connection.running.call_tool(request).await {
                Ok(result) => return Ok(result),
                Err(error) => error,
            };
            match connection.failed(error) {
                Failed::Lost(error) => return Err(CallError::Lost(Arc::new(error))),
                Failed::Unauthorized { challenge } if again => {
                    self.sign_in(&challenge).await.map_err(|error| CallError::NotDone(Arc::new(error)))?;
                    self.let_go(&connection).await;
                }
                Failed::NotSent(error) if again => {
                    debug!(server = self.name(), %error, "a call did not reach its server and is tried once more");
                    self.let_go(&connection).await;
                }
                Failed::Unauthorized { .. } => {
                    let error = McpError::Unauthorized { server: self.name().to_owned(), problem: None };
                    return Err(CallError::NotDone(Arc::new(error)));
                }
                Failed::Answered(error) | Failed::NotSent(error) => {
                    return Err(CallError::NotDone(Arc::new(error)));
                }
            }
            again = false;
        }
    }

    /// The connection; if there is none, one attempt is made for all who wait.
    async fn connection(&self) -> Result<Arc<Connection>, Arc<McpError>> {
        let inner = &self.0;
        let before = inner.attempts.load(Ordering::Acquire);
        let mut link = inner.link.lock().await;
        match &*link {
            Link::Up(connection) if connection.is_open() => return Ok(Arc::clone(connection)),
            // Somebody tried while we waited: what they learned holds for us.
            Link::Down(Some(error)) if inner.attempts.load(Ordering::Acquire) != before => {
                return Err(Arc::clone(error));
            }
            Link::Up(_) | Link::Down(_) => {}
        }
        if inner.closed.load(Ordering::Relaxed) {
            return Err(Arc::new(McpError::Ended { server: self.name().to_owned(), said: None }));
        }
        // The old program, if there is one, ends before its successor begins.
        if let Link::Up(old) = std::mem::replace(&mut *link, Link::Down(None)) {
            old.close().await;
        }
        let made = self.attempt().await;
        inner.attempts.fetch_add(1, Ordering::Release);
        match made {
            Ok(connection) => {
                let connection = Arc::new(connection);
                inner.connects.fetch_add(1, Ordering::Relaxed);
                *link = Link::Up(Arc::clone(&connection));
                tokio::spawn(follow(
                    Arc::downgrade(inner),
                    Arc::clone(&connection.running.service().changed),
                ));
                Ok(connection)
            }
            Err(error) => {
                let error = Arc::new(error);
                warn!(server = self.name(), code = error.code(), "MCP server cannot be used");
                self.known().state = State::Failed(Arc::clone(&error));
                *link = Link::Down(Some(Arc::clone(&error)));
                Err(error)
            }
        }
    }

    async fn attempt(&self) -> Result<Connection, McpError> {
        let Inner { config, options, .. } = &*self.0;
        let auth = self.auth().await?;
        let connection = match connect(config, options, auth).await {
            Ok(connection) => connection,
            Err(failure) => match failure.challenge {
                Some(challenge) if options.sign_in.is_some() => {
                    let auth = self.sign_in(&challenge).await?;
                    connect(config, options, auth).await.map_err(|failure| failure.error)?
                }
                Some(_) | None => return Err(failure.error),
            },
        };
        let listed = match list(&connection, &config.name, options.list_time).await {
            Err(Failed::Unauthorized { challenge }) if options.sign_in.is_some() => {
                let auth = self.sign_in(&challenge).await?;
                let again = connect(config, options, auth).await.map_err(|failure| failure.error)?;
                let listed = list(&again, &config.name, options.list_time).await;
                return self.learn(again, listed);
            }
            other => other,
        };
        self.learn(connection, listed)
    }

    fn learn(&self, connection: Connection, listed: Result<Listed, Failed>) -> Result<Connection, McpError> {
        let listed = listed.map_err(|failed| failed.into_error(self.name()))?;
        info!(
            server = self.name(),
            tools = listed.tools.len(),
            left_out = listed.left_out.len(),
            "MCP server is ready"
        );
        let info = connection.peer_info();
        let mut known = self.known();
        known.state = State::Ready;
        known.protocol = info.as_ref().map(|info| info.protocol_version.to_string());
        known.introduced = info.and_then(|info| {
            let us = info.server_info.as_ref()?;
            Some(crate::error::words(&format!("{} {}", us.name, us.version)))
        });
        drop(known);
        self.relist(listed);
        Ok(connection)
    }

    fn relist(&self, listed: Listed) {
        let mut known = self.known();
        if *known.listed != listed {
            known.listed = Arc::new(listed);
            drop(known);
            self.0.version.send_modify(|version| *version += 1);
        }
    }

    /// The client with a token, for servers behind an address where a person could sign in.
    async fn auth(&self) -> Result<Option<AuthClient<reqwest::Client>>, McpError> {
        let (Reach::Address { url, .. }, Some(wish)) = (&self.0.config.reach, &self.0.options.sign_in) else {
            return Ok(None);
        };
        // Nobody can sign in and nobody has: the server is asked as it stands.
        if wish.visit.is_none() && !wish.has_kept(url) {
            return Ok(None);
        }
        let mut auth = self.0.auth.lock().await;
        if auth.is_none() {
            *auth = Some(sign_in::with_token(self.name(), url, wish).await?);
        }
        Ok(auth.clone())
    }

    async fn sign_in(&self, challenge: &str) -> Result<Option<AuthClient<reqwest::Client>>, McpError> {
        let (Reach::Address { url, .. }, Some(wish)) = (&self.0.config.reach, &self.0.options.sign_in) else {
            return Err(McpError::Unauthorized { server: self.name().to_owned(), problem: None });
        };
        let mut auth = self.0.auth.lock().await;
        *auth = Some(sign_in::sign_in(self.name(), url, wish, challenge).await?);
        Ok(auth.clone())
    }

    /// Uses a connection no longer, unless somebody has already made a new one.
    async fn let_go(&self, connection: &Arc<Connection>) {
        let mut link = self.0.link.lock().await;
        if matches!(&*link, Link::Up(up) if Arc::ptr_eq(up, connection)) {
            *link = Link::Down(None);
            connection.close().await;
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lists anew whenever the server says that its list has changed, as long as anybody has the client.
async fn follow(inner: Weak<Inner>, changed: Arc<tokio::sync::Notify>) {
    loop {
        changed.notified().await;
        let Some(client) = inner.upgrade().map(McpClient) else { return };
        let connection = match &*client.0.link.lock().await {
            Link::Up(up) if up.is_open() && Arc::ptr_eq(&up.running.service().changed, &changed) => {
                Arc::clone(up)
            }
            Link::Up(_) | Link::Down(_) => return,
        };
        match list(&connection, client.name(), client.0.options.list_time).await {
            Ok(listed) => client.relist(listed),
            Err(failed) => {
                let error = failed.into_error(client.name());
                warn!(server = client.name(), code = error.code(), "the new list of tools could not be had");
            }
        }
        drop((client, connection));
        tokio::time::sleep(BETWEEN_LISTS).await;
    }
}

impl Failed {
    fn into_error(self, server: &str) -> McpError {
        match self {
            Self::Answered(error) | Self::NotSent(error) | Self::Lost(error) => error,
            Self::Unauthorized { .. } => McpError::Unauthorized { server: server.to_owned(), problem: None },
        }
    }
}
