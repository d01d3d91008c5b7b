//! Cues of interviews (`data/interview`): how people ask, answer, decline and digress.
//!
//! A cue is a word or a short phrase. `word*` stands for every word that begins so. Cues decide where a sentence
//! belongs and whether it may be quoted; how many there are never decides a rating.

use tata_phrases::{Cues, Hit, Style, Word, spelled_as};

use crate::{Language, cues::List};

/// The lists, as the build numbered them: those of all languages in the same order, one language after the other.
pub(super) mod lists {
    use super::List;

    include!(concat!(env!("OUT_DIR"), "/interview.rs"));
}

/// The cues that a sentence has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CueSet(u64);

impl CueSet {
    pub(super) fn has(self, List(list): List) -> bool {
        self.0 & (1 << list) != 0
    }

    pub(super) fn is_protected(self) -> bool {
        lists::PROTECTED.iter().any(|(_, list)| self.has(*list))
    }
}

/// The languages that count, in the order of [`Language::ALL`].
pub(super) type Spoken = [bool; 5];

/// All of them.
pub(super) const ANY: Spoken = [true; 5];

/// Whether a text is exactly one of these words, apart from case.
pub(super) fn is_any(words: &[&str], text: &str) -> bool {
    text.len() <= 120 && words.contains(&text.to_lowercase().trim())
}

/// Whether a speaker is nobody in particular: "Speaker 1".
pub(super) fn is_unnamed(name: &str) -> bool {
    let number = |letter: char| letter.is_numeric() || letter.is_whitespace() || letter == '#';
    is_any(lists::UNNAMED, name.trim_end_matches(number))
}

/// What the words of a text tell, in the languages that count.
pub(super) fn cues(words: &[Word<'_>], spoken: Spoken) -> CueSet {
    let places = places(words).filter(|(_, language, _)| spoken[*language]);
    CueSet(places.fold(0, |cues, (List(list), ..)| cues | 1 << list))
}

/// The same for one word.
pub(super) fn cues_of(word: &Word<'_>, spoken: Spoken) -> CueSet {
    cues(std::slice::from_ref(word), spoken)
}

/// What a text says that nobody may be judged by: the name of the ground, and the words.
pub(super) fn protected(text: &str, language: Language) -> Option<(&'static str, String)> {
    let words = words(text);
    let mut spoken = languages(&words);
    spoken[language as usize] = true;
    places(&words).filter(|(_, language, _)| spoken[*language]).find_map(|(found, _, hit)| {
        let (ground, _) = lists::PROTECTED.into_iter().find(|(_, list)| *list == found)?;
        let written = words.get(hit.first..=hit.last)?.iter().map(|word| word.written(text));
        Some((ground, written.collect::<Vec<_>>().join(" ")))
    })
}

/// The cues of a text: the list of each, the place of its language, and where it stands.
fn places(words: &[Word<'_>]) -> impl Iterator<Item = (List, usize, Hit)> {
    static CUES: Cues<'_> = Cues::of(include_bytes!(concat!(env!("OUT_DIR"), "/interview.cues")));
    // No cue of an interview has a capital letter, so the text does not matter.
    let hits = CUES.all("", words).into_iter();
    hits.map(|hit| (List(hit.id % lists::LISTS), hit.id / lists::LISTS, hit))
}

/// The languages a text is in, by its frequent words; all of them when it has none. Danish and Norwegian are close
/// enough to count together.
pub(super) fn languages(words: &[Word<'_>]) -> Spoken {
    let mut counts = [0_usize; 5];
    let words = words.get(..20_000).unwrap_or(words);
    for (_, language, _) in places(words).filter(|(list, ..)| *list == lists::COMMON) {
        counts[language] += 1;
    }
    let most = counts.into_iter().max().unwrap_or(0);
    if most == 0 { ANY } else { counts.map(|count| count * 5 >= most * 2) }
}

/// The words of a text. `C++`, `C#` and `don't` are words; a hyphen parts them.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    spelled_as(text, Style::Signs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_its_mark() {
        const { assert!(lists::LISTS <= 64) };
    }

    #[test]
    fn the_language_of_speech_is_known_by_its_frequent_words() {
        let check = |text: &str, language: Language| {
            let spoken = languages(&words(text));
            assert!(spoken[language as usize], "{text}: {spoken:?}");
            let others = Language::ALL.into_iter().filter(|other| spoken[*other as usize]).count();
            assert!(others <= 2, "{text}: {spoken:?}");
        };
        check("And then I was the one who had to talk to the customer about it", Language::En);
        check("Och då var det jag som fick prata med kunden om det, inte han", Language::Sv);
        check("Og så var det mig, der skulle tale med kunden om det, ikke ham", Language::Da);
        check("Og så var det meg som måtte snakke med kunden om det, ikke han", Language::No);
        check("Und dann war ich die Person, die das mit dem Kunden besprechen musste", Language::De);
    }
}
