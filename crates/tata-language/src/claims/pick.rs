//! Chooses the one to three sentences of the sources that prove most of a sentence.

use std::rc::Rc;

use super::{
    index::{Index, Post},
    reading::{Strength, Unit, What},
    vocabulary::WordId,
};

/// Sentences of the sources that may prove one sentence together.
const MOST: usize = 3;

/// Something that must be proven, and where it is.
#[derive(Debug)]
pub(super) struct Need {
    /// The unit of the sentence.
    pub(super) unit: usize,
    pub(super) proof: Proof,
    /// Where it is proven best among the chosen sentences.
    pub(super) chosen: Option<Post>,
}

/// The places that prove something, with what is known of each.
#[derive(Clone, Debug)]
pub(super) struct Proof {
    pub(super) posts: Rc<[Post]>,
    facts: Rc<[Fact]>,
}

impl Proof {
    /// Of places in order.
    pub(super) fn of(index: &Index, posts: Vec<Post>) -> Self {
        let facts = posts.iter().filter_map(|post| index.fact(*post)).copied().collect();
        Self { posts: posts.into(), facts }
    }

    /// Whether a place of it is in a sentence.
    pub(super) fn stands_in(&self, index: &Index, sentence: u32) -> bool {
        !index.within(&self.posts, sentence).is_empty()
    }

    /// That a unit must have it.
    pub(super) fn needed_by(&self, unit: usize) -> Need {
        Need { unit, proof: self.clone(), chosen: None }
    }
}

/// What choosing looks at of a unit: little, so that many are looked at quickly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub(super) sentence: u32,
    word: WordId,
    flags: u8,
    strength: Strength,
}

/// The word of a value.
const VALUE: WordId = WordId::MAX;
const NEGATED: u8 = 1;
const HEDGED: u8 = 2;
const SOFTENED: u8 = 4;

impl Fact {
    pub(super) fn of(unit: &Unit, sentence: u32) -> Self {
        let word = match unit.what {
            What::Word(id) | What::Name(id) => id,
            What::Value { .. } => VALUE,
        };
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let flags = flag(unit.negated, NEGATED) | flag(unit.hedged, HEDGED) | flag(unit.softened, SOFTENED);
        Self { sentence, word, flags, strength: unit.strength }
    }
}

/// Chooses sentences; keeps its room from sentence to sentence.
#[derive(Debug, Default)]
pub(super) struct Picker {
    /// What each sentence of the sources would add.
    gains: Vec<f32>,
    /// The sentences that would add something.
    touched: Vec<u32>,
    /// The state of each need.
    wants: Vec<Want>,
}

/// What is looked for: a unit of the sentence, what it has so far, and the most that any source could give it.
#[derive(Debug)]
struct Want {
    word: WordId,
    negated: u8,
    strength: Strength,
    /// The flags that count.
    mask: u8,
    worth: f32,
    have: f32,
    most: f32,
}

impl Picker {
    /// Chooses sentences and notes in each need where it is proven. Returns them, the best first.
    pub(super) fn pick(
        &mut self,
        index: &Index,
        units: &[Unit],
        hedged: bool,
        softened: bool,
        needs: &mut [Need],
    ) -> Vec<u32> {
        self.wants.clear();
        // A sentence that is in doubt as a whole may lean on a source that is.
        let mask = NEGATED | if hedged { 0 } else { HEDGED } | if softened { 0 } else { SOFTENED };
        self.wants.extend(needs.iter().filter_map(|need| units.get(need.unit)).map(|unit| {
            let Fact { word, flags, strength, .. } = Fact::of(unit, 0);
            let negated = flags & NEGATED;
            Want { word, negated, strength, mask, worth: weight(unit), have: 0.0, most: f32::MAX }
        }));
        self.gains.resize(index.sentences.len(), 0.0);
        let mut picked: Vec<u32> = Vec::new();
        while picked.len() < MOST {
            // A need that has the best there is adds nothing more.
            let lacking = needs.iter().zip(&mut self.wants).filter(|(_, want)| want.have + 0.001 < want.most);
            for (need, want) in lacking {
                let mut top: f32 = 0.0;
                for group in need.proof.facts.chunk_by(|a, b| a.sentence == b.sentence) {
                    let mut offer: f32 = 0.0;
                    for fact in group {
                        let next = want.offer(fact);
                        offer = if next > offer { next } else { offer };
                    }
                    top = if offer > top { offer } else { top };
                    let sentence = group.first().map_or(0, |fact| fact.sentence);
                    let Some(gain) = self.gains.get_mut(sentence as usize).filter(|_| offer > want.have)
                    else {
                        continue;
                    };
                    if *gain == 0.0 {
                        self.touched.push(sentence);
                    }
                    *gain += offer - want.have;
                }
                want.most = top;
            }
            let found = self.dearest(&picked);
            let Some(sentence) = found else { break };
            picked.push(sentence);
            let lacking = needs.iter_mut().zip(&mut self.wants).filter(|(_, want)| want.have < want.most);
            for (need, want) in lacking {
                for post in index.within(&need.proof.posts, sentence) {
                    let offer = index.fact(*post).map_or(0.0, |fact| want.offer(fact));
                    if offer > want.have {
                        want.have = offer;
                        need.chosen = Some(*post);
                    }
                }
            }
        }
        picked
    }

    /// The sentence that adds most, the earliest of several; clears the gains.
    fn dearest(&mut self, picked: &[u32]) -> Option<u32> {
        let mut found: Option<(f32, u32)> = None;
        for sentence in self.touched.drain(..) {
            let Some(place) = self.gains.get_mut(sentence as usize) else { continue };
            let mut gain = std::mem::take(place);
            // Of two that prove the same, the neighbour of what is already chosen.
            if picked.iter().any(|other| other.abs_diff(sentence) == 1) {
                gain *= 1.1;
            }
            let better = found
                .is_none_or(|(most, other)| gain > most + 0.001 || (gain > most - 0.001 && sentence < other));
            if gain > 0.15 && better && !picked.contains(&sentence) {
                found = Some((gain, sentence));
            }
        }
        found.map(|(_, sentence)| sentence)
    }
}

/// What it is worth to prove a unit.
fn weight(unit: &Unit) -> f32 {
    match unit.what {
        What::Value { .. } => 3.0,
        What::Name(_) => 2.0,
        What::Word(_) if unit.critical.is_some() => 1.5,
        What::Word(_) => 1.0,
    }
}

impl Want {
    /// How well a unit of a source proves this one.
    fn offer(&self, source: &Fact) -> f32 {
        let agrees =
            (source.flags ^ self.negated) & self.mask == 0 && compatible(self.strength, source.strength);
        let exact = self.word == source.word || self.word == VALUE || source.word == VALUE;
        // What says the opposite is found, but only where nothing better is.
        let mut worth = self.worth * if agrees { 1.0 } else { 0.3 };
        worth *= if exact { 1.0 } else { 0.9 };
        // Of two sources for a requirement, the one that weighs it alike.
        if self.strength != Strength::None && self.strength == source.strength {
            worth *= 1.05;
        }
        worth
    }
}

/// Whether a source of one strength proves a claim of another.
pub(super) fn compatible(claim: Strength, source: Strength) -> bool {
    match (claim, source) {
        (Strength::Must, Strength::Plus | Strength::Wish)
        | (Strength::Plus, Strength::Must | Strength::None)
        | (Strength::None, Strength::Plus) => false,
        (Strength::None | Strength::Wish | Strength::Must | Strength::Plus, _) => true,
    }
}
