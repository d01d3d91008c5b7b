//! Which of the five languages a text is in, by its most frequent words and by typical groups of letters.
//!
//! A word counts the more, the fewer languages have it. Between two languages only what they do not share decides:
//! Danish and Norwegian share most words, so a single "av" may settle it, while a text that is half Swedish and half
//! English settles nothing.

use std::ops::Range;

use tata_phrases::{Trie, Vocabulary, Word, spelled};

use crate::Language;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identified {
    /// The language.
    pub language: Language,
    /// How sure: 0 to 1.
    pub confidence: f32,
}

/// The fewest words that can be told.
const FEWEST_WORDS: usize = 4;
/// The share of frequent words that any text in one of the languages has.
const FREQUENT_SHARE: f32 = 0.2;
/// How clearly the language must lead each other one, of what the two do not share.
const LEAD: f32 = 0.5;
/// How much of what speaks for it is enough to be sure.
const ENOUGH: f32 = 6.0;
/// The weight of a word, by the number of languages that have it.
const WORD_WEIGHTS: [f32; 6] = [0.0, 3.0, 1.5, 0.8, 0.4, 0.0];
/// The weight of a group of letters.
const PART_WEIGHTS: [f32; 6] = [0.0, 1.0, 0.6, 0.3, 0.1, 0.0];
/// As many sets of languages as there are.
const SETS: usize = 1 << Language::ALL.len();

/// Which language a text is in; nothing when it is too short or too mixed to tell, or in none of the five.
pub fn identify(text: &str) -> Option<Identified> {
    let words = spelled(text);
    identify_words(&words, &Vocabulary::of(&words))
}

/// The same for words that are already spelled.
pub(crate) fn identify_words(words: &[Word<'_>], vocabulary: &Vocabulary) -> Option<Identified> {
    let (mut heard, mut ear) = (Heard::default(), Ear::new());
    let mut times: Vec<u16> = Vec::new();
    for number in vocabulary.numbers() {
        match times.get_mut(number) {
            Some(times) => *times = times.saturating_add(1),
            None => times.push(1),
        }
    }
    for (word, times) in vocabulary.words(words).zip(times) {
        ear.listen_once(word, times, &mut heard);
    }
    heard.identified()
}

/// What speaks for languages in some words.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    /// How many words there were, numbers too.
    pub(super) all: usize,
    /// How many of them may be in a language.
    words: usize,
    /// What speaks for each set of languages, as bits.
    evidence: [f32; SETS],
    /// How many frequent words speak for it.
    frequent: [usize; SETS],
}

impl Default for Heard {
    fn default() -> Self {
        Self { all: 0, words: 0, evidence: [0.0; SETS], frequent: [0; SETS] }
    }
}

impl Heard {
    /// Hears a word: its signs; nothing if it is in no language.
    pub(super) fn hear(&mut self, word: Option<&[Sign]>) {
        self.all += 1;
        self.words += usize::from(word.is_some());
        word.unwrap_or_default().iter().for_each(|sign| self.add(*sign, 1));
    }

    /// Adds a sign that comes so many times.
    fn add(&mut self, sign: Sign, times: u16) {
        let set = usize::from(sign.languages) % SETS;
        self.evidence[set] += sign.weight() * f32::from(times);
        self.frequent[set] += if sign.word { usize::from(times) } else { 0 };
    }

    /// The language, if it can be told.
    pub(super) fn identified(&self) -> Option<Identified> {
        let in_set = |set: usize, language: Language| set >> (language as usize) & 1 != 0;
        if self.words < FEWEST_WORDS {
            return None;
        }
        let total = |language: Language, unwanted: Option<Language>| -> f32 {
            let counts =
                |set: usize| in_set(set, language) && !unwanted.is_some_and(|unwanted| in_set(set, unwanted));
            (0..SETS).filter(|set| counts(*set)).map(|set| self.evidence[set]).sum()
        };
        let totals = Language::ALL.map(|language| (language, total(language, None)));
        let (best, _) = totals.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let hits: usize = (0..SETS).filter(|set| in_set(*set, best)).map(|set| self.frequent[set]).sum();
        if hits < 2 || portion(hits, self.words) < FREQUENT_SHARE {
            return None;
        }
        let mut confidence = 1.0_f32;
        for other in Language::ALL.into_iter().filter(|other| *other != best) {
            let (for_it, against) = (total(best, Some(other)), total(other, Some(best)));
            let lead = (for_it - against) / (for_it + against).max(f32::EPSILON);
            if lead < LEAD || for_it < 0.5 {
                return None;
            }
            confidence = confidence.min(lead * (for_it / ENOUGH).min(1.0));
        }
        Some(Identified { language: best, confidence })
    }
}

/// Whether a word is one of the most frequent of a language.
pub(crate) fn is_frequent(word: &str) -> bool {
    let mut found = false;
    let whole = [b' '].into_iter().chain(word.bytes()).chain([b' ']);
    let length = word.len() + 2;
    Ear::new().trie.beginnings(whole, |what, end| found |= end == length && Sign::of(what).word);
    found
}

/// English words that have no place in a text of this language.
pub(super) fn is_leftover(word: &str, language: Language) -> bool {
    LEFTOVERS[language as usize].binary_search(&word).is_ok()
}

/// Something that speaks for some languages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    languages: u8,
    word: bool,
}

impl Sign {
    /// As `build.rs` writes it.
    fn of(what: u32) -> Self {
        Self { languages: (what & 0x1F) as u8, word: what >> 5 & 1 != 0 }
    }

    fn weight(self) -> f32 {
        let weights = if self.word { WORD_WEIGHTS } else { PART_WEIGHTS };
        weights[self.languages.count_ones() as usize % 6]
    }
}

/// Knows what words say about their language, and remembers the last ones: most words of a text come again.
pub(super) struct Ear<'a> {
    /// Signs by their letters; a blank is the beginning or the end of a word.
    trie: Trie<'static>,
    /// Words by their letters, and where their signs are.
    known: Vec<(&'a str, Range<usize>)>,
    signs: Vec<Sign>,
    /// The letters of a word between two blanks.
    letters: Vec<u8>,
    /// The signs of a word, with where they end and begin.
    found: Vec<(usize, usize, Sign)>,
}

impl<'a> Ear<'a> {
    const KNOWN: usize = 1 << 9;

    /// One that has heard nothing yet.
    pub(super) fn new() -> Self {
        let trie = Trie::of(include_bytes!(concat!(env!("OUT_DIR"), "/words.signs")));
        Self { trie, known: Vec::new(), signs: Vec::new(), letters: Vec::new(), found: Vec::new() }
    }

    /// The signs of a word, in the order of their ends, the longest first; nothing if it is in no language.
    pub(super) fn signs(&mut self, word: &'a str) -> Option<&[Sign]> {
        // Numbers are in no language.
        if !word.chars().any(char::is_alphabetic) {
            return None;
        }
        if self.known.is_empty() {
            self.known.resize(Self::KNOWN, ("", 0..0));
        }
        let mixed =
            word.bytes().fold(0, |mixed: u32, byte| (mixed ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let slot = (mixed ^ mixed >> 15) as usize % Self::KNOWN;
        if self.known.get(slot).is_none_or(|(known, _)| *known != word) {
            let signs = self.listen(word);
            *self.known.get_mut(slot)? = (word, signs);
        }
        self.known.get(slot).and_then(|(_, signs)| self.signs.get(signs.clone()))
    }

    /// Hears a word that comes so many times and that nobody asks for again.
    fn listen_once(&mut self, word: &str, times: u16, heard: &mut Heard) {
        let count = usize::from(times);
        heard.all += count;
        if !word.chars().any(char::is_alphabetic) {
            return;
        }
        heard.words += count;
        self.each_sign(word, |_, _, sign| heard.add(sign, times));
    }

    fn listen(&mut self, word: &str) -> Range<usize> {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.each_sign(word, |end, start, sign| found.push((end, start, sign)));
        // Sums of fractions depend on their order: it is that of reading.
        found.sort_unstable_by_key(|(end, start, _)| (*end, *start));
        let from = self.signs.len();
        self.signs.extend(found.iter().map(|(_, _, sign)| *sign));
        self.found = found;
        from..self.signs.len()
    }

    /// The signs of a word, with where they end and begin.
    fn each_sign(&mut self, word: &str, mut take: impl FnMut(usize, usize, Sign)) {
        let letters = &mut self.letters;
        letters.clear();
        letters.push(b' ');
        letters.extend_from_slice(word.as_bytes());
        letters.push(b' ');
        for (at, pair) in letters.windows(2).enumerate() {
            let [first, second] = *pair else { continue };
            if self.trie.may_begin(first, second) {
                let rest = letters.get(at..).unwrap_or_default().iter().copied();
                self.trie.beginnings(rest, |what, length| take(at + length, at, Sign::of(what)));
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shares of words need no more than 24 bits")]
fn portion(part: usize, whole: usize) -> f32 {
    part as f32 / whole.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        let check = |text: &str| assert_eq!(identify(text), None, "{text:?}");
        check("");
        check("GlobalConnect");
        check("Teams, Kubernetes, BGP, MPLS, Docker, Python");
        check("12 345 67 89 2026 10 11 12");
        check("Vi ses!");
        check(
            "Nous cherchons une personne qui aime travailler avec notre équipe et nos clients dans toute la France.",
        );
        check("Etsimme kokenutta asiantuntijaa, joka haluaa kehittää verkkojamme yhdessä meidän kanssamme.");
        check("Szukamy osoby, która chce razem z nami budować sieci światłowodowe w całej Polsce.");
        check("The network is large and you will like it. Nätet är stort och du kommer att tycka om det.");
    }

    #[test]
    fn frequent_words_are_whole_words() {
        let check = |word: &str, expected: bool| assert_eq!(is_frequent(word), expected, "{word:?}");
        check("the", true);
        check("och", true);
        check("it's", true);
        check("th", false);
        check("thes", false);
        check("", false);
    }
}
