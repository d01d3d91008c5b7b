//! What every handler has at hand.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    extract::{FromRequestParts, Path},
    http::{StatusCode, request::Parts},
};
use jiff::Timestamp;
use tata_core::{
    AccessToken, Account, Accounts, Actor, Agent, AgentParts, Audit, Desk, DirectCall, Ledger, ModelChoice,
    Person, Scope, ScopedStore, Session, SessionId, Store, ToolRegistry, TurnHost,
};
use tokio_util::sync::CancellationToken;

use crate::{
    AdmitPeer, AgentFuture, Agents, Caller, FileOwner, Metrics, Mounted, Pages, Problem, Services,
    Unavailable, access::Passwords, budgets::Budgets, options::ServerOptions, presence::Presence,
};

/// What a handler has at hand: everything as its caller may use it. Where people sign in, the store holds nothing of anybody
/// else, and the agents search the documents of the caller's company alone.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) services: Arc<Services>,
    pub(crate) options: Arc<ServerOptions>,
    /// What everybody may use.
    pub(crate) budgets: Arc<Budgets>,
    /// Who may sign in, what they did and what they used, of all companies: nobody's scope holds these. Handlers name the
    /// company they ask about.
    pub(crate) accounts: Arc<dyn Accounts>,
    pub(crate) audit: Arc<dyn Audit>,
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) passwords: Arc<Passwords>,
    /// Whoever calls, where people sign in.
    pub(crate) account: Option<Arc<Account>>,
    /// By what they are known in this request.
    pub(crate) token: Option<Arc<AccessToken>>,
    /// Who is at work here.
    pub(crate) presence: Presence,
    agents: Arc<Mutex<HashMap<Which, Agent>>>,
    /// What agents are made of, shared by all callers.
    parts: Arc<Mutex<HashMap<WhichParts, AgentParts>>>,
    /// The server is about to stop: streams end, so that their listeners go on elsewhere.
    pub(crate) stopping: CancellationToken,
}

/// What the server itself has. Its store and its agents have no scope, so they do not leave this type where people sign in:
/// a request gets the [`App`] of its caller, and work without a request the one of the person whose session it is about.
#[derive(Clone)]
pub(crate) struct ServerState {
    unscoped: App,
    /// The callers that were seen last.
    callers: Arc<Mutex<HashMap<String, App>>>,
}

/// Which agent: its name, another model, and whether its listener can take back what it has shown.
type Which = (String, Option<String>, bool);

/// What an agent is made of: the company, its name, and another model.
type WhichParts = (Option<String>, String, Option<String>);

/// Agents that are kept: what they learned about their models is worth something.
const MOST_AGENTS: usize = 64;

/// Callers that are kept: what was learned about whose their sessions are saves a question each time.
const MOST_CALLERS: usize = 4096;

impl ServerState {
    pub(crate) fn new(services: Services, options: ServerOptions, stopping: CancellationToken) -> Self {
        let unscoped = App {
            budgets: Arc::new(Budgets::new(&options)),
            accounts: Arc::clone(&services.store) as _,
            audit: Arc::clone(&services.store) as _,
            ledger: Arc::clone(&services.store) as _,
            services: Arc::new(services),
            options: Arc::new(options),
            passwords: Arc::default(),
            account: None,
            token: None,
            presence: Presence::default(),
            agents: Arc::default(),
            parts: Arc::default(),
            stopping,
        };
        Self { unscoped, callers: Arc::default() }
    }

    pub(crate) fn options(&self) -> &Arc<ServerOptions> {
        &self.unscoped.options
    }

    /// What everybody may use.
    pub(crate) fn budgets(&self) -> &Budgets {
        &self.unscoped.budgets
    }

    pub(crate) fn stopping(&self) -> &CancellationToken {
        &self.unscoped.stopping
    }

    pub(crate) fn host(&self) -> &TurnHost {
        &self.unscoped.services.host
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.unscoped.services.metrics
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.unscoped.services.clock.now()
    }

    /// The most bytes of a file.
    pub(crate) fn largest_file(&self) -> usize {
        self.unscoped.services.files.largest
    }

    /// The program's version.
    pub(crate) fn version(&self) -> &str {
        &self.unscoped.services.version
    }

    /// Whether people sign in.
    pub(crate) fn has_accounts(&self) -> bool {
        self.unscoped.services.accounts
    }

    pub(crate) fn has_pages(&self) -> bool {
        self.unscoped.services.pages.is_some()
    }

    /// The MCP service, if it is offered.
    pub(crate) fn mcp(&self) -> Option<Mounted> {
        self.unscoped.services.mcp.clone()
    }

    /// Who of this machine may connect.
    pub(crate) fn admit(&self) -> Option<AdmitPeer> {
        self.unscoped.services.admit.clone()
    }

    /// The store without a scope: to find sessions that need work, and the accounts they belong to.
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.unscoped.services.store
    }

    /// The only person there is, where nobody signs in.
    pub(crate) fn alone(&self) -> Option<App> {
        (!self.has_accounts()).then(|| self.unscoped.clone())
    }

    /// What the audit calls whoever runs this server.
    pub(crate) fn operator(&self) -> String {
        self.unscoped.services.person.name.clone()
    }

    /// Somebody who has not signed in, where people do: no session is theirs, and no agent answers them.
    pub(crate) fn stranger(&self) -> App {
        let nobody = |_, _| -> AgentFuture {
            Box::pin(std::future::ready(Err(Unavailable::Failed("Sign in first.".to_owned()))))
        };
        let services = &self.unscoped.services;
        let agents = Agents { parts: Arc::new(nobody), ..services.agents.clone() };
        let store = Arc::new(ScopedStore::of_nobody(&self.unscoped.services.store));
        let services = Services { store, agents, tools: ToolRegistry::default(), ..(**services).clone() };
        App {
            services: Arc::new(services),
            agents: Arc::default(),
            parts: Arc::default(),
            ..self.unscoped.clone()
        }
    }

    /// The person whose session it is; none if it is nobody's who may use this server now.
    pub(crate) async fn owner(&self, session: &Session) -> Result<Option<App>, Problem> {
        if let Some(alone) = self.alone() {
            return Ok(Some(alone));
        }
        let (Some(id), Some(tenant)) = (&session.user_id, &session.tenant_id) else { return Ok(None) };
        let account = self.store().account(id.clone()).await?;
        let account = account.filter(|account| account.tenant == *tenant && !account.disabled);
        account.map(|account| self.of(&account)).transpose()
    }

    /// Somebody who is signed in.
    pub(crate) fn of(&self, account: &Account) -> Result<App, Problem> {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = callers.get(&account.id).filter(|known| known.account.as_deref() == Some(account));
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let unscoped = &self.unscoped;
        let scope = Scope { tenant: account.tenant.clone(), user: account.id.clone() };
        let mut services = Services {
            store: Arc::new(ScopedStore::new(&unscoped.services.store, scope)),
            person: Person { user_id: Some(account.id.clone()), name: account.name.clone() },
            ..(*unscoped.services).clone()
        };
        if let Some(of_company) = &unscoped.services.company {
            let own = of_company(&account.tenant).map_err(|why| {
                tracing::error!(why, "what a company has to itself cannot be had");
                let detail = "What belongs to your company cannot be opened; the log says why.";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "company_unavailable", detail)
            })?;
            (services.tools, services.agents.parts) = (own.tools, own.parts);
            let pages = services.pages.as_deref().cloned();
            services.pages = pages.map(|pages| Arc::new(Pages { collection: own.collection, ..pages }));
        }
        let app = App {
            services: Arc::new(services),
            account: Some(Arc::new(account.clone())),
            agents: Arc::default(),
            ..unscoped.clone()
        };
        if callers.len() >= MOST_CALLERS {
            callers.clear();
        }
        callers.insert(account.id.clone(), app.clone());
        Ok(app)
    }
}

impl App {
    /// Who calls, for a service that is mounted.
    pub(crate) fn caller(&self) -> Caller {
        let services = &self.services;
        Caller {
            account: self.account.as_ref().map(|account| (account.id.clone(), account.tenant.clone())),
            store: Arc::clone(&services.store),
            person: services.person.clone(),
        }
    }

    /// Whose files are read for this request.
    pub(crate) fn file_owner(&self) -> FileOwner {
        let account = self.account.as_ref();
        FileOwner {
            company: account.map(|account| account.tenant.clone()),
            account: account.map(|account| account.id.clone()),
        }
    }

    /// Who calls, for the audit trail.
    pub(crate) fn actor(&self) -> Actor {
        let account = self.account.as_ref().map(|account| account.id.clone());
        Actor { name: self.services.person.name.clone(), account }
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

impl FromRequestParts<ServerState> for App {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &ServerState) -> Result<Self, Problem> {
        // Without it nobody passed the guard. Where there is one person, nothing is to be guarded.
        let caller = parts.extensions.get::<App>().cloned().or_else(|| server.alone());
        caller.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Sign in first."))
    }
}

/// The session that a path names, if it is the caller's.
pub(crate) struct Named(pub(crate) Session);

impl FromRequestParts<ServerState> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &ServerState) -> Result<Self, Problem> {
        let caller = App::from_request_parts(parts, server).await?;
        let found = Path::<HashMap<String, String>>::from_request_parts(parts, server).await;
        let found = found.ok().and_then(|Path(mut names)| names.remove("id")).unwrap_or_default();
        let id: SessionId = found.parse()?;
        Ok(Self(caller.desk().session(id).await?))
    }
}
