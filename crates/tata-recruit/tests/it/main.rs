//! What the modules promise, over all languages.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod ad_review;
mod call_order;
mod candidate;
mod di_review;
mod funnel;
mod gate;
mod grounds;
mod guided;
mod headhunting;
mod inclusion;
mod invite;
mod job_ad;
mod law;
mod long;
#[path = "../../../tata/src/commands/review/measure.rs"]
mod measure;
mod notes;
mod older;
mod plain_words;
mod profile;
mod profiles;
mod project;
mod reword;
mod screening;
mod withheld;
