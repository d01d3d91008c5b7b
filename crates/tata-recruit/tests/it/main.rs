//! What the modules promise, over all languages.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod candidate;
mod funnel;
mod gate;
mod headhunting;
mod inclusion;
mod invite;
mod job_ad;
mod notes;
mod profile;
mod profiles;
mod project;
mod screening;
