//! The word lists, as the build made them. `data/README.md` says what they are for.

use tata_phrases::Trie;

pub(crate) use crate::cue::{Critical, Cue, CueSet, Kin, Listed, Numeral, Phrase};
use crate::{language::Language, stem::stem};

include!(concat!(env!("OUT_DIR"), "/lists.rs"));

/// What claims are judged by, language by language.
#[expect(clippy::unreadable_literal, reason = "written by the build")]
mod claims {
    use super::{
        Critical::{Benefit, Pay, Promise, Superlative, Trait},
        CueSet, Kin, Language, Listed, Lists,
        Numeral::{Count, Month, Order, Scale, Turn},
    };

    include!(concat!(env!("OUT_DIR"), "/claims.rs"));
}

/// The lists of one language.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) language: Language,
    /// What the light stem takes off, by its letters from the last to the first.
    endings: &'static [u8],
    /// The words and stems by their letters, each with its place among what is said of them.
    words: &'static [u8],
    stems: &'static [u8],
    listed: &'static [Listed],
    kin: &'static [Kin],
}

impl Lists {
    /// The lists of a language. Nothing is loaded: they are read where the program has them.
    pub(crate) fn of(language: Language) -> &'static Self {
        &claims::LISTS[language as usize]
    }

    /// What is said of a word.
    pub(crate) fn word(&self, norm: &str) -> &'static Listed {
        const NOTHING: &Listed =
            &Listed { ordinary: false, cues: CueSet(0), phrases: &[], critical: None, numeral: None };
        place(self.words, norm).and_then(|at| self.listed.get(at)).unwrap_or(NOTHING)
    }

    /// What is said of the words of a stem.
    pub(crate) fn kin(&self, stem: &str) -> &'static Kin {
        const NOTHING: &Kin = &Kin { ordinary: false, critical: None, synonyms: &[] };
        place(self.stems, stem).and_then(|at| self.kin.get(at)).unwrap_or(NOTHING)
    }

    pub(crate) fn stem(&self, norm: &str) -> String {
        stem(self.language, Trie::of(self.endings), norm)
    }
}

/// The place of a word in a table.
fn place(table: &[u8], word: &str) -> Option<usize> {
    let mut place = None;
    Trie::of(table).beginnings(word.as_bytes(), |at, length| {
        place = (length == word.len()).then_some(at as usize);
    });
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_cue() {
        for language in Language::ALL {
            let listed = Lists::of(language).listed.iter();
            let cues = listed.flat_map(|word| word.phrases.iter().map(|(_, cues)| *cues).chain([word.cues]));
            let cues: Vec<CueSet> = cues.collect();
            for cue in Cue::ALL.into_iter().filter(|cue| *cue != Cue::Percent) {
                let found = cues.iter().any(|cues| cues.has(cue));
                assert!(found, "{} lacks {}", language.code(), cue.name());
            }
        }
    }

    #[test]
    fn no_word_is_both_ordinary_and_critical() {
        for language in Language::ALL {
            let both =
                Lists::of(language).listed.iter().filter(|word| word.ordinary && word.critical.is_some());
            assert_eq!(both.count(), 0, "{}", language.code());
        }
    }
}
