//! The words of Tata, and the ports its adapters fill.
//!
//! This crate knows what a conversation is: [`Message`]s of ordered [`Block`]s, [`ToolCall`]s with their two
//! ids, the [`Reply`] that a [`Model`] gives and how it ended. It does **not** know HTTP, SQL, vectors, MCP,
//! recruiting, any vendor's name, environment variables or the disk; adapters translate at the edge, once.

mod budget;
mod error;
mod history;
mod id;
mod json;
mod message;
mod model;
mod reply;
mod tool;
mod usage;
mod warning;

pub use budget::{Budget, Fitted, estimate_tokens, fit};
pub use error::{ArgumentsError, ModelError, ModelErrorKind, Phase, ToolNameError};
pub use history::{Paired, pair_calls_with_results};
pub use id::{CallId, IdOrigin, ItemId};
pub use json::{NotJson, RawJson};
pub use message::{Block, Message, Opaque, Origin, Reasoning, Refusal, Role, Text};
pub use model::{Delivery, Model, ModelEvent, ModelRequest, OutputFormat, ReplyStream, ToolChoice, collect};
pub use reply::{CallIdCounts, Outcome, Reply, Stop, StopReason};
pub use tool::{
    CallKind, CallState, MAX_TOOL_NAME, ResultPart, ToolCall, ToolDefinition, ToolResult, check_tool_name,
};
pub use usage::{Cost, Prices, Usage};
pub use warning::{WireWarning, WireWarningCode};
