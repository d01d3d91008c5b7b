//! Clients of the protocol at the same address.

use serde_json::{Value, json};

use super::Serving;
use crate::program::World;

/// The text of the first event of an answer, which is JSON.
fn event(stream: &str) -> Value {
    let mut events = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let first = events.find(|data| data.starts_with('{')).unwrap_or(stream);
    serde_json::from_str(first).unwrap()
}

/// B10, D6: a client of the protocol needs a key, and has what is its owner's alone: another's session is not there.
#[test]
fn mcp_clients_are_somebody_where_people_sign_in() {
    let world = World::new();
    let mut keys = Vec::new();
    for (name, company) in [("anna", "acme"), ("carl", "other")] {
        let add = ["account", "add", name, "--tenant", company];
        assert_eq!(world.run_with_input(&add, "correct horse battery\n").code, 0);
        let key = world.run(&["account", "key", name]);
        keys.push(format!("Authorization: Bearer {}\r\n", key.out.trim()));
    }
    let serving = Serving::with(&world, &["--accounts"]);
    let accept = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    let call = |head: &str, id: u32, method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        serving.raw("POST", "/mcp", &format!("{accept}{head}"), &body)
    };
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let (status, head, _) = call("", 1, "initialize", hello.clone());
    assert!(status == 401 && head.to_lowercase().contains("www-authenticate: bearer"), "{status} {head}");
    let begin = |key: &str| {
        let (status, head, _) = call(key, 1, "initialize", hello.clone());
        assert_eq!(status, 200, "{head}");
        let head = head.to_lowercase();
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
        let session = format!("{key}Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        assert_eq!(serving.raw("POST", "/mcp", &format!("{accept}{session}"), &ready).0, 202);
        (session, id)
    };
    let (anna, id) = begin(&keys[0]);
    let arguments = json!({"name": "set_project", "arguments": {"language": "en"}});
    let (status, _, body) = call(&anna, 2, "tools/call", arguments);
    assert_eq!(status, 200, "{body}");
    let told = event(&body);
    assert_ne!(told["result"]["isError"], true, "{told}");
    let of_carl = format!("{}Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-11-25\r\n", keys[1]);
    let (status, _, body) = call(&of_carl, 3, "tools/list", json!({}));
    assert_eq!(status, 404, "another's session answers: {body}");
    begin(&keys[1]);
    let sessions = |key: &str| serving.ask_with("GET", "/api/v1/sessions", None, key).1["sessions"].clone();
    assert_eq!(sessions(&keys[0]).as_array().unwrap().len(), 1, "{}", sessions(&keys[0]));
    assert_eq!(sessions(&keys[1]), json!([]));
    assert_eq!(serving.stop().0, 0);
}

/// D6: MCP clients reach the modules at the same address as everything else; pages of others do not.
#[test]
fn the_modules_are_served_to_mcp_clients() {
    let world = World::new();
    let serving = Serving::start(&world);
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let accept = "Accept: application/json, text/event-stream\r\n";
    let (status, answer) = serving.ask_with("POST", "/mcp", Some(&hello), accept);
    assert!(status == 200 && answer.to_string().contains("serverInfo"), "{status} {answer}");
    let foreign = format!("{accept}Origin: https://evil.example\r\n");
    assert_eq!(serving.ask_with("POST", "/mcp", Some(&hello), &foreign).0, 403);
    assert_eq!(serving.stop().0, 0);
}
