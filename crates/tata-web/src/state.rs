//! What every handler has at hand.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::extract::{FromRequestParts, Path};
use tata_core::{Agent, AgentParts, Desk, DirectCall, ModelChoice, Session, SessionId};
use tokio_util::sync::CancellationToken;

use crate::{Problem, Services, compatible::Memory, idempotency::Keys, limits::Rates, server::ServerOptions};

/// What every handler has at hand.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) services: Arc<Services>,
    pub(crate) options: Arc<ServerOptions>,
    pub(crate) rates: Arc<Rates>,
    pub(crate) keys: Arc<Keys>,
    pub(crate) memory: Arc<Memory>,
    agents: Arc<Mutex<HashMap<Which, Agent>>>,
    /// The server is about to stop: streams end, so that their listeners go on elsewhere.
    pub(crate) stopping: CancellationToken,
}

/// Which agent: its name, another model, and whether its listener can take back what it has shown.
type Which = (String, Option<String>, bool);

/// Agents that are kept: what they learned about their models is worth something.
const MOST_AGENTS: usize = 64;

impl App {
    pub(crate) fn new(services: Services, options: ServerOptions, stopping: CancellationToken) -> Self {
        Self {
            rates: Arc::new(Rates::new(options.requests_per_second, options.burst)),
            services: Arc::new(services),
            options: Arc::new(options),
            keys: Arc::default(),
            memory: Arc::default(),
            agents: Arc::default(),
            stopping,
        }
    }

    /// The sessions of whoever asks.
    pub(crate) fn desk(&self) -> Desk<'_> {
        let services = &self.services;
        Desk::new(services.store.as_ref(), services.person.clone(), services.clock)
    }

    /// The agent of a session.
    pub(crate) async fn agent_of(&self, session: &Session) -> Result<Agent, Problem> {
        self.agent(&session.agent, session.model.clone(), true).await
    }

    /// An agent by its name.
    pub(crate) async fn agent(
        &self,
        name: &str,
        model: Option<String>,
        can_reset: bool,
    ) -> Result<Agent, Problem> {
        let which = (name.to_owned(), model, can_reset);
        let known = self.agents.lock().unwrap_or_else(PoisonError::into_inner).get(&which).cloned();
        if let Some(agent) = known {
            return Ok(agent);
        }
        let parts = (self.services.agents.parts)(which.0.clone(), which.1.clone()).await?;
        let agent = Agent::new(AgentParts { can_reset, ..parts });
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if agents.len() >= MOST_AGENTS {
            agents.clear();
        }
        agents.insert(which, agent.clone());
        Ok(agent)
    }

    /// An agent that makes one call by hand, with all tools there are.
    pub(crate) fn by_hand(&self, call: DirectCall) -> Agent {
        let services = &self.services;
        let models = vec![ModelChoice::new(Arc::new(call))];
        Agent::new(AgentParts {
            tools: services.tools.clone(),
            clock: services.clock,
            ..AgentParts::new("by hand", models, Arc::clone(&services.store))
        })
    }
}

/// The session that a path names, if it is the caller's.
pub(crate) struct Named(pub(crate) Session);

impl FromRequestParts<App> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, app: &App) -> Result<Self, Problem> {
        let found = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let found = found.ok().and_then(|Path(mut names)| names.remove("id")).unwrap_or_default();
        let id: SessionId = found.parse()?;
        Ok(Self(app.desk().session(id).await?))
    }
}
