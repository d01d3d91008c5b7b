//! Streamable HTTP as a service that any HTTP server can mount: a request in, an answer out.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use super::{Offer, handler::Handler, sessions::Sessions};

/// What may reach the service.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// The hosts it is reached by, e.g. `tata.example.com` or `localhost:8080`. A request for another host is refused:
    /// a page of a stranger could otherwise reach a local server by a name that leads here.
    pub hosts: Vec<String>,
    /// The pages that may speak to it, e.g. `https://tata.example.com:443`; `:*` is any port. Requests that name no page,
    /// as programs make them, pass.
    pub origins: Vec<String>,
    /// The most bytes of a request.
    pub largest_request: usize,
    /// The most sessions at once; the oldest makes way for a new one.
    pub sessions: usize,
    /// Ends all sessions.
    pub stop: CancellationToken,
}

impl Default for HttpOptions {
    /// This machine alone.
    fn default() -> Self {
        let local = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            hosts: ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec(),
            origins: local.iter().map(|host| format!("http://{host}:*")).collect(),
            largest_request: 8 * 1024 * 1024,
            sessions: 32,
            stop: CancellationToken::new(),
        }
    }
}

/// The body of an answer: one piece, or a stream of events.
pub type HttpBody = BoxBody<Bytes, Infallible>;

/// Streamable HTTP as a service. Every session has a caller of its own; clones serve the same sessions.
#[derive(Clone)]
pub struct HttpService {
    inner: StreamableHttpService<Handler, Sessions>,
}

impl HttpService {
    /// A service for this offer.
    pub fn new(offer: Arc<dyn Offer>, options: HttpOptions) -> Self {
        let mut config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(options.hosts)
            .with_allowed_origins(options.origins)
            .enforce_origin_validation();
        config.max_request_body_bytes = options.largest_request;
        config.cancellation_token = options.stop;
        let make = move || {
            // Nobody can guess it, so nobody can meet another's documents.
            let session = uuid::Uuid::new_v4().to_string();
            Ok(Handler::new(Arc::clone(&offer), session.into()))
        };
        let sessions = Arc::new(Sessions::new(options.sessions));
        Self { inner: StreamableHttpService::new(make, sessions, config) }
    }

    /// Answers a request.
    pub async fn answer<B>(&self, request: Request<B>) -> Response<HttpBody>
    where
        B: http_body::Body + Send + 'static,
        B::Error: std::fmt::Display,
        B::Data: Send + 'static,
    {
        self.inner.handle(request).await
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: http_body::Body + Send + 'static,
    B::Error: std::fmt::Display,
    B::Data: Send + 'static,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}
