//! For tests only: what stands in for paid APIs, and what breaks them.
//!
//! - [`ScriptedModel`] answers from a script and keeps the requests it got.
//! - [`Upstream`] is an HTTP server on loopback that sends scripted *bytes*: cut, stalled, dripped, split
//!   anywhere, with any status and header.
//! - [`cassette`] records real traffic, secrets scrubbed, and plays it back.
//! - [`conversation`] generates histories; [`script`] writes one turn in the words of each wire.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

pub mod cassette;
pub mod conversation;
pub mod script;
mod scripted;
mod upstream;

pub use scripted::{Script, ScriptedModel};
pub use upstream::{Captured, Exchange, Framing, Upstream};
