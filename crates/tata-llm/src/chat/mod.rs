//! OpenAI Chat Completions, and the many servers that imitate it.

pub(crate) mod decode;
pub(crate) mod encode;
mod lookup;
pub(crate) mod read;
mod usage;
mod wire;

pub use read::{messages_from_json, messages_to_json};
