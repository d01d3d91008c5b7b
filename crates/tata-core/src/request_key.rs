//! Requests that are served once: who sends one again under the same key gets the same answer, from whichever process.

use jiff::Timestamp;

use crate::SessionId;

/// A key under which a request is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey {
    /// Who asks, for what, and the key they chose.
    pub name: String,
    /// SHA-256 of what they sent: another request under the same key is a mistake.
    pub digest: String,
    /// The session it is about; its answer is gone with the session.
    pub session: Option<SessionId>,
    /// When it came.
    pub at: Timestamp,
    /// What was answered; none while it is being served.
    pub answer: Option<String>,
}
