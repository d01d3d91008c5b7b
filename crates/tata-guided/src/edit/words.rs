//! A message in pieces, with its own words beside them.

use tata_language::Language;

use crate::{
    answer::{
        pieces::{Piece, Shape, pieces},
        words::{Sense, Words},
    },
    sort::Place,
};

/// A message that is read as a change.
pub(super) struct Sentence {
    letters: Vec<char>,
    pub(super) pieces: Vec<Piece>,
    words: &'static Words,
    pub(super) language: Language,
}

impl Sentence {
    pub(super) fn new(message: &str, language: Language) -> Self {
        let message = message.trim();
        let pieces = pieces(message);
        let letters: Vec<char> = message.chars().collect();
        // Folding may join letters; then the words are those of the folded text.
        let folded: Vec<char> = tata_language::folded(message).chars().collect();
        let letters = if letters.len() == folded.len() { letters } else { folded };
        Self { letters, pieces, words: Words::of(language), language }
    }

    /// How many pieces it has.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.is(mark))
    }

    /// The longest wording here whose sense is looked for.
    pub(super) fn at<T>(&self, at: usize, pick: impl Fn(Sense) -> Option<T>) -> Option<(T, usize)> {
        self.words.at(&self.pieces, at, pick)
    }

    /// Where such a wording stands first, and how many pieces it has.
    pub(super) fn find(&self, from: usize, pick: impl Fn(Sense) -> Option<()>) -> Option<(usize, usize)> {
        let quoted = self.quoted();
        (from..self.len())
            .filter(|at| !quoted.get(*at).copied().unwrap_or_default())
            .find_map(|at| self.at(at, &pick).map(|((), length)| (at, length)))
    }

    /// Which pieces stand in quotation marks: they are somebody's words, not the wish.
    pub(super) fn quoted(&self) -> Vec<bool> {
        let mut inside = false;
        let pairs = self.pieces.iter().filter(|piece| is_quote(piece)).count();
        self.pieces
            .iter()
            .map(|piece| {
                if is_quote(piece) && pairs % 2 == 0 {
                    inside = !inside;
                }
                inside
            })
            .collect()
    }

    /// Where the wish begins after small words, whatever it begins with.
    pub(super) fn after_small(&self) -> usize {
        let mut at = 0;
        while at < self.len().min(6) {
            let opening = self.pieces.get(at).is_some_and(|piece| OPENING.contains(&piece.text.as_str()));
            match self.small(at) {
                _ if opening => at += 1,
                Some(length) => at += length,
                None => break,
            }
        }
        at
    }

    /// What all of these pieces are, small words before them aside.
    pub(super) fn whole<T>(&self, start: usize, end: usize, pick: impl Fn(Sense) -> Option<T>) -> Option<T> {
        let (found, length) = self.at(start, &pick)?;
        (start + length == end).then_some(found)
    }

    /// The same, with small words before it.
    pub(super) fn whole_of<T>(
        &self,
        start: usize,
        end: usize,
        pick: impl Fn(Sense) -> Option<T>,
    ) -> Option<T> {
        let mut start = start;
        loop {
            if let Some(found) = self.whole(start, end, &pick) {
                return Some(found);
            }
            start += self.small(start).filter(|length| start + length < end)?;
        }
    }

    /// Where the wish begins after "please", "can you", "no,".
    pub(super) fn after_opening(&self) -> usize {
        let mut at = 0;
        while at < self.len().min(6) {
            let polite =
                self.at(at, |sense| matches!(sense, Sense::Filler | Sense::And | Sense::No).then_some(()));
            let verb = self.at(at, |sense| {
                matches!(sense, Sense::Remove | Sense::Take | Sense::Change | Sense::Add | Sense::Move)
                    .then_some(())
            });
            let opening = self.pieces.get(at).is_some_and(|piece| OPENING.contains(&piece.text.as_str()));
            match (verb, polite) {
                (Some(_), _) => return at,
                _ if opening || self.is_mark(at, ',') || self.is_mark(at, ':') => at += 1,
                (None, Some(((), length))) => at += length,
                (None, None) => break,
            }
        }
        // A verb after other words begins nothing.
        let verb = |sense| {
            matches!(sense, Sense::Remove | Sense::Take | Sense::Change | Sense::Add | Sense::Move)
                .then_some(())
        };
        if self.at(at, verb).is_some() { at } else { 0 }
    }

    /// Where the wording begins that ends the message; politeness after it aside.
    pub(super) fn ends_with(&self, sense: Sense) -> Option<usize> {
        let end = self.end();
        (1..end).find(|at| {
            self.at(*at, |found| (found == sense).then_some(()))
                .is_some_and(|((), length)| at + length == end)
        })
    }

    /// The list that the end names, and where what stands before it ends: "… as a must-have".
    pub(super) fn list_at_end(&self, from: usize) -> Option<(Place, usize)> {
        let end = self.end();
        // The shortest name: in "som en fordel" the article belongs to what joins.
        for at in (from..end).rev() {
            let Some(place) = self.whole(at, end, Sense::list) else { continue };
            let mut before = at;
            while before > from {
                let joins = |start: &usize| {
                    self.at(*start, |sense| matches!(sense, Sense::As | Sense::Filler).then_some(()))
                        .is_some_and(|((), length)| start + length == before)
                };
                match (from..before).find(joins) {
                    Some(start) => before = start,
                    None => break,
                }
            }
            // "Add experience with tasks" names no list: a word must join them, before this name or a longer one.
            if before < at {
                return Some((place, before));
            }
        }
        None
    }

    /// The list that the beginning names, and where what is added begins: "a fifth must-have: CCNP".
    pub(super) fn list_at_start(&self, from: usize) -> Option<(Place, usize)> {
        let mut at = from;
        while at < self.len() {
            if let Some((place, length)) = self.at(at, Sense::list) {
                let mut after = at + length;
                if self.pieces.get(after).is_some_and(|piece| PARTICLES.contains(&piece.text.as_str())) {
                    after += 1;
                }
                return self.is_mark(after, ':').then_some((place, after + 1));
            }
            let ordinal = self.at(at, |sense| sense.ordinal().or_else(|| sense.number()).map(|_| ()));
            let small = ordinal.map(|((), length)| length).or_else(|| self.small(at));
            let new = self.pieces.get(at).is_some_and(|piece| NEW.contains(&piece.text.as_str()));
            at += small.or(new.then_some(1))?;
        }
        None
    }

    /// "Not X but Y": both.
    pub(super) fn rather(&self) -> Option<(String, String)> {
        let word = |at: usize| self.pieces.get(at).map_or("", |piece| piece.text.as_str());
        let not = (0..self.len().min(5)).find(|at| NOT.contains(&word(*at)))?;
        let but = (not + 2..self.len()).find(|at| BUT.contains(&word(*at)))?;
        let mut start = not + 1;
        while BE.contains(&word(start)) {
            start += 1;
        }
        let (old, new) = (self.text(start, but), self.text(but + 1, self.len()));
        (!old.is_empty() && !new.is_empty()).then_some((old, new))
    }

    /// "One more reason to choose the role: …": the list, and where what comes begins.
    pub(super) fn another(&self) -> Option<(Place, usize)> {
        let new = |at: usize| self.pieces.get(at).is_some_and(|piece| ANOTHER.contains(&piece.text.as_str()));
        let begin = (0..3).take_while(|at| new(*at)).count();
        let (place, _) = self.at(begin, Sense::list).filter(|_| begin > 0)?;
        let colon = (begin + 1..self.len().min(begin + 9)).find(|at| self.is_mark(*at, ':'))?;
        Some((place, colon + 1))
    }

    fn small(&self, at: usize) -> Option<usize> {
        let small = self.at(at, |sense| matches!(sense, Sense::Filler | Sense::As).then_some(()));
        small.map(|((), length)| length)
    }

    /// Where the message ends, marks and thanks aside.
    fn end(&self) -> usize {
        // "…, if you please": what is polite behind the last comma.
        let comma = (1..self.len()).rev().find(|at| self.is_mark(*at, ','));
        let polite = comma.filter(|comma| self.whole(comma + 1, self.len(), courtesy).is_some());
        let mut end = polite.unwrap_or(self.len());
        while end > 1 {
            let last = self.pieces.get(end - 1);
            let particle = last.is_some_and(|piece| PARTICLES.contains(&piece.text.as_str()))
                && self.pieces.iter().take(4).any(|piece| PARTED.contains(&piece.text.as_str()));
            let closing = particle
                || last.is_some_and(|piece| {
                    piece.shape == Shape::Mark
                        && !piece.is(')')
                        && !piece.is('+')
                        && !piece.is('#')
                        && !piece.is('%')
                        || CLOSING.contains(&piece.text.as_str())
                });
            if !closing {
                break;
            }
            end -= 1;
        }
        end
    }

    /// The person's own words, just as they stand.
    pub(super) fn exactly(&self, pieces: std::ops::Range<usize>) -> String {
        let (first, last) = (self.pieces.get(pieces.start), self.pieces.get(pieces.end.saturating_sub(1)));
        let range = first.zip(last).map_or(0..0, |(first, last)| first.start..last.end);
        self.letters.get(range).unwrap_or_default().iter().collect()
    }

    /// The person's own words from one piece to another, quotation marks and thanks around them aside.
    pub(super) fn text(&self, start: usize, end: usize) -> String {
        let end = end.min(self.end());
        let (Some(first), Some(last)) =
            (self.pieces.get(start), end.checked_sub(1).and_then(|at| self.pieces.get(at)))
        else {
            return String::new();
        };
        if end <= start {
            return String::new();
        }
        let text: String = self.letters.get(first.start..last.end).unwrap_or_default().iter().collect();
        let marks = |letter: char| {
            letter.is_whitespace() || matches!(letter, '"' | '“' | '”' | '„' | '«' | '»' | ':' | ',' | '\'')
        };
        text.trim_matches(marks).to_owned()
    }
}

fn courtesy(sense: Sense) -> Option<()> {
    (sense == Sense::Courtesy).then_some(())
}

/// Whether a piece is a quotation mark.
pub(super) fn is_quote(piece: &Piece) -> bool {
    ['"', '“', '”', '„', '«', '»'].into_iter().any(|mark| piece.is(mark))
}

/// What stands before a wish and says nothing.
const OPENING: &[&str] = &[
    "can",
    "could",
    "you",
    "would",
    "we",
    "should",
    "i",
    "want",
    "to",
    "let's",
    "lets",
    "also",
    "kan",
    "du",
    "vill",
    "jag",
    "vi",
    "att",
    "ska",
    "vil",
    "jeg",
    "gerne",
    "gjerne",
    "også",
    "könnten",
    "können",
    "sie",
    "ich",
    "möchte",
    "bitte",
    "kannst",
    "könntest",
    "du",
    "snälla",
    "och",
    "lige",
    "ikke",
];
/// "Not X but Y".
pub(super) const NOT: &[&str] = &["not", "don't", "dont", "inte", "ikke", "nicht"];
const BUT: &[&str] = &["but", "utan", "men", "sondern"];
const BE: &[&str] = &["be", "want", "need", "vara", "være"];
/// German verbs that come in two parts, and their second parts.
const PARTED: &[&str] =
    &["füge", "fügen", "fueg", "fuge", "fugen", "tausche", "tauschen", "nimm", "nehmen", "soll", "sollte"];
const PARTICLES: &[&str] = &["hinzu", "aus", "auf", "stehen"];
/// What stands after it.
const CLOSING: &[&str] = &["please", "thanks", "tack", "tak", "takk", "bitte", "danke", "again"];
/// Before the name of a list that something more comes to.
const ANOTHER: &[&str] = &[
    "another",
    "one",
    "more",
    "ytterligare",
    "en",
    "ett",
    "till",
    "endnu",
    "enda",
    "et",
    "noch",
    "ein",
    "eine",
    "weiterer",
    "weitere",
];
/// Before the name of a list.
const NEW: &[&str] = &[
    "new", "another", "more", "one", "ny", "nytt", "nye", "nyt", "en", "ett", "et", "neue", "neues",
    "weitere",
];
