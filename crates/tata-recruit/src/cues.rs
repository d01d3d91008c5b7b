//! Cues of `data/` in a text: words that give something away.

use tata_phrases::{Cues, Hit, Style, Word, spelled_as};

/// A list of cues, as the build numbered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List(pub(crate) usize);

/// The words of a text, and the cues among them.
#[derive(Debug)]
pub(crate) struct Cued<'a> {
    text: &'a str,
    words: Vec<Word<'a>>,
    hits: Vec<Hit>,
}

impl<'a> Cued<'a> {
    /// Looks for cues in a text. `C++`, `C#` and `.NET` are words; an apostrophe parts them.
    pub(crate) fn of(text: &'a str, cues: Cues<'_>) -> Self {
        let words = spelled_as(text, Style::Parts);
        let hits = cues.all(text, &words);
        Self { text, words, hits }
    }

    /// The words.
    pub(crate) fn words(&self) -> &[Word<'a>] {
        &self.words
    }

    /// The words of a cue as they stand.
    pub(crate) fn written(&self, cue: &Hit) -> String {
        let words = self.words.get(cue.first..=cue.last).unwrap_or_default();
        words.iter().map(|word| word.written(self.text)).collect::<Vec<_>>().join(" ")
    }

    /// The cues of a list, in order.
    pub(crate) fn all(&self, list: List) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(move |hit| hit.id == list.0)
    }

    /// Whether there is a cue of a list.
    pub(crate) fn has(&self, list: List) -> bool {
        self.all(list).next().is_some()
    }
}
