//! `tata mcp`: the servers whose tools agents use, and our tools for the clients of others.

use std::{fs, io::Write, path::Path, sync::Arc, time::Duration};

use anyhow::Context;
use serde_json::{Value, json};
use tata_core::{AgentParts, Input, NewSession, Store, ToolRegistry};
use tata_mcp::{
    About, AgentOffer, AgentOfferParts, Called, Declared, Loopback, McpClient, Prompt, PromptField, Reach,
    Servers, SignIn, State, Status, Vault, Visit, parse_servers, serve_stdio, servers_json,
};
use tata_recruit::{Kind, rendered};
use tokio_util::sync::CancellationToken;

use crate::{
    cli::McpAction,
    config::{Config, regular},
    error::UsageError,
    exit::Exit,
    on_one_line::on_one_line,
    servers::{self, ConfiguredServers, OWN_FILE, Written},
    terminal::{BOLD, DIM, GOOD, NOTE, Terminal},
    tokens::Tokens,
    wiring,
};

pub(crate) async fn run(action: McpAction, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    match action {
        McpAction::List { agent, json } => list(agent.as_deref(), json, config, terminal),
        McpAction::Test { servers, agent, json } => {
            test(&servers, agent.as_deref(), json, config, terminal).await
        }
        McpAction::Import { file, write } => import(&file, write, config, terminal),
        McpAction::SignIn { server, agent, client_id } => {
            sign_in(&server, agent.as_deref(), client_id, config, terminal).await
        }
        McpAction::SignOut { server, agent } => sign_out(&server, agent.as_deref(), config, terminal),
        McpAction::Serve => serve(config).await,
    }
}

fn found(agent: Option<&str>, config: &Config) -> anyhow::Result<ConfiguredServers> {
    let definition = agent.map(|name| wiring::definition(config, name)).transpose()?;
    servers::found(config, definition.as_ref())
}

fn list(agent: Option<&str>, json: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let ConfiguredServers { servers, notes } = found(agent, config)?;
    if json {
        let all: Vec<Value> = servers.iter().map(|written| describe(written, config)).collect();
        writeln!(terminal.out(), "{:#}", json!({"servers": all, "notes": notes}))?;
        return Ok(Exit::Done);
    }
    for written in &servers {
        let Written { server, from, .. } = written;
        let (name, what, from) = (on_one_line(&server.name), on_one_line(&server.what()), on_one_line(from));
        writeln!(terminal.out(), "{BOLD}{name}{BOLD:#}  {what}\n  {DIM}{from}{DIM:#}")?;
        if let Err(problem) = servers::resolve(config, written) {
            terminal.note(&format!("  {NOTE}not used:{NOTE:#} {problem:#}"));
        }
    }
    if servers.is_empty() {
        terminal.note("There are none. `tata mcp import FILE` takes them over from another program.");
    }
    tell(&notes, terminal);
    Ok(Exit::Done)
}

fn describe(written: &Written, config: &Config) -> Value {
    let Written { server, from, .. } = written;
    let problem = servers::resolve(config, written).err().map(|problem| format!("{problem:#}"));
    json!({
        "name": server.name, "what": server.what(), "from": from, "variables": server.variables(),
        "usable": problem.is_none(), "problem": problem,
    })
}

async fn test(
    names: &[String],
    agent: Option<&str>,
    json: bool,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let ConfiguredServers { servers, notes } = found(agent, config)?;
    for name in names {
        named(&servers, name)?;
    }
    let asked = servers.iter().filter(|written| names.is_empty() || names.contains(&written.server.name));
    let mut configs = Vec::new();
    for written in asked {
        configs.push(servers::resolve(config, written)?);
    }
    let servers = Servers::new(configs, &servers::options(config, None));
    let tried = tokio::select! {
        tried = servers.connect() => Some(tried),
        _ = tokio::signal::ctrl_c() => None,
    };
    servers.close().await;
    let Some(tried) = tried else { return Ok(Exit::Interrupted) };
    let ready = tried.iter().all(|status| matches!(status.state, State::Ready));
    if json {
        let all: Vec<Value> = tried.iter().map(tested).collect();
        writeln!(terminal.out(), "{:#}", json!({"servers": all, "notes": notes}))?;
    } else {
        tried.iter().try_for_each(|status| show(status, terminal))?;
        tell(&notes, terminal);
    }
    Ok(if ready { Exit::Done } else { Exit::Failed })
}

/// The server of this name.
fn named<'a>(servers: &'a [Written], name: &str) -> Result<&'a Written, UsageError> {
    servers.iter().find(|written| written.server.name == name).ok_or_else(|| {
        let known: Vec<&str> = servers.iter().map(|written| written.server.name.as_str()).collect();
        let hint = if known.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are {}", known.join(", "))
        };
        UsageError(format!("there is no server {name:?}; {hint}"))
    })
}

/// The variable with the secret that belongs to `--client-id`.
const CLIENT_SECRET: &str = "TATA_MCP_CLIENT_SECRET";

/// Has the person sign in: their browser comes back to an address of this machine.
async fn sign_in(
    name: &str,
    agent: Option<&str>,
    client_id: Option<String>,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let server = servers::resolve(config, named(&found(agent, config)?.servers, name)?)?;
    let Reach::Address { url, .. } = &server.reach else {
        return Err(UsageError(format!(
            "{name} is a program on this machine; there is nothing to sign in to"
        ))
        .into());
    };
    let (url, tokens) = (url.clone(), Arc::new(Tokens::of(config)));
    // An old token would be used instead of a new sign-in.
    tokens.save(&url, None).map_err(anyhow::Error::msg)?;
    let loopback = Arc::new(Loopback::open().await?);
    let mut options = servers::options(config, None);
    options.connect_time = SIGN_IN_TIME;
    options.sign_in = Some(SignIn {
        redirect_uri: loopback.address().to_owned(),
        visit: Some(visit(loopback, terminal)),
        vault: Some(tokens.clone()),
        client_id,
        client_secret: config.variable(CLIENT_SECRET).map(Into::into),
        client_document: None,
    });
    let client = McpClient::new(server, options);
    let connected = tokio::select! {
        connected = client.connect() => connected,
        _ = tokio::signal::ctrl_c() => return Ok(Exit::Interrupted),
    };
    client.close().await;
    connected.map_err(anyhow::Error::new)?;
    let signed_in = matches!(tokens.load(&url), Ok(Some(_)));
    terminal.note(&if signed_in {
        format!(
            "You are signed in to {name}: {} tools. `tata mcp sign-out {name}` forgets it.",
            client.tools().len()
        )
    } else {
        format!("{name} wants no sign-in: {} tools can be used as it stands.", client.tools().len())
    });
    Ok(Exit::Done)
}

/// The time a person has for a sign-in.
const SIGN_IN_TIME: Duration = Duration::from_mins(10);

fn visit(loopback: Arc<Loopback>, terminal: &Terminal) -> Visit {
    let terminal = terminal.clone();
    Arc::new(move |address| {
        let (loopback, terminal) = (Arc::clone(&loopback), terminal.clone());
        Box::pin(async move {
            terminal.note(&format!(
                "Open this address in your browser and sign in:\n\n  {address}\n\nWaiting; Ctrl-C stops."
            ));
            loopback.visited().await.map_err(|error| error.to_string())
        })
    })
}

fn sign_out(name: &str, agent: Option<&str>, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let server = servers::resolve(config, named(&found(agent, config)?.servers, name)?)?;
    let Reach::Address { url, .. } = &server.reach else {
        return Err(
            UsageError(format!("{name} is a program on this machine; there is nothing to forget")).into()
        );
    };
    let tokens = Tokens::of(config);
    let had = tokens.load(url).map_err(anyhow::Error::msg)?.is_some();
    tokens.save(url, None).map_err(anyhow::Error::msg)?;
    terminal.note(if had { "Forgotten." } else { "Nothing was kept for it." });
    Ok(Exit::Done)
}

fn tested(status: &Status) -> Value {
    let left_out: Vec<Value> =
        status.left_out.iter().map(|one| json!({"tool": one.tool, "why": one.why})).collect();
    let mut document = json!({
        "name": status.server, "place": status.place, "ready": matches!(status.state, State::Ready),
        "tools": status.tools, "left_out": left_out, "protocol": status.protocol, "introduced": status.introduced,
    });
    if let State::Failed(error) = &status.state {
        document["error"] = json!({"code": error.code(), "message": error.to_string(), "hint": error.hint()});
    }
    document
}

fn show(status: &Status, terminal: &Terminal) -> anyhow::Result<()> {
    let name = &status.server;
    if let State::Failed(error) = &status.state {
        terminal.note(&format!("{NOTE}{name}{NOTE:#}  {error}\n  {}", error.hint()));
        return Ok(());
    }
    let who = status.introduced.as_deref().unwrap_or("no name of its own");
    let protocol = status.protocol.as_deref().unwrap_or("unknown");
    writeln!(
        terminal.out(),
        "{GOOD}{name}{GOOD:#}  {who}, protocol {protocol}, {} tools",
        status.tools.len()
    )?;
    for tool in &status.tools {
        writeln!(terminal.out(), "  {tool}")?;
    }
    for one in &status.left_out {
        terminal.note(&format!("  {NOTE}left out:{NOTE:#} {}: {}", one.tool, one.why));
    }
    Ok(())
}

fn import(file: &Path, write: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let shown = file.display().to_string();
    let text = regular(file).map_err(|why| UsageError(format!("{shown} cannot be read: {why}")))?;
    let parsed = parse_servers(&shown, &text)?;
    tell(&parsed.notes, terminal);
    let path = config.own_dir.join(OWN_FILE);
    let mut all: Vec<Declared> = if path.is_file() {
        let own = regular(&path).map_err(anyhow::Error::msg).context("your own servers cannot be read")?;
        parse_servers(&path.display().to_string(), &own)?.servers
    } else {
        Vec::new()
    };
    let mut taken = 0;
    for server in parsed.servers {
        if all.iter().any(|known| known.name == server.name) {
            terminal.note(&format!("{NOTE}not taken:{NOTE:#} {}: you have one of that name.", server.name));
            continue;
        }
        let (name, what) = (on_one_line(&server.name), on_one_line(&server.what()));
        writeln!(terminal.out(), "{BOLD}{name}{BOLD:#}  {what}")?;
        taken += 1;
        all.push(server);
    }
    if taken == 0 {
        terminal.note("There is nothing to take over.");
    } else if write {
        fs::create_dir_all(&config.own_dir)?;
        crate::private::write(&path, &format!("{:#}\n", servers_json(&all)))?;
        terminal.note(&format!("Written to {}. `tata mcp test` tries them.", path.display()));
    } else {
        terminal.note(&format!(
            "With --write these are taken over into {}; nothing was started or written.",
            path.display()
        ));
    }
    Ok(Exit::Done)
}

/// Serves until the client leaves. Standard output belongs to the protocol alone.
async fn serve(config: &Config) -> anyhow::Result<Exit> {
    let store = wiring::open_store(config).await?;
    let offer = offer(config, &store, config.user.clone(), wiring::all_tools(config)?)?;
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stopped.cancel();
        }
    });
    let served = serve_stdio(Arc::new(offer), stop).await;
    wiring::leave(store.as_ref()).await;
    served?;
    Ok(Exit::Done)
}

/// What clients of the protocol are offered: our tools, documents and prompts.
pub(super) fn offer(
    config: &Config,
    store: &Arc<dyn Store>,
    user: Option<String>,
    tools: ToolRegistry,
) -> anyhow::Result<AgentOffer> {
    let agent = wiring::usual_agent(config)?;
    let clock = config.clock;
    let parts = AgentParts { tools, clock, ..AgentParts::new("MCP", Vec::new(), Arc::clone(store)) };
    Ok(AgentOffer::new(AgentOfferParts {
        about: About {
            name: "tata".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: INSTRUCTIONS.to_owned(),
        },
        agent: parts,
        session: Arc::new(move |_| NewSession {
            user_id: user.clone(),
            title: Some("From an MCP client".to_owned()),
            ..NewSession::with(agent.clone(), clock.now())
        }),
        input: Arc::new(input),
        show: Arc::new(|artifact| {
            let kind = Kind::find(artifact.name.kind.as_str())?;
            Some(rendered(kind, &artifact.json.to_value())?.markdown())
        }),
        prompts: prompts(),
    }))
}

/// What a call is in the journal. What a client's model wrote does not stand in it; what a person filled in does.
fn input(called: &Called) -> Input {
    let mut text = format!("Run {} for an MCP client.", called.tool);
    for (field, value) in &called.by_person {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.push_str(&format!("\n{field}: {value}"));
    }
    Input::say(text)
}

const INSTRUCTIONS: &str = "Tools of a recruiter's assistant. Begin with set_project and the requirement profile; most \
documents build on it. The tools own every rule: pass on what the person gave you complete and unchanged, invent nothing, \
and when a tool refuses, ask the person for what it names. Documents are resources of this session.";

fn prompts() -> Vec<(Prompt, String)> {
    let prompt = |name: &str, title: &str, field: &str, about: &str, text: &str| {
        let field =
            PromptField { name: field.to_owned(), description: Some(about.to_owned()), required: true };
        let prompt = Prompt {
            name: name.to_owned(),
            title: Some(title.to_owned()),
            description: Some(format!("{title} from what you paste.")),
            fields: vec![field],
        };
        (prompt, text.to_owned())
    };
    vec![
        prompt(
            "requirement_profile",
            "Requirement profile",
            "notes",
            "The notes of the start-up meeting.",
            "Make a requirement profile with create_requirement_profile. Pass on these notes complete and unchanged, and \
             ask me for what is missing:\n\n{notes}",
        ),
        prompt(
            "job_ad_review",
            "Review of a job ad",
            "ad",
            "The ad.",
            "Review this job ad with create_job_ad_review and show me the findings. Change nothing I have not \
             accepted:\n\n{ad}",
        ),
        prompt(
            "inclusion_review",
            "Review of an ad's inclusive language",
            "ad",
            "The ad.",
            "Review how inclusive this ad is with create_di_review and show me each finding with its reason:\n\n{ad}",
        ),
    ]
}

fn tell(notes: &[String], terminal: &Terminal) {
    for note in notes {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
    }
}
