//! Servers and clients of MCP through the real binary: the coach on three wires (D7, C1.3, C2.1), the folder's file, what
//! is served to others.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::{
    program::{Said, World},
    pty,
};

/// The sample server of tata-mcp, built if it is not there yet: it is another crate's.
pub(crate) fn sample() -> PathBuf {
    let path = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples/sample");
    if !path.exists() {
        let cargo = option_env!("CARGO").unwrap_or("cargo");
        let built =
            Command::new(cargo).args(["build", "--quiet", "-p", "tata-mcp", "--examples"]).status().unwrap();
        assert!(built.success() && path.exists(), "{} cannot be built", path.display());
    }
    path
}

/// The built-in coach with its server: YAML alone.
fn coach() -> String {
    let server =
        format!("mcp_servers:\n  athlete:\n    command: {}\n    args: [athlete]\n", sample().display());
    format!("{}{server}", include_str!("../../agents/coach.yaml"))
}

fn world(upstream: &Upstream) -> World {
    World::new()
        .set("OPENAI_API_KEY", "k")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .set("ANTHROPIC_API_KEY", "k")
        .set("ANTHROPIC_BASE_URL", &upstream.base_url())
        .folder_file("home/agents/coach.yaml", &coach())
        .file("m.yaml", "models: { gpt-4o-chat: { provider: openai, id: gpt-4o, wire: chat } }\n")
}

async fn run(world: World, arguments: Vec<String>) -> (Said, World) {
    let work = move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        (world.run(&arguments), world)
    };
    tokio::task::spawn_blocking(work).await.unwrap()
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn two_calls() -> Turn {
    Turn::text(&[]).call("call_profile", "athlete__get-athlete-profile", &["{", "}"]).call(
        "call_runs",
        "athlete__get-activities",
        &["{\"da", "ys\":7}"],
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_runs_to_completion_on_three_wires() {
    type Wire = fn(&Turn) -> String;
    let wires: [(&str, Wire); 3] = [
        ("gpt-6.1-sol", script::responses),
        ("gpt-4o-chat", script::chat),
        ("claude-sonnet-5-5", script::messages),
    ];
    for (model, wire) in wires {
        let answer = Turn::text(&["Run easy", " tomorrow."]);
        let upstream =
            Upstream::start([Exchange::sse(wire(&two_calls())), Exchange::sse(wire(&answer))]).await;
        let approve = "--approve athlete__get-athlete-profile --approve athlete__get-activities";
        let ask = format!("ask --models-file m.yaml --agent coach -m {model} {approve} What next?");
        let (said, _world) = run(world(&upstream), words(&ask)).await;
        assert_eq!((said.code, said.out.trim_end()), (0, "Run easy tomorrow."), "{model}: {}", said.err);
        let requests = upstream.requests();
        assert_eq!(requests.len(), 2, "{model}");
        let offered = requests[0].json().to_string();
        assert!(offered.contains("athlete__get-athlete-profile"), "{model}: {offered}");
        let results = results(&requests[1].json());
        let of =
            |id: &str| results.iter().find(|(call, _)| call == id).map(|(_, text)| text.clone()).unwrap();
        assert_eq!(results.len(), 2, "{model}: {results:?}");
        assert!(of("call_profile").contains("Kim Lind"), "{model}: {results:?}");
        assert!(of("call_runs").contains("\"days\":7"), "{model}: {results:?}");
    }
}

/// The results in a request, by call id, on any of the wires.
fn results(request: &Value) -> Vec<(String, String)> {
    let items = request["input"].as_array().or(request["messages"].as_array()).unwrap();
    let blocks = items.iter().flat_map(|item| {
        let inner = item["content"].as_array().filter(|_| item.get("tool_call_id").is_none());
        inner.cloned().unwrap_or_else(|| vec![item.clone()])
    });
    blocks
        .filter_map(|block| {
            let id = [&block["call_id"], &block["tool_call_id"], &block["tool_use_id"]]
                .into_iter()
                .find_map(Value::as_str)?
                .to_owned();
            let is_result = block["type"] == "function_call_output"
                || block["role"] == "tool"
                || block["type"] == "tool_result";
            let text = block.get("output").or(block.get("content"))?;
            is_result.then(|| {
                (
                    id,
                    text.as_str().map_or_else(|| text[0]["text"].as_str().unwrap().to_owned(), str::to_owned),
                )
            })
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_yes_nothing_of_a_server_runs() {
    let upstream = Upstream::start([Exchange::sse(script::responses(&two_calls()))]).await;
    let (said, _world) = run(world(&upstream), words("ask --agent coach -m gpt-6.1-sol What next?")).await;
    assert_eq!(said.code, 8, "a person must decide: {}", said.err);
    assert_eq!(upstream.requests().len(), 1);
}

#[test]
fn a_folders_servers_are_started_only_when_it_is_trusted() {
    let server = json!({"command": sample(), "args": ["athlete"], "env": {"TOKEN": "${SECRET}"}});
    let file = json!({"mcpServers": {"athlete": server}});
    let world = World::new().set("SECRET", "canary").file(".mcp.json", &file.to_string());
    let said = world.run(&["mcp", "list"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.out.contains("athlete") && said.err.contains("you have not trusted this folder"),
        "{said:?}"
    );
    let said = world.run(&["mcp", "test"]);
    assert_eq!(said.code, 3, "{said:?}");
    let shown = world.run(&["trust", "--show"]);
    assert!(
        shown.err.contains("use the tools of athlete: ") && shown.err.contains("sample athlete"),
        "{shown:?}"
    );
    assert!(shown.err.contains("send SECRET to "), "{shown:?}");
    let (code, _) = pty::run(&world, &["trust"], "y\n");
    assert_eq!(code, 0);
    let said = world.run(&["mcp", "test", "--json"]);
    let document: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((said.code, &document["servers"][0]["ready"]), (0, &json!(true)), "{said:?}");
    assert!(!world.log().contains("canary"));
}

#[test]
fn servers_of_other_programs_are_shown_first_and_taken_over_when_wanted() {
    let file = json!({"servers": {"athlete": {"command": sample(), "args": ["athlete"]}}});
    let world = World::new().file("vscode.json", &file.to_string());
    let said = world.run(&["mcp", "import", "vscode.json"]);
    assert!(said.code == 0 && said.err.contains("nothing was started or written"), "{said:?}");
    assert_eq!(world.run(&["mcp", "import", "vscode.json", "--write"]).code, 0);
    let said = world.run(&["mcp", "test"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.contains("athlete__get-athlete-profile\n  athlete__get-activities"), "{said:?}");
    let again = world.run(&["mcp", "import", "vscode.json", "--write"]);
    assert!(again.err.contains("you have one of that name"), "{again:?}");
    let bad = world.file("bad.json", "{").run(&["mcp", "import", "bad.json"]);
    assert!(bad.code != 0 && bad.err.contains("bad.json is not JSON"), "{bad:?}");
}

/// What the person at the client brings.
const AD: &str = "We look for a young network engineer who is a digital native.";

#[test]
fn tools_documents_and_prompts_are_served() {
    let world = World::new();
    let mut command = world.command(&["mcp", "serve"]);
    let mut serving = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = serving.stdin.take().unwrap();
    let mut from = BufReader::new(serving.stdout.take().unwrap()).lines();
    let mut request = |id: u64, method: &str, params: Value| -> Value {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(to, "{message}").unwrap();
        loop {
            let line: Value = serde_json::from_str(&from.next().unwrap().unwrap()).unwrap();
            // What a model sent is no source: the person at the client is asked for the text, and gives it.
            if line["method"] == "elicitation/create" {
                assert!(line["params"]["message"].as_str().unwrap().contains("job_ad_text"), "{line}");
                let content = json!({"job_ad_text": AD});
                let answer = json!({"action": "accept", "content": content});
                writeln!(to, "{}", json!({"jsonrpc": "2.0", "id": line["id"], "result": answer})).unwrap();
            } else if line["id"] == id {
                return line["result"].clone();
            }
        }
    };
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}});
    assert_eq!(request(1, "initialize", hello)["serverInfo"]["name"], "tata");
    let tools = request(2, "tools/list", json!({}));
    let names: Vec<&str> =
        tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(
        names.contains(&"create_requirement_profile") && names.contains(&"create_calendar_invite"),
        "{names:?}"
    );
    let made = request(
        3,
        "tools/call",
        json!({"name": "create_di_review", "arguments": {"job_ad_text": "We look for a rockstar, nobody said."}}),
    );
    assert_eq!(made["isError"], false, "{made}");
    let resources = request(4, "resources/list", json!({}));
    let uri = resources["resources"][0]["uri"].as_str().unwrap();
    let read = request(5, "resources/read", json!({"uri": uri}));
    assert_eq!(read["contents"][0]["mimeType"], "text/markdown", "{read}");
    let prompts = request(6, "prompts/list", json!({}));
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 3);
    drop(to);
    assert!(serving.wait().unwrap().success(), "a client that leaves ends the service");
    assert!(Path::new(&world.folder).exists());
}
