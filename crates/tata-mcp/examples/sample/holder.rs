//! Holds a server that has a child, says so by the file `ready`, and waits to be killed.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use futures_util::StreamExt;
use tata_core::{
    Agent, AgentParts, DirectCall, Input, ModelChoice, NewSession, Store, ToolCall, ToolRegistry,
};
use tata_mcp::{ClientOptions, McpClient, Reach, ServerConfig};
use tata_store::MemoryStore;
use tokio_util::sync::CancellationToken;

pub(crate) async fn hold(command: String, args: Vec<String>) {
    let folder = PathBuf::from(&args[0]);
    let reach = Reach::Program { command, args, env: BTreeMap::new(), cwd: None };
    let inherited = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
    let options = ClientOptions { inherited, ..ClientOptions::default() };
    let client = McpClient::new(ServerConfig { name: "rogue".to_owned(), reach }, options);
    client.connect().await.unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let model = DirectCall::new(ToolCall::function("call_1", "rogue__breed", "{}"), "Done.");
    let parts = AgentParts {
        tools: ToolRegistry::new(client.tools()).unwrap(),
        approved: vec!["rogue__breed".to_owned()],
        ..AgentParts::new("holder", vec![ModelChoice::new(Arc::new(model))], Arc::clone(&store))
    };
    let session = store.create_session(NewSession::with("holder", parts.clock.now())).await.unwrap().id;
    let turn = Agent::new(parts).turn(session, Input::say("Go."), CancellationToken::new());
    turn.collect::<Vec<_>>().await;
    std::fs::write(folder.join("ready"), "").unwrap();
    tokio::time::sleep(Duration::from_secs(1_000)).await;
}
