//! The words of Tata, and the ports its adapters fill.
//!
//! This crate knows what a conversation is: [`Message`]s of ordered [`Block`]s, [`ToolCall`]s with their two
//! ids, the [`Reply`] that a [`Model`] gives and how it ended. It does **not** know HTTP, SQL, vectors, MCP,
//! recruiting, any vendor's name, environment variables or the disk; adapters translate at the edge, once.

mod account;
mod account_name;
mod agent;
mod alarm;
mod artifact;
mod audit;
mod budget;
mod chat_mark;
mod check;
mod citation;
mod clock;
mod conversation;
mod damage;
mod definition;
mod desk;
mod direct;
mod error;
mod event;
mod feed;
mod file;
mod fingerprint;
mod fork;
mod form;
mod history;
mod host;
mod id;
mod intake;
mod journal;
mod json;
mod ledger;
mod material;
mod message;
mod model;
mod near;
mod reply;
mod request_key;
mod scope;
mod session;
mod store;
mod take_over;
mod tool;
mod tool_error;
mod toolbox;
mod unexpected;
mod usage;
mod verifier;
mod visible;
mod warning;
mod yaml;

pub use account::{
    AccessToken, Account, AccountRole, BadAccountName, DirectoryPerson, LONGEST_ACCOUNT_NAME, LONGEST_IDLE,
    TokenKind, check_account_name, hash_secret,
};
pub use account_name::name_key;
pub use agent::{
    Agent, AgentMemory, AgentParts, EventStream, Input, Limits, MOVED_ON, StateNote, says_no, says_yes,
};
pub use alarm::Alarm;
pub use artifact::{Approval, Artifact, ArtifactIndex, ArtifactKind, ArtifactName, NewArtifact};
pub use audit::{Actor, AuditEntry, BrokenChain, NewAudit, verify_chain};
pub use budget::{Budget, Fitted, estimate_tokens, fit};
pub use chat_mark::{ChatMark, ChatMarks, MOST_CHAT_MARKS};
pub use check::{Acts, check_chain, check_session, missing_positions};
pub use citation::{AnswerCheck, AnswerToCheck, CheckedAnswer, CheckedSentence, Citation, Gap};
pub use clock::Clock;
pub use conversation::{Conversation, MOST_CALLS};
pub use damage::{Damage, DamageKind, Listing, Lost, Salvage, Verified};
pub use definition::{
    AgentConfig, AgentSettings, InvalidValue, MAX_TOKENS, McpServer, ModelKnown, Surroundings, Verify,
    read_agent,
};
pub use desk::{Desk, DeskError, LONGEST_TITLE, MOST_COMMENT_BYTES, Person, Readiness, SHORTEST_ID};
pub use direct::{DirectCall, said_by_hand};
pub use error::{ArgumentsError, ModelError, ModelErrorKind, Phase, ToolNameError};
pub use event::{CallReport, Event, ToolEnd, ToolStart, TurnOutcome, TurnReport};
pub use feed::{Feed, Feeder};
pub use file::{NewFile, StoredFile};
pub use fork::fork;
pub use form::{Field, FieldKind, Form, FormFuture, put};
pub use history::{Paired, pair_calls_with_results};
pub use host::{EventId, Following, NotAnEventId, NotStarted, Observer, Spawn, Told, TurnHost};
pub use id::{CallId, IdOrigin, ItemId};
pub use intake::{MOST_ARGUMENT_BYTES, MOST_MESSAGE_BYTES, MessageTooLarge, check_message};
pub use journal::{
    About, Decision, Entry, Limit, Question, QuestionReason, Record, ReplyOutcome, TurnEnd, Verdict,
    verdict_of,
};
pub use json::{NotJson, RawJson, Verbatim};
pub use ledger::{Feedback, Rating, UsageRow, UsageTotal};
pub use material::{Material, MaterialId, Materials, NotAMaterialId};
pub use message::{Block, Blocks, Message, Opaque, Origin, Reasoning, Refusal, Role, Text};
pub use model::{
    Delivery, Model, ModelChoice, ModelEvent, ModelRequest, Name, OutputFormat, Piece, ReplyStream,
    ToolChoice, at_once, collect,
};
pub use near::near;
pub use reply::{CallIdCounts, Outcome, Reply, Stop, StopReason};
pub use request_key::RequestKey;
pub use scope::{Scope, ScopedStore};
pub use session::{NewSession, NotASessionId, Session, SessionChange, SessionFilter, SessionId};
pub use store::{
    Accounts, Artifacts, Audit, Batch, Begun, Files, Journal, Keys, Lease, Ledger, Sessions, Signals, Store,
    StoreError, StoreFuture, Upkeep,
};
pub use take_over::{PastStep, TakenOver, take_over};
pub use tool::{
    CallKind, CallState, Effect, Image, MAX_TOOL_NAME, ResultPart, ToolCall, ToolDefinition, ToolResult,
    check_tool_name,
};
pub use tool_error::{Problem, ToolError, ToolFailure, ToolStatus};
pub use toolbox::{
    Act, Executed, LackingFuture, MadeArtifact, Offer, OfferFuture, READ_MATERIAL, READ_OUTPUT,
    RefusalFuture, RegistryError, Tool, ToolContext, ToolExecutor, ToolFuture, ToolOutput, ToolRegistry,
    ToolSpec, WordsFuture, schema_of, typed_tool,
};
pub use unexpected::{panic_code, panic_message};
pub use usage::{Cost, Prices, Usage};
pub use verifier::{Objection, Statement, Verifier};
pub use visible::{replace_hidden, visible};
pub use warning::{WireWarning, WireWarningCode};
pub use yaml::{FileError, from_yaml};
