//! `tata doctor`: what is set up, what is not, and what helps.

use std::{
    io::{IsTerminal, Write},
    time::Duration,
};

use serde::Serialize;
use serde_json::json;
use tata_core::{Clock, ModelError, ModelErrorKind, StoreError, Upkeep};
use tata_knowledge::RetrievalSettings;
use tata_llm::{Endpoint, ProviderSpec, Timeouts};
use tata_recruit::GUIDED;
use tata_store::{PostgresStore, SqliteStore};

use super::{audit, gateway};
use crate::{
    agents,
    config::{ChosenBy, Config, Database, Origin, Want, is_writable},
    exit::Exit,
    explain::explain,
    local_users,
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal},
    wire_counts, wiring,
};

/// The shape of the JSON; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// How long a server may take to be reached, and to answer.
const NEAR: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(5);

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Good,
    /// Works, but not as somebody may expect.
    Notice,
    /// Does not work.
    Bad,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
struct Finding {
    area: &'static str,
    name: String,
    state: State,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn good(&mut self, area: &'static str, name: impl Into<String>, detail: impl Into<String>) {
        self.add(area, name, State::Good, detail, None);
    }

    fn add(
        &mut self,
        area: &'static str,
        name: impl Into<String>,
        state: State,
        detail: impl Into<String>,
        remedy: Option<String>,
    ) {
        self.0.push(Finding { area, name: name.into(), state, detail: detail.into(), remedy });
    }
}

pub(crate) async fn run(
    as_json: bool,
    online: bool,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let mut findings = Findings::default();
    program(&mut findings);
    for setting in &config.settings {
        findings.good("configuration", setting.name, format!("{} ({})", setting.value, setting.origin));
    }
    for warning in &config.warnings {
        let remedy = "Remove it, or put a file in its place; everything else works.".to_owned();
        findings.add("this folder", "files", State::Notice, warning.clone(), Some(remedy));
    }
    this_folder(config, &mut findings);
    clock(config, &mut findings);
    folders(config, &mut findings);
    database(config, &mut findings).await;
    models(config, &mut findings);
    servers(config, online, &mut findings).await;
    agents(config, &mut findings);
    documents(config, online, &mut findings).await;
    wire(config, &mut findings);
    local_users(&mut findings);
    screen(terminal, &mut findings);
    tell(&findings.0, as_json, terminal)
}

/// What can be said when the configuration itself cannot be read.
pub(crate) fn without_configuration(
    problem: &anyhow::Error,
    as_json: bool,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let mut findings = Findings::default();
    program(&mut findings);
    let explained = explain(problem);
    let remedy = explained
        .hints
        .first()
        .cloned()
        .unwrap_or_else(|| "Correct the file or the variable it names.".to_owned());
    findings.add("configuration", "all", State::Bad, explained.what, Some(remedy));
    screen(terminal, &mut findings);
    tell(&findings.0, as_json, terminal)?;
    Ok(Exit::Configuration)
}

fn program(findings: &mut Findings) {
    let detail =
        format!("tata {} on {} {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    findings.good("program", "version", detail);
}

/// Whose word the files of the current folder are.
fn this_folder(config: &Config, findings: &mut Findings) {
    if config.folder.is_empty() {
        findings.good("this folder", "files", "nothing of Tata's is in it");
        return;
    }
    let wants = config.wants();
    let files: Vec<&str> = config.folder.files().map(|(name, _)| name).collect();
    findings.good("this folder", "files", files.join(", "));
    let grave = wants.iter().filter(|want| !matches!(want, Want::File { .. }));
    let grave: Vec<String> = grave.map(ToString::to_string).collect();
    match (config.trust.is_given(), grave.is_empty()) {
        (_, true) => findings.good("this folder", "trust", "its files decide nothing that would need it"),
        (true, false) => findings.good("this folder", "trust", format!("trusted to {}", grave.join(", to "))),
        (false, false) => findings.add(
            "this folder",
            "trust",
            State::Notice,
            format!("not trusted to {}", grave.join(", nor to ")),
            Some(
                "`tata trust` shows everything and lets you decide; --no-folder leaves its files alone."
                    .to_owned(),
            ),
        ),
    }
}

fn clock(config: &Config, findings: &mut Findings) {
    let now = config.clock.now();
    match config.clock {
        Clock::System => findings.good("clock", "now", now.to_string()),
        Clock::Fixed(_) => findings.add(
            "clock",
            "now",
            State::Notice,
            format!("stands still at {now} (TATA_NOW)"),
            Some("Unset TATA_NOW; it is for examples and tests.".to_owned()),
        ),
    }
}

fn folders(config: &Config, findings: &mut Findings) {
    let folders = [
        ("configuration", &config.own_dir),
        ("data", &config.data_dir),
        ("state and log", &config.state_dir),
    ];
    for (name, folder) in folders {
        let shown = folder.display();
        if is_writable(folder) {
            let made = if folder.exists() { "" } else { " (made when it is needed)" };
            findings.good("folders", name, format!("{shown}{made}"));
        } else {
            let remedy =
                format!("Give yourself the right to write {shown}, or set TATA_HOME to another folder.");
            findings.add("folders", name, State::Bad, format!("{shown} cannot be written"), Some(remedy));
        }
    }
}

async fn database(config: &Config, findings: &mut Findings) {
    let database = match config.database() {
        Ok(database) => database,
        Err(problem) => {
            findings.add("database", "place", State::Bad, problem.to_string(), problem.hint());
            return;
        }
    };
    if let Database::File(path) = database {
        if std::fs::symlink_metadata(path).is_err() {
            let detail = format!("{} (made with the first conversation)", path.display());
            findings.good("database", "place", detail);
            return;
        }
        let size = std::fs::metadata(path).map(|file| file.len()).unwrap_or_default();
        findings.good("database", "size", format!("{:.1} MB", bytes_as_mega(size)));
    }
    findings.good("database", "place", database.shown());
    if let Err(error) = look_at_database(database, findings).await {
        let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
        let remedy = match database {
            Database::File(path) => {
                format!("Move {} aside, or set TATA_HOME to another folder.", path.display())
            }
            Database::Postgres(_) => {
                "Check that the server runs and that DATABASE_URL names it; without it, a file is used."
                    .to_owned()
            }
        };
        let said = format!("{}{detail}", error.for_user());
        findings.add("database", "version", State::Bad, said, Some(remedy));
    }
}

/// Whether the database keeps companies apart by itself, besides what the program does.
async fn companies_apart(store: &PostgresStore, findings: &mut Findings) -> Result<(), StoreError> {
    if store.keeps_companies_apart().await? {
        findings.good("database", "companies", "row-level security keeps them apart".to_owned());
    } else {
        findings.add(
            "database",
            "companies",
            State::Notice,
            "row-level security does not bind this role: only the program keeps companies apart".to_owned(),
            Some(wiring::ROLE_WITHOUT_SUPERUSER.to_owned()),
        );
    }
    Ok(())
}

async fn look_at_database(database: &Database, findings: &mut Findings) -> Result<(), StoreError> {
    let (version, verified) = match database {
        Database::File(path) => {
            let store = SqliteStore::open(path).await?;
            if let Some(reason) = store.read_only() {
                let detail = format!("it can be read, but not written: {reason}");
                let remedy = "Make room on the disk, or give yourself the right to write; reading and exporting work \
                     meanwhile.";
                findings.add("database", "writing", State::Bad, detail, Some(remedy.to_owned()));
            }
            (store.version().await?, store.verify().await?)
        }
        Database::Postgres(url) => {
            let store = PostgresStore::connect(secrecy::ExposeSecret::expose_secret(url)).await?;
            companies_apart(&store, findings).await?;
            (store.version().await?, store.verify().await?)
        }
    };
    findings.good("database", "version", format!("{}, schema {}", version.engine, version.schema));
    if verified.damages.is_empty() {
        findings.good("database", "integrity", format!("whole: {}", audit::summary(&verified)));
    }
    for damage in verified.damages {
        let detail = format!("{damage}. Still works: {}", damage.still_works());
        findings.add("database", damage.kind.as_str(), State::Bad, detail, Some(damage.remedy()));
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn bytes_as_mega(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}

fn models(config: &Config, findings: &mut Findings) {
    let chosen = config.catalog().first_ready(|name| config.is_set(name), config.model());
    match (&chosen, config.model()) {
        (_, Some(GUIDED)) => findings.good("models", "in use", "guided: rules on this machine, no AI"),
        (Some(name), wish) => {
            let detail = match gateway::address(config).filter(|_| wish.is_none()) {
                Some(address) => format!("{name} if {address} has it, else the only model it has"),
                None => name.clone(),
            };
            findings.good("models", "in use", detail);
        }
        (None, Some(wish)) => {
            let remedy = "`tata models` lists the known ones; any other is PROVIDER/MODEL.".to_owned();
            findings.add("models", "in use", State::Bad, format!("there is no model {wish:?}"), Some(remedy));
        }
        (None, None) => findings.add(
            "models",
            "in use",
            State::Notice,
            "guided: rules on this machine, no AI (the recruiter's agent only)",
            Some("For an AI model set OPENAI_API_KEY or ANTHROPIC_API_KEY, or use a local server: --model ollama/qwen3:8b.".to_owned()),
        ),
    }
    let catalog = match config.catalog().overlays() {
        [] => "the built-in one".to_owned(),
        files => format!("{}, over the built-in one", files.join(", ")),
    };
    findings.good("models", "catalog", catalog);
    for provider in config.catalog().providers() {
        if let Some(name) = provider.key_env.as_deref()
            && let Some(shown) = config.masked(name)
        {
            findings.good("keys", name, shown);
        }
    }
}

/// Whether each provider that is set up answers. Those far away are asked only on request: looking must cost nothing and
/// tell nobody.
async fn servers(config: &Config, online: bool, findings: &mut Findings) {
    let in_use = config.choose(None).ok().map(|route| route.spec.provider);
    for provider in config.catalog().providers() {
        if !provider.missing(|name| config.is_set(name)).is_empty() {
            continue;
        }
        let address = config.shown_address(&provider).unwrap_or_default();
        let name = provider.name.clone();
        let place = format!("{} at {address}", provider.label);
        let endpoint = Endpoint { base_url: address, key: None, headers: Vec::new() };
        if !online && !endpoint.is_nearby() {
            findings.good("models", name, format!("{place}: set up; not contacted (--online does)"));
            continue;
        }
        let chosen = provider.base_url_env.as_deref().is_some_and(|name| config.is_set(name))
            || in_use.as_ref() == Some(&name);
        match listed(config, &provider).await {
            Ok(count) => findings.good("models", name, format!("{place}: answers, {count} models")),
            // A server that is there and has no list is there all the same.
            Err(error) if has_no_list(&error) => {
                findings.good("models", name, format!("{place}: answers, but does not list its models"));
            }
            Err(error) => {
                let explained = explain(&error);
                let remedy = match explained.hints.join(" ") {
                    _ if !chosen && !online => "Nothing to do unless you want to use it.".to_owned(),
                    hints if hints.is_empty() => "Try again in a while.".to_owned(),
                    hints => hints,
                };
                // Nobody asked for a server that Tata only knows by its usual address.
                let state = if chosen
                    || online && provider.key_env.as_deref().is_some_and(|key| config.is_set(key))
                {
                    State::Bad
                } else {
                    State::Notice
                };
                findings.add("models", name, state, format!("{place}: {}", explained.what), Some(remedy));
            }
        }
    }
}

async fn listed(config: &Config, provider: &ProviderSpec) -> anyhow::Result<usize> {
    let timeouts = Timeouts { connect: NEAR, first_byte: PATIENCE, ..config.timeouts };
    let route = config.choose(Some((&format!("{}/any", provider.name), ChosenBy::Nobody)))?;
    Ok(config.connect_with(&route, timeouts)?.list_models().await?.len())
}

fn has_no_list(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<ModelError>();
    error.is_some_and(|error| {
        matches!(error.kind, ModelErrorKind::UnreadableResponse | ModelErrorKind::ModelNotFound)
            && error.status.is_some()
    })
}

fn agents(config: &Config, findings: &mut Findings) {
    let sources = match agents::sources(config) {
        Ok(sources) => sources,
        Err(error) => {
            let remedy = "Make the folder readable, or remove it.".to_owned();
            findings.add("agents", "folders", State::Bad, format!("{error:#}"), Some(remedy));
            return;
        }
    };
    let tools = wiring::tool_names().unwrap_or_default();
    let names: Vec<&str> = tools.iter().map(String::as_str).collect();
    for name in sources.left_out {
        let detail = format!("./agents/{name}.yaml is not used: {name} is there already");
        let remedy = "If it is meant to stand in for it, `tata trust` this folder.".to_owned();
        findings.add("agents", name, State::Notice, detail, Some(remedy));
    }
    for name in sources.instead {
        let detail = format!("./agents/{name}.yaml stands in for the agent {name}");
        let remedy = "If that is not meant, rename the file.".to_owned();
        findings.add("agents", name, State::Notice, detail, Some(remedy));
    }
    for (name, source) in sources.used {
        let from = &source.from;
        match agents::check(&source, &name, config, &names) {
            Ok(agent) => {
                let servers: Vec<&str> = agent.mcp_servers.keys().map(String::as_str).collect();
                findings.good("agents", name.clone(), format!("{} tools, from {from}", agent.tools.len()));
                if !servers.is_empty() {
                    let detail = format!("{}; `tata mcp test --agent {name}` tries them", servers.join(", "));
                    findings.good("mcp servers", name, detail);
                }
            }
            Err(problem) => {
                let remedy = format!("Correct {from}; `tata agents check {from}` names every mistake.");
                findings.add("agents", name, State::Bad, problem.to_string(), Some(remedy));
            }
        }
    }
}

/// The documents that answers rest on.
async fn documents(config: &Config, online: bool, findings: &mut Findings) {
    if !findings.0.iter().any(|finding| finding.area == "mcp servers") {
        findings.good("mcp servers", "none", "no agent names one");
    }
    let area = "documents";
    let settings = RetrievalSettings::default();
    let place = settings.collection_name.clone();
    let server = config.qdrant(&settings, (Origin::Person, "tata doctor"));
    if !online && matches!(server, Ok(Some(_))) {
        findings.good(area, place, "on the Qdrant server that is set up; `tata doctor --online` tries it");
        return;
    }
    let counted = async {
        let knowledge = wiring::knowledge(config, settings, (Origin::Person, "tata doctor"), None)?;
        anyhow::Ok((knowledge.engine().manifest().await?, knowledge.engine().stats().await?))
    };
    match counted.await {
        Ok((None, _)) => findings.good(area, place, "none yet; `tata ingest FOLDER` brings them"),
        Ok((Some(manifest), stats)) => {
            let embedder = manifest.embedder.map_or("no embedder".to_owned(), |embedder| embedder.model);
            let detail = format!(
                "{} documents, {} chunks, {} vectors ({embedder})",
                stats.documents, stats.chunks, stats.vectors
            );
            findings.good(area, place, detail);
        }
        Err(error) => {
            let remedy = "Look at QDRANT_URL and TATA_EMBEDDER, or write the index anew: tata docs reindex."
                .to_owned();
            findings.add(area, place, State::Bad, format!("{error:#}"), Some(remedy));
        }
    }
}

/// How calls and results found each other, over all runs.
fn wire(config: &Config, findings: &mut Findings) {
    let area = "wire, all runs";
    let Some(counts) = wire_counts::total(&config.state_dir) else {
        findings.good(area, "requests", "none yet");
        return;
    };
    findings.good(area, "requests", format!("{}, {} of them repeated", counts.requests, counts.retries));
    let ids = format!(
        "{} calls with an id of the provider, {} without a usable one, {} where another stood in",
        counts.call_ids_extracted, counts.call_ids_failed, counts.call_id_fallbacks
    );
    findings.good(area, "call ids", ids);
    let results = format!(
        "{} answer a call, {} whose call was not there were not sent",
        counts.results_correlated, counts.results_uncorrelated
    );
    findings.good(area, "results", results);
}

/// Who of this machine can use a server.
fn local_users(findings: &mut Findings) {
    let (area, name) = ("server", "local users");
    if local_users::own_connections_only().is_some() {
        findings.good(area, name, local_users::KNOWN);
    } else {
        let remedy =
            "Use `tata serve --accounts` where other people have accounts on this machine.".to_owned();
        findings.add(area, name, State::Notice, local_users::UNKNOWN, Some(remedy));
    }
}

fn screen(terminal: &Terminal, findings: &mut Findings) {
    let (out, err, input) = (terminal.is_screen(), terminal.is_watched(), std::io::stdin().is_terminal());
    let detail = format!(
        "output is {}, messages go to {}, input is {}",
        if out { "a screen" } else { "a file or pipe" },
        if err { "a screen" } else { "a file or pipe" },
        if input { "a keyboard" } else { "a file or pipe" }
    );
    findings.good("terminal", "streams", detail);
    findings.good("terminal", "colour", if terminal.is_colored() { "yes" } else { "no" });
}

fn tell(findings: &[Finding], as_json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let bad = findings.iter().filter(|finding| finding.state == State::Bad).count();
    let exit = if bad == 0 { Exit::Done } else { Exit::Failed };
    let mut out = terminal.out();
    if as_json {
        let document = json!({ "version": VERSION, "ok": bad == 0, "findings": findings });
        writeln!(out, "{document:#}")?;
        return Ok(exit);
    }
    let mut area = "";
    for finding in findings {
        if finding.area != area {
            area = finding.area;
            writeln!(out, "{BOLD}{area}{BOLD:#}")?;
        }
        let mark = match finding.state {
            State::Good => format!("{GOOD}ok{GOOD:#}  "),
            State::Notice => format!("{NOTE}note{NOTE:#}"),
            State::Bad => format!("{BAD}bad{BAD:#} "),
        };
        writeln!(out, "  {mark}  {:<16}{}", &finding.name, &finding.detail)?;
        if let Some(remedy) = &finding.remedy {
            writeln!(out, "        {DIM}{:<16}{}{DIM:#}", "", remedy)?;
        }
    }
    let said = match bad {
        0 => format!("{GOOD}Everything works.{GOOD:#}"),
        1 => format!("{BAD}One thing does not work.{BAD:#} Its remedy stands beneath it."),
        bad => format!("{BAD}{bad} things do not work.{BAD:#} Each has its remedy beneath it."),
    };
    writeln!(out, "\n{said}")?;
    Ok(exit)
}
