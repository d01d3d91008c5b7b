//! Sample servers and a client on this crate's layer, for tests, for the conformance suite and to try things out.
//!
//! - `sample athlete`: the coach's server, over standard input and output: an athlete's profile and activities.
//! - `sample agent [PORT]`: an agent's tools on offer, over standard input and output or at a port of this machine.
//! - `sample conformance-server PORT`: what the conformance suite wants of a server.
//! - `sample conformance-client URL`: what it wants of a client; the scenario comes in its environment variables.
//! - `sample try FILE CALLS`: the servers of a file, and what calls of their tools bring.
//! - `sample hold SERVER ARGS…`: holds a server until it is killed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::wildcard_enum_match_arm,
    reason = "fixtures fail loudly and stand for whole programs"
)]

mod agent;
mod athlete;
mod attempt;
mod client;
mod conformance;
mod holder;

use std::{convert::Infallible, sync::Arc};

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tata_mcp::{HttpOptions, HttpService, Offer, serve_stdio};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let what = args.next().unwrap_or_default();
    let first = args.next();
    match (what.as_str(), first) {
        ("athlete", None) => serve_stdio(Arc::new(athlete::Athlete), CancellationToken::new()).await.unwrap(),
        ("athlete", Some(port)) => at(port.parse().unwrap(), Arc::new(athlete::Athlete)).await,
        ("agent", None) => serve_stdio(agent::offer(), CancellationToken::new()).await.unwrap(),
        ("agent", Some(port)) => at(port.parse().unwrap(), agent::offer()).await,
        ("conformance-server", Some(port)) => {
            at(port.parse().unwrap(), Arc::new(conformance::Conformance)).await;
        }
        ("conformance-client", Some(url)) => client::run(url).await,
        ("try", Some(file)) => attempt::attempt(&file, &args.next().unwrap_or_else(|| "[]".to_owned())).await,
        ("hold", Some(command)) => holder::hold(command, args.collect()).await,
        (other, _) => {
            panic!(
                "{other:?} is not one of: athlete, agent, conformance-server, conformance-client, try, hold"
            )
        }
    }
}

/// Serves at a port of this machine; 0 finds one. The address is the first line of standard output.
async fn at(port: u16, offer: Arc<dyn Offer>) {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let line = format!("http://{}/mcp\n", listener.local_addr().unwrap());
    tokio::io::AsyncWriteExt::write_all(&mut tokio::io::stdout(), line.as_bytes()).await.unwrap();
    tokio::io::AsyncWriteExt::flush(&mut tokio::io::stdout()).await.unwrap();
    let service = HttpService::new(offer, HttpOptions::default());
    loop {
        let (socket, _) = listener.accept().await.unwrap();
        let service = service.clone();
        let answer = service_fn(move |request| {
            let service = service.clone();
            async move { Ok::<_, Infallible>(service.answer(request).await) }
        });
        tokio::spawn(
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), answer),
        );
    }
}
