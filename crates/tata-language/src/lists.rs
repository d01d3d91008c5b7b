//! The word lists, as the build made them. `data/README.md` says what they are for.

use std::sync::OnceLock;

pub(crate) use crate::cue::{Critical, Cue};
use crate::{
    hash::{Map, Set},
    language::Language,
    stem::{Endings, stem},
};

include!(concat!(env!("OUT_DIR"), "/lists.rs"));

/// A set of cues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CueSet(u32);

impl CueSet {
    pub(crate) fn has(self, cue: Cue) -> bool {
        self.0 & (1 << cue as u8) != 0
    }

    pub(crate) fn any(self) -> bool {
        self.0 != 0
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn remove(&mut self, cue: Cue) {
        self.0 &= !(1 << cue as u8);
    }

    fn of(cue: Cue) -> Self {
        Self(1 << cue as u8)
    }
}

/// A word for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numeral {
    /// "Five".
    Count(u64),
    /// "Fifth".
    Order(u64),
    /// "Other", as in "every other".
    Turn(u64),
    /// "Thousand".
    Scale(u64),
    /// "March".
    Month(u8),
}

/// A cue of several words: the words after the first.
pub(crate) type Phrase = (Vec<&'static str>, CueSet);

/// The lists of one language.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) language: Language,
    endings: Endings,
    ordinary: Set<&'static str>,
    ordinary_stems: Set<String>,
    cues: Map<&'static str, CueSet>,
    phrases: Map<&'static str, Vec<Phrase>>,
    critical: Map<&'static str, Critical>,
    critical_stems: Map<String, Critical>,
    synonyms: Map<String, Vec<u32>>,
    numbers: Map<&'static str, Numeral>,
}

impl Lists {
    /// The lists of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static LISTS: [OnceLock<Lists>; 5] = [const { OnceLock::new() }; 5];
        LISTS[language as usize].get_or_init(|| Self::indexed(language))
    }

    fn indexed(language: Language) -> Self {
        let own = language as usize;
        let mut lists = Self {
            language,
            endings: Endings::new(ENDINGS[own]),
            ordinary: ORDINARY[own].iter().copied().collect(),
            ordinary_stems: Set::default(),
            cues: Map::default(),
            phrases: Map::default(),
            critical: Map::default(),
            critical_stems: Map::default(),
            synonyms: Map::default(),
            numbers: NUMBERS[own].iter().copied().collect(),
        };
        // A short stem says too little about its kin.
        let stems = lists.ordinary.iter().map(|word| lists.stem(word));
        lists.ordinary_stems = stems.filter(|stem| stem.chars().count() > 4).collect();
        for (cue, entry) in each(CUES[own]) {
            match entry.split_once(' ') {
                Some((first, rest)) => {
                    let phrase = (rest.split(' ').collect(), CueSet::of(cue));
                    lists.phrases.entry(first).or_default().push(phrase);
                }
                None => lists.cues.entry(entry).or_default().add(CueSet::of(cue)),
            }
        }
        for (critical, entry) in each(CRITICAL[own]) {
            lists.critical.insert(entry, critical);
            if critical != Critical::Superlative {
                lists.critical_stems.insert(lists.stem(entry), critical);
            }
        }
        for (group, line) in (0_u32..).zip(SYNONYMS[own]) {
            for word in line.split(' ') {
                let groups = lists.synonyms.entry(lists.stem(word)).or_default();
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        }
        lists
    }

    pub(crate) fn stem(&self, norm: &str) -> String {
        stem(self.language, &self.endings, norm)
    }

    /// Whether a word says nothing by itself.
    pub(crate) fn ordinary(&self, norm: &str, stem: &str) -> bool {
        self.ordinary.contains(norm) || self.ordinary_stems.contains(stem)
    }

    /// Whether this very form is on the list of ordinary words.
    pub(crate) fn listed(&self, norm: &str) -> bool {
        self.ordinary.contains(norm)
    }

    pub(crate) fn cue(&self, norm: &str) -> CueSet {
        self.cues.get(norm).copied().unwrap_or_default()
    }

    /// The phrases that begin with a word.
    pub(crate) fn phrases(&self, norm: &str) -> &[Phrase] {
        self.phrases.get(norm).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn critical(&self, norm: &str, stem: &str) -> Option<Critical> {
        let kin = || self.critical_stems.get(stem).filter(|_| stem.len() > 3 && !self.listed(norm));
        self.critical.get(norm).or_else(kin).copied()
    }

    /// The sets of synonyms that a stem belongs to.
    pub(crate) fn synonyms(&self, stem: &str) -> &[u32] {
        self.synonyms.get(stem).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn numeral(&self, norm: &str) -> Option<Numeral> {
        self.numbers.get(norm).copied()
    }
}

/// All entries of some sections, each with what its section stands for.
fn each<T: Copy>(sections: &[(T, &[&'static str])]) -> impl Iterator<Item = (T, &'static str)> {
    sections.iter().flat_map(|(name, entries)| entries.iter().map(|entry| (*name, *entry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_cue() {
        for language in Language::ALL {
            for cue in Cue::ALL.into_iter().filter(|cue| *cue != Cue::Percent) {
                let found = CUES[language as usize].iter().any(|(known, _)| *known == cue);
                assert!(found, "{} lacks {}", language.code(), cue.name());
            }
        }
    }

    #[test]
    fn no_word_is_both_ordinary_and_critical() {
        for language in Language::ALL {
            let lists = Lists::of(language);
            let both: Vec<_> =
                lists.ordinary.iter().filter(|word| lists.critical.contains_key(*word)).collect();
            assert!(both.is_empty(), "{}: {both:?}", language.code());
        }
    }
}
