//! What the modules promise, over all languages.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod candidate;
mod invite;
mod profiles;
mod project;
