//! An agent's tools on offer, spoken to in the raw protocol.

#[path = "../../examples/sample/agent.rs"]
mod agent;

use std::time::Duration;

use ::http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tata_mcp::{HttpOptions, HttpService, Principal, serve_pipes};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

/// A client that writes the protocol by hand. The person at it answers questions with `answer`.
struct Raw {
    to: WriteHalf<DuplexStream>,
    from: Lines<BufReader<ReadHalf<DuplexStream>>>,
    serving: JoinHandle<std::io::Result<()>>,
    answer: Value,
    asked: Vec<Value>,
    notes: Vec<Value>,
    next: u64,
}

impl Raw {
    async fn connect(answer: Option<Value>) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        let serving = tokio::spawn(serve_pipes(agent::offer(), input, output, CancellationToken::new()));
        let (from, to) = tokio::io::split(ours);
        let from = BufReader::new(from).lines();
        let can = if answer.is_some() { json!({"elicitation": {}}) } else { json!({}) };
        let answer = answer.unwrap_or_default();
        let mut raw = Self { to, from, serving, answer, asked: Vec::new(), notes: Vec::new(), next: 0 };
        let info = json!({"name": "raw", "version": "1"});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": can, "clientInfo": info});
        let greeted = raw.request("initialize", hello).await;
        assert_eq!(greeted["result"]["protocolVersion"], "2025-11-25");
        raw.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        raw
    }

    async fn send(&mut self, message: Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        loop {
            let line = tokio::time::timeout(Duration::from_secs(20), self.from.next_line()).await.unwrap();
            let message: Value = serde_json::from_str(&line.unwrap().unwrap()).unwrap();
            if message.get("method").is_none() {
                assert_eq!(message["id"], id);
                return message;
            }
            if message["method"] == "elicitation/create" {
                self.asked.push(message["params"].clone());
                self.send(json!({"jsonrpc": "2.0", "id": message["id"], "result": self.answer})).await;
            } else {
                self.notes.push(message);
            }
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p1"}});
        let answer = self.request("tools/call", params).await;
        let result = &answer["result"];
        (result["content"][0]["text"].as_str().unwrap().to_owned(), result["isError"] == true)
    }
}

#[tokio::test]
async fn documents_made_in_a_session_are_its_resources() {
    let mut raw = Raw::connect(None).await;
    let listed = raw.request("tools/list", json!({})).await;
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["write_note", "count_notes", "send_letter", "read_output"]);
    assert_eq!(raw.request("resources/list", json!({})).await["result"]["resources"], json!([]));
    let (text, failed) = raw.call("write_note", json!({"title": "On ships/1", "text": "They float."})).await;
    assert!(!failed && text.contains("They float."), "{text}");
    assert!(raw.notes.iter().any(|note| note["method"] == "notifications/progress"), "{:?}", raw.notes);
    assert_eq!(raw.call("count_notes", json!({})).await, (r#"{"notes":1}"#.to_owned(), false));
    let resources = raw.request("resources/list", json!({})).await;
    let uri = resources["result"]["resources"][0]["uri"].as_str().unwrap().to_owned();
    assert!(uri.starts_with("tata://") && uri.ends_with("/Note/On%20ships%2F1"), "{uri}");
    let read = raw.request("resources/read", json!({"uri": uri})).await;
    assert_eq!(read["result"]["contents"][0]["text"], "# On ships/1\n");
    assert_eq!(read["result"]["contents"][1]["mimeType"], "application/json");
    let foreign = uri.replacen("tata://", "tata://0", 1);
    assert_eq!(raw.request("resources/read", json!({"uri": foreign})).await["error"]["code"], -32002);
    let mut other = Raw::connect(None).await;
    assert!(
        other.request("resources/read", json!({"uri": uri})).await.get("error").is_some(),
        "another's document"
    );
    assert_eq!(other.call("count_notes", json!({})).await.0, r#"{"notes":0}"#);
}

#[tokio::test]
async fn what_is_missing_is_asked_of_a_person_where_the_client_can() {
    let answer = json!({"action": "accept", "content": {"title": "From a person"}});
    let mut raw = Raw::connect(Some(answer)).await;
    let (text, failed) = raw.call("write_note", json!({"title": "", "text": "x"})).await;
    assert!(!failed && text.contains("From a person"), "{text}");
    assert_eq!(raw.asked.len(), 1);
    assert_eq!(raw.asked[0]["requestedSchema"]["properties"]["title"]["type"], "string");

    let mut raw = Raw::connect(None).await;
    let (text, failed) = raw.call("write_note", json!({"text": "x"})).await;
    assert!(failed && text.contains("title"), "it says what is missing: {text}");

    let mut raw = Raw::connect(Some(json!({"action": "decline"}))).await;
    let (text, failed) = raw.call("write_note", json!({"title": " "})).await;
    assert!(failed && text.contains("is empty"), "{text}");
}

#[tokio::test]
async fn what_changes_the_world_needs_a_persons_yes() {
    let mut raw = Raw::connect(Some(json!({"action": "accept", "content": {"run": true}}))).await;
    assert_eq!(raw.call("send_letter", json!({"to": "Ada"})).await, ("Sent to Ada.".to_owned(), false));
    assert!(
        raw.asked[0]["message"].as_str().unwrap().contains(r#"send_letter {"to":"Ada"}"#),
        "{:?}",
        raw.asked
    );

    let mut raw = Raw::connect(Some(json!({"action": "accept", "content": {"run": false}}))).await;
    let (text, failed) = raw.call("send_letter", json!({"to": "Ada"})).await;
    assert!(failed && text.contains("not_approved"), "{text}");

    let mut raw = Raw::connect(None).await;
    let (text, failed) = raw.call("send_letter", json!({"to": "Ada"})).await;
    assert!(failed && text.starts_with("A person must decide about send_letter first."), "{text}");
    // A model's word in the arguments is no yes.
    let (text, failed) = raw.call("send_letter", json!({"to": "Ada", "approved": true})).await;
    assert!(failed, "{text}");
}

#[tokio::test]
async fn prompts_are_filled_in_and_bad_requests_named() {
    let mut raw = Raw::connect(None).await;
    let prompt = raw.request("prompts/get", json!({"name": "note", "arguments": {"topic": "ships"}})).await;
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Write a note about ships.");
    let missing = raw.request("prompts/get", json!({"name": "note"})).await;
    assert_eq!(missing["error"]["message"], "topic must be filled in");
    let unknown = raw.request("tools/call", json!({"name": "fly", "arguments": {}})).await;
    assert_eq!(unknown["error"]["message"], "there is no tool \"fly\"");
    let (text, failed) = raw.call("write_note", json!({"title": 5})).await;
    assert!(failed && text.contains("/title"), "{text}");
}

#[tokio::test]
async fn a_client_that_leaves_ends_the_service() {
    let raw = Raw::connect(None).await;
    let Raw { to, from, serving, .. } = raw;
    drop((to, from));
    tokio::time::timeout(Duration::from_secs(10), serving).await.unwrap().unwrap().unwrap();
}

fn post(body: &Value, headers: &[(&str, &str)]) -> Request<Full<bytes::Bytes>> {
    let mut request = Request::post("/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "localhost:80");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Full::new(body.to_string().into())).unwrap()
}

fn hello() -> Value {
    let info = json!({"name": "raw", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

#[tokio::test]
async fn strange_hosts_and_pages_are_turned_away() {
    let service = HttpService::new(agent::offer(), HttpOptions::default());
    let cases: [(&[(&str, &str)], bool); 7] = [
        (&[], true),
        (&[("origin", "http://localhost:3000")], true),
        (&[("origin", "http://127.0.0.1:9")], true),
        (&[("origin", "https://evil.example")], false),
        (&[("origin", "null")], false),
        (&[("host", "evil.example")], false),
        (&[("origin", "http://localhost.evil.example")], false),
    ];
    for (headers, welcome) in cases {
        let status = service.answer(post(&hello(), headers)).await.status();
        assert_eq!(status == StatusCode::OK, welcome, "{headers:?}: {status}");
        assert!(status.is_success() || status == StatusCode::FORBIDDEN, "{headers:?}: {status}");
    }
}

#[tokio::test]
async fn a_session_belongs_to_whoever_began_it() {
    let service = HttpService::new(agent::offer(), HttpOptions::default());
    let as_person = |mut request: Request<Full<bytes::Bytes>>, name: &str| {
        request.extensions_mut().insert(Principal(name.to_owned()));
        request
    };
    let begun = service.answer(as_person(post(&hello(), &[]), "ada")).await;
    let session = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    drop(begun.into_body());
    let headers: &[(&str, &str)] = &[("mcp-session-id", &session), ("mcp-protocol-version", "2025-11-25")];
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    service.answer(as_person(post(&ready, headers), "ada")).await;
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "resources/list", "params": {}});
    for (name, allowed) in [("ada", true), ("eve", false), ("ada", true)] {
        let answer = service.answer(as_person(post(&list, headers), name)).await;
        let mut body = answer.into_body();
        let mut text = String::new();
        while !text.contains("\"id\":2") {
            let frame = tokio::time::timeout(Duration::from_secs(10), body.frame()).await.unwrap();
            let data = frame.unwrap().unwrap().into_data().unwrap();
            text.push_str(&String::from_utf8_lossy(&data));
        }
        assert_eq!(text.contains("belongs to somebody else"), !allowed, "{name}: {text}");
    }
}

/// Clients that never say goodbye took 50 KB each, without a limit.
#[tokio::test]
async fn the_oldest_session_makes_way_for_a_new_one() {
    let options = HttpOptions { sessions: 3, ..HttpOptions::default() };
    let service = HttpService::new(agent::offer(), options);
    let mut sessions = Vec::new();
    for _ in 0..10 {
        let begun = service.answer(post(&hello(), &[])).await;
        assert_eq!(begun.status(), StatusCode::OK);
        sessions.push(begun.headers()["mcp-session-id"].to_str().unwrap().to_owned());
    }
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut alive = Vec::new();
    for session in &sessions {
        let headers: &[(&str, &str)] = &[("mcp-session-id", session), ("mcp-protocol-version", "2025-11-25")];
        alive.push(service.answer(post(&ready, headers)).await.status().is_success());
    }
    let expected: Vec<bool> = (0..10).map(|number| number >= 7).collect();
    assert_eq!(alive, expected);
}
