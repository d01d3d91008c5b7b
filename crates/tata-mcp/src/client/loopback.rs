//! Where a browser comes back to after a sign-in: an address of this machine, open for one visit.

use std::{io, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

const PATH: &str = "/callback";
const LONGEST_REQUEST: u64 = 16 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);
const THANKS: &str = "You are signed in. You can close this page and go back to Tata.\n";

/// An address of this machine, open for one visit.
pub struct Loopback {
    listener: TcpListener,
    address: String,
}

impl Loopback {
    /// Opens an address.
    pub async fn open() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = format!("http://127.0.0.1:{}{PATH}", listener.local_addr()?.port());
        Ok(Self { listener, address })
    }

    /// Where the browser must come back to.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits for the visit and brings the whole address that was visited. Other visits are turned away.
    pub async fn visited(&self) -> io::Result<String> {
        loop {
            let (visitor, _) = self.listener.accept().await?;
            // Somebody who says nothing must not keep the others waiting.
            if let Ok(Ok(Some(query))) = tokio::time::timeout(PATIENCE, receive(visitor)).await {
                return Ok(format!("{}?{query}", self.address));
            }
        }
    }
}

async fn receive(mut visitor: TcpStream) -> io::Result<Option<String>> {
    let mut line = String::new();
    BufReader::new((&mut visitor).take(LONGEST_REQUEST)).read_line(&mut line).await?;
    let target = line.strip_prefix("GET ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let query = target.strip_prefix(PATH).and_then(|rest| rest.strip_prefix('?')).map(str::to_owned);
    let (status, text) = if query.is_some() { ("200 OK", THANKS) } else { ("404 Not Found", "\n") };
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    );
    visitor.write_all(answer.as_bytes()).await?;
    visitor.shutdown().await?;
    Ok(query)
}
