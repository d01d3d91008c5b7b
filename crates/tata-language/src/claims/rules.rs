//! What holds between a sentence and the sentences that prove it, beyond the words.

use super::{
    Reason,
    index::{Index, Post},
    pick::{Need, compatible},
    reading::{Bound, Reading, Strength, Unit, What},
};
use crate::{
    lists::{Critical, Cue},
    values::{Amount, Unit as Counted},
};

/// A line this short leans on its neighbours: "Team: 5".
const FRAGMENT: usize = 3;

/// What a sentence is held against.
pub(super) struct Case<'a> {
    pub(super) index: &'a Index,
    pub(super) reading: &'a Reading,
    pub(super) needs: &'a [Need],
}

impl Case<'_> {
    /// Whether the source agrees on negation, doubt and strength.
    pub(super) fn disagreement(&self, unit: &Unit, post: Post) -> Option<Reason> {
        let source = self.index.unit(post)?;
        let cues = self.reading.cues;
        let hedged = cues.has(Cue::Hedge);
        if unit.negated != source.negated {
            return Some(Reason::Negation);
        }
        if source.hedged && !hedged {
            return Some(Reason::Doubt);
        }
        if source.softened && !(hedged || cues.has(Cue::Soft) || cues.has(Cue::Can)) {
            return Some(Reason::Doubt);
        }
        let weighed = source.strength == Strength::None && self.weighed(unit);
        if compatible(unit.strength, source.strength) || weighed || self.carried(unit) {
            return None;
        }
        Some(Reason::Strength)
    }

    /// "It is a plus if you can teach physics": enough that one part is a plus in the source.
    fn weighed(&self, unit: &Unit) -> bool {
        unit.strength == Strength::Plus
            && self.needs.iter().any(|need| {
                let clause = self.reading.units.get(need.unit).map(|other| other.clause);
                let source = need.chosen.and_then(|post| self.index.unit(post));
                clause == Some(unit.clause) && source.is_some_and(|source| source.strength == Strength::Plus)
            })
    }

    /// A verb takes the strength of the words it stands with: "unterrichten" is no plus because "Unterricht" was part of one.
    fn carried(&self, unit: &Unit) -> bool {
        let others = || {
            let other = |need: &Need| {
                self.reading.units.get(need.unit).zip(need.chosen.and_then(|p| self.index.unit(p)))
            };
            let pairs = self.needs.iter().filter_map(other);
            pairs.filter(|(other, _)| other.clause == unit.clause && !other.verb && !self.index.skill(other))
        };
        let agrees = |(other, source): (&Unit, &Unit)| compatible(other.strength, source.strength);
        unit.verb && !unit.listed && others().count() > 1 && others().all(agrees)
    }

    /// A value belongs to the thing it stands beside: "four nurses and 30 beds" is not "30 nurses".
    pub(super) fn value(&self, at: usize, need: &Need) -> Option<Reason> {
        let unit = self.reading.units.get(at)?;
        let What::Value { amount, bound, .. } = unit.what else { return None };
        let mut reason = Reason::Combined;
        // The chosen place is nearly always the right one.
        for post in need.chosen.iter().chain(need.proof.posts.iter()) {
            if !self.bound_to(at, *post) || !self.sought(unit, amount, *post) {
                continue;
            }
            let Some(Unit { what: What::Value { bound: have, range, .. }, .. }) = self.index.unit(*post)
            else {
                continue;
            };
            if !limits(bound, *have, *range, self.ends_range(*post)) {
                reason = Reason::Bound;
                continue;
            }
            return None;
        }
        Some(reason)
    }

    /// Whether a value is the second of a range.
    fn ends_range(&self, post: Post) -> bool {
        let before = post.checked_sub(1).and_then(|before| self.index.unit(before));
        let same = post
            .checked_sub(1)
            .is_some_and(|before| self.index.sentence(before) == self.index.sentence(post));
        same && before.is_some_and(|before| matches!(before.what, What::Value { range: true, .. }))
    }

    /// "We are looking for eight teachers" is not proven by eight teachers who are there already.
    fn sought(&self, unit: &Unit, amount: Amount, post: Post) -> bool {
        let counts = matches!(amount, Amount::Number(number, Counted::Things) if number > 100);
        let seeks = self.reading.cues.has(Cue::Seek) && self.reading.cues.has(Cue::We);
        let near = self.reading.units.first().is_some_and(|first| first.first == unit.first);
        !(counts && seeks && near) || self.index.has(self.index.sentence(post), Cue::Seek)
    }

    fn bound_to(&self, at: usize, post: Post) -> bool {
        let sentence = self.index.sentence(post);
        let units = &self.reading.units;
        if let Some(Unit { what: What::Value { amount: Amount::Date(_), .. }, .. }) = units.get(at) {
            return self.has_partner(at, sentence) || !self.partners(at).any(|_| true);
        }
        let things = self.index.things(units.get(at).and_then(|unit| unit.after));
        let counted = || things.iter().map(|thing| self.index.counted(*thing));
        if counted().any(|posts| !posts.is_empty()) {
            return counted().any(|posts| posts.binary_search(&post).is_ok());
        }
        // "120 people" are not "120 units".
        let source = self.index.unit(post).and_then(|unit| unit.after);
        if !things.is_empty()
            && self.index.plain(units.get(at).and_then(|unit| unit.after))
            && self.index.says(source)
        {
            return false;
        }
        if let Some(head) = head(units, at) {
            let proven =
                || self.needs.iter().filter(move |need| need.unit == head).map(|need| &*need.proof.posts);
            let mut here = proven().flat_map(|posts| self.index.within(posts, sentence)).peekable();
            if here.peek().is_some() {
                return here.any(|thing| !self.counted_otherwise(*thing, post));
            }
            // The thing is counted elsewhere by another number.
            if proven().flatten().any(|thing| self.counted_otherwise(*thing, post)) {
                return false;
            }
        }
        self.has_partner(at, sentence) || !self.partners(at).any(|_| true)
    }

    /// Whether the thing belongs to another number than the one meant.
    fn counted_otherwise(&self, thing: Post, value: Post) -> bool {
        let sentence = self.index.sentence(thing);
        let units = self.index.units_of(sentence);
        let start = self.index.sentences.get(sentence as usize).map_or(0, |sentence| sentence.units.start);
        let here = |post: Post| (post as usize).checked_sub(start);
        let Some(thing) = here(thing) else { return false };
        let meant = here(value).filter(|_| self.index.sentence(value) == sentence);
        let other = |at: usize| {
            let counts = matches!(units.get(at)?.what, What::Value { amount: Amount::Number(..), .. });
            (counts && head(units, at) == Some(thing)).then_some(at)
        };
        let amount = |at: usize| units.get(at).map(|unit| unit.what);
        let mut owners = (0..units.len()).filter_map(other).peekable();
        if owners.peek().is_none() {
            return false;
        }
        let same = |at: usize| match (amount(at), self.index.unit(value).map(|unit| unit.what)) {
            (Some(What::Value { amount: a, .. }), Some(What::Value { amount: b, .. })) => a == b,
            _ => false,
        };
        // Both ends of a range count the same thing.
        let ranged = |at: usize| {
            meant.is_some_and(|meant| meant.abs_diff(at) == 1)
                && matches!(amount(at), Some(What::Value { range: true, .. }))
        };
        !owners.any(|at| Some(at) == meant || same(at) || ranged(at))
    }

    /// The other units of the clause that the sources know, or of the sentence where the clause has none.
    fn partners(&self, at: usize) -> impl Iterator<Item = &Need> {
        let clause = self.reading.units.get(at).map(|unit| unit.clause);
        let says = move |need: &&Need| {
            need.unit != at
                && self
                    .reading
                    .units
                    .get(need.unit)
                    .is_some_and(|unit| !matches!(unit.what, What::Value { .. }))
        };
        let same = move |need: &&Need| self.reading.units.get(need.unit).map(|unit| unit.clause) == clause;
        let alone = !self.needs.iter().any(|need| says(&need) && same(&need));
        self.needs.iter().filter(move |need| says(need) && (alone || same(need)))
    }

    /// Whether a partner stands in the same sentence, or beside it where that is a mere fragment.
    fn has_partner(&self, at: usize, sentence: u32) -> bool {
        let fragment =
            self.index.sentences.get(sentence as usize).is_some_and(|sentence| sentence.words <= FRAGMENT);
        let has = |need: &Need, sentence: u32| need.proof.stands_in(self.index, sentence);
        let beside = |need: &Need| {
            has(need, sentence + 1) || sentence.checked_sub(1).is_some_and(|before| has(need, before))
        };
        self.partners(at).any(|need| has(need, sentence) || (fragment && beside(need)))
    }

    /// A trait belongs to whom the source describes by it.
    pub(super) fn description(&self, at: usize, need: &Need) -> Option<Reason> {
        let unit = self.reading.units.get(at)?;
        if !matches!(unit.critical, Some(Critical::Trait | Critical::Superlative)) {
            return None;
        }
        let together = need.proof.posts.iter().any(|post| self.has_partner(at, self.index.sentence(*post)));
        (!together && self.partners(at).any(|_| true)).then_some(Reason::Combined)
    }

    /// A name does not take over what the source says of another in its place.
    pub(super) fn name(&self, at: usize, need: &Need) -> Option<Reason> {
        let unit = self.reading.units.get(at)?;
        let What::Name(_) = unit.what else { return None };
        let main = self.main(unit.clause)?;
        if need.proof.stands_in(self.index, main) {
            return None;
        }
        let claimed = |word| {
            self.needs.iter().any(|need| {
                let posts = need.proof.posts.iter().filter_map(|post| self.index.unit(*post));
                posts.into_iter().any(|unit| unit.what == What::Name(word))
            })
        };
        let rival = |other: &Unit| match other.what {
            What::Name(word) => other.before.is_some() && other.before == unit.before && !claimed(word),
            What::Word(_) | What::Value { .. } => false,
        };
        self.index.units_of(main).iter().any(rival).then_some(Reason::Combined)
    }

    /// The sentence that proves most of a clause, names aside.
    fn main(&self, clause: usize) -> Option<u32> {
        let mut counts: Vec<(usize, u32)> = Vec::new();
        for need in self.needs {
            let unit = self.reading.units.get(need.unit)?;
            if unit.clause != clause || matches!(unit.what, What::Name(_)) {
                continue;
            }
            let Some(sentence) = need.chosen.map(|post| self.index.sentence(post)) else { continue };
            match counts.iter_mut().find(|(_, other)| *other == sentence) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, sentence)),
            }
        }
        counts
            .into_iter()
            .max_by_key(|(count, sentence)| (*count, u32::MAX - sentence))
            .map(|(_, sentence)| sentence)
    }
}

/// The thing that a value counts: the unit after it within three words, else the one before.
fn head(units: &[Unit], at: usize) -> Option<usize> {
    let value = units.get(at)?;
    let thing = |unit: &Unit| !matches!(unit.what, What::Value { amount: Amount::Number(..), .. });
    let mut after = at + 1;
    // "Three to five years": the thing stands after the second.
    if let (What::Value { range: true, .. }, Some(next)) = (value.what, units.get(after))
        && matches!(next.what, What::Value { range: true, .. })
    {
        after += 1;
    }
    let last = units.get(after - 1).map_or(value.last, |unit| unit.last);
    if let Some(unit) = units.get(after)
        && thing(unit)
        && unit.clause == value.clause
        && unit.first - last <= 3
    {
        return Some(after);
    }
    let before = at.checked_sub(1)?;
    let unit = units.get(before)?;
    (thing(unit) && unit.clause == value.clause && value.first - unit.last <= 3).then_some(before)
}

/// Whether a source with one limit proves a claim with another.
fn limits(claim: Bound, source: Bound, range: bool, high: bool) -> bool {
    match (claim, source) {
        (Bound::UpTo, _) if range => high,
        (Bound::AtLeast, _) if range => !high,
        (Bound::UpTo, Bound::AtLeast) | (Bound::AtLeast | Bound::Exact, Bound::UpTo | Bound::About) => range,
        (Bound::UpTo | Bound::AtLeast | Bound::About | Bound::Exact, _) => true,
    }
}
