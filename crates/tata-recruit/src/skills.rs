//! Words that give a requirement or a question away (`data/skills`).

use std::collections::BTreeSet;

use tata_phrases::{Cues, Hit};

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
pub(crate) struct FoundCue {
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

    /// The words in lower case, each once.
    pub(crate) fn set(&self) -> BTreeSet<&str> {
        self.0.words().iter().map(|word| &*word.text).collect()
    }

    /// The first cue of a list.
    pub(crate) fn find(&self, list: List, language: Language) -> Option<FoundCue> {
        self.first(list, &[language])
    }

    /// The first cue of a list in one of these languages.
    pub(crate) fn first(&self, list: List, languages: &[Language]) -> Option<FoundCue> {
        self.cues(list, languages).into_iter().min_by_key(|hit| hit.at)
    }

    /// Every cue of a list, in order.
    pub(crate) fn all(&self, list: List, language: Language) -> Vec<FoundCue> {
        self.cues(list, &[language])
    }

    /// The cues of a list in these languages, one language after the other. What is harmless in one is no cue in
    /// another: "IT-bransjen", "en travel hverdag".
    fn cues(&self, List(list): List, languages: &[Language]) -> Vec<FoundCue> {
        let found = |from: usize| {
            let lists =
                languages.iter().map(move |language| lists::LISTS * (from + *language as usize) + list);
            lists.flat_map(move |list| self.0.all(List(list)))
        };
        let harmless: Vec<&Hit> = found(Language::ALL.len()).collect();
        let covers = |cue: &Hit| harmless.iter().any(|fine| fine.first <= cue.last && cue.first <= fine.last);
        let cues = found(0).filter(|cue| !covers(cue));
        cues.map(|cue| FoundCue { at: cue.first, text: self.0.written(cue) }).collect()
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
