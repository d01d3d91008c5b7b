//! What is particular to servers behind an address.

use std::{collections::BTreeMap, collections::HashMap, error::Error as StdError, io, time::Duration};

use http::{HeaderName, HeaderValue};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, InsufficientScopeError, StreamableHttpError,
};
use secrecy::{ExposeSecret, SecretString};

use crate::{McpError, error::words};

/// The time to reach a host at all.
const CONNECT: Duration = Duration::from_secs(15);
/// How often one request may be sent elsewhere, on the same host.
const MOST_REDIRECTS: usize = 3;

/// An HTTP client that takes headers, which may be keys, to no other host than the one they are for.
#[expect(
    clippy::disallowed_methods,
    reason = "the SDK speaks HTTP by a client of its own; it is built here alone"
)]
pub(super) fn client(server: &str) -> Result<reqwest::Client, McpError> {
    let same_origin = reqwest::redirect::Policy::custom(|attempt| {
        let origin = attempt.previous().first().map(reqwest::Url::origin);
        if attempt.previous().len() > MOST_REDIRECTS {
            attempt.error("it was sent elsewhere too often")
        } else if origin.is_some_and(|origin| origin == attempt.url().origin()) {
            attempt.follow()
        } else {
            attempt.error("it was sent to another host")
        }
    });
    // On a line that is kept open, nobody can tell whether a call arrived that found it dead; a new one for each says so.
    reqwest::Client::builder()
        .pool_max_idle_per_host(0)
        .redirect(same_origin)
        .connect_timeout(CONNECT)
        .build()
        .map_err(|error| {
            let problem = innermost(&error);
            McpError::Unreachable { server: server.to_owned(), place: "any address".to_owned(), problem }
        })
}

pub(super) fn headers(
    server: &str,
    headers: &BTreeMap<String, SecretString>,
) -> Result<HashMap<HeaderName, HeaderValue>, McpError> {
    headers
        .iter()
        .map(|(name, value)| {
            let wrong = |part: &str| McpError::Unreachable {
                server: server.to_owned(),
                place: format!("headers.{name}"),
                problem: format!("its {part} is not one that HTTP takes"),
            };
            let header = HeaderName::try_from(name.as_str()).map_err(|_| wrong("name"))?;
            let mut value = HeaderValue::try_from(value.expose_secret()).map_err(|_| wrong("value"))?;
            value.set_sensitive(true);
            Ok((header, value))
        })
        .collect()
}

/// What the server said about signing in, if that is why it did not do what it was asked.
pub(super) fn challenge(error: &(dyn StdError + 'static)) -> Option<String> {
    causes(error).find_map(|cause| {
        let required = cause.downcast_ref::<AuthRequiredError>().map(|cause| &cause.www_authenticate_header);
        let scope =
            cause.downcast_ref::<InsufficientScopeError>().map(|cause| &cause.www_authenticate_header);
        required.or(scope).cloned()
    })
}

/// Whether a request surely did not reach the server: the host was not reached, or nobody reads the pipe any more.
pub(super) fn never_left(error: &(dyn StdError + 'static)) -> bool {
    causes(error).any(|cause| {
        let http = cause.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_connect);
        let pipe =
            cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        http || pipe
    })
}

/// The innermost cause says most: outer layers repeat the names of types.
pub(super) fn innermost(error: &(dyn StdError + 'static)) -> String {
    causes(error).last().map(|cause| words(&cause.to_string())).unwrap_or_default()
}

fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn StdError + 'static)| {
        let error: &'a (dyn StdError + 'static) = *error;
        match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            // The SDK does not call the client's error its source.
            Some(StreamableHttpError::Client(inner)) => Some(inner as &(dyn StdError + 'static)),
            Some(_) | None => error.source(),
        }
    })
}
