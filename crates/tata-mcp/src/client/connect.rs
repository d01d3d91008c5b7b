//! One connection: from a configuration to a server that has greeted us.

use std::{error::Error as StdError, future::Future, pin::Pin};

use rmcp::{
    model::{ErrorCode, ProtocolVersion, ServerPeerInfo},
    service::{
        ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService,
        ServiceError,
    },
    transport::{
        IntoTransport, StreamableHttpClientTransport, async_rw::AsyncRwTransport, auth::AuthClient,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};

use super::{
    capped::{Capped, LARGEST_MESSAGE, Overflow},
    handler::Handler,
    http,
    options::ClientOptions,
};
use crate::{
    McpError, Reach, ServerConfig,
    error::words,
    process::{Pipes, Process},
};

/// A server that has greeted us. Dropping it says goodbye, and ends the program if it is one.
pub(super) struct Connection {
    pub(super) running: RunningService<RoleClient, Handler>,
    process: Option<Process>,
    overflow: Overflow,
    server: String,
    place: String,
}

/// Connects, within the time there is for it.
pub(super) async fn connect(
    config: &ServerConfig,
    options: &ClientOptions,
    auth: Option<AuthClient<reqwest::Client>>,
) -> Result<Connection, Failure> {
    let time = options.connect_time;
    tokio::time::timeout(time, attempt(config, options, auth)).await.unwrap_or_else(|_| {
        let server = config.name.clone();
        Err(McpError::TimedOut { server, step: "answer its greeting", after: time }.into())
    })
}

/// Why there is no connection, and what the server said about signing in.
pub(super) struct Failure {
    pub(super) error: McpError,
    pub(super) challenge: Option<String>,
}

impl From<McpError> for Failure {
    fn from(error: McpError) -> Self {
        Self { error, challenge: None }
    }
}

async fn attempt(
    config: &ServerConfig,
    options: &ClientOptions,
    auth: Option<AuthClient<reqwest::Client>>,
) -> Result<Connection, Failure> {
    let first = serve(config, options, auth.clone(), ClientLifecycleMode::Initialize).await?;
    match first {
        Ok(connection) => Ok(connection),
        // A server of the newest protocol alone knows no greeting.
        Err(error) if knows_no_greeting(&error.0) => {
            let preferred_versions = vec![ProtocolVersion::LATEST];
            let mode = ClientLifecycleMode::Discover { preferred_versions };
            serve(config, options, auth, mode).await?.map_err(|error| failure(config, error))
        }
        Err(error) => Err(failure(config, error)),
    }
}

/// What went wrong, and what the process was.
type Broken = Box<(ClientInitializeError, Option<Process>, Overflow)>;

async fn serve(
    config: &ServerConfig,
    options: &ClientOptions,
    auth: Option<AuthClient<reqwest::Client>>,
    mode: ClientLifecycleMode,
) -> Result<Result<Connection, Broken>, Failure> {
    let handler = Handler::new(&config.name, options);
    let overflow = Overflow::default();
    let (running, process) = match &config.reach {
        Reach::Program { command, args, env, cwd } => {
            let started = Process::start(command, args, &options.inherited, env, cwd.as_deref());
            let (process, Pipes { from, to }) = started.map_err(|source| McpError::NotStarted {
                server: config.name.clone(),
                command: command.clone(),
                source,
            })?;
            let from = Capped::new(from, overflow.clone());
            let transport = AsyncRwTransport::new(from, to).with_max_line_length(LARGEST_MESSAGE * 2);
            (greet(handler, transport, mode).await, Some(process))
        }
        Reach::Address { url, headers } => {
            let headers = http::headers(&config.name, headers)?;
            let wish = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                .custom_headers(headers)
                .max_sse_event_size(LARGEST_MESSAGE);
            let running = if let Some(auth) = auth {
                let transport = StreamableHttpClientTransport::with_client(auth, wish);
                greet(handler, transport, mode).await
            } else {
                let transport = StreamableHttpClientTransport::with_client(http::client(&config.name)?, wish);
                greet(handler, transport, mode).await
            };
            (running, None)
        }
    };
    let (server, place) = (config.name.clone(), config.place());
    Ok(match running {
        Ok(running) => Ok(Connection { running, process, overflow, server, place }),
        Err(error) => {
            if let Some(process) = &process {
                process.settle().await;
            }
            Err(Box::new((error, process, overflow)))
        }
    })
}

/// What comes of a greeting.
type Greeted = Result<RunningService<RoleClient, Handler>, ClientInitializeError>;

/// Boxed: three transports would make the futures of all callers huge.
fn greet<T, E, A>(
    handler: Handler,
    transport: T,
    mode: ClientLifecycleMode,
) -> Pin<Box<dyn Future<Output = Greeted> + Send>>
where
    T: IntoTransport<RoleClient, E, A>,
    E: StdError + Send + Sync + 'static,
    A: 'static,
{
    Box::pin(async move { handler.serve_with_lifecycle(transport, mode).await })
}

fn knows_no_greeting(error: &ClientInitializeError) -> bool {
    matches!(error, ClientInitializeError::JsonRpcError(error) if error.code == ErrorCode::METHOD_NOT_FOUND
        || error.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the SDK's errors are many and more come; unknown ones are alike to us"
)]
fn failure(config: &ServerConfig, broken: Broken) -> Failure {
    let (error, process, overflow) = *broken;
    let challenge = error.auth_challenge().map(str::to_owned);
    let server = config.name.clone();
    let said = process.as_ref().and_then(|process| process.said().last()).map(|line| words(&line));
    let error = if challenge.is_some() || error.is_authorization_required() {
        McpError::Unauthorized { server, problem: None }
    } else if overflow.happened() {
        too_large(server)
    } else {
        match error {
            ClientInitializeError::ConnectionClosed(_) => McpError::Ended { server, said },
            ClientInitializeError::TransportError { error, .. } if process.is_some() => {
                drop(error);
                McpError::Ended { server, said }
            }
            ClientInitializeError::TransportError { error, .. } => {
                McpError::Unreachable { server, place: config.place(), problem: http::innermost(&error) }
            }
            ClientInitializeError::JsonRpcError(error) => {
                McpError::Refused { server, code: error.code.0, message: words(&error.message) }
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => McpError::Protocol {
                server,
                problem: "it speaks no version of the protocol that is known here".to_owned(),
            },
            // Their texts hold what the server sent, of any length.
            _ => McpError::Protocol { server, problem: "its greeting cannot be understood".to_owned() },
        }
    };
    Failure { error, challenge }
}

fn too_large(server: String) -> McpError {
    let problem = format!("it sent a message of more than {} MiB", LARGEST_MESSAGE / (1024 * 1024));
    McpError::Protocol { server, problem }
}

impl Connection {
    pub(super) fn is_open(&self) -> bool {
        !self.running.is_closed() && !self.running.peer().is_transport_closed()
    }

    pub(super) fn peer_info(&self) -> Option<std::sync::Arc<ServerPeerInfo>> {
        self.running.peer().peer_info()
    }

    /// Why the connection is gone.
    pub(super) fn epitaph(&self) -> McpError {
        let server = self.server.clone();
        if self.overflow.happened() {
            return too_large(server);
        }
        match &self.process {
            Some(process) => McpError::Ended { server, said: process.said().last().map(|line| words(&line)) },
            None => McpError::Unreachable {
                server,
                place: self.place.clone(),
                problem: "the connection was closed".to_owned(),
            },
        }
    }

    /// Says goodbye and waits until nothing is left.
    pub(super) async fn close(&self) {
        self.running.cancellation_token().cancel();
        if let Some(process) = &self.process {
            process.end().await;
        }
    }

    /// What a failed request means.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the SDK's errors are many and more come; unknown ones are alike to us"
    )]
    pub(super) fn failed(&self, error: ServiceError) -> Failed {
        let server = self.server.clone();
        match error {
            ServiceError::McpError(error) => Failed::Answered(McpError::Refused {
                server,
                code: error.code.0,
                message: words(&error.message),
            }),
            ServiceError::TransportSend(error) => {
                if let Some(challenge) = http::challenge(&error) {
                    return Failed::Unauthorized { challenge };
                }
                let never_left = http::never_left(&error);
                let error = match &self.process {
                    Some(_) => self.epitaph(),
                    None => McpError::Unreachable {
                        server,
                        place: self.place.clone(),
                        problem: http::innermost(&error),
                    },
                };
                if never_left { Failed::NotSent(error) } else { Failed::Lost(error) }
            }
            ServiceError::TransportClosed => Failed::Lost(self.epitaph()),
            ServiceError::Timeout { timeout } => {
                Failed::Lost(McpError::TimedOut { server, step: "answer", after: timeout })
            }
            ServiceError::UnexpectedResponse => Failed::Lost(McpError::Protocol {
                server,
                problem: "its answer has a form that is not known here".to_owned(),
            }),
            _ => Failed::Lost(McpError::Protocol { server, problem: "the request was given up".to_owned() }),
        }
    }
}

/// What a failed request means.
pub(super) enum Failed {
    /// The server said no: it is there, and did not do it.
    Answered(McpError),
    /// It wants a sign-in first.
    Unauthorized {
        /// Its words about that.
        challenge: String,
    },
    /// The request did not reach it.
    NotSent(McpError),
    /// Nobody knows whether it reached it.
    Lost(McpError),
}
