//! A message in pieces, with its own words beside them.

use std::ops::Range;

use tata_language::Language;

use crate::answer::{
    pieces::{Piece, Shape, pieces},
    words::{Meaning, Sense, Words, among, is},
};

/// A wish of so many pieces is short.
const SHORT: usize = 8;

/// A message that is read as a change.
pub(super) struct Sentence {
    letters: Vec<char>,
    pub(super) pieces: Vec<Piece>,
    /// Which pieces stand in quotation marks: they are somebody's words, not the wish.
    quoted: Vec<bool>,
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
        let paired = pieces.iter().filter(|piece| piece.is('"')).count() % 2 == 0;
        let mut inside = false;
        let quoted = |piece: &Piece| {
            inside ^= paired && piece.is('"');
            inside
        };
        Self {
            letters,
            quoted: pieces.iter().map(quoted).collect(),
            pieces,
            words: Words::of(language),
            language,
        }
    }

    /// How many pieces it has.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.is(mark))
    }

    /// Whether a piece is a word of this sense.
    pub(super) fn is(&self, at: usize, sense: Sense) -> bool {
        self.pieces.get(at).is_some_and(|piece| self.words.is(&piece.text, sense))
    }

    /// The longest wording here whose sense is looked for.
    pub(super) fn at<T>(&self, at: usize, pick: impl Fn(Meaning) -> Option<T>) -> Option<(T, usize)> {
        self.words.at(&self.pieces, at, pick)
    }

    /// Where such a wording stands first, and how many pieces it has.
    pub(super) fn find(&self, from: usize, pick: impl Fn(Meaning) -> Option<()>) -> Option<(usize, usize)> {
        (from..self.len())
            .filter(|at| !self.is_quoted(*at))
            .find_map(|at| self.at(at, &pick).map(|((), length)| (at, length)))
    }

    /// What stands behind a verb that begins the message, small words aside.
    pub(super) fn behind(&self, verb: Sense) -> Option<Range<usize>> {
        let (at, length) = self.find(0, is(verb))?;
        self.are_small(0..at).then_some(at + length..self.len())
    }

    /// What stands before a verb that ends a short message, small words aside.
    pub(super) fn before(&self, verb: Sense) -> Option<Range<usize>> {
        let end = self.end();
        let ends = |at: &usize| self.whole(*at, end, is(verb)).is_some();
        let last = (1..end).find(ends).filter(|_| self.len() <= SHORT && !self.is_question())?;
        Some(self.core(0..last).start..last)
    }

    /// Whether a piece stands in quotation marks.
    pub(super) fn is_quoted(&self, at: usize) -> bool {
        self.quoted.get(at).copied().unwrap_or_default()
    }

    /// What all of these pieces are.
    pub(super) fn whole<T>(
        &self,
        start: usize,
        end: usize,
        pick: impl Fn(Meaning) -> Option<T>,
    ) -> Option<T> {
        let (found, length) = self.at(start, &pick)?;
        (start + length == end).then_some(found)
    }

    /// The same, with small words before it.
    pub(super) fn whole_of<T>(
        &self,
        start: usize,
        end: usize,
        pick: impl Fn(Meaning) -> Option<T>,
    ) -> Option<T> {
        let mut start = start;
        loop {
            if let Some(found) = self.whole(start, end, &pick) {
                return Some(found);
            }
            start += self.small(start).filter(|length| start + length < end)?;
        }
    }

    fn small(&self, at: usize) -> Option<usize> {
        let small = self.at(at, among([(Sense::Filler, ()), (Sense::As, ())]));
        small.map(|((), length)| length)
    }

    /// Where the message ends, marks and thanks aside.
    fn end(&self) -> usize {
        // "…, if you please": what is polite behind the last comma.
        let comma = (1..self.len()).rev().find(|at| self.is_mark(*at, ','));
        let polite = comma.filter(|comma| self.whole(comma + 1, self.len(), is(Sense::Courtesy)).is_some());
        let mut end = polite.unwrap_or(self.len());
        while end > 1 {
            let last = end - 1;
            let parted = || (0..4).any(|at| self.is(at, Sense::Parted));
            let mark = self.pieces.get(last).is_some_and(|piece| piece.shape == Shape::Mark)
                && ![')', '+', '#', '%'].into_iter().any(|mark| self.is_mark(last, mark));
            if !(mark || self.is(last, Sense::Closing) || self.is(last, Sense::Particle) && parted()) {
                break;
            }
            end -= 1;
        }
        end
    }

    /// The person's own words, just as they stand.
    pub(super) fn exactly(&self, pieces: Range<usize>) -> String {
        let pieces = self.pieces.get(pieces).unwrap_or_default();
        let range = pieces.first().zip(pieces.last()).map_or(0..0, |(first, last)| first.start..last.end);
        self.letters.get(range).unwrap_or_default().iter().collect()
    }

    /// The person's own words, quotation marks and thanks around them aside.
    pub(super) fn text(&self, pieces: Range<usize>) -> String {
        let text = self.exactly(pieces.start..pieces.end.min(self.end()));
        let marks = |letter: char| {
            letter.is_whitespace() || matches!(letter, '"' | '“' | '”' | '„' | '«' | '»' | ':' | ',' | '\'')
        };
        text.trim_matches(marks).to_owned()
    }
}
