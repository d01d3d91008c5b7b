//! Finds phrases in a text: whole words, with the endings and compounds that a pattern allows.
//!
//! Blanks also match hyphens, and nothing at all: `game changer` finds "game-changer" and "gamechanger". A phrase never
//! reaches over the end of a sentence.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;

use super::{
    graph::{Graph, Meaning, Step},
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
    /// Finds the words that phrases begin with.
    automaton: Option<AhoCorasick>,
    graph: Graph,
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
        let anchors = graph.anchors.split_last().map_or(&[][..], |(_, anchors)| anchors);
        let texts = anchors.iter().map(|[part, _]| match graph.part(*part) {
            Step::Word(literal, true, _) => literal.to_owned(),
            Step::Word(literal, false, _) => format!(" {literal}"),
            Step::Between => String::new(),
        });
        let automaton = AhoCorasick::new(texts).map_err(|error| error.to_string())?;
        Ok(Self { automaton: Some(automaton), graph })
    }

    /// All hits in order; of overlapping ones the longest.
    pub(crate) fn find(&self, words: &[Word]) -> Vec<Hit> {
        longest(self.all(words))
    }

    /// All hits that no fine phrase covers.
    pub(crate) fn all(&self, words: &[Word]) -> Vec<Hit> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let (text, starts) = joined(words);
        let (mut hits, mut fine) = (Vec::new(), BTreeMap::<usize, Vec<Hit>>::new());
        let mut first = 0;
        for found in automaton.find_overlapping_iter(&text) {
            // The anchor may begin with the blank before the word. Anchors come in the order of their words.
            let at = found.start() + usize::from(text.as_bytes().get(found.start()) == Some(&b' '));
            while starts.get(first + 1).is_some_and(|next| *next <= at) {
                first += 1;
            }
            let offset = at - starts.get(first).copied().unwrap_or(at);
            for [part, what, node] in self.graph.starts(found.pattern().as_usize()) {
                let Step::Word(literal, _, open_end) = self.graph.part(*part) else { continue };
                if let Some(last) = self.fit((literal, open_end), *node, words, (first, offset)) {
                    let hit = Hit { id: (what >> 1) as usize, first, last };
                    if what & 1 == 0 {
                        hits.push(hit);
                    } else {
                        fine.entry(hit.id).or_default().push(hit);
                    }
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

    /// The last word of a phrase whose next word stands at a place in a word, if all of it is there.
    fn fit(
        &self,
        (literal, open_end): (&str, bool),
        node: u32,
        words: &[Word],
        (at, offset): (usize, usize),
    ) -> Option<usize> {
        let rest = words.get(at)?.text.get(offset..)?.strip_prefix(literal)?;
        if rest.is_empty() || open_end {
            return self.reach(node, words, at);
        }
        if literal.len() < SHORTEST_JOINED {
            return None;
        }
        let (edges, _) = self.graph.node(node);
        let joined = edges.iter().filter_map(|[part, next]| match self.graph.part(*part) {
            Step::Word(following, false, open_end) => {
                self.fit((following, open_end), *next, words, (at, offset + literal.len()))
            }
            Step::Word(_, true, _) | Step::Between => None,
        });
        joined.max()
    }

    /// The last word of a phrase that has come to a node and a word; the longest way.
    fn reach(&self, node: u32, words: &[Word], at: usize) -> Option<usize> {
        let (edges, may_end) = self.graph.node(node);
        let together = |skipped: usize| {
            let between = words.get(at + 1..at + 1 + skipped);
            between.is_some_and(|words| words.iter().all(|word| word.gap <= Gap::Blank))
        };
        let ways = edges.iter().filter_map(|[part, next]| match self.graph.part(*part) {
            Step::Between => {
                let ends = (0..=2).filter(|skipped| together(*skipped));
                ends.filter_map(|skipped| self.reach(*next, words, at + skipped)).max()
            }
            Step::Word(literal, open_start, open_end) => {
                let word = words.get(at + 1).filter(|next| next.gap <= Gap::Blank)?;
                match (open_start, open_end) {
                    (false, _) => self.fit((literal, open_end), *next, words, (at + 1, 0)),
                    (true, false) if word.text.ends_with(literal) => self.reach(*next, words, at + 1),
                    (true, true) if word.text.contains(literal) => self.reach(*next, words, at + 1),
                    (true, _) => None,
                }
            }
        });
        ways.max().max(may_end.then_some(at))
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

/// The words with one blank around each, and the byte each begins at.
fn joined(words: &[Word]) -> (String, Vec<usize>) {
    let (mut text, mut starts) = (String::from(" "), Vec::with_capacity(words.len()));
    for word in words {
        starts.push(text.len());
        text.push_str(&word.text);
        text.push(' ');
    }
    (text, starts)
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
