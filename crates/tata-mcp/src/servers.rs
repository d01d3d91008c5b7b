//! All servers of an agent.

use std::{collections::BTreeSet, sync::Arc};

use futures_util::future::join_all;
use tata_core::Tool;

use crate::{ClientOptions, McpClient, ServerConfig, Status};

/// All servers of an agent. One that cannot be used costs only its own tools, and says so in its status.
#[derive(Clone, Default)]
pub struct Servers(Arc<[McpClient]>);

impl Servers {
    /// Servers with these configurations; nothing is started yet.
    pub fn new(configs: impl IntoIterator<Item = ServerConfig>, options: &ClientOptions) -> Self {
        Self(configs.into_iter().map(|config| McpClient::new(config, options.clone())).collect())
    }

    /// Connects all of them at once and waits for each; what came of it is in the status.
    pub async fn connect(&self) -> Vec<Status> {
        join_all(self.0.iter().map(McpClient::connect)).await;
        self.status()
    }

    /// The servers.
    pub fn iter(&self) -> impl Iterator<Item = &McpClient> {
        self.0.iter()
    }

    /// The tools of all, by server and in the server's order. Names are one-to-one for the names of servers and tools, so
    /// two of one name can only be the same server written down twice: the first one counts.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let mut names = BTreeSet::new();
        let all = self.0.iter().flat_map(McpClient::tools);
        all.filter(|tool| names.insert(tool.spec().name.clone())).collect()
    }

    /// What there is to know of each.
    pub fn status(&self) -> Vec<Status> {
        self.0.iter().map(McpClient::status).collect()
    }

    /// A number that is another whenever a list of tools is: an agent made before is then out of date.
    pub fn version(&self) -> u64 {
        self.0.iter().map(|client| *client.changes().borrow()).sum()
    }

    /// Says goodbye to all. Servers that are programs have ended when this returns.
    pub async fn close(&self) {
        join_all(self.0.iter().map(McpClient::close)).await;
    }
}
