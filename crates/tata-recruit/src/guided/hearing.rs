//! What a sentence is about: the concepts in it, and the language it is in.

use super::{
    lexicon::{Lexicon, Pattern},
    tokens::{Token, tokens},
};
use crate::{Language, gate::language_evidence};

/// A concept that was heard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) concept: u16,
    /// Its first token.
    pub(super) start: usize,
    /// The token after its last.
    pub(super) end: usize,
    /// A word in it was mistyped, or is another word.
    pub(super) guessed: bool,
}

/// A sentence that was listened to.
pub(super) struct Heard<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) hits: Vec<Hit>,
    /// What speaks for each language.
    evidence: [f32; 5],
    lexicon: &'static Lexicon,
}

/// Verbs that mean nothing inside a longer wording: "take" in "take out".
const WEAK: [&str; 10] =
    ["make", "accept", "ignore", "change", "add", "yes", "no", "remove", "show", "finding"];

impl<'a> Heard<'a> {
    /// Listens.
    pub(super) fn of(text: &'a str) -> Self {
        let lexicon = Lexicon::get();
        let tokens = tokens(text);
        let mut evidence = language_evidence(tokens.iter().map(|token| token.text.as_str()));
        let mut hits: Vec<Hit> = Vec::new();
        for start in 0..tokens.len() {
            let before = hits.len();
            let mut spoken = 0_u8;
            for at in lexicon.beginning(&tokens[start].text) {
                let wording = &lexicon.wordings[at];
                if let Some(end) = follows(&wording.words, &tokens, start, lexicon) {
                    let guessed = (start..end).zip(&wording.words).any(|(at, word)| !word.open && tokens[at].text != word.text);
                    hits.push(Hit { concept: wording.concept, start, end, guessed });
                    spoken |= wording.languages;
                }
            }
            if hits.len() == before && !is_common(&tokens[start].text) {
                hits.extend(forgiving(&tokens, start, lexicon));
            }
            count(&mut evidence, spoken);
        }
        let weak: Vec<u16> = WEAK.iter().filter_map(|name| lexicon.concept(name)).collect();
        let all = hits.clone();
        hits.retain(|hit| {
            let inside = |other: &Hit| {
                other.start <= hit.start && hit.end <= other.end && other.end - other.start > hit.end - hit.start
            };
            !(weak.contains(&hit.concept) && all.iter().any(inside))
        });
        Self { text, tokens, hits, evidence, lexicon }
    }

    /// Whether a concept was heard.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Where a concept was heard.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &Hit> {
        let concept = self.lexicon.concept(name);
        self.hits.iter().filter(move |hit| Some(hit.concept) == concept)
    }

    /// Whether one of the concepts certainly covers a token.
    pub(super) fn covers(&self, names: &[&str], token: usize) -> bool {
        let sure = |hit: &&Hit| !hit.guessed && hit.start <= token && token < hit.end;
        names.iter().any(|name| self.all(name).any(|hit| sure(&hit)))
    }

    /// Whether any concept certainly covers a token.
    pub(super) fn is_known(&self, token: usize) -> bool {
        self.hits.iter().any(|hit| !hit.guessed && hit.start <= token && token < hit.end)
    }

    /// The language it is in, if it differs clearly from the one spoken so far.
    pub(super) fn language(&self, current: Language) -> Language {
        let own = self.evidence.get(current as usize).copied().unwrap_or_default();
        let best = Language::ALL
            .into_iter()
            .max_by(|one, other| {
                let value = |language: &Language| self.evidence[*language as usize];
                value(one).total_cmp(&value(other))
            })
            .unwrap_or(current);
        let leading = self.evidence[best as usize];
        if leading >= LEAST_EVIDENCE && leading - own >= LEAST_LEAD && leading > own * 1.25 { best } else { current }
    }

    /// What was typed from one token up to another, without what stands after it.
    pub(super) fn typed(&self, start: usize, end: usize) -> &'a str {
        match (self.tokens.get(start), end.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if start < end => self.text.get(first.start..last.end).unwrap_or_default(),
            _ => "",
        }
    }

    /// Where one of a slot's cues ends, the longest ones first, each with the number of its words.
    pub(super) fn after_cues(&self, slot: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (cue, _) in self.lexicon.cues(slot) {
            for start in 0..self.tokens.len() {
                let fits = cue
                    .iter()
                    .enumerate()
                    .all(|(at, word)| self.tokens.get(start + at).is_some_and(|token| token.text == *word));
                if fits && !cue.is_empty() {
                    found.push((start + cue.len(), cue.len()));
                }
            }
        }
        found
    }

    /// The cue of a slot at a token: how many words it has.
    pub(super) fn cue_at(&self, slot: &str, start: usize) -> Option<usize> {
        let fits = |cue: &Vec<String>| {
            !cue.is_empty()
                && cue
                    .iter()
                    .enumerate()
                    .all(|(at, word)| self.tokens.get(start + at).is_some_and(|token| token.text == *word))
        };
        self.lexicon.cues(slot).iter().find(|(cue, _)| fits(cue)).map(|(cue, _)| cue.len())
    }
}

/// The least that must speak for another language, and its lead.
const LEAST_EVIDENCE: f32 = 2.0;
const LEAST_LEAD: f32 = 1.2;

/// Words of the lists speak for their languages, the more the fewer have them.
fn count(evidence: &mut [f32; 5], languages: u8) {
    let weight = match languages.count_ones() {
        1 => 1.5,
        2 => 0.8,
        3 => 0.3,
        _ => return,
    };
    for (at, value) in evidence.iter_mut().enumerate() {
        if languages & (1 << at) != 0 {
            *value += weight;
        }
    }
}

/// Where a wording that begins at a token ends.
pub(super) fn follows(
    words: &[Pattern],
    tokens: &[Token<'_>],
    start: usize,
    lexicon: &Lexicon,
) -> Option<usize> {
    for (at, pattern) in words.iter().enumerate() {
        let token = tokens.get(start + at)?;
        // A wording does not reach over the end of a sentence.
        if at > 0 && token.is_after_sentence() {
            return None;
        }
        if !fits(pattern, &token.text, lexicon) {
            return None;
        }
    }
    Some(start + words.len())
}

fn fits(pattern: &Pattern, word: &str, lexicon: &Lexicon) -> bool {
    if pattern.open {
        return word.starts_with(&pattern.text);
    }
    word == pattern.text || (word.len() > 4 && lexicon.meant(word) == Some(&pattern.text))
}

/// Wordings whose first word was mistyped.
fn forgiving(tokens: &[Token<'_>], start: usize, lexicon: &Lexicon) -> Vec<Hit> {
    let Some(meant) = tokens.get(start).and_then(|token| lexicon.meant(&token.text)) else { return Vec::new() };
    let mut hits = Vec::new();
    for at in lexicon.beginning(meant) {
        let wording = &lexicon.wordings[at];
        let rest = wording.words.get(1..).unwrap_or_default();
        if let Some(end) = follows(rest, tokens, start + 1, lexicon) {
            hits.push(Hit { concept: wording.concept, start, end, guessed: true });
        }
    }
    hits
}

/// Whether a word is one of the most frequent of a language: not a slip.
fn is_common(word: &str) -> bool {
    crate::gate::is_frequent(word)
}
