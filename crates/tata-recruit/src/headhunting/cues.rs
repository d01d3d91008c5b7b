//! The words by which a public profile is read (`cues.yaml`).

use std::{collections::BTreeMap, sync::OnceLock};

use aho_corasick::AhoCorasick;
use serde::Deserialize;
use tata_core::{FileError, from_yaml};

/// The file as people write it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    protected: BTreeMap<String, Vec<String>>,
    allowed: Vec<String>,
    unsuitable: Vec<String>,
    stops: Vec<String>,
    roles: Vec<String>,
    employers: Vec<String>,
    past: Vec<String>,
    years: Vec<String>,
    experience: Vec<String>,
    skill_headings: Vec<String>,
    skills: Vec<String>,
    du: Vec<String>,
    sie: Vec<String>,
}

/// The words, ready to be found.
pub(super) struct Cues {
    pub(super) protected: Phrases,
    pub(super) unsuitable: Phrases,
    pub(super) past: Phrases,
    pub(super) years: Phrases,
    pub(super) experience: Phrases,
    pub(super) skills: Phrases,
    allowed: Vec<String>,
    stops: Vec<String>,
    skill_headings: Vec<String>,
    roles: Vec<String>,
    pub(super) employers: Vec<String>,
    pub(super) du: Vec<String>,
    pub(super) sie: Vec<String>,
}

impl Cues {
    /// The built-in words.
    pub(super) fn get() -> &'static Self {
        static CUES: OnceLock<Cues> = OnceLock::new();
        // The file is read by a test, so it is never wrong here.
        CUES.get_or_init(|| Self::read().unwrap_or_else(|_| Self::of(Lists::default())))
    }

    fn read() -> Result<Self, FileError> {
        Ok(Self::of(from_yaml("headhunting/cues.yaml", include_str!("cues.yaml"))?))
    }

    fn of(lists: Lists) -> Self {
        let plain = |cues: Vec<String>| cues.iter().map(|cue| words(cue)).collect();
        Self {
            protected: Phrases::new(lists.protected.values().flatten()),
            unsuitable: Phrases::new(&lists.unsuitable),
            past: Phrases::new(&lists.past),
            years: Phrases::new(&lists.years),
            experience: Phrases::new(&lists.experience),
            skills: Phrases::new(&lists.skills),
            allowed: lists.allowed.iter().map(|cue| pattern(cue)).collect(),
            stops: plain(lists.stops),
            skill_headings: plain(lists.skill_headings),
            roles: lists.roles,
            employers: lists.employers,
            du: lists.du,
            sie: lists.sie,
        }
    }

    /// Whether a statement touches something private.
    pub(super) fn is_private(&self, statement: &str) -> bool {
        let mut padded = padded(statement);
        if !self.protected.stand_in(&padded) {
            return false;
        }
        for name in &self.allowed {
            padded = padded.replace(name, " ");
        }
        self.protected.stand_in(&padded)
    }

    /// Whether what follows a line is about other people.
    pub(super) fn is_stop(&self, line: &str) -> bool {
        line.len() < 100 && self.stops.contains(&words(line))
    }

    /// Whether a line, or what stands before a colon, announces skills.
    pub(super) fn is_skill_heading(&self, line: &str) -> bool {
        line.len() < 100 && self.skill_headings.contains(&words(line))
    }

    /// Whether a word names what somebody does.
    pub(super) fn is_role(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.roles.iter().any(|role| word.ends_with(role.as_str()))
    }
}

/// Words and phrases to be found as a whole.
pub(super) struct Phrases(Option<AhoCorasick>);

impl Phrases {
    fn new<'a>(cues: impl IntoIterator<Item = &'a String>) -> Self {
        Self(AhoCorasick::new(cues.into_iter().map(|cue| pattern(cue))).ok())
    }

    /// Whether one of them stands in a text that [`padded`] prepared.
    pub(super) fn stand_in(&self, padded: &str) -> bool {
        self.0.as_ref().is_some_and(|automaton| automaton.is_match(padded))
    }
}

/// A cue as it is looked for: between blanks, or from a blank on if any ending will do.
fn pattern(cue: &str) -> String {
    match cue.strip_suffix('*') {
        Some(beginning) => format!(" {}", words(beginning)),
        None => format!(" {} ", words(cue)),
    }
}

/// The words of a text with a blank on each side.
pub(super) fn padded(text: &str) -> String {
    format!(" {} ", words(text))
}

/// The words of a text in lower case, one blank between them.
fn words(text: &str) -> String {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read() {
        Cues::read().unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn private_matters_are_seen_in_every_language() {
        let check = |statement: &str, private: bool| {
            assert_eq!(Cues::get().is_private(statement), private, "{statement:?}");
        };
        check("Proud father of two and network engineer", true);
        check("Mamma till tre och projektledare på Telia", true);
        check("Tillitsvalgt og montør hos Telenor", true);
        check("Verheiratet, zwei Kinder", true);
        check("Dansk ingeniør med base i Odense", true);
        check("She/Her", true);
        check("Born 1984", true);
        check("Netzwerktechnikerin bei der Deutschen Telekom", false);
        check("Service Manager at Deutsche Telekom", false);
        check("Network Engineer at Telia", false);
        check("15 års erfarenhet av fiber", false);
    }
}
