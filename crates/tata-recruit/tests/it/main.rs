//! What the modules promise, over all languages.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod invite;
mod job_ad;
mod profiles;
mod project;
