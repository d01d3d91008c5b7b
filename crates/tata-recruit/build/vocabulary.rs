//! What the door knows of the languages (`data/words`) and of questions for a name (`data/questions`), as tables.

use std::{collections::BTreeMap, path::Path};

use tata_phrases::build::{self, LANGUAGES, List, Meaning, Section};

/// How many frequent words a language has: with fewer it is not told, and more say little.
const FREQUENT: std::ops::RangeInclusive<usize> = 150..=300;
/// The flag of a whole word among the signs; the lower bits are the languages that have it.
const WHOLE: u32 = 1 << 5;
/// What the phrases mean, as their ids.
const EXPRESSION: usize = 0;
const QUESTION: usize = 1;

/// The files of all languages.
pub(crate) struct Words {
    languages: Vec<Language>,
    questions: Vec<String>,
}

/// The words of a language.
struct Language {
    frequent: Vec<String>,
    parts: Vec<String>,
    /// English only.
    telling: Vec<String>,
    borrowed: Vec<String>,
}

impl Language {
    fn read(path: &Path) -> Result<Self, String> {
        let mut list = List::read(path)?;
        let language = Self {
            frequent: list.entries("words")?,
            parts: list.entries("parts")?,
            telling: list.find("telling").map_or_else(|| Ok(Vec::new()), Section::entries)?,
            borrowed: list.entries("borrowed")?,
        };
        list.end()?;
        let count = language.frequent.len();
        if FREQUENT.contains(&count) {
            Ok(language)
        } else {
            Err(format!("{}: {count} frequent words", path.display()))
        }
    }
}

impl Words {
    /// Reads the files; English comes first.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut words = Self { languages: Vec::new(), questions: Vec::new() };
        for code in LANGUAGES {
            words.languages.push(Language::read(&folder.join("words").join(format!("{code}.txt")))?);
            let path = folder.join("questions").join(format!("{code}.txt"));
            let questions = List::read(&path)?.entries("")?;
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
            for word in &language.frequent {
                *signs.entry(format!(" {word} ")).or_insert(WHOLE) |= 1 << at;
            }
            for part in &language.parts {
                let pattern = match (part.strip_prefix('-'), part.strip_suffix('-')) {
                    (Some(ending), _) => format!("{ending} "),
                    (None, Some(beginning)) => format!(" {beginning}"),
                    (None, None) => part.clone(),
                };
                *signs.entry(pattern).or_default() |= 1 << at;
            }
        }
        let words: Vec<(&[u8], u32)> = signs.iter().map(|(sign, what)| (sign.as_bytes(), *what)).collect();
        build::trie(&words)
    }

    /// English expressions that are at home everywhere, and questions for a name.
    pub(crate) fn phrases(&self) -> Result<Vec<u8>, String> {
        let english = self.languages.first().into_iter().flat_map(|english| &english.borrowed);
        let expressions = english.map(|line| (EXPRESSION, Meaning::Hit, line.as_str()));
        let questions = self.questions.iter().map(|line| (QUESTION, Meaning::Hit, line.as_str()));
        build::phrases(expressions.chain(questions))
            .map_err(|problem| format!("data/words/en.txt: {problem}"))
    }

    /// For each language the English words that have no place in it, sorted; none for English.
    pub(crate) fn rust(&self) -> String {
        let telling = self.languages.first().map_or(&[][..], |english| &english.telling);
        let leftovers = self.languages.iter().enumerate().map(|(at, language)| {
            let own = |word: &&String| language.frequent.contains(word) || language.borrowed.contains(word);
            let mut words: Vec<&String> = telling.iter().filter(|word| at > 0 && !own(word)).collect();
            words.sort_unstable();
            format!("&{words:?}")
        });
        let leftovers: Vec<String> = leftovers.collect();
        format!("static LEFTOVERS: [&[&str]; {}] = [{}];\n", leftovers.len(), leftovers.join(", "))
    }
}
