//! The lookup finds what a search through all slots would, and looks at far fewer.

use std::cell::Cell;

use proptest::prelude::*;
use tata_core::{CallId, CallKind};

use super::*;
use crate::{responses::slot::Body, wire::draft::CallDraft};

const IDS: [&str; 3] = ["a", "b", "c"];

fn slot(index: Option<u64>, id: Option<&str>, call: bool) -> Slot {
    let body = if call { Body::Call(CallDraft::new(CallKind::Function)) } else { Body::message() };
    Slot { index, order: None, id: id.map(str::to_owned), announced: false, done: false, body }
}

fn set_call_id(slot: &mut Slot, id: &str) {
    if let Body::Call(draft) = &mut slot.body {
        draft.call_id = draft.call_id.take().or_else(|| CallId::non_empty(id));
    }
}

/// Slots and their lookup, changed as a decoder changes them.
#[derive(Default)]
struct Stream {
    slots: Vec<Slot>,
    lookup: Lookup,
}

impl Stream {
    fn open(&mut self, slot: Slot) {
        self.lookup.note(self.slots.len(), &slot);
        self.slots.push(slot);
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut Slot)) {
        if let Some(slot) = self.slots.get_mut(at) {
            change(slot);
            self.lookup.note(at, slot);
        }
    }

    /// Compares every search with one through all slots.
    fn compare(&mut self) -> Result<(), TestCaseError> {
        let Self { slots, lookup } = self;
        let open = |at: usize| !slots[at].done;
        let bare = |at: usize| slots[at].call_id().is_none();
        let scan = |is: &dyn Fn(&Slot) -> bool| slots.iter().rposition(is);
        for id in IDS {
            prop_assert_eq!(lookup.by_id(id), scan(&|slot| slot.has_id(id)));
            prop_assert_eq!(lookup.by_call(id), scan(&|slot| slot.call_id() == Some(id)));
            prop_assert_eq!(
                lookup.open_by_call(id, open),
                scan(&|slot| slot.call_id() == Some(id) && !slot.done)
            );
            for call in IDS {
                let fits = |slot: &Slot| slot.has_id(id) && !slot.has_other_call_id(Some(call));
                prop_assert_eq!(lookup.by_id_and_call(id, call, bare), scan(&fits));
            }
        }
        for index in 0..3 {
            let here = |slot: &Slot| slot.index == Some(index);
            prop_assert_eq!(lookup.by_index(index), scan(&here));
            prop_assert_eq!(lookup.open_by_index(index, open), scan(&|slot| here(slot) && !slot.done));
            let all: Vec<usize> = (0..slots.len()).filter(|at| here(&slots[*at])).collect();
            prop_assert_eq!(lookup.at_index(index).collect::<Vec<_>>(), all);
        }
        Ok(())
    }

    /// The items of the end take their slots, as a search through all of them would give these away.
    fn settle(&mut self, items: &[(Option<&str>, Option<&str>)]) -> Result<(), TestCaseError> {
        let Self { slots, lookup } = self;
        let mut taken = vec![false; slots.len()];
        for (id, call_id) in items.iter().copied() {
            let exact = |slot: &Slot| {
                let same_call = call_id.is_some_and(|call_id| slot.call_id() == Some(call_id));
                let other_call = call_id.is_some() && slot.has_other_call_id(call_id);
                same_call || (!other_call && id.is_some_and(|id| slot.has_id(id)))
            };
            let expected = slots.iter().zip(&taken).position(|(slot, taken)| !taken && exact(slot));
            let found = lookup.first_free(id, call_id, |at| !taken[at], |at| slots[at].call_id().is_none());
            prop_assert_eq!(found, expected);
            if let Some(at) = found {
                taken[at] = true;
                // What an item brings to its slot is noted, too.
                slots[at].id = slots[at].id.take().or(id.map(str::to_owned));
                if let Some(call_id) = call_id {
                    set_call_id(&mut slots[at], call_id);
                }
                lookup.note(at, &slots[at]);
            }
        }
        Ok(())
    }
}

fn id() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::of(prop::sample::select(IDS.to_vec()))
}

proptest! {
    #[test]
    fn the_lookup_finds_what_a_search_through_all_slots_finds(
        steps in prop::collection::vec(
            (0..5_u8, prop::option::of(0_u64..3), id(), any::<bool>(), any::<prop::sample::Index>()),
            1..40,
        ),
        items in prop::collection::vec((id(), id()), 0..30),
    ) {
        let mut stream = Stream::default();
        for (step, index, id, call, at) in steps {
            let at = at.index(stream.slots.len().max(1));
            match (step, id) {
                (0 | 1, _) => stream.open(slot(index, id, call)),
                (2, Some(id)) => stream.change(at, |slot| set_call_id(slot, id)),
                (3, Some(id)) => stream.change(at, |slot| slot.id = slot.id.take().or(Some(id.to_owned()))),
                _ => stream.change(at, |slot| slot.done = true),
            }
            stream.compare()?;
        }
        stream.settle(&items)?;
    }
}

/// Whatever servers repeat, each slot is looked at a few times at most, and not once for each other slot.
#[test]
fn repeated_ids_cost_no_search_through_all_slots() {
    const MANY: usize = 2_000;
    let looks = Cell::new(0_usize);
    let mut stream = Stream::default();
    for number in 0..MANY {
        // One item id, one output index and one call id for all, besides a call id of their own.
        let own = number.to_string();
        let Stream { slots, lookup } = &mut stream;
        let open = |at: usize| {
            looks.set(looks.get() + 1);
            !slots[at].done
        };
        assert_eq!(lookup.by_id_and_call("a", &own, |at| slots[at].call_id().is_none() && open(at)), None);
        assert_eq!(lookup.open_by_call("same", open), None);
        assert_eq!(lookup.open_by_index(0, open), None);
        for call_id in [own.as_str(), "same"] {
            let mut slot = slot(Some(0), Some("a"), true);
            set_call_id(&mut slot, call_id);
            slot.done = true;
            stream.open(slot);
        }
    }
    let taken: Vec<Cell<bool>> = stream.slots.iter().map(|_| Cell::new(false)).collect();
    for _ in 0..stream.slots.len() {
        let free = |at: usize| {
            looks.set(looks.get() + 1);
            !taken[at].get()
        };
        let found = stream.lookup.first_free(Some("a"), None, free, |_| false);
        taken[found.unwrap()].set(true);
    }
    assert!(looks.get() <= 4 * stream.slots.len(), "{} looks at {} slots", looks.get(), stream.slots.len());
}
