//! The program as its users run it, and the rules of the house.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod answers;
mod ask;
mod audit;
mod canary;
mod circles;
mod claims;
mod conversations;
mod degraded;
mod demo;
mod dishonest;
mod doctor;
mod documents;
mod erasure;
mod examples;
mod gateway;
mod guided;
mod intake;
mod listener;
mod live;
mod mcp;
mod mcp_people;
mod models;
mod program;
mod pty;
mod reviews;
mod seen;
mod serve;
mod sessions;
mod tidy;
mod trust;
mod walls;
