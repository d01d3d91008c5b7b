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
    /// The words that phrases begin with: part, and where its rows in the next four tables begin. The last row only ends
    /// the one before.
    anchors: Vec<[u32; 5]>,
    /// How phrases begin: part, id and meaning, node.
    starts: Vec<[u32; 3]>,
    /// Starts that are followed whatever comes next.
    always: Vec<u32>,
    /// Starts by the literal of the next word, sorted.
    second: Vec<[u32; 2]>,
    /// Starts by the literal of one of the next three words, sorted.
    after: Vec<[u32; 2]>,
    /// Where a node's edges begin, and whether a phrase may end in it. The last one only ends the one before.
    nodes: Vec<u32>,
    /// How phrases go on: part, node.
    edges: Vec<[u32; 2]>,
}

/// How phrases begin that begin with the same word: which of them are worth following, by what comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor<'a> {
    /// Always.
    pub(crate) always: &'a [u32],
    /// By the literal that the next word begins with: literal, start.
    pub(crate) second: &'a [[u32; 2]],
    /// By the literal that one of the next three words begins with: literal, start.
    pub(crate) after: &'a [[u32; 2]],
}

/// A part of a phrase, read from its number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A word: its literal, and whether more letters may come after.
    Word(u32, bool),
    /// Up to two words.
    Between,
}

/// What any words between are; it counts as open at its start.
const BETWEEN: u32 = u32::MAX;
const OPEN_START: u32 = 2;

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
        let Self { text, literals, anchors, starts, always, second, after, nodes, edges } = self;
        let mut bytes = Vec::new();
        let tables: [&[u32]; 8] = [
            literals,
            anchors.as_flattened(),
            starts.as_flattened(),
            always,
            second.as_flattened(),
            after.as_flattened(),
            nodes,
            edges.as_flattened(),
        ];
        for numbers in tables {
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
        let [literals, anchors, starts, always, second, after, nodes, edges] =
            [table()?, table()?, table()?, table()?, table()?, table()?, table()?, table()?];
        Some(Self {
            text: str::from_utf8(bytes).ok()?.to_owned(),
            literals,
            anchors: anchors.as_chunks().0.to_vec(),
            starts: starts.as_chunks().0.to_vec(),
            always,
            second: second.as_chunks().0.to_vec(),
            after: after.as_chunks().0.to_vec(),
            nodes,
            edges: edges.as_chunks().0.to_vec(),
        })
    }

    /// What a part stands for.
    pub(crate) fn part(part: u32) -> Step {
        if part == BETWEEN {
            return Step::Between;
        }
        Step::Word(part >> 2, part & 1 != 0)
    }

    /// How phrases begin that begin with a literal, open at its start or not.
    pub(crate) fn anchor(&self, literal: u32, open_start: bool) -> Option<Anchor<'_>> {
        let part = literal << 2 | u32::from(open_start) << 1;
        let at = self.anchors.binary_search_by_key(&part, |row| row[0]).ok()?;
        let (row, next) = (self.anchors.get(at)?, self.anchors.get(at + 1)?);
        let range = |table: usize| row[table] as usize..next[table] as usize;
        Some(Anchor {
            always: self.always.get(range(2))?,
            second: self.second.get(range(3))?,
            after: self.after.get(range(4))?,
        })
    }

    /// A start: part, id and meaning, node.
    pub(crate) fn start(&self, at: u32) -> Option<&[u32; 3]> {
        self.starts.get(at as usize)
    }

    /// The literals that phrases begin with, open at their start.
    pub(crate) fn open_anchors(&self) -> impl Iterator<Item = (u32, &str)> {
        let parts = self.anchors.iter().map(|row| row[0]);
        let open = parts.filter(|part| *part != BETWEEN && part & OPEN_START != 0);
        open.map(|part| (part >> 2, self.literal(part >> 2)))
    }

    /// A literal.
    pub(crate) fn literal(&self, at: u32) -> &str {
        let bound = |at: usize| self.literals.get(at).map_or(0, |byte| *byte as usize);
        self.text.get(bound(at as usize)..bound(at as usize + 1)).unwrap_or_default()
    }

    /// How many literals there are.
    pub(crate) fn count(&self) -> u32 {
        number(self.literals.len().saturating_sub(1))
    }

    /// The ways on from a node: to words whose beginning is known, sorted; the others; and whether a phrase may end in it.
    pub(crate) fn node(&self, node: u32) -> (&[[u32; 2]], &[[u32; 2]], bool) {
        let bound = |at: u32| self.nodes.get(at as usize).map_or(0, |first| *first);
        let edges = (bound(node) >> 1) as usize..(bound(node + 1) >> 1) as usize;
        let edges = self.edges.get(edges).unwrap_or_default();
        let (closed, open) = edges.split_at(edges.partition_point(|[part, _]| part & OPEN_START == 0));
        (closed, open, bound(node) & 1 != 0)
    }
}

#[derive(Default)]
struct Builder {
    literals: BTreeMap<String, u32>,
    /// Nodes by what may follow: equal ends are one node.
    known: BTreeMap<(Vec<[u32; 2]>, bool), u32>,
    nodes: Vec<(Vec<[u32; 2]>, bool)>,
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
        // Literals are numbered in the order of their letters, so that those a word begins with are found by halving.
        let mut new_number = vec![0; self.literals.len()];
        let (mut text, mut literals) = (String::new(), vec![0]);
        for (at, (literal, old)) in self.literals.into_iter().enumerate() {
            text.push_str(&literal);
            literals.push(number(text.len()));
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
        starts.sort_unstable_by_key(|[part, what, node]| (part & !1, *part, *what, *node));
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for (ways, may_end) in self.nodes {
            nodes.push(number(edges.len()) << 1 | u32::from(may_end));
            let mut ways: Vec<[u32; 2]> =
                ways.into_iter().map(|[part, node]| [renumbered(part), node]).collect();
            ways.sort_unstable_by_key(|[part, node]| (part & OPEN_START, *part, *node));
            edges.extend(ways);
        }
        nodes.push(number(edges.len()) << 1);
        let mut graph = Graph { text, literals, starts, nodes, edges, ..Graph::default() };
        graph.sort_starts();
        graph
    }
}

impl Graph {
    /// Says for every start which words make it worth following.
    fn sort_starts(&mut self) {
        let (mut always, mut second, mut after) =
            (Vec::new(), Vec::<[u32; 2]>::new(), Vec::<[u32; 2]>::new());
        let (mut anchors, mut keys) = (Vec::<[u32; 5]>::new(), [0, 0]);
        for (at, [part, _, node]) in self.starts.iter().enumerate() {
            let at = number(at);
            if anchors.last().is_none_or(|row| row[0] != part & !1) {
                second[keys[0]..].sort_unstable();
                after[keys[1]..].sort_unstable();
                keys = [second.len(), after.len()];
                anchors.push([
                    part & !1,
                    at,
                    number(always.len()),
                    number(second.len()),
                    number(after.len()),
                ]);
            }
            let (closed, open, may_end) = self.node(*node);
            second.extend(closed.iter().map(|[part, _]| [part >> 2, at]));
            let mut whatever = may_end;
            for [part, next] in open {
                let (closed, open, _) =
                    if *part == BETWEEN { self.node(*next) } else { (&[][..], &[[0, 0]][..], false) };
                after.extend(closed.iter().map(|[part, _]| [part >> 2, at]));
                whatever |= !open.is_empty();
            }
            always.extend(whatever.then_some(at));
        }
        second[keys[0]..].sort_unstable();
        after[keys[1]..].sort_unstable();
        let ends = [self.starts.len(), always.len(), second.len(), after.len()].map(number);
        anchors.push([BETWEEN, ends[0], ends[1], ends[2], ends[3]]);
        (self.anchors, self.always, self.second, self.after) = (anchors, always, second, after);
    }
}

/// Word lists have thousands of entries, never billions.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX >> 3)
}
