//! All that the files of the folder would decide, for the person who is asked to trust them.

use tata_core::{McpServer, from_yaml};

use super::{Config, Origin, Want};
use crate::agents;

/// An agent's file as far as it reaches out.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Reaching {
    retrieval: Retrieval,
    mcp_servers: std::collections::BTreeMap<String, McpServer>,
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
        let agent = self.agent();
        if agent.origin == Origin::Folder && !agents::is_own(&agent.value, self) {
            wants.push(Want::Agent { name: agent.value });
        }
        for (name, text) in self.folder.agents() {
            if agents::is_own(name, self) {
                wants.push(Want::Instead { name: name.to_owned() });
            }
            let file: Reaching = text.ok().and_then(|text| from_yaml(name, text).ok()).unwrap_or_default();
            let server = |what: String| Want::Server { name: name.to_owned(), what };
            wants.extend(file.retrieval.qdrant_url.map(|url| server(format!("the document store at {url}"))));
            wants.extend(file.mcp_servers.into_values().map(|tools| {
                server(match (tools.command, tools.url) {
                    (Some(command), _) => {
                        format!("the command {}", [vec![command], tools.args].concat().join(" "))
                    }
                    (None, url) => format!("the tools at {}", url.unwrap_or_default()),
                })
            }));
        }
        let word = |name: &str| {
            let set = self.environment.get(name).filter(|set| set.origin == Origin::Folder);
            set.map(|set| set.value.to_owned())
        };
        wants.extend(word("TATA_USER").map(|name| Want::User { name }));
        wants.extend(word("TATA_NOW").map(|now| Want::Clock { now }));
        wants.extend(self.folder.files().map(|(name, problem)| Want::File {
            name: name.to_owned(),
            problem: problem.map(str::to_owned),
        }));
        wants
    }
}
