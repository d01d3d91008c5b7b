//! OpenAI Responses.

pub(crate) mod decode;
mod early;
pub(crate) mod encode;
mod ending;
mod items;
mod lookup;
mod plain;
pub(crate) mod read;
mod reconcile;
mod slot;
mod usage;
mod wire;
