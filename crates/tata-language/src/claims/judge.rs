//! Decides about one sentence.

use super::{
    Reason, Sentence, Unproven,
    cover::Covers,
    index::{Index, Post},
    pick::{Need, Picker},
    reading::{Reading, Unit, What},
    rules::Case,
    vocabulary::Vocabulary,
};
use crate::{
    language::Language,
    lists::{Critical, Cue},
    spans::Span,
    tokens::{Kind, Token},
    values::{Amount, Unit as Counted},
};

/// A quotation of fewer words is a way of speaking.
const QUOTED: usize = 3;

/// Holds sentences against the sources of one language.
pub(super) struct Judge {
    index: Index,
    covers: Covers,
    reading: Reading,
    picker: Picker,
    needs: Vec<Need>,
    /// The words of sentences in other languages.
    foreign: Vec<(Language, Vocabulary)>,
}

impl Judge {
    pub(super) fn new(mut index: Index) -> Self {
        index.finish();
        Self {
            index,
            covers: Covers::default(),
            reading: Reading::default(),
            picker: Picker::default(),
            needs: Vec::new(),
            foreign: Vec::new(),
        }
    }

    /// How many sentences the sources have.
    pub(super) fn sentences(&self) -> usize {
        self.index.sentences.len()
    }

    /// Holds a sentence against sources of its own language.
    pub(super) fn judge<'t>(&mut self, text: &'t str, tokens: &[Token<'t>], sentence: &mut Sentence<'t>) {
        self.reading.read(&mut self.index.words, tokens);
        let mut missing: Vec<(usize, Reason)> = Vec::new();
        let mut skills: Vec<usize> = Vec::new();
        let mut needs = std::mem::take(&mut self.needs);
        needs.clear();
        for (at, unit) in self.reading.units.iter().enumerate() {
            if self.index.skill(unit) && self.reading.units.len() > 1 {
                skills.push(at);
                continue;
            }
            let before = needs.len();
            needs.extend(self.covers.of(&self.index, unit.what).iter().map(|proof| proof.needed_by(at)));
            if needs.len() == before {
                missing.push((at, lacking(unit)));
            }
        }
        let cues = self.reading.cues;
        let hedged = cues.has(Cue::Hedge);
        let softened = hedged || cues.has(Cue::Soft) || cues.has(Cue::Can);
        let picked = self.picker.pick(&self.index, &self.reading.units, hedged, softened, &mut needs);
        let case = Case { index: &self.index, reading: &self.reading, needs: &needs };
        for need in &needs {
            let Some(unit) = self.reading.units.get(need.unit) else { continue };
            let Some(post) = need.chosen else {
                missing.push((need.unit, Reason::Combined));
                continue;
            };
            let reason = case
                .disagreement(unit, post)
                .or_else(|| case.value(need.unit, need))
                .or_else(|| case.description(need.unit, need))
                .or_else(|| case.name(need.unit, need));
            missing.extend(reason.map(|reason| (need.unit, reason)));
        }
        self.bear(&needs, &mut missing);
        if !picked.iter().any(|sentence| self.index.requires(*sentence)) {
            // Proven by itself where the chosen sentences say it: "planning time".
            skills.retain(|at| {
                let Some(unit) = self.reading.units.get(*at) else { return false };
                let mut proofs = self.covers.of(&self.index, unit.what).iter();
                !proofs.any(|proof| picked.iter().any(|sentence| proof.stands_in(&self.index, *sentence)))
            });
            missing.extend(skills.into_iter().map(|at| (at, Reason::Word)));
        }
        sentence.unproven = spans(text, tokens, &self.reading.units, missing);
        self.quotations(text, tokens, sentence);
        sentence.evidence = self.evidence(&needs, &picked);
        self.needs = needs;
    }

    /// An honest sentence has words of its own. They are borne while much more is proven: verbs, which vary most, and
    /// a word that adds nothing to a list, describes no proven word and is counted by no number.
    fn bear(&self, needs: &[Need], missing: &mut Vec<(usize, Reason)>) {
        if missing.is_empty() {
            return;
        }
        let units = &self.reading.units;
        let lacks = |at: usize, missing: &[(usize, Reason)]| missing.iter().any(|(other, _)| *other == at);
        let pays = |post: &Post| {
            let there = self.index.units_of(self.index.sentence(*post));
            there.iter().any(|unit| unit.critical == Some(Critical::Pay))
        };
        let paid = needs.iter().any(|need| match units.get(need.unit).map(|unit| unit.what) {
            Some(What::Value { amount: Amount::Number(_, Counted::Money(_)), .. }) => true,
            // "We pay 17.40 an hour".
            Some(What::Value { amount: Amount::Number(..), .. }) => need.chosen.as_ref().is_some_and(pays),
            Some(What::Value { .. } | What::Word(_) | What::Name(_)) | None => false,
        });
        let mut left = needs.len();
        let all = missing.clone();
        missing.retain(|(at, reason)| {
            let Some(unit) = units.get(*at) else { return true };
            // "The salary is": said by any amount of money.
            if *reason == Reason::Pay && paid {
                return false;
            }
            if *reason != Reason::Word {
                return true;
            }
            let before = at.checked_sub(1).and_then(|before| units.get(before));
            let counted = before.is_some_and(|before| {
                matches!(before.what, What::Value { .. }) && before.last + 1 == unit.first
            });
            let counted = counted || unit.every;
            let next = units.get(at + 1).filter(|next| next.first == unit.last + 1);
            let describes = next.is_some() && !lacks(at + 1, &all);
            let price = if unit.verb && !unit.listed {
                1
            } else if unit.verb {
                2
            } else if unit.listed || counted || describes {
                return true;
            } else {
                3
            };
            let borne = left >= price;
            if borne {
                left -= price;
            }
            !borne
        });
    }

    /// Holds a sentence against sources of another language: numbers, dates and names only.
    pub(super) fn judge_translated<'t>(
        &mut self,
        spoken: Language,
        text: &'t str,
        tokens: &[Token<'t>],
        sentence: &mut Sentence<'t>,
    ) {
        // Read by the lists of its own language, looked up among the words of the other.
        let known = self.foreign.iter().position(|(language, _)| *language == spoken);
        let known = known.map(|at| self.foreign.swap_remove(at).1);
        let mut words = known.unwrap_or_else(|| Vocabulary::new(spoken));
        self.reading.read(&mut words, tokens);
        let mut missing = Vec::new();
        let mut needs = Vec::new();
        for (at, unit) in self.reading.units.iter().enumerate() {
            let found = match unit.what {
                What::Value { .. } => self.covers.of(&self.index, unit.what),
                What::Name(id) => {
                    let id = words.word(id).map_or(id, |word| self.index.words.id(&word.norm));
                    self.covers.of_name(&self.index, id)
                }
                What::Word(_) => continue,
            };
            match found.first() {
                Some(proof) => needs.push(proof.needed_by(at)),
                None => missing.push((at, lacking(unit))),
            }
        }
        let picked = self.picker.pick(&self.index, &self.reading.units, true, true, &mut needs);
        sentence.unproven = spans(text, tokens, &self.reading.units, missing);
        sentence.evidence = self.evidence(&needs, &picked);
        self.foreign.push((spoken, words));
    }

    fn evidence(&self, needs: &[Need], picked: &[u32]) -> Vec<super::Evidence> {
        let used = |sentence: &&u32| {
            needs.iter().any(|need| need.chosen.is_some_and(|post| self.index.sentence(post) == **sentence))
        };
        let place =
            |sentence: &u32| self.index.sentences.get(*sentence as usize).map(|sentence| sentence.place);
        let mut evidence: Vec<_> = picked.iter().filter(used).filter_map(place).collect();
        evidence.sort_unstable();
        evidence
    }

    /// What stands in quotation marks must stand in a source, word for word.
    fn quotations<'t>(&self, text: &'t str, tokens: &[Token<'t>], sentence: &mut Sentence<'t>) {
        let mut open: Option<usize> = None;
        for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.is('"')) {
            let Some(start) = open.take() else {
                open = Some(at);
                continue;
            };
            let inside = tokens.get(start + 1..at).unwrap_or_default();
            let spoken = inside.iter().filter(|token| matches!(token.kind, Kind::Word | Kind::Number));
            let words: Vec<&str> = spoken.map(|token| token.norm.as_ref()).collect();
            let (Some(first), Some(last)) = (inside.first(), inside.last()) else { continue };
            if words.len() >= QUOTED && !self.index.spoken.contains(&format!(" {} ", words.join(" "))) {
                sentence.unproven.push(Unproven {
                    text: text.get(first.byte..last.byte + last.text.len()).unwrap_or_default(),
                    span: Span::new(first.span.start, last.span.end),
                    reason: Reason::Quotation,
                });
            }
        }
    }
}

/// What is lacking where no source has a unit.
fn lacking(unit: &Unit) -> Reason {
    match (unit.what, unit.critical) {
        (What::Value { .. }, _) => Reason::Value,
        (_, Some(Critical::Benefit)) => Reason::Benefit,
        (_, Some(Critical::Pay)) => Reason::Pay,
        (_, Some(Critical::Promise)) => Reason::Promise,
        (_, Some(Critical::Superlative)) => Reason::Superlative,
        (_, Some(Critical::Trait)) => Reason::Trait,
        (What::Name(_), None) => Reason::Name,
        (What::Word(_), None) => Reason::Word,
    }
}

/// The places of what is missing, in order, each once; neighbours that lack the same are one.
fn spans<'t>(
    text: &'t str,
    tokens: &[Token<'t>],
    units: &[Unit],
    mut missing: Vec<(usize, Reason)>,
) -> Vec<Unproven<'t>> {
    missing.sort_unstable();
    missing.dedup_by_key(|(at, _)| *at);
    let mut found: Vec<Unproven<'t>> = Vec::new();
    // The first byte of the last one found, and its last token.
    let mut open = (0, None);
    for (at, reason) in missing {
        let Some(unit) = units.get(at) else { continue };
        let (Some(first), Some(last)) = (tokens.get(unit.first), tokens.get(unit.last)) else { continue };
        let byte = last.byte + last.text.len();
        let joins = open.1.is_some_and(|end: usize| end + 1 == unit.first);
        if let Some(before) = found.last_mut().filter(|before| joins && before.reason == reason) {
            before.text = text.get(open.0..byte).unwrap_or_default();
            before.span.end = last.span.end;
        } else {
            let piece = text.get(first.byte..byte).unwrap_or_default();
            found.push(Unproven { text: piece, span: Span::new(first.span.start, last.span.end), reason });
            open.0 = first.byte;
        }
        open.1 = Some(unit.last);
    }
    found
}
