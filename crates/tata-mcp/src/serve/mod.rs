//! Our tools for any client: over standard input and output, and over streamable HTTP.

mod agent;
mod caller;
mod documents;
mod form;
mod handler;
mod http;
mod offer;
mod sessions;
mod translate;

use std::{io, sync::Arc};

use rmcp::{
    ServiceExt,
    service::{QuitReason, ServerInitializeError},
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use handler::Handler;

pub use agent::{AgentOffer, AgentOfferParts, Called, Show};
pub use caller::{Caller, CannotAsk, Principal};
pub use http::{HttpBody, HttpOptions, HttpService};
pub use offer::{
    About, Call, Given, Offer, OfferedTool, Offering, Part, Prompt, PromptField, Resource, Said, Speaker,
    Template,
};

/// Serves one client over a pair of pipes until it says goodbye or `stop` is heard. Nothing else may write to `output`.
pub async fn serve_pipes(
    offer: Arc<dyn Offer>,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    stop: CancellationToken,
) -> io::Result<()> {
    let handler = Handler::new(offer, "pipes".into());
    let running = match handler.serve_with_ct((input, output), stop).await {
        Ok(running) => running,
        // A client that leaves before its greeting has said goodbye as well.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(io::Error::other(crate::error::words(&error.to_string()))),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(io::Error::other(error)),
        Ok(_) => Ok(()),
    }
}

/// Serves one client over our own standard input and output.
pub async fn serve_stdio(offer: Arc<dyn Offer>, stop: CancellationToken) -> io::Result<()> {
    serve_pipes(offer, tokio::io::stdin(), tokio::io::stdout(), stop).await
}
