//! The clients as their users see them: streams in, replies out; requests out, upstream faults in.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod wire_cases;
