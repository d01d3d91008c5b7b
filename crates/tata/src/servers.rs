//! The MCP servers there are: those an agent's definition names, the person's own, those of the folder's `.mcp.json`.

use std::sync::Arc;

use anyhow::Context;
use tata_core::Tool;
use tata_mcp::{
    Asker, ClientOptions, Declared, INHERITED, ServerConfig, Servers, SignIn, State, Status, parse_servers,
};

use crate::{
    agents::Definition,
    config::{Authority, Config, MCP_FILE, Want, regular},
    tokens::Tokens,
};

/// The file in the person's configuration folder.
pub(crate) const OWN_FILE: &str = "mcp.json";

/// A server as it is written down, and by whom.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) server: Declared,
    /// Its file, for people.
    pub(crate) from: String,
    pub(crate) authority: Authority,
}

/// All that is written down, and what of it is not used.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConfiguredServers {
    pub(crate) servers: Vec<Written>,
    pub(crate) notes: Vec<String>,
}

/// The servers of a conversation, and what the person should know of them.
#[derive(Clone, Default)]
pub(crate) struct Foreign {
    servers: Servers,
    pub(crate) notes: Vec<String>,
}

impl Foreign {
    /// Their tools, as last listed.
    pub(crate) fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.servers.tools()
    }

    /// Ends them.
    pub(crate) async fn close(&self) {
        self.servers.close().await;
    }
}

/// Every server that is written down for an agent, or for any. Of two with one name, the agent's counts, then the person's.
pub(crate) fn found(config: &Config, agent: Option<&Definition>) -> anyhow::Result<ConfiguredServers> {
    let mut found = ConfiguredServers::default();
    if let Some(agent) = agent {
        for (name, server) in &agent.mcp_servers {
            let (server, from) = (Declared::of_agent(name, server), format!("the agent {}", agent.name));
            found.servers.push(Written { server, from, authority: agent.authority.clone() });
        }
    }
    let own = config.own_dir.join(OWN_FILE);
    if own.is_file() {
        let from = own.display().to_string();
        let text =
            regular(&own).map_err(anyhow::Error::msg).with_context(|| format!("{from} cannot be read"))?;
        found.add(&from, &text, &Authority::of_person())?;
    }
    // That it cannot be used was told when the configuration was read.
    if let Some(Ok(text)) = config.folder.mcp_file() {
        found.add(&format!("./{MCP_FILE}"), text, &Authority::of_folder(config.trust))?;
    }
    Ok(found)
}

impl ConfiguredServers {
    fn add(&mut self, from: &str, text: &str, authority: &Authority) -> anyhow::Result<()> {
        let parsed = match parse_servers(from, text) {
            Ok(parsed) => parsed,
            // A stranger's mistake must not keep the person from their work.
            Err(problem) if authority.is_folder() => {
                self.notes.push(format!("{problem}; its servers are not used."));
                return Ok(());
            }
            Err(problem) => return Err(problem.into()),
        };
        self.notes.extend(parsed.notes);
        for server in parsed.servers {
            if self.servers.iter().any(|known| known.server.name == server.name) {
                self.notes.push(format!(
                    "{} of {from} is not used: there is one of that name already.",
                    server.name
                ));
            } else {
                self.servers.push(Written { server, from: from.to_owned(), authority: authority.clone() });
            }
        }
        Ok(())
    }
}

/// A server with the values of its variables, if it may be used at all.
pub(crate) fn resolve(config: &Config, written: &Written) -> anyhow::Result<ServerConfig> {
    let Written { server, from, authority } = written;
    let (what, starts) = (server.what(), server.command.is_some());
    let want = Want::Tools { server: server.name.clone(), what, starts };
    authority.allow(from, want)?;
    Ok(server.resolve(&|name| config.variable(name))?)
}

/// Where a browser would come back to if somebody signed in; nobody does while servers are only used.
const NOWHERE: &str = "http://127.0.0.1/callback";

/// How servers are spoken to: with what was kept of sign-ins, and by `ask` with the person.
pub(crate) fn options(config: &Config, ask: Option<Asker>) -> ClientOptions {
    let inherited = INHERITED.iter().filter_map(|name| Some(((*name).to_owned(), config.variable(name)?)));
    ClientOptions {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        inherited: inherited.collect(),
        ask,
        sign_in: Some(SignIn {
            redirect_uri: NOWHERE.to_owned(),
            visit: None,
            vault: Some(Arc::new(Tokens::of(config))),
            client_id: None,
            client_secret: None,
            client_document: None,
        }),
        ..ClientOptions::default()
    }
}

/// Connects the servers of an agent. One that cannot be used is told of and costs only its own tools; one of a folder that
/// is not trusted is told of and left alone.
pub(crate) async fn connect(
    config: &Config,
    agent: &Definition,
    ask: Option<Asker>,
) -> anyhow::Result<Foreign> {
    let ConfiguredServers { servers, mut notes } = found(config, Some(agent))?;
    let mut configs = Vec::new();
    for written in &servers {
        match resolve(config, written) {
            Ok(resolved) => configs.push(resolved),
            Err(problem) if !written.authority.counts() => {
                tracing::info!(problem = format!("{problem:#}"), "a server is not used");
                notes.push(format!(
                    "The tools of {} ({}) are not used: this folder is not trusted (`tata trust`).",
                    written.server.name, written.from
                ));
            }
            Err(problem) => {
                notes.push(format!("The tools of {} are not used: {problem:#}.", written.server.name));
            }
        }
    }
    let servers = Servers::new(configs, &options(config, ask));
    for status in servers.connect().await {
        notes.extend(told(&status));
    }
    Ok(Foreign { servers, notes })
}

/// What the person should know of a server before a conversation.
fn told(status: &Status) -> Option<String> {
    match &status.state {
        State::Failed(error) => Some(format!("{error}. {} Its tools are missing.", error.hint())),
        State::Ready if !status.left_out.is_empty() => {
            let names: Vec<&str> = status.left_out.iter().map(|one| one.tool.as_str()).collect();
            Some(format!("Tools of {} that cannot be used: {}.", status.server, names.join(", ")))
        }
        State::Ready | State::Idle | State::Lost | State::Closed => None,
    }
}
