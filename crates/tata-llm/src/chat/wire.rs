//! The JSON of Chat Completions, as far as we read it, from OpenAI and everyone who imitates it.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::lenient::{Index, List, Raws, Str};

/// A chunk of a stream, or a whole body: they differ only in `delta` and `message`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk<'a> {
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow)]
    pub(super) model: Str<'a>,
    #[serde(borrow)]
    pub(super) service_tier: Str<'a>,
    #[serde(borrow)]
    pub(super) choices: List<Choice<'a>>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice<'a> {
    pub(super) index: Index,
    #[serde(borrow)]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow)]
    pub(super) message: Option<Delta<'a>>,
    #[serde(borrow)]
    pub(super) finish_reason: Str<'a>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// A piece of the message, or the message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta<'a> {
    #[serde(borrow)]
    pub(super) content: Content<'a>,
    #[serde(borrow)]
    pub(super) refusal: Str<'a>,
    #[serde(borrow)]
    pub(super) reasoning_content: Str<'a>,
    #[serde(borrow)]
    pub(super) reasoning: Str<'a>,
    #[serde(borrow)]
    pub(super) reasoning_details: List<ReasoningDetail<'a>>,
    #[serde(borrow)]
    pub(super) tool_calls: List<CallDelta<'a>>,
    #[serde(borrow)]
    pub(super) function_call: Option<FunctionDelta<'a>>,
    #[serde(borrow)]
    pub(super) annotations: Raws<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ReasoningDetail<'a> {
    #[serde(borrow)]
    pub(super) text: Str<'a>,
    #[serde(borrow)]
    pub(super) summary: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallDelta<'a> {
    pub(super) index: Index,
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow)]
    pub(super) function: Option<FunctionDelta<'a>>,
    #[serde(borrow)]
    pub(super) custom: Option<CustomDelta<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionDelta<'a> {
    #[serde(borrow)]
    pub(super) name: Str<'a>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CustomDelta<'a> {
    #[serde(borrow)]
    pub(super) name: Str<'a>,
    #[serde(borrow)]
    pub(super) input: Str<'a>,
}

/// Content is text; some servers send a list of text parts instead.
#[derive(Debug, Default)]
pub(super) struct Content<'a>(pub(super) Str<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct TextPart<'a> {
            #[serde(borrow)]
            text: Str<'a>,
        }
        let Some(raw) = <Option<&'de RawValue>>::deserialize(deserializer)? else {
            return Ok(Self::default());
        };
        if raw.get().starts_with('[') {
            let parts: Vec<TextPart<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
            let joined: String = parts.iter().map(|part| part.text.or_empty()).collect();
            return Ok(Self(Str::from(joined)));
        }
        Ok(Self(serde_json::from_str(raw.get()).unwrap_or_default()))
    }
}
