//! Items of a Responses stream: which slot an announced item belongs to, and what it says.

use serde_json::value::RawValue;
use tata_core::{CallId, CallKind, ItemId, Opaque, RawJson, WireWarningCode};

use super::{
    decode::Decoder,
    slot::{Body, Part, Slot},
    wire::{self, Event, Item, PROVIDER_ITEMS},
};
use crate::wire::{
    assembly::Assembly,
    draft::CallDraft,
    lenient::{Arguments, arguments},
    shape::shape,
};

impl Decoder {
    pub(super) fn item(&mut self, event: &Event<'_>, done: bool, data: &str) {
        let item = event.item.and_then(|raw| serde_json::from_str::<Item<'_>>(raw.get()).ok());
        let (Some(raw), Some(item)) = (event.item, item) else {
            self.assembly.malformed(data, false);
            return;
        };
        let at = self.place(event, &item, raw, done);
        self.deliver_early(at);
        self.fill(at, &item, raw, done);
    }

    /// The slot of an announced item: the one it already has, else a new one.
    fn place(&mut self, event: &Event<'_>, item: &Item<'_>, raw: &RawValue, done: bool) -> usize {
        let (id, call_id) = (item.id.non_empty(), item.call_id.non_empty());
        // The call id is the key: two calls that share an item id stay two calls.
        let other = |slot: &Slot| call_id.is_some() && slot.has_other_call_id(call_id);
        let by_id = id.and_then(|id| match call_id {
            Some(call_id) => {
                let has_no_call_id = |at: usize| self.slots.get(at).and_then(Slot::call_id).is_none();
                self.lookup.by_id_and_call(id, call_id, has_no_call_id)
            }
            None => self.lookup.by_id(id),
        });
        let is_open = |at: usize| self.slots.get(at).is_some_and(|slot| !slot.done);
        let known = by_id.or_else(|| self.lookup.open_by_call(call_id?, is_open));
        if let Some(at) = known {
            return at;
        }
        let kind = item.kind.or_empty();
        let index = event.output_index.0;
        if let Some(at) = index.and_then(|index| self.lookup.by_index(index))
            && let Some(slot) = self.slots.get_mut(at)
        {
            let fits = !slot.done && slot.body.kind_is(kind) && !other(slot);
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
    pub(super) fn fill(&mut self, at: usize, item: &Item<'_>, raw: &RawValue, done: bool) {
        let Some(slot) = self.slots.get_mut(at) else {
            return;
        };
        slot.announced = true;
        slot.done |= done;
        let known = (slot.id.is_some(), slot.call_id().is_some());
        if slot.id.is_none() {
            slot.id = item.id.owned();
        }
        let item_id = slot.id.as_deref().and_then(ItemId::non_empty);
        match &mut slot.body {
            Body::Call(draft) => {
                draft.item_id = item_id;
                fill_call(draft, item, raw, at, done, &mut self.assembly);
            }
            Body::Message { parts, phase } => {
                *phase = item.phase.owned().or(phase.take());
                let content: Vec<Part> = item.content.0.iter().map(Part::from_wire).collect();
                if done && content.iter().any(|part| !part.text.is_empty()) {
                    replace(parts, content, at, &mut self.assembly);
                }
            }
            Body::Reasoning { summary, content, encrypted } => {
                let mut texts = |known: &mut Vec<String>, list: &[wire::Part<'_>]| {
                    if done && !list.is_empty() {
                        let length = known.iter().map(String::len).sum();
                        known.clear();
                        // What is known makes room once, for the first.
                        let lengths = std::iter::once(length).chain(std::iter::repeat(0));
                        known.extend(list.iter().zip(lengths).map(|(part, length)| {
                            self.assembly.admit_whole(length, part.text.or_empty().to_owned())
                        }));
                    }
                };
                texts(summary, &item.summary.0);
                texts(content, &item.content.0);
                *encrypted = item.encrypted_content.owned().or(encrypted.take());
            }
            Body::Server(opaque) => {
                let kind = item.kind.or_empty().to_owned();
                let (id, name) = (item.id.owned(), item.name.owned());
                *opaque = Some(Opaque { kind, id, name, json: RawJson::from(raw) });
            }
        }
        if known != (slot.id.is_some(), slot.call_id().is_some()) {
            self.lookup.note(at, slot);
        }
    }

    /// Pieces that were waiting for this item: those with its id, or at its place without another id.
    pub(super) fn deliver_early(&mut self, at: usize) {
        let Some(slot) = self.slots.get_mut(at) else { return };
        let Body::Call(draft) = &mut slot.body else { return };
        for early in self.waiting.take(slot.index, slot.id.as_deref()) {
            if early.whole {
                draft.conclude(Arguments::Text(early.piece), &mut self.assembly);
            } else {
                draft.push(&early.piece, &mut self.assembly);
            }
        }
    }
}

/// Exchanges the parts of a message for those of its finished item. What was not shown of them is.
fn replace(parts: &mut Vec<Part>, whole: Vec<Part>, block: usize, assembly: &mut Assembly) {
    let mut before = std::mem::take(parts).into_iter();
    for mut part in whole {
        let pieces = before.next().unwrap_or_default().text;
        part.text = assembly.admit_whole(pieces.len(), part.text);
        assembly.show_rest(block, &pieces, &part.text, part.refusal);
        parts.push(part);
    }
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
    if let Some(name) = item.name.non_empty() {
        draft.name = name.into();
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
        draft.begin_with(sent, assembly);
    }
    draft.show(block, assembly);
}
