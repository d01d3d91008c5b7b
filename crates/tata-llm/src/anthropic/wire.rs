//! The JSON of the Messages API, as far as we read it.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::lenient::{Index, Raws, Str};

/// Any event of the stream, flat.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Event<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    pub(super) index: Index,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content_block: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// The delta of a block or of the message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) text: Str<'a>,
    #[serde(borrow)]
    pub(super) partial_json: Str<'a>,
    #[serde(borrow)]
    pub(super) thinking: Str<'a>,
    #[serde(borrow)]
    pub(super) signature: Str<'a>,
    #[serde(borrow)]
    pub(super) citation: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) stop_reason: Str<'a>,
    #[serde(borrow)]
    pub(super) stop_sequence: Str<'a>,
    #[serde(borrow)]
    pub(super) stop_details: Option<&'a RawValue>,
}

/// The message of `message_start`, or a whole body.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct WholeMessage<'a> {
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow)]
    pub(super) model: Str<'a>,
    #[serde(borrow)]
    pub(super) content: Raws<'a>,
    #[serde(borrow)]
    pub(super) stop_reason: Str<'a>,
    #[serde(borrow)]
    pub(super) stop_sequence: Str<'a>,
    #[serde(borrow)]
    pub(super) stop_details: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// A content block, of a reply or of a request.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ContentBlock<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Str<'a>,
    #[serde(borrow)]
    pub(crate) text: Str<'a>,
    #[serde(borrow)]
    pub(crate) citations: Raws<'a>,
    #[serde(borrow)]
    pub(crate) thinking: Str<'a>,
    #[serde(borrow)]
    pub(crate) signature: Str<'a>,
    #[serde(borrow)]
    pub(crate) data: Str<'a>,
    #[serde(borrow)]
    pub(crate) id: Str<'a>,
    #[serde(borrow)]
    pub(crate) name: Str<'a>,
    #[serde(borrow)]
    pub(crate) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) tool_use_id: Str<'a>,
    #[serde(borrow)]
    pub(crate) content: Option<&'a RawValue>,
    pub(crate) is_error: Option<bool>,
    #[serde(borrow)]
    pub(crate) caller: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) toolset_name: Option<&'a RawValue>,
}

/// Whether the provider runs this block's tool itself, or reports such a run.
pub(super) fn is_provider_block(kind: &str) -> bool {
    matches!(
        kind,
        "server_tool_use" | "mcp_tool_use" | "container_upload" | "image" | "document" | "compaction"
    ) || kind.ends_with("_tool_result")
}
