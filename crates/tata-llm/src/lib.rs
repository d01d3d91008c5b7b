//! Model clients: three wires, one transport, one catalog, all behind tata-core's `Model` port.
//!
//! Each wire is a folder of the same anatomy: `wire.rs` (what the server sends, read tolerantly), `decode.rs`
//! (frames to events, a pure state machine), `encode.rs` (a request to bytes, pure), `read.rs` (a request of
//! that wire back to ours). HTTP, framing, retries and redaction exist once, in `transport/`. A compatible
//! vendor is an entry in `models.yaml`, not a folder.
//!
//! This crate does **not** know sessions, what tools mean, or when a *turn* is tried again: it repeats only a
//! *request*, and only while nothing of the answer has been shown.

mod anthropic;
mod catalog;
mod chat;
mod endpoint;
mod listing;
mod metrics;
mod model;
mod reader;
mod request;
mod responses;
mod transport;
mod wire;
mod wire_choice;

pub use catalog::{
    Auth, Capabilities, Catalog, ChatTools, ModelSpec, ModelStatus, ProviderSpec, Quirks, Thinking,
    UnknownModel,
};
pub use chat::{messages_from_json, messages_to_json};
pub use endpoint::Endpoint;
pub use metrics::{Counts, Metrics};
pub use model::HttpModel;
pub use reader::ReplyReader;
pub use request::{encode_request, read_request};
pub use transport::{Retry, Timeouts, Transport, TransportError};
pub use wire::{
    Wire,
    read::{MessageError, ReadError},
};
