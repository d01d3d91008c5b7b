//! Where servers of MCP need the person: a question while a tool runs, a sign-in (C1, D6).

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::{mcp::sample, program::World, pty::Chat};

/// A server of the sample program behind an address.
struct Sample(Child);

impl Sample {
    fn start(what: &str) -> (Self, String) {
        let mut child = Command::new(sample()).args([what, "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Self(child), line.trim().to_owned())
    }
}

impl Drop for Sample {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn agent(url: &str) -> String {
    format!("description: Helps.\nsystem_prompt: Help.\nmcp_servers:\n  suite:\n    url: {url}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_asks_is_answered_by_the_person() {
    let (_server, url) = Sample::start("conformance-server");
    let call = Turn::text(&[]).call("call_1", "suite__test_elicitation", &[r#"{"message":"Who is it?"}"#]);
    let answer = Turn::text(&["Thank you."]);
    let upstream =
        Upstream::start([Exchange::sse(script::responses(&call)), Exchange::sse(script::responses(&answer))])
            .await;
    let world = World::new()
        .set("OPENAI_API_KEY", "k")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .folder_file("home/agents/helper.yaml", &agent(&url));
    let (seen, world) = tokio::task::spawn_blocking(move || {
        let mut chat = Chat::open(&world, &["chat", "--agent", "helper", "-m", "gpt-6.1-sol"]);
        chat.press("hello\r", "May suite__test_elicitation run? [y]es, [n]o: ");
        let asked = chat.press("y\r", "Your answer goes to the server suite: ");
        assert!(asked.contains("suite asks: Who is it?"), "{asked}");
        assert!(asked.contains("email (User's email address)"), "{asked}");
        // Nothing typed is no answer to what must be answered.
        let again = chat.press_for_next("\r", "Your answer goes to the server suite: ");
        assert!(again.contains("email must be answered"), "{again}");
        let next = chat.press_for_next("anna@acme.example\r", "Your answer goes to the server suite: ");
        assert!(next.contains("username (User's response)"), "{next}");
        chat.press("Anna\r", "Thank you.");
        chat.press("/quit\r", "Kept.");
        (chat.seen().to_owned(), world)
    })
    .await
    .unwrap();
    let request = upstream.requests()[1].json().to_string();
    assert!(request.contains("action=accept") && request.contains("anna@acme.example"), "{request}\n{seen}");
    drop(world);
}

/// What came to the server that wants a sign-in.
type Visits = Arc<Mutex<Vec<String>>>;

/// A server that gives tools only to whoever signed in, and the pages where they do.
fn guarded() -> (String, Visits) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (visits, at) = (Visits::default(), base.clone());
    let seen = Arc::clone(&visits);
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            answer(socket, &at, &seen);
        }
    });
    (base, visits)
}

fn answer(mut socket: TcpStream, base: &str, visits: &Visits) {
    let mut reader = BufReader::new(socket.try_clone().unwrap());
    let (mut line, mut length, mut key) = (String::new(), 0, String::new());
    reader.read_line(&mut line).unwrap();
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).unwrap_or(0) <= 2 {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        match name.to_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "authorization" => value.trim().clone_into(&mut key),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let body = String::from_utf8(body).unwrap();
    let target = line.split(' ').nth(1).unwrap_or_default().to_owned();
    visits.lock().unwrap().push(format!("{} {target} {body}", line.split(' ').next().unwrap()));
    let ok = |value: Value| format!("200 OK\r\ncontent-type: application/json\r\n|{value}");
    let said = match target.split('?').next().unwrap_or_default() {
        "/.well-known/oauth-protected-resource" | "/.well-known/oauth-protected-resource/mcp" => {
            ok(json!({"resource": format!("{base}/mcp"), "authorization_servers": [base]}))
        }
        "/.well-known/oauth-authorization-server" => ok(json!({
            "issuer": base, "authorization_endpoint": format!("{base}/authorize"),
            "token_endpoint": format!("{base}/token"), "registration_endpoint": format!("{base}/register"),
            "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
        })),
        "/register" => ok(json!({"client_id": "us", "redirect_uris": ["http://127.0.0.1/callback"],
            "token_endpoint_auth_method": "none", "client_name": "Tata"})),
        "/token" => ok(json!({"access_token": "good", "token_type": "Bearer", "expires_in": 3600})),
        "/mcp" if key != "Bearer good" => {
            let about = format!("{base}/.well-known/oauth-protected-resource");
            format!("401 Unauthorized\r\nwww-authenticate: Bearer resource_metadata=\"{about}\"\r\n|")
        }
        "/mcp" => spoken(&serde_json::from_str(&body).unwrap_or_default()),
        _ => "404 Not Found\r\n|".to_owned(),
    };
    let (head, content) = said.split_once('|').unwrap();
    let whole =
        format!("HTTP/1.1 {head}content-length: {}\r\nconnection: close\r\n\r\n{content}", content.len());
    drop(socket.write_all(whole.as_bytes()));
}

/// What a server with one tool says.
fn spoken(request: &Value) -> String {
    let result = match request["method"].as_str().unwrap_or_default() {
        "initialize" => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "guarded", "version": "1"}}),
        "tools/list" => json!({"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}),
        _ => return "202 Accepted\r\n|".to_owned(),
    };
    let whole = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
    format!("200 OK\r\ncontent-type: application/json\r\n|{whole}")
}

/// What a browser does: it follows where it is sent, here at once back to us.
fn browse(address: &str) -> String {
    let value = |name: &str| {
        let (_, query) = address.split_once('?').unwrap();
        let pair = query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
        pair.unwrap_or_default().replace("%3A", ":").replace("%2F", "/")
    };
    let back = format!("{}?code=yes&state={}", value("redirect_uri"), value("state"));
    let rest = back.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut socket = TcpStream::connect(host).unwrap();
    write!(socket, "GET /{path} HTTP/1.1\r\nhost: {host}\r\n\r\n").unwrap();
    let mut page = String::new();
    socket.read_to_string(&mut page).unwrap();
    page
}

#[test]
fn a_person_signs_in_once_and_the_server_can_be_used() {
    let (base, visits) = guarded();
    let servers = json!({"mcpServers": {"guarded": {"type": "http", "url": format!("{base}/mcp")}}});
    let world = World::new().file("servers.json", &servers.to_string());
    assert_eq!(world.run(&["mcp", "import", "servers.json", "--write"]).code, 0);
    let before = world.run(&["mcp", "test", "guarded"]);
    assert!(before.code != 0 && before.err.contains("tata mcp sign-in"), "{}", before.err);
    assert!(
        !visits.lock().unwrap().iter().any(|visit| visit.contains("/register")),
        "nobody wanted to sign in"
    );
    let mut signing = world.command(&["mcp", "sign-in", "guarded"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(signing.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("/authorize?") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "no address was shown");
    }
    assert!(line.contains("code_challenge_method=S256"), "{line}");
    let page = browse(line.trim());
    assert!(page.contains("You are signed in"), "{page}");
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(signing.wait().unwrap().success() && rest.contains("signed in to guarded: 1 tools"), "{rest}");
    let after = world.run(&["mcp", "test", "guarded"]);
    assert!(after.code == 0 && after.out.contains("guarded__look"), "{}{}", after.out, after.err);
    let out = world.run(&["mcp", "sign-out", "guarded"]);
    assert!(out.code == 0 && out.err.contains("Forgotten."), "{}", out.err);
    assert_ne!(world.run(&["mcp", "test", "guarded"]).code, 0);
}

#[test]
fn there_is_nothing_to_sign_in_to_in_a_program() {
    let servers = json!({"mcpServers": {"local": {"command": "true"}}}).to_string();
    let world = World::new().file("servers.json", &servers);
    assert_eq!(world.run(&["mcp", "import", "servers.json", "--write"]).code, 0);
    let said = world.run(&["mcp", "sign-in", "local"]);
    assert!(said.code == 2 && said.err.contains("a program on this machine"), "{}", said.err);
    let said = world.run(&["mcp", "sign-in", "nobody"]);
    assert!(said.code == 2 && said.err.contains("there are local"), "{}", said.err);
}
