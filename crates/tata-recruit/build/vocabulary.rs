//! What the door knows of the languages (`data/words`) and of questions for a name (`data/questions`), as tables.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use tata_phrases::build::{self, Meaning};

use super::sources::file;

/// How many frequent words a language has: with fewer it is not told, and more say little.
const FREQUENT: std::ops::RangeInclusive<usize> = 150..=300;
/// The flag of a whole word among the signs; the lower bits are the languages that have it.
const WHOLE: u32 = 1 << 5;
/// What the phrases mean, as their ids.
const EXPRESSION: usize = 0;
const QUESTION: usize = 1;

/// The files of all languages.
pub(crate) struct Words {
    languages: Vec<WordFile>,
    questions: Vec<String>,
}

/// A file of frequent words as people write it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordFile {
    #[serde(rename = "words")]
    frequent: String,
    parts: String,
    /// English only.
    #[serde(default)]
    telling: String,
    borrowed: String,
}

impl Words {
    /// Reads the files; English comes first.
    pub(crate) fn read(folder: &Path, codes: &[&str]) -> Result<Self, String> {
        let mut words = Self { languages: Vec::new(), questions: Vec::new() };
        for code in codes {
            let path = folder.join("words").join(format!("{code}.yaml"));
            let language: WordFile = file(&path)?;
            let count = language.frequent.split_whitespace().count();
            if !FREQUENT.contains(&count) {
                return Err(format!("{}: {count} frequent words", path.display()));
            }
            words.languages.push(language);
            let path = folder.join("questions").join(format!("{code}.yaml"));
            let questions: Vec<String> = file(&path)?;
            let patterns = questions.iter().map(|question| (QUESTION, Meaning::Hit, question.as_str()));
            build::phrases(patterns).map_err(|problem| format!("{}: {problem}", path.display()))?;
            words.questions.extend(questions);
        }
        Ok(words)
    }

    /// Words and groups of letters that speak for languages, blanks for the ends of words.
    pub(crate) fn signs(&self) -> Vec<u8> {
        let mut signs: BTreeMap<String, u32> = BTreeMap::new();
        for (at, language) in self.languages.iter().enumerate() {
            for word in language.frequent.split_whitespace() {
                *signs.entry(format!(" {word} ")).or_insert(WHOLE) |= 1 << at;
            }
            for part in language.parts.split_whitespace() {
                let pattern = match (part.strip_prefix('-'), part.strip_suffix('-')) {
                    (Some(ending), _) => format!("{ending} "),
                    (None, Some(beginning)) => format!(" {beginning}"),
                    (None, None) => part.to_owned(),
                };
                *signs.entry(pattern).or_default() |= 1 << at;
            }
        }
        let words: Vec<(&[u8], u32)> = signs.iter().map(|(sign, what)| (sign.as_bytes(), *what)).collect();
        build::trie(&words)
    }

    /// English expressions that are at home everywhere, and questions for a name.
    pub(crate) fn phrases(&self) -> Result<Vec<u8>, String> {
        let english = self.languages.first().map_or("", |english| english.borrowed.as_str());
        let expressions = english.lines().map(str::trim).filter(|line| !line.is_empty());
        let expressions = expressions.map(|line| (EXPRESSION, Meaning::Hit, line));
        let questions = self.questions.iter().map(|line| (QUESTION, Meaning::Hit, line.as_str()));
        build::phrases(expressions.chain(questions))
            .map_err(|problem| format!("data/words/en.yaml: {problem}"))
    }

    /// For each language the English words that have no place in it, sorted; none for English.
    pub(crate) fn rust(&self) -> String {
        let telling = self.languages.first().map_or("", |english| english.telling.as_str());
        let leftovers = self.languages.iter().enumerate().map(|(at, language)| {
            let own: Vec<&str> =
                language.frequent.split_whitespace().chain(language.borrowed.split_whitespace()).collect();
            let mut words: Vec<&str> =
                telling.split_whitespace().filter(|word| at > 0 && !own.contains(word)).collect();
            words.sort_unstable();
            words.dedup();
            format!("&{words:?}")
        });
        let leftovers: Vec<String> = leftovers.collect();
        format!("static LEFTOVERS: [&[&str]; {}] = [{}];\n", leftovers.len(), leftovers.join(", "))
    }
}
