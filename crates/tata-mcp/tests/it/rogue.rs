//! One server and its ways, without an agent.

use std::{sync::Arc, time::Duration};

use tata_mcp::{Servers, State};

use crate::fixture::{Scene, options};

#[tokio::test]
async fn a_server_that_cannot_be_used_says_why_and_costs_only_its_own_tools() {
    let scene = Scene::new();
    let client = scene.client("dies-at-once");
    let error = client.connect().await.unwrap_err();
    assert_eq!(error.code(), "ended");
    assert_eq!(error.to_string(), "the server rogue ended; it last said: the licence has expired");
    assert!(matches!(client.status().state, State::Failed(_)));

    let missing = tata_mcp::McpClient::new(scene.command("/no/such/program", Vec::new()), options());
    let error = missing.connect().await.unwrap_err();
    assert_eq!(error.code(), "not_started");

    let mut other = scene.server("");
    other.name = "good".to_owned();
    let servers = Servers::new([scene.server("dies-at-once"), other], &options());
    let status = servers.connect().await;
    assert!(matches!(status[0].state, State::Failed(_)) && matches!(status[1].state, State::Ready));
    assert!(servers.tools().iter().all(|tool| tool.spec().name.starts_with("good__")));
    assert_eq!(servers.tools().len(), 13);
    servers.close().await;
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn a_server_that_does_not_greet_is_given_up() {
    let scene = Scene::new();
    let options = tata_mcp::ClientOptions { connect_time: Duration::from_millis(300), ..options() };
    let client = tata_mcp::McpClient::new(scene.server("says-nothing"), options);
    let error = client.connect().await.unwrap_err();
    assert_eq!(error.to_string(), "the server rogue did not answer its greeting within 0.3 seconds");
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn a_message_without_end_ends_the_connection() {
    let scene = Scene::new();
    let client = scene.client("never-ends-a-line");
    let error = client.connect().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server rogue does not answer as an MCP server would: it sent a message of more than 16 MiB"
    );
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn noise_before_the_greeting_is_no_obstacle() {
    let scene = Scene::new();
    let client = scene.client("babbles");
    client.connect().await.unwrap();
    assert_eq!(client.status().introduced.as_deref(), Some("rogue 1"));
    client.close().await;
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn tools_with_false_schemas_are_left_out_and_named() {
    let scene = Scene::new();
    let client = scene.client("lies");
    client.connect().await.unwrap();
    let status = client.status();
    let left_out: Vec<_> = status.left_out.iter().map(|one| (one.tool.as_str(), one.why.as_str())).collect();
    assert_eq!(left_out.len(), 4, "{left_out:?}");
    assert_eq!(left_out[0].0, "no-object");
    assert_eq!(left_out[1].0, "no-type");
    assert_eq!(left_out[2].0, "no-end");
    assert_eq!(left_out[3], ("echo", "the server has two tools of this name"));
    assert!(
        status.tools.iter().any(|name| name == "rogue__bare"),
        "what goes without saying may be left out"
    );
    let long = status.tools.last().unwrap();
    assert!(long.starts_with("rogue__it_s_a_n_me") && long.len() == 64, "{long}");
    client.close().await;
}

#[tokio::test]
async fn hints_of_a_server_decide_nothing() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    assert_eq!(client.hints("rogue__pay").unwrap().read_only, Some(true), "it claims so");
    for tool in client.tools() {
        assert!(tool.spec().needs_approval, "{}", tool.spec().name);
        assert_eq!(tool.spec().effect, tata_core::Effect::Outward);
    }
    client.close().await;
}

#[tokio::test]
async fn a_changed_list_is_followed_and_a_flood_of_changes_is_few_lists() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    let mut changes = client.changes();
    assert_eq!(client.tools().len(), 13);
    crate::turns::call(&client, "rogue__grow", "{}").await.unwrap();
    tokio::time::timeout(Duration::from_secs(10), changes.wait_for(|version| *version > 1))
        .await
        .unwrap()
        .unwrap();
    assert!(client.status().tools.iter().any(|name| name == "rogue__grown"));
    let flood = crate::turns::call(&client, "rogue__flood", r#"{"n": 3000, "text": "done"}"#).await.unwrap();
    assert_eq!(flood, "flood: done");
    client.close().await;
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn the_environment_is_an_allow_list() {
    let scene = Scene::new();
    let inherited = [("PATH", "/usr/bin:/bin"), ("OPENAI_API_KEY", "canary"), ("HOME", "/tmp")];
    let inherited = inherited.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let client =
        tata_mcp::McpClient::new(scene.server(""), tata_mcp::ClientOptions { inherited, ..options() });
    client.connect().await.unwrap();
    let mut names: Vec<String> = scene.lines("environment")[0].split(' ').map(str::to_owned).collect();
    names.sort();
    assert_eq!(names, ["HOME", "PATH"]);
    client.close().await;
}

#[tokio::test]
async fn many_callers_share_one_reconnection() {
    let scene = Scene::new();
    let client = Arc::new(scene.client(""));
    client.connect().await.unwrap();
    let pid = scene.lines("pids")[0].clone();
    std::process::Command::new("kill").args(["-KILL", &pid]).status().unwrap();
    let gone = async {
        while !matches!(client.status().state, State::Lost) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.unwrap();
    let calls = (0..8).map(|_| {
        let client = Arc::clone(&client);
        tokio::spawn(async move { crate::turns::call(&client, "rogue__echo", r#"{"text": "again"}"#).await })
    });
    for call in futures_util::future::join_all(calls).await {
        assert_eq!(call.unwrap().unwrap(), "echo: again");
    }
    assert_eq!(client.status().connects, 2, "one reconnection for all");
    assert_eq!(scene.lines("pids").len(), 2);
    assert_eq!(scene.calls().len(), 8, "every call ran once");
    client.close().await;
    scene.nothing_is_left().await;
}
