//! What is known about each word, found out once.

use rustc_hash::FxHashMap;

use crate::{
    language::Language,
    lists::{Critical, Cue, CueSet, Kin, Listed, Lists, Numeral, Phrase},
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

/// What a word says, by the lists.
pub(super) struct Sense {
    pub(super) critical: Option<Critical>,
    /// Whether it says nothing by itself.
    pub(super) ordinary: bool,
}

impl Sense {
    pub(super) fn of(word: &Listed, kin: &Kin, stem: &str) -> Self {
        let cues = word.cues;
        // "Helpful" as a plus describes nobody.
        let weighs = cues.has(Cue::Plus) || cues.has(Cue::Must);
        let by_stem = kin.critical.filter(|_| stem.len() > 3 && !word.ordinary);
        let critical = word.critical.or(by_stem).filter(|_| !weighs);
        // "We are hiring" says something.
        let mut silent = cues;
        silent.remove(Cue::Seek);
        let silent = silent.any() || word.ordinary || kin.ordinary;
        Self { critical, ordinary: critical.is_none() && !cues.has(Cue::Skill) && silent }
    }
}

/// The words seen so far in one language.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub(super) lists: &'static Lists,
    ids: FxHashMap<Box<str>, WordId>,
    words: Vec<Lexeme>,
    stems: FxHashMap<Box<str>, u32>,
}

impl Vocabulary {
    pub(super) fn new(language: Language) -> Self {
        Self {
            lists: Lists::of(language),
            ids: FxHashMap::default(),
            words: Vec::new(),
            stems: FxHashMap::default(),
        }
    }

    pub(super) fn word(&self, id: WordId) -> Option<&Lexeme> {
        self.words.get(id as usize)
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
        let (word, kin) = (lists.word(norm), lists.kin(&stem));
        // Sets count down from the top, stems up from the bottom.
        keys.extend(kin.synonyms.iter().map(|set| u32::MAX - set));
        let Sense { critical, ordinary } = Sense::of(word, kin, &stem);
        Lexeme {
            keys,
            cues: word.cues,
            phrases: word.phrases,
            ordinary,
            critical,
            numeral: numbers::word(lists, norm),
            norm: norm.into(),
            stem,
        }
    }
}
