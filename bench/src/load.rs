//! Many people at once: the program as it is served, beside an upstream that streams at a steady rate, and clients that
//! note when each piece arrives.
//!
//! Each piece of an answer carries the moment at which the upstream sent it. The server is a process of its own, so that
//! its CPU time and memory are its own; upstream and clients share this one.

use std::{
    fmt::Write as _,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader as AsyncReader},
    net::{TcpListener, TcpStream},
};

use crate::{disk::Folder, measure::percentile};

/// What is measured.
#[derive(Clone, Copy)]
pub(crate) struct Wish {
    pub(crate) sessions: usize,
    pub(crate) seconds: usize,
    pub(crate) rate: usize,
    /// Connections that send nothing, and as many that send a byte at a time.
    pub(crate) idle: usize,
}

impl Default for Wish {
    fn default() -> Self {
        Self { sessions: 1_000, seconds: 60, rate: 30, idle: 0 }
    }
}

impl Wish {
    /// `--sessions N --seconds N --rate N --idle N`.
    pub(crate) fn read(options: &[&str]) -> Option<Self> {
        let mut wish = Self::default();
        for option in options.chunks(2) {
            let &[name, count] = option else { return None };
            let count: usize = count.parse().ok()?;
            match name {
                "--sessions" => wish.sessions = count,
                "--seconds" => wish.seconds = count,
                "--rate" => wish.rate = count,
                "--idle" => wish.idle = count,
                _ => return None,
            }
        }
        Some(wish)
    }
}

/// Runs it and prints what it took.
pub(crate) fn report(program: &str, wish: Wish) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measured(program, wish));
}

async fn measured(program: &str, wish: Wish) {
    let begun = Instant::now();
    let upstream = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", upstream.local_addr().unwrap());
    let sent = Arc::new(AtomicU64::new(0));
    tokio::spawn(stream_to_all(upstream, begun, wish, Arc::clone(&sent)));
    let folder = Folder::on_disk();
    let (mut server, address) = serve(program, &base, &folder);
    let pid = server.id();

    let mut idle = Vec::new();
    for at in 0..wish.idle {
        let mut socket = TcpStream::connect(&address).await.unwrap();
        if at % 2 == 0 {
            socket.write_all(b"GET / HT").await.unwrap();
        }
        idle.push(socket);
    }
    let mut sessions = Vec::with_capacity(wish.sessions);
    for _ in 0..wish.sessions {
        sessions.push(session(&address).await);
    }
    let (cpu, from) = (cpu_of(pid), Instant::now());
    let mut clients = Vec::new();
    for id in sessions {
        clients.push(tokio::spawn(follow(address.clone(), id, begun)));
        // People do not all begin in one moment.
        tokio::time::sleep(Duration::from_micros(500)).await;
    }
    let most = Arc::new(AtomicU64::new(0));
    let watched = Arc::clone(&most);
    let watch = tokio::spawn(async move {
        loop {
            watched.fetch_max(resident_of(pid), Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
    let (mut delays, mut gaps, mut failed, mut pieces) = (Vec::new(), Vec::new(), Vec::new(), 0_usize);
    for client in clients {
        match client.await.unwrap() {
            Ok(arrived) if arrived.len() == wish.seconds * wish.rate => {
                pieces += arrived.len();
                delays.extend(arrived.iter().map(|(sent, came)| came - sent));
                let pairs = arrived.windows(2);
                gaps.extend(pairs.map(|pair| ((pair[1].1 - pair[0].1) - (pair[1].0 - pair[0].0)).max(0.0)));
            }
            Ok(arrived) => {
                failed.push(format!("{} of {} pieces came", arrived.len(), wish.seconds * wish.rate));
            }
            Err(problem) => failed.push(problem),
        }
    }
    let used = cpu_of(pid) - cpu;
    watch.abort();
    drop(idle);
    delays.sort_by(f64::total_cmp);
    gaps.sort_by(f64::total_cmp);
    println!(
        "sessions {}, pieces {pieces} of {}, {:.1} s",
        wish.sessions,
        sent.load(Ordering::Relaxed),
        from.elapsed().as_secs_f64()
    );
    println!(
        "errors {}{}",
        failed.len(),
        failed.first().map(|first| format!(", the first: {first}")).unwrap_or_default()
    );
    if !delays.is_empty() {
        println!(
            "from upstream to client  p50 {:.1} ms  p99 {:.1} ms",
            percentile(&delays, 0.5),
            percentile(&delays, 0.99)
        );
        println!(
            "added between two pieces p50 {:.1} ms  p99 {:.1} ms",
            percentile(&gaps, 0.5),
            percentile(&gaps, 0.99)
        );
        println!(
            "server: {:.1} CPU microseconds a piece, {:.2} cores, {} MB resident at most",
            used * 1e6 / pieces as f64,
            used / from.elapsed().as_secs_f64(),
            most.load(Ordering::Relaxed) / (1 << 20)
        );
    }
    let _ = server.kill();
    let _ = server.wait();
}

/// Starts the program; its address once it listens.
fn serve(program: &str, base: &str, folder: &Folder) -> (Child, String) {
    let mut child = Command::new(program)
        .args(["serve", "--listen", "127.0.0.1:0", "--turns", "5000", "--no-folder"])
        .env_clear()
        .env("TATA_HOME", folder.join("home"))
        .env("OPENAI_API_KEY", "sk-load")
        .env("OPENAI_BASE_URL", base)
        .env("TATA_MODEL", "gpt-6.1-sol")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = lines
        .find_map(|line| {
            let line = line.unwrap();
            let rest = line.split_once("http://")?.1;
            Some(rest.chars().take_while(|letter| !letter.is_whitespace() && *letter != '\u{1b}').collect())
        })
        .expect("the server says where it listens");
    std::thread::spawn(move || lines.for_each(drop));
    (child, address)
}

async fn session(address: &str) -> String {
    let mut socket = AsyncReader::new(TcpStream::connect(address).await.unwrap());
    post(&mut socket, address, "/api/v1/sessions", "application/json", &json!({ "agent": "tata" })).await;
    let mut text = String::new();
    socket.read_to_string(&mut text).await.unwrap();
    let body: Value = text
        .split_once("\r\n\r\n")
        .and_then(|(_, body)| serde_json::from_str(body).ok())
        .unwrap_or_else(|| panic!("{text}"));
    body["id"].as_str().or(body["session_id"].as_str()).unwrap_or_else(|| panic!("{text}")).to_owned()
}

async fn post(socket: &mut AsyncReader<TcpStream>, address: &str, path: &str, accept: &str, body: &Value) {
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: {accept}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(request.as_bytes()).await.unwrap();
}

/// Says something and notes when each piece was sent and when it came, in milliseconds.
async fn follow(address: String, id: String, begun: Instant) -> Result<Vec<(f64, f64)>, String> {
    let mut socket = AsyncReader::with_capacity(
        4096,
        TcpStream::connect(&address).await.map_err(|error| error.to_string())?,
    );
    let path = format!("/api/v1/sessions/{id}/turns");
    post(&mut socket, &address, &path, "text/event-stream", &json!({ "message": "Tell me a long story" }))
        .await;
    let (mut line, mut arrived, mut ended) = (Vec::new(), Vec::new(), false);
    let mut status = String::new();
    loop {
        line.clear();
        let read = socket.read_until(b'\n', &mut line).await.map_err(|error| error.to_string())?;
        if read == 0 {
            break;
        }
        if status.is_empty() {
            status = String::from_utf8_lossy(&line).trim().to_owned();
        }
        if line.starts_with(b"data: {\"event\":\"text_delta\"") {
            let now = begun.elapsed().as_secs_f64() * 1e3;
            let text = String::from_utf8_lossy(&line);
            // "@1234567;": several may come in one event.
            for stamp in text.split('@').skip(1) {
                let digits = stamp.split(';').next().unwrap_or_default();
                arrived.push((digits.parse::<f64>().map_err(|error| error.to_string())? / 1e3, now));
            }
        } else if line.starts_with(b"data: {\"event\":\"finished\"") {
            ended = true;
        }
    }
    if ended { Ok(arrived) } else { Err(format!("no end after {} pieces; {status}", arrived.len())) }
}

/// Streams to whoever asks, each at the same rate.
async fn stream_to_all(listener: TcpListener, begun: Instant, wish: Wish, sent: Arc<AtomicU64>) {
    loop {
        let (socket, _) = listener.accept().await.unwrap();
        socket.set_nodelay(true).unwrap();
        tokio::spawn(stream_to(socket, begun, wish, Arc::clone(&sent)));
    }
}

async fn stream_to(mut socket: TcpStream, begun: Instant, wish: Wish, sent: Arc<AtomicU64>) {
    let mut buffer = Vec::with_capacity(64 * 1024);
    while crate::upstream::read_request(&mut socket, &mut buffer).await.is_some() {
        buffer.clear();
        let mut text = String::from(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
        );
        text += &chunk(&[
            json!({"type": "response.created", "response": {"id": "r1", "model": "m"}}),
            json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "id": "msg_1", "role": "assistant", "content": []}}),
        ]);
        if socket.write_all(text.as_bytes()).await.is_err() {
            return;
        }
        let mut said = String::new();
        let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / wish.rate as f64));
        for _ in 0..wish.seconds * wish.rate {
            ticks.tick().await;
            let piece = format!("@{}; ", begun.elapsed().as_micros());
            said += &piece;
            let event = json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": piece});
            if socket.write_all(chunk(&[event]).as_bytes()).await.is_err() {
                return;
            }
            sent.fetch_add(1, Ordering::Relaxed);
        }
        let message = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": said, "annotations": []}]});
        let usage = json!({"input_tokens": 120, "output_tokens": 50, "total_tokens": 170});
        let mut end = chunk(&[
            json!({"type": "response.output_item.done", "output_index": 0, "item": message}),
            json!({"type": "response.completed", "response": {"id": "r1", "model": "m", "status": "completed", "output": [message], "usage": usage}}),
        ]);
        end += "0\r\n\r\n";
        if socket.write_all(end.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Events as one chunk of a body.
fn chunk(events: &[Value]) -> String {
    let mut body = String::new();
    for event in events {
        let _ = write!(body, "event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    }
    format!("{:x}\r\n{body}\r\n", body.len())
}

/// The CPU seconds of a process so far.
fn cpu_of(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    // In hundredths of a second, as Linux counts for programs.
    (ticks(11) + ticks(12)) / 100.0
}

fn resident_of(pid: u32) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
}
