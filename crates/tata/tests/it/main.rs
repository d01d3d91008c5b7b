//! The program as its users run it, and the rules of the house.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod ask;
mod conversations;
mod demo;
mod doctor;
mod examples;
mod guided;
mod live;
mod models;
mod program;
mod pty;
mod reviews;
mod sessions;
mod tidy;
mod walls;
