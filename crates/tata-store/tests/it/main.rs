//! The stores, through their ports: one contract for all, and what is special about each.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod damage;
mod memory;
mod place;
mod postgres;
mod sqlite;
