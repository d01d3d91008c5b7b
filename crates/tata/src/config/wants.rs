//! All that the files of the folder would decide, for the person who is asked to trust them.

use tata_core::{McpServer, from_yaml};
use tata_mcp::{Declared, parse_servers};

use super::{
    Config, Origin, Want,
    folder::{Folder, MCP},
};
use crate::agents;

/// An agent's file as far as it reaches out.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Reaching {
    model: Models,
    retrieval: Retrieval,
    mcp_servers: std::collections::BTreeMap<String, McpServer>,
}

/// One model, or several in order.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Models {
    One(String),
    Many(Vec<String>),
}

impl Default for Models {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Models {
    fn into_names(self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name],
            Self::Many(names) => names,
        }
    }
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Retrieval {
    qdrant_url: Option<String>,
}

impl Config {
    /// What the folder wants, the gravest first.
    pub(crate) fn wants(&self) -> Vec<Want> {
        let mut wants = self.wants_of_models();
        let database = &self.database;
        if database.origin == Origin::Folder {
            let place = database.value.place();
            let password = "PGPASSWORD";
            if matches!(database.value, super::Database::Postgres(_))
                && self.environment.of_person(password).is_some()
            {
                wants.push(Want::Variable { name: password.to_owned(), address: place.clone() });
            }
            wants.push(Want::Database { place });
        }
        wants.extend(self.wants_of_knowledge());
        let agent = self.agent();
        if agent.origin == Origin::Folder && !agents::is_own(&agent.value, self) {
            wants.push(Want::Agent { name: agent.value });
        }
        for (name, text) in self.folder.agents() {
            if agents::is_own(name, self) {
                wants.push(Want::Instead { name: name.to_owned() });
            }
            wants.extend(text.ok().map(|text| self.wants_of_agent(name, text)).unwrap_or_default());
        }
        let file = self.folder.mcp_file().and_then(Result::ok);
        let parsed = file.and_then(|text| parse_servers(MCP, text).ok()).unwrap_or_default();
        for tools in parsed.servers {
            wants.extend(self.variables_of(&tools));
            let (what, starts) = (tools.what(), tools.command.is_some());
            wants.push(Want::Tools { server: tools.name.clone(), what, starts });
        }
        let word = |name: &str| {
            let set = self.environment.get(name).filter(|set| set.origin == Origin::Folder);
            set.map(|set| set.value.to_owned())
        };
        wants.extend(word("TATA_USER").map(|name| Want::User { name }));
        wants.extend(word("TATA_NOW").map(|now| Want::Clock { now }));
        wants.extend(wants_of_files(&self.folder));
        wants
    }

    /// What an agent's definition wants that the person named by its path, as it was read.
    pub(crate) fn wants_of_file(&self, read: &Folder) -> Vec<Want> {
        let name =
            read.root().file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let text = read.text_at(read.root()).unwrap_or_default();
        let mut wants = self.wants_of_agent(&name, text);
        wants.extend(wants_of_files(read));
        wants
    }

    /// Where an agent's definition reaches.
    fn wants_of_agent(&self, name: &str, text: &str) -> Vec<Want> {
        let mut wants = Vec::new();
        let file: Reaching = from_yaml(name, text).unwrap_or_default();
        let server = |what: String, starts| Want::Server { name: name.to_owned(), what, starts };
        wants.extend(file.model.into_names().into_iter().map(|name| Want::Model { name }));
        if let Some(url) = file.retrieval.qdrant_url {
            let key = "QDRANT_API_KEY";
            if self.environment.of_person(key).is_some() {
                wants.push(Want::Variable { name: key.to_owned(), address: url.clone() });
            }
            wants.push(server(format!("the document store at {url}"), false));
        }
        for (tools, written) in file.mcp_servers {
            let tools = Declared::of_agent(&tools, &written);
            wants.extend(self.variables_of(&tools));
            let what = if written.command.is_some() { "the command" } else { "the tools at" };
            wants.push(server(format!("{what} {}", tools.what()), written.command.is_some()));
        }
        wants
    }

    /// The variables of the person that a server would get.
    fn variables_of(&self, server: &Declared) -> Vec<Want> {
        let names = server.variables().into_iter().filter(|name| self.environment.of_person(name).is_some());
        names.map(|name| Want::Variable { name, address: server.what() }).collect()
    }
}

/// The files themselves.
fn wants_of_files(folder: &Folder) -> Vec<Want> {
    let files = folder.files();
    files
        .map(|(name, problem)| Want::File { name: name.to_owned(), problem: problem.map(str::to_owned) })
        .collect()
}
