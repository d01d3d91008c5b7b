//! Anthropic Messages.

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod read;
mod usage;
mod wire;
