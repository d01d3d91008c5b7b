//! OpenAI Responses.

pub(crate) mod decode;
pub(crate) mod encode;
mod ending;
mod items;
mod plain;
pub(crate) mod read;
mod slot;
mod usage;
mod wire;
