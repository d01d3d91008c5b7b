//! What the modules promise, over all languages.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod invite;
mod profiles;
mod project;
