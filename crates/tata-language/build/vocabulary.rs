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
#[derive(Default)]
pub(crate) struct Words {
    /// Words and groups of letters that speak for languages, blanks for the ends of words.
    signs: BTreeMap<String, u32>,
    /// English expressions that are at home everywhere, and questions for a name.
    phrases: Vec<(usize, String)>,
    /// The English words that tell, and for each language those of them that have no place in it, as Rust.
    telling: Vec<String>,
    leftovers: Vec<String>,
}

impl Words {
    /// Reads the files; English comes first.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut words = Self::default();
        for (at, code) in LANGUAGES.iter().enumerate() {
            words.language(at, &folder.join("words").join(format!("{code}.txt")))?;
            let questions = List::read(&folder.join("questions").join(format!("{code}.txt")))?;
            let questions = questions.patterns()?.entries("")?.into_iter();
            words.phrases.extend(questions.map(|question| (QUESTION, question)));
        }
        Ok(words)
    }

    fn language(&mut self, at: usize, path: &Path) -> Result<(), String> {
        let mut list = List::read(path)?;
        let [frequent, parts, borrowed] = ["words", "parts", "borrowed"].map(|name| list.entries(name));
        let (frequent, borrowed) = (frequent?, borrowed?);
        let telling = list.find("telling").map_or_else(|| Ok(Vec::new()), Section::entries)?;
        list.end()?;
        if !FREQUENT.contains(&frequent.len()) {
            return Err(format!("{}: {} frequent words", path.display(), frequent.len()));
        }
        for word in &frequent {
            *self.signs.entry(format!(" {word} ")).or_insert(WHOLE) |= 1 << at;
        }
        for part in parts? {
            let pattern = match (part.strip_prefix('-'), part.strip_suffix('-')) {
                (Some(ending), _) => format!("{ending} "),
                (None, Some(beginning)) => format!(" {beginning}"),
                (None, None) => part,
            };
            *self.signs.entry(pattern).or_default() |= 1 << at;
        }
        let own = |word: &&String| frequent.contains(word) || borrowed.contains(word);
        let mut leftovers: Vec<&String> = self.telling.iter().filter(|word| !own(word)).collect();
        leftovers.sort_unstable();
        self.leftovers.push(format!("WordSet::of(&{leftovers:?})"));
        if at == 0 {
            self.telling = telling;
            self.phrases.extend(borrowed.into_iter().map(|expression| (EXPRESSION, expression)));
        }
        Ok(())
    }

    /// The signs by their letters.
    pub(crate) fn signs(&self) -> Vec<u8> {
        let words: Vec<(&[u8], u32)> =
            self.signs.iter().map(|(sign, what)| (sign.as_bytes(), *what)).collect();
        build::trie(&words)
    }

    /// The phrases.
    pub(crate) fn phrases(&self) -> Result<Vec<u8>, String> {
        build::phrases(self.phrases.iter().map(|(id, phrase)| (*id, Meaning::Hit, phrase.as_str())))
            .map_err(|problem| format!("data/words/en.txt: {problem}"))
    }

    /// For each language the English words that have no place in it, sorted; none for English.
    pub(crate) fn rust(&self) -> String {
        let (count, leftovers) = (self.leftovers.len(), self.leftovers.join(", "));
        format!("static LEFTOVERS: [WordSet; {count}] = [{leftovers}];\n")
    }
}
