//! The JSON of the Responses API, as far as we read it. Tolerant: unknown fields pass, wrong types are absent.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::lenient::{Index, List, Raws, Str};

/// Any event of the stream, flat. What only few events need stays raw until one does. The defaults stand at the fields:
/// at the struct, every event would begin with a whole one.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Event<'a> {
    #[serde(borrow, default, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow, default)]
    pub(super) item_id: Str<'a>,
    #[serde(borrow, default)]
    pub(super) call_id: Str<'a>,
    #[serde(default)]
    pub(super) output_index: Index,
    #[serde(default)]
    pub(super) content_index: Index,
    #[serde(default)]
    pub(super) summary_index: Index,
    #[serde(borrow, default)]
    pub(super) delta: Str<'a>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) item: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) annotation: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) response: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// What tells one item from another; the rest is passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ItemHead<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Str<'a>,
    #[serde(borrow)]
    pub(crate) id: Str<'a>,
    #[serde(borrow)]
    pub(crate) call_id: Str<'a>,
    #[serde(borrow)]
    pub(crate) name: Str<'a>,
}

/// A whole item. What its type does not have is absent.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Item<'a> {
    #[serde(borrow, default, rename = "type")]
    pub(crate) kind: Str<'a>,
    #[serde(borrow, default)]
    pub(crate) id: Str<'a>,
    #[serde(borrow, default)]
    pub(crate) call_id: Str<'a>,
    #[serde(borrow, default)]
    pub(crate) name: Str<'a>,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) input: Str<'a>,
    #[serde(borrow, default)]
    pub(crate) status: Str<'a>,
    #[serde(borrow, default)]
    pub(crate) phase: Str<'a>,
    #[serde(borrow, default)]
    pub(crate) content: List<Part<'a>>,
    #[serde(borrow, default)]
    pub(crate) summary: List<Part<'a>>,
    #[serde(borrow, default)]
    pub(crate) encrypted_content: Str<'a>,
    #[serde(borrow)]
    pub(crate) namespace: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) caller: Option<&'a RawValue>,
}

/// A content or summary part.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Str<'a>,
    #[serde(borrow)]
    pub(crate) text: Str<'a>,
    #[serde(borrow)]
    pub(crate) refusal: Str<'a>,
    #[serde(borrow)]
    pub(crate) annotations: Raws<'a>,
}

/// The response object of the opening and the terminal events, and of a whole body.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Response<'a> {
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow)]
    pub(super) model: Str<'a>,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
    #[serde(borrow)]
    pub(super) service_tier: Str<'a>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) incomplete_details: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) output: Raws<'a>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct IncompleteDetails<'a> {
    #[serde(borrow)]
    pub(super) reason: Str<'a>,
}

/// Item types that the provider runs itself, or that echo such runs. Kept as they are, never run by us.
pub(crate) const PROVIDER_ITEMS: [&str; 24] = [
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "tool_search_call",
    "tool_search_output",
    "program",
    "program_output",
    "additional_tools",
    "compaction",
    "local_shell_call",
    "local_shell_call_output",
    "shell_call",
    "shell_call_output",
    "apply_patch_call",
    "apply_patch_call_output",
    "computer_call",
    "computer_call_output",
    "configuration_update",
    "item_reference",
];

/// Events that only report progress: their item arrives whole in `output_item.done`.
pub(super) const PROGRESS: [&str; 11] = [
    "response.mcp_list_tools.",
    "response.mcp_call.",
    "response.mcp_call_arguments.",
    "response.web_search_call.",
    "response.file_search_call.",
    "response.code_interpreter_call",
    "response.image_generation_call.",
    "response.shell_call_",
    "response.tool_search_call.",
    "response.compaction.",
    "response.audio.",
];
