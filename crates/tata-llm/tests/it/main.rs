//! The clients as their users see them: streams in, replies out; requests out, upstream faults in.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::wildcard_enum_match_arm,
    reason = "tests fail by panicking, and pick what they look at"
)]

mod call_ids;
mod cassettes;
mod cross_provider;
mod legacy;
mod live;
mod peers;
mod properties;
mod regressions;
mod requests;
mod secrets;
mod strange_servers;
mod support;
mod transcript;
mod transport;
mod wire_cases;
