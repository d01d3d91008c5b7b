//! Which of the five languages a text is in, by its most frequent words and by typical groups of letters.
//!
//! A word counts the more, the fewer languages have it. Between two languages only what they do not share decides:
//! Danish and Norwegian share most words, so a single "av" may settle it, while a text that is half Swedish and half
//! English settles nothing.

use tata_phrases::{Hit, Matcher, Trie, Word, WordSet, longest, spelled};

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
/// One in so many words of any text in one of the languages is a frequent one.
const FREQUENT_SHARE: usize = 5;
/// How clearly the language must lead each other one, of what the two do not share.
const LEAD: f32 = 0.5;
/// How much of what speaks for it is enough to be sure, and the least that tells anything, in tenths.
const ENOUGH: f32 = 60.0;
const LEAST: f32 = 5.0;
/// The weight of a word in tenths, by the number of languages that have it.
const WORD_WEIGHTS: [u32; 6] = [0, 30, 15, 8, 4, 0];
/// The weight of a group of letters.
const PART_WEIGHTS: [u32; 6] = [0, 10, 6, 3, 1, 0];
/// What speaks for some languages, by its letters; a blank is the beginning or the end of a word.
static SIGNS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/words.signs"));
/// As many sets of languages as there are.
const SETS: usize = 1 << LANGUAGES;
const LANGUAGES: usize = Language::ALL.len();

/// Which language a text is in; nothing when it is too short or too mixed to tell, or in none of the five.
pub fn identify(text: &str) -> Option<Identified> {
    identify_words(&spelled(text))
}

/// The same for words that are already spelled.
pub fn identify_words(words: &[Word<'_>]) -> Option<Identified> {
    LanguageEvidence::of(words.iter().map(|word| &*word.text)).identified()
}

/// What speaks for languages in some words.
#[derive(Clone, Debug, Default)]
pub struct LanguageEvidence {
    /// How many words there were, numbers too.
    pub all: usize,
    /// How many of them may be in a language.
    words: usize,
    /// What speaks for each set of languages, as bits.
    evidence: [u32; SETS],
    /// How many frequent words speak for it.
    frequent: [usize; SETS],
}

impl LanguageEvidence {
    /// Hears some words.
    pub fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let (mut found, signs) = (Self::default(), Trie::of(SIGNS));
        let mut letters = Vec::new();
        for word in words {
            found.all += 1;
            // Numbers are in no language.
            if !word.chars().any(char::is_alphabetic) {
                continue;
            }
            found.words += 1;
            letters.clear();
            letters.push(b' ');
            letters.extend_from_slice(word.as_bytes());
            letters.push(b' ');
            signs.anywhere(&letters, |sign, _, _| found.add(sign));
        }
        found
    }

    /// Adds a sign as the build writes it: its languages as bits, and whether it is a whole word.
    fn add(&mut self, sign: u32) {
        let set = sign as usize % SETS;
        let weights = if is_word(sign) { WORD_WEIGHTS } else { PART_WEIGHTS };
        self.evidence[set] += weights[set.count_ones() as usize % weights.len()];
        self.frequent[set] += usize::from(is_word(sign));
    }

    /// Adds what other words say.
    pub fn add_all(&mut self, other: &Self) {
        self.all += other.all;
        self.words += other.words;
        for set in 0..SETS {
            self.evidence[set] += other.evidence[set];
            self.frequent[set] += other.frequent[set];
        }
    }

    /// The language, if it can be told.
    pub fn identified(&self) -> Option<Identified> {
        self.leading().filter(|found| {
            let hits = self.hits(found.language);
            hits >= 2 && hits * FREQUENT_SHARE >= self.words
        })
    }

    /// The language that speaks for itself most clearly, by one frequent word at least: a good guess for a short question.
    pub fn leading(&self) -> Option<Identified> {
        if self.words < FEWEST_WORDS {
            return None;
        }
        // What speaks for each language, and of this what does not speak for each other one.
        let (mut totals, mut apart) = ([0; LANGUAGES], [[0; LANGUAGES]; LANGUAGES]);
        for (set, evidence) in self.evidence.iter().enumerate().filter(|(_, evidence)| **evidence > 0) {
            for language in (0..LANGUAGES).filter(|language| in_set(set, *language)) {
                totals[language] += evidence;
                for other in (0..LANGUAGES).filter(|other| !in_set(set, *other)) {
                    apart[language][other] += evidence;
                }
            }
        }
        let best = Language::ALL.into_iter().max_by_key(|language| totals[*language as usize])?;
        if self.hits(best) == 0 {
            return None;
        }
        let mut confidence = 1.0_f32;
        for other in Language::ALL.into_iter().filter(|other| *other != best) {
            let (best, other) = (best as usize, other as usize);
            let (for_it, against) = (float(apart[best][other]), float(apart[other][best]));
            let lead = (for_it - against) / (for_it + against).max(f32::EPSILON);
            if lead < LEAD || for_it < LEAST {
                return None;
            }
            confidence = confidence.min(lead * (for_it / ENOUGH).min(1.0));
        }
        Some(Identified { language: best, confidence })
    }

    /// How many frequent words of a language there are.
    fn hits(&self, language: Language) -> usize {
        (0..SETS).filter(|set| in_set(*set, language as usize)).map(|set| self.frequent[set]).sum()
    }
}

fn in_set(set: usize, language: usize) -> bool {
    set >> language & 1 != 0
}

/// Whether a word is one of the most frequent of a language.
pub fn is_frequent(word: &str) -> bool {
    let mut found = false;
    let whole = [b' '].into_iter().chain(word.bytes()).chain([b' ']);
    let length = word.len() + 2;
    Trie::of(SIGNS).along(whole, |sign, end| found |= end == length && is_word(sign));
    found
}

/// English words that have no place in a text of this language.
pub fn is_leftover(word: &str, language: Language) -> bool {
    LEFTOVERS[language as usize].has(word)
}

/// Phrases that are read apart from the language around them, in order; of overlapping ones the longest.
#[derive(Debug)]
pub struct Asides {
    /// English expressions that are at home in all languages.
    pub expressions: Vec<Hit>,
    /// Questions for the reader's name.
    pub questions: Vec<Hit>,
}

/// The number of expressions among the phrases, as the build has it.
const EXPRESSION: usize = 0;
static PHRASES: Matcher = Matcher::of(include_bytes!(concat!(env!("OUT_DIR"), "/words.graph")));

/// Finds both in one pass.
pub fn asides(words: &[Word<'_>]) -> Asides {
    let hits = PHRASES.all(words).into_iter();
    let (expressions, questions): (Vec<Hit>, Vec<Hit>) = hits.partition(|hit| hit.id == EXPRESSION);
    Asides { expressions: longest(expressions), questions: longest(questions) }
}

fn is_word(sign: u32) -> bool {
    sign as usize & SETS != 0
}

#[expect(clippy::cast_precision_loss, reason = "how sure one is needs no more than 24 bits")]
fn float(tenths: u32) -> f32 {
    tenths as f32
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
