//! How the server serves.

use std::{net::SocketAddr, time::Duration};

use crate::Network;

/// How the server serves.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where it listens. Without accounts only this machine may reach it.
    pub listen: SocketAddr,
    /// The names by which it is called; requests for others are refused.
    pub hosts: Vec<String>,
    /// The addresses of proxies before it: of what comes from them, the last address in `X-Forwarded-For` that is none of
    /// them counts as the caller's.
    pub proxies: Vec<Network>,
    /// Who may read `/metrics` where people sign in: whoever sends this as a bearer token. Nobody, if there is none.
    pub metrics_key: Option<String>,
    /// The most connections at once.
    pub connections: usize,
    /// The most of them from one address, where people sign in. A proxy that the server was told of may have all.
    pub connections_per_address: usize,
    /// The most streams of events that one person follows at once; eight times as many for a company.
    pub streams_per_person: usize,
    /// The most turns that one person waits for at once; eight times as many for a company.
    pub waiting_per_person: usize,
    /// The first byte of a request and its whole head must arrive in this time, also on a connection that is kept.
    pub head_time: Duration,
    /// Something of an answer must be taken in this time by whoever asked for it.
    pub write_time: Duration,
    /// The most bytes of a request's head.
    pub largest_head: usize,
    /// The most bytes of a request's body.
    pub largest_body: usize,
    /// The most bytes of bodies that are held at once.
    pub body_bytes: usize,
    /// The most of them of one person.
    pub body_bytes_of_one: usize,
    /// The most bytes of files that one person brings in a day, where people sign in.
    pub upload_bytes_a_day: u64,
    /// Requests a second from one caller, and how many at once.
    pub requests_per_second: u32,
    /// How many may come at once before the rate counts.
    pub burst: u32,
    /// How much more a whole company may ask and bring than one of its people.
    pub company_share: u32,
    /// How often a stream without events shows that it is alive.
    pub heartbeat: Duration,
    /// How long running turns and requests have to end when the server stops.
    pub drain: Duration,
    /// How often turns are looked for that nobody works on, and deletions that are due.
    pub recover_every: Duration,
}

impl ServerOptions {
    /// This machine alone, at a port.
    pub fn local(listen: SocketAddr) -> Self {
        Self {
            listen,
            hosts: ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec(),
            proxies: Vec::new(),
            metrics_key: None,
            connections: 8192,
            connections_per_address: 1024,
            streams_per_person: 32,
            waiting_per_person: 128,
            head_time: Duration::from_secs(15),
            write_time: Duration::from_mins(1),
            largest_head: 16 * 1024,
            largest_body: tata_core::MOST_ARGUMENT_BYTES + 64 * 1024,
            body_bytes: 512 * 1024 * 1024,
            body_bytes_of_one: 192 * 1024 * 1024,
            upload_bytes_a_day: 2 * 1024 * 1024 * 1024,
            requests_per_second: 200,
            burst: 2_000,
            company_share: 10,
            heartbeat: Duration::from_secs(15),
            drain: Duration::from_secs(30),
            recover_every: Duration::from_secs(15),
        }
    }
}
