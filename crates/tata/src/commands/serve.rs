//! `tata serve`: agents over HTTP, for programs and pages on this machine.

use std::{collections::HashMap, sync::Arc};

use tata_core::{ModelError, ModelErrorKind, Person, Spawn, Store, TurnHost};
use tata_llm::{Metrics as WireMetrics, UnknownModel};
use tata_mcp::{HttpOptions, HttpService};
use tata_recruit::GUIDED;
use tata_web::{
    AgentFuture, AgentInfo, Agents, Counter, Metrics, ModelInfo, Mounted, Rendering, Server, ServerOptions,
    Services, Unavailable,
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
    config::Config,
    exit::{Exit, UsageError},
    servers::{self, Foreign},
    terminal::{BOLD, DIM, Terminal},
    wiring::{self, Wishes},
};

/// The tool that makes an old version of a document the newest.
const RESTORE: &str = "restore_document";

pub(crate) async fn run(wish: Serve, config: Arc<Config>, terminal: &Terminal) -> anyhow::Result<Exit> {
    let store = wiring::open_store(&config).await?;
    let connected: Connected = Arc::default();
    let mut options = ServerOptions::local(wish.listen);
    options.hosts.extend(wish.hosts);
    let stop = CancellationToken::new();
    let mut services = services(&config, &store, wish.turns, &connected)?;
    services.accounts = wish.accounts;
    if !wish.accounts {
        services.mcp = Some(mcp(&config, &store, &options.hosts, &stop)?);
    } else if store.accounts(None).await?.is_empty() {
        let message = "there are no accounts yet, so nobody could sign in; `tata account add NAME --role admin` makes one";
        return Err(UsageError(message.to_owned()).into());
    }
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

/// Our tools for clients of the protocol, at `/mcp`. Pages of other origins do not reach it.
fn mcp(
    config: &Config,
    store: &Arc<dyn Store>,
    hosts: &[String],
    stop: &CancellationToken,
) -> anyhow::Result<Mounted> {
    let mut options = HttpOptions { stop: stop.clone(), ..HttpOptions::default() };
    options.hosts.extend(hosts.iter().cloned());
    let service = HttpService::new(Arc::new(offer(config, store)?), options);
    Ok(Arc::new(move |request| {
        let service = service.clone();
        Box::pin(async move { service.answer(request).await })
    }))
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
    let (of_models, of_agents) = (Arc::clone(config), Arc::clone(config));
    let (agent_store, connected) = (Arc::clone(store), Arc::clone(connected));
    let parts = move |name: String, model: Option<String>| -> AgentFuture {
        let (config, store) = (Arc::clone(&of_agents), Arc::clone(&agent_store));
        let connected = Arc::clone(&connected);
        Box::pin(async move {
            assembled(&config, &connected, store, &name, model).await.map_err(|error| unavailable(&error))
        })
    };
    Ok(Services {
        store: Arc::clone(store),
        host,
        agents: Agents { usual: wiring::usual_agent(config)?, known: known(config)?, parts: Arc::new(parts) },
        restore_tool: tools.get(RESTORE).map(|_| RESTORE.to_owned()),
        tools,
        models: Arc::new(move || models(&of_models)),
        render: Arc::new(|artifact, how| Some(readable(artifact, how == Rendering::Markdown))),
        files: super::pages::files(),
        not_ready: Arc::new(unready),
        counters: Arc::new(counters),
        metrics,
        pages: Some(Arc::new(super::pages::pages(config)?)),
        mcp: None,
        accounts: false,
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
    model: Option<String>,
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
    let wishes = Wishes { model, ..Wishes::default() };
    let assembled = wiring::assemble(config, &definition, None, &wishes, &foreign, store)?;
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
