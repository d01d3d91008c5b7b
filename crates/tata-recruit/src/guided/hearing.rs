//! What a sentence is about: the concepts in it, and the language it is in.

use std::collections::BTreeMap;

use super::{
    lexicon::{Lexicon, Pattern, Wording},
    tokens::{Token, tokens},
};
use crate::{
    Language,
    gate::{is_frequent, language_evidence},
};

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
    /// The languages it is said in, if it is a single short word; neighbours' words look alike by chance.
    foreign: Option<u8>,
}

/// A sentence that was listened to.
pub(super) struct Heard<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) hits: Vec<Hit>,
    /// What mistyped words were meant to be.
    meant: Vec<Option<&'static str>>,
    /// What speaks for each language.
    evidence: [f32; 5],
    lexicon: &'static Lexicon,
}

/// Verbs that mean nothing inside a longer wording: "take" in "take out".
const WEAK: [&str; 10] =
    ["make", "accept", "ignore", "change", "add", "yes", "no", "remove", "show", "finding"];

impl<'a> Heard<'a> {
    /// Listens. What goes on for longer is no sentence but a text, and only its beginning is listened to: the modules
    /// read texts, and read them whole.
    pub(super) fn of(text: &'a str) -> Self {
        let text = beginning(text, MOST_HEARD);
        let lexicon = Lexicon::get();
        let mut tokens = tokens(text);
        let mut evidence = language_evidence(tokens.iter().map(|token| token.text.as_str()));
        // A word that means something, or is frequent, is no slip.
        let starting: Vec<Vec<Wording>> = tokens.iter().map(|token| lexicon.beginning(&token.text)).collect();
        let meant: Vec<Option<&'static str>> = tokens
            .iter()
            .zip(&starting)
            .map(|(token, known)| {
                let certain = !known.is_empty() || is_frequent(&token.text);
                if certain { None } else { lexicon.meant(&token.text) }
            })
            .collect();
        let mut hits: Vec<Hit> = Vec::new();
        for (start, known) in starting.iter().enumerate() {
            let mut spoken = 0_u8;
            for wording in known {
                if let Some((end, guessed)) = follows(wording.rest(), &tokens, start + 1, &meant) {
                    let short = end == start + 1 && tokens[start].text.chars().count() <= SHORT_WORD;
                    let foreign = short.then_some(wording.languages);
                    hits.push(Hit { concept: wording.concept, start, end, guessed, foreign });
                    spoken |= wording.languages;
                }
            }
            if let Some(word) = meant[start] {
                for wording in lexicon.beginning(word) {
                    if let Some((end, _)) = follows(wording.rest(), &tokens, start + 1, &meant) {
                        hits.push(Hit { concept: wording.concept, start, end, guessed: true, foreign: None });
                    }
                }
            }
            count(&mut evidence, spoken);
        }
        if let Some(language) = clear(&evidence) {
            let homonyms = ["homonyms_en", "homonyms_sv", "homonyms_da", "homonyms_no", "homonyms_de"];
            for token in &mut tokens {
                token.plain = homonyms.get(language).is_some_and(|list| lexicon.has(list, &token.text));
            }
            hits.retain(|hit| hit.foreign.is_none_or(|languages| languages & (1 << language) != 0));
        }
        let weak: Vec<u16> = WEAK.iter().filter_map(|name| lexicon.concept(name)).collect();
        let all = hits.clone();
        hits.retain(|hit| {
            let inside = |other: &Hit| {
                other.start <= hit.start
                    && hit.end <= other.end
                    && other.end - other.start > hit.end - hit.start
            };
            !(weak.contains(&hit.concept) && all.iter().any(inside))
        });
        Self { text, tokens, hits, meant, evidence, lexicon }
    }

    /// Whether a concept was heard.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Whether a concept was heard outside of lists.
    pub(super) fn has_outside(&self, name: &str, lists: &[std::ops::Range<usize>]) -> bool {
        self.all(name).any(|hit| !lists.iter().any(|list| list.start <= hit.start && hit.end <= list.end))
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

    /// Whether one of the concepts covers a token, also by a slip of the keyboard.
    pub(super) fn may_cover(&self, names: &[&str], token: usize) -> bool {
        names.iter().any(|name| self.all(name).any(|hit| hit.start <= token && token < hit.end))
    }

    /// Whether any concept certainly covers a token.
    pub(super) fn is_known(&self, token: usize) -> bool {
        self.hits.iter().any(|hit| !hit.guessed && hit.start <= token && token < hit.end)
    }

    /// The language it is in, if it differs clearly from the one spoken so far. A conversation that is under way changes
    /// its language only for a whole sentence: neighbours share most words.
    pub(super) fn language(&self, current: Language, under_way: bool) -> Language {
        let own = self.evidence.get(current as usize).copied().unwrap_or_default();
        let best = Language::ALL
            .into_iter()
            .max_by(|one, other| {
                let value = |language: &Language| self.evidence[*language as usize];
                value(one).total_cmp(&value(other))
            })
            .unwrap_or(current);
        let leading = self.evidence[best as usize];
        let (least, lead) =
            if under_way { (LEAST_EVIDENCE * 2.0, LEAST_LEAD * 3.0) } else { (LEAST_EVIDENCE, LEAST_LEAD) };
        let short = under_way && self.tokens.len() < 4;
        // "jobbannons" alone is Swedish, if it is no word of any other language.
        let others = self.evidence.iter().filter(|value| **value > 0.0).count();
        if !under_way && others == 1 && leading >= LEAST_LEAD {
            return best;
        }
        if leading >= least && leading - own >= lead && leading > own * 1.25 && !short {
            best
        } else {
            current
        }
    }

    /// The language it is clearly in.
    pub(super) fn spoken(&self) -> Option<Language> {
        clear(&self.evidence).and_then(|at| Language::ALL.get(at).copied())
    }

    /// What was typed from one token up to another, without what stands after it.
    pub(super) fn typed(&self, start: usize, end: usize) -> &'a str {
        match (self.tokens.get(start), end.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if start < end => {
                self.text.get(first.start..last.end).unwrap_or_default()
            }
            _ => "",
        }
    }

    /// Where one of a slot's cues ends, each with the number of its words.
    pub(super) fn after_cues(&self, slot: &str) -> Vec<(usize, usize)> {
        let cues = self.lexicon.cues(slot);
        let at =
            |start: usize| cues.lengths_at(&self.tokens, start).map(move |length| (start + length, length));
        (0..self.tokens.len()).flat_map(at).collect()
    }

    /// The cue of a slot at a token: how many words it has.
    pub(super) fn cue_at(&self, slot: &str, start: usize) -> Option<usize> {
        self.lexicon.cues(slot).lengths_at(&self.tokens, start).next()
    }

    /// The stages of a funnel that have a number.
    pub(super) fn counts(&self) -> BTreeMap<&'static str, u32> {
        super::counts::counts(&self.tokens, &self.meant)
    }
}

/// The most bytes that are listened to.
const MOST_HEARD: usize = 8_000;

/// The first bytes of a text, up to the end of a word if there is one.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let cut = text.get(..end).unwrap_or_default();
    cut.rfind(char::is_whitespace)
        .and_then(|blank| cut.get(..blank))
        .filter(|whole| !whole.is_empty())
        .unwrap_or(cut)
}

/// A word as short as this means something only in its own language: "mal", "vet".
const SHORT_WORD: usize = 4;

/// The language that a sentence is clearly in.
fn clear(evidence: &[f32; 5]) -> Option<usize> {
    let best = (0..evidence.len()).max_by(|one, other| evidence[*one].total_cmp(&evidence[*other]))?;
    let next = (0..evidence.len()).filter(|at| *at != best).map(|at| evidence[at]).fold(0.0, f32::max);
    (evidence[best] >= LEAST_EVIDENCE && evidence[best] - next >= LEAST_LEAD).then_some(best)
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

/// Where a wording that goes on at a token ends, and whether a word of it was mistyped.
pub(super) fn follows(
    words: impl Iterator<Item = Pattern>,
    tokens: &[Token<'_>],
    start: usize,
    meant: &[Option<&str>],
) -> Option<(usize, bool)> {
    let (mut at, mut guessed) = (start, false);
    for pattern in words {
        let token = tokens.get(at)?;
        // A wording does not reach over the end of a sentence.
        if at > 0 && token.is_after_sentence() {
            return None;
        }
        let exact =
            if pattern.open { token.text.starts_with(pattern.text) } else { token.text == pattern.text };
        if !exact {
            let slip = meant.get(at).copied().flatten()?;
            let fits = if pattern.open { slip.starts_with(pattern.text) } else { slip == pattern.text };
            if !fits {
                return None;
            }
            guessed = true;
        }
        at += 1;
    }
    Some((at, guessed))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What understands wishes costs the same for any text: it listens to a bounded beginning, in whole words.
    #[test]
    fn only_the_beginning_of_a_text_is_listened_to() {
        let sentence = "Skriv en kravprofil för en nätverkstekniker i Malmö, ";
        for times in [1, 10, 1_000, 20_000] {
            let text = sentence.repeat(times);
            let heard = Heard::of(&text);
            assert!(heard.text.len() <= MOST_HEARD && text.starts_with(heard.text), "{times}");
            assert_eq!(heard.text.len() == text.len(), text.len() <= MOST_HEARD, "{times}");
            assert!(heard.has("profile"), "{times}");
        }
        assert_eq!(beginning("åäö åäö", 9), "åäö");
        assert_eq!(beginning("åäöåäö", 5), "åä");
        assert_eq!(beginning("åäö", 6), "åäö");
    }
}
