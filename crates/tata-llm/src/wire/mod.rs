//! What the three wires share: reading leniently, assembling a reply, naming errors, mapping ids.

pub(crate) mod assembly;
pub(crate) mod dialect;
pub(crate) mod draft;
pub(crate) mod encode;
pub(crate) mod error_body;
pub(crate) mod ids;
pub(crate) mod lenient;
pub(crate) mod places;
pub(crate) mod read;
pub(crate) mod schema;
pub(crate) mod shape;
pub(crate) mod shown;

use serde::{Deserialize, Serialize};

/// The three protocols we speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// OpenAI Responses.
    Responses,
    /// OpenAI Chat Completions and everything compatible with it.
    Chat,
    /// Anthropic Messages.
    Messages,
}

impl Wire {
    /// Its name in configuration and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Responses => "responses",
            Self::Chat => "chat",
            Self::Messages => "messages",
        }
    }

    /// Its name in a sentence.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Responses => "OpenAI Responses",
            Self::Chat => "Chat Completions",
            Self::Messages => "Anthropic Messages",
        }
    }

    /// The path below the base URL.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Responses => "responses",
            Self::Chat => "chat/completions",
            Self::Messages => "messages",
        }
    }
}
