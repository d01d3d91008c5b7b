//! What programs are told of an answer: exit codes, `--json`, `--jsonl`, and the notes beside the text.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::Value;
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::program::{Said, World};

fn hello() -> Turn {
    Turn::text(&["Hello", ", world"])
}

/// Runs the program beside a server that answers with these bodies, one after the other.
async fn against(bodies: Vec<String>, arguments: &'static [&'static str], input: &'static str) -> Said {
    let upstream = Upstream::start(bodies.into_iter().map(Exchange::sse)).await;
    let short =
        "model: ollama/x\nsystem_prompt: x\ntools: [set_project, create_job_ad]\nlimits: { rounds: 1 }\n";
    let world = World::new()
        .set("OLLAMA_BASE_URL", &upstream.base_url())
        .folder_file("home/agents/short.yaml", short)
        .folder_file("home/agents/long.yaml", &short.replace("rounds: 1", "rounds: 9"));
    let said = tokio::task::spawn_blocking(move || world.run_with_input(arguments, input)).await;
    drop(upstream);
    said.unwrap()
}

fn object(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap()
}

fn lines(said: &Said) -> Vec<Value> {
    said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn without_usage() -> String {
    let body = script::chat(&hello());
    let kept: Vec<&str> = body.split("\n\n").filter(|event| !event.contains("\"usage\"")).collect();
    kept.join("\n\n")
}

fn with_a_malformed_event() -> String {
    let body = script::chat(&hello());
    let (before, after) = body.split_once("data: {\"choices\":[{\"delta\":{\"content\":\", world\"").unwrap();
    format!(
        "{before}data: {{\"choices\": [\n\ndata: {{\"choices\":[{{\"delta\":{{\"content\":\", world\"{after}"
    )
}

const ASK: &[&str] = &["ask", "-m", "ollama/x", "hi"];
const ASK_JSON: &[&str] = &["ask", "-m", "ollama/x", "--json", "hi"];
const ASK_LINES: &[&str] = &["ask", "-m", "ollama/x", "--jsonl", "hi"];

#[tokio::test(flavor = "multi_thread")]
async fn exit_codes_tell_a_usable_answer_from_none() {
    let whole = script::chat(&hello());
    let cut = whole.replace("\"stop\"", "\"length\"");
    let filtered = whole.replace("\"stop\"", "\"content_filter\"");
    let empty = script::chat(&Turn::text(&[]));
    let refused = whole
        .replace("\"content\":\"Hello\"", "\"refusal\":\"No.\"")
        .replace("\"content\":\", world\"", "\"refusal\":\" Sorry.\"");
    for (what, body, code) in [
        ("whole", whole, 0),
        ("cut off", cut, 9),
        ("filtered", filtered, 9),
        ("empty", empty, 9),
        ("refused", refused, 9),
    ] {
        let said = against(vec![body.clone()], ASK, "").await;
        assert_eq!(said.code, code, "{what}: {said:?}");
        assert_eq!(said.err.is_empty(), code == 0, "{what} is said in words too: {said:?}");
        // A script that pipes lines into a chat is told as well.
        let said = against(vec![body], &["chat", "-m", "ollama/x"], "hi\n").await;
        assert_eq!(said.code, code, "{what} in a chat: {said:?}");
    }
    let call = script::chat(&Turn::text(&[]).call("c1", "set_project", &["{}"]));
    let limit = vec![call, script::chat(&Turn::text(&["As far as I came."]))];
    let said = against(limit, &["ask", "--agent", "short", "--json", "hi"], "").await;
    assert_eq!((said.code, object(&said)["outcome"].as_str()), (9, Some("limit")), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn json_keeps_exact_arguments_in_call_order() {
    let doubled = r#"{"language": "sv", "language": "da"}"#;
    let long = r#"{"amount": 12345678901234567890.125}"#;
    let plain = r#"{"language": "no"}"#;
    let calls = Turn::text(&[])
        .call("c1", "set_project", &[plain])
        .call("c2", "create_job_ad", &[long])
        .call("c3", "no_such_tool", &[doubled])
        .call("c4", "create_job_ad", &["{broken"]);
    let bodies = vec![script::chat(&calls), script::chat(&hello())];
    let said = against(bodies.clone(), &["ask", "--agent", "long", "--json", "hi"], "").await;
    let calls = object(&said)["tool_calls"].as_array().unwrap().clone();
    let seen: Vec<_> = calls
        .iter()
        .map(|call| (call["call_id"].as_str().unwrap(), call["arguments_text"].as_str().unwrap()))
        .collect();
    assert_eq!(seen, [("c1", plain), ("c2", long), ("c3", doubled), ("c4", "{broken")], "{said:?}");
    assert_eq!(calls[0]["arguments"]["language"], "no");
    assert!(
        calls[1..].iter().all(|call| call["arguments"].is_null()),
        "nothing is given that was changed: {said:?}"
    );
    let said = against(bodies, &["ask", "--agent", "long", "--jsonl", "hi"], "").await;
    let lines = lines(&said);
    let ended =
        lines.iter().find(|line| line["event"] == "tool_finished" && line["call_id"] == "c2").unwrap();
    assert_eq!(ended["arguments"], long);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hole_in_an_answer_is_told_in_text_json_and_lines() {
    let body = with_a_malformed_event();
    let said = against(vec![body.clone()], ASK, "").await;
    assert!(said.err.contains("the answer may have a hole"), "{said:?}");
    let said = against(vec![body.clone()], ASK_JSON, "").await;
    assert_eq!(object(&said)["warnings"][0]["code"], "malformed_event", "{said:?}");
    let said = against(vec![body], ASK_LINES, "").await;
    assert!(
        lines(&said).iter().any(|line| line["event"] == "warning" && line["code"] == "malformed_event"),
        "{said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_used_are_null_when_they_are_unknown() {
    let said = against(vec![without_usage()], ASK_JSON, "").await;
    let document = object(&said);
    assert_eq!((said.code, &document["tokens_used"], &document["usage"]), (0, &Value::Null, &Value::Null));
    let said = against(vec![without_usage()], ASK_LINES, "").await;
    let last = lines(&said).pop().unwrap();
    assert_eq!((&last["tokens_used"], &last["input_tokens"]), (&Value::Null, &Value::Null), "{said:?}");
    let said = against(vec![script::chat(&hello())], ASK_JSON, "").await;
    assert_eq!(object(&said)["tokens_used"], 27);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_errors_json_has_every_key_of_a_failed_turn() {
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let failed = against(Vec::new(), ASK_JSON, "").await;
    let failed_lines = against(Vec::new(), ASK_LINES, "").await;
    assert_eq!((failed.code, failed_lines.code), (6, 6));
    let broken = || World::new().file("tata.toml", "modle = 1\n");
    for (world, code) in [(broken(), 3), (World::new(), 3)] {
        let said = world.run(&["ask", "--json", "hi"]);
        let document = object(&said);
        assert_eq!((said.code, keys(&document)), (code, keys(&object(&failed))));
        assert!(document["error"]["message"].is_string() && document["content"].is_null(), "{document:#}");
        let said = world.run(&["ask", "--jsonl", "hi"]);
        let (last, wanted) = (lines(&said).pop().unwrap(), lines(&failed_lines).pop().unwrap());
        assert_eq!((said.code, keys(&last), &last["event"]), (code, keys(&wanted), &wanted["event"]));
        assert_eq!(keys(&last["failure"]), keys(&wanted["failure"]));
        assert!(last["error"].is_string() && last["tokens_used"].is_null(), "{last:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_ask_names_no_session_that_nobody_can_find() {
    let said = against(vec![script::chat(&hello())], ASK_LINES, "").await;
    assert!(lines(&said).iter().all(|line| line["session_id"].is_null()), "{said:?}");
    let said = against(vec![script::chat(&hello())], ASK_JSON, "").await;
    assert!(object(&said)["session_id"].is_null());
    let kept = against(vec![script::chat(&hello())], &["ask", "--agent", "long", "--jsonl", "hi"], "").await;
    assert!(lines(&kept).iter().all(|line| line["session_id"].is_string()), "{kept:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_shortened_is_told_beside_what_was_left_out() {
    let small = "models:\n  small: { provider: ollama, context_window: 2040 }\n";
    let agent = "model: small\nsystem_prompt: x\nmax_tokens: 300\ntools: [create_di_review]\n";
    let ad = "We want a young, energetic rockstar and a native speaker. He must be strong and aggressive. "
        .repeat(50);
    // Twice what was said, once from its second word on: together they do not fit.
    let call = Turn::text(&[]).call("c1", "read_material", &[r#"{"material": "m1"}"#]).call(
        "c2",
        "read_material",
        &[r#"{"material": "m1", "offset": 3}"#],
    );
    let bodies = || [script::chat(&call), script::chat(&hello())].map(Exchange::sse);
    let (silent, spoken) = (Upstream::start(bodies()).await, Upstream::start(bodies()).await);
    let world = |upstream: &Upstream| {
        World::new()
            .set("OLLAMA_BASE_URL", &upstream.base_url())
            .folder_file("home/models.yaml", small)
            .folder_file("home/agents/reviewer.yaml", agent)
    };
    let (first, second) = (world(&silent), world(&spoken));
    let (json, text) = tokio::task::spawn_blocking(move || {
        (
            first.run(&["ask", "--agent", "reviewer", "--json", &ad]),
            second.run(&["ask", "--agent", "reviewer", &ad]),
        )
    })
    .await
    .unwrap();
    let document = object(&json);
    assert_eq!(
        (document["shortened"].as_u64(), document["left_out"].as_u64()),
        (Some(2), Some(0)),
        "{document:#}"
    );
    assert!(text.err.contains("2 long texts are sent with the middle left out"), "{text:?}");
}

/// What a server said is told apart from what we say about it.
#[test]
fn provider_message_holds_the_providers_words_alone() {
    let said = World::new().run(&["ask", "--json", "hi"]);
    let error = &object(&said)["error"];
    assert_eq!((said.code, error["kind"].as_str()), (3, Some("not_configured")), "{said:?}");
    assert!(error["provider_message"].is_null(), "{error:#}");
    assert!(error["hints"].to_string().contains("OPENAI_API_KEY"), "{error:#}");
}

/// A server that keeps its connections open. Gives its address and how many connections were made.
fn keeping_server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    std::thread::spawn(move || {
        while let Ok((mut socket, _)) = listener.accept() {
            count.fetch_add(1, Ordering::SeqCst);
            std::thread::spawn(move || while answered(&mut socket).is_some() {});
        }
    });
    (address, made)
}

/// Reads a request and answers it; nothing when the client left.
fn answered(socket: &mut TcpStream) -> Option<()> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        socket.read_exact(&mut byte).ok()?;
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())?;
    socket.read_exact(&mut vec![0; length]).ok()?;
    let body = script::chat(&hello());
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length";
    socket.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes()).ok()
}

/// What a conversation is made of is made once: its connection outlives a turn (step 7).
#[test]
fn the_turns_of_a_chat_share_a_connection() {
    let (address, made) = keeping_server();
    let world = World::new().set("OLLAMA_BASE_URL", &address);
    let said = world.run_with_input(&["chat", "-m", "ollama/x"], "one\ntwo\nthree\n");
    assert_eq!((said.code, said.out.matches("Hello, world").count()), (0, 3), "{said:?}");
    assert_eq!(made.load(Ordering::SeqCst), 1);
}
