//! Places in a list, in order. They are found from either end, and one that is out is never looked at again.

use std::collections::VecDeque;

/// Ascending places, each once.
#[derive(Debug, Default)]
pub(crate) struct Places(VecDeque<usize>);

impl Places {
    pub(crate) fn add(&mut self, place: usize) {
        // Nearly always behind all others.
        if self.last().is_none_or(|last| last < place) {
            self.0.push_back(place);
        } else if let Err(at) = self.0.binary_search(&place) {
            self.0.insert(at, place);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn last(&self) -> Option<usize> {
        self.0.back().copied()
    }

    /// The last one that counts. One that does not must never count again: it is forgotten.
    pub(crate) fn last_that(&mut self, counts: impl Fn(usize) -> bool) -> Option<usize> {
        while let Some(place) = self.last() {
            if counts(place) {
                return Some(place);
            }
            self.0.pop_back();
        }
        None
    }

    /// The first one that counts. One that does not must never count again: it is forgotten.
    pub(crate) fn first_that(&mut self, counts: impl Fn(usize) -> bool) -> Option<usize> {
        while let Some(place) = self.0.front().copied() {
            if counts(place) {
                return Some(place);
            }
            self.0.pop_front();
        }
        None
    }
}
