//! Events of a Responses stream to a reply. A pure state machine: frames in, events and a reply out.
//!
//! Calls are keyed by `call_id`, taken from `response.output_item.added`. Their pieces carry no call id, so
//! they are routed: known item id, then call id, then output index, then a buffer until the item shows up.
//! Never "the last open call".

use serde_json::value::RawValue;
use tata_core::{
    Block, CallId, CallKind, ItemId, ModelError, ModelErrorKind, ModelEvent, Opaque, Origin, RawJson,
    Reasoning, Refusal, Reply, StopReason, Text, WireWarningCode,
};

use super::{
    slot::{Body, Part, Slot},
    usage::usage,
    wire::{Event, IncompleteDetails, Item, ItemHead, PROGRESS, PROVIDER_ITEMS, Response},
};
use crate::{
    transport::sse::Frame,
    wire::{
        assembly::{Assembly, Ending, plain_stop},
        draft::CallDraft,
        error_body,
        lenient::{Arguments, arguments},
        shape::shape,
    },
};

/// Pieces of arguments that arrived before their item.
#[derive(Debug)]
struct Early {
    index: Option<u64>,
    item_id: Option<String>,
    piece: String,
}

/// Limits what a stream can make us hold for items that never show up.
const EARLY_LIMIT: usize = 1024;

#[derive(Debug)]
pub(crate) struct Decoder {
    pub(crate) assembly: Assembly,
    slots: Vec<Slot>,
    early: Vec<Early>,
    ending: Option<Ending>,
}

impl Decoder {
    pub(crate) fn new(origin: Origin, output_cap: Option<u64>) -> Self {
        Self {
            assembly: Assembly::new(origin, output_cap),
            slots: Vec::new(),
            early: Vec::new(),
            ending: None,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.ending.is_some()
    }

    pub(crate) fn frame(&mut self, frame: &Frame<'_>) {
        let data = frame.data.as_ref();
        if data.trim() == "[DONE]" {
            return;
        }
        let Ok(mut event) = serde_json::from_str::<Event<'_>>(data) else {
            self.assembly.malformed(data, frame.at_end);
            return;
        };
        let kind = std::mem::take(&mut event.kind);
        if let Some(kind) = kind.non_empty().filter(|kind| frame.event == Some(kind.as_bytes())) {
            return self.event(kind, &mut event, data);
        }
        let name = frame.name();
        if !(kind.get().is_none() && event.error.is_some()) {
            let detail = format!("event line {name:?}, type in the JSON {:?}", kind.get());
            self.assembly.warn(WireWarningCode::EventNameMismatch, detail);
        }
        self.event(kind.non_empty().or(name.as_deref()).unwrap_or_default(), &mut event, data);
    }

    /// A body that arrived whole: the same path as the terminal event of a stream.
    pub(crate) fn whole(&mut self, body: &str) {
        match serde_json::from_str::<&RawValue>(body) {
            Ok(raw) => self.terminal("response", Some(raw)),
            Err(_) => self.assembly.malformed(body, false),
        }
    }

    fn event(&mut self, kind: &str, event: &mut Event<'_>, data: &str) {
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
            _ => self.assembly.warn(WireWarningCode::UnknownEvent, format!("{kind}: {}", shape(data))),
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
        if let Some(id) = item_id
            && let Some(at) = self.slots.iter().rposition(|slot| slot.has_id(id))
        {
            return Some(at);
        }
        if let Some(id) = event.call_id.non_empty()
            && let Some(at) = self.slots.iter().rposition(|slot| slot.has_call_id(id))
        {
            return Some(at);
        }
        let index = event.output_index.0?;
        let open = |slot: &Slot| slot.index == Some(index);
        let at = self
            .slots
            .iter()
            .rposition(|slot| open(slot) && !slot.done)
            .or_else(|| self.slots.iter().rposition(open))?;
        if let Some(id) = item_id {
            let detail = format!("item {id} is not known, matched by output index {index}");
            self.assembly.warn(WireWarningCode::ItemIdMismatch, detail);
            if let Some(slot) = self.slots.get_mut(at) {
                slot.aliases.push(id.to_owned());
            }
        }
        Some(at)
    }

    fn open(&mut self, event: &Event<'_>, id: Option<&str>, body: Body) -> usize {
        let last = self.slots.iter().filter_map(|slot| slot.order).max();
        self.slots.push(Slot {
            index: event.output_index.0,
            order: event.output_index.0.or(last),
            id: id.map(str::to_owned),
            aliases: Vec::new(),
            announced: false,
            done: false,
            body,
        });
        self.slots.len() - 1
    }

    /// A message or reasoning piece of an item that was not announced still has its place: open it.
    fn find_or_open(&mut self, event: &Event<'_>, body: fn() -> Body) -> Option<(usize, &mut Slot)> {
        let at = if let Some(at) = self.find(event) {
            at
        } else {
            let id = event.item_id.non_empty().map(str::to_owned);
            let detail = format!("a piece of item {id:?}, which was not announced");
            self.assembly.warn(WireWarningCode::UnmatchedDelta, detail);
            self.open(event, id.as_deref(), body())
        };
        self.slots.get_mut(at).map(|slot| (at, slot))
    }

    fn text_piece(&mut self, event: &mut Event<'_>, refusal: bool) {
        let place = event.content_index.0;
        let Some((block, slot)) = self.find_or_open(event, Body::message) else {
            return;
        };
        let Some(part) = slot.body.part(place, refusal) else {
            return;
        };
        let Some(text) = std::mem::take(&mut event.delta).into_string().filter(|text| !text.is_empty())
        else {
            return;
        };
        part.text.push_str(&text);
        self.assembly.events.push(if refusal {
            ModelEvent::RefusalDelta { block, text }
        } else {
            ModelEvent::TextDelta { block, text }
        });
    }

    fn text_done(&mut self, event: &Event<'_>, text: Option<String>, refusal: bool) {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return };
        let place = event.content_index.0;
        if let Some((_, slot)) = self.find_or_open(event, Body::message)
            && let Some(part) = slot.body.part(place, refusal)
        {
            part.text = text;
        }
    }

    fn annotation(&mut self, event: &Event<'_>) {
        let Some(annotation) = event.annotation.map(RawJson::from) else {
            return;
        };
        let place = event.content_index.0;
        if let Some((_, slot)) = self.find_or_open(event, Body::message)
            && let Some(part) = slot.body.part(place, false)
        {
            part.annotations.push(annotation);
        }
    }

    fn reasoning_piece(&mut self, event: &mut Event<'_>, kind: &str) {
        let summary = kind.contains("summary");
        let place = if summary { event.summary_index.0 } else { event.content_index.0 };
        let Some((block, slot)) = self.find_or_open(event, Body::reasoning) else {
            return;
        };
        let Some(target) = slot.body.thought(summary, place) else {
            return;
        };
        let Some(text) = std::mem::take(&mut event.delta).into_string().filter(|text| !text.is_empty())
        else {
            return;
        };
        target.push_str(&text);
        self.assembly.events.push(ModelEvent::ReasoningDelta { block, text });
    }

    fn reasoning_done(&mut self, event: &Event<'_>, kind: &str) {
        let summary = kind.contains("summary");
        let place = if summary { event.summary_index.0 } else { event.content_index.0 };
        let Some(text) = text(event.text).filter(|text| !text.is_empty()) else { return };
        if let Some((_, slot)) = self.find_or_open(event, Body::reasoning)
            && let Some(target) = slot.body.thought(summary, place)
        {
            *target = text;
        }
    }

    fn call_piece(&mut self, event: &Event<'_>) {
        let piece = event.delta.or_empty();
        let Some(at) = self.find(event) else {
            let (index, item_id) = (event.output_index.0, event.item_id.owned());
            let detail = format!("arguments for item {item_id:?} at {index:?}, not announced yet");
            self.assembly.warn(WireWarningCode::UnmatchedDelta, detail);
            if self.early.len() < EARLY_LIMIT {
                self.early.push(Early { index, item_id, piece: piece.to_owned() });
            }
            return;
        };
        if let Some(Slot { body: Body::Call(draft), .. }) = self.slots.get_mut(at) {
            draft.push(piece);
            draft.show(at, &mut self.assembly);
        }
    }

    fn call_done(&mut self, event: &Event<'_>, whole: Option<Arguments>) {
        let Some(at) = self.find(event) else {
            let detail = format!("final arguments for item {:?}, not announced", event.item_id.get());
            self.assembly.warn(WireWarningCode::UnmatchedDelta, detail);
            return;
        };
        if let Some(Slot { body: Body::Call(draft), .. }) = self.slots.get_mut(at) {
            if let Some(whole) = whole {
                draft.conclude(whole, &mut self.assembly);
            }
            draft.ended = true;
        }
    }

    fn item(&mut self, event: &Event<'_>, done: bool, data: &str) {
        let head = event.item.and_then(|raw| serde_json::from_str::<ItemHead<'_>>(raw.get()).ok());
        let (Some(raw), Some(head)) = (event.item, head) else {
            self.assembly.malformed(data, false);
            return;
        };
        let at = self.place(event, &head, raw, done);
        self.fill(at, &head, raw, done);
        if !done {
            self.deliver_early(at);
        }
    }

    /// The slot of an announced item: the one it already has, else a new one.
    fn place(&mut self, event: &Event<'_>, head: &ItemHead<'_>, raw: &RawValue, done: bool) -> usize {
        let id = head.id.non_empty();
        if let Some(id) = id
            && let Some(at) = self.slots.iter().rposition(|slot| slot.has_id(id))
        {
            return at;
        }
        let call_id = serde_json::from_str::<Item<'_>>(raw.get()).ok().and_then(|item| item.call_id.owned());
        if let Some(call_id) = &call_id
            && let Some(at) = self.slots.iter().rposition(|slot| slot.has_call_id(call_id) && !slot.done)
        {
            return at;
        }
        let kind = head.kind.or_empty();
        let index = event.output_index.0;
        let there = self.slots.iter().rposition(|slot| slot.index.is_some() && slot.index == index);
        if let Some(at) = there
            && let Some(slot) = self.slots.get_mut(at)
        {
            let same_call = call_id.is_none() || !slot.has_other_call_id(call_id.as_deref());
            let fits = !slot.done && slot.body.kind_is(kind) && same_call;
            // A finishing item ends the open one at its place, whatever its id; a starting one joins it only
            // if that was opened by an early piece or carries no other id.
            if fits && (done || !slot.announced || slot.id.is_none() || id.is_none()) {
                if done && id.is_some() && slot.id.is_some() {
                    let detail = format!("item {id:?} finishes {:?} by output index", slot.id);
                    self.assembly.warn(WireWarningCode::ItemIdMismatch, detail);
                }
                return at;
            }
            let detail = format!("item {id:?} uses the output index {index:?} of another");
            self.assembly.warn(WireWarningCode::OutputIndexReused, detail);
        }
        let body = Body::of(kind);
        if matches!(body, Body::Server(_)) && !PROVIDER_ITEMS.contains(&kind) {
            let detail = format!("{kind}: {}", shape(raw.get()));
            self.assembly.warn(WireWarningCode::UnknownItemType, detail);
        }
        self.open(event, id, body)
    }

    /// Takes what the item says into its slot. The finished item is authoritative.
    fn fill(&mut self, at: usize, head: &ItemHead<'_>, raw: &RawValue, done: bool) {
        let Some(slot) = self.slots.get_mut(at) else {
            return;
        };
        slot.announced = true;
        slot.done |= done;
        if slot.id.is_none() {
            slot.id = head.id.owned();
        }
        if let Body::Server(opaque) = &mut slot.body {
            let kind = head.kind.or_empty().to_owned();
            let (id, name) = (head.id.owned(), head.name.owned());
            *opaque = Some(Opaque { kind, id, name, json: RawJson::from(raw) });
            return;
        }
        let Ok(item) = serde_json::from_str::<Item<'_>>(raw.get()) else {
            return;
        };
        let item_id = slot.id.as_deref().and_then(ItemId::non_empty);
        match &mut slot.body {
            Body::Call(draft) => {
                draft.item_id = item_id;
                fill_call(draft, &item, raw, at, done, &mut self.assembly);
            }
            Body::Message { parts, phase } => {
                *phase = item.phase.owned().or(phase.take());
                let content: Vec<Part> = item.content.0.iter().map(Part::from_wire).collect();
                if done && content.iter().any(|part| !part.text.is_empty()) {
                    *parts = content;
                }
            }
            Body::Reasoning { summary, content, encrypted } => {
                let texts = |list: &[super::wire::Part<'_>]| {
                    list.iter().map(|part| part.text.or_empty().to_owned()).collect::<Vec<_>>()
                };
                if done && !item.summary.0.is_empty() {
                    *summary = texts(&item.summary.0);
                }
                if done && !item.content.0.is_empty() {
                    *content = texts(&item.content.0);
                }
                *encrypted = item.encrypted_content.owned().or(encrypted.take());
            }
            Body::Server(_) => {}
        }
    }

    /// Pieces that were waiting for this item.
    fn deliver_early(&mut self, at: usize) {
        let Some(slot) = self.slots.get_mut(at) else {
            return;
        };
        let Body::Call(draft) = &mut slot.body else { return };
        let (index, id) = (slot.index, slot.id.as_deref());
        self.early.retain(|early| {
            let by_id = early.item_id.is_some() && early.item_id.as_deref() == id;
            let by_index = early.index.is_some() && early.index == index;
            if by_id || by_index {
                draft.push(&early.piece);
            }
            !(by_id || by_index)
        });
        draft.show(at, &mut self.assembly);
    }

    fn error(&mut self, data: &str) {
        let value = serde_json::from_str(data).unwrap_or_default();
        self.ending = Some(Ending::Failed(error_body::from_value(None, &value), None));
    }

    fn terminal(&mut self, kind: &str, response: Option<&RawValue>) {
        let response =
            response.and_then(|raw| serde_json::from_str::<Response<'_>>(raw.get()).ok()).unwrap_or_default();
        let (id, model) = (response.id.non_empty(), response.model.non_empty());
        self.assembly.identify(id, model, response.service_tier.non_empty());
        if let Some(usage) = response.usage.and_then(usage) {
            self.assembly.usage = Some(usage);
        }
        for (place, raw) in response.output.0.iter().enumerate() {
            self.reconcile(place as u64, raw);
        }
        let status = match (kind, response.status.or_empty()) {
            ("response.failed", _) | (_, "failed") => "failed",
            ("response.incomplete", _) | (_, "incomplete") => "incomplete",
            ("response.cancelled", _) | (_, "cancelled") => "cancelled",
            ("response", status @ ("queued" | "in_progress")) => status,
            _ => "completed",
        };
        self.ending = Some(match status {
            "completed" => {
                let calls = self.slots.iter().any(|slot| matches!(slot.body, Body::Call(_)));
                let reason = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
                Ending::Stopped(plain_stop(reason, Some(status.to_owned())))
            }
            "failed" => {
                let value = response.error.and_then(|raw| serde_json::from_str(raw.get()).ok());
                let error = value.map_or_else(
                    || {
                        ModelError::new(ModelErrorKind::Server)
                            .with_message("the response failed without a reason")
                    },
                    |value| error_body::from_value(None, &value),
                );
                Ending::Failed(error, Some(status.to_owned()))
            }
            "incomplete" => {
                let details = response.incomplete_details;
                let details =
                    details.and_then(|raw| serde_json::from_str::<IncompleteDetails<'_>>(raw.get()).ok());
                let details = details.unwrap_or_default();
                let (reason, raw) = match details.reason.non_empty() {
                    Some("max_output_tokens") => {
                        (StopReason::MaxTokens, "incomplete:max_output_tokens".to_owned())
                    }
                    Some("content_filter") => {
                        (StopReason::ContentFilter, "incomplete:content_filter".to_owned())
                    }
                    Some(other) => (StopReason::Other, format!("incomplete:{other}")),
                    None => (StopReason::Other, "incomplete".to_owned()),
                };
                Ending::Stopped(plain_stop(reason, Some(raw)))
            }
            other => Ending::Stopped(plain_stop(StopReason::Other, Some(other.to_owned()))),
        });
    }

    /// The terminal event repeats the output. What the stream left open or never announced is taken from there.
    fn reconcile(&mut self, place: u64, raw: &RawValue) {
        let Ok(head) = serde_json::from_str::<ItemHead<'_>>(raw.get()) else {
            return;
        };
        let Ok(item) = serde_json::from_str::<Item<'_>>(raw.get()) else {
            return;
        };
        let kind = head.kind.or_empty();
        let known = self.slots.iter().position(|slot| {
            head.id.non_empty().is_some_and(|id| slot.has_id(id))
                || item.call_id.non_empty().is_some_and(|id| slot.has_call_id(id))
                || (slot.index == Some(place) && slot.body.kind_is(kind))
                || slot.body.same_content(kind, &item)
        });
        if let Some(at) = known {
            if self.slots.get(at).is_some_and(|slot| !slot.done) {
                self.fill(at, &head, raw, true);
            }
            return;
        }
        let event = Event { output_index: crate::wire::lenient::Index(Some(place)), ..Event::default() };
        let body = Body::of(kind);
        if matches!(body, Body::Server(_)) && !PROVIDER_ITEMS.contains(&kind) {
            self.assembly.warn(WireWarningCode::UnknownItemType, format!("{kind}: {}", shape(raw.get())));
        }
        let at = self.open(&event, head.id.non_empty(), body);
        self.fill(at, &head, raw, true);
    }

    pub(crate) fn finish(mut self, failure: Option<ModelError>) -> Reply {
        let ending = match (self.ending.take(), failure) {
            (Some(ending), _) => ending,
            (None, Some(error)) => Ending::Failed(error, None),
            (None, None) => Ending::Cut(None),
        };
        // A completed response is whole even where a server skipped the end marks of its items.
        let completed = matches!(&ending, Ending::Stopped(stop) if stop.raw.as_deref() == Some("completed"));
        self.slots.sort_by_key(|slot| slot.order);
        let mut blocks = Vec::with_capacity(self.slots.len());
        for slot in self.slots {
            let item_id = slot.id.as_deref().and_then(ItemId::non_empty);
            match slot.body {
                Body::Call(draft) => {
                    let whole = slot.done || draft.ended || completed;
                    blocks.push(Block::ToolCall(draft.finish(whole, &mut self.assembly)));
                }
                Body::Message { parts, phase } => {
                    for part in parts.into_iter().filter(|part| !part.text.is_empty()) {
                        let (text, item_id) = (part.text, item_id.clone());
                        blocks.push(if part.refusal {
                            Block::Refusal(Refusal { text, item_id })
                        } else {
                            let (annotations, phase) = (part.annotations, phase.clone());
                            Block::Text(Text { text, annotations, phase, item_id })
                        });
                    }
                }
                Body::Reasoning { summary, content, encrypted } => {
                    blocks.push(Block::Reasoning(Reasoning::Item {
                        id: item_id,
                        summary,
                        content,
                        encrypted,
                    }));
                }
                Body::Server(opaque) => blocks.extend(opaque.map(Block::Opaque)),
            }
        }
        self.assembly.finish(blocks, ending)
    }
}

/// A text that was left raw.
fn text(raw: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}

fn fill_call(
    draft: &mut CallDraft,
    item: &Item<'_>,
    raw: &RawValue,
    block: usize,
    done: bool,
    assembly: &mut Assembly,
) {
    if let Some(call_id) = item.call_id.get().and_then(CallId::non_empty) {
        draft.call_id = Some(call_id);
    } else if draft.call_id.is_none() && !draft.fallback_reported {
        draft.fallback_reported = true;
        let stand_in = draft.item_id.as_ref().map_or("a minted id", ItemId::as_str);
        let detail = format!("{stand_in} stands in for the call_id of {}", shape(raw.get()));
        assembly.warn(WireWarningCode::MissingCallId, detail);
    }
    if let Some(name) = item.name.owned() {
        draft.name = name;
    }
    if item.namespace.is_some() || item.caller.is_some() {
        let fields = [("namespace", item.namespace), ("caller", item.caller)];
        let fields: Vec<String> = fields
            .into_iter()
            .filter_map(|(name, raw)| raw.map(|raw| format!("\"{name}\":{}", raw.get())))
            .collect();
        draft.extra = RawJson::new(format!("{{{}}}", fields.join(","))).ok();
    }
    let sent = match draft.kind {
        CallKind::Custom => item.input.get().map(|text| Arguments::Text(text.to_owned())),
        CallKind::Function | CallKind::LegacyFunction => arguments(item.arguments),
    };
    if done {
        if let Some(sent) = sent {
            draft.conclude(sent, assembly);
        }
        draft.ended = true;
        draft.cut |= item.status.get() == Some("incomplete");
    } else if let Some(sent) = sent.filter(|sent| *sent != Arguments::Text(String::new())) {
        draft.push_arguments(sent, assembly);
    }
    draft.show(block, assembly);
}
