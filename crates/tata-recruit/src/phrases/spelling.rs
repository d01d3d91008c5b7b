//! Which literals of a graph a word begins with: found by halving a sorted table, so nothing has to be made first.

use std::collections::BTreeMap;

use super::{graph::Graph, words::Word};

/// Where the literals with the same first two bytes begin in the sorted table.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    by_two_bytes: Vec<u32>,
}

/// The literals that each word of a text begins with.
#[derive(Debug, Default)]
pub(crate) struct Known {
    literals: Vec<u32>,
    /// Where those of each word begin and end.
    bounds: Vec<(u32, u32)>,
}

impl Known {
    /// The literals that a word begins with; the last one may be all of it.
    pub(crate) fn of(&self, word: usize) -> &[u32] {
        let (start, end) = self.bounds.get(word).copied().unwrap_or_default();
        self.literals.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// The first two bytes of a literal as a number; one byte counts as followed by nothing.
fn key(bytes: &[u8]) -> usize {
    let byte = |at: usize| usize::from(bytes.get(at).copied().unwrap_or(0));
    byte(0) << 8 | byte(1)
}

impl Spelling {
    /// For a graph.
    pub(crate) fn of(graph: &Graph) -> Self {
        let mut by_two_bytes = vec![0; (1 << 16) + 1];
        let mut next = 0;
        for literal in 0..graph.count() {
            let key = key(graph.literal(literal).as_bytes());
            while next <= key {
                by_two_bytes[next] = literal;
                next += 1;
            }
        }
        by_two_bytes[next..].fill(graph.count());
        Self { by_two_bytes }
    }

    /// For all words of a text; a word that comes again is looked up once.
    pub(crate) fn known(&self, graph: &Graph, words: &[Word]) -> Known {
        let mut known = Known { literals: Vec::new(), bounds: Vec::with_capacity(words.len()) };
        let mut seen: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for word in words {
            let bounds = *seen.entry(&word.text).or_insert_with(|| {
                let start = known.literals.len();
                self.find(graph, &word.text, &mut known.literals);
                let end = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                (end(start), end(known.literals.len()))
            });
            known.bounds.push(bounds);
        }
        known
    }

    /// For one word.
    pub(crate) fn begins(&self, graph: &Graph, word: &str) -> Vec<u32> {
        let mut found = Vec::new();
        self.find(graph, word, &mut found);
        found
    }

    fn find(&self, graph: &Graph, word: &str, found: &mut Vec<u32>) {
        let bytes = word.as_bytes();
        let range = |key: usize| {
            let bound = |at: usize| self.by_two_bytes.get(at).copied().unwrap_or(0);
            (bound(key), bound(key + 1))
        };
        // A literal of one byte stands before all that go on.
        if bytes.len() > 1 {
            let (low, high) = range(key(&bytes[..1]));
            found.extend(low..high);
        }
        let (mut low, mut high) = range(key(bytes));
        for (depth, byte) in bytes.iter().enumerate().skip(1) {
            if low >= high {
                return;
            }
            if depth > 1 {
                low = halved(low, high, |literal| {
                    graph.literal(literal).as_bytes().get(depth).is_none_or(|at| at < byte)
                });
                high = halved(low, high, |literal| {
                    graph.literal(literal).as_bytes().get(depth).is_some_and(|at| at == byte)
                });
            }
            if low < high && graph.literal(low).len() == depth + 1 {
                found.push(low);
                low += u32::from(depth + 1 < bytes.len());
            }
        }
        if bytes.len() == 1 {
            found.extend(low..high);
        }
    }
}

/// The first number in a range for which something no longer holds.
fn halved(mut low: u32, mut high: u32, holds: impl Fn(u32) -> bool) -> u32 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
