//! For tests only: what stands in for paid APIs, and what breaks them.
//!
//! - [`ScriptedModel`] answers from a script and keeps the requests it got.
//! - [`PlannedModel`] answers as a function of the request, so that a resumed turn hears the same.
//! - [`CountingTool`] counts what it really did, in [`Runs`] that outlive a dropped turn.
//! - [`Upstream`] is an HTTP server on loopback that sends scripted *bytes*: cut, stalled, dripped, split
//!   anywhere, with any status and header.
//! - [`cassette`] records real traffic, secrets scrubbed, and plays it back.
//! - [`store`] is the contract that every store keeps, one small case for each rule.
//! - [`dishonest`] has models that invent, forge, retype, confirm for others, obey a pasted text, flatter and forget.
//! - [`conversation`] generates histories; [`script`] writes one turn in the words of each wire.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

pub mod cassette;
pub mod conversation;
pub mod dishonest;
mod planned;
pub mod script;
mod scripted;
pub mod store;
mod tools;
mod upstream;

pub use planned::{Answer, PlannedModel};
pub use scripted::{Script, ScriptedModel};
pub use tools::{CountingTool, Runs};
pub use upstream::{Captured, Exchange, Framing, Upstream};
