//! Many patterns as one graph of words: what they share at their ends is stored once.

use std::collections::{BTreeMap, BTreeSet};

use super::pattern::{Part, Pattern};
use crate::{rows::number, tables::OPEN_END, words::Style};

/// What a phrase says about the words it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meaning {
    /// They are a hit.
    Hit,
    /// They are fine, and so is every hit of the same id within them.
    Fine,
}

/// The ways through many patterns; a part is a literal and two flags, see [`Builder::code`].
#[derive(Debug)]
pub(crate) struct Graph {
    /// All literals, sorted.
    pub(crate) literals: Vec<String>,
    /// How phrases begin: part, id and meaning, node; sorted.
    pub(crate) starts: Vec<[u32; 3]>,
    /// How phrases go on from each node.
    pub(crate) nodes: Vec<Node>,
}

/// How phrases go on: part and node, sorted; and whether a phrase may end here.
pub(crate) type Node = (Vec<[u32; 2]>, bool);

/// The part that stands for up to two words.
pub(crate) const BETWEEN: u32 = u32::MAX;
/// The flag of a part: more letters may come before.
pub(crate) const OPEN_START: u32 = 2;

impl Graph {
    /// A graph of patterns; each has an id. A pattern that cannot be read is named.
    pub(crate) fn new<'a>(
        patterns: impl IntoIterator<Item = (usize, Meaning, &'a str)>,
        style: Style,
    ) -> Result<Self, String> {
        let mut builder = Builder::default();
        for (id, meaning, pattern) in patterns {
            let added =
                Pattern::read(pattern, style).and_then(|read| builder.add(number(id), meaning, &read));
            added.map_err(|problem| format!("{problem} in {pattern:?}"))?;
        }
        Ok(builder.finish())
    }
}

#[derive(Default)]
struct Builder {
    literals: BTreeMap<String, u32>,
    /// Nodes by what may follow: equal ends are one node.
    known: BTreeMap<Node, u32>,
    nodes: Vec<Node>,
    /// How phrases begin.
    starts: BTreeSet<[u32; 3]>,
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
            self.starts.insert([first, what, node]);
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
        let node = self.one_way(edges, may_end);
        places.insert(place, node);
        Ok(node)
    }

    /// A node from which every part leads one way only: where it would lead several, they are made one.
    fn one_way(&mut self, edges: Vec<[u32; 2]>, may_end: bool) -> u32 {
        let mut transitions: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for [part, node] in edges {
            transitions.entry(part).or_default().insert(node);
        }
        let transitions = transitions.into_iter().map(|(part, nodes)| [part, self.merged(&nodes)]).collect();
        self.node(transitions, may_end)
    }

    fn merged(&mut self, nodes: &BTreeSet<u32>) -> u32 {
        if let (1, Some(only)) = (nodes.len(), nodes.first()) {
            return *only;
        }
        let nodes = nodes.iter().filter_map(|node| self.nodes.get(*node as usize));
        let may_end = nodes.clone().any(|(_, may_end)| *may_end);
        let edges = nodes.flat_map(|(edges, _)| edges).copied().collect();
        self.one_way(edges, may_end)
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
                let open = |is_open: bool, flag: u32| if is_open { flag } else { 0 };
                literal << 2 | open(*open_start, OPEN_START) | open(*open_end, OPEN_END)
            }
        }
    }

    fn finish(self) -> Graph {
        // Literals are numbered in the order of their letters, so that phrases are found in that order.
        let mut new_number = vec![0; self.literals.len()];
        let mut literals = Vec::with_capacity(self.literals.len());
        for (at, (literal, old)) in self.literals.into_iter().enumerate() {
            literals.push(literal);
            if let Some(new) = new_number.get_mut(old as usize) {
                *new = number(at);
            }
        }
        let renumbered = |part: u32| {
            if part == BETWEEN {
                return part;
            }
            new_number.get((part >> 2) as usize).copied().unwrap_or(0) << 2 | part & 3
        };
        let mut starts: Vec<[u32; 3]> =
            self.starts.into_iter().map(|[part, what, node]| [renumbered(part), what, node]).collect();
        starts.sort_unstable();
        let nodes = self.nodes.into_iter().map(|(transitions, may_end)| {
            let mut transitions: Vec<[u32; 2]> =
                transitions.into_iter().map(|[part, node]| [renumbered(part), node]).collect();
            transitions.sort_unstable();
            (transitions, may_end)
        });
        Graph { literals, starts, nodes: nodes.collect() }
    }
}
