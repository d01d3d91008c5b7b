//! Connects the servers of a file, calls tools of theirs in the turn of an agent, and tells what came of it as JSON.

use std::sync::Arc;

use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{
    Agent, AgentParts, DirectCall, Entry, Input, ModelChoice, NewSession, Store, ToolCall, ToolRegistry,
};
use tata_mcp::{ClientOptions, INHERITED, ServerConfig, Servers, parse_servers};
use tata_store::MemoryStore;
use tokio_util::sync::CancellationToken;

/// `calls` is a list of `[name, arguments]`.
pub(crate) async fn attempt(file: &str, calls: &str) {
    let parsed = parse_servers(file, &std::fs::read_to_string(file).unwrap()).unwrap();
    let lookup = |name: &str| std::env::var(name).ok();
    let configs: Vec<ServerConfig> =
        parsed.servers.iter().map(|server| server.resolve(&lookup).unwrap()).collect();
    let inherited = INHERITED.iter().filter_map(|name| Some(((*name).to_owned(), lookup(name)?))).collect();
    let servers = Servers::new(configs, &ClientOptions { inherited, ..ClientOptions::default() });
    let status: Vec<Value> = servers
        .connect()
        .await
        .into_iter()
        .map(|one| {
            json!({
                "server": one.server, "state": format!("{:?}", one.state), "tools": one.tools,
                "protocol": one.protocol, "introduced": one.introduced, "left_out": one.left_out.len(),
            })
        })
        .collect();
    let calls: Vec<(String, Value)> = serde_json::from_str(calls).unwrap();
    let mut results = Vec::new();
    for (tool, arguments) in calls {
        results.push(call(&servers, &tool, &arguments).await);
    }
    servers.close().await;
    let text = format!("{:#}\n", json!({"status": status, "results": results}));
    tokio::io::AsyncWriteExt::write_all(&mut tokio::io::stdout(), text.as_bytes()).await.unwrap();
    tokio::io::AsyncWriteExt::flush(&mut tokio::io::stdout()).await.unwrap();
}

async fn call(servers: &Servers, tool: &str, arguments: &Value) -> Value {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let model = DirectCall::new(ToolCall::function("call_1", tool, arguments.to_string()), "Done.");
    let parts = AgentParts {
        tools: ToolRegistry::new(servers.tools()).unwrap(),
        approved: vec![tool.to_owned()],
        ..AgentParts::new("attempt", vec![ModelChoice::new(Arc::new(model))], Arc::clone(&store))
    };
    let session = store.create_session(NewSession::with("attempt", parts.clock.now())).await.unwrap().id;
    Agent::new(parts).turn(session, Input::say("Go."), CancellationToken::new()).collect::<Vec<_>>().await;
    let records = store.records(session, 0).await.unwrap();
    let found = records.into_iter().find_map(|record| match record.entry {
        Entry::ToolFinished { result, .. } => Some(result),
        _ => None,
    });
    let result = found.unwrap();
    json!({"tool": tool, "call_id": result.call_id, "text": result.joined_text(), "is_error": result.is_error})
}
