//! The words that never reach candidates, one file per language (`data/banned/`); see `data/README.md`.

use std::sync::OnceLock;

use serde::Deserialize;
use tata_core::{FileError, from_yaml};

use super::{
    matcher::{Matcher, Meaning},
    words::{Word, spelled},
};
use crate::Language;

/// A list of words with a matcher for all their forms.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    entries: Vec<Entry>,
    matcher: Matcher,
}

/// A word and what is wrong with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// As a dictionary has it.
    pub(crate) term: String,
    /// Why it is banned.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the file says it for people; the reviews will report it")
    )]
    pub(crate) family: Family,
    /// Where it is banned.
    #[serde(default)]
    pub(crate) scope: Scope,
    /// How it is written: patterns of the matcher. Without them, the term itself.
    #[serde(default)]
    forms: Vec<String>,
    /// Better words.
    pub(crate) suggestion: String,
    /// Phrases in which it is fine.
    #[serde(default)]
    fine_in: Vec<String>,
}

/// Why a word is banned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Family {
    /// It promises more than anybody can check.
    Hype,
    /// It tells some people that they are not meant.
    Exclusionary,
}

/// Where a word is banned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// In all texts for candidates.
    #[default]
    All,
    /// In messages to people who did not apply.
    Headhunting,
}

/// A word that stands in a text.
pub(crate) struct Found<'a> {
    /// Which.
    pub(crate) entry: &'a Entry,
    /// Its first word.
    pub(crate) first: usize,
    /// Its last word.
    pub(crate) last: usize,
}

const FILES: [&str; 5] = [
    include_str!("../../data/banned/en.yaml"),
    include_str!("../../data/banned/sv.yaml"),
    include_str!("../../data/banned/da.yaml"),
    include_str!("../../data/banned/no.yaml"),
    include_str!("../../data/banned/de.yaml"),
];

impl Lexicon {
    /// The banned words of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Lexicon>; 5] = [const { OnceLock::new() }; 5];
        // The built-in files are read by a test, so none of them is ever wrong here.
        ALL[language as usize].get_or_init(|| Self::built_in(language).unwrap_or_default())
    }

    fn built_in(language: Language) -> Result<Self, FileError> {
        Self::read(&format!("data/banned/{}.yaml", language.code()), FILES[language as usize])
    }

    /// Reads a file. What a linguist could get wrong is said with its line.
    pub(crate) fn read(path: &str, text: &str) -> Result<Self, FileError> {
        let entries: Vec<Entry> = from_yaml(path, text)?;
        let wrong = |at: usize, problem: String| FileError {
            path: path.to_owned(),
            line: line_of(text, at),
            problem,
            hint: None,
        };
        let patterns = entries.iter().enumerate().flat_map(|(id, entry)| {
            let own = entry.forms.is_empty().then_some(entry.term.as_str());
            let forms = entry.forms.iter().map(String::as_str).chain(own);
            let fine = entry.fine_in.iter().map(String::as_str);
            forms
                .map(move |form| (id, Meaning::Hit, form))
                .chain(fine.map(move |form| (id, Meaning::Fine, form)))
        });
        let matcher = Matcher::new(patterns).map_err(|(id, problem)| wrong(id, problem))?;
        for (id, entry) in entries.iter().enumerate() {
            let Entry { term, suggestion, .. } = entry;
            if matcher.find(&spelled(term)).is_empty() {
                return Err(wrong(id, format!("the forms of {term:?} do not find {term:?} itself")));
            }
            if suggestion.trim().is_empty() {
                return Err(wrong(id, format!("{term:?} has no suggestion")));
            }
            if let Some(hit) = matcher.find(&spelled(suggestion)).first() {
                let banned = entries.get(hit.id).map_or("", |entry| entry.term.as_str());
                return Err(wrong(
                    id,
                    format!("the suggestion {suggestion:?} is banned itself, by {banned:?}"),
                ));
            }
            if entries.iter().take(id).any(|earlier| earlier.term == *term) {
                return Err(wrong(id, format!("{term:?} is listed twice")));
            }
        }
        Ok(Self { entries, matcher })
    }

    /// The banned words of a text, in order; of overlapping ones the longest.
    pub(crate) fn find(&self, words: &[Word]) -> Vec<Found<'_>> {
        let found = self.matcher.find(words).into_iter();
        found
            .filter_map(|hit| {
                Some(Found { entry: self.entries.get(hit.id)?, first: hit.first, last: hit.last })
            })
            .collect()
    }
}

/// The line on which an entry begins.
fn line_of(text: &str, entry: usize) -> Option<u64> {
    let line = text.lines().enumerate().filter(|(_, line)| line.starts_with("- ")).nth(entry)?.0;
    u64::try_from(line + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_can_be_read_and_is_rich() {
        for language in Language::ALL {
            let lexicon = Lexicon::built_in(language).unwrap_or_else(|error| panic!("{error}"));
            assert!(lexicon.entries.len() >= 60, "{language:?}: {}", lexicon.entries.len());
            let count =
                |wanted: fn(&Entry) -> bool| lexicon.entries.iter().filter(|entry| wanted(entry)).count();
            assert!(count(|entry| entry.family == Family::Hype) >= 25, "{language:?}");
            assert!(count(|entry| entry.family == Family::Exclusionary) >= 20, "{language:?}");
            assert!(count(|entry| entry.scope == Scope::Headhunting) >= 4, "{language:?}");
        }
    }

    /// Properties 7 and 32: no better word is banned, in whichever language it might be looked up.
    #[test]
    fn no_suggestion_is_banned_in_any_list() {
        for language in Language::ALL {
            for entry in &Lexicon::of(language).entries {
                for list in Language::ALL {
                    let found = Lexicon::of(list).find(&spelled(&entry.suggestion));
                    let banned: Vec<&str> = found.iter().map(|found| found.entry.term.as_str()).collect();
                    assert!(
                        banned.is_empty(),
                        "{language:?} {:?}: {list:?} bans {banned:?}",
                        entry.suggestion
                    );
                }
            }
        }
    }

    #[test]
    fn mistakes_name_file_and_line() {
        let check = |text: &str, line: u64, part: &str| {
            let error = Lexicon::read("data/banned/x.yaml", text).err().unwrap();
            assert_eq!((error.path.as_str(), error.line), ("data/banned/x.yaml", Some(line)), "{error}");
            assert!(error.to_string().contains(part), "{error}");
        };
        let good = "- term: ninja\n  family: hype\n  suggestion: specialist\n";
        assert!(Lexicon::read("x", good).is_ok());
        assert!(Lexicon::read("x", "").is_ok_and(|lexicon| lexicon.entries.is_empty()));
        check("- term: ninja\n  famly: hype\n  suggestion: specialist\n", 2, "family");
        check("- term: ninja\n  family: hyp\n  suggestion: specialist\n", 2, "hype");
        check(&format!("{good}- term: guru\n  family: hype\n  suggestion: ' '\n"), 4, "no suggestion");
        check(&format!("{good}- term: guru\n  family: hype\n  suggestion: a Ninja\n"), 4, "banned itself");
        check(
            &format!("{good}- term: guru\n  family: hype\n  forms: [guri]\n  suggestion: expert\n"),
            4,
            "itself",
        );
        check(&format!("{good}{good}"), 4, "twice");
        check("- term: ninja\n  family: hype\n  forms: ['(']\n  suggestion: expert\n", 1, "bracket");
    }
}
