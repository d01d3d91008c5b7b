//! The way to a directory, and whether it is safe.

use std::{future::Future, pin::Pin, sync::Arc};

/// One request to the directory.
#[derive(Clone, Debug, Default)]
pub struct FetchRequest {
    /// Where to.
    pub address: String,
    /// Fields that are posted; without any it is a GET.
    pub form: Vec<(String, String)>,
    /// The header `Authorization`.
    pub authorization: Option<String>,
}

/// Asks the directory; what comes back is the body of a success, or why there is none.
pub type Fetch = Arc<dyn Fn(FetchRequest) -> FetchFuture + Send + Sync>;

/// An answer of the directory to come.
pub type FetchFuture = Pin<Box<dyn Future<Output = Result<Vec<u8>, String>> + Send>>;

/// Whether a host is the one this runs on.
pub(super) fn is_this_machine(authority: &str) -> bool {
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// Whether nobody on the way can read or change what an address tells.
pub(super) fn is_safe(address: &str) -> bool {
    match address.split_once("://") {
        Some(("https", rest)) => !rest.is_empty(),
        Some(("http", rest)) => is_this_machine(rest.split('/').next().unwrap_or_default()),
        _ => false,
    }
}
