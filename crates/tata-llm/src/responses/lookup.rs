//! Where the items of an answer are found again: by item id, by call id, by output index.
//!
//! Servers leave out, repeat and share ids, so that each leads to any number of slots. What is known of a slot only
//! grows: an id, a call id and "done" come once and stay. So a slot that is out of a search is out for good, and reading
//! stays linear whatever is repeated.

use std::collections::HashMap;

use super::slot::Slot;
use crate::wire::places::Places;

#[derive(Debug, Default)]
pub(super) struct Lookup {
    ids: HashMap<String, Owners>,
    calls: HashMap<String, Holders>,
    indices: HashMap<u64, Holders>,
}

/// The slots of one item id. The call id is the key: calls that share an item id are told apart by it.
#[derive(Debug, Default)]
struct Owners {
    all: Places,
    /// Those whose call id was not known when they came; it may be by now.
    without_call: Places,
    by_call: HashMap<String, Places>,
}

/// The slots of one call id, or of one output index.
#[derive(Debug, Default)]
struct Holders {
    all: Places,
    /// Those that were not done when they were last looked at.
    open: Places,
}

impl Holders {
    fn add(&mut self, at: usize) {
        self.all.add(at);
        self.open.add(at);
    }
}

impl Lookup {
    /// Takes in what a slot is known by. Called when it opens, and again when it gets an id or a call id.
    pub(super) fn note(&mut self, at: usize, slot: &Slot) {
        if let Some(index) = slot.index {
            self.indices.entry(index).or_default().add(at);
        }
        self.note_id(at, slot.id.as_deref(), slot.call_id());
        if let Some(call_id) = slot.call_id() {
            self.calls.entry(call_id.to_owned()).or_default().add(at);
        }
    }

    fn note_id(&mut self, at: usize, id: Option<&str>, call_id: Option<&str>) {
        let Some(id) = id.filter(|id| !id.is_empty()) else { return };
        let owners = self.ids.entry(id.to_owned()).or_default();
        owners.all.add(at);
        match call_id {
            Some(call_id) => owners.by_call.entry(call_id.to_owned()).or_default().add(at),
            None => owners.without_call.add(at),
        }
    }

    /// The last slot of an item id.
    pub(super) fn by_id(&self, id: &str) -> Option<usize> {
        self.ids.get(id).and_then(|owners| owners.all.last())
    }

    /// The last slot of an item id that has this call id, or none.
    pub(super) fn by_id_and_call(
        &mut self,
        id: &str,
        call_id: &str,
        has_no_call_id: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let owners = self.ids.get_mut(id)?;
        let same = owners.by_call.get(call_id).and_then(Places::last);
        same.max(owners.without_call.last_that(has_no_call_id))
    }

    /// The last slot of a call id.
    pub(super) fn by_call(&self, call_id: &str) -> Option<usize> {
        self.calls.get(call_id).and_then(|holders| holders.all.last())
    }

    /// The last slot of a call id that is not done.
    pub(super) fn open_by_call(&mut self, call_id: &str, is_open: impl Fn(usize) -> bool) -> Option<usize> {
        self.calls.get_mut(call_id).and_then(|holders| holders.open.last_that(is_open))
    }

    /// The last slot at an output index.
    pub(super) fn by_index(&self, index: u64) -> Option<usize> {
        self.indices.get(&index).and_then(|holders| holders.all.last())
    }

    /// The last slot at an output index that is not done.
    pub(super) fn open_by_index(&mut self, index: u64, is_open: impl Fn(usize) -> bool) -> Option<usize> {
        self.indices.get_mut(&index).and_then(|holders| holders.open.last_that(is_open))
    }

    /// All slots at an output index, the first one first.
    pub(super) fn at_index(&self, index: u64) -> impl Iterator<Item = usize> + '_ {
        self.indices.get(&index).into_iter().flat_map(|holders| holders.all.iter())
    }

    /// At the end of the answer: the first free slot of a call id, or of an item id without another call id. What is not
    /// free is forgotten.
    pub(super) fn first_free(
        &mut self,
        id: Option<&str>,
        call_id: Option<&str>,
        is_free: impl Fn(usize) -> bool,
        has_no_call_id: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let holders = call_id.and_then(|call_id| self.calls.get_mut(call_id));
        let same_call = holders.and_then(|holders| holders.all.first_that(&is_free));
        let owners = id.and_then(|id| self.ids.get_mut(id));
        let same_id = owners.and_then(|owners| {
            let Some(call_id) = call_id else { return owners.all.first_that(&is_free) };
            let own = owners.by_call.get_mut(call_id).and_then(|places| places.first_that(&is_free));
            let bare = owners.without_call.first_that(|at| is_free(at) && has_no_call_id(at));
            first(own, bare)
        });
        first(same_call, same_id)
    }
}

fn first(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}

#[cfg(test)]
mod tests;
