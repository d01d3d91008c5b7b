//! Words that give a requirement or a question away (`data/skills`).

use tata_phrases::{Cues, Hit as Place};

use crate::{
    Language,
    cues::{Cued, List},
};

/// The lists, as the build numbered them: English ones first, then as many for each other language.
pub(crate) mod lists {
    use super::List;

    include!(concat!(env!("OUT_DIR"), "/skills.rs"));
}

static CUES: Cues<'_> = Cues::of(include_bytes!(concat!(env!("OUT_DIR"), "/skills.cues")));

/// Where a cue was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The number of its first word.
    pub(crate) at: usize,
    /// The words as they stand there.
    pub(crate) text: String,
}

/// The words of a requirement or a question.
pub(crate) struct Words<'a>(Cued<'a>);

impl<'a> Words<'a> {
    /// The words of a text.
    pub(crate) fn of(text: &'a str) -> Self {
        Self(Cued::of(text, CUES))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.words().len()
    }

    /// The words in lower case, sorted, each once.
    pub(crate) fn set(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.0.words().iter().map(|word| &*word.text).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The first cue of a list.
    pub(crate) fn find(&self, list: List, language: Language) -> Option<Hit> {
        self.all(list, language).into_iter().next()
    }

    /// Every cue of a list, in order.
    pub(crate) fn all(&self, list: List, language: Language) -> Vec<Hit> {
        self.all_but(list, language, &self.hidden(list, language))
    }

    /// Which words a harmless cue of a list covers.
    pub(crate) fn hidden(&self, List(list): List, language: Language) -> Vec<bool> {
        let mut hidden = vec![false; self.count()];
        let harmless = List(lists::LISTS * (Language::ALL.len() + language as usize) + list);
        for Place { first, last, .. } in self.0.all(harmless) {
            hidden.iter_mut().take(last + 1).skip(*first).for_each(|word| *word = true);
        }
        hidden
    }

    /// Every cue of a list of which no word is hidden, in order.
    pub(crate) fn all_but(&self, List(list): List, language: Language, hidden: &[bool]) -> Vec<Hit> {
        let cues = self.0.all(List(lists::LISTS * language as usize + list));
        let cues = cues.filter(|cue| !hidden.iter().take(cue.last + 1).skip(cue.first).any(|hidden| *hidden));
        cues.map(|cue| Hit { at: cue.first, text: self.0.written(cue) }).collect()
    }
}

/// Whether a word is a name that keeps its capital letter wherever it stands: a language in English, a program, a firm.
pub(crate) fn is_name(word: &str) -> bool {
    let words = Words::of(word);
    [lists::NAMES, lists::LANGUAGE_NAMES].iter().any(|list| words.find(*list, Language::En).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_shown_as_they_stand() {
        let find = |list: List, text: &str| Words::of(text).find(list, Language::En).map(|hit| hit.text);
        assert_eq!(find(lists::TECHNICAL, "C# and .NET").as_deref(), Some("C#"));
        assert_eq!(find(lists::TECHNICAL, "and .NET").as_deref(), Some(".NET"));
        assert_eq!(find(lists::DRIVING, "a driver’s license").as_deref(), Some("driver s license"));
        assert_eq!(find(lists::TECHNICAL, "go to market"), None);
        assert_eq!(find(lists::TECHNICAL, "Go").as_deref(), Some("Go"));
    }

    #[test]
    fn harmless_words_hide_what_they_cover() {
        let (_, health) = lists::PROTECTED.into_iter().find(|(topic, _)| *topic == "health").unwrap();
        let find = |text: &str| Words::of(text).find(health, Language::En).map(|hit| hit.at);
        assert_eq!(find("health and safety"), None);
        assert_eq!(find("health and safety, your health"), Some(4));
    }
}
