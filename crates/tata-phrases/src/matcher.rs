//! Finds phrases in a text: whole words, with the endings and compounds that a pattern allows.
//!
//! Blanks also match hyphens, and nothing at all: `game changer` finds "game-changer" and "gamechanger". A phrase never
//! reaches over the end of a sentence.

use crate::{
    rows::number,
    spelling::{Near, Spelling, within},
    tables::{NONE, Row, Tables},
    words::Word,
};

/// A place where a phrase stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Whose phrase it is.
    pub id: usize,
    /// The first word.
    pub first: usize,
    /// The last word.
    pub last: usize,
}

/// Many phrases, found in one pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Matcher<'a> {
    /// What the tables are read from.
    bytes: &'a [u8],
}

/// The most words of a phrase, those between counted: how far back a fine phrase may begin.
pub const MOST_WORDS: usize = 24;

impl<'a> Matcher<'a> {
    /// From the tables that the build made.
    pub const fn of(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// All hits that no fine phrase covers.
    pub fn all(&self, words: &[Word<'_>]) -> Vec<Hit> {
        let Some(tables) = Tables::read(self.bytes) else { return Vec::new() };
        let spelling = Spelling::of(&tables, words);
        let mut search =
            Search { tables, words, spelling: &spelling, ends: Vec::new(), visited: Visited::new() };
        let (mut hits, mut fine) = (Vec::new(), Vec::<Hit>::new());
        for first in 0..words.len() {
            for root in spelling.roots_that_go_on(first) {
                search.visited.root += 1;
                match root.joined {
                    Some(offset) => search.join(root.target, NONE, (first, offset)),
                    None => search.enter(root.target, NONE, first),
                }
                if search.ends.is_empty() {
                    continue;
                }
                search.keep_longest();
                for (start, last) in search.ends.drain(..) {
                    let (id, is_fine) = tables.what(start);
                    let list = if is_fine { &mut fine } else { &mut hits };
                    list.push(Hit { id, first, last });
                }
            }
        }
        fine.sort_by_key(|hit| (hit.id, hit.first));
        hits.retain(|hit| {
            let until = fine.partition_point(|fine| (fine.id, fine.first) <= (hit.id, hit.first));
            let same =
                fine.get(..until).unwrap_or_default().iter().rev().take_while(|fine| fine.id == hit.id);
            let mut near = same.take_while(|fine| hit.first - fine.first < MOST_WORDS);
            !near.any(|fine| hit.last <= fine.last)
        });
        hits
    }
}

/// Follows the phrases that begin with a word. A phrase that is followed alone is known by its start.
struct Search<'a> {
    tables: Tables<'a>,
    words: &'a [Word<'a>],
    spelling: &'a Spelling,
    /// The starts of the phrases that are there, and their last words.
    ends: Vec<(u32, usize)>,
    visited: Visited,
}

impl Search<'_> {
    /// Goes on from a target after a word.
    fn enter(&mut self, target: u32, start: u32, at: usize) {
        match self.tables.bundle(target) {
            Some(singles) => singles.for_each(|[start, node]| self.follow(node, start, at)),
            None => self.follow(target, start, at),
        }
    }

    fn follow(&mut self, row: u32, start: u32, at: usize) {
        let Some(row) = self.tables.row(row) else { return };
        self.tables.ends(&row, start, |start| self.ends.push((start, at)));
        if self.spelling.filter(at + 1).is_some_and(|filter| row.filter.meet(filter)) {
            self.next(&row, start, at + 1);
        }
        if row.between != NONE {
            self.skip(row.between, start, at);
        }
    }

    /// Goes on after words between; no phrase ends with these.
    fn skip(&mut self, first: u32, start: u32, at: usize) {
        let mut near = self.spelling.near(at);
        for (row, times) in (first..).zip(1..) {
            let Some(between) = self.tables.between(row).filter(|between| between.times == times) else {
                return;
            };
            if times > 1 {
                near = self.spelling.farther(at, near);
            }
            if between.filter.meet(&near.filter) {
                match self.tables.bundle(between.target) {
                    Some(singles) => singles.for_each(|[start, node]| self.skip_to(node, start, at, &near)),
                    None => self.skip_to(between.target, start, at, &near),
                }
            }
        }
    }

    fn skip_to(&mut self, row: u32, start: u32, at: usize, near: &Near) {
        let Some(row) = self.tables.row(row).filter(|row| row.filter.meet(&near.filter)) else { return };
        for at in at + 1..=at + near.reach {
            if self.spelling.filter(at).is_some_and(|filter| row.filter.meet(filter)) {
                self.next(&row, start, at);
            }
        }
    }

    /// Takes a word that phrases may go on with.
    fn next(&mut self, row: &Row, start: u32, at: usize) {
        let spelling = self.spelling;
        for symbol in spelling.symbols(at).iter().filter(|symbol| row.filter.has(symbol.mark)) {
            if let Some(target) = self.tables.target(row, symbol.number)
                && self.visited.is_new(target, start, at)
            {
                self.enter(target, start, at);
            }
        }
        for joined in spelling.joined(at) {
            if let Some(target) = self.tables.target(row, joined.symbol) {
                self.join(target, start, (at, joined.offset));
            }
        }
    }

    /// Goes on from a target within a word: it is written together with the next one.
    fn join(&mut self, target: u32, start: u32, (at, offset): (usize, usize)) {
        match self.tables.bundle(target) {
            Some(singles) => singles.for_each(|[start, node]| self.join_row(node, start, (at, offset))),
            None => self.join_row(target, start, (at, offset)),
        }
    }

    fn join_row(&mut self, row: u32, start: u32, (at, offset): (usize, usize)) {
        let (Some(row), Some(word)) = (self.tables.row(row), self.words.get(at)) else { return };
        let tables = self.tables;
        within(&tables, &word.text, offset, |symbol, rest| {
            let Some(target) = tables.target(&row, symbol) else { return };
            match rest {
                Some(offset) => self.join(target, start, (at, offset)),
                None => self.enter(target, start, at),
            }
        });
    }

    /// Of the ways through a phrase the longest.
    fn keep_longest(&mut self) {
        if self.ends.len() > 1 {
            self.ends.sort_unstable_by_key(|(start, last)| (*start, std::cmp::Reverse(*last)));
            self.ends.dedup_by_key(|(start, _)| *start);
        }
    }
}

/// Where the search has been of late: two `~` may lead to the same word by several ways.
struct Visited {
    slots: [(u32, u32, u32, u32); Self::SLOTS],
    /// Which root is followed.
    root: u32,
}

impl Visited {
    const SLOTS: usize = 1 << 8;

    fn new() -> Self {
        Self { slots: [(0, 0, 0, 0); Self::SLOTS], root: 0 }
    }

    fn is_new(&mut self, target: u32, start: u32, at: usize) -> bool {
        let key = (self.root, target, start, number(at));
        let slot =
            (target as usize).wrapping_mul(31).wrapping_add(start as usize).wrapping_mul(7).wrapping_add(at);
        self.slots.get_mut(slot % Self::SLOTS).is_none_or(|slot| std::mem::replace(slot, key) != key)
    }
}

/// Of overlapping hits the longest, in order.
pub fn longest(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable_by_key(|hit| (hit.first, std::cmp::Reverse(hit.last), hit.id));
    let mut merged: Vec<Hit> = Vec::new();
    for hit in hits {
        match merged.last_mut() {
            Some(last) if hit.first <= last.last => {
                if hit.last - hit.first > last.last - last.first {
                    *last = hit;
                }
            }
            Some(_) | None => merged.push(hit),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Gap, Style,
        build::{
            Meaning,
            graph::{BETWEEN, Graph, OPEN_START},
            phrases,
        },
        spelled,
        tables::OPEN_END,
    };

    fn found(patterns: &[(Meaning, &str)], text: &str) -> Vec<String> {
        let tables = phrases(patterns.iter().map(|(meaning, pattern)| (0, *meaning, *pattern))).unwrap();
        let words = spelled(text);
        let letters: Vec<char> = text.chars().collect();
        let cut = |hit: &Hit| letters[words[hit.first].start..words[hit.last].end].iter().collect();
        longest(Matcher::of(&tables).all(&words)).iter().map(cut).collect()
    }

    #[test]
    fn patterns_find_words_endings_compounds_and_gaps() {
        let check = |pattern: &str, text: &str, expected: &[&str]| {
            assert_eq!(found(&[(Meaning::Hit, pattern)], text), expected, "{pattern:?} in {text:?}");
        };
        check("dominant", "predominant dominants Dominant", &["Dominant"]);
        check(
            "rock star*",
            "Rockstars, rock-star and a ROCK  STAR",
            &["Rockstars", "rock-star", "ROCK  STAR"],
        );
        check("rock star*", "rock\u{AD}star", &["rock\u{AD}star"]);
        check(
            "(spännande|unik*) ~ möjlighet*",
            "en spännande och unik möjlighet",
            &["spännande och unik möjlighet"],
        );
        check("young ~ team", "young. Team young, dynamic team", &["young, dynamic team"]);
        check("young ~ team", "young one two three team", &[]);
        check("young ~ ~ team", "young one two three four team", &["young one two three four team"]);
        check("young ~ ~ team", "young one two three four five team", &[]);
        check("on line shop*", "onlineshops, on-lineshop", &["onlineshops", "on-lineshop"]);
        check("*ledande", "världsledande, ledande!", &["världsledande", "ledande"]);
        check("a(b|c(d|e)) f", "ab f acd f, ace-f", &["ab f", "acd f", "ace-f"]);
        check("game changer(|s)", "* game\n* changer", &[]);
        check("game changer(|s)", "a game\nchanger", &["game\nchanger"]);
    }

    #[test]
    fn the_longest_wins_and_fine_phrases_excuse() {
        let all = [(Meaning::Hit, "young"), (Meaning::Hit, "young team*")];
        assert_eq!(found(&all, "a young team"), ["young team"]);
        let all = [(Meaning::Hit, "competitive"), (Meaning::Fine, "competitive ~ (salary|pay)")];
        assert_eq!(found(&all, "competitive base salary for competitive people"), ["competitive"]);
    }

    #[test]
    fn patterns_that_cannot_be_read_are_named() {
        let check = |pattern: &str| {
            let problem = phrases([(7, Meaning::Hit, pattern)]).unwrap_err();
            assert!(problem.contains(&format!("{pattern:?}")), "{problem}");
        };
        check("");
        check("* x");
        check("a (b|c");
        check("a) b");
        check("~ a");
        check("a ~");
    }

    /// The last word of a phrase, straight from the graph: slow, and as the patterns say.
    fn reached(graph: &Graph, words: &[Word<'_>], node: u32, at: usize) -> Option<usize> {
        let (transitions, may_end) = &graph.nodes[node as usize];
        let together = |at: usize| words.get(at).is_some_and(|word| word.gap <= Gap::Blank);
        let found = transitions.iter().filter_map(|[part, node]| {
            if *part == BETWEEN {
                let skips = (0..=2).take_while(|skipped| *skipped == 0 || together(at + skipped));
                return skips.filter_map(|skipped| reached(graph, words, *node, at + skipped)).max();
            }
            let word = words.get(at + 1).filter(|_| together(at + 1))?;
            let literal = graph.literals[(part >> 2) as usize].as_str();
            match (part & OPEN_START != 0, part & OPEN_END != 0) {
                (false, _) if word.text.starts_with(literal) => {
                    fits(graph, words, (*part, *node), (at + 1, 0))
                }
                (true, true) if word.text.contains(literal) => reached(graph, words, *node, at + 1),
                (true, false) if word.text.ends_with(literal) => reached(graph, words, *node, at + 1),
                _ => None,
            }
        });
        found.chain(may_end.then_some(at)).max()
    }

    /// The same for a phrase whose next literal stands at a place of a word.
    fn fits(
        graph: &Graph,
        words: &[Word<'_>],
        (part, node): (u32, u32),
        (at, offset): (usize, usize),
    ) -> Option<usize> {
        let length = graph.literals[(part >> 2) as usize].len();
        let rest = &words[at].text[offset + length..];
        if rest.is_empty() || part & OPEN_END != 0 {
            return reached(graph, words, node, at);
        }
        let closed = graph.nodes[node as usize].0.iter().filter(|[part, _]| part & OPEN_START == 0);
        let joined = closed.filter(|[part, _]| rest.starts_with(&graph.literals[(part >> 2) as usize]));
        let lasts =
            joined.filter_map(|[part, node]| fits(graph, words, (*part, *node), (at, offset + length)));
        lasts.max().filter(|_| length > 1)
    }

    proptest::proptest! {
        #[test]
        fn the_tables_find_what_the_graph_says(pieces in proptest::collection::vec((0..9_usize, 0..8_usize), 0..60)) {
            const PATTERNS: [&str; 17] = [
                "ab", "ab*", "*ab", "*ab*", "ab ca", "ab ca*", "ab ~ ca", "ab ~ ~ (b|ca ca)", "ab (ca b|ca ~ b|b)",
                "ab *ca", "ab *a* b", "*ab ca b*", "ab ~ ab ~ ab ~ b", "(ab|ca) (|b) (ab|ca*)", "ab b", "ab-ca b",
                "ab ~ (*b|*b* ca)",
            ];
            let vocabulary = ["ab", "ca", "b", "a", "abc", "cab", "bca", "abab", "x"];
            let gaps = [" ", " ", " ", " ", "-", "", ". ", ", "];
            let text: String = pieces.iter().flat_map(|(word, gap)| [vocabulary[*word], gaps[*gap]]).collect();
            let patterns = || PATTERNS.iter().enumerate().map(|(id, pattern)| (id, Meaning::Hit, *pattern));
            let (graph, words) = (Graph::new(patterns(), Style::Prose).unwrap(), spelled(&text));
            let mut expected = Vec::new();
            for (first, word) in words.iter().enumerate() {
                for [part, what, node] in &graph.starts {
                    let literal = graph.literals[(part >> 2) as usize].as_str();
                    let most = if part & OPEN_START == 0 { 0 } else { word.text.len() };
                    let offsets = (0..=most).filter(|offset| word.text[*offset..].starts_with(literal));
                    let lasts = offsets.filter_map(|at| fits(&graph, &words, (*part, *node), (first, at)));
                    expected.extend(lasts.map(|last| (first, last, (what >> 1) as usize)));
                }
            }
            let found = Matcher::of(&phrases(patterns()).unwrap()).all(&words);
            let mut found: Vec<_> = found.iter().map(|hit| (hit.first, hit.last, hit.id)).collect();
            found.sort_unstable();
            expected.sort_unstable();
            proptest::prop_assert_eq!(found, expected, "{:?}", text);
        }
    }
}
