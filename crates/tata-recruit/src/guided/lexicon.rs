//! What recruiters say, by meaning: files that a linguist can edit.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use serde::Deserialize;
use tata_core::{FileError, from_yaml};

use super::{
    calendar::{Calendar, DateWords},
    tokens::folded,
};
use crate::Language;

/// A wording, word by word; the last letter of a word may be open.
#[derive(Clone, Debug)]
pub(super) struct Wording {
    pub(super) words: Vec<Pattern>,
    pub(super) concept: u16,
    pub(super) languages: u8,
}

/// One word of a wording.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pattern {
    pub(super) text: String,
    pub(super) open: bool,
}

/// One language's file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    concepts: BTreeMap<String, Vec<String>>,
    slots: BTreeMap<String, Vec<String>>,
    dates: DateWords,
    numbers: Vec<Vec<String>>,
    ordinals: Vec<Vec<String>>,
    last_one: Vec<String>,
    articles: Vec<String>,
}

/// The file that all languages share.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedFile {
    heads: String,
    cities: String,
    positions: String,
    stages: BTreeMap<String, Vec<String>>,
    three_quarters: Vec<String>,
    week_on: Vec<String>,
    in_words: Vec<String>,
    ad_signs: String,
    no_language_after: Vec<String>,
    instead_of: Vec<String>,
    polite: Vec<String>,
}

const FILES: [&str; 5] = [
    include_str!("../../data/guided/en.yaml"),
    include_str!("../../data/guided/sv.yaml"),
    include_str!("../../data/guided/da.yaml"),
    include_str!("../../data/guided/no.yaml"),
    include_str!("../../data/guided/de.yaml"),
];
const SHARED: &str = include_str!("../../data/guided/shared.yaml");

/// Everything the guided model knows, ready to be looked up.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// The names of the concepts, in order.
    concepts: Vec<String>,
    pub(super) wordings: Vec<Wording>,
    /// Wordings by their first word.
    first: BTreeMap<String, Vec<usize>>,
    /// Wordings whose first word is open, by what it begins with.
    open: BTreeMap<String, Vec<usize>>,
    /// Every word that stands in a wording, for slips of the keyboard: by first letter.
    spelled: BTreeMap<char, Vec<String>>,
    slots: BTreeMap<String, Vec<(Vec<String>, u8)>>,
    pub(super) calendar: Calendar,
    numbers: BTreeMap<String, u32>,
    ordinals: BTreeMap<String, u32>,
    last_one: BTreeSet<String>,
    articles: BTreeSet<String>,
    heads: Vec<String>,
    cities: BTreeSet<String>,
    positions: BTreeSet<String>,
    ad_signs: BTreeSet<String>,
    no_language_after: BTreeSet<String>,
    polite: BTreeSet<String>,
    /// 45 minutes in words.
    pub(super) three_quarters: Vec<Vec<String>>,
    /// "a week" before a day.
    pub(super) week_on: Vec<Vec<String>>,
    /// "instead of".
    pub(super) instead_of: Vec<Vec<String>>,
    /// "in" before a number of days.
    pub(super) in_words: Vec<Vec<String>>,
    /// What people call the stages of a funnel, the longest first.
    pub(super) stages: Vec<(Vec<Pattern>, String)>,
}

impl Lexicon {
    /// The built-in files; a test reads them, so none of them is ever wrong here.
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(|| Self::read().unwrap_or_default())
    }

    fn read() -> Result<Self, FileError> {
        let mut lexicon = Self::default();
        for (language, text) in Language::ALL.into_iter().zip(FILES) {
            let file: File = from_yaml(&format!("data/guided/{}.yaml", language.code()), text)?;
            lexicon.add(language, file);
        }
        let shared: SharedFile = from_yaml("data/guided/shared.yaml", SHARED)?;
        let set = |text: &str| text.split_whitespace().map(folded).collect::<BTreeSet<_>>();
        lexicon.heads = set(&shared.heads).into_iter().collect();
        lexicon.cities = set(&shared.cities);
        lexicon.positions = set(&shared.positions);
        lexicon.ad_signs = set(&shared.ad_signs);
        lexicon.no_language_after = shared.no_language_after.iter().map(|word| folded(word)).collect();
        let lists = |list: &[String]| list.iter().map(|wording| words(wording)).collect::<Vec<_>>();
        lexicon.three_quarters = lists(&shared.three_quarters);
        lexicon.week_on = lists(&shared.week_on);
        lexicon.in_words = lists(&shared.in_words);
        lexicon.polite = shared.polite.iter().map(|word| folded(word)).collect();
        lexicon.instead_of = lists(&shared.instead_of);
        for (stage, wordings) in shared.stages {
            lexicon.stages.extend(wordings.iter().map(|wording| (patterns(wording), stage.clone())));
        }
        lexicon.stages.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        lexicon.index();
        Ok(lexicon)
    }

    fn add(&mut self, language: Language, file: File) {
        let bit = 1_u8 << (language as u8);
        for (name, wordings) in file.concepts {
            let at = self.concepts.iter().position(|known| *known == name).unwrap_or_else(|| {
                self.concepts.push(name.clone());
                self.concepts.len() - 1
            });
            let concept = u16::try_from(at).unwrap_or_default();
            for wording in wordings {
                let words = patterns(&wording);
                if !words.is_empty() {
                    self.wordings.push(Wording { words, concept, languages: bit });
                }
            }
        }
        for (name, cues) in file.slots {
            let known = self.slots.entry(name).or_default();
            known.extend(cues.iter().map(|cue| (words(cue), bit)));
            known.sort_by_key(|(cue, _)| std::cmp::Reverse(cue.len()));
        }
        for (numbers, into) in
            [(file.numbers, (&mut self.numbers, 0)), (file.ordinals, (&mut self.ordinals, 1))]
        {
            let (known, first) = into;
            for (value, spellings) in (first..).zip(numbers) {
                for spelling in spellings {
                    known.entry(words(&spelling).join(" ")).or_insert(value);
                }
            }
        }
        self.last_one.extend(file.last_one.iter().map(|word| words(word).join(" ")));
        self.articles.extend(file.articles.iter().map(|word| folded(word)));
        self.calendar.add(&file.dates);
    }

    fn index(&mut self) {
        let mut spelled: BTreeSet<&str> = BTreeSet::new();
        for (at, wording) in self.wordings.iter().enumerate() {
            let Some(first) = wording.words.first() else { continue };
            let map = if first.open { &mut self.open } else { &mut self.first };
            map.entry(first.text.clone()).or_default().push(at);
            spelled.extend(wording.words.iter().map(|word| word.text.as_str()));
        }
        for word in spelled.into_iter().filter(|word| word.chars().count() >= SHORTEST_SLIP) {
            if let Some(letter) = word.chars().next() {
                self.spelled.entry(letter).or_default().push(word.to_owned());
            }
        }
    }

    /// The concept of a name.
    pub(super) fn concept(&self, name: &str) -> Option<u16> {
        u16::try_from(self.concepts.iter().position(|known| known == name)?).ok()
    }

    /// The wordings that may begin with a word.
    pub(super) fn beginning(&self, word: &str) -> Vec<usize> {
        let mut found = self.first.get(word).cloned().unwrap_or_default();
        for (at, letter) in word.char_indices() {
            let end = at + letter.len_utf8();
            found.extend(word.get(..end).and_then(|part| self.open.get(part)).into_iter().flatten());
        }
        found
    }

    /// What a word with a slip of the keyboard was meant to be.
    pub(super) fn meant(&self, word: &str) -> Option<&str> {
        let count = word.chars().count();
        if count < SHORTEST_SLIP || word.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let most = if count < 8 { 1 } else { 2 };
        let near = self.spelled.get(&word.chars().next()?)?;
        let close = |known: &&String| {
            known.chars().count().abs_diff(count) <= most && strsim::osa_distance(known, word) <= most
        };
        near.iter()
            .filter(close)
            .min_by_key(|known| strsim::osa_distance(known, word))
            .map(String::as_str)
    }

    /// Cues of a slot, the longest first.
    pub(super) fn cues(&self, name: &str) -> &[(Vec<String>, u8)] {
        self.slots.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a word is one of a slot's single words.
    pub(super) fn has_cue(&self, name: &str, word: &str) -> bool {
        self.cues(name).iter().any(|(cue, _)| cue.len() == 1 && cue.first().is_some_and(|own| own == word))
    }

    /// A number word.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The place an ordinal names, from 1.
    pub(super) fn ordinal(&self, word: &str) -> Option<u32> {
        self.ordinals.get(word).copied()
    }

    /// Whether a word means the last of a list.
    pub(super) fn is_last(&self, word: &str) -> bool {
        self.last_one.contains(word)
    }

    /// Whether a word is an article.
    pub(super) fn is_article(&self, word: &str) -> bool {
        self.articles.contains(word)
    }

    /// Whether a word is, or ends like, the name of an occupation.
    pub(super) fn is_head(&self, word: &str) -> bool {
        let long = |head: &&String| head.chars().count() >= 5 && word.ends_with(head.as_str());
        self.heads.iter().any(|head| head == word) || self.heads.iter().any(|head| long(&head))
    }

    /// Whether a word is a place.
    pub(super) fn is_city(&self, word: &str) -> bool {
        self.cities.contains(word)
    }

    /// Whether a word is one that ads use and notes do not.
    pub(super) fn is_ad_sign(&self, word: &str) -> bool {
        self.ad_signs.contains(word)
    }

    /// Whether a word is only polite.
    pub(super) fn is_polite(&self, word: &str) -> bool {
        self.polite.contains(word)
    }

    /// Whether a word after the name of a language makes it an adjective of something else.
    pub(super) fn is_no_language(&self, word: &str) -> bool {
        self.no_language_after.contains(word)
    }

    /// The language a mistyped word names.
    pub(super) fn meant_language(&self, word: &str) -> Option<Language> {
        let names = ["english", "swedish", "danish", "norwegian", "german", "svenska", "engelska", "danska", "norska", "deutsch", "englisch"];
        let close = |name: &&str| word.chars().count() >= 6 && strsim::osa_distance(name, word) == 1;
        names.into_iter().find(close).and_then(Language::find)
    }

    /// Whether a word means people to be hired.
    pub(super) fn is_position(&self, word: &str) -> bool {
        self.positions.contains(word)
    }
}

/// Shorter words are too alike for slips to be told from other words.
const SHORTEST_SLIP: usize = 5;

/// The words of a cue.
pub(super) fn words(text: &str) -> Vec<String> {
    super::tokens::tokens(text).into_iter().map(|token| token.text).collect()
}

fn patterns(wording: &str) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for piece in wording.split_whitespace() {
        let open = piece.ends_with('*');
        let mut own: Vec<Pattern> =
            words(piece.trim_end_matches('*')).into_iter().map(|text| Pattern { text, open: false }).collect();
        if let Some(last) = own.last_mut() {
            last.open = open;
        }
        patterns.extend(own);
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read_and_has_what_english_has() {
        let files: Vec<File> = Language::ALL
            .into_iter()
            .zip(FILES)
            .map(|(language, text)| {
                from_yaml(&format!("data/guided/{}.yaml", language.code()), text)
                    .unwrap_or_else(|error| panic!("{error}"))
            })
            .collect();
        let [english, others @ ..] = files.as_slice() else { panic!("no file") };
        for (file, language) in others.iter().zip(&Language::ALL[1..]) {
            assert_eq!(
                file.concepts.keys().collect::<Vec<_>>(),
                english.concepts.keys().collect::<Vec<_>>(),
                "{language:?}"
            );
            assert_eq!(
                file.slots.keys().collect::<Vec<_>>(),
                english.slots.keys().collect::<Vec<_>>(),
                "{language:?}"
            );
            assert_eq!(
                (file.dates.months.len(), file.dates.weekdays.len(), file.numbers.len(), file.ordinals.len()),
                (12, 7, 13, 8),
                "{language:?}"
            );
        }
        Lexicon::read().unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn slips_of_the_keyboard_are_forgiven() {
        let lexicon = Lexicon::get();
        for (slip, meant) in [("requirment", "requirement"), ("screning", "screening"), ("tempalte", "template")] {
            assert_eq!(lexicon.meant(slip), Some(meant));
        }
        assert_eq!(lexicon.meant("ad"), None);
    }
}
