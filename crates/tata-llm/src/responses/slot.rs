//! One output item while it arrives.

use tata_core::{CallKind, Opaque, RawJson};

use super::wire;
use crate::wire::{draft::CallDraft, lenient::arguments};

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

    pub(super) fn has_call_id(&self, id: &str) -> bool {
        matches!(&self.body, Body::Call(draft) if draft.call_id.as_ref().is_some_and(|own| own.as_str() == id))
    }

    pub(super) fn has_other_call_id(&self, id: Option<&str>) -> bool {
        matches!(&self.body, Body::Call(draft)
            if draft.call_id.as_ref().is_some_and(|own| Some(own.as_str()) != id))
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

    /// Whether the finished item says what this slot already holds: some servers rename items at the end.
    pub(super) fn same_content(&self, kind: &str, item: &wire::Item<'_>) -> bool {
        if !self.kind_is(kind) {
            return false;
        }
        match self {
            Self::Message { parts, .. } => {
                let here: String = parts.iter().map(|part| part.text.as_str()).collect();
                let there: String = item
                    .content
                    .0
                    .iter()
                    .map(|part| part.text.get().or(part.refusal.get()).unwrap_or_default())
                    .collect();
                here == there
            }
            Self::Reasoning { summary, content, .. } => {
                let texts = |list: &[wire::Part<'_>]| {
                    list.iter().map(|part| part.text.or_empty()).collect::<String>()
                };
                summary.concat() == texts(&item.summary.0) && content.concat() == texts(&item.content.0)
            }
            Self::Call(draft) => {
                use crate::wire::lenient::Arguments::{Text, Value};
                let there = match arguments(item.arguments) {
                    Some(Text(text) | Value(text)) => text,
                    None => item.input.or_empty().to_owned(),
                };
                draft.call_id.is_none() && draft.name == item.name.or_empty() && draft.text() == there
            }
            Self::Server(_) => false,
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
