//! The terminal event of a Responses stream repeats the output: what the stream left open or never announced is taken
//! from there.

use std::collections::HashMap;

use serde_json::value::RawValue;
use tata_core::WireWarningCode;

use super::{
    decode::Decoder,
    slot::{Body, Content, Slot},
    wire::{Event, Item, ItemHead, PROVIDER_ITEMS},
};
use crate::wire::{lenient::Index, places::Places, shape::shape};

/// An object that was left raw.
pub(super) fn parse<'a, T: serde::Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// Which slots an item of the end was found for.
struct Taken(Vec<bool>);

impl Taken {
    fn is_free(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|taken| !taken)
    }
}

impl Decoder {
    pub(super) fn reconcile(&mut self, output: &[&RawValue]) {
        let mut taken = Taken(vec![false; self.slots.len()]);
        let mut unknown = Vec::new();
        // Exact matches first: a weaker likeness must not take the place of another item.
        for (place, raw) in output.iter().enumerate() {
            let Some(head) = parse::<ItemHead<'_>>(raw) else { continue };
            let has_no_call_id = |at: usize| self.slots.get(at).and_then(Slot::call_id).is_none();
            let (id, call_id) = (head.id.non_empty(), head.call_id.non_empty());
            match self.lookup.first_free(id, call_id, |at| taken.is_free(at), has_no_call_id) {
                Some(at) => self.settle(at, raw, &mut taken),
                None => unknown.extend(parse::<Item<'_>>(raw).map(|item| (place as u64, item, *raw))),
            }
        }
        if unknown.is_empty() {
            return;
        }
        let mut left = self.by_content(&taken);
        for (place, item, raw) in unknown {
            let like = self.like(place, &item, &taken, &mut left);
            let at = like.unwrap_or_else(|| {
                let kind = item.kind.or_empty();
                let body = Body::of(kind);
                if matches!(body, Body::Server(_)) && !PROVIDER_ITEMS.contains(&kind) {
                    let detail = format!("{kind}: {}", shape(raw.get()));
                    self.assembly.warn(WireWarningCode::UnknownItemType, detail);
                }
                let event = Event { output_index: Index(Some(place)), ..Event::default() };
                taken.0.push(true);
                self.open(&event, item.id.non_empty(), body)
            });
            self.settle(at, raw, &mut taken);
        }
    }

    /// The free slots by what they say.
    fn by_content(&self, taken: &Taken) -> HashMap<Content, Places> {
        let mut found: HashMap<Content, Places> = HashMap::new();
        for (at, slot) in self.slots.iter().enumerate().filter(|(at, _)| taken.is_free(*at)) {
            if let Some(content) = slot.body.content() {
                found.entry(content).or_default().add(at);
            }
        }
        found
    }

    /// The first free slot at the place of an item, or that says what it says.
    fn like(
        &self,
        place: u64,
        item: &Item<'_>,
        taken: &Taken,
        left: &mut HashMap<Content, Places>,
    ) -> Option<usize> {
        let (kind, call_id) = (item.kind.or_empty(), item.call_id.non_empty());
        let fits =
            |slot: &Slot| slot.body.kind_is(kind) && !(call_id.is_some() && slot.has_other_call_id(call_id));
        let mut there = self.lookup.at_index(place).filter(|at| taken.is_free(*at));
        let here = there.find(|at| self.slots.get(*at).is_some_and(fits));
        let content = if left.is_empty() { None } else { Content::of(kind, item) };
        let same = content.and_then(|content| left.get_mut(&content));
        let same = same.and_then(|places| places.first_that(|at| taken.is_free(at)));
        here.into_iter().chain(same).min()
    }

    /// Takes the final form of an item, unless its slot already has it.
    fn settle(&mut self, at: usize, raw: &RawValue, taken: &mut Taken) {
        if let Some(taken) = taken.0.get_mut(at) {
            *taken = true;
        }
        if self.slots.get(at).is_some_and(|slot| !slot.done)
            && let Some(item) = parse::<Item<'_>>(raw)
        {
            self.deliver_early(at);
            self.fill(at, &item, raw, true);
        }
    }
}
