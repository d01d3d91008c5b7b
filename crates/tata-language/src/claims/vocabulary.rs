//! What is known about each word, found out once.

use crate::{
    hash::Map,
    language::Language,
    lists::{Critical, Cue, CueSet, Lists, Numeral, Phrase},
    numbers,
};

/// A word of a vocabulary.
pub(super) type WordId = u32;

/// What is known about a word.
#[derive(Debug)]
pub(super) struct Lexeme {
    pub(super) norm: Box<str>,
    pub(super) stem: Box<str>,
    /// Its stem and its sets of synonyms: words that share one prove each other.
    pub(super) keys: Vec<u32>,
    pub(super) cues: CueSet,
    /// The cues of several words that may begin here.
    pub(super) phrases: &'static [Phrase],
    pub(super) ordinary: bool,
    pub(super) critical: Option<Critical>,
    pub(super) numeral: Option<Numeral>,
}

/// What the lists say of a word.
pub(super) struct Listed {
    pub(super) cues: CueSet,
    pub(super) critical: Option<Critical>,
    pub(super) ordinary: bool,
}

impl Listed {
    pub(super) fn of(lists: &Lists, norm: &str, stem: &str) -> Self {
        let cues = lists.cue(norm);
        // "Helpful" as a plus describes nobody.
        let weighs = cues.has(Cue::Plus) || cues.has(Cue::Must);
        let critical = lists.critical(norm, stem).filter(|_| !weighs);
        // "We are hiring" says something.
        let mut silent = cues;
        silent.remove(Cue::Seek);
        let ordinary =
            critical.is_none() && !cues.has(Cue::Skill) && (silent.any() || lists.ordinary(norm, stem));
        Self { cues, critical, ordinary }
    }
}

/// The words seen so far in one language.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub(super) lists: &'static Lists,
    ids: Map<Box<str>, WordId>,
    words: Vec<Lexeme>,
    stems: Map<Box<str>, u32>,
}

impl Vocabulary {
    pub(super) fn new(language: Language) -> Self {
        Self { lists: Lists::of(language), ids: Map::default(), words: Vec::new(), stems: Map::default() }
    }

    pub(super) fn word(&self, id: WordId) -> Option<&Lexeme> {
        self.words.get(id as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// A word that was seen.
    pub(super) fn seen(&self, norm: &str) -> Option<WordId> {
        self.ids.get(norm).copied()
    }

    /// What the words of a stem are known by, if one was seen.
    pub(super) fn key(&self, stem: &str) -> Option<u32> {
        self.stems.get(stem).copied()
    }

    pub(super) fn id(&mut self, norm: &str) -> WordId {
        if let Some(id) = self.ids.get(norm) {
            return *id;
        }
        let id = WordId::try_from(self.words.len()).unwrap_or(WordId::MAX);
        let word = self.read(norm);
        self.words.push(word);
        self.ids.insert(norm.into(), id);
        id
    }

    fn read(&mut self, norm: &str) -> Lexeme {
        let lists = self.lists;
        let stem: Box<str> = lists.stem(norm).into();
        let next = u32::try_from(self.stems.len()).unwrap_or(u32::MAX / 2);
        let key = *self.stems.entry(stem.clone()).or_insert(next);
        let mut keys = vec![key];
        // Sets count down from the top, stems up from the bottom.
        keys.extend(lists.synonyms(&stem).iter().map(|set| u32::MAX - set));
        let Listed { cues, critical, ordinary } = Listed::of(lists, norm, &stem);
        Lexeme {
            keys,
            cues,
            phrases: lists.phrases(norm),
            ordinary,
            critical,
            numeral: numbers::word(lists, norm),
            norm: norm.into(),
            stem,
        }
    }
}
