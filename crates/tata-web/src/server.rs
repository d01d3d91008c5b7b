//! The accept loop: deadlines, a cap on connections, and an end that loses nothing.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use crate::{ServerOptions, Services, recover, router, stall::Patient, state::App};

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
    app: App,
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
        let app = App::new(services, options, CancellationToken::new());
        let router = router::assemble(&app);
        Ok(Self { listener, address, app, router })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is told to stop. Then no connection is taken, streams end, and what runs has a while to end; a turn
    /// that does not is resumed by whoever comes next.
    pub async fn run(self, stop: CancellationToken) {
        let Self { listener, app, router, .. } = self;
        let (options, tasks) = (Arc::clone(&app.options), TaskTracker::new());
        let room = Arc::new(Semaphore::new(options.connections));
        let recovering = tokio::spawn(recover::keep_recovering(app.clone()));
        let stopping = tokio::spawn(recover::keep_stopping(app.clone()));
        loop {
            let permit = tokio::select! {
                permit = Arc::clone(&room).acquire_owned() => permit,
                () = stop.cancelled() => break,
            };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.cancelled() => break,
            };
            match accepted {
                Ok((stream, _)) => {
                    let (router, app) = (router.clone(), app.clone());
                    tasks.spawn(async move {
                        serve(stream, router, &app).await;
                        drop(permit);
                    });
                }
                // Too many open files, say: it passes.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
        drop(listener);
        tracing::info!(turns = app.services.host.running(), connections = tasks.len(), "stopping");
        recovering.abort();
        stopping.abort();
        app.services.host.close();
        app.stopping.cancel();
        tasks.close();
        let drained = async {
            app.services.host.idle().await;
            tasks.wait().await;
        };
        if tokio::time::timeout(options.drain, drained).await.is_err() {
            tracing::warn!(turns = app.services.host.running(), "not everything ended in time");
        }
    }
}

async fn serve(stream: TcpStream, router: Router, app: &App) {
    // Pieces of text are small and should not wait for each other.
    let _only_slower = stream.set_nodelay(true);
    let service =
        service_fn(move |request: hyper::Request<Incoming>| router.clone().oneshot(request.map(Body::new)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(app.options.head_time)
        .max_buf_size(app.options.largest_head.max(8192));
    let mut connection = std::pin::pin!(
        http.serve_connection(TokioIo::new(Patient::new(stream, app.options.write_time)), service)
    );
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = app.stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}
