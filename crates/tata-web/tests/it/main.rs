//! The server, over real sockets, with a planned model.
//!
//! `support` starts one and speaks to it. `doors` goes over every route that the document names: a route without a row in
//! its table fails.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod accounts;
mod artifacts;
mod branches;
mod budgets;
mod compatible;
mod doors;
mod files;
mod histories;
mod leaving;
mod owners;
mod pages;
mod sessions;
mod sockets;
mod support;
mod trees;
mod turns;
mod verdicts;
