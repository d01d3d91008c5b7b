//! What the conformance suite wants of a client: the real client path, with a person who always says yes and a browser
//! that follows where it is sent.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{
    Agent, AgentParts, DirectCall, Input, ModelChoice, NewSession, Store, ToolCall, ToolRegistry,
};
use tata_mcp::{ClientOptions, Elicited, McpClient, Reach, ServerConfig, SignIn};
use tata_store::MemoryStore;
use tokio_util::sync::CancellationToken;

/// Where the browser comes back to; nobody listens there, the address itself is the answer.
const BACK: &str = "http://127.0.0.1:34567/callback";
/// The document about the client that the suite expects.
const ABOUT: &str = "https://conformance-test.local/client-metadata.json";

pub(crate) async fn run(url: String) {
    let context = std::env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_else(|_| "{}".to_owned());
    let context: Value = serde_json::from_str(&context).unwrap();
    let word = |name: &str| context[name].as_str().map(str::to_owned);
    let sign_in = SignIn {
        redirect_uri: BACK.to_owned(),
        visit: Some(Arc::new(|address| Box::pin(visit(address)))),
        vault: None,
        client_id: word("client_id"),
        client_secret: word("client_secret").map(Into::into),
        client_document: Some(ABOUT.to_owned()),
    };
    let options = ClientOptions {
        connect_time: Duration::from_secs(20),
        ask: Some(Arc::new(|_| Box::pin(async { Elicited::Given(serde_json::Map::new()) }))),
        sign_in: Some(sign_in),
        ..ClientOptions::default()
    };
    let reach = Reach::Address { url, headers: BTreeMap::new() };
    let client = McpClient::new(ServerConfig { name: "suite".to_owned(), reach }, options);
    if let Err(error) = client.connect().await {
        tokio::io::AsyncWriteExt::write_all(&mut tokio::io::stderr(), format!("{error}\n").as_bytes())
            .await
            .unwrap();
        std::process::exit(1);
    }
    for tool in client.tools() {
        let name = tool.spec().name.clone();
        let arguments = if name.ends_with("add_numbers") { json!({"a": 5, "b": 3}) } else { json!({}) };
        call(&client, &name, &arguments).await;
    }
    client.close().await;
}

/// Follows an address to where it sends the browser.
async fn visit(address: String) -> Result<String, String> {
    let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
    let answer = browser.map_err(|error| error.to_string())?.get(address).send().await;
    let answer = answer.map_err(|error| error.to_string())?;
    let to = answer.headers().get("location").and_then(|to| to.to_str().ok());
    to.map(str::to_owned).ok_or_else(|| format!("the sign-in page answered {}", answer.status()))
}

async fn call(client: &McpClient, tool: &str, arguments: &Value) {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let model = DirectCall::new(ToolCall::function("call_1", tool, arguments.to_string()), "Done.");
    let parts = AgentParts {
        tools: ToolRegistry::new(client.tools()).unwrap(),
        approved: vec![tool.to_owned()],
        ..AgentParts::new("suite", vec![ModelChoice::new(Arc::new(model))], Arc::clone(&store))
    };
    let session = store.create_session(NewSession::with("suite", parts.clock.now())).await.unwrap().id;
    Agent::new(parts).turn(session, Input::say("Go."), CancellationToken::new()).collect::<Vec<_>>().await;
}
