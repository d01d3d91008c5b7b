//! The agent, driven by scripted models.
//!
//! `support` is a small world of a store, a session and an agent; `shaky` is a store that pauses, fails and remembers.
//! Every turn that the tests listen to is checked for what holds always: see `support::told`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests fail by panicking, and pick what they look at"
)]

mod agents;
mod approval;
mod branches;
mod cancel;
mod decisions;
mod definitions;
mod desk;
mod durable;
mod fallback;
mod faults;
mod history;
mod host;
mod intake;
mod limits;
mod properties;
mod resume;
mod shaky;
mod strange;
mod support;
mod tools;
mod trouble;
mod turn;
