//! Words that give a requirement or a question away, read from `data/skills/<language>.yaml`.
//!
//! A cue is one or more whole words: "training" does not contain "ai". `x*` also matches longer words, `*x` words that
//! end so; a cue with a capital letter wants the same letters; `=x` must be everything there is; `!x` is harmless and
//! hides what it covers.

use std::{collections::BTreeMap, sync::OnceLock};

use serde::Deserialize;
use tata_core::from_yaml;
use unicode_normalization::UnicodeNormalization;

use crate::Language;

macro_rules! files {
    ($($language:literal)*) => {
        [$(($language, include_str!(concat!("../data/skills/", $language, ".yaml")))),*]
    };
}

const FILES: [(&str, &str); 5] = files!("en" "sv" "da" "no" "de");

/// The cues of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lexicon {
    /// Tools, methods, systems.
    pub(crate) technical: Cues,
    /// Leading people.
    pub(crate) leadership: Cues,
    /// What follows is experience, not a paper.
    pub(crate) experience: Cues,
    /// Languages people speak.
    pub(crate) language: LanguageCues,
    /// Licences, certificates, permits.
    pub(crate) credential: Cues,
    /// Of these: background and security checks.
    pub(crate) clearance: Cues,
    /// Of these: the right to work in a country.
    pub(crate) work_permit: Cues,
    /// Of these: driving licences.
    pub(crate) driving: Cues,
    /// Systems and programs that people use, by their names.
    pub(crate) tools: Cues,
    /// Laws, rules, methods and markets that somebody knows.
    #[serde(default)]
    pub(crate) knowledge: Cues,
    /// A stretch of experience in a job or a field.
    #[serde(default)]
    pub(crate) years: Cues,
    /// Names that keep their capital letter wherever they stand; the same in every language.
    #[serde(default)]
    pub(crate) names: Cues,
    /// Degrees and training.
    pub(crate) education: Cues,
    /// Shifts, standby, travel.
    pub(crate) availability: Cues,
    /// How a request to tell something begins.
    pub(crate) invitations: Cues,
    /// What an interview must not ask about, by topic.
    pub(crate) protected: BTreeMap<String, Cues>,
}

/// How to tell that a requirement is about a language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LanguageCues {
    /// The names of languages.
    pub(crate) names: Cues,
    /// Words about speaking and writing.
    pub(crate) signs: Cues,
    /// Words between two names.
    pub(crate) joining: Cues,
    /// Words that make "Swedish" mean the country.
    pub(crate) other: Cues,
}

impl Lexicon {
    /// The cues of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Lexicon>; 5] = [const { OnceLock::new() }; 5];
        ALL[language as usize].get_or_init(|| {
            let file = FILES.iter().find(|(code, _)| *code == language.code());
            // The built-in files are read by a test, so none of them is ever wrong here.
            file.and_then(|(code, text)| from_yaml(&format!("data/skills/{code}.yaml"), text).ok())
                .unwrap_or_default()
        })
    }
}

/// A list of cues, ready to be looked for.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(crate) struct Cues {
    /// By the first word.
    plain: BTreeMap<String, Vec<Cue>>,
    /// Those whose first word is only a part of one.
    open: Vec<Cue>,
}

#[derive(Debug)]
struct Cue {
    parts: Vec<Part>,
    harmless: bool,
    alone: bool,
}

#[derive(Debug)]
enum Part {
    Word(String),
    AsWritten(String),
    Beginning(String),
    End(String),
}

/// Where a cue was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The number of its first word.
    pub(crate) at: usize,
    /// The words as they stand there.
    pub(crate) text: String,
}

/// The words of a text.
pub(crate) struct Words(Vec<Word>);

struct Word {
    written: String,
    lower: String,
}

impl Words {
    /// Splits a text. `C++`, `C#` and `.NET` stay words.
    pub(crate) fn of(text: &str) -> Self {
        let text: String = text.nfc().collect();
        let text = text.replace(".NET", " dotnet").replace(".net", " dotnet");
        let words = text
            .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '+' | '#'))
            .map(|word| word.trim_start_matches(['+', '#']))
            .filter(|word| !word.is_empty())
            .map(|word| Word { written: word.to_owned(), lower: word.to_lowercase() });
        Self(words.collect())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The words in lower case, sorted, each once.
    pub(crate) fn set(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.0.iter().map(|word| word.lower.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

impl Cues {
    /// The first cue in a text.
    pub(crate) fn find(&self, words: &Words) -> Option<Hit> {
        self.all(words).into_iter().next()
    }

    /// Every cue in a text, in order.
    pub(crate) fn all(&self, words: &Words) -> Vec<Hit> {
        self.all_but(words, &self.hidden(words))
    }

    /// Which words a harmless cue covers.
    pub(crate) fn hidden(&self, words: &Words) -> Vec<bool> {
        let mut hidden = vec![false; words.0.len()];
        for at in 0..words.0.len() {
            for cue in self.at(words, at).filter(|cue| cue.harmless) {
                hidden.iter_mut().skip(at).take(cue.parts.len()).for_each(|word| *word = true);
            }
        }
        hidden
    }

    /// Every cue in a text of which no word is hidden, in order.
    pub(crate) fn all_but(&self, words: &Words, hidden: &[bool]) -> Vec<Hit> {
        let mut found = Vec::new();
        for at in 0..words.0.len() {
            let cues = self.at(words, at).filter(|cue| !cue.harmless);
            let cues = cues.filter(|cue| !cue.alone || cue.parts.len() == words.0.len());
            found.extend(cues.map(|cue| (at, at + cue.parts.len())));
        }
        found.retain(|(at, end)| !hidden.iter().take(*end).skip(*at).any(|hidden| *hidden));
        found
            .into_iter()
            .map(|(at, end)| {
                let shown = |word: &Word| match word.written.as_str() {
                    "dotnet" => ".NET".to_owned(),
                    written => written.to_owned(),
                };
                let text: Vec<String> = words.0.iter().take(end).skip(at).map(shown).collect();
                Hit { at, text: text.join(" ") }
            })
            .collect()
    }

    fn at<'a>(&'a self, words: &'a Words, at: usize) -> impl Iterator<Item = &'a Cue> {
        let rest = words.0.get(at..).unwrap_or_default();
        let plain = rest.first().and_then(|word| self.plain.get(&word.lower)).into_iter().flatten();
        plain.chain(&self.open).filter(move |cue| {
            cue.parts.len() <= rest.len() && cue.parts.iter().zip(rest).all(|(part, word)| part.fits(word))
        })
    }
}

impl Part {
    fn fits(&self, word: &Word) -> bool {
        match self {
            Self::Word(text) => word.lower == *text,
            Self::AsWritten(text) => word.written == *text,
            Self::Beginning(text) => word.lower.starts_with(text.as_str()),
            Self::End(text) => word.lower.ends_with(text.as_str()),
        }
    }
}

impl From<Vec<String>> for Cues {
    fn from(cues: Vec<String>) -> Self {
        let mut all = Self::default();
        for cue in cues {
            let (cue, harmless) = cue.strip_prefix('!').map_or((cue.as_str(), false), |rest| (rest, true));
            let (cue, alone) = cue.strip_prefix('=').map_or((cue, false), |rest| (rest, true));
            let parts: Vec<Part> = cue.split(' ').flat_map(part).collect();
            let first = match parts.first() {
                Some(Part::Word(text)) => Some(text.clone()),
                Some(Part::AsWritten(text)) => Some(text.to_lowercase()),
                Some(Part::Beginning(_) | Part::End(_)) => None,
                None => continue,
            };
            let cue = Cue { parts, harmless, alone };
            match first {
                Some(first) => all.plain.entry(first).or_default().push(cue),
                None => all.open.push(cue),
            }
        }
        all
    }
}

/// The words of one piece of a cue: "driver's" is two, as in the texts.
fn part(piece: &str) -> Vec<Part> {
    if let Some(beginning) = piece.strip_suffix('*') {
        let mut words = Words::of(beginning).0;
        let last = words.pop().map(|word| Part::Beginning(word.lower));
        return words.into_iter().map(|word| Part::Word(word.lower)).chain(last).collect();
    }
    if let Some(end) = piece.strip_prefix('*') {
        return vec![Part::End(end.to_lowercase())];
    }
    let word = |word: Word| {
        if word.lower == word.written { Part::Word(word.lower) } else { Part::AsWritten(word.written) }
    };
    Words::of(piece).0.into_iter().map(word).collect()
}

/// Whether a word is a name that keeps its capital letter wherever it stands: a language in English, a program, a firm.
pub(crate) fn is_name(word: &str) -> bool {
    let (words, english) = (Words::of(word), Lexicon::of(Language::En));
    english.names.find(&words).is_some() || english.language.names.find(&words).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(cues: &[&str], text: &str) -> Option<String> {
        let cues = Cues::from(cues.iter().map(|cue| (*cue).to_owned()).collect::<Vec<_>>());
        cues.find(&Words::of(text)).map(|hit| hit.text)
    }

    #[test]
    fn cues_are_whole_words() {
        let check = |cue: &str, text: &str, hit: Option<&str>| {
            assert_eq!(find(&[cue], text).as_deref(), hit, "{cue:?} in {text:?}");
        };
        check("ai", "training and maintenance", None);
        check("ai", "AI, in practice", Some("AI"));
        check("network*", "Networks and more", Some("Networks"));
        check("*messung", "die OTDR-Messung", Some("Messung"));
        check("IT", "make it work", None);
        check("IT", "IT support", Some("IT"));
        check("=go", "go to market", None);
        check("=go", "Go", Some("Go"));
        check("c++", "C++ and Rust", Some("C++"));
        check("dotnet", "C# and .NET", Some(".NET"));
        check("driver's license*", "a driver’s license", Some("driver s license"));
        check("leda\u{30a}", "ledå", Some("ledå"));
    }

    #[test]
    fn harmless_words_hide_what_they_cover() {
        let cues = ["health", "!health and safety"];
        assert_eq!(find(&cues, "health and safety"), None);
        assert_eq!(find(&cues, "health and safety, your health").as_deref(), Some("health"));
    }

    #[test]
    fn every_file_can_be_read() {
        for (code, text) in FILES {
            let lexicon: Lexicon = from_yaml(code, text).unwrap_or_else(|error| panic!("{error}"));
            let topics: Vec<&String> = lexicon.protected.keys().collect();
            assert_eq!(
                topics,
                [
                    "age",
                    "ethnicity",
                    "family",
                    "health",
                    "orientation",
                    "pay_history",
                    "politics",
                    "pregnancy",
                    "religion",
                    "union"
                ],
                "{code}"
            );
        }
    }
}
