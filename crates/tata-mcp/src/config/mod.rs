//! Where servers are written down: the `mcpServers` of `.mcp.json`, the `servers` of VS Code, the YAML of an agent.
//!
//! What is written ([`Declared`]) and what is used ([`ServerConfig`]) are two types: a person decides about the first,
//! which shows the exact command and the names of variables, and only then are the values of variables put in.

mod file;
mod variables;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::PathBuf,
};

use secrecy::SecretString;
use tata_core::McpServer;

pub use file::{Parsed, parse_servers, servers_json};

/// A server as somebody wrote it down.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The kind of connection, where it is not clear from the rest.
    pub kind: Option<String>,
    /// The program.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// What is added to its environment.
    pub env: BTreeMap<String, String>,
    /// The folder it runs in.
    pub cwd: Option<String>,
    /// The address.
    pub url: Option<String>,
    /// Headers sent to it.
    pub headers: BTreeMap<String, String>,
}

/// A server as it is used: every variable has its value.
#[derive(Clone)]
pub struct ServerConfig {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
}

/// How a server is reached.
#[derive(Clone)]
pub enum Reach {
    /// A program of this machine, spoken to over its standard input and output.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// What is added to its environment.
        env: BTreeMap<String, SecretString>,
        /// The folder it runs in.
        cwd: Option<PathBuf>,
    },
    /// An address, spoken to by streamable HTTP.
    Address {
        /// The address.
        url: String,
        /// Headers sent to it.
        headers: BTreeMap<String, SecretString>,
    },
}

/// A server that is not written down rightly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Mend the file.
    #[error("{file} is not JSON: {problem}")]
    NotJson {
        /// The file.
        file: String,
        /// What is wrong, and where.
        problem: String,
    },
    /// Mend the field.
    #[error("{place}: {field} {problem}")]
    Field {
        /// The file or server.
        place: String,
        /// The field.
        field: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// Set the variable.
    #[error("the server {server} needs the environment variable {variable} (in {field}), which is not set")]
    Unset {
        /// The server.
        server: String,
        /// The field that names it.
        field: String,
        /// The variable.
        variable: String,
    },
}

impl Declared {
    /// A server of an agent's definition.
    pub fn of_agent(name: &str, server: &McpServer) -> Self {
        let McpServer { kind, command, args, env, url, headers } = server.clone();
        Self { name: name.to_owned(), kind, command, args, env, cwd: None, url, headers }
    }

    /// The exact command that would be started, or the address that would be asked, as written: for the person who is
    /// asked to trust it.
    pub fn what(&self) -> String {
        match (&self.command, &self.url) {
            (Some(command), _) => {
                let words = std::iter::once(command).chain(&self.args).map(|word| quoted(word));
                let line = words.collect::<Vec<_>>().join(" ");
                self.cwd.as_ref().map_or(line.clone(), |cwd| format!("{line} (in {cwd})"))
            }
            (None, Some(url)) => url.clone(),
            (None, None) => String::new(),
        }
    }

    /// The environment variables whose values it would get.
    pub fn variables(&self) -> BTreeSet<String> {
        self.fields().into_iter().flat_map(|(_, text)| variables::names(text)).collect()
    }

    /// Puts in the values of variables. `lookup` is the only way to the environment.
    pub fn resolve(&self, lookup: &dyn Fn(&str) -> Option<String>) -> Result<ServerConfig, ConfigError> {
        let expand = |field: &str, text: &str| {
            variables::expand(text, lookup).map_err(|problem| match problem {
                variables::Problem::Unset(variable) => {
                    ConfigError::Unset { server: self.name.clone(), field: field.to_owned(), variable }
                }
                variables::Problem::Malformed(problem) => self.wrong(field, &problem),
            })
        };
        let expand_all = |field: &str, map: &BTreeMap<String, String>| {
            map.iter()
                .map(|(name, text)| {
                    let value = expand(&format!("{field}.{name}"), text)?;
                    Ok((name.clone(), SecretString::from(value)))
                })
                .collect::<Result<BTreeMap<_, _>, ConfigError>>()
        };
        let reach = match self.kind()? {
            Kind::Program(command) => {
                let args = self.args.iter().enumerate();
                Reach::Program {
                    command: expand("command", command)?,
                    args: args
                        .map(|(at, text)| expand(&format!("args[{at}]"), text))
                        .collect::<Result<_, _>>()?,
                    env: expand_all("env", &self.env)?,
                    cwd: self.cwd.as_deref().map(|cwd| expand("cwd", cwd)).transpose()?.map(PathBuf::from),
                }
            }
            Kind::Address(url) => {
                let url = expand("url", url)?;
                let with_host = |scheme: &str| {
                    url.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
                };
                if !with_host("http://") && !with_host("https://") {
                    return Err(self.wrong("url", "must be an address that begins with http:// or https://"));
                }
                Reach::Address { url, headers: expand_all("headers", &self.headers)? }
            }
        };
        Ok(ServerConfig { name: self.name.clone(), reach })
    }

    fn kind(&self) -> Result<Kind<'_>, ConfigError> {
        let kind = self.kind.as_deref().map(str::to_ascii_lowercase);
        match (kind.as_deref(), &self.command, &self.url) {
            (None | Some("stdio"), Some(command), None) if !command.trim().is_empty() => {
                Ok(Kind::Program(command))
            }
            (None | Some("http" | "streamable-http" | "streamablehttp" | "streamable_http"), None, Some(url)) => {
                Ok(Kind::Address(url))
            }
            (Some("sse"), ..) => Err(self.wrong(
                "type",
                "is \"sse\", the HTTP transport of 2024, which is not spoken here; most servers also offer streamable \
                 HTTP: set type to \"http\" and url to that address",
            )),
            (_, Some(_), Some(_)) => Err(self.wrong("command", "and url exclude each other; keep one")),
            (_, None, None) => Err(self.wrong("command", "is missing; give a command to start, or a url")),
            (Some("stdio"), None, Some(_)) => Err(self.wrong("type", "is \"stdio\", which needs a command, not a url")),
            (_, Some(command), None) if command.trim().is_empty() => Err(self.wrong("command", "is empty")),
            (Some(kind), ..) => {
                Err(self.wrong("type", &format!("is {kind:?}; \"stdio\" needs a command, \"http\" needs a url")))
            }
            (None, ..) => Err(self.wrong("command", "is missing; give a command to start, or a url")),
        }
    }

    fn wrong(&self, field: &str, problem: &str) -> ConfigError {
        ConfigError::Field {
            place: format!("the server {}", self.name),
            field: field.to_owned(),
            problem: problem.to_owned(),
        }
    }

    fn fields(&self) -> Vec<(&str, &str)> {
        let mut fields: Vec<(&str, &str)> = Vec::new();
        fields.extend(self.command.as_deref().map(|text| ("command", text)));
        fields.extend(self.args.iter().map(|text| ("args", text.as_str())));
        fields.extend(self.env.values().map(|text| ("env", text.as_str())));
        fields.extend(self.cwd.as_deref().map(|text| ("cwd", text)));
        fields.extend(self.url.as_deref().map(|text| ("url", text)));
        fields.extend(self.headers.values().map(|text| ("headers", text.as_str())));
        fields
    }
}

enum Kind<'a> {
    Program(&'a str),
    Address(&'a str),
}

impl ServerConfig {
    /// The command or the address, without anything that could be a secret: arguments and queries may hold one.
    pub fn place(&self) -> String {
        match &self.reach {
            Reach::Program { command, .. } => command.clone(),
            Reach::Address { url, .. } => {
                let url = url.split(['?', '#']).next().unwrap_or_default();
                match url.split_once("://") {
                    Some((scheme, rest)) => {
                        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
                        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
                        format!("{scheme}://{host}/{path}")
                    }
                    None => url.to_owned(),
                }
            }
        }
    }
}

/// A word as a shell would need it, so that "a b" and "a", "b" look different to the person who reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,{}$".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

impl fmt::Debug for Declared {
    /// The values of environment and headers may be secrets: only their names are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (env, headers): (Vec<_>, Vec<_>) = (self.env.keys().collect(), self.headers.keys().collect());
        f.debug_struct("Declared")
            .field("name", &self.name)
            .field("what", &self.what())
            .field("env", &env)
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ServerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerConfig")
            .field("name", &self.name)
            .field("place", &self.place())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
