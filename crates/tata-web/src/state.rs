//! What every handler has at hand.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    extract::{FromRequestParts, Path},
    http::{StatusCode, request::Parts},
};
use tata_core::{
    Account, Agent, AgentParts, Desk, DirectCall, ModelChoice, Person, Scope, ScopedStore, Session,
    SessionId, Store,
};
use tokio_util::sync::CancellationToken;

use crate::{
    Caller, Pages, Problem, Services, access::Passwords, compatible::Memory, limits::Rates,
    options::ServerOptions, trash::Trash,
};

/// What every handler has at hand. A handler takes it as an argument and gets that of its caller, whose `services.store`
/// holds nothing of anybody else; the state of the router is the server's own and belongs to the guard alone.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) services: Arc<Services>,
    pub(crate) options: Arc<ServerOptions>,
    pub(crate) rates: Arc<Rates>,
    /// What the people of a company ask together.
    pub(crate) company_rates: Arc<Rates>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) trash: Trash,
    /// The store without a scope: for accounts and what runs by itself.
    pub(crate) root_store: Arc<dyn Store>,
    pub(crate) passwords: Arc<Passwords>,
    /// Whoever calls, where people sign in.
    pub(crate) account: Option<Arc<Account>>,
    agents: Arc<Mutex<HashMap<Which, Agent>>>,
    /// What agents are made of, shared by all callers.
    parts: Arc<Mutex<HashMap<WhichParts, AgentParts>>>,
    /// The callers that were seen last.
    callers: Arc<Mutex<HashMap<String, App>>>,
    /// The server is about to stop: streams end, so that their listeners go on elsewhere.
    pub(crate) stopping: CancellationToken,
}

/// Which agent: its name, another model, and whether its listener can take back what it has shown.
type Which = (String, Option<String>, bool);

/// What an agent is made of: the company, its name, and another model.
type WhichParts = (Option<String>, String, Option<String>);

/// Agents that are kept: what they learned about their models is worth something.
const MOST_AGENTS: usize = 64;

/// Callers that are kept: what was learned about whose their sessions are saves a question each time.
const MOST_CALLERS: usize = 4096;

impl App {
    pub(crate) fn new(services: Services, options: ServerOptions, stopping: CancellationToken) -> Self {
        Self {
            rates: Arc::new(Rates::new(options.requests_per_second, options.burst)),
            company_rates: Arc::new(Rates::new(
                options.requests_per_second.saturating_mul(options.company_share),
                options.burst.saturating_mul(options.company_share),
            )),
            root_store: Arc::clone(&services.store),
            services: Arc::new(services),
            options: Arc::new(options),
            memory: Arc::default(),
            trash: Trash::default(),
            passwords: Arc::default(),
            account: None,
            agents: Arc::default(),
            parts: Arc::default(),
            callers: Arc::default(),
            stopping,
        }
    }

    /// The same for somebody who is signed in.
    pub(crate) fn of(&self, account: &Account) -> Result<Self, Problem> {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = callers.get(&account.id).filter(|known| known.account.as_deref() == Some(account));
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let scope = Scope { tenant: account.tenant.clone(), user: account.id.clone() };
        let mut services = Services {
            store: Arc::new(ScopedStore::new(&self.root_store, scope)),
            person: Person { user_id: Some(account.id.clone()), name: account.name.clone() },
            ..(*self.services).clone()
        };
        if let Some(of_company) = &self.services.company {
            let own = of_company(&account.tenant).map_err(|why| {
                tracing::error!(why, "what a company has to itself cannot be had");
                let detail = "What belongs to your company cannot be opened; the log says why.";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "company_unavailable", detail)
            })?;
            (services.tools, services.agents.parts) = (own.tools, own.parts);
            let pages = services.pages.as_deref().cloned();
            services.pages = pages.map(|pages| Arc::new(Pages { collection: own.collection, ..pages }));
        }
        let app = Self {
            services: Arc::new(services),
            account: Some(Arc::new(account.clone())),
            agents: Arc::default(),
            // A caller has no callers: that would be a circle.
            callers: Arc::default(),
            ..self.clone()
        };
        if callers.len() >= MOST_CALLERS {
            callers.clear();
        }
        callers.insert(account.id.clone(), app.clone());
        Ok(app)
    }

    /// Counts a request of this caller, and of their company.
    pub(crate) fn count(&self) -> Result<(), Problem> {
        self.rates.take(&self.services.person.name)?;
        self.account.as_ref().map_or(Ok(()), |account| self.company_rates.take(&account.tenant))
    }

    /// Who calls, for a service that is mounted.
    pub(crate) fn caller(&self) -> Caller {
        let services = &self.services;
        Caller {
            account: self.account.as_ref().map(|account| (account.id.clone(), account.tenant.clone())),
            store: Arc::clone(&services.store),
            person: services.person.clone(),
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
        let parts = self.parts(name, which.1.clone()).await?;
        let agent = Agent::new(AgentParts { can_reset, store: Arc::clone(&self.services.store), ..parts });
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if agents.len() >= MOST_AGENTS {
            agents.clear();
        }
        agents.insert(which, agent.clone());
        Ok(agent)
    }

    /// What an agent is made of.
    pub(crate) async fn parts(&self, name: &str, model: Option<String>) -> Result<AgentParts, Problem> {
        let company = self.account.as_ref().map(|account| account.tenant.clone());
        let which = (company, name.to_owned(), model);
        let known = self.parts.lock().unwrap_or_else(PoisonError::into_inner).get(&which).cloned();
        if let Some(parts) = known {
            return Ok(parts);
        }
        let parts = (self.services.agents.parts)(which.1.clone(), which.2.clone()).await?;
        let mut all = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_AGENTS {
            all.clear();
        }
        all.insert(which, parts.clone());
        Ok(parts)
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

impl FromRequestParts<App> for App {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        match parts.extensions.get::<App>() {
            Some(app) => Ok(app.clone()),
            // Nobody passed the guard. Where there is one person, nothing is to be guarded.
            None if !app.services.accounts => Ok(app.clone()),
            None => Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Sign in first.")),
        }
    }
}

/// The session that a path names, if it is the caller's.
pub(crate) struct Named(pub(crate) Session);

impl FromRequestParts<App> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = App::from_request_parts(parts, app).await?;
        let found = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let found = found.ok().and_then(|Path(mut names)| names.remove("id")).unwrap_or_default();
        let id: SessionId = found.parse()?;
        if caller.trash.holds(id) {
            return Err(tata_core::DeskError::NoSession(id.to_string()).into());
        }
        Ok(Self(caller.desk().session(id).await?))
    }
}
