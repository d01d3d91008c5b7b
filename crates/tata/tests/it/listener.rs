//! A host that must receive nothing, or says what it received.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// Listens on this machine and remembers every byte.
pub(crate) struct Listener {
    pub(crate) address: String,
    received: Arc<Mutex<Vec<u8>>>,
}

impl Listener {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let received = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&received);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let all = Arc::clone(&all);
                thread::spawn(move || serve(stream, &all));
            }
        });
        Self { address, received }
    }

    /// All that came so far.
    pub(crate) fn received(&self) -> String {
        String::from_utf8_lossy(&self.received.lock().unwrap()).into_owned()
    }
}

/// Reads, remembers, and refuses in the protocol that is spoken: HTTP, or Postgres's.
fn serve(mut stream: TcpStream, all: &Mutex<Vec<u8>>) {
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let (mut buffer, mut request) = (vec![0; 65536], Vec::new());
    while let Ok(count) = stream.read(&mut buffer) {
        if count == 0 {
            return;
        }
        all.lock().unwrap().extend(&buffer[..count]);
        request.extend(&buffer[..count]);
        // Postgres asks for TLS first: no.
        if request.starts_with(&[0, 0, 0, 8, 4, 210, 22, 47]) {
            request.drain(..8);
            if request.is_empty() {
                stream.write_all(b"N").unwrap();
                continue;
            }
        }
        if request.starts_with(&[0]) {
            let fields = b"SFATAL\0C28P01\0Mno\0\0";
            let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
            let _ = stream.write_all(&[b"E", length.as_slice(), fields].concat());
            return;
        }
        if is_whole(&request) {
            let _ = stream
                .write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            return;
        }
    }
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).into_owned();
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    request.len() >= head.len() + 4 + length.unwrap_or(0)
}
