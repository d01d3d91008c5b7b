//! Which wire a server really speaks. `OPENAI_BASE_URL` means Responses, and many servers behind it know only Chat
//! Completions: such a one is asked that way, from then on.
//!
//! Only an address that somebody configured is asked twice: the vendor's own is known to speak its wire.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use tata_core::{ModelError, ModelErrorKind};

use crate::{ChatTools, ModelSpec, ProviderSpec, Quirks, Wire, catalog::neutral};

/// Addresses that answered on Chat Completions and not on Responses. Models are made anew for every turn; what was learned
/// about their server lasts as long as the program.
static CHAT_ONLY: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Whether this address is known to have no Responses.
pub(crate) fn is_chat_only(base_url: &str) -> bool {
    CHAT_ONLY.lock().unwrap_or_else(PoisonError::into_inner).contains(base_url)
}

/// Remembers that it has none.
pub(crate) fn remember_chat_only(base_url: &str) {
    CHAT_ONLY.lock().unwrap_or_else(PoisonError::into_inner).insert(base_url.to_owned());
}

/// Whether a model may be asked on Chat Completions if its server has no Responses.
pub(crate) fn may_change(spec: &ModelSpec, provider: &ProviderSpec, base_url: &str) -> bool {
    let own = |known: &String| known.trim_end_matches('/') == base_url.trim_end_matches('/');
    spec.wire == Wire::Responses && provider.base_url.as_ref().is_some_and(|known| !own(known))
}

/// What servers say about a path that they do not have, where the status does not.
const NO_SUCH_PATH: [&str; 4] =
    ["unexpected endpoint or method", "unknown route", "unknown endpoint", "cannot post"];

/// Whether a failure says that the server has no such path. A model that is not there is something else.
pub(crate) fn has_no_such_path(error: &ModelError) -> bool {
    let message = error.message.as_deref().unwrap_or_default().to_ascii_lowercase();
    match error.status {
        Some(405 | 501) => true,
        Some(404) => !message.contains("model") && error.code.as_deref() != Some("model_not_found"),
        Some(_) | None => NO_SUCH_PATH.iter().any(|sign| message.contains(sign)),
    }
}

/// The same failure, named as what it is, with what helps.
pub(crate) fn no_such_path(mut error: ModelError, wire: Wire) -> ModelError {
    error.kind = ModelErrorKind::UnreadableResponse;
    let other = match wire {
        Wire::Responses => {
            "; a server that speaks Chat Completions needs a provider with `wire: chat` in models.yaml"
        }
        Wire::Chat | Wire::Messages => "",
    };
    error
        .with_detail(format!("the server has no /{} at this address: check the base URL{other}", wire.path()))
}

/// The model and its provider as a compatible server wants them asked.
pub(crate) fn on_chat(spec: &ModelSpec, provider: &ProviderSpec) -> (ModelSpec, ProviderSpec) {
    let mut spec = ModelSpec { wire: Wire::Chat, ..spec.clone() };
    // What the vendor's own server refuses says nothing about this one.
    spec.capabilities.chat_tools = ChatTools::Yes;
    let quirks = Quirks { max_tokens: true, ..neutral(Wire::Chat).1.quirks };
    (spec, ProviderSpec { wire: Wire::Chat, quirks, ..provider.clone() })
}
