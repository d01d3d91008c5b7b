//! One conversation and what is known of it at a glance.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The id of a session: a random UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(Uuid);

impl SessionId {
    /// A new id that nobody else has.
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is not the id of a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not the id of a session: it must be a version 4 UUID such as 1b4e28ba-2fa1-4d2b-883f-0016d3cca427"
)]
pub struct NotASessionId(String);

impl FromStr for SessionId {
    type Err = NotASessionId;

    fn from_str(text: &str) -> Result<Self, NotASessionId> {
        Uuid::parse_str(text)
            .ok()
            .filter(|id| id.get_version_num() == 4)
            .map(Self)
            .ok_or_else(|| NotASessionId(text.to_owned()))
    }
}

/// A conversation at a glance. What was said is in its journal.
#[doc(alias = "ConversationSession")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Its id.
    #[serde(rename = "session_id")]
    pub id: SessionId,
    /// The agent it talks with.
    pub agent: String,
    /// A name for people; the first words said until somebody gives it a better one.
    pub title: Option<String>,
    /// The company it belongs to, where companies are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// Whose it is, where users are known.
    pub user_id: Option<String>,
    /// The model chosen for it, if another than the agent's.
    pub model: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When something was last said.
    pub updated_at: Timestamp,
    /// Messages of the person.
    pub turn_count: u32,
    /// Searches in documents.
    pub retrieval_count: u32,
    /// Tokens, as far as they were reported.
    pub total_tokens_used: u64,
    /// A turn is not finished: it runs, waits for a person, or was interrupted.
    pub open_turn: bool,
    /// The position of its last journal entry; 0 when nothing was said yet.
    pub last_position: u64,
    /// Its owner deleted it, and can take that back until then. Until it is carried out, no list shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delete_at: Option<Timestamp>,
}

/// What a new session needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// The agent it talks with.
    pub agent: String,
    /// A name for people.
    pub title: Option<String>,
    /// The company it belongs to.
    pub tenant_id: Option<String>,
    /// Whose it is.
    pub user_id: Option<String>,
    /// The model chosen for it, if another than the agent's.
    pub model: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
}

impl NewSession {
    /// A session with an agent.
    pub fn with(agent: impl Into<String>, created_at: Timestamp) -> Self {
        Self {
            id: SessionId::random(),
            agent: agent.into(),
            title: None,
            tenant_id: None,
            user_id: None,
            model: None,
            created_at,
        }
    }

    /// The session as it is when nothing was said yet.
    pub fn into_session(self) -> Session {
        Session {
            id: self.id,
            agent: self.agent,
            title: self.title,
            tenant_id: self.tenant_id,
            user_id: self.user_id,
            model: self.model,
            created_at: self.created_at,
            updated_at: self.created_at,
            turn_count: 0,
            retrieval_count: 0,
            total_tokens_used: 0,
            open_turn: false,
            last_position: 0,
            delete_at: None,
        }
    }
}

/// What can be changed about a session from outside its turns. `None` leaves a thing as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionChange {
    /// A new name.
    pub title: Option<String>,
    /// Another model; `Some(None)` goes back to the agent's.
    pub model: Option<Option<String>>,
    /// When it is to be deleted; `Some(None)` takes that back.
    pub delete_at: Option<Option<Timestamp>>,
}

/// Which sessions to list, the last used first. Those that are to be deleted are in no list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// Only this company's.
    pub tenant_id: Option<String>,
    /// Only this person's.
    pub user_id: Option<String>,
    /// Only with this agent.
    pub agent: Option<String>,
    /// Only those whose title contains this, letter case aside.
    pub title_contains: Option<String>,
    /// Only ids that begin with this.
    pub id_prefix: Option<String>,
    /// Only those with documents.
    pub with_documents: bool,
    /// Only those in which one entry of the journal may have all of these words, letter case aside. None that has them is
    /// left out; some that do not may be in.
    pub mentions: Vec<String>,
    /// At most so many.
    pub limit: Option<u32>,
}
