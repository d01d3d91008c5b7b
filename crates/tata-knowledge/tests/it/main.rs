//! The crate from outside.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
#![expect(clippy::print_stdout, reason = "what was skipped or measured is told")]
#![expect(clippy::format_collect, reason = "texts for tests are made as they read best")]

mod contract;
mod embedders;
mod ingesting;
mod kill;
mod minority;
mod properties;
mod qdrant;
mod quality;
mod searching;
mod tools;
mod web;
mod world;
