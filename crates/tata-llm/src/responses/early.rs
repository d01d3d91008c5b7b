//! Pieces of arguments that arrived before their item, and wait for it.

use std::collections::{BTreeMap, HashMap};

/// Limits what a stream can make us hold for items that never show up, in bytes.
const LIMIT: usize = 4 * 1024 * 1024;
/// What a piece takes beside its text, in bytes.
const BYTES_OF_A_PIECE: usize = 64;

/// A piece that waits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Early {
    pub(super) index: Option<u64>,
    pub(super) item_id: Option<String>,
    pub(super) piece: String,
    /// The piece is the whole.
    pub(super) whole: bool,
}

/// All that wait, by their number in the order of arrival.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pieces: BTreeMap<u64, Early>,
    next: u64,
    held: usize,
    by_id: HashMap<String, Vec<u64>>,
    /// Those at an output index, with and without an item id.
    named: HashMap<u64, Vec<u64>>,
    nameless: HashMap<u64, Vec<u64>>,
}

impl Waiting {
    /// Keeps a piece, if there is room.
    pub(super) fn keep(&mut self, early: Early) {
        if self.held + early.piece.len() > LIMIT {
            return;
        }
        self.held += early.piece.len() + BYTES_OF_A_PIECE;
        let number = self.next;
        self.next += 1;
        if let Some(index) = early.index {
            let there = if early.item_id.is_some() { &mut self.named } else { &mut self.nameless };
            there.entry(index).or_default().push(number);
        }
        if let Some(id) = &early.item_id {
            self.by_id.entry(id.clone()).or_default().push(number);
        }
        self.pieces.insert(number, early);
    }

    /// Takes the pieces of an item in the order of their arrival: those with its id, and those at its place where one of
    /// the two has no id.
    pub(super) fn take(&mut self, index: Option<u64>, id: Option<&str>) -> Vec<Early> {
        if self.pieces.is_empty() {
            return Vec::new();
        }
        let mut numbers = match id {
            Some(id) => self.by_id.remove(id),
            None => index.and_then(|index| self.named.remove(&index)),
        }
        .unwrap_or_default();
        numbers.extend(index.and_then(|index| self.nameless.remove(&index)).unwrap_or_default());
        numbers.sort_unstable();
        // One that was taken by its id may still be listed at its place.
        let taken: Vec<Early> = numbers.iter().filter_map(|number| self.pieces.remove(number)).collect();
        self.held -= taken.iter().map(|early| early.piece.len() + BYTES_OF_A_PIECE).sum::<usize>();
        taken
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rule itself, over a plain list.
    fn take(list: &mut Vec<Early>, index: Option<u64>, id: Option<&str>) -> Vec<Early> {
        list.extract_if(.., |early| match (early.item_id.as_deref(), id) {
            (Some(theirs), Some(own)) => theirs == own,
            (None, _) | (_, None) => early.index.is_some() && early.index == index,
        })
        .collect()
    }

    fn place() -> impl Strategy<Value = (Option<u64>, Option<String>)> {
        let id = prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned);
        (prop::option::of(0_u64..3), prop::option::of(id))
    }

    proptest! {
        #[test]
        fn an_item_takes_what_the_rule_gives_it(steps in prop::collection::vec((place(), any::<bool>()), 0..60)) {
            let (mut waiting, mut list) = (Waiting::default(), Vec::new());
            for (number, ((index, item_id), keep)) in steps.into_iter().enumerate() {
                if keep {
                    let early = |item_id| Early { index, item_id, piece: number.to_string(), whole: false };
                    waiting.keep(early(item_id.clone()));
                    list.push(early(item_id));
                } else {
                    let taken = waiting.take(index, item_id.as_deref());
                    prop_assert_eq!(taken, take(&mut list, index, item_id.as_deref()));
                }
            }
            let held: usize = list.iter().map(|early| early.piece.len() + BYTES_OF_A_PIECE).sum();
            prop_assert_eq!(waiting.held, held);
        }
    }
}
