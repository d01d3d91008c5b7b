//! One output item while it arrives.

use tata_core::{CallId, CallKind, Opaque, RawJson};

use super::wire;
use crate::wire::{
    draft::CallDraft,
    lenient::{Arguments, arguments},
};

#[derive(Debug)]
pub(super) struct Slot {
    /// Its `output_index`, where one was sent.
    pub(super) index: Option<u64>,
    /// Where it stands in the answer.
    pub(super) order: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) announced: bool,
    pub(super) done: bool,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    Message {
        parts: Vec<Part>,
        phase: Option<String>,
    },
    Reasoning {
        summary: Vec<String>,
        content: Vec<String>,
        encrypted: Option<String>,
    },
    Call(CallDraft),
    /// Run by the provider, or unknown: kept as it is.
    Server(Option<Opaque>),
}

#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) refusal: bool,
    /// It came whole: what its pieces lacked is there.
    pub(super) done: bool,
    pub(super) text: String,
    pub(super) annotations: Vec<RawJson>,
}

impl Slot {
    pub(super) fn has_id(&self, id: &str) -> bool {
        self.id.as_deref() == Some(id)
    }

    pub(super) fn call_id(&self) -> Option<&str> {
        match &self.body {
            Body::Call(draft) => draft.call_id.as_ref().map(CallId::as_str),
            Body::Message { .. } | Body::Reasoning { .. } | Body::Server(_) => None,
        }
    }

    pub(super) fn has_other_call_id(&self, id: Option<&str>) -> bool {
        self.call_id().is_some_and(|own| Some(own) != id)
    }
}

impl Body {
    pub(super) fn of(kind: &str) -> Self {
        match kind {
            "message" => Self::message(),
            "reasoning" => Self::reasoning(),
            "function_call" => Self::Call(CallDraft::new(CallKind::Function)),
            "custom_tool_call" => Self::Call(CallDraft::new(CallKind::Custom)),
            _ => Self::Server(None),
        }
    }

    pub(super) fn message() -> Self {
        Self::Message { parts: Vec::new(), phase: None }
    }

    pub(super) fn reasoning() -> Self {
        Self::Reasoning { summary: Vec::new(), content: Vec::new(), encrypted: None }
    }

    pub(super) fn kind_is(&self, kind: &str) -> bool {
        match self {
            Self::Message { .. } => kind == "message",
            Self::Reasoning { .. } => kind == "reasoning",
            Self::Call(draft) => match draft.kind {
                CallKind::Custom => kind == "custom_tool_call",
                CallKind::Function | CallKind::LegacyFunction => kind == "function_call",
            },
            Self::Server(Some(opaque)) => opaque.kind == kind,
            Self::Server(None) => false,
        }
    }

    /// The part at a content index; without one, the last. Absurd indices are refused.
    pub(super) fn part(&mut self, place: Option<u64>, refusal: bool) -> Option<&mut Part> {
        let Self::Message { parts, .. } = self else {
            return None;
        };
        let part = at_index(parts, place)?;
        if part.text.is_empty() {
            part.refusal = refusal;
        }
        Some(part)
    }

    /// The reasoning text at an index; without one, the last.
    pub(super) fn thought(&mut self, in_summary: bool, place: Option<u64>) -> Option<&mut String> {
        let Self::Reasoning { summary, content, .. } = self else {
            return None;
        };
        at_index(if in_summary { summary } else { content }, place)
    }

    /// What it says so far. A call with an id is known by that alone.
    pub(super) fn content(&self) -> Option<Content> {
        match self {
            Self::Message { parts, .. } => {
                Some(Content::Message(parts.iter().map(|part| part.text.as_str()).collect()))
            }
            Self::Reasoning { summary, content, .. } => {
                Some(Content::Reasoning(summary.concat(), content.concat()))
            }
            Self::Call(draft) if draft.call_id.is_none() => Some(Content::Call {
                custom: draft.kind == CallKind::Custom,
                name: draft.name.to_string(),
                arguments: draft.text().to_owned(),
            }),
            Self::Call(_) | Self::Server(_) => None,
        }
    }
}

/// What an item says, whatever its id: some servers rename items at the end.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Content {
    Message(String),
    Reasoning(String, String),
    Call { custom: bool, name: String, arguments: String },
}

impl Content {
    /// What a finished item says.
    pub(super) fn of(kind: &str, item: &wire::Item<'_>) -> Option<Self> {
        let said =
            |part: &wire::Part<'_>| part.text.get().or(part.refusal.get()).unwrap_or_default().to_owned();
        let texts =
            |list: &[wire::Part<'_>]| list.iter().map(|part| part.text.or_empty()).collect::<String>();
        match kind {
            "message" => Some(Self::Message(item.content.0.iter().map(said).collect())),
            "reasoning" => Some(Self::Reasoning(texts(&item.summary.0), texts(&item.content.0))),
            "function_call" | "custom_tool_call" => Some(Self::Call {
                custom: kind == "custom_tool_call",
                name: item.name.or_empty().to_owned(),
                arguments: match arguments(item.arguments) {
                    Some(Arguments::Text(text) | Arguments::Value(text)) => text,
                    None => item.input.or_empty().to_owned(),
                },
            }),
            _ => None,
        }
    }
}

impl Part {
    pub(super) fn from_wire(part: &wire::Part<'_>) -> Self {
        let refusal = part.kind.get() == Some("refusal");
        let text = if refusal { part.refusal.get().or(part.text.get()) } else { part.text.get() };
        Self {
            refusal,
            done: true,
            text: text.unwrap_or_default().to_owned(),
            annotations: part.annotations.0.iter().map(|raw| RawJson::from(*raw)).collect(),
        }
    }
}

/// No real answer has more parts in one item; a hostile index must not make us allocate.
const MOST_PARTS: usize = 1024;

fn at_index<T: Default>(list: &mut Vec<T>, place: Option<u64>) -> Option<&mut T> {
    let place = match place {
        Some(place) => usize::try_from(place).ok().filter(|place| *place < MOST_PARTS)?,
        None => list.len().saturating_sub(1),
    };
    if list.len() <= place {
        list.resize_with(place + 1, T::default);
    }
    list.get_mut(place)
}
