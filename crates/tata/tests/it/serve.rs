//! `tata serve` as an operator runs it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use crate::program::World;

struct Serving {
    child: Child,
    address: String,
    log: BufReader<std::process::ChildStderr>,
}

impl Serving {
    fn start(world: &World) -> Self {
        Self::with(world, &[])
    }

    fn with(world: &World, more: &[&str]) -> Self {
        let mut command = world.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(more);
        Self::started(command)
    }

    fn started(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended before it served");
        }
        let address = line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        Self { child, address, log }
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        self.ask_with(method, path, body, "")
    }

    /// The same with further lines of the head.
    fn ask_with(&self, method: &str, path: &str, body: Option<&Value>, more: &str) -> (u16, Value) {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             {more}Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        socket.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::String(body.to_owned())))
    }

    /// A request as a browser makes it: the status, the head and the body of the answer.
    fn raw(&self, method: &str, path: &str, head: &str, body: &str) -> (u16, String, String) {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let length = body.len();
        write!(
            socket,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{head}Content-Length: {length}\r\n\r\n{body}",
            self.address
        )
        .unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), head.to_owned(), body.to_owned())
    }

    /// Asks it to end, as an operator's program does, and waits for that.
    fn stop(mut self) -> (i32, Vec<Value>) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < Duration::from_secs(40), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        };
        let lines = self.log.lines().map(Result::unwrap);
        (status.code().unwrap_or(-1), lines.filter_map(|line| serde_json::from_str(&line).ok()).collect())
    }
}

/// With nothing configured: a conversation over HTTP, which the terminal then shows; counters; JSON lines; an end in order.
#[test]
fn with_nothing_configured_it_serves_and_ends_in_order() {
    let world = World::new();
    let serving = Serving::start(&world);
    assert_eq!(serving.ask("GET", "/readyz", None).0, 200);
    let (status, answer) = serving.ask("POST", "/api/chat", Some(&json!({"message": "Hello"})));
    assert_eq!(status, 200, "{answer}");
    assert!(!answer["content"].as_str().unwrap().is_empty(), "{answer}");
    let (_, models) = serving.ask("GET", "/api/v1/models", None);
    let models = models["models"].as_array().unwrap().clone();
    assert!(models.iter().any(|model| model["name"] == "guided" && model["configured"] == true));
    assert!(models.iter().any(|model| model["configured"] == false && model["missing"][0].is_string()));
    let (_, tools) = serving.ask("GET", "/api/v1/tools", None);
    assert!(tools["tools"].as_array().unwrap().len() >= 10);
    let (_, metrics) = serving.ask("GET", "/metrics", None);
    for name in
        ["tata_call_ids_extracted_total", "tata_call_ids_failed_total", "tata_results_uncorrelated_total"]
    {
        assert!(metrics.as_str().unwrap().contains(&format!("{name} 0")), "{metrics}");
    }
    assert_eq!(
        serving.ask("GET", "/openapi.json", None).1["openapi"].as_str().unwrap().get(..3),
        Some("3.1")
    );
    let (code, log) = serving.stop();
    assert_eq!(code, 0);
    let answered = log.iter().filter(|line| line["fields"]["message"] == "answered").collect::<Vec<_>>();
    assert!(answered.len() >= 6, "{log:?}");
    assert!(answered.iter().all(|line| line["span"]["request_id"].is_string()), "{answered:?}");
    let said = format!("{log:?}");
    assert!(!said.contains("Hello"), "what people say is not in the log");
    let id = answer["session_id"].as_str().unwrap();
    let shown = world.run(&["session", "show", id]);
    assert!(shown.out.contains("Hello"), "{shown:?}");
}

#[test]
fn it_does_not_open_itself_to_others_without_accounts() {
    let said = World::new().run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_ne!(said.code, 0);
    assert!(said.err.contains("no accounts") && said.err.contains("127.0.0.1"), "{said:?}");
}

/// B10, D8: with accounts, whoever has no key gets nothing, and what somebody has is theirs.
#[test]
fn a_server_for_many_knows_who_calls() {
    let world = World::new();
    let refused = world.run(&["serve", "--accounts", "--listen", "127.0.0.1:0"]);
    assert!(refused.code == 2 && refused.err.contains("tata account add"), "{}", refused.err);
    let weak = world.run_with_input(&["account", "add", "anna", "--role", "admin"], "short\n");
    assert!(weak.code == 2 && weak.err.contains("12 to 256 characters"), "{}", weak.err);
    for name in ["anna", "bo"] {
        let made = world.run_with_input(&["account", "add", name], "correct horse battery\n");
        assert_eq!(made.code, 0, "{}", made.err);
    }
    let listed = world.run(&["account", "list", "--json"]);
    assert!(listed.out.contains("\"anna\"") && !listed.out.contains("argon2"), "{}", listed.out);
    let key = |name: &str| {
        let made = world.run(&["account", "key", name]);
        assert!(made.out.starts_with("tata_"), "{}{}", made.out, made.err);
        format!("Authorization: Bearer {}\r\n", made.out.trim())
    };
    let (anna, bo) = (key("anna"), key("bo"));
    let serving = Serving::with(&world, &["--accounts"]);
    let (status, _) = serving.ask("GET", "/api/v1/sessions", None);
    assert_eq!(status, 401);
    let (status, session) = serving.ask_with("POST", "/api/v1/sessions", Some(&json!({})), &anna);
    assert_eq!(status, 201, "{session}");
    let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
    let (status, report) = serving.ask_with(
        "POST",
        &format!("{path}/turns"),
        Some(&json!({"message": "hello", "wait": true})),
        &anna,
    );
    assert_eq!(status, 200, "{report}");
    assert_eq!(serving.ask_with("GET", &path, None, &bo).0, 404);
    // A browser is shown the door, and gets in with a password.
    let html = "Accept: text/html\r\n";
    assert_eq!(serving.raw("GET", "/", html, "").0, 303);
    let (status, _, page) = serving.raw("GET", "/sign-in", &format!("{html}Accept-Language: de\r\n"), "");
    assert!(status == 200 && page.contains("Anmelden"), "{page}");
    let form = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n";
    let (status, _, page) = serving.raw("POST", "/sign-in", form, "name=bo&password=wrong+horse+battery");
    assert!(status == 401 && page.contains("not right"), "{status} {page}");
    let (status, head, _) = serving.raw("POST", "/sign-in", form, "name=bo&password=correct+horse+battery");
    assert_eq!(status, 303, "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = format!("{html}Cookie: {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(serving.raw("GET", "/", &cookie, "").0, 200);
    let hers = format!("/p/{}", session["session_id"].as_str().unwrap());
    // What everybody's answers rest on is changed by admins; what she deletes, nobody else takes back.
    let his = format!("{cookie}{form}");
    assert_eq!(serving.raw("POST", "/knowledge/remove", &his, "address=x").0, 403);
    let hers_by_key = format!("{html}{anna}{form}");
    assert_eq!(serving.raw("POST", &format!("{hers}/delete"), &hers_by_key, "").0, 303);
    assert_eq!(serving.raw("POST", &format!("{hers}/undelete"), &his, "").0, 404);
    assert_eq!(serving.raw("POST", &format!("{hers}/undelete"), &hers_by_key, "").0, 303);
    assert_eq!(serving.raw("GET", &hers, &cookie, "").0, 404);
    assert_eq!(serving.ask_with("GET", &path, None, &anna).0, 200);
    assert_eq!(serving.stop().0, 0);
}

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

/// B10, S1: what a company reads in is found by its own people, by whatever way they ask, and by nobody else's.
#[test]
fn companies_have_documents_of_their_own() {
    let world = World::new().file("leave.md", "# Parental leave\n\nParents get 28 weeks of paid leave.\n");
    let mut keys = Vec::new();
    for (name, company) in [("anna", "acme"), ("bo", "acme"), ("carl", "other"), ("dora", "main")] {
        let add = ["account", "add", name, "--tenant", company, "--role", "admin"];
        assert_eq!(world.run_with_input(&add, "correct horse battery\n").code, 0);
        let key = world.run(&["account", "key", name]);
        keys.push(format!("Authorization: Bearer {}\r\n", key.out.trim()));
    }
    assert_eq!(world.run(&["ingest", "leave.md"]).code, 0);
    let serving = Serving::with(&world, &["--accounts"]);
    let file = "# Pensions\n\nThe pension is 6 percent of the salary.\n";
    let bytes = format!("{}Content-Type: application/octet-stream\r\n", keys[0]);
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=pensions.md", &bytes, file).0, 202);
    let list = |key: &str| serving.ask_with("GET", "/api/v1/documents", None, key).1;
    let begun = Instant::now();
    while list(&keys[0])["documents"][0].is_null() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{}", list(&keys[0]));
        std::thread::sleep(Duration::from_millis(50));
    }
    let answer = |key: &str, question: &str| {
        let (status, session) =
            serving.ask_with("POST", "/api/v1/sessions", Some(&json!({"agent": "docs"})), key);
        assert_eq!(status, 201, "{session}");
        let path = format!("/api/v1/sessions/{}/turns", session["session_id"].as_str().unwrap());
        let (status, report) =
            serving.ask_with("POST", &path, Some(&json!({"message": question, "wait": true})), key);
        assert_eq!(status, 200, "{report}");
        report.to_string()
    };
    let search = |key: &str, words: &str| {
        let path = format!("/api/v1/documents/search?q={words}");
        serving.ask_with("GET", &path, None, key).1.to_string()
    };
    // Acme's own, a colleague's, another company's, and that of whoever reads in on this machine.
    for (at, pensions, leave) in [(0, true, false), (1, true, false), (2, false, false), (3, false, true)] {
        let key = &keys[at];
        assert_eq!(search(key, "pension+percent").contains("6 percent"), pensions, "{at}");
        assert_eq!(search(key, "paid+parental+leave").contains("28 weeks"), leave, "{at}");
        let said = answer(key, "How much is the pension?");
        assert_eq!(said.contains("pensions.md"), pensions, "{at}: {said}");
        assert_eq!(list(key)["documents"].as_array().unwrap().len(), usize::from(pensions || leave), "{at}");
        if !pensions {
            assert_eq!(list(key)["taking"], json!([]), "{at}: what is on its way is told to others");
        }
    }
    assert_eq!(serving.stop().0, 0);
    let found = world.run(&["search", "--company", "acme", "pension percent"]);
    assert!(found.out.contains("6 percent"), "{}{}", found.out, found.err);
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

/// B4 over HTTP: a file is taken in, found, cited by its address, and taken out again.
#[test]
fn documents_are_added_and_found_over_the_api() {
    let serving = Serving::start(&World::new());
    let bytes = "Content-Type: application/octet-stream\r\n";
    let text = "# Parental leave\n\nParents get 28 weeks of paid leave.\n";
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=leave.md", bytes, text).0, 202);
    let wrong = serving.raw("POST", "/api/v1/documents?name=leave.md", "Content-Type: text/plain\r\n", text);
    assert!(wrong.0 == 415 && wrong.2.contains("not_a_file"), "{wrong:?}");
    let begun = Instant::now();
    let address = loop {
        let (status, list) = serving.ask("GET", "/api/v1/documents", None);
        assert_eq!(status, 200, "{list}");
        assert_ne!(list["taking"][0]["status"], "failed", "{list}");
        if let Some(address) = list["documents"][0]["address"].as_str() {
            break address.to_owned();
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{list}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let (status, found) = serving.ask("GET", "/api/v1/documents/search?q=paid+parental+leave", None);
    assert!(status == 200 && found["passages"][0]["text"].as_str().unwrap().contains("28 weeks"), "{found}");
    assert_eq!(found["passages"][0]["address"], address.as_str());
    assert_eq!(serving.ask("GET", "/api/v1/documents/search?q=x", None).0, 422);
    let escaped: String = address.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}"));
    let path = format!("/api/v1/documents?address={escaped}");
    assert_eq!(serving.ask("DELETE", &path, None).0, 204);
    let (status, gone) = serving.ask("DELETE", &path, None);
    assert!(status == 404 && gone["code"] == "document_not_found", "{gone}");
    assert_eq!(serving.stop().0, 0);
}

/// Turns are traces for a collector: the turn, its requests and its tools under OpenTelemetry's names, without what was said.
#[tokio::test(flavor = "multi_thread")]
async fn turns_are_traced_without_what_was_said() {
    use tata_testkit::{Exchange, Upstream, script, script::Turn};
    let collector = Upstream::start(vec![Exchange::json(200, &json!({})); 8]).await;
    let call = Turn::default().call("c1", "set_project", &[r#"{"position_name":"Network Engineer"}"#]);
    let answers = [call, Turn::text(&["Secretly done."])].map(|turn| Exchange::sse(script::responses(&turn)));
    let upstream = Upstream::start(answers).await;
    let world = World::new()
        .set("OPENAI_API_KEY", "sk-x")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .set("TATA_MODEL", "gpt-6.1-sol")
        .set("OTEL_SERVICE_NAME", "recruiting")
        .set("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k1")
        .set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.origin());
    tokio::task::spawn_blocking(move || {
        let serving = Serving::start(&world);
        let said = json!({"message": "We look for a Network Engineer"});
        let (status, answer) = serving.ask("POST", "/api/chat", Some(&said));
        assert_eq!(status, 200, "{answer}");
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(serving.stop().0, 0);
    })
    .await
    .unwrap();
    let requests = collector.requests();
    assert!(!requests.is_empty());
    let sent = requests[0].json();
    let told = sent.to_string();
    assert!(told.contains("\"service.name\"") && told.contains("recruiting"), "{told}");
    let spans = sent["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["chat gpt-6.1-sol", "execute_tool set_project", "chat gpt-6.1-sol", "invoke_agent"],
        "{told}"
    );
    let root = spans.last().unwrap();
    assert_eq!(root["parentSpanId"], Value::Null);
    for span in spans {
        assert_eq!(span["traceId"], root["traceId"]);
        assert_eq!(span["traceId"].as_str().unwrap().len(), 32);
        let nanos = |name: &str| span[name].as_str().unwrap().parse::<u128>().unwrap();
        assert!(nanos("startTimeUnixNano") <= nanos("endTimeUnixNano"), "{span}");
    }
    assert_eq!(spans[0]["parentSpanId"], root["spanId"]);
    assert!(told.contains("gen_ai.usage.input_tokens") && told.contains("gen_ai.tool.call.id"), "{told}");
    assert!(
        !told.contains("look for") && !told.contains("Secretly") && !told.contains("position_name"),
        "{told}"
    );
}

/// A disk that is full: a turn ends with an error that says so, `/readyz` says so, nothing that was said is lost; once there
/// is room, the same process goes on.
#[test]
fn a_full_disk_stops_turns_and_not_the_server() {
    let world = World::new();
    let plain = world.command(&["serve", "--listen", "127.0.0.1:0"]);
    // The signal that comes with the limit would end any program; the limit itself is what a full disk is to a write.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
    command.current_dir(plain.get_current_dir().unwrap()).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let serving = Serving::started(command);
    let pid = serving.child.id().to_string();
    survives(&world, serving, |full| {
        let bytes = if full { "4096" } else { "unlimited" };
        let set = Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={bytes}:")]).status();
        // At the end there is nobody left to set free.
        assert!(set.unwrap().success() || !full, "prlimit of util-linux is needed");
    });
}

/// A data folder that can only be read: the same.
#[test]
fn a_read_only_folder_stops_turns_and_not_the_server() {
    let world = World::new();
    let probe = world.folder.join("probe");
    std::fs::write(&probe, "x").unwrap();
    // Files that cannot be changed by anybody, not even by who has them open: what a folder mounted for reading is to a write.
    let flag = |flag: &str, path: &std::path::Path| {
        let set = Command::new("chattr").args(["-R", flag]).arg(path).stderr(Stdio::null()).status();
        set.is_ok_and(|set| set.success())
    };
    if !flag("+i", &probe) {
        eprintln!(
            "SKIPPED: a folder cannot be made read-only here (chattr +i needs root and a file system that knows it)"
        );
        return;
    }
    assert!(flag("-i", &probe));
    let serving = Serving::start(&world);
    let home = world.folder.join("home");
    survives(&world, serving, |broken| assert!(flag(if broken { "+i" } else { "-i" }, &home)));
}

/// Whether a server goes on after a time in which nothing could be written.
fn survives(world: &World, serving: Serving, broken: impl Fn(bool)) {
    /// Mends what was broken, whatever becomes of the test: a folder that cannot be changed cannot be removed.
    struct Mend<F: Fn(bool)>(F);
    impl<F: Fn(bool)> Drop for Mend<F> {
        fn drop(&mut self) {
            (self.0)(false);
        }
    }
    let broken = Mend(broken);
    let (_, session) = serving.ask("POST", "/api/v1/sessions", Some(&json!({})));
    let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
    let say = |message: &str| {
        serving.ask("POST", &format!("{path}/turns"), Some(&json!({ "message": message, "wait": true })))
    };
    let (status, report) = say("Hello");
    assert_eq!(status, 200, "{report}");
    assert_eq!(serving.ask("GET", "/readyz", None).0, 200);

    (broken.0)(true);
    for _ in 0..3 {
        let (status, problem) = say("What can you do?");
        assert!(status >= 500, "{status} {problem}");
        assert!(problem["code"].is_string() && problem["detail"].is_string(), "{problem}");
        assert!(!problem.to_string().contains("panicked"), "{problem}");
    }
    let (status, unready) = serving.ask("GET", "/readyz", None);
    assert!(status == 503 && unready["code"] == "not_ready", "{status} {unready}");
    assert_eq!(serving.ask("GET", "/healthz", None).0, 200);
    // What was there can still be read.
    let (status, messages) = serving.ask("GET", &format!("{path}/messages"), None);
    assert!(status == 200 && messages.to_string().contains("Hello"), "{status} {messages}");

    (broken.0)(false);
    assert_eq!(serving.ask("GET", "/readyz", None).0, 200);
    let (status, report) = say("What can you do?");
    assert_eq!(status, 200, "{report}");
    let (_, messages) = serving.ask("GET", &format!("{path}/messages"), None);
    assert!(messages.to_string().contains("Hello"), "{messages}");
    let (code, _) = serving.stop();
    assert_eq!(code, 0);
    let checked = world.run(&["audit", "verify"]);
    assert_eq!(checked.code, 0, "{checked:?}");
}

/// Two processes over one Postgres: both serve the same projects, and when one is killed in mid-answer the other finishes it.
#[tokio::test(flavor = "multi_thread")]
async fn a_replica_finishes_what_a_killed_one_began() {
    use tata_testkit::{Exchange, Upstream, script, script::Turn, store::postgres_url};
    let Some(admin) = postgres_url() else { return };
    let name = format!("tata_replicas_{}", std::process::id());
    let made = Command::new("psql").args([&admin, "-qc", &format!("CREATE DATABASE {name}")]).status();
    assert!(made.unwrap().success());
    let (server, _) = admin.rsplit_once('/').unwrap();
    let story = "Once upon a time there was a network. ".repeat(20);
    let whole = script::responses(&Turn::text(&[&story]));
    let half = whole.len() / 3;
    // The first is never heard to its end; the second answers whoever asks again.
    let upstream = Upstream::start([
        Exchange::status(200)
            .header("content-type", "text/event-stream")
            .bytes(whole.get(..half).unwrap())
            .hang(),
        Exchange::sse(whole.clone()),
    ])
    .await;
    let world = World::new()
        .set("DATABASE_URL", &format!("{server}/{name}"))
        .set("OPENAI_API_KEY", "sk-x")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .set("TATA_MODEL", "gpt-6.1-sol");
    tokio::task::spawn_blocking(move || {
        let (mut here, there) = (Serving::start(&world), Serving::start(&world));
        let (_, session) = here.ask("POST", "/api/v1/sessions", Some(&json!({"agent": "tata"})));
        let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
        let (status, begun) =
            here.ask("POST", &format!("{path}/turns"), Some(&json!({"message": "A story"})));
        assert_eq!(status, 202, "{begun}");
        assert_eq!(there.ask("GET", &path, None).0, 200, "the other one knows it, too");
        std::thread::sleep(Duration::from_millis(500));
        here.child.kill().unwrap();
        here.child.wait().unwrap();
        let begun = Instant::now();
        let text = loop {
            let (_, report) = there.ask("GET", &format!("{path}/turns/1"), None);
            let text = report["content"].as_str().unwrap_or_default().to_owned();
            if report["outcome"] == "answered" || text == story {
                break text;
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "nobody took it over: {report}");
            std::thread::sleep(Duration::from_millis(500));
        };
        assert_eq!(text, story);
        assert_eq!(there.stop().0, 0);
    })
    .await
    .unwrap();
}
