//! Events of a Responses stream to a reply. A pure state machine: frames in, events and a reply out.
//!
//! Calls are keyed by `call_id`, taken from `response.output_item.added`. Their pieces carry no call id, so
//! they are routed: known item id, then call id, then output index, then a buffer until the item shows up.
//! Never "the last open call".

use serde_json::value::RawValue;
use tata_core::{ModelError, ModelErrorKind, ModelEvent, Origin, RawJson, WireWarningCode};

use super::{
    early::{Early, Waiting},
    lookup::Lookup,
    plain,
    slot::{Body, Slot},
    wire::{Event, PROGRESS, Response},
};
use crate::{
    transport::sse::Frame,
    wire::{
        Wire,
        assembly::{Assembly, Ending},
        error_body,
        lenient::{Arguments, arguments},
        shape::shape,
    },
};

/// Room for a short answer, in bytes.
const EXPECTED_TEXT: usize = 512;
/// No real answer has as many items.
const MOST_SLOTS: usize = 4096;

#[derive(Debug)]
pub(crate) struct Decoder {
    pub(crate) assembly: Assembly,
    pub(super) slots: Vec<Slot>,
    /// Where those slots are found again.
    pub(super) lookup: Lookup,
    pub(super) waiting: Waiting,
    pub(super) ending: Option<Ending>,
    /// The end of the stream named everything that was in it.
    pub(super) restated: bool,
}

impl Decoder {
    pub(crate) fn new(origin: Origin, output_cap: Option<u64>) -> Self {
        Self {
            assembly: Assembly::new(Wire::Responses, origin, output_cap),
            slots: Vec::new(),
            lookup: Lookup::default(),
            waiting: Waiting::default(),
            ending: None,
            restated: false,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.ending.is_some()
    }

    pub(crate) fn frame(&mut self, frame: &Frame<'_>) {
        let data = frame.data.as_ref();
        if !data.starts_with('{') && data.trim() == "[DONE]" {
            return;
        }
        let mut event = Event::default();
        if plain::read(data, &mut event).is_none() {
            let Ok(read) = serde_json::from_str(data) else {
                self.assembly.malformed(data, frame.at_end);
                return;
            };
            event = read;
        }
        let kind = std::mem::take(&mut event.kind);
        if let Some(kind) = kind.non_empty().filter(|kind| frame.event == Some(kind.as_bytes())) {
            return self.event(kind, &event, data);
        }
        let name = frame.name();
        if !(kind.get().is_none() && event.error.is_some()) {
            let detail = format!("event line {name:?}, type in the JSON {:?}", kind.get());
            self.assembly.warn(WireWarningCode::EventNameMismatch, detail);
        }
        self.event(kind.non_empty().or(name.as_deref()).unwrap_or_default(), &event, data);
    }

    /// A body that arrived whole: the same path as the terminal event of a stream.
    pub(crate) fn whole(&mut self, body: &str) {
        match serde_json::from_str::<&RawValue>(body) {
            Ok(raw) => self.whole_response(body, raw),
            Err(_) => self.assembly.malformed(body, false),
        }
    }

    fn event(&mut self, kind: &str, event: &Event<'_>, data: &str) {
        match kind {
            "response.output_text.delta" => self.text_piece(event, false),
            "response.refusal.delta" => self.text_piece(event, true),
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                self.call_piece(event);
            }
            "response.function_call_arguments.done" => {
                let whole = arguments(event.arguments);
                self.call_done(event, whole);
            }
            "response.custom_tool_call_input.done" => {
                let whole = text(event.input).map(Arguments::Text);
                self.call_done(event, whole);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.reasoning_piece(event, kind);
            }
            "response.reasoning_summary_text.done" | "response.reasoning_text.done" => {
                self.reasoning_done(event, kind);
            }
            "response.output_text.done" => self.text_done(event, text(event.text), false),
            "response.refusal.done" => self.text_done(event, text(event.refusal), true),
            "response.output_text.annotation.added" => self.annotation(event),
            "response.output_item.added" => self.item(event, false, data),
            "response.output_item.done" => self.item(event, true, data),
            "response.created" | "response.queued" | "response.in_progress" => self.opening(event.response),
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled"
            | "response.done" => self.terminal(kind, event.response),
            "error" => self.error(data),
            // The part's text arrives in its deltas and again in the finished item.
            "response.content_part.added"
            | "response.content_part.done"
            | "response.reasoning_summary_part.added"
            | "response.reasoning_summary_part.done"
            | "keepalive"
            | "ping" => {}
            "" if event.error.is_some() => self.error(data),
            _ if PROGRESS.iter().any(|known| kind.starts_with(known)) => {}
            _ => {
                self.assembly.note_foreign(data);
                self.assembly.warn(WireWarningCode::UnknownEvent, format!("{kind}: {}", shape(data)));
            }
        }
    }

    fn opening(&mut self, response: Option<&RawValue>) {
        let parsed = response.and_then(|raw| serde_json::from_str::<Response<'_>>(raw.get()).ok());
        if let Some(response) = parsed {
            let (id, model) = (response.id.non_empty(), response.model.non_empty());
            self.assembly.identify(id, model, None);
        }
    }

    /// Finds the slot an event belongs to. An event matched by its position alone is reported.
    fn find(&mut self, event: &Event<'_>) -> Option<usize> {
        let item_id = event.item_id.non_empty();
        if let Some(id) = item_id {
            // Nearly all pieces are for the last item.
            if self.slots.last().is_some_and(|slot| slot.has_id(id)) {
                return Some(self.slots.len() - 1);
            }
            if let Some(at) = self.lookup.by_id(id) {
                return Some(at);
            }
        }
        if let Some(at) = event.call_id.non_empty().and_then(|id| self.lookup.by_call(id)) {
            return Some(at);
        }
        let index = event.output_index.0?;
        let Some(id) = item_id else { return self.lookup.by_index(index) };
        // A finished item takes no pieces under a foreign id: they belong to one that was not announced.
        let is_open = |at: usize| self.slots.get(at).is_some_and(|slot| !slot.done);
        let at = self.lookup.open_by_index(index, is_open)?;
        let detail = format!("item {id} is not known, matched by output index {index}");
        self.assembly.warn(WireWarningCode::ItemIdMismatch, detail);
        Some(at)
    }

    pub(super) fn open(&mut self, event: &Event<'_>, id: Option<&str>, body: Body) -> usize {
        if self.slots.len() >= MOST_SLOTS {
            let error = ModelError::new(ModelErrorKind::EventTooLarge)
                .with_detail(format!("an answer of more than {MOST_SLOTS} items"));
            self.ending = Some(Ending::Failed(error, None));
        }
        if matches!(body, Body::Call(_)) {
            self.assembly.admit_call();
        }
        let last = self.slots.last().and_then(|slot| slot.order);
        let at = self.slots.len();
        let slot = Slot {
            index: event.output_index.0,
            order: event.output_index.0.or(last),
            id: id.map(str::to_owned),
            announced: false,
            done: false,
            body,
        };
        self.lookup.note(at, &slot);
        self.slots.push(slot);
        at
    }

    /// A message or reasoning piece of an item that was not announced still has its place: open it.
    fn find_or_open(&mut self, event: &Event<'_>, body: fn() -> Body) -> usize {
        if let Some(at) = self.find(event) {
            return at;
        }
        let id = event.item_id.non_empty().map(str::to_owned);
        let detail = format!("a piece of item {id:?}, which was not announced");
        self.assembly.warn(WireWarningCode::UnmatchedDelta, detail);
        self.open(event, id.as_deref(), body())
    }

    fn text_piece(&mut self, event: &Event<'_>, refusal: bool) {
        let place = event.content_index.0;
        let block = self.find_or_open(event, Body::message);
        let Some(part) = self.slots.get_mut(block).and_then(|slot| slot.body.part(place, refusal)) else {
            return;
        };
        let Some(text) = event.delta.non_empty() else { return };
        if part.text.is_empty() {
            // What comes in pieces is long: the first steps of growing are skipped.
            part.text.reserve(EXPECTED_TEXT);
        }
        let text = self.assembly.admit(text);
        part.text.push_str(text);
        self.assembly.show(block, text, part.refusal);
    }

    fn text_done(&mut self, event: &Event<'_>, text: Option<String>, refusal: bool) {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return };
        let place = event.content_index.0;
        let block = self.find_or_open(event, Body::message);
        if let Some(part) = self.slots.get_mut(block).and_then(|slot| slot.body.part(place, refusal)) {
            let text = self.assembly.admit_whole(part.text.len(), text);
            self.assembly.show_rest(block, &part.text, &text, part.refusal);
            (part.text, part.done) = (text, true);
        }
    }

    fn annotation(&mut self, event: &Event<'_>) {
        let Some(annotation) = event.annotation.map(RawJson::from) else {
            return;
        };
        let place = event.content_index.0;
        let at = self.find_or_open(event, Body::message);
        if let Some(part) = self.slots.get_mut(at).and_then(|slot| slot.body.part(place, false)) {
            part.annotations.push(annotation);
        }
    }

    fn reasoning_piece(&mut self, event: &Event<'_>, kind: &str) {
        let summary = kind.contains("summary");
        let place = if summary { event.summary_index.0 } else { event.content_index.0 };
        let block = self.find_or_open(event, Body::reasoning);
        let Some(target) = self.slots.get_mut(block).and_then(|slot| slot.body.thought(summary, place))
        else {
            return;
        };
        let Some(text) = event.delta.non_empty() else { return };
        let text = self.assembly.admit(text);
        target.push_str(text);
        self.assembly.events.push_back(ModelEvent::ReasoningDelta { block, text: text.into() });
    }

    fn reasoning_done(&mut self, event: &Event<'_>, kind: &str) {
        let summary = kind.contains("summary");
        let place = if summary { event.summary_index.0 } else { event.content_index.0 };
        let Some(text) = text(event.text).filter(|text| !text.is_empty()) else { return };
        let at = self.find_or_open(event, Body::reasoning);
        if let Some(target) = self.slots.get_mut(at).and_then(|slot| slot.body.thought(summary, place)) {
            *target = self.assembly.admit_whole(target.len(), text);
        }
    }

    fn call_piece(&mut self, event: &Event<'_>) {
        let piece = event.delta.or_empty();
        let Some(at) = self.find(event) else {
            self.keep_early(event, piece, false);
            return;
        };
        if let Some(Slot { body: Body::Call(draft), .. }) = self.slots.get_mut(at) {
            draft.push(piece, &mut self.assembly);
            draft.show(at, &mut self.assembly);
        }
    }

    /// Arguments of an item that was not announced yet wait for it.
    fn keep_early(&mut self, event: &Event<'_>, piece: &str, whole: bool) {
        let (index, item_id) = (event.output_index.0, event.item_id.owned());
        let detail = format!("arguments for item {item_id:?} at {index:?}, not announced yet");
        self.assembly.warn(WireWarningCode::UnmatchedDelta, detail);
        self.waiting.keep(Early { index, item_id, piece: piece.to_owned(), whole });
    }

    fn call_done(&mut self, event: &Event<'_>, whole: Option<Arguments>) {
        let Some(at) = self.find(event) else {
            if let Some(Arguments::Text(text) | Arguments::Value(text)) = whole {
                self.keep_early(event, &text, true);
            }
            return;
        };
        if let Some(Slot { body: Body::Call(draft), .. }) = self.slots.get_mut(at) {
            if let Some(whole) = whole {
                draft.conclude(whole, &mut self.assembly);
            }
            draft.ended = true;
        }
    }

    fn error(&mut self, data: &str) {
        let value = serde_json::from_str(data).unwrap_or_default();
        self.ending = Some(Ending::Failed(error_body::from_value(None, &value), None));
    }
}

/// A text that was left raw.
fn text(raw: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}
