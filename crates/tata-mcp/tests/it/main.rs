//! Servers as they are met in the world: slow, lying, flooding, dying. Requirements C1–C3 (calls and their ids end to end)
//! and D7 (agents with MCP tools run to completion).
#![expect(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "tests fail by panicking, and pick what they look at"
)]

mod fixture;
mod http;
mod processes;
mod rogue;
mod serving;
mod turns;
