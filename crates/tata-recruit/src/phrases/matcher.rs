//! Finds phrases in a text: whole words, with the endings and compounds that a pattern allows.
//!
//! Blanks also match hyphens, and nothing at all: `game changer` finds "game-changer" and "gamechanger". A phrase never
//! reaches over the end of a sentence.

use std::{cell::RefCell, collections::BTreeMap};

use aho_corasick::AhoCorasick;

use super::{
    graph::{Graph, Meaning, Step},
    spelling::{Known, Spelling},
    words::{Gap, Word},
};

/// A place where a phrase stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Whose phrase it is.
    pub(crate) id: usize,
    /// The first word.
    pub(crate) first: usize,
    /// The last word.
    pub(crate) last: usize,
}

/// Many phrases, found in one pass.
#[derive(Debug, Default)]
pub(crate) struct Matcher {
    graph: Graph,
    /// Which literals a word begins with.
    spelling: Spelling,
    /// Finds the literals that stand anywhere in a word, and which literal each is.
    inside: Option<(AhoCorasick, Vec<u32>)>,
}

/// The most words of a phrase, those between counted: how far back a fine phrase may begin.
const MOST_WORDS: usize = 24;
/// Words this short are not found written together with the next: "a" begins every tenth word.
const SHORTEST_JOINED: usize = 2;

impl Matcher {
    /// A matcher for patterns; each has an id. A pattern that cannot be read is named.
    pub(crate) fn new<'a>(
        patterns: impl IntoIterator<Item = (usize, Meaning, &'a str)>,
    ) -> Result<Self, (usize, String)> {
        Self::of(Graph::new(patterns)?).map_err(|problem| (0, problem))
    }

    /// A matcher for the patterns of a graph.
    pub(crate) fn of(graph: Graph) -> Result<Self, String> {
        let (numbers, literals): (Vec<u32>, Vec<&str>) = graph.open_anchors().unzip();
        let inside = AhoCorasick::new(literals).map_err(|error| error.to_string())?;
        Ok(Self { spelling: Spelling::of(&graph), inside: Some((inside, numbers)), graph })
    }

    /// All hits in order; of overlapping ones the longest.
    pub(crate) fn find(&self, words: &[Word]) -> Vec<Hit> {
        longest(self.all(words))
    }

    /// All hits that no fine phrase covers.
    pub(crate) fn all(&self, words: &[Word]) -> Vec<Hit> {
        let known = self.spelling.known(&self.graph, words);
        let text = Text { words, known: &known, memo: Memo::new() };
        let (mut hits, mut fine) = (Vec::new(), BTreeMap::<usize, Vec<Hit>>::new());
        let mut candidates: Vec<u32> = Vec::new();
        for (first, word) in words.iter().enumerate() {
            let mut take = |literal: u32, open_start: bool, offset: usize| {
                let Some(anchor) = self.graph.anchor(literal, open_start) else { return };
                let mut rest = None;
                candidates.clear();
                candidates.extend(anchor.always);
                for ahead in 1..=3 {
                    if words.get(first + ahead).is_none_or(|next| next.gap > Gap::Blank) {
                        break;
                    }
                    for literal in known.of(first + ahead) {
                        if ahead == 1 {
                            candidates.extend(starts_with(anchor.second, *literal));
                        }
                        candidates.extend(starts_with(anchor.after, *literal));
                    }
                }
                let end = offset + self.graph.literal(literal).len();
                if let Some(joined) =
                    word.text.get(end..).filter(|joined| !joined.is_empty() && !anchor.second.is_empty())
                {
                    let begins = self.spelling.begins(&self.graph, joined);
                    for literal in &begins {
                        candidates.extend(starts_with(anchor.second, *literal));
                    }
                    rest = Some(begins);
                }
                candidates.sort_unstable();
                candidates.dedup();
                for at in &candidates {
                    let Some([part, what, node]) = self.graph.start(*at) else { continue };
                    if let Some(last) = self.fit(*part, *node, &text, (first, offset), &mut rest) {
                        let hit = Hit { id: (what >> 1) as usize, first, last };
                        if what & 1 == 0 {
                            hits.push(hit);
                        } else {
                            fine.entry(hit.id).or_default().push(hit);
                        }
                    }
                }
            };
            for literal in known.of(first) {
                take(*literal, false, 0);
            }
            if let Some((inside, numbers)) = &self.inside {
                for found in inside.find_overlapping_iter(&word.text) {
                    take(numbers.get(found.pattern().as_usize()).copied().unwrap_or(0), true, found.start());
                }
            }
        }
        hits.retain(|hit| {
            let fine = fine.get(&hit.id).map_or(&[][..], Vec::as_slice);
            let until = fine.partition_point(|fine| fine.first <= hit.first);
            let near = fine[..until].iter().rev().take_while(|fine| hit.first - fine.first < MOST_WORDS);
            !near.into_iter().any(|fine| hit.last <= fine.last)
        });
        hits
    }

    /// The last word of a phrase whose next word begins at a place where its literal stands, if all of it is there.
    /// `rest` keeps what the rest of the word begins with: many phrases ask.
    fn fit(
        &self,
        part: u32,
        node: u32,
        text: &Text<'_>,
        (at, offset): (usize, usize),
        rest: &mut Option<Vec<u32>>,
    ) -> Option<usize> {
        let Step::Word(literal, open_end) = Graph::part(part) else { return None };
        let length = self.graph.literal(literal).len();
        let word = &text.words.get(at)?.text;
        if word.len() <= offset + length || open_end {
            return self.reach(node, text, at);
        }
        let (closed, _, _) = self.graph.node(node);
        if length < SHORTEST_JOINED || closed.is_empty() {
            return None;
        }
        // Written together with the next word.
        let begins = rest.get_or_insert_with(|| {
            self.spelling.begins(&self.graph, word.get(offset + length..).unwrap_or_default())
        });
        let ways = begins.iter().flat_map(|literal| with(closed, *literal));
        ways.filter_map(|[part, next]| self.fit(*part, *next, text, (at, offset + length), &mut None)).max()
    }

    /// The last word of a phrase that has come to a node and a word; the longest way.
    fn reach(&self, node: u32, text: &Text<'_>, at: usize) -> Option<usize> {
        if let Memory::Known(known) = text.memo.get(node, at) {
            return known;
        }
        let longest = self.search(node, text, at);
        text.memo.set(node, at, longest);
        longest
    }

    fn search(&self, node: u32, text: &Text<'_>, at: usize) -> Option<usize> {
        let (closed, open, may_end) = self.graph.node(node);
        let mut longest = may_end.then_some(at);
        let next_word = text.words.get(at + 1).filter(|next| next.gap <= Gap::Blank);
        if let (Some(_), false) = (next_word, closed.is_empty()) {
            for literal in text.known.of(at + 1) {
                for [part, next] in with(closed, *literal) {
                    longest = longest.max(self.fit(*part, *next, text, (at + 1, 0), &mut None));
                }
            }
        }
        for [part, next] in open {
            let found = match Graph::part(*part) {
                Step::Between => {
                    let together = |skipped: usize| {
                        let between = text.words.get(at + 1..at + 1 + skipped);
                        between.is_some_and(|words| words.iter().all(|word| word.gap <= Gap::Blank))
                    };
                    let ends = (0..=2).filter(|skipped| together(*skipped));
                    ends.filter_map(|skipped| self.reach(*next, text, at + skipped)).max()
                }
                Step::Word(literal, open_end) => next_word.and_then(|word| {
                    let literal = self.graph.literal(literal);
                    let fits =
                        if open_end { word.text.contains(literal) } else { word.text.ends_with(literal) };
                    fits.then(|| self.reach(*next, text, at + 1))?
                }),
            };
            longest = longest.max(found);
        }
        longest
    }
}

/// The starts of a literal; they are sorted.
fn starts_with(table: &[[u32; 2]], literal: u32) -> impl Iterator<Item = u32> {
    let from = table.partition_point(|[first, _]| *first < literal);
    let rest = table.get(from..).unwrap_or_default();
    rest.iter().take_while(move |[first, _]| *first == literal).map(|[_, start]| *start)
}

/// The edges of a literal; they are sorted.
fn with(edges: &[[u32; 2]], literal: u32) -> &[[u32; 2]] {
    let from = edges.partition_point(|[part, _]| part >> 2 < literal);
    let rest = edges.get(from..).unwrap_or_default();
    let count = rest.iter().take_while(|[part, _]| part >> 2 == literal).count();
    rest.get(..count).unwrap_or_default()
}

/// The words of a text, and the literals each begins with.
struct Text<'a> {
    words: &'a [Word],
    known: &'a Known,
    memo: Memo,
}

/// What was found out about nodes and words: many phrases ask the same. A newer answer takes the place of an older one.
struct Memo {
    slots: RefCell<Vec<(u32, usize, Option<usize>)>>,
}

/// Whether something was found out before.
enum Memory {
    Known(Option<usize>),
    Unknown,
}

impl Memo {
    const SLOTS: usize = 1 << 12;

    fn new() -> Self {
        Self { slots: RefCell::new(vec![(u32::MAX, usize::MAX, None); Self::SLOTS]) }
    }

    fn slot(node: u32, at: usize) -> usize {
        (node as usize).wrapping_mul(0x9E37).wrapping_add(at.wrapping_mul(0x79B1)) % Self::SLOTS
    }

    fn get(&self, node: u32, at: usize) -> Memory {
        match self.slots.borrow().get(Self::slot(node, at)) {
            Some((known, place, last)) if *known == node && *place == at => Memory::Known(*last),
            Some(_) | None => Memory::Unknown,
        }
    }

    fn set(&self, node: u32, at: usize, last: Option<usize>) {
        if let Some(slot) = self.slots.borrow_mut().get_mut(Self::slot(node, at)) {
            *slot = (node, at, last);
        }
    }
}

/// Of overlapping hits the longest, in order.
pub(crate) fn longest(mut hits: Vec<Hit>) -> Vec<Hit> {
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
    use super::{super::words::spelled, *};

    fn found(patterns: &[(Meaning, &str)], text: &str) -> Vec<String> {
        let matcher =
            Matcher::new(patterns.iter().map(|(meaning, pattern)| (0, *meaning, *pattern))).unwrap();
        let words = spelled(text);
        let letters: Vec<char> = text.chars().collect();
        let cut = |hit: &Hit| letters[words[hit.first].start..words[hit.last].end].iter().collect();
        matcher.find(&words).iter().map(cut).collect()
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
            assert!(Matcher::new([(7, Meaning::Hit, pattern)]).is_err_and(|(id, _)| id == 7), "{pattern:?}");
        };
        check("");
        check("* x");
        check("a (b|c");
        check("a) b");
        check("~ a");
        check("a ~");
    }
}
