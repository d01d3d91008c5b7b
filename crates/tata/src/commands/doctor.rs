//! `tata doctor`: what is set up, what is not, and what helps.

use std::io::{IsTerminal, Write};

use serde::Serialize;
use serde_json::json;
use tata_core::Clock;
use tata_recruit::GUIDED;
use tata_store::{PostgresStore, SqliteStore};

use crate::{
    agents,
    config::{Config, Database, is_writable},
    exit::Exit,
    explain::explain,
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal, harmless},
    wiring,
};

/// The shape of the JSON; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

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

pub(crate) async fn run(as_json: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut findings = Findings::default();
    program(&mut findings);
    for setting in &config.settings {
        findings.good("configuration", setting.name, format!("{} ({})", setting.value, setting.origin));
    }
    clock(config, &mut findings);
    folders(config, &mut findings);
    database(config, &mut findings).await;
    models(config, &mut findings);
    agents(config, &mut findings);
    later(&mut findings);
    screen(&mut findings);
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
    screen(&mut findings);
    tell(&findings.0, as_json, terminal)?;
    Ok(Exit::Configuration)
}

fn program(findings: &mut Findings) {
    let detail =
        format!("tata {} on {} {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    findings.good("program", "version", detail);
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
    let place = config.database.shown();
    let checked = match &config.database {
        Database::File(path) if !path.exists() => {
            let detail = format!("{} (made with the first conversation)", path.display());
            findings.good("database", "place", detail);
            return;
        }
        Database::File(path) => file_database(path, findings).await,
        Database::Postgres(url) => {
            match PostgresStore::connect(secrecy::ExposeSecret::expose_secret(url)).await {
                Ok(store) => store.version().await.map(|version| (version, None)),
                Err(error) => Err(error),
            }
        }
    };
    findings.good("database", "place", place);
    match checked {
        Ok((version, integrity)) => {
            findings.good("database", "version", format!("{}, schema {}", version.engine, version.schema));
            if let Some(integrity) = integrity {
                findings.0.push(integrity);
            }
        }
        Err(error) => {
            let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
            let remedy = match &config.database {
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
}

async fn file_database(
    path: &std::path::Path,
    findings: &mut Findings,
) -> Result<(tata_store::DatabaseVersion, Option<Finding>), tata_core::StoreError> {
    let store = SqliteStore::open(path).await?;
    let version = store.version().await?;
    let integrity = match store.check_integrity().await {
        Ok(()) => ("whole".to_owned(), State::Good, None),
        Err(error) => {
            let remedy = format!(
                "Copy {} before anything else, then `sqlite3 FILE .recover` into a new one.",
                path.display()
            );
            (error.detail().unwrap_or(error.for_user()).to_owned(), State::Bad, Some(remedy))
        }
    };
    let size = std::fs::metadata(path).map(|file| file.len()).unwrap_or_default();
    findings.good("database", "size", format!("{:.1} MB", bytes_as_mega(size)));
    let (detail, state, remedy) = integrity;
    Ok((version, Some(Finding { area: "database", name: "integrity".to_owned(), state, detail, remedy })))
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn bytes_as_mega(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}

fn models(config: &Config, findings: &mut Findings) {
    let chosen = config.catalog.first_ready(|name| config.is_set(name), config.model.as_deref());
    match (&chosen, config.model.as_deref()) {
        (_, Some(GUIDED)) => findings.good("models", "in use", "guided: rules on this machine, no AI"),
        (Some(name), _) => findings.good("models", "in use", name.clone()),
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
    for provider in config.catalog.providers() {
        let missing = provider.missing(|name| config.is_set(name));
        let key = provider.key_env.as_deref().and_then(|name| Some((name, config.masked(name)?)));
        if let Some((name, shown)) = key {
            findings.good("keys", name, shown);
        }
        if provider.key_env.is_some() && !missing.is_empty() && !provider.key_optional {
            continue;
        }
        let address = config.shown_address(&provider).unwrap_or_default();
        findings.good("models", provider.name.clone(), format!("{} at {address}", provider.label));
    }
}

fn agents(config: &Config, findings: &mut Findings) {
    let sources = match agents::sources(&config.agent_folders) {
        Ok(sources) => sources,
        Err(error) => {
            let remedy = "Make the folder readable, or remove it.".to_owned();
            findings.add("agents", "folders", State::Bad, format!("{error:#}"), Some(remedy));
            return;
        }
    };
    let tools =
        wiring::tools().map(|tools| tools.names().map(str::to_owned).collect::<Vec<_>>()).unwrap_or_default();
    let names: Vec<&str> = tools.iter().map(String::as_str).collect();
    for (name, (from, text)) in sources {
        match agents::check(&from, &name, &text, &config.catalog, &names) {
            Ok(agent) => {
                let servers: Vec<&str> = agent.mcp_servers.keys().map(String::as_str).collect();
                findings.good("agents", name.clone(), format!("{} tools, from {from}", agent.tools.len()));
                if !servers.is_empty() {
                    let detail =
                        format!("{} of the agent {name}: not connected by this version", servers.join(", "));
                    let remedy = "Nothing to do; tools of MCP servers come with a later version.".to_owned();
                    findings.add("mcp servers", name, State::Notice, detail, Some(remedy));
                }
            }
            Err(problem) => {
                let remedy = format!("Correct {from}; `tata agents check {from}` names every mistake.");
                findings.add("agents", name, State::Bad, problem.to_string(), Some(remedy));
            }
        }
    }
}

/// What this version does not have yet is said, not passed over.
fn later(findings: &mut Findings) {
    findings.good("vector index", "none", "this version does not search documents yet");
    if !findings.0.iter().any(|finding| finding.area == "mcp servers") {
        findings.good("mcp servers", "none", "no agent names one");
    }
}

fn screen(findings: &mut Findings) {
    let (out, err, input) =
        (std::io::stdout().is_terminal(), std::io::stderr().is_terminal(), std::io::stdin().is_terminal());
    let detail = format!(
        "output is {}, messages go to {}, input is {}",
        if out { "a screen" } else { "a file or pipe" },
        if err { "a screen" } else { "a file or pipe" },
        if input { "a keyboard" } else { "a file or pipe" }
    );
    findings.good("terminal", "streams", detail);
    let colour = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    findings.good("terminal", "colour", if colour { "yes" } else { "no" });
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
        writeln!(out, "  {mark}  {:<16}{}", harmless(&finding.name), harmless(&finding.detail))?;
        if let Some(remedy) = &finding.remedy {
            writeln!(out, "        {DIM}{:<16}{}{DIM:#}", "", harmless(remedy))?;
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
