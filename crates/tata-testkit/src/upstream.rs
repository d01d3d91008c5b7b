//! An HTTP server on loopback that does exactly what its script says, byte by byte.

use std::{
    collections::VecDeque,
    fmt::Write as _,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// The answer to one request: a head, then steps.
#[derive(Clone, Debug)]
pub struct Exchange {
    status: u16,
    headers: Vec<(String, String)>,
    framing: Framing,
    before_head: Option<Duration>,
    steps: Vec<Step>,
}

/// How the end of the body is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// By closing the connection: a cut looks like an end.
    Close,
    /// By chunks: a cut is visible.
    Chunked,
}

#[derive(Clone, Debug)]
enum Step {
    Bytes(Vec<u8>),
    Pause(Duration),
    Cut,
    Hang,
}

impl Exchange {
    /// An answer with a status and no body yet.
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), framing: Framing::Close, before_head: None, steps: Vec::new() }
    }

    /// An event stream.
    pub fn sse(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200).header("content-type", "text/event-stream").bytes(body)
    }

    /// A JSON body.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::status(status).header("content-type", "application/json").bytes(body.to_string())
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Marks the end of the body in another way.
    #[must_use]
    pub fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Sends bytes.
    #[must_use]
    pub fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.steps.push(Step::Bytes(bytes.into()));
        self
    }

    /// Sends bytes in pieces of `size`, a pause between them.
    #[must_use]
    pub fn drip(mut self, bytes: impl Into<Vec<u8>>, size: usize, pause: Duration) -> Self {
        for piece in bytes.into().chunks(size.max(1)) {
            self.steps.push(Step::Bytes(piece.to_vec()));
            self.steps.push(Step::Pause(pause));
        }
        self
    }

    /// Waits before the next step.
    #[must_use]
    pub fn pause(mut self, pause: Duration) -> Self {
        self.steps.push(Step::Pause(pause));
        self
    }

    /// Waits before even the status line.
    #[must_use]
    pub fn late(mut self, pause: Duration) -> Self {
        self.before_head = Some(pause);
        self
    }

    /// Breaks the connection here, without ending the body.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.steps.push(Step::Cut);
        self
    }

    /// Says nothing more and keeps the connection.
    #[must_use]
    pub fn hang(mut self) -> Self {
        self.steps.push(Step::Hang);
        self
    }
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Captured {
    /// The method.
    pub method: String,
    /// The request target: a path, or a whole URL when we stand in for a proxy.
    pub target: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Captured {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }
}

/// The server. It stops when dropped.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    captured: Arc<Mutex<Vec<Captured>>>,
    task: JoinHandle<()>,
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Upstream {
    /// Serves the exchanges in the order in which requests arrive; one beyond the script gets a 500.
    pub async fn start(exchanges: impl IntoIterator<Item = Exchange>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port on loopback");
        let address = listener.local_addr().unwrap();
        let script: Arc<Mutex<VecDeque<Exchange>>> = Arc::new(Mutex::new(exchanges.into_iter().collect()));
        let captured: Arc<Mutex<Vec<Captured>>> = Arc::default();
        let seen = Arc::clone(&captured);
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                tokio::spawn(async move {
                    // The client may hang up at any moment: that is the client's business.
                    let _ = serve(socket, &script, &seen).await;
                });
            }
        });
        Self { address, captured, task }
    }

    /// The address with the usual version path.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The address alone.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Captured> {
        self.captured.lock().unwrap().clone()
    }
}

async fn serve(
    mut socket: TcpStream,
    script: &Mutex<VecDeque<Exchange>>,
    seen: &Mutex<Vec<Captured>>,
) -> std::io::Result<()> {
    let Some(request) = read_request(&mut socket).await? else {
        return Ok(());
    };
    seen.lock().unwrap().push(request);
    let next = script.lock().unwrap().pop_front();
    let exchange = next.unwrap_or_else(|| {
        Exchange::status(500).header("x-should-retry", "false").bytes("the upstream's script is over")
    });
    send(&mut socket, exchange).await
}

/// Reads one request; nothing if the client left.
pub(crate) async fn read_request(socket: &mut TcpStream) -> std::io::Result<Option<Captured>> {
    let mut buffer = Vec::new();
    let head_end = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if socket.read_buf(&mut buffer).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let target = first.next().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = buffer.split_off(head_end + 4);
    while body.len() < length {
        if socket.read_buf(&mut body).await? == 0 {
            break;
        }
    }
    Ok(Some(Captured { method, target, headers, body }))
}

async fn send(socket: &mut TcpStream, exchange: Exchange) -> std::io::Result<()> {
    if let Some(pause) = exchange.before_head {
        tokio::time::sleep(pause).await;
    }
    let mut head = format!("HTTP/1.1 {} Scripted\r\nconnection: close\r\n", exchange.status);
    for (name, value) in &exchange.headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    let chunked = exchange.framing == Framing::Chunked;
    if chunked {
        head.push_str("transfer-encoding: chunked\r\n");
    }
    socket.write_all(format!("{head}\r\n").as_bytes()).await?;
    for step in exchange.steps {
        match step {
            Step::Bytes(bytes) if chunked => {
                if !bytes.is_empty() {
                    socket.write_all(format!("{:x}\r\n", bytes.len()).as_bytes()).await?;
                    socket.write_all(&bytes).await?;
                    socket.write_all(b"\r\n").await?;
                }
            }
            Step::Bytes(bytes) => socket.write_all(&bytes).await?,
            Step::Pause(pause) => {
                socket.flush().await?;
                tokio::time::sleep(pause).await;
            }
            Step::Cut => return socket.shutdown().await,
            Step::Hang => {
                socket.flush().await?;
                std::future::pending::<()>().await;
            }
        }
    }
    if chunked {
        socket.write_all(b"0\r\n\r\n").await?;
    }
    socket.shutdown().await
}
