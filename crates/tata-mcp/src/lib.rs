//! MCP: the tools of any server as tools of ours, and tools of ours for any client.
//!
//! This crate owns the SDK (`rmcp`); no type of it leaves. It does **not** know which tools exist, what they mean, what an
//! agent is for, or where configuration comes from: files are handed to it as text, the environment as a function.

mod client;
mod config;
mod error;
mod names;
mod process;
mod serve;
mod servers;

pub use client::{
    Answer, Asker, ClientOptions, Elicitation, Elicited, ElicitedField, FieldKind, Hints, LeftOut, Loopback,
    McpClient, SignIn, State, Status, Vault, Visit,
};
pub use config::{ConfigError, Declared, Parsed, Reach, ServerConfig, parse_servers, servers_json};
pub use error::McpError;
pub use names::fitted_name;
pub use process::INHERITED;
pub use serve::{
    About, AgentOffer, AgentOfferParts, Call, Called, Caller, CannotAsk, Given, HttpBody, HttpOptions,
    HttpService, Offer, OfferedTool, Offering, Part, Principal, Prompt, PromptField, Resource, Said, Show,
    Speaker, Template, serve_pipes, serve_stdio,
};
pub use servers::Servers;
