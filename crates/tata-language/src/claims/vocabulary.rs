//! What is known about each word, found out once.

use crate::{
    hash::Map,
    language::Language,
    lists::{Critical, Cue, Cues, Lists, Numeral},
    numbers,
};

/// A word of a vocabulary.
pub(super) type WordId = u32;

/// What is known about a word.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) norm: Box<str>,
    pub(super) stem: Box<str>,
    /// Its stem and its sets of synonyms: words that share one prove each other.
    pub(super) keys: Vec<u32>,
    pub(super) cues: Cues,
    /// Whether a cue of several words may begin here.
    pub(super) phrase: bool,
    pub(super) ordinary: bool,
    pub(super) critical: Option<Critical>,
    pub(super) numeral: Option<Numeral>,
}

/// The words seen so far in one language.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub(super) lists: &'static Lists,
    ids: Map<Box<str>, WordId>,
    words: Vec<Word>,
    stems: Map<Box<str>, u32>,
}

impl Vocabulary {
    pub(super) fn new(language: Language) -> Self {
        Self { lists: Lists::of(language), ids: Map::default(), words: Vec::new(), stems: Map::default() }
    }

    pub(super) fn word(&self, id: WordId) -> Option<&Word> {
        self.words.get(id as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
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

    fn read(&mut self, norm: &str) -> Word {
        let lists = self.lists;
        let stem: Box<str> = lists.stem(norm).into();
        let next = u32::try_from(self.stems.len()).unwrap_or(u32::MAX / 2);
        let key = *self.stems.entry(stem.clone()).or_insert(next);
        let mut keys = vec![key];
        // Sets count down from the top, stems up from the bottom.
        keys.extend(lists.synonyms(&stem).iter().map(|set| u32::MAX - set));
        let cues = lists.cue(norm);
        // "Helpful" as a plus describes nobody.
        let weighs = cues.has(Cue::Plus) || cues.has(Cue::Must);
        let critical = lists.critical(norm, &stem).filter(|_| !weighs);
        // "We are hiring" says something.
        let mut silent = cues;
        silent.remove(Cue::Seek);
        Word {
            keys,
            cues,
            phrase: !lists.phrases(norm).is_empty(),
            ordinary: critical.is_none()
                && !cues.has(Cue::Skill)
                && (silent.any() || lists.ordinary(norm, &stem)),
            critical,
            numeral: numbers::word(lists, norm),
            norm: norm.into(),
            stem,
        }
    }
}
