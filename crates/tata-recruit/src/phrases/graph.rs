//! Many patterns as one graph of words: what they share at their ends is stored once.
//!
//! The built-in word lists are made into graphs when the program is built (`build.rs`), so none is read at run time.

use std::collections::{BTreeMap, BTreeSet};

use super::pattern::{Part, Pattern};

/// What a phrase says about the words it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaning {
    /// They are a hit.
    Hit,
    /// They are fine, and so is every hit of the same id within them.
    Fine,
}

/// Tables of numbers; a part is a literal and two flags, see [`Graph::part`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// All literals, one after the other.
    text: String,
    /// Where each literal begins, and the end of the last.
    literals: Vec<u32>,
    /// The words that phrases begin with: part, first of its starts. The last row only ends the one before.
    pub(crate) anchors: Vec<[u32; 2]>,
    /// How phrases begin: part, id and meaning, node.
    starts: Vec<[u32; 3]>,
    /// Where a node's edges begin, and whether a phrase may end in it. The last one only ends the one before.
    nodes: Vec<u32>,
    /// How phrases go on: part, node.
    edges: Vec<[u32; 2]>,
}

/// A part of a phrase, read from its number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// A word: its letters, and whether more may come before and after.
    Word(&'a str, bool, bool),
    /// Up to two words.
    Between,
}

const BETWEEN: u32 = u32::MAX;

impl Graph {
    /// A graph of patterns; each has an id. A pattern that cannot be read is named.
    pub(crate) fn new<'a>(
        patterns: impl IntoIterator<Item = (usize, Meaning, &'a str)>,
    ) -> Result<Self, (usize, String)> {
        let mut builder = Builder::default();
        for (id, meaning, pattern) in patterns {
            let added = Pattern::read(pattern).and_then(|read| builder.add(number(id), meaning, &read));
            added.map_err(|problem| (id, format!("{problem} in {pattern:?}")))?;
        }
        Ok(builder.finish())
    }

    /// As bytes, for a file that the program is built with.
    #[allow(dead_code, reason = "the build writes graphs, the program reads them")]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Self { text, literals, anchors, starts, nodes, edges } = self;
        let mut bytes = Vec::new();
        for numbers in [literals, anchors.as_flattened(), starts.as_flattened(), nodes, edges.as_flattened()]
        {
            bytes.extend(number(numbers.len()).to_le_bytes());
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(text.as_bytes());
        bytes
    }

    /// Back from bytes; nothing if they are no graph.
    pub(crate) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut table = || -> Option<Vec<u32>> {
            let (count, rest) = bytes.split_first_chunk()?;
            let (table, rest) = rest.split_at_checked(u32::from_le_bytes(*count) as usize * 4)?;
            bytes = rest;
            Some(table.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)).collect())
        };
        let [literals, anchors, starts, nodes, edges] = [table()?, table()?, table()?, table()?, table()?];
        Some(Self {
            text: str::from_utf8(bytes).ok()?.to_owned(),
            literals,
            anchors: anchors.as_chunks().0.to_vec(),
            starts: starts.as_chunks().0.to_vec(),
            nodes,
            edges: edges.as_chunks().0.to_vec(),
        })
    }

    /// What a part stands for.
    pub(crate) fn part(&self, part: u32) -> Step<'_> {
        if part == BETWEEN {
            return Step::Between;
        }
        let at = (part >> 2) as usize;
        let bound = |at: usize| self.literals.get(at).map_or(0, |byte| *byte as usize);
        let literal = self.text.get(bound(at)..bound(at + 1)).unwrap_or_default();
        Step::Word(literal, part & 2 != 0, part & 1 != 0)
    }

    /// The ways that begin with an anchor.
    pub(crate) fn starts(&self, anchor: usize) -> &[[u32; 3]] {
        let bound = |at: usize| self.anchors.get(at).map_or(0, |[_, start]| *start as usize);
        self.starts.get(bound(anchor)..bound(anchor + 1)).unwrap_or_default()
    }

    /// The ways on from a node, and whether a phrase may end in it.
    pub(crate) fn node(&self, node: u32) -> (&[[u32; 2]], bool) {
        let bound = |at: u32| self.nodes.get(at as usize).map_or(0, |first| *first);
        let edges = (bound(node) >> 1) as usize..(bound(node + 1) >> 1) as usize;
        (self.edges.get(edges).unwrap_or_default(), bound(node) & 1 != 0)
    }
}

#[derive(Default)]
struct Builder {
    literals: BTreeMap<String, u32>,
    /// Nodes by what may follow: equal ends are one node.
    known: BTreeMap<(Vec<[u32; 2]>, bool), u32>,
    nodes: Vec<(Vec<[u32; 2]>, bool)>,
    /// How phrases begin, by the part without its open end.
    starts: BTreeMap<u32, BTreeSet<[u32; 3]>>,
}

const SHAPE: &str = "a phrase begins and ends with a word";

impl Builder {
    fn add(&mut self, id: u32, meaning: Meaning, pattern: &Pattern) -> Result<(), String> {
        let mut places = BTreeMap::new();
        let what = id << 1 | u32::from(meaning == Meaning::Fine);
        for (parts, next) in pattern.words(0)? {
            let (first, rest) =
                parts.split_first().filter(|(first, _)| **first != Part::Between).ok_or(SHAPE)?;
            let first = self.code(first);
            let after = self.after(pattern, next, &mut places)?;
            let node = self.chain(rest, after);
            self.starts.entry(first & !1).or_default().insert([first, what, node]);
        }
        Ok(())
    }

    /// The node of what may come after a place of a pattern.
    fn after(
        &mut self,
        pattern: &Pattern,
        place: Option<usize>,
        places: &mut BTreeMap<usize, u32>,
    ) -> Result<u32, String> {
        let Some(place) = place else { return Ok(self.node(Vec::new(), true)) };
        if let Some(known) = places.get(&place) {
            return Ok(*known);
        }
        let (mut edges, mut may_end) = (Vec::new(), false);
        for (parts, next) in pattern.words(place)? {
            let Some((first, rest)) = parts.split_first() else {
                may_end = true;
                continue;
            };
            let after = self.after(pattern, next, places)?;
            if *first == Part::Between && self.nodes.get(after as usize).is_some_and(|(_, may_end)| *may_end)
            {
                return Err(SHAPE.to_owned());
            }
            let node = self.chain(rest, after);
            edges.push([self.code(first), node]);
        }
        edges.sort_unstable();
        edges.dedup();
        let node = self.node(edges, may_end);
        places.insert(place, node);
        Ok(node)
    }

    /// The node from which these parts lead to another.
    fn chain(&mut self, parts: &[Part], after: u32) -> u32 {
        parts.iter().rev().fold(after, |node, part| {
            let part = self.code(part);
            self.node(vec![[part, node]], false)
        })
    }

    fn node(&mut self, edges: Vec<[u32; 2]>, may_end: bool) -> u32 {
        let next = number(self.nodes.len());
        let node = *self.known.entry((edges.clone(), may_end)).or_insert(next);
        if node == next {
            self.nodes.push((edges, may_end));
        }
        node
    }

    fn code(&mut self, part: &Part) -> u32 {
        match part {
            Part::Between => BETWEEN,
            Part::Word { literal, open_start, open_end } => {
                let next = number(self.literals.len());
                let literal = *self.literals.entry(literal.clone()).or_insert(next);
                literal << 2 | u32::from(*open_start) << 1 | u32::from(*open_end)
            }
        }
    }

    fn finish(self) -> Graph {
        let mut by_number: Vec<(u32, String)> =
            self.literals.into_iter().map(|(text, at)| (at, text)).collect();
        by_number.sort_unstable();
        let (mut text, mut literals) = (String::new(), vec![0]);
        for (_, literal) in by_number {
            text.push_str(&literal);
            literals.push(number(text.len()));
        }
        let (mut anchors, mut starts) = (Vec::new(), Vec::new());
        for (part, ways) in self.starts {
            anchors.push([part, number(starts.len())]);
            starts.extend(ways);
        }
        anchors.push([0, number(starts.len())]);
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for (ways, may_end) in self.nodes {
            nodes.push(number(edges.len()) << 1 | u32::from(may_end));
            edges.extend(ways);
        }
        nodes.push(number(edges.len()) << 1);
        Graph { text, literals, anchors, starts, nodes, edges }
    }
}

/// Word lists have thousands of entries, never billions.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX >> 3)
}
