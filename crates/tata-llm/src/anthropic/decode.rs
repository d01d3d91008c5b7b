//! Events of a Messages stream to a reply. A pure state machine, keyed by block index.

use std::collections::VecDeque;

use serde_json::{Map, Value, value::RawValue};
use tata_core::{
    Block, CallId, CallKind, ModelError, ModelEvent, Opaque, Origin, RawJson, Reasoning, Reply, Stop,
    StopReason, Text, WireWarningCode,
};

use super::{
    usage::usage,
    wire::{ContentBlock, Delta, Event, WholeMessage, is_provider_block},
};
use crate::{
    transport::sse::Frame,
    wire::{
        Wire,
        assembly::{Assembly, Ending},
        draft::CallDraft,
        error_body,
        lenient::{Str, is_json_object},
        shape::shape,
    },
};

#[derive(Debug)]
pub(crate) struct Decoder {
    pub(crate) assembly: Assembly,
    slots: Vec<Slot>,
    usage: Map<String, Value>,
    stop: Option<Stop>,
    done: bool,
    failure: Option<ModelError>,
}

#[derive(Debug)]
struct Slot {
    index: u64,
    /// Its end came.
    closed: bool,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Text {
        text: String,
        citations: Vec<RawJson>,
    },
    Thinking {
        text: String,
        signature: Option<String>,
    },
    Redacted(String),
    Call(CallDraft),
    /// A block the provider runs, or one we do not know, with the input that streamed in.
    Server {
        opaque: Opaque,
        input: String,
    },
}

impl Decoder {
    pub(crate) fn new(origin: Origin, output_cap: Option<u64>) -> Self {
        Self {
            assembly: Assembly::new(Wire::Messages, origin, output_cap),
            slots: Vec::new(),
            usage: Map::new(),
            stop: None,
            done: false,
            failure: None,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done || self.failure.is_some()
    }

    /// The provider said why it stopped and closed all that it opened: only the end mark is missing, which compatible
    /// servers may not send at all.
    pub(crate) fn may_end(&self) -> bool {
        self.stop.is_some() && self.slots.iter().all(|slot| slot.closed)
    }

    pub(crate) fn frame(&mut self, frame: &Frame<'_>) {
        let data = frame.data.as_ref();
        if !data.starts_with('{') && data.trim() == "[DONE]" {
            return;
        }
        let Ok(event) = serde_json::from_str::<Event<'_>>(data) else {
            self.assembly.malformed(data, frame.at_end);
            return;
        };
        let name = frame.name();
        let name = name.as_deref();
        let kind = event.kind.get();
        if name != kind && !(kind.is_none() && event.error.is_some()) {
            let detail = format!("event line {name:?}, type in the JSON {kind:?}");
            self.assembly.warn(WireWarningCode::EventNameMismatch, detail);
        }
        match event.kind.non_empty().or(name).unwrap_or_default() {
            "message_start" => self.message_start(event.message),
            "content_block_start" => self.block_start(&event, data),
            "content_block_delta" => self.block_delta(event),
            "content_block_stop" => self.block_stop(event.index.0),
            "message_delta" => self.message_delta(&event),
            "message_stop" => self.done = true,
            "error" => self.error(data),
            "ping" => {}
            "" if event.error.is_some() => self.error(data),
            other => {
                self.assembly.note_foreign(data);
                self.assembly.warn(WireWarningCode::UnknownEvent, format!("{other}: {}", shape(data)));
            }
        }
    }

    /// A body that arrived whole: every block started and stopped at once.
    pub(crate) fn whole(&mut self, body: &str) {
        let Ok(message) = serde_json::from_str::<WholeMessage<'_>>(body) else {
            self.assembly.malformed(body, false);
            return;
        };
        if message.error.is_some() {
            self.error(body);
            return;
        }
        self.assembly.identify(message.id.non_empty(), message.model.non_empty(), None);
        self.overlay(message.usage);
        for (index, raw) in message.content.0.iter().enumerate() {
            self.open(index as u64, raw);
            self.block_stop(Some(index as u64));
        }
        self.stop_from(&message.stop_reason, &message.stop_sequence, message.stop_details);
        self.done = self.stop.is_some();
    }

    fn message_start(&mut self, message: Option<&RawValue>) {
        let message = message.and_then(|raw| serde_json::from_str::<WholeMessage<'_>>(raw.get()).ok());
        if let Some(message) = message {
            self.assembly.identify(message.id.non_empty(), message.model.non_empty(), None);
            self.overlay(message.usage);
        }
    }

    /// Counts are cumulative: later numbers replace earlier ones, null replaces nothing.
    fn overlay(&mut self, raw: Option<&RawValue>) {
        let Some(Value::Object(counts)) = raw.and_then(|raw| serde_json::from_str(raw.get()).ok()) else {
            return;
        };
        self.usage.extend(counts.into_iter().filter(|(_, value)| !value.is_null()));
        self.assembly.usage = Some(usage(&self.usage));
    }

    fn block_start(&mut self, event: &Event<'_>, data: &str) {
        match (event.index.0, event.content_block) {
            (Some(index), Some(raw)) => self.open(index, raw),
            (None, Some(raw)) => {
                let next = self.slots.iter().map(|slot| slot.index.saturating_add(1)).max().unwrap_or(0);
                self.assembly.warn(WireWarningCode::MissingIndex, "a content block without an index");
                self.open(next, raw);
            }
            (_, None) => self.assembly.malformed(data, false),
        }
    }

    fn open(&mut self, index: u64, raw: &RawValue) {
        let block = serde_json::from_str::<ContentBlock<'_>>(raw.get()).unwrap_or_default();
        let at = self.slots.len();
        let body = match block.kind.or_empty() {
            "text" => {
                let text = self.assembly.admit(block.text.or_empty()).to_owned();
                self.assembly.show(at, &text, false);
                let citations = block.citations.0.iter().map(|raw| RawJson::from(*raw)).collect();
                Body::Text { text, citations }
            }
            "thinking" => Body::Thinking {
                text: self.assembly.admit(block.thinking.or_empty()).to_owned(),
                signature: block.signature.owned(),
            },
            "redacted_thinking" => Body::Redacted(block.data.or_empty().to_owned()),
            "tool_use" => Body::Call(self.open_call(&block, at)),
            kind => {
                if !is_provider_block(kind) {
                    let detail = format!("{kind}: {}", shape(raw.get()));
                    self.assembly.warn(WireWarningCode::UnknownItemType, detail);
                }
                let id = block.id.owned().or_else(|| block.tool_use_id.owned());
                let json = RawJson::from(raw);
                let opaque = Opaque { kind: kind.to_owned(), id, name: block.name.owned(), json };
                Body::Server { opaque, input: String::new() }
            }
        };
        self.slots.push(Slot { index, closed: false, body });
    }

    fn open_call(&mut self, block: &ContentBlock<'_>, at: usize) -> CallDraft {
        self.assembly.admit_call();
        let mut draft = CallDraft::new(CallKind::Function);
        draft.call_id = block.id.get().and_then(CallId::non_empty);
        draft.name = block.name.or_empty().into();
        if draft.call_id.is_none() {
            let detail = format!("call of {} has no id; one is minted", draft.name);
            self.assembly.warn(WireWarningCode::MissingToolCallId, detail);
        }
        let fields = [("caller", block.caller), ("toolset_name", block.toolset_name)];
        let fields: Vec<String> = fields
            .into_iter()
            .filter_map(|(name, raw)| raw.map(|raw| format!("\"{name}\":{}", raw.get())))
            .collect();
        if !fields.is_empty() {
            draft.extra = RawJson::new(format!("{{{}}}", fields.join(","))).ok();
        }
        // The start carries `{}`; a server that sends the whole input here sends no deltas.
        if let Some(input) = block.input.map(RawValue::get).filter(|input| is_json_object(input)) {
            draft.set_initial(input, &mut self.assembly);
        }
        draft.show(at, &mut self.assembly);
        draft
    }

    fn block_delta(&mut self, event: Event<'_>) {
        let Some(delta) = event.delta else { return };
        let kind = delta.kind.or_empty().to_owned();
        let found = match event.index.0 {
            Some(index) => self.slots.iter().rposition(|slot| slot.index == index),
            None => self.slots.len().checked_sub(1),
        };
        let at = match found {
            Some(at) => at,
            None if kind == "text_delta" => {
                let detail = format!("text for block {:?}, which was not started", event.index.0);
                self.assembly.warn(WireWarningCode::UnmatchedDelta, detail);
                let body = Body::Text { text: String::new(), citations: Vec::new() };
                let next = self.slots.iter().map(|slot| slot.index.saturating_add(1)).max().unwrap_or(0);
                self.slots.push(Slot { index: event.index.0.unwrap_or(next), closed: false, body });
                self.slots.len() - 1
            }
            None => {
                let detail = format!("{kind} for block {:?}, which was not started", event.index.0);
                self.assembly.warn(WireWarningCode::UnmatchedDelta, detail);
                return;
            }
        };
        self.apply(at, &kind, &delta);
    }

    fn apply(&mut self, at: usize, kind: &str, delta: &Delta<'_>) {
        let Some(slot) = self.slots.get_mut(at) else {
            return;
        };
        let (block, assembly) = (at, &mut self.assembly);
        match (kind, &mut slot.body) {
            ("text_delta", Body::Text { text, .. }) => {
                let piece = assembly.admit(delta.text.or_empty());
                text.push_str(piece);
                assembly.show(block, piece, false);
            }
            ("citations_delta", Body::Text { citations, .. }) => {
                citations.extend(delta.citation.map(RawJson::from));
            }
            ("input_json_delta", Body::Call(draft)) => {
                draft.push(delta.partial_json.or_empty(), assembly);
                draft.show(block, assembly);
            }
            ("input_json_delta", Body::Server { input, .. }) => {
                input.push_str(assembly.admit(delta.partial_json.or_empty()));
            }
            ("thinking_delta", Body::Thinking { text, .. }) => {
                let piece = assembly.admit(delta.thinking.or_empty());
                if !piece.is_empty() {
                    text.push_str(piece);
                    assembly.events.push_back(ModelEvent::ReasoningDelta { block, text: piece.into() });
                }
            }
            ("signature_delta", Body::Thinking { signature, .. }) => {
                signature.get_or_insert_default().push_str(assembly.admit(delta.signature.or_empty()));
            }
            _ => assembly.warn(WireWarningCode::UnknownDelta, format!("{kind} for block {}", slot.index)),
        }
    }

    fn block_stop(&mut self, index: Option<u64>) {
        let slot = self.slots.iter_mut().rev().find(|slot| index.is_none_or(|index| slot.index == index));
        let slot = slot.map(|slot| {
            slot.closed = true;
            &mut slot.body
        });
        match slot {
            Some(Body::Call(draft)) => draft.ended = true,
            Some(Body::Server { opaque, input }) if is_json_object(input) => {
                let mut json = opaque.json.to_value();
                if let Some(object) = json.as_object_mut() {
                    object.insert("input".to_owned(), serde_json::from_str(input).unwrap_or_default());
                }
                opaque.json = RawJson::from(&json);
            }
            Some(Body::Server { .. } | Body::Text { .. } | Body::Thinking { .. } | Body::Redacted(_))
            | None => {}
        }
    }

    fn message_delta(&mut self, event: &Event<'_>) {
        if let Some(delta) = &event.delta {
            self.stop_from(&delta.stop_reason, &delta.stop_sequence, delta.stop_details);
        }
        self.overlay(event.usage);
    }

    fn stop_from(&mut self, reason: &Str<'_>, sequence: &Str<'_>, details: Option<&RawValue>) {
        let Some(raw) = reason.owned() else { return };
        self.stop = Some(Stop {
            reason: stop_reason(&raw),
            raw: Some(raw),
            sequence: sequence.owned(),
            details: details.map(RawJson::from),
        });
    }

    fn error(&mut self, data: &str) {
        let value = serde_json::from_str(data).unwrap_or_default();
        self.failure = Some(error_body::from_value(None, &value));
    }

    pub(crate) fn finish(mut self, failure: Option<ModelError>) -> (VecDeque<ModelEvent>, Reply) {
        let failure = self.failure.take().or_else(|| failure.filter(|_| !self.done));
        if !self.done && failure.is_none() && self.may_end() {
            self.assembly.warn(WireWarningCode::MissingDoneSentinel, "the stream has no message_stop");
            self.done = true;
        }
        let ending = match (failure, self.done) {
            (Some(error), _) => Ending::Failed(error, None),
            (None, true) => self.stop.take().map_or(Ending::Unexplained, Ending::Stopped),
            (None, false) => Ending::Cut(self.stop.take()),
        };
        let proper = matches!(ending, Ending::Stopped(_) | Ending::Unexplained);
        self.slots.sort_by_key(|slot| slot.index);
        let mut blocks = Vec::with_capacity(self.slots.len());
        for slot in self.slots {
            blocks.push(match slot.body {
                Body::Text { text, .. } if text.is_empty() => continue,
                Body::Text { text, citations: annotations } => {
                    Block::Text(Text { text, annotations, ..Text::default() })
                }
                Body::Thinking { text, signature } => Block::Reasoning(Reasoning::Signed { text, signature }),
                Body::Redacted(data) => Block::Reasoning(Reasoning::Redacted { data }),
                Body::Call(draft) => {
                    let whole = draft.ended || proper;
                    Block::ToolCall(draft.finish(whole, &mut self.assembly))
                }
                Body::Server { opaque, .. } => Block::Opaque(opaque),
            });
        }
        self.assembly.finish(blocks, ending)
    }
}

fn stop_reason(raw: &str) -> StopReason {
    match raw {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence,
        "refusal" => StopReason::Refusal,
        "pause_turn" => StopReason::PauseTurn,
        "model_context_window_exceeded" => StopReason::ContextWindow,
        _ => StopReason::Other,
    }
}
