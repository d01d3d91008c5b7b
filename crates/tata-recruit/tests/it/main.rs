//! What the modules promise, over all languages.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod funnel;
mod gate;
mod headhunting;
mod candidate;
mod invite;
mod notes;
mod profile;
mod job_ad;
mod profiles;
mod project;
mod screening;
