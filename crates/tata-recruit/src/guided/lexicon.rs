//! What recruiters say, by meaning: files that a linguist can edit, made into one sorted text by the build.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{
    calendar::{Calendar, begins},
    tokens::Token,
};
use crate::Language;

/// Sections that begin with `@`, a line per entry, fields parted by tabs.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/guided.txt"));

/// A wording: what follows its first word, what it means, and in which languages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wording {
    rest: &'static str,
    pub(super) concept: u16,
    pub(super) languages: u8,
}

/// One word of a wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) text: &'static str,
    pub(super) open: bool,
}

impl Wording {
    /// The words after the first.
    pub(super) fn rest(self) -> impl Iterator<Item = Pattern> {
        patterns(self.rest)
    }
}

/// The words of a wording as the build writes them.
pub(super) fn patterns(words: &'static str) -> impl Iterator<Item = Pattern> {
    words
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| Pattern { text: word.trim_end_matches('*'), open: word.ends_with('*') })
}

/// Everything the guided model knows, ready to be looked up. Nothing is read but the places of lines.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    sections: BTreeMap<&'static str, Vec<&'static str>>,
    /// Cues by slot and first word, the longest first.
    cues: BTreeMap<&'static str, BTreeMap<&'static str, Vec<Vec<&'static str>>>>,
    pub(super) calendar: Calendar,
    /// What people call the stages of a funnel, the longest first.
    pub(super) stages: Vec<(Vec<Pattern>, &'static str)>,
    /// What a hundred and a thousand are called, the longest first.
    scales: Vec<(u32, &'static str)>,
    /// Lists of wordings that are looked for at every word, by their first word.
    phrases: BTreeMap<&'static str, BTreeMap<&'static str, Vec<Vec<&'static str>>>>,
}

/// The lists that are looked for at every word.
const PHRASES: [&str; 9] = [
    "repairs",
    "pauses",
    "asides",
    "regards",
    "skills_after",
    "good_before",
    "good_after",
    "areas_after",
    "instead_of",
];

impl Lexicon {
    /// The built-in words.
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(Self::read)
    }

    fn read() -> Self {
        let mut sections: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
        let mut lines: &mut Vec<&'static str> = &mut Vec::new();
        for line in TEXT.lines() {
            match line.strip_prefix('@') {
                Some(name) => lines = sections.entry(name).or_default(),
                None => lines.push(line),
            }
        }
        let mut cues: BTreeMap<&str, BTreeMap<&str, Vec<Vec<&str>>>> = BTreeMap::new();
        for (slot, cue) in
            sections.get("slots").into_iter().flatten().filter_map(|line| line.split_once('\t'))
        {
            let words: Vec<&str> = cue.split(' ').collect();
            let first = words.first().copied().unwrap_or_default();
            cues.entry(slot).or_default().entry(first).or_default().push(words);
        }
        for known in cues.values_mut().flat_map(BTreeMap::values_mut) {
            known.sort_by_key(|words| std::cmp::Reverse(words.len()));
        }
        let stages = sections.get("stages").into_iter().flatten().filter_map(|line| line.split_once('\t'));
        let mut stages: Vec<(Vec<Pattern>, &str)> =
            stages.map(|(words, stage)| (patterns(words).collect(), stage)).collect();
        stages.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        let none = Vec::new();
        let lines = |name: &str| sections.get(name).unwrap_or(&none).as_slice();
        let calendar = Calendar::read(lines("senses"), lines("months"), lines("weekdays"));
        let scale = |line: &&'static str| {
            let (name, value) = line.split_once('\t')?;
            Some((value.parse().ok().filter(|value| matches!(value, 100 | 1000))?, name))
        };
        let mut scales: Vec<(u32, &str)> = lines("numbers").iter().filter_map(scale).collect();
        scales.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
        let mut phrases: BTreeMap<&str, BTreeMap<&str, Vec<Vec<&str>>>> = BTreeMap::new();
        for list in PHRASES {
            for words in lines(list).iter().map(|line| line.split(' ').collect::<Vec<&str>>()) {
                let first = words.first().copied().unwrap_or_default();
                phrases.entry(list).or_default().entry(first).or_default().push(words);
            }
        }
        Self { sections, cues, calendar, stages, scales, phrases }
    }

    fn lines(&self, section: &str) -> &[&'static str] {
        self.sections.get(section).map_or(&[], Vec::as_slice)
    }

    /// The lines of a section whose first field is this.
    fn found<'l>(&'l self, section: &str, key: &'l str) -> impl Iterator<Item = &'static str> + 'l {
        let lines = self.lines(section);
        let first = |line: &'static str| line.split_once('\t').map_or(line, |(first, _)| first);
        let start = lines.partition_point(|line| first(line) < key);
        lines.get(start..).unwrap_or_default().iter().copied().take_while(move |line| first(line) == key)
    }

    /// The concept of a name.
    pub(super) fn concept(&self, name: &str) -> Option<u16> {
        u16::try_from(self.lines("concepts").iter().position(|known| *known == name)?).ok()
    }

    /// The wordings that may begin with a word.
    pub(super) fn beginning(&self, word: &str) -> Vec<Wording> {
        let wording = |line: &'static str| {
            let mut fields = line.split('\t').skip(1);
            Some(Wording {
                rest: fields.next()?,
                concept: fields.next()?.parse().ok()?,
                languages: fields.next()?.parse().ok()?,
            })
        };
        let mut found: Vec<Wording> = self.found("wordings", word).filter_map(wording).collect();
        for (at, letter) in word.char_indices().skip(1) {
            let part = word.get(..at + letter.len_utf8()).unwrap_or_default();
            found.extend(self.found("open", part).filter_map(wording));
        }
        found
    }

    /// What a word with a slip of the keyboard was meant to be.
    pub(super) fn meant(&self, word: &str) -> Option<&'static str> {
        let count = word.chars().count();
        if count < SHORTEST_SLIP - 1 || word.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let most = if count < 8 { 1 } else { 2 };
        let first = word.chars().next()?;
        let lines = self.lines("spelled");
        let start = lines.partition_point(|line| line.chars().next() < Some(first));
        let alike = lines.get(start..)?.iter().copied().take_while(|line| line.starts_with(first));
        alike
            .filter(|known| known.chars().count().abs_diff(count) <= most)
            .map(|known| (strsim::osa_distance(known, word), known))
            .filter(|(distance, known)| {
                *distance <= most && (count >= SHORTEST_SLIP || is_swapped(known, word))
            })
            .min()
            .map(|(_, known)| known)
    }

    /// The cues of a slot that begin with a word, the longest first.
    pub(super) fn cues(&self, slot: &str, first: &str) -> &[Vec<&'static str>] {
        self.cues.get(slot).and_then(|known| known.get(first)).map_or(&[], Vec::as_slice)
    }

    /// Whether a word is one of a slot's single words.
    pub(super) fn has_cue(&self, slot: &str, word: &str) -> bool {
        self.cues(slot, word).iter().any(|cue| cue.len() == 1)
    }

    /// Whether a word stands in a list of its own.
    pub(super) fn has(&self, list: &str, word: &str) -> bool {
        self.lines(list).binary_search(&word).is_ok()
    }

    /// How many words the longest wording of a list has that begins at a token.
    pub(super) fn phrase_at(&self, list: &str, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        let known = self.phrases.get(list)?.get(tokens.get(at)?.text.as_str())?;
        known.iter().filter(|words| begins(tokens, at, words)).map(Vec::len).max()
    }

    /// Whether one of a list's words fits.
    pub(super) fn any_of(&self, list: &str, fits: impl Fn(&str) -> bool) -> bool {
        self.lines(list).iter().any(|word| fits(word))
    }

    /// The wordings of a list.
    pub(super) fn list(&self, list: &str) -> impl Iterator<Item = Vec<&'static str>> {
        self.lines(list).iter().map(|line| line.split(' ').collect())
    }

    fn value(&self, section: &str, word: &str) -> Option<u32> {
        self.found(section, word).next()?.split_once('\t')?.1.parse().ok()
    }

    /// A number word.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.value("numbers", word)
    }

    /// What a number is called.
    pub(super) fn names_of(&self, value: u32) -> impl Iterator<Item = &'static str> {
        let own = self.scales.iter().filter(move |(known, _)| *known == value);
        own.map(|(_, name)| *name)
    }

    /// The place an ordinal names, from 1.
    pub(super) fn ordinal(&self, word: &str) -> Option<u32> {
        self.value("ordinals", word)
    }

    /// Whether a word means the last of a list.
    pub(super) fn is_last(&self, word: &str) -> bool {
        self.has("last_one", word)
    }

    /// Whether a word is an article.
    pub(super) fn is_article(&self, word: &str) -> bool {
        self.has("articles", word)
    }

    /// Whether a word is only polite.
    pub(super) fn is_polite(&self, word: &str) -> bool {
        self.has("polite", word)
    }

    /// Whether a word is, or ends like, the name of an occupation.
    pub(super) fn is_head(&self, word: &str) -> bool {
        let ends = |word: &str| {
            let long = |head: &&&str| word.ends_with(**head) && head.chars().count() >= 5;
            self.has("heads", word) || self.lines("heads").iter().any(|head| long(&head))
        };
        // "teknikeren", "ingenjörens": the definite form is the same occupation.
        let stem = ["en", "n", "s"].into_iter().filter_map(|ending| word.strip_suffix(ending));
        ends(word) || stem.filter(|stem| stem.chars().count() > 6).any(ends)
    }

    /// Whether a word is a place.
    pub(super) fn is_city(&self, word: &str) -> bool {
        self.has("cities", word)
    }

    /// The language a word names, inflected or mistyped.
    pub(super) fn language(&self, word: &str) -> Option<Language> {
        let names = [
            (Language::En, "english"),
            (Language::Sv, "swedish"),
            (Language::Da, "danish"),
            (Language::No, "norwegian"),
            (Language::De, "german"),
        ];
        let count = word.chars().count();
        let begins = |stem: &&str| word.starts_with(*stem) && count <= stem.chars().count() + 3;
        let slipped = |stem: &&str| {
            let length = stem.chars().count();
            let close = |letters: usize| {
                let part: String = word.chars().take(letters).collect();
                strsim::osa_distance(stem, &part) <= 1
            };
            count >= 6 && length >= 6 && count <= length + 3 && (length - 1..=length + 1).any(close)
        };
        let by = |fits: &dyn Fn(&&str) -> bool| {
            names
                .into_iter()
                .find(|(_, list)| self.lines(list).iter().any(fits))
                .map(|(language, _)| language)
        };
        by(&begins).or_else(|| by(&slipped))
    }

    /// The office a word names: also "stockholmskontoret", and a slip of the keyboard in the longer ones.
    pub(super) fn office(&self, word: &str) -> Option<&'static str> {
        let fits = |name: &&str| {
            word.starts_with(*name)
                || (name.len() > 6 && word.len() > 6 && strsim::osa_distance(name, word) <= 1)
        };
        ["stockholm", "copenhagen", "oslo"].into_iter().find(|city| self.lines(city).iter().any(fits))
    }
}

/// Whether a word has the same letters in another order: "hvae".
fn is_swapped(known: &str, word: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(known) == sorted(word)
}

/// Shorter words are too alike for slips to be told from other words; two letters that changed places are.
const SHORTEST_SLIP: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_there() {
        let lexicon = Lexicon::get();
        for name in [
            "concepts", "wordings", "open", "spelled", "slots", "senses", "months", "weekdays", "numbers",
            "heads", "polite",
        ] {
            assert!(!lexicon.lines(name).is_empty(), "{name}");
        }
        assert!(lexicon.lines("wordings").len() > 20_000, "{}", lexicon.lines("wordings").len());
    }

    #[test]
    fn slips_of_the_keyboard_are_forgiven() {
        let lexicon = Lexicon::get();
        for (slip, meant) in
            [("requiremnet", "requirement"), ("screeninng", "screening"), ("tempalte", "template")]
        {
            assert_eq!(lexicon.meant(slip), Some(meant));
        }
        assert_eq!(lexicon.meant("ad"), None);
        assert_eq!(lexicon.language("norwegsich"), Some(Language::No));
    }
}
