//! Chooses the one to three sentences of the sources that prove most of a sentence.

use std::rc::Rc;

use super::{
    index::{Index, Post},
    reading::{Strength, Unit, What},
};

/// Sentences of the sources that may prove one sentence together.
const MOST: usize = 3;

/// Something that must be proven, and where it is.
#[derive(Debug)]
pub(super) struct Need {
    /// The unit of the sentence.
    pub(super) unit: usize,
    pub(super) posts: Rc<[Post]>,
    /// Where it is proven best among the chosen sentences.
    pub(super) chosen: Option<Post>,
}

/// Chooses sentences; keeps its room from sentence to sentence.
#[derive(Debug, Default)]
pub(super) struct Picker {
    /// What each sentence of the sources would add.
    gains: Vec<f32>,
    /// The sentences that would add something.
    touched: Vec<u32>,
    /// What each need has so far, and the most that any sentence could give it.
    best: Vec<(f32, f32)>,
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
        self.best.clear();
        self.best.resize(needs.len(), (0.0, f32::MAX));
        self.gains.resize(index.sentences.len(), 0.0);
        let mut picked: Vec<u32> = Vec::new();
        let worth = |unit: &Unit, source: &Unit| worth(unit, source, hedged, softened);
        while picked.len() < MOST {
            for (need, (have, most)) in needs.iter().zip(&mut self.best) {
                // A need that has the best there is adds nothing more.
                let Some(unit) = units.get(need.unit).filter(|_| *have + 0.001 < *most) else { continue };
                let mut top: f32 = 0.0;
                for group in need.posts.chunk_by(|a, b| index.sentence(*a) == index.sentence(*b)) {
                    let sources = group.iter().filter_map(|post| index.unit(*post));
                    let offer = sources.map(|source| worth(unit, source)).fold(0.0, f32::max);
                    top = top.max(offer);
                    let sentence = group.first().map_or(0, |post| index.sentence(*post));
                    let Some(gain) = self.gains.get_mut(sentence as usize).filter(|_| offer > *have) else {
                        continue;
                    };
                    if *gain == 0.0 {
                        self.touched.push(sentence);
                    }
                    *gain += offer - *have;
                }
                *most = top;
            }
            let found = self.dearest(&picked);
            let Some(sentence) = found else { break };
            picked.push(sentence);
            for (need, (have, _)) in needs.iter_mut().zip(&mut self.best) {
                let Some(unit) = units.get(need.unit) else { continue };
                let start = need.posts.partition_point(|post| index.sentence(*post) < sentence);
                let here = need.posts.get(start..).unwrap_or_default().iter();
                for post in here.take_while(|post| index.sentence(**post) == sentence) {
                    let offer = index.unit(*post).map_or(0.0, |source| worth(unit, source));
                    if offer > *have {
                        *have = offer;
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

/// How well a unit of a source proves one of the sentence.
fn worth(unit: &Unit, source: &Unit, hedged: bool, softened: bool) -> f32 {
    let agrees = unit.negated == source.negated
        && (hedged || !source.hedged)
        && (softened || !source.softened)
        && compatible(unit.strength, source.strength);
    let exact = match (unit.what, source.what) {
        (What::Word(a) | What::Name(a), What::Word(b) | What::Name(b)) => a == b,
        (What::Value { .. }, _) | (_, What::Value { .. }) => true,
    };
    let mut worth: f32 = match unit.what {
        What::Value { .. } => 3.0,
        What::Name(_) => 2.0,
        What::Word(_) if unit.critical.is_some() => 1.5,
        What::Word(_) => 1.0,
    };
    // What says the opposite is found, but only where nothing better is.
    worth *= if agrees { 1.0 } else { 0.3 };
    worth *= if exact { 1.0 } else { 0.9 };
    // Of two sources for a requirement, the one that weighs it alike.
    if unit.strength != Strength::None && unit.strength == source.strength {
        worth *= 1.05;
    }
    worth
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
