//! OpenAI Responses.

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod read;
mod slot;
mod usage;
mod wire;
