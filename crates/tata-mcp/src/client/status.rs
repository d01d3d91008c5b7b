//! What is known of a server.

use std::sync::Arc;

use super::list::{LeftOut, Listed};
use crate::McpError;

/// What was learned of the server last.
#[derive(Default)]
pub(super) struct Known {
    pub(super) state: State,
    pub(super) listed: Arc<Listed>,
    pub(super) protocol: Option<String>,
    pub(super) introduced: Option<String>,
}

/// Whether a server can be used.
#[derive(Clone, Debug, Default)]
pub enum State {
    /// Nobody has asked yet.
    #[default]
    Idle,
    /// Connected.
    Ready,
    /// It was connected and is gone; the next call tries once more.
    Lost,
    /// It could not be connected.
    Failed(Arc<McpError>),
    /// We said goodbye.
    Closed,
}

/// What there is to know of a server.
#[derive(Clone, Debug)]
pub struct Status {
    /// Its name.
    pub server: String,
    /// Its command or address, without secrets.
    pub place: String,
    /// Whether it can be used.
    pub state: State,
    /// The tools it offers, by the names models see.
    pub tools: Vec<String>,
    /// The tools it offers that cannot be used, and why.
    pub left_out: Vec<LeftOut>,
    /// The version of the protocol that is spoken.
    pub protocol: Option<String>,
    /// How it calls itself.
    pub introduced: Option<String>,
    /// How often it was connected.
    pub connects: u64,
}
