//! Finds phrases in a text: whole words, with the endings and compounds that a pattern allows.
//!
//! A pattern is written as people read it. `*` stands for the rest of a word (`rockstar*`, `*stjärna`), `(a|b)` for one
//! of several, `~` for up to two words between. Blanks also match hyphens, and nothing at all: `game changer` finds
//! "game-changer" and "gamechanger". A phrase never reaches over the end of a sentence.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

use super::words::{Gap, Word, spelled};

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

/// What a phrase says about the words it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// They are a hit.
    Hit,
    /// They are fine, and so is every hit of the same id within them.
    Fine,
}

/// Many phrases, found in one pass.
#[derive(Debug, Default)]
pub(crate) struct Matcher {
    automaton: Option<AhoCorasick>,
    /// The phrases that begin with each anchor.
    phrases: Vec<Vec<Phrase>>,
}

#[derive(Clone, Debug)]
struct Phrase {
    id: usize,
    meaning: Meaning,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Word {
        literal: String,
        /// More letters may come before.
        open_start: bool,
        /// More letters may come after.
        open_end: bool,
    },
    /// Up to two words.
    Between,
}

/// The most phrases that one pattern may stand for.
const MOST_PHRASES: usize = 2000;

impl Matcher {
    /// A matcher for patterns; each has an id. A pattern that cannot be read is named.
    pub(crate) fn new<'a>(
        patterns: impl IntoIterator<Item = (usize, Meaning, &'a str)>,
    ) -> Result<Self, (usize, String)> {
        let mut anchors: BTreeMap<String, Vec<Phrase>> = BTreeMap::new();
        for (id, meaning, pattern) in patterns {
            let read = read(pattern).map_err(|problem| (id, format!("{problem} in {pattern:?}")))?;
            for parts in read {
                if let Some(anchor) = parts.first().and_then(Part::anchor) {
                    anchors.entry(anchor).or_default().push(Phrase { id, meaning, parts });
                }
            }
        }
        let (anchors, phrases): (Vec<String>, Vec<_>) = anchors.into_iter().unzip();
        let automaton = AhoCorasick::new(anchors).map_err(|error| (0, error.to_string()))?;
        Ok(Self { automaton: Some(automaton), phrases })
    }

    /// All hits in order; of overlapping ones the longest.
    pub(crate) fn find(&self, words: &[Word]) -> Vec<Hit> {
        let mut hits = self.all(words);
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

    /// All hits that no fine phrase covers.
    fn all(&self, words: &[Word]) -> Vec<Hit> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let (text, starts) = joined(words);
        let (mut hits, mut fine) = (Vec::new(), BTreeMap::<usize, Vec<Hit>>::new());
        for found in automaton.find_overlapping_iter(&text) {
            // The anchor may begin with the blank before the word.
            let at = found.start() + usize::from(text.as_bytes().get(found.start()) == Some(&b' '));
            let first = starts.partition_point(|start| *start <= at).saturating_sub(1);
            for phrase in self.phrases.get(found.pattern().as_usize()).into_iter().flatten() {
                if let Some(last) = reach(&phrase.parts, words, first) {
                    let hit = Hit { id: phrase.id, first, last };
                    match phrase.meaning {
                        Meaning::Hit => hits.push(hit),
                        Meaning::Fine => fine.entry(phrase.id).or_default().push(hit),
                    }
                }
            }
        }
        hits.retain(|hit| {
            let fine = fine.get(&hit.id).map_or(&[][..], Vec::as_slice);
            // They come in order, and phrases are short: only the last few can reach this far.
            let until = fine.partition_point(|fine| fine.first <= hit.first);
            !fine[..until].iter().rev().take(12).any(|fine| hit.last <= fine.last)
        });
        hits
    }
}

impl Part {
    /// What the automaton looks for.
    fn anchor(&self) -> Option<String> {
        match self {
            Self::Word { literal, open_start, open_end } => {
                let blank = |open: bool| if open { "" } else { " " };
                Some(format!("{}{literal}{}", blank(*open_start), blank(*open_end)))
            }
            Self::Between => None,
        }
    }

    fn fits(&self, word: &str) -> bool {
        match self {
            Self::Word { literal, open_start: false, open_end: false } => word == literal,
            Self::Word { literal, open_start: false, open_end: true } => word.starts_with(literal.as_str()),
            Self::Word { literal, open_start: true, open_end: false } => word.ends_with(literal.as_str()),
            Self::Word { literal, open_start: true, open_end: true } => word.contains(literal.as_str()),
            Self::Between => true,
        }
    }
}

/// The last word of a phrase that begins at a word, if it stands there; the longest way through.
fn reach(parts: &[Part], words: &[Word], at: usize) -> Option<usize> {
    let (part, rest) = parts.split_first()?;
    let word = words.get(at)?;
    if *part == Part::Between {
        return (0..=2).rev().find_map(|skipped| {
            let between = words.get(at..=at + skipped)?;
            let together = between.iter().skip(1).all(|word| word.gap <= Gap::Blank);
            if together { reach(rest, words, at + skipped) } else { None }
        });
    }
    if !part.fits(&word.text) {
        return None;
    }
    if rest.is_empty() {
        return Some(at);
    }
    words.get(at + 1).filter(|next| next.gap <= Gap::Blank)?;
    reach(rest, words, at + 1)
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

/// The phrases that a pattern stands for.
fn read(pattern: &str) -> Result<BTreeSet<Vec<Part>>, String> {
    let mut phrases = BTreeSet::new();
    for plain in expand(pattern)? {
        let mut parts = Vec::new();
        for piece in plain.split_whitespace() {
            if piece == "~" {
                parts.push(Part::Between);
                continue;
            }
            let (open_start, open_end) = (piece.starts_with('*'), piece.ends_with('*'));
            let words = spelled(piece);
            if words.is_empty() {
                return Err(format!("{piece:?} is no word"));
            }
            let last = words.len() - 1;
            parts.extend(words.into_iter().enumerate().map(|(at, word)| Part::Word {
                literal: word.text,
                open_start: open_start && at == 0,
                open_end: open_end && at == last,
            }));
        }
        match (parts.first(), parts.last()) {
            (None | Some(Part::Between), _) | (_, Some(Part::Between)) => {
                return Err("a phrase begins and ends with a word".to_owned());
            }
            _ => {}
        }
        let together = together(&parts);
        phrases.extend([Some(parts), together].into_iter().flatten());
    }
    Ok(phrases)
}

/// A phrase of several words written as one, if its words are fixed.
fn together(parts: &[Part]) -> Option<Vec<Part>> {
    let (mut whole, mut starts, mut ends) = (String::new(), false, false);
    for (at, part) in parts.iter().enumerate() {
        let Part::Word { literal, open_start, open_end } = part else { return None };
        if (*open_start && at > 0) || ends {
            return None;
        }
        whole.push_str(literal);
        starts |= *open_start;
        ends = *open_end;
    }
    (parts.len() > 1).then(|| vec![Part::Word { literal: whole, open_start: starts, open_end: ends }])
}

/// Writes out `(a|b)`, also within one another.
fn expand(pattern: &str) -> Result<Vec<String>, String> {
    // The open choices: what stood before each, the ways that are complete, and those being written.
    let mut open: Vec<[Vec<String>; 2]> = Vec::new();
    let mut ways = vec![String::new()];
    for letter in pattern.chars() {
        match letter {
            '(' => open.push([std::mem::replace(&mut ways, vec![String::new()]), Vec::new()]),
            '|' => {
                let [_, done] = open.last_mut().ok_or("a choice needs brackets")?;
                done.append(&mut ways);
                ways = vec![String::new()];
            }
            ')' => {
                let [before, mut done] = open.pop().ok_or("a bracket is not opened")?;
                done.append(&mut ways);
                if before.len() * done.len() > MOST_PHRASES {
                    return Err("too many ways to read it".to_owned());
                }
                let join =
                    |start: &String| done.iter().map(|end| format!("{start}{end}")).collect::<Vec<_>>();
                ways = before.iter().flat_map(join).collect();
            }
            other => ways.iter_mut().for_each(|way| way.push(other)),
        }
    }
    if open.is_empty() { Ok(ways) } else { Err("a bracket is not closed".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
