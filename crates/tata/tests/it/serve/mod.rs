//! `tata serve` as an operator runs it.

mod accounts;
mod deletions;
mod disk;
mod document_changes;
mod documents;
mod local_users;
mod mcp;
mod models;
mod replicas;
mod traces;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use crate::program::World;

pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
    /// Takes the log as it comes: a pipe that nobody empties would stop the server.
    log: JoinHandle<Vec<String>>,
}

impl Serving {
    pub(crate) fn start(world: &World) -> Self {
        Self::with(world, &[])
    }

    pub(crate) fn with(world: &World, more: &[&str]) -> Self {
        let mut command = world.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(more);
        Self::started(command)
    }

    pub(crate) fn started(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended before it served");
        }
        let address = line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        let log = thread::spawn(move || log.lines().map_while(Result::ok).collect());
        Self { child, address, log }
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        self.ask_with(method, path, body, "")
    }

    /// The same with further lines of the head.
    pub(crate) fn ask_with(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        more: &str,
    ) -> (u16, Value) {
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
    pub(crate) fn raw(&self, method: &str, path: &str, head: &str, body: &str) -> (u16, String, String) {
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

    /// A line to it, for a test that says by itself what goes over it.
    pub(crate) fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        socket
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends it at once, as a loss of power does.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, as an operator's program does, and waits for that.
    pub(crate) fn stop(mut self) -> (i32, Vec<Value>) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < Duration::from_secs(40), "it does not end");
            thread::sleep(Duration::from_millis(20));
        };
        let lines = self.log.join().unwrap();
        let lines = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
        (status.code().unwrap_or(-1), lines)
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
    assert!(answered.iter().all(|line| line.get("spans").is_none()), "said twice: {answered:?}");
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
