//! Writes the tables of a graph, see `crate::tables`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    byte_writer::ByteWriter,
    graph::{BETWEEN, Graph, OPEN_START},
    transitions, trie,
};
use crate::{
    rows::number,
    symbol_filter::SymbolFilter,
    tables::{BETWEEN_ROW, BUNDLE, JOINS, NO_SYMBOL, NONE, OPEN_END, ROW},
};

/// So many phrases are followed each alone. More make the tables smaller and the search slower.
const FEW: usize = 4;

/// The tables of a graph as bytes. Cues are words in a row, whatever stands between them; the words of phrases may be
/// written together, and end with their sentence.
pub(crate) fn write(graph: &Graph, cues: bool) -> Result<Vec<u8>, String> {
    let symbols = symbols(graph)?;
    let mut writer = Writer::new(graph, &symbols);
    for (node, (transitions, may_end)) in (0..).zip(&graph.nodes) {
        let after = std::iter::successors(after_between(graph, node), |next| after_between(graph, *next));
        writer.row(transitions, &after.collect::<Vec<_>>(), u32::from(*may_end));
    }
    let mut roots: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
    for ([part, _, node], start) in graph.starts.iter().zip(0..) {
        roots.entry(*part).or_default().push([start, *node]);
    }
    let roots: BTreeMap<u32, u32> =
        roots.into_iter().map(|(part, singles)| (part, writer.target(singles))).collect();
    writer.states();

    let mut output = ByteWriter::default();
    output.bytes(&[u8::from(cues)]);
    let mut rows = Vec::new();
    let joins = if cues { BTreeSet::new() } else { joining(graph) };
    for open in [0, OPEN_START] {
        let mut parts: Vec<u32> = symbols.keys().chain(roots.keys()).copied().collect();
        parts.retain(|part| part & OPEN_START == open);
        parts.sort_unstable();
        parts.dedup();
        let mut words: Vec<(&[u8], u32)> = Vec::new();
        for parts in parts.chunk_by(|one, other| one >> 2 == other >> 2) {
            let literal = parts.first().and_then(|part| graph.literals.get((part >> 2) as usize));
            // There are two parts at most: open at the end, and not.
            words.extend(
                literal.map(|text| (text.as_bytes(), number(rows.len()) << 1 | number(parts.len() - 1))),
            );
            rows.extend(parts.iter().map(|part| {
                let symbol = u32::from(symbols.get(part).copied().unwrap_or(NO_SYMBOL));
                let joins = if joins.contains(part) { JOINS } else { 0 };
                [symbol << 2 | joins | part & OPEN_END, roots.get(part).copied().unwrap_or(NONE)]
            }));
        }
        trie::write(&words, &mut output);
    }
    output.rows(&rows);
    writer.finish(&mut output);
    output.rows(&graph.starts.iter().map(|[_, what, _]| [*what]).collect::<Vec<_>>());
    Ok(output.finish())
}

/// The symbols of the parts that lead on; the most frequent come first.
fn symbols(graph: &Graph) -> Result<BTreeMap<u32, u16>, String> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for [part, _] in
        graph.nodes.iter().flat_map(|(transitions, _)| transitions).filter(|[part, _]| *part != BETWEEN)
    {
        *counts.entry(*part).or_default() += 1;
    }
    let mut parts: Vec<(u32, usize)> = counts.into_iter().collect();
    parts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if parts.len() >= usize::from(NO_SYMBOL) {
        return Err("too many different words".to_owned());
    }
    Ok(parts.into_iter().map(|(part, _)| part).zip(0..).collect())
}

/// The node that `~` leads to from a node.
fn after_between(graph: &Graph, node: u32) -> Option<u32> {
    let (transitions, _) = graph.nodes.get(node as usize)?;
    transitions.iter().find(|[part, _]| *part == BETWEEN).map(|[_, node]| *node)
}

/// The parts that may be written together with what follows: a word whose beginning is known.
fn joining(graph: &Graph) -> BTreeSet<u32> {
    let goes_on = |node: u32| {
        let node = graph.nodes.get(node as usize);
        node.is_some_and(|(transitions, _)| transitions.iter().any(|[part, _]| part & OPEN_START == 0))
    };
    let inner =
        graph.nodes.iter().flat_map(|(transitions, _)| transitions).map(|[part, node]| (*part, *node));
    let first = graph.starts.iter().map(|[part, _, node]| (*part, *node));
    let whole = inner.chain(first).filter(|(part, _)| part & OPEN_END == 0);
    whole.filter(|(_, node)| goes_on(*node)).map(|(part, _)| part).collect()
}

/// A node or a state that is written.
struct Written {
    /// Symbols, sorted, and where they lead.
    transitions: Vec<(u16, u32)>,
    between: u32,
    ends: u32,
    filter: SymbolFilter,
}

/// Writes nodes and states.
struct Writer<'a> {
    graph: &'a Graph,
    symbols: &'a BTreeMap<u32, u16>,
    rows: Vec<Written>,
    ends: Vec<[u32; 1]>,
    /// The targets of `~`, of `~ ~` and so on, and which `~` these are.
    betweens: Vec<(u32, u32)>,
    known_betweens: BTreeMap<Vec<u32>, u32>,
    bundles: Vec<[u32; 1]>,
    singles: Vec<[u32; 2]>,
    /// Bundles and states by the phrases that are followed in them: start and node.
    known: BTreeMap<Vec<[u32; 2]>, u32>,
    /// The states that have a number and no row yet.
    states: Vec<Vec<[u32; 2]>>,
}

impl<'a> Writer<'a> {
    fn new(graph: &'a Graph, symbols: &'a BTreeMap<u32, u16>) -> Self {
        Self {
            graph,
            symbols,
            rows: Vec::new(),
            ends: Vec::new(),
            betweens: Vec::new(),
            known_betweens: BTreeMap::new(),
            bundles: Vec::new(),
            singles: Vec::new(),
            known: BTreeMap::new(),
            states: Vec::new(),
        }
    }

    /// The bundle or the state of some phrases.
    fn target(&mut self, singles: Vec<[u32; 2]>) -> u32 {
        if let Some(known) = self.known.get(&singles) {
            return *known;
        }
        let target = if singles.len() <= FEW {
            self.bundles.push([number(self.singles.len())]);
            self.singles.extend(&singles);
            BUNDLE | number(self.bundles.len() - 1)
        } else {
            self.states.push(singles.clone());
            number(self.graph.nodes.len() + self.states.len() - 1)
        };
        self.known.insert(singles, target);
        target
    }

    /// Writes the rows of all states; they are found on the way.
    fn states(&mut self) {
        let mut next = 0;
        while let Some(singles) = self.states.get(next).cloned() {
            next += 1;
            let (mut transitions, mut ends) = (BTreeMap::<u32, Vec<[u32; 2]>>::new(), Vec::new());
            for [start, node] in &singles {
                let Some((edges, may_end)) = self.graph.nodes.get(*node as usize) else { continue };
                ends.extend(may_end.then_some([*start]));
                for [part, node] in edges.iter().filter(|[part, _]| *part != BETWEEN) {
                    transitions.entry(*part).or_default().push([*start, *node]);
                }
            }
            let transitions = transitions.into_iter().map(|(part, singles)| [part, self.target(singles)]);
            let transitions: Vec<[u32; 2]> = transitions.collect();
            let mut after = Vec::new();
            let mut singles = singles;
            loop {
                let next = |[start, node]: &[u32; 2]| Some([*start, after_between(self.graph, *node)?]);
                singles = singles.iter().filter_map(next).collect();
                if singles.is_empty() {
                    break;
                }
                after.push(self.target(singles.clone()));
            }
            let first = number(self.ends.len()) + 2;
            let first = if ends.is_empty() { 0 } else { first };
            self.ends.extend((!ends.is_empty()).then_some([number(ends.len())]));
            self.ends.extend(ends);
            self.row(&transitions, &after, first);
        }
    }

    fn row(&mut self, transitions: &[[u32; 2]], after: &[u32], ends: u32) {
        let transitions =
            transitions.iter().filter_map(|[part, target]| Some((*self.symbols.get(part)?, *target)));
        let mut transitions: Vec<(u16, u32)> = transitions.collect();
        transitions.sort_unstable();
        let mut filter = SymbolFilter::default();
        for (symbol, _) in &transitions {
            filter.add(SymbolFilter::bit(*symbol));
        }
        let between = if after.is_empty() { NONE } else { self.between(after) };
        self.rows.push(Written { transitions, between, ends, filter });
    }

    fn between(&mut self, after: &[u32]) -> u32 {
        let next = number(self.betweens.len());
        let at = *self.known_betweens.entry(after.to_vec()).or_insert(next);
        if at == next {
            self.betweens.extend(after.iter().copied().zip(1..));
        }
        at
    }

    /// The marks of all symbols that lead on from a target.
    fn filter(&self, target: u32) -> SymbolFilter {
        let bundle = (target & BUNDLE != 0).then_some((target & !BUNDLE) as usize);
        let bound = |at: usize| self.bundles.get(at).map_or(0, |[first]| *first as usize);
        let singles = bundle.and_then(|at| self.singles.get(bound(at)..bound(at + 1))).unwrap_or_default();
        let alone = bundle.is_none().then_some(target);
        let rows = singles.iter().map(|[_, node]| *node).chain(alone);
        let rows = rows.filter_map(|row| self.rows.get(row as usize));
        let mut filter = SymbolFilter::default();
        rows.for_each(|row| filter.add_all(&row.filter));
        filter
    }

    fn finish(mut self, output: &mut ByteWriter) {
        self.bundles.push([number(self.singles.len())]);
        let mut transitions = ByteWriter::default();
        let bases = transitions::write(
            &self.rows.iter().map(|row| row.transitions.as_slice()).collect::<Vec<_>>(),
            &mut transitions,
        );
        let rows = self.rows.iter().zip(bases).map(|(row, base)| {
            let filter = row.filter.numbers();
            filled::<ROW>([base, row.between, row.ends].into_iter().chain(filter))
        });
        output.rows(&rows.collect::<Vec<_>>());
        output.append(transitions);
        let betweens = self.betweens.iter().map(|(target, times)| {
            let filter = self.filter(*target).numbers();
            filled::<BETWEEN_ROW>([*target, *times].into_iter().chain(filter))
        });
        output.rows(&betweens.collect::<Vec<_>>());
        output.rows(&self.bundles);
        output.rows(&self.singles);
        output.rows(&self.ends);
    }
}

/// A row of some numbers, one after the other.
fn filled<const N: usize>(numbers: impl IntoIterator<Item = u32>) -> [u32; N] {
    let mut numbers = numbers.into_iter();
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}
