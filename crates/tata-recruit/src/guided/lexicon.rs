//! What recruiters say, by meaning: files that a linguist can edit, made into one sorted text by the build.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{
    calendar::Calendar,
    shelf::{Lines, sections},
    tokens::Token,
};
use crate::Language;

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

/// A stage of a funnel: what people call it, and its name.
type Stage = (Vec<Pattern>, &'static str);

/// Everything the guided model knows, searched where it lies; what is asked for at every word is kept at hand.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    sections: BTreeMap<&'static str, Lines>,
    slots: BTreeMap<&'static str, Lines>,
    concepts: BTreeMap<&'static str, u16>,
    pub(super) calendar: Calendar,
    /// What people call the stages of a funnel, by its first letter, the longest first.
    stages: BTreeMap<char, Vec<Stage>>,
    /// What a hundred and a thousand are called, the longest first.
    scales: Vec<(u32, &'static str)>,
    /// Endings of occupations.
    heads: Vec<&'static str>,
}

impl Lexicon {
    /// The built-in words.
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(Self::read)
    }

    fn read() -> Self {
        let mut lexicon = Self::default();
        for (name, lines) in sections() {
            match name.strip_prefix("slot ") {
                Some(slot) => lexicon.slots.insert(slot, lines),
                None => lexicon.sections.insert(name, lines),
            };
        }
        let lines = |name: &str| lexicon.lines(name);
        let concepts = (0..).zip(lines("concepts").iter()).map(|(at, name)| (name, at)).collect();
        let calendar = Calendar::read(lines("senses"), lines("months"), lines("weekdays"));
        let mut stages: BTreeMap<char, Vec<Stage>> = BTreeMap::new();
        for (words, stage) in lines("stages").iter().filter_map(|line| line.split_once('\t')) {
            let letter = words.chars().next().unwrap_or_default();
            stages.entry(letter).or_default().push((patterns(words).collect(), stage));
        }
        for known in stages.values_mut() {
            known.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        let scale = |line: &'static str| {
            let (name, value) = line.split_once('\t')?;
            Some((value.parse().ok().filter(|value| matches!(value, 100 | 1000))?, name))
        };
        let mut scales: Vec<(u32, &str)> = lines("numbers").iter().filter_map(scale).collect();
        scales.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
        let heads = lines("heads").iter().filter(|ending| ending.chars().count() >= 5).collect();
        Self { concepts, calendar, stages, scales, heads, ..lexicon }
    }

    fn lines(&self, section: &str) -> Lines {
        self.sections.get(section).copied().unwrap_or_default()
    }

    /// The concept of a name.
    pub(super) fn concept(&self, name: &str) -> Option<u16> {
        self.concepts.get(name).copied()
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
        let mut found: Vec<Wording> = self.lines("wordings").of_field(word).filter_map(wording).collect();
        let open = self.lines("open");
        for (at, letter) in word.char_indices().skip(1) {
            let part = word.get(..at + letter.len_utf8()).unwrap_or_default();
            found.extend(open.of_field(part).filter_map(wording));
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
        self.lines("spelled")
            .of_letter(word.chars().next()?)
            .filter_map(|known| Some((slips(known, word, most)?, known)))
            .filter(|(distance, known)| {
                *distance <= most && (count >= SHORTEST_SLIP || is_swapped(known, word))
            })
            .min()
            .map(|(_, known)| known)
    }

    /// The cues of a slot.
    pub(super) fn cues(&self, slot: &str) -> Lines {
        self.slots.get(slot).copied().unwrap_or_default()
    }

    /// Whether a word is one of a slot's single words.
    pub(super) fn has_cue(&self, slot: &str, word: &str) -> bool {
        self.cues(slot).of_word(word).any(|cue| cue == word)
    }

    /// Whether a word stands in a list of its own.
    pub(super) fn has(&self, list: &str, word: &str) -> bool {
        self.lines(list).of_word(word).any(|known| known == word)
    }

    /// How many words the longest wording of a list has that begins at a token.
    pub(super) fn phrase_at(&self, list: &str, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        self.lines(list).lengths_at(tokens, at).next()
    }

    /// Whether a wording of a list ends just before a token.
    pub(super) fn phrase_before(&self, list: &str, tokens: &[Token<'_>], end: usize) -> bool {
        self.lines(list).end_before(tokens, end)
    }

    /// Whether one of a list's words fits.
    pub(super) fn any_of(&self, list: &str, fits: impl Fn(&str) -> bool) -> bool {
        self.lines(list).iter().any(fits)
    }

    /// The stages that may be called by a word, the longest names first.
    pub(super) fn stages(&self, word: &str) -> &[Stage] {
        let letter = word.chars().next().unwrap_or_default();
        self.stages.get(&letter).map_or(&[], Vec::as_slice)
    }

    fn value(&self, section: &str, word: &str) -> Option<u32> {
        self.lines(section).of_field(word).next()?.split_once('\t')?.1.parse().ok()
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
        let ends = |word: &str| self.has("heads", word) || self.heads.iter().any(|head| word.ends_with(head));
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
                slips(stem, &part, 1).is_some()
            };
            count >= 6 && length >= 6 && count <= length + 3 && (length - 1..=length + 1).any(close)
        };
        let by = |fits: &dyn Fn(&&str) -> bool| {
            names
                .into_iter()
                .find(|(_, list)| self.lines(list).iter().any(|stem| fits(&stem)))
                .map(|(language, _)| language)
        };
        by(&begins).or_else(|| by(&slipped))
    }

    /// The office a word names: also "stockholmskontoret", and a slip of the keyboard in the longer ones.
    pub(super) fn office(&self, word: &str) -> Option<&'static str> {
        let fits = |name: &&str| {
            word.starts_with(*name) || (name.len() > 6 && word.len() > 6 && slips(name, word, 1).is_some())
        };
        ["stockholm", "copenhagen", "oslo"]
            .into_iter()
            .find(|city| self.lines(city).iter().any(|name| fits(&name)))
    }
}

/// How many slips of the keyboard lie between two words, if they are not more than this.
pub(super) fn slips(known: &str, word: &str, most: usize) -> Option<usize> {
    // Each slip takes at most one letter away and brings one; this spares most words the comparison.
    let letters =
        |word: &str| word.chars().fold(0_u32, |letters, letter| letters | 1 << (u32::from(letter) % 32));
    let alike = (letters(known) ^ letters(word)).count_ones() as usize <= 2 * most
        && known.chars().count().abs_diff(word.chars().count()) <= most;
    alike.then(|| strsim::osa_distance(known, word)).filter(|distance| *distance <= most)
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
            "concepts", "wordings", "open", "spelled", "senses", "months", "weekdays", "numbers", "heads",
            "polite",
        ] {
            assert!(lexicon.lines(name).iter().next().is_some(), "{name}");
        }
        for slot in ["title_before", "title_end", "candidate_before", "replaced_by", "areas_before", "and"] {
            assert!(lexicon.cues(slot).iter().next().is_some(), "{slot}");
        }
        assert!(lexicon.lines("wordings").iter().count() > 20_000);
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
