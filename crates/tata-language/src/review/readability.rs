//! How hard a text is to read, by the formula of its language.

use std::borrow::Cow;

use crate::named;
use serde::{Deserialize, Serialize};

use super::reading::Reading;
use tata_phrases::{Gap, Word};

use crate::{Language, book::Sign};

/// How hard a text is to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Readability {
    /// The formula of the language.
    pub formula: Formula,
    /// What it gives.
    pub value: f64,
    /// What that means; nothing for a text too short to be judged.
    pub band: Option<Band>,
    /// Another formula for the same text: the school grade.
    pub grade: Option<f64>,
    /// Words.
    pub words: usize,
    /// Sentences, as the formula counts them.
    pub sentences: usize,
    /// Sentences of more than 25 words: their characters.
    pub long_sentences: Vec<[usize; 2]>,
    /// Paragraphs of more than 100 words: their characters.
    pub long_paragraphs: Vec<[usize; 2]>,
    /// Words that only insiders understand: their characters.
    pub jargon: Vec<[usize; 2]>,
    /// 0 to 100.
    pub score: u32,
}

named! {
    /// A formula.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Formula {
        /// Words per sentence and the share of long words; the higher, the harder.
        Lix = "lix",
        /// For English; the higher, the easier. The grade is that of Flesch and Kincaid.
        FleschReadingEase = "flesch_reading_ease",
        /// For German; the higher, the easier. The grade is the first Wiener Sachtextformel.
        Amstad = "amstad",
    }
}

named! {
    /// How hard.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Band {
        /// Children's books.
        VeryEasy = "very_easy",
        /// Fiction.
        Easy = "easy",
        /// Newspapers.
        Medium = "medium",
        /// Official texts.
        Hard = "hard",
        /// Learned texts.
        VeryHard = "very_hard",
    }
}

const MOST_SENTENCE_WORDS: usize = 25;
const MOST_PARAGRAPH_WORDS: usize = 100;
const MOST_JARGON: usize = 2;
/// Fewer words say nothing about how a text reads.
const FEWEST_WORDS: usize = 40;

/// Judges a text.
pub fn readability(reading: &Reading<'_>) -> Readability {
    let counts = Counts::of(reading);
    let (formula, value, grade) = match reading.language {
        Language::Sv | Language::Da | Language::No => (Formula::Lix, counts.lix(), None),
        Language::En => (Formula::FleschReadingEase, counts.flesch(), Some(counts.flesch_kincaid())),
        Language::De => (Formula::Amstad, counts.amstad(), Some(counts.wiener())),
    };
    let spans = |ranges: Vec<(usize, usize)>| -> Vec<[usize; 2]> {
        let spans = ranges.into_iter().map(|(first, last)| reading.span(first, last));
        spans.map(|span| [span.start, span.end]).collect()
    };
    let long = reading.sentences.iter().filter(|sentence| sentence.len() > MOST_SENTENCE_WORDS);
    let long_sentences = spans(long.map(|sentence| (sentence.start, sentence.end - 1)).collect());
    let long_paragraphs = spans(paragraphs(reading));
    let jargon = spans(reading.signs(|sign| sign == Sign::Jargon).map(|hit| (hit.first, hit.last)).collect());
    let band = (counts.words >= FEWEST_WORDS).then(|| band(reading.language, value));
    let lost = long_sentences.len().min(4) * 5
        + long_paragraphs.len().min(3) * 5
        + usize::from(jargon.len() > MOST_JARGON) * 10
        + match band {
            Some(Band::VeryHard) => 20,
            Some(Band::Hard) => 10,
            Some(Band::VeryEasy | Band::Easy | Band::Medium) | None => 0,
        };
    Readability {
        formula,
        value: (value * 10.0).round() / 10.0,
        band,
        grade: grade.map(|grade| (grade * 10.0).round() / 10.0),
        words: counts.words,
        sentences: counts.sentences,
        long_sentences,
        long_paragraphs,
        jargon,
        score: u32::try_from(100 - lost.min(100)).unwrap_or(0),
    }
}

impl Readability {
    /// How many things are wrong.
    pub fn issues(&self) -> usize {
        let hard = matches!(self.band, Some(Band::Hard | Band::VeryHard));
        let jargon = self.jargon.len() > MOST_JARGON;
        self.long_sentences.len() + self.long_paragraphs.len() + usize::from(hard) + usize::from(jargon)
    }
}

/// Paragraphs that are too long: their first and last words. A point of a list stands alone.
fn paragraphs(reading: &Reading<'_>) -> Vec<(usize, usize)> {
    let starts = reading.words.iter().enumerate().filter(|(_, word)| word.gap == Gap::Paragraph);
    let starts: Vec<usize> = starts.map(|(at, _)| at).chain([reading.words.len()]).collect();
    let pairs = starts.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
    pairs
        .filter(|(first, end)| end - first > MOST_PARAGRAPH_WORDS)
        .map(|(first, end)| (first, end - 1))
        .collect()
}

fn band(language: Language, value: f64) -> Band {
    let bands = [Band::VeryEasy, Band::Easy, Band::Medium, Band::Hard, Band::VeryHard];
    // Where each band but the first begins; Danish readers are used to easier texts.
    let limits = match language {
        Language::Sv | Language::No => [30.0, 40.0, 50.0, 60.0],
        Language::Da => [25.0, 35.0, 45.0, 55.0],
        // The higher, the easier: the limits are those of Flesch, counted from the other end.
        Language::En | Language::De => [-80.0, -60.0, -50.0, -30.0],
    };
    let value = match language {
        Language::Sv | Language::No | Language::Da => value,
        Language::En | Language::De => -value,
    };
    let at = limits.iter().filter(|limit| value >= **limit).count();
    bands.get(at).copied().unwrap_or(Band::VeryHard)
}

/// What the formulas count.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    words: usize,
    sentences: usize,
    /// Words of more than six letters.
    long: usize,
    syllables: usize,
    /// Words of three and more syllables.
    three: usize,
    /// Words of one syllable.
    one: usize,
}

impl Counts {
    fn of(reading: &Reading<'_>) -> Self {
        let colons = reading.words.iter().enumerate().filter(|(at, word)| {
            // Only a colon in the running text ends a sentence; brackets do not.
            let before = at.checked_sub(1).and_then(|at| reading.words.get(at));
            word.gap == Gap::Colon
                && before.is_some_and(|before| reading.cut(before.end, word.start).contains(": "))
        });
        // The original definition of LIX ends a sentence at a colon; the other formulas do not.
        let spoken = matches!(reading.language, Language::En | Language::De);
        let colons = if spoken { 0 } else { colons.count() };
        let mut counts = Self { sentences: (reading.sentences.len() + colons).max(1), ..Self::default() };
        for parts in joined(&reading.words) {
            // LIX counts letters only.
            let syllables = if spoken { syllables(parts, reading.language) } else { 0 };
            counts.words += 1;
            counts.long += usize::from(is_long(parts));
            counts.syllables += syllables;
            counts.three += usize::from(syllables >= 3);
            counts.one += usize::from(syllables == 1);
        }
        counts
    }

    fn share(self, count: usize) -> f64 {
        float(count) / float(self.words.max(1))
    }

    fn sentence_length(self) -> f64 {
        float(self.words) / float(self.sentences)
    }

    fn lix(self) -> f64 {
        self.sentence_length() + 100.0 * self.share(self.long)
    }

    fn flesch(self) -> f64 {
        206.835 - 1.015 * self.sentence_length() - 84.6 * self.share(self.syllables)
    }

    fn flesch_kincaid(self) -> f64 {
        0.39 * self.sentence_length() + 11.8 * self.share(self.syllables) - 15.59
    }

    fn amstad(self) -> f64 {
        180.0 - self.sentence_length() - 58.5 * self.share(self.syllables)
    }

    fn wiener(self) -> f64 {
        0.1935 * 100.0 * self.share(self.three)
            + 0.1672 * self.sentence_length()
            + 0.1297 * 100.0 * self.share(self.long)
            - 0.0327 * 100.0 * self.share(self.one)
            - 0.875
    }
}

/// Words as readers see them: parts that a hyphen joins are one.
fn joined<'a>(words: &'a [Word<'a>]) -> impl Iterator<Item = &'a [Word<'a>]> {
    words.chunk_by(|_, next| next.gap == Gap::Hyphen)
}

/// Whether a word has more than six letters and digits.
fn is_long(parts: &[Word<'_>]) -> bool {
    // No letter has less than a byte.
    parts.iter().map(|part| part.text.len()).sum::<usize>() > 6
        && parts
            .iter()
            .map(|part| part.text.chars().filter(|letter| letter.is_alphanumeric()).count())
            .sum::<usize>()
            > 6
}

/// How many syllables a word has: its groups of vowels, with the silent endings of English taken off.
fn syllables(parts: &[Word<'_>], language: Language) -> usize {
    let mut count = 0;
    // The vowel before, if it may be one sound with the next: three vowels in a row are at least two sounds.
    let mut before: Option<char> = None;
    for part in parts {
        for letter in part.text.chars() {
            let begins =
                is_vowel(letter) && !before.is_some_and(|before| one_sound(before, letter, language));
            count += usize::from(begins);
            before = begins.then_some(letter);
        }
    }
    if language == Language::En && count > 1 && ends_silently(parts) {
        count -= 1;
    }
    count.max(1)
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'ä' | 'ö' | 'ü' | 'å' | 'æ' | 'ø')
        || matches!(letter, 'é' | 'è' | 'á' | 'à' | 'ó' | 'í' | 'ú' | 'ê' | 'ë' | 'ï' | 'ô')
}

/// "worked", "moves", "code": the last vowel of an English word that nobody speaks.
fn ends_silently(parts: &[Word<'_>]) -> bool {
    // An ending may reach over a hyphen.
    let word: Cow<'_, str> = match parts {
        [only] => Cow::Borrowed(&only.text),
        parts => parts.iter().map(|part| &*part.text).collect(),
    };
    let ends = |end: &str| word.ends_with(end);
    ends("e") && !ends("le") && !ends("ee") && !ends("ye") && !ends("oe") && !ends("ie")
        || ends("es")
            && !["ses", "zes", "xes", "ches", "shes", "ges", "ces", "ies"].iter().any(|end| ends(end))
        || ends("ed") && !ends("ted") && !ends("ded") && !ends("ied")
}

/// Whether two vowels are spoken as one.
fn one_sound(first: char, second: char, language: Language) -> bool {
    match language {
        Language::En => {
            !matches!((first, second), ('i', 'a' | 'o' | 'u') | ('u', 'a' | 'o') | ('e', 'o') | ('y', 'i'))
        }
        Language::De => {
            matches!(
                (first, second),
                ('a', 'i' | 'u' | 'a' | 'y') | ('e', 'i' | 'u' | 'e' | 'y') | ('i', 'e')
            ) || matches!((first, second), ('ä', 'u') | ('o', 'o' | 'u' | 'i') | ('u', 'i'))
        }
        Language::Sv | Language::Da | Language::No => true,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use tata_phrases::spelled;

    #[test]
    fn lix_is_words_per_sentence_and_long_words() {
        // 10 words, 2 sentences, 3 of them longer than six letters: 5 + 30.
        let text = "Arbetet handlar om fiber. Du bygger nät och felsöker ibland.";
        let counts = Counts::of(&Reading::new(text, Language::Sv));
        assert_eq!((counts.words, counts.sentences, counts.long), (10, 2, 3));
        assert!((counts.lix() - 35.0).abs() < 1e-9, "{}", counts.lix());
    }

    #[test]
    fn syllables_are_counted_as_they_are_spoken() {
        let check = |language, word: &str, expected: usize| {
            assert_eq!(syllables(&spelled(word), language), expected, "{word}");
        };
        for (word, count) in
            [("the", 1), ("employee", 3), ("table", 2), ("responsible", 4), ("worked", 1), ("wanted", 2)]
        {
            check(Language::En, word, count);
        }
        for (word, count) in [("arbeiten", 3), ("verantwortung", 4), ("mitarbeiterin", 5), ("neu", 1)] {
            check(Language::De, word, count);
        }
    }

    #[test]
    fn bands_follow_the_language() {
        assert_eq!(band(Language::Sv, 45.0), Band::Medium);
        assert_eq!(band(Language::Da, 45.0), Band::Hard);
        assert_eq!(band(Language::En, 65.0), Band::Easy);
        assert_eq!(band(Language::En, 20.0), Band::VeryHard);
        assert_eq!(band(Language::De, 55.0), Band::Medium);
    }

    #[test]
    fn long_sentences_cost_a_little_and_never_everything() {
        let sentence = "word ".repeat(26);
        let text = format!("{}. ", sentence.trim()).replace("word word", "Word word").repeat(9);
        let found = readability(&Reading::new(&text, Language::Sv));
        assert!(found.score >= 45, "{found:?}");
        assert!(!found.long_sentences.is_empty());
    }
}
