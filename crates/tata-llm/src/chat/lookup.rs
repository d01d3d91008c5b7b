//! Which call a piece may belong to: the last at an index, and the last with an id.

use std::collections::HashMap;

/// Where the calls of an answer are found again. Pieces of many calls may come in turn, so that nothing is searched for
/// among all of them.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    all: Here,
    by_index: HashMap<u64, Here>,
}

/// The calls at one index, or all of them.
#[derive(Debug, Default)]
struct Here {
    last: Option<usize>,
    by_id: HashMap<String, usize>,
}

impl Lookup {
    pub(super) fn opened(&mut self, at: usize, index: Option<u64>) {
        for here in self.places(index) {
            here.last = Some(at);
        }
    }

    /// A call got its id.
    pub(super) fn named(&mut self, at: usize, index: Option<u64>, id: &str) {
        for here in self.places(index) {
            let last = here.by_id.entry(id.to_owned()).or_insert(at);
            *last = at.max(*last);
        }
    }

    /// The last call at an index; without one, the last of all.
    pub(super) fn last(&self, index: Option<u64>) -> Option<usize> {
        self.here(index)?.last
    }

    /// The last call with an id at an index; without one, of all.
    pub(super) fn with_id(&self, index: Option<u64>, id: &str) -> Option<usize> {
        self.here(index)?.by_id.get(id).copied()
    }

    fn here(&self, index: Option<u64>) -> Option<&Here> {
        index.map_or(Some(&self.all), |index| self.by_index.get(&index))
    }

    /// Everywhere a call at an index is listed.
    fn places(&mut self, index: Option<u64>) -> impl Iterator<Item = &mut Here> {
        let own = index.map(|index| self.by_index.entry(index).or_default());
        std::iter::once(&mut self.all).chain(own)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Call = (Option<u64>, Option<&'static str>);

    fn id() -> impl Strategy<Value = Option<&'static str>> {
        prop::option::of(prop::sample::select(vec!["a", "b", "c"]))
    }

    fn index() -> impl Strategy<Value = Option<u64>> {
        prop::option::of(0_u64..3)
    }

    proptest! {
        #[test]
        fn the_lookup_finds_what_a_search_through_all_calls_finds(
            steps in prop::collection::vec((index(), id(), any::<prop::sample::Index>()), 1..40),
        ) {
            let (mut lookup, mut calls) = (Lookup::default(), Vec::<Call>::new());
            for (index, id, at) in steps {
                let nameless = id.filter(|_| !calls.is_empty()).map(|id| (at.index(calls.len()), id));
                if let Some((at, id)) = nameless.filter(|(at, _)| calls[*at].1.is_none()) {
                    calls[at].1 = Some(id);
                    lookup.named(at, calls[at].0, id);
                } else {
                    lookup.opened(calls.len(), index);
                    calls.push((index, None));
                }
                for index in [None, Some(0), Some(1), Some(2)] {
                    let here = |call: &Call| index.is_none() || call.0 == index;
                    prop_assert_eq!(lookup.last(index), calls.iter().rposition(here));
                    for id in ["a", "b", "c"] {
                        let exact = calls.iter().rposition(|call| here(call) && call.1 == Some(id));
                        prop_assert_eq!(lookup.with_id(index, id), exact);
                    }
                }
            }
        }
    }
}
