//! What was odd on the wire, counted and named, while the reply went on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One oddity in a provider's stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireWarning {
    /// What kind it was.
    pub code: WireWarningCode,
    /// Where, in words; never content.
    pub detail: String,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal,)*) => {
        /// The kinds of oddity.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum WireWarningCode {
            $($(#[$doc])* #[serde(rename = $code)] $variant,)*
        }

        impl WireWarningCode {
            /// The stable name used in logs and JSON.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }
        }
    };
}

codes! {
    /// A call came without a call id; its item id, else a minted one, stands in.
    MissingCallId = "missing_call_id",
    /// A call never got an id on a wire that has only one; one was minted.
    MissingToolCallId = "missing_tool_call_id",
    /// Two calls carried the same id; the later one got its own.
    DuplicateCallId = "duplicate_call_id",
    /// A call's piece had no index.
    MissingIndex = "missing_index",
    /// One index was used for two calls.
    IndexReused = "index_reused",
    /// An event named an unknown item and was matched by its output index.
    ItemIdMismatch = "item_id_mismatch",
    /// Two items shared one output index.
    OutputIndexReused = "output_index_reused",
    /// A piece arrived for an item that was not announced.
    UnmatchedDelta = "unmatched_delta",
    /// The final arguments differ from the joined pieces; the final ones count.
    ArgumentsMismatch = "arguments_mismatch",
    /// Arguments came as a JSON value instead of text.
    ArgumentsNotString = "arguments_not_string",
    /// Arguments are not a JSON object at the end.
    InvalidArgumentsJson = "invalid_arguments_json",
    /// An event could not be read; only this one was skipped.
    MalformedEvent = "malformed_event",
    /// Bytes that are no UTF-8 were replaced.
    InvalidUtf8 = "invalid_utf8",
    /// An event type we do not know.
    UnknownEvent = "unknown_event",
    /// An item type we do not know; kept as it is.
    UnknownItemType = "unknown_item_type",
    /// A delta type we do not know.
    UnknownDelta = "unknown_delta",
    /// The event line is absent or contradicts the JSON; the JSON counts.
    EventNameMismatch = "event_name_mismatch",
    /// The stop reason contradicts what was sent; what was sent counts.
    StopReasonOverridden = "stop_reason_overridden",
    /// The stream ended properly but never said why.
    MissingFinishReason = "missing_finish_reason",
    /// The stream said why it ended but lacked its last line.
    MissingDoneSentinel = "missing_done_sentinel",
    /// The stream ended in the middle.
    MissingTerminal = "missing_terminal",
    /// No token counts were reported.
    MissingUsage = "missing_usage",
    /// More than one alternative was sent; the first is the answer.
    ExtraChoices = "extra_choices",
    /// The answer grew far beyond its token cap and was ended.
    AnswerTooLong = "answer_too_long",
    /// The server speaks another protocol than the one configured, and is asked in that one.
    WireChanged = "wire_changed",
    /// The provider refused an optional field; it was left out and the request sent again.
    FieldDropped = "field_dropped",
    /// Something in the history could not be said on this wire and was left out or rewritten.
    HistoryAdapted = "history_adapted",
}

impl WireWarning {
    /// Names an oddity.
    pub fn new(code: WireWarningCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }
}

impl fmt::Display for WireWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.detail)
    }
}
