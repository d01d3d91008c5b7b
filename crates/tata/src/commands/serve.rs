//! `tata serve`: agents over HTTP, for programs and pages on this machine.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError},
};

use secrecy::ExposeSecret;
use tata_core::{ModelError, ModelErrorKind, Person, Spawn, Store, TurnHost};
use tata_llm::{Metrics as WireMetrics, UnknownModel};
use tata_mcp::{HttpOptions, HttpService, Principal};
use tata_recruit::GUIDED;
use tata_web::{
    AgentInfo, AgentMaker, Agents, AnsweringModel, CompanyServices, Counter, Metrics, ModelInfo, Mounted,
    OfCompany, Rendering, Server, ServerOptions, Services, Unavailable,
};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::{
    artifacts::{readable, unready},
    mcp::offer,
};
use crate::{
    agents::{self, UnknownAgent},
    cli::Serve,
    config::{Config, ConfigError},
    error::UsageError,
    exit::Exit,
    local_users, private,
    servers::{self, Foreign},
    terminal::{BOLD, DIM, NOTE, Terminal},
    wiring::{self, Overrides},
};

/// The variable with the key that whoever runs a server with accounts reads its counters by.
const METRICS_KEY: &str = "TATA_METRICS_KEY";

/// The tool that makes an old version of a document the newest.
const RESTORE: &str = "restore_document";

pub(crate) async fn run(wish: Serve, config: Arc<Config>, terminal: &Terminal) -> anyhow::Result<Exit> {
    // What the folder would decide is asked before anything is served: later there is nobody to ask.
    if let Err(problem) = config.choose(None)
        && problem.is::<ConfigError>()
    {
        return Err(problem);
    }
    // Earlier versions let others of this machine read what people brought.
    for folder in ["uploads", "documents"] {
        private::mend(&config.data_dir.join(folder));
    }
    let store = wiring::open_store(&config).await?;
    let connected: Connected = Arc::default();
    let mut options = ServerOptions::local(wish.listen);
    options.hosts.extend(wish.hosts);
    options.proxies = wish.proxies;
    options.upload_bytes_a_day = wish.uploads.saturating_mul(1024 * 1024);
    let key = config.secret(METRICS_KEY)?.map(|key| key.expose_secret().to_owned());
    options.metrics_key = key.filter(|key| !key.is_empty());
    let stop = CancellationToken::new();
    let mut services = services(&config, &store, wish.turns, &connected)?;
    services.accounts = wish.accounts;
    if !wish.accounts && !wish.all_local_users {
        services.admit = local_users::own_connections_only();
        if services.admit.is_none() {
            terminal.note(&format!("{NOTE}note:{NOTE:#} {}.", local_users::UNKNOWN));
        }
    }
    services.mcp = Some(mcp(&config, &options.hosts, &stop));
    if wish.accounts {
        services.oidc = super::directory::directory(&config)?;
        services.company = Some(companies(&config, &store, &connected));
    }
    if wish.accounts && services.oidc.is_none() && store.accounts(None).await?.is_empty() {
        let message = "there are no accounts yet, so nobody could sign in; `tata account add NAME --role admin` makes \
                       one, and TATA_OIDC_ISSUER names a directory that has some";
        return Err(UsageError(message.to_owned()).into());
    }
    if wish.accounts && wiring::lacks_row_level_security(&config).await? {
        let remedy = wiring::ROLE_WITHOUT_SUPERUSER;
        terminal.note(&format!("Row-level security does not bind this database role. {remedy}"));
    }
    super::pages::collection::resume_all(&services, &config, store.as_ref()).await?;
    let server = Server::bind(services, options).await?;
    terminal.note(&format!("{BOLD}http://{}{BOLD:#}  {DIM}Ctrl-C stops{DIM:#}", server.address()));
    tokio::spawn(stop_on_signal(stop.clone()));
    server.run(stop).await;
    for foreign in connected.lock().await.values() {
        foreign.close().await;
    }
    wiring::leave(store.as_ref()).await;
    Ok(Exit::Done)
}

/// The most people whose way to the tools is kept open.
const MOST_CALLERS: usize = 1000;

/// Our tools for clients of the protocol, at `/mcp`, each with what is theirs. Pages of other origins do not reach it.
fn mcp(config: &Arc<Config>, hosts: &[String], stop: &CancellationToken) -> Mounted {
    let config = Arc::clone(config);
    let mut options = HttpOptions { stop: stop.clone(), ..HttpOptions::default() };
    options.hosts.extend(hosts.iter().cloned());
    let offers: std::sync::Mutex<HashMap<Option<String>, HttpService>> = std::sync::Mutex::default();
    Arc::new(move |caller, mut request| {
        if caller.account.is_some() {
            // Who decides is who is signed in, whatever their client calls itself.
            request.extensions_mut().insert(Principal(caller.person.name.clone()));
        }
        let (id, company) = caller.account.clone().unzip();
        let mut offers = offers.lock().unwrap_or_else(PoisonError::into_inner);
        let service = offers.get(&id).cloned().map_or_else(
            || {
                let tools = wiring::tools_of(&config, company.as_deref())?;
                let offer = offer(&config, &caller.store, caller.person.user_id.clone(), tools)?;
                let service = HttpService::new(Arc::new(offer), options.clone());
                if offers.len() >= MOST_CALLERS {
                    offers.clear();
                }
                offers.insert(id, service.clone());
                anyhow::Ok(service)
            },
            Ok,
        );
        Box::pin(async move {
            match service {
                Ok(service) => Ok(service.answer(request).await),
                Err(error) => Err(format!("{error:#}")),
            }
        })
    })
}

/// What each company has to itself: made when its first person comes, and kept.
fn companies(config: &Arc<Config>, store: &Arc<dyn Store>, connected: &Connected) -> OfCompany {
    let (config, store, connected) = (Arc::clone(config), Arc::clone(store), Arc::clone(connected));
    let known: std::sync::Mutex<HashMap<String, CompanyServices>> = std::sync::Mutex::default();
    Arc::new(move |company| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(services) = known.get(company) {
            return Ok(services.clone());
        }
        let told = |error: anyhow::Error| format!("{error:#}");
        let services = CompanyServices {
            tools: wiring::tools_of(&config, Some(company)).map_err(told)?,
            parts: maker(&config, &store, &connected, Some(company)),
            collection: Some(
                super::pages::collection::collection(&config, &store, Some(company)).map_err(told)?,
            ),
        };
        known.insert(company.to_owned(), services.clone());
        Ok(services)
    })
}

/// Puts agents together, over the documents of a company.
fn maker(
    config: &Arc<Config>,
    store: &Arc<dyn Store>,
    connected: &Connected,
    company: Option<&str>,
) -> AgentMaker {
    let (config, store, connected) = (Arc::clone(config), Arc::clone(store), Arc::clone(connected));
    let company = company.map(str::to_owned);
    Arc::new(move |name, model| {
        let (config, store, connected) = (Arc::clone(&config), Arc::clone(&store), Arc::clone(&connected));
        let overrides = Overrides { model, company: company.clone(), ..Overrides::default() };
        Box::pin(async move {
            let made = assembled(&config, &connected, store, &name, &overrides).await;
            made.map_err(|error| unavailable(&error))
        })
    })
}

/// The servers of agents that were asked for, by agent.
type Connected = Arc<Mutex<HashMap<String, Foreign>>>;

fn services(
    config: &Arc<Config>,
    store: &Arc<dyn Store>,
    turns: usize,
    connected: &Connected,
) -> anyhow::Result<Services> {
    let metrics = Arc::new(Metrics::default());
    let seen = Arc::clone(&metrics);
    let traces = super::telemetry::traces(config)?;
    let spawn: Spawn = Arc::new(|task| drop(tokio::spawn(task)));
    let host = TurnHost::new(
        Arc::clone(store),
        spawn,
        turns,
        Some(Arc::new(move |session, event| {
            seen.observe(event);
            if let Some(traces) = &traces {
                traces.observe(session, event);
            }
        })),
    );
    let tools = wiring::all_tools(config)?;
    let of_models = Arc::clone(config);
    let parts = maker(config, store, connected, None);
    Ok(Services {
        store: Arc::clone(store),
        host,
        agents: Agents {
            usual: wiring::usual_agent(config)?,
            known: known(config)?,
            parts,
            model: answering(config),
        },
        restore_tool: tools.get(RESTORE).map(|_| RESTORE.to_owned()),
        tools,
        models: Arc::new(move || models(&of_models)),
        render: Arc::new(|artifact, how| Some(readable(artifact, how == Rendering::Markdown))),
        files: super::pages::files(),
        not_ready: Arc::new(unready),
        counters: Arc::new(counters),
        metrics,
        pages: Some(Arc::new(super::pages::pages(config, store)?)),
        mcp: None,
        admit: None,
        accounts: false,
        company: None,
        oidc: None,
        person: Person {
            user_id: config.user.clone(),
            name: config.user.clone().unwrap_or_else(|| "local".to_owned()),
        },
        clock: config.clock,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// An agent by its name, with the tools of its servers.
async fn assembled(
    config: &Config,
    connected: &Connected,
    store: Arc<dyn Store>,
    name: &str,
    overrides: &Overrides,
) -> anyhow::Result<tata_core::AgentParts> {
    let definition = wiring::definition(config, name)?;
    let foreign = {
        let mut connected = connected.lock().await;
        if let Some(foreign) = connected.get(name) {
            foreign.clone()
        } else {
            let foreign = servers::connect(config, &definition, None).await?;
            connected.insert(name.to_owned(), foreign.clone());
            foreign
        }
    };
    let assembled = wiring::assemble(config, &definition, None, overrides, &foreign, store)?;
    Ok(assembled.agent.parts().clone())
}

/// What a caller can do about an agent that cannot be had.
fn unavailable(error: &anyhow::Error) -> Unavailable {
    let message = format!("{error:#}");
    tracing::warn!(error = message, "an agent could not be put together");
    if error.is::<UnknownAgent>() || error.is::<UnknownModel>() {
        return Unavailable::Unknown(message);
    }
    match error.downcast_ref::<ModelError>() {
        Some(error) if error.kind == ModelErrorKind::NotConfigured => Unavailable::NotConfigured(
            [error.for_user(), error.detail.as_deref().unwrap_or_default()].join(" ").trim().to_owned(),
        ),
        Some(_) | None => {
            Unavailable::Failed("This agent cannot be put together; the log says why.".to_owned())
        }
    }
}

/// The model that an agent asks, found once: to choose one is to make what talks with it.
fn answering(config: &Arc<Config>) -> AnsweringModel {
    let config = Arc::clone(config);
    let found: std::sync::Mutex<HashMap<(String, Option<String>), String>> = std::sync::Mutex::default();
    Arc::new(move |agent: &str, wanted: Option<&str>| {
        let which = (agent.to_owned(), wanted.map(str::to_owned));
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = found.get(&which) {
            return Some(model.clone());
        }
        let model = wiring::answering_model(&config, agent, wanted).ok().flatten()?;
        if found.len() >= MOST_CALLERS {
            found.clear();
        }
        found.insert(which, model.clone());
        Some(model)
    })
}

/// The agents whose definitions can be used.
fn known(config: &Config) -> anyhow::Result<Vec<AgentInfo>> {
    let tools = wiring::all_tools(config)?;
    let names: Vec<&str> = tools.names().collect();
    let sources = agents::sources(config)?;
    let checked = sources.used.iter().filter_map(|(name, source)| {
        let definition = agents::check(source, name, config, &names).ok()?;
        Some(AgentInfo { name: name.clone(), description: definition.description.clone() })
    });
    Ok(checked.collect())
}

/// The models and whether each is set up, and the one that always is.
fn models(config: &Config) -> Vec<ModelInfo> {
    let rows = config.catalog().statuses(|name| config.is_set(name), config.model());
    let none_chosen = !rows.iter().any(|row| row.default);
    let guided = ModelInfo {
        name: GUIDED.to_owned(),
        provider: "this machine".to_owned(),
        configured: true,
        missing: Vec::new(),
        usual: none_chosen,
        context_window: None,
        max_output: None,
    };
    let listed = rows.into_iter().map(|row| ModelInfo {
        name: row.model.name,
        provider: row.model.provider,
        configured: row.configured,
        missing: row.missing,
        usual: row.default,
        context_window: row.model.context_window,
        max_output: row.model.max_output,
    });
    listed.chain([guided]).collect()
}

/// How calls and results found each other.
fn counters() -> Vec<Counter> {
    let counts = WireMetrics::of_process();
    #[expect(clippy::cast_precision_loss, reason = "the format has no other numbers")]
    let counter = |name, help, value: u64| Counter { name, help, value: value as f64 };
    vec![
        counter("tata_wire_requests_total", "Requests sent to providers.", counts.requests),
        counter("tata_wire_retries_total", "Repetitions among them.", counts.retries),
        counter(
            "tata_call_ids_extracted_total",
            "Calls with an id of the provider.",
            counts.call_ids_extracted,
        ),
        counter("tata_call_ids_failed_total", "Calls without a usable id.", counts.call_ids_failed),
        counter(
            "tata_call_id_fallbacks_total",
            "Calls for which another id stood in.",
            counts.call_id_fallbacks,
        ),
        counter("tata_results_correlated_total", "Results that answer a call.", counts.results_correlated),
        counter(
            "tata_results_uncorrelated_total",
            "Results whose call was not there.",
            counts.results_uncorrelated,
        ),
    ]
}

/// The first signal lets everything come to its end; the second does not wait.
async fn stop_on_signal(stop: CancellationToken) {
    signal().await;
    stop.cancel();
    signal().await;
    std::process::exit(Exit::Interrupted as i32);
}

/// Waits until somebody wants the program to end.
async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _no_signals = tokio::signal::ctrl_c().await;
}
