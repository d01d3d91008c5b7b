//! The accept loop: deadlines, a cap on connections, and an end that loses nothing.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{Router, body::Body, http::Extensions};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use crate::{
    ServerOptions, Services, access,
    body::Holding,
    connections::{Connection, Connections},
    guard::Refused,
    peer::{ConnectedFrom, is_proxy},
    recover, router,
    stall::Patient,
    state::ServerState,
};

/// Those that it is said to at once; others are closed without a word.
const TOLD_AT_ONCE: usize = 32;
/// How long somebody has to hear it.
const HEARING: Duration = Duration::from_secs(1);

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotServed {
    /// Others could reach it, and nobody would be asked who they are.
    #[error(
        "{0} can be reached from other machines, and there are no accounts: anybody could read every conversation. \
         Listen on 127.0.0.1 or [::1], or have people sign in (--accounts)."
    )]
    Open(SocketAddr),
    /// The place is taken, or may not be taken.
    #[error("cannot listen on {listen}: {source}")]
    Taken {
        /// Where.
        listen: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A server that has its place and does not serve yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    state: ServerState,
    router: Router,
}

impl Server {
    /// Takes the place.
    pub async fn bind(services: Services, options: ServerOptions) -> Result<Self, NotServed> {
        let listen = options.listen;
        if !listen.ip().is_loopback() && !services.accounts {
            return Err(NotServed::Open(listen));
        }
        let taken = |source| NotServed::Taken { listen, source };
        let listener = TcpListener::bind(listen).await.map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        let state = ServerState::new(services, options, CancellationToken::new());
        let router = router::assemble(&state);
        Ok(Self { listener, address, state, router })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is told to stop. Then no connection is taken, streams end, and what runs has a while to end; a turn
    /// that does not is resumed by whoever comes next.
    pub async fn run(self, stop: CancellationToken) {
        let Self { listener, state, router, .. } = self;
        // Before anybody is served.
        if let Err(problem) = access::take_off_list(&state).await {
            tracing::error!(why = %problem.detail, "the list of admins could not be compared with the accounts");
        }
        let (options, tasks) = (Arc::clone(state.options()), TaskTracker::new());
        let room = Arc::new(Connections::new(options.connections, most_of_one_address(&state)));
        let telling = Arc::new(Semaphore::new(TOLD_AT_ONCE));
        let recovering = tokio::spawn(recover::keep_recovering(state.clone()));
        let stopping = tokio::spawn(recover::keep_stopping(state.clone()));
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.cancelled() => break,
            };
            match accepted {
                Ok((stream, from)) => {
                    let from = from.ip();
                    let Some(connection) = room.take(from, is_proxy(from, &options.proxies)) else {
                        if let Ok(place) = Arc::clone(&telling).try_acquire_owned() {
                            tasks.spawn(async move {
                                tell_full(stream).await;
                                drop(place);
                            });
                        }
                        continue;
                    };
                    let (router, state) = (router.clone(), state.clone());
                    tasks.spawn(async move { serve(stream, from, connection, router, &state).await });
                }
                // Too many open files, say: it passes.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
        drop(listener);
        tracing::info!(turns = state.host().running(), connections = tasks.len(), "stopping");
        recovering.abort();
        stopping.abort();
        state.host().close();
        state.stopping().cancel();
        tasks.close();
        let drained = async {
            state.host().idle().await;
            tasks.wait().await;
        };
        if tokio::time::timeout(options.drain, drained).await.is_err() {
            tracing::warn!(turns = state.host().running(), "not everything ended in time");
        }
    }
}

/// The most connections of one address. Where nobody signs in, all come from this machine and are one person's.
fn most_of_one_address(state: &ServerState) -> usize {
    let options = state.options();
    if state.has_accounts() { options.connections_per_address } else { options.connections }
}

/// Says to a connection that there is no room, if it listens.
async fn tell_full(mut stream: TcpStream) {
    let told = async {
        stream.write_all(full().as_bytes()).await?;
        stream.shutdown().await
    };
    if let Ok(Err(error)) = tokio::time::timeout(HEARING, told).await {
        tracing::debug!(%error, "a connection that there was no room for left early");
    }
}

/// The answer to a connection that there is no room for. Nothing of its request was read.
fn full() -> String {
    let detail =
        "As many connections from your address are in use as may be. Close some, or try again in a moment.";
    let body = serde_json::json!({
        "type": "urn:tata:problem:too_many_connections",
        "title": "Too Many Requests",
        "status": 429,
        "detail": detail,
        "code": "too_many_connections",
    })
    .to_string();
    format!(
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/problem+json\r\nretry-after: 5\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

async fn serve(stream: TcpStream, from: IpAddr, connection: Connection, router: Router, state: &ServerState) {
    // Pieces of text are small and should not wait for each other.
    let _only_slower = stream.set_nodelay(true);
    let refused = refused(&stream, state).await;
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let (router, serving) = (router.clone(), connection.serve());
        let mut request = request.map(Body::new);
        request.extensions_mut().extend(refused.clone());
        request.extensions_mut().insert(ConnectedFrom(from));
        async move {
            let response = router.oneshot(request).await;
            response.map(|response| response.map(|body| Holding::wrap(body, serving)))
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(state.options().head_time)
        .max_buf_size(state.options().largest_head.max(8192));
    let mut served = std::pin::pin!(
        http.serve_connection(TokioIo::new(Patient::new(stream, state.options().write_time)), &service)
    );
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = connection.must_make_way() => Ok(()),
        () = state.stopping().cancelled() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Asks once for each connection whether its peer may connect. The answer goes along with every request of it.
async fn refused(stream: &TcpStream, state: &ServerState) -> Extensions {
    let mut extensions = Extensions::new();
    let Some(admit) = state.admit() else { return extensions };
    let judged = match (stream.peer_addr(), stream.local_addr()) {
        (Ok(peer), Ok(here)) => tokio::task::spawn_blocking(move || admit(peer, here)).await,
        (Err(_), _) | (_, Err(_)) => Ok(Err("This connection is gone.".to_owned())),
    };
    let gone = |_| Err("Who connects could not be found out.".to_owned());
    if let Err(why) = judged.unwrap_or_else(gone) {
        extensions.insert(Refused(why));
    }
    extensions
}
