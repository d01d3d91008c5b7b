//! Whose conversation a request belongs to, as its client says.

use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::history::Hash;
use crate::state::App;

/// Headers by which known clients name one conversation: Codex, opencode and others, Open WebUI, LiteLLM, Claude Code.
const CONVERSATIONS: [&str; 9] = [
    "session_id",
    "session-id",
    "conversation_id",
    "x-session-id",
    "x-conversation-id",
    "x-chat-id",
    "x-openwebui-chat-id",
    "x-litellm-session-id",
    "x-claude-code-session-id",
];

/// Headers by which they name one of several people who share a key.
const PEOPLE: [&str; 4] =
    ["x-openwebui-user-id", "x-openwebui-user-email", "x-litellm-end-user-id", "x-litellm-customer-id"];

/// Members of `metadata` by which they name one conversation.
const METADATA: [&str; 5] = ["session_id", "sessionId", "conversation_id", "chat_id", "thread_id"];

/// Fields of a body that say whose conversation it is.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub(super) struct IdentityFields {
    /// One of several people who share a key.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    user: Option<Value>,
    /// The same, by its newer name.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    safety_identifier: Option<Value>,
    /// What the conversations of one use of the key share.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    prompt_cache_key: Option<Value>,
    /// The conversation.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    session_id: Option<Value>,
    /// It may name the conversation as `session_id`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    metadata: Option<Value>,
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

/// Whose conversation a request belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    /// What is told, by its name. All of it must be the same for a history to be the same.
    parts: Vec<(&'static str, String)>,
    /// The client named this one conversation: whatever was said under the name was said to it.
    pub(super) proves: bool,
}

impl Identity {
    /// What a request tells.
    pub(super) fn of(fields: &IdentityFields, headers: &HeaderMap) -> Self {
        let mut identity = Self::default();
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        for name in PEOPLE {
            identity.add(name, header(name), false);
        }
        identity.add("user", text(fields.user.as_ref()), false);
        identity.add("safety_identifier", text(fields.safety_identifier.as_ref()), false);
        // Made for caches: many conversations may share one.
        identity.add("prompt_cache_key", text(fields.prompt_cache_key.as_ref()), false);
        for name in CONVERSATIONS {
            identity.add(name, header(name), true);
        }
        identity.add("body.session_id", text(fields.session_id.as_ref()), true);
        for name in METADATA {
            let value = fields.metadata.as_ref().and_then(|metadata| metadata.get(name));
            identity.add(name, text(value), true);
        }
        identity
    }

    fn add(&mut self, name: &'static str, value: Option<String>, proves: bool) {
        if let Some(value) = value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()) {
            self.parts.push((name, value));
            self.proves |= proves;
        }
    }

    /// A digest of whoever asks, by account or name, of the agent they ask, and of what the client tells.
    pub(super) fn digest(&self, app: &App, agent: &str) -> String {
        let person = &app.services.person;
        let mut hash = Hash::new("whose");
        hash.add(person.user_id.as_deref().unwrap_or(&person.name));
        hash.add(agent);
        for (name, value) in &self.parts {
            hash.add(name);
            hash.add(value);
        }
        hash.done()
    }
}
