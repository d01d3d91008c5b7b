//! The text gate: what it refuses, and what it must let through.

mod identification;
mod rules;
