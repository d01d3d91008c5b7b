//! The two identities of a tool call, as two types.
//!
//! Providers announce a call with an *item id* (where its pieces arrive) and a *call id* (what its result must
//! carry). Mixing them up is the most common defect of agent runtimes, so here the compiler refuses it.

use std::fmt;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// The key of a tool call: state, log lines and results all use it.
#[doc(alias = "call_id")]
#[doc(alias = "tool_call_id")]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(SmolStr);

/// The provider's own id of an output item. Routes stream pieces; never pairs a result with its call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ItemId(SmolStr);

/// How a [`CallId`] came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdOrigin {
    /// The provider sent it.
    #[default]
    Given,
    /// The provider sent none; its item id stands in.
    ItemId,
    /// Neither was sent, or it was not unique: we made one.
    Minted,
}

macro_rules! text_id {
    ($name:ident) => {
        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Takes a non-empty id; an empty one is an absent one.
            pub fn non_empty(text: &str) -> Option<Self> {
                (!text.trim().is_empty()).then(|| Self(text.into()))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(CallId);
text_id!(ItemId);
