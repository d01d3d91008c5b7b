//! The small words around what a change is about: verbs, what joins, what is polite.

use std::ops::Range;

use super::{frames::Frames, parts::Verb, words::Sentence};
use crate::answer::{
    only,
    pieces::Shape,
    words::{Meaning, Sense, is},
};

impl Sentence {
    /// What is wanted done, by the first verb outside of quotation marks.
    pub(super) fn verb(&self) -> Option<Verb> {
        let first = |wanted: &[Sense]| {
            self.find(0, |meaning| wanted.contains(&meaning.sense).then_some(())).map(|(at, _)| at)
        };
        let taken = first(&[Sense::Take]);
        let away = taken.and_then(|taken| self.find(taken + 1, is(Sense::Away)));
        let verbs = [
            (first(&[Sense::Add]), Verb::Add),
            (first(&[Sense::Remove]).or(taken.filter(|_| away.is_some())), Verb::Remove),
            (first(&[Sense::Change, Sense::Instead]), Verb::Change),
        ];
        let found = verbs.into_iter().filter_map(|(at, verb)| Some((at?, verb))).min_by_key(|(at, _)| *at);
        let put = || first(&[Sense::Want, Sense::Move, Sense::Take]).map(|_| Verb::Put);
        found.map(|(_, verb)| verb).or_else(put)
    }

    /// Where the last "not" stands that something follows and something precedes.
    pub(super) fn last_not(&self) -> Option<usize> {
        (2..self.len().saturating_sub(1)).rev().find(|at| self.is(*at, Sense::Not) && !self.is_quoted(*at))
    }

    /// Whether all of these pieces are digits.
    pub(super) fn are_digits(&self, pieces: Range<usize>) -> bool {
        self.pieces.get(pieces).is_some_and(|pieces| pieces.iter().all(|piece| piece.shape == Shape::Digits))
    }

    /// The one number among these pieces.
    pub(super) fn only_number(&self, pieces: Range<usize>) -> Option<String> {
        let numbers = self.pieces.get(pieces)?.iter().filter(|piece| piece.shape == Shape::Digits);
        only(numbers).map(|piece| piece.text.clone())
    }

    /// Whether it asks, and wants nothing: "could you …?" is a wish.
    pub(super) fn is_question(&self) -> bool {
        self.is_mark(self.len().saturating_sub(1), '?') && !self.is_polite()
    }

    /// "Could you …?": a wish in the form of a question.
    fn is_polite(&self) -> bool {
        self.is(0, Sense::Asking) && self.is(1, Sense::Asked)
    }

    /// Whether nothing but courtesy stands before a verb. "There is nothing to add" has other words there.
    pub(super) fn opens_with(&self, verb: Sense) -> bool {
        let polite = |sense| matches!(sense, Sense::Filler | Sense::Courtesy | Sense::And | Sense::No);
        let mut at = if self.is_polite() { 2 } else { 0 };
        while let Some(length) = self.small_at(at, self.len(), polite) {
            at += length;
        }
        self.has(at..at + 1, verb)
    }

    /// Whether a number points to something, and counts nothing: "the second", or digits with small words behind them.
    pub(super) fn points(&self, at: usize) -> bool {
        let counts = || at + 1 < self.len() && self.small_at(at + 1, self.len(), is_small).is_none();
        self.at(at, is(Sense::Ordinal)).is_some() || self.are_digits(at..at + 1) && !counts()
    }

    /// Whether a piece is a mark, or stands in quotation marks.
    pub(super) fn is_apart(&self, at: usize) -> bool {
        self.is_quoted(at) || self.pieces.get(at).is_some_and(|piece| piece.shape == Shape::Mark)
    }

    /// Where a colon stands that parts a wish from what comes.
    pub(super) fn colon(&self) -> Option<usize> {
        let verb = |meaning: Meaning| {
            matches!(meaning.sense, Sense::Change | Sense::Add | Sense::Remove | Sense::Instead).then_some(())
        };
        (1..self.len().saturating_sub(1)).find(|at| {
            let time = self.pieces.get(at + 1).is_some_and(|next| next.glued);
            // "Task 3: outages instead of faults": the wish itself stands behind it.
            let wish = self.at(at + 1, verb).is_some() || self.has(at + 1..self.len(), Sense::Instead);
            self.is_mark(*at, ':') && !time && !wish && !self.is_quoted(*at)
        })
    }

    /// Whether a wording of this sense begins in these pieces.
    pub(super) fn has(&self, pieces: Range<usize>, wanted: Sense) -> bool {
        pieces.into_iter().any(|at| self.at(at, is(wanted)).is_some())
    }

    /// Whether nothing stands there but small words and marks.
    pub(super) fn rest_is_small(&self, pieces: Range<usize>) -> bool {
        is_run_of(pieces.clone(), |at| {
            self.small_at(at, pieces.end, is_small).or_else(|| self.learned_at(at))
        })
    }

    /// The same, without what was learned.
    pub(super) fn are_small(&self, pieces: Range<usize>) -> bool {
        is_run_of(pieces.clone(), |at| self.small_at(at, pieces.end, is_small))
    }

    /// The pieces cut at quotation marks and behind the colon, without these marks.
    pub(super) fn marked_apart(&self, pieces: Range<usize>) -> Vec<Range<usize>> {
        let colon = self.colon();
        let mut found = Vec::new();
        let mut start = pieces.start;
        for at in pieces.clone() {
            if Some(at) == colon || self.is_mark(at, '"') {
                found.push(start..at);
                start = at + 1;
            }
        }
        found.push(start..pieces.end);
        found
    }

    /// Whether a run stands in quotation marks or behind the colon: then it is meant as it stands.
    pub(super) fn is_marked_off(&self, run: &Range<usize>) -> bool {
        self.is_quoted(run.start)
            || run.start.checked_sub(1).is_some_and(|before| self.colon() == Some(before))
    }

    /// A run without the small words around it.
    pub(super) fn core(&self, run: Range<usize>) -> Range<usize> {
        let marked = self.is_marked_off(&run);
        if !marked && self.rest_is_small(run.clone()) {
            return run.start..run.start;
        }
        let Range { mut start, mut end } = run;
        let last = end == self.len();
        let leading =
            |at: usize, end: usize| if marked { self.mark_at(at) } else { self.small_at(at, end, is_small) };
        loop {
            if let Some(length) = leading(start, end).filter(|_| start < end) {
                start += length;
            } else if let Some(behind) = self.opened(start..end).filter(|_| !marked) {
                start = behind;
            } else {
                break;
            }
        }
        while end > start {
            let closing = if last { is_closing } else { is_small };
            let from = (start..end).find(|at| {
                let length = if marked { self.mark_at(*at) } else { self.small_at(*at, end, closing) };
                length.is_some_and(|length| at + length == end)
            });
            let closed = || self.closed(start..end, last).filter(|_| !marked);
            match from.or_else(closed) {
                Some(from) => end = from,
                None => break,
            }
        }
        // "To a curious person": the article belongs to what comes.
        let article = |at: usize| self.at(at, is(Sense::Article)).is_some();
        while start < end && start > run.start && article(start - 1) {
            start -= 1;
        }
        start..end
    }

    /// Where what comes begins behind learned words, the last of which was seen before something that came.
    fn opened(&self, run: Range<usize>) -> Option<usize> {
        let frames = Frames::of(self.language);
        let around = run.clone().take_while(|at| self.is_said_around(*at));
        let opens = |at: &usize| self.pieces.get(*at).is_some_and(|piece| frames.opens(&piece.text));
        around.filter(opens).last().map(|at| at + 1)
    }

    /// Where what comes ends before learned words, the first of which was seen behind something that came.
    fn closed(&self, run: Range<usize>, last: bool) -> Option<usize> {
        let frames = Frames::of(self.language);
        let is = |at: usize, seen: fn(&Frames, &str) -> bool| {
            self.pieces.get(at).is_some_and(|piece| seen(frames, &piece.text))
        };
        if last && !run.clone().next_back().is_some_and(|at| is(at, Frames::ends)) {
            return None;
        }
        let around = run.clone().rev().take_while(|at| self.is_said_around(*at));
        around.filter(|at| is(*at, Frames::closes)).last().filter(|at| *at > run.start)
    }

    fn small_at(&self, at: usize, end: usize, is: fn(Sense) -> bool) -> Option<usize> {
        let small = self.at(at, |meaning| is(meaning.sense).then_some(())).map(|((), length)| length);
        small.filter(|length| at + length <= end).or_else(|| self.mark_at(at))
    }

    /// A word of the sentences that were learned.
    fn learned_at(&self, at: usize) -> Option<usize> {
        self.pieces.get(at).filter(|piece| Frames::of(self.language).is_small(&piece.text)).map(|_| 1)
    }

    /// Whether a piece belongs to how something is said.
    pub(super) fn is_said_around(&self, at: usize) -> bool {
        self.small_at(at, self.len(), is_small).or_else(|| self.learned_at(at)).is_some()
    }

    fn mark_at(&self, at: usize) -> Option<usize> {
        let piece = self.pieces.get(at)?;
        let belongs = ['(', ')', '+', '#', '%', '/', '&'].into_iter().any(|mark| piece.is(mark));
        (piece.shape == Shape::Mark && !belongs).then_some(1)
    }
}

/// Whether pieces are parted without a rest, each part as long as it says.
fn is_run_of(pieces: Range<usize>, length: impl Fn(usize) -> Option<usize>) -> bool {
    let mut at = pieces.start;
    while let Some(length) = length(at).filter(|_| at < pieces.end) {
        at += length;
    }
    at >= pieces.end
}

/// What may stand around what a change is about.
fn is_small(sense: Sense) -> bool {
    is_closing(sense)
        || matches!(
            sense,
            Sense::Filler
                | Sense::As
                | Sense::With
                | Sense::Instead
                | Sense::And
                | Sense::Article
                | Sense::No
        )
}

/// What may end a message: "out" may, "in" may be the end of what comes.
fn is_closing(sense: Sense) -> bool {
    matches!(
        sense,
        Sense::Small
            | Sense::Courtesy
            | Sense::Want
            | Sense::Change
            | Sense::Add
            | Sense::Remove
            | Sense::Take
            | Sense::Away
            | Sense::Move
    )
}
