//! Real traffic, recorded once with its secrets scrubbed, played back for ever.
//!
//! Recording is a proxy: point a model's base URL at [`Recorder::base_url`] and run; [`Recorder::finish`] gives
//! the cassette. Only headers on a short list are kept, and known secrets are cut out of every text.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::upstream::{Captured, Exchange, read_request};

/// Everything else in a head may identify somebody.
const KEPT_HEADERS: [&str; 8] = [
    "content-type",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
    "anthropic-version",
    "anthropic-beta",
    "openai-version",
    "openai-processing-ms",
];
const SCRUBBED: &str = "[scrubbed]";

/// Recorded traffic.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cassette {
    /// Requests and their answers, in order.
    pub interactions: Vec<Interaction>,
}

/// One request and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// The path below the origin.
    pub path: String,
    /// The request's body.
    pub request: Value,
    /// The status.
    pub status: u16,
    /// The kept headers of the answer.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Cassette {
    /// Reads a cassette.
    pub fn load(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Writes it, readable and diffable.
    pub fn save(&self, path: &Path) {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(path, serde_json::to_string_pretty(self).unwrap() + "\n").unwrap();
    }

    /// The answers, for an [`crate::Upstream`] to play.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.interactions
            .iter()
            .map(|one| {
                let head = Exchange::status(one.status);
                let head = one.headers.iter().fold(head, |head, (name, value)| head.header(name, value));
                head.bytes(one.body.as_bytes())
            })
            .collect()
    }

    /// Checks that the requests played against it are those that were recorded.
    pub fn check(&self, requests: &[Captured]) {
        assert_eq!(requests.len(), self.interactions.len(), "as many requests as recorded");
        for (at, (request, recorded)) in requests.iter().zip(&self.interactions).enumerate() {
            assert_eq!(request.target, recorded.path, "the path of request {at}");
            assert_eq!(request.json(), recorded.request, "the body of request {at}");
        }
    }
}

/// A proxy on loopback that records what passes.
#[derive(Debug)]
pub struct Recorder {
    base_url: String,
    recorded: Arc<Mutex<Cassette>>,
    task: JoinHandle<()>,
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Recorder {
    /// Records traffic to `target`, a base URL; `secrets` are cut out of everything.
    pub async fn start(target: &str, secrets: &[&str]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port on loopback");
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let recorded: Arc<Mutex<Cassette>> = Arc::default();
        let shared = Arc::new(Proxy {
            target: target.trim_end_matches('/').to_owned(),
            secrets: secrets.iter().map(|secret| (*secret).to_owned()).collect(),
            recorded: Arc::clone(&recorded),
        });
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move { shared.pass(socket).await });
            }
        });
        Self { base_url, recorded, task }
    }

    /// Where to send requests.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What was recorded.
    pub fn finish(self) -> Cassette {
        self.recorded.lock().unwrap().clone()
    }
}

struct Proxy {
    target: String,
    secrets: Vec<String>,
    recorded: Arc<Mutex<Cassette>>,
}

impl Proxy {
    async fn pass(&self, mut socket: TcpStream) {
        let Ok(Some(request)) = read_request(&mut socket).await else {
            return;
        };
        let Captured { target: path, headers, body, .. } = request;
        #[expect(clippy::disallowed_methods, reason = "a test's own client, never part of the product")]
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut request = client.post(format!("{}{path}", self.target)).body(body.clone());
        for (name, value) in headers.iter().filter(|(name, _)| name != "host" && name != "content-length") {
            request = request.header(name, value);
        }
        let response = request.send().await.expect("the recorded API answers");
        let status = response.status().as_u16();
        let headers: Vec<(String, String)> = response
            .headers()
            .iter()
            .filter(|(name, _)| KEPT_HEADERS.contains(&name.as_str()))
            .map(|(name, value)| (name.to_string(), self.scrub(value.to_str().unwrap_or_default())))
            .collect();
        let answer = response.bytes().await.expect("a whole answer");
        let mut head = format!("HTTP/1.1 {status} Recorded\r\nconnection: close\r\n");
        for (name, value) in &headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let interaction = Interaction {
            path,
            request: serde_json::from_str(&self.scrub(&String::from_utf8_lossy(&body))).unwrap_or_default(),
            status,
            headers,
            body: self.scrub(&String::from_utf8_lossy(&answer)),
        };
        self.recorded.lock().unwrap().interactions.push(interaction);
        let _ = socket.write_all(format!("{head}\r\n").as_bytes()).await;
        let _ = socket.write_all(&answer).await;
        let _ = socket.shutdown().await;
    }

    /// Cuts out the known secrets, and anything that looks like a key.
    fn scrub(&self, text: &str) -> String {
        let known = self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, SCRUBBED));
        let mut out = String::with_capacity(known.len());
        let mut rest = known.as_str();
        while let Some(at) = rest.find("sk-") {
            let (before, key) = rest.split_at(at);
            out.push_str(before);
            let end =
                key.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(key.len());
            let (key, after) = key.split_at(end);
            out.push_str(if key.len() >= 16 { SCRUBBED } else { key });
            rest = after;
        }
        out.push_str(rest);
        out
    }
}
