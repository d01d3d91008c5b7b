//! Cues of interviews (`data/interview`): how people ask, answer, decline and digress.
//!
//! A cue is a word or a short phrase. `word*` stands for every word that begins so. Cues decide where a sentence
//! belongs and whether it may be quoted; how many there are never decides a rating.

use tata_phrases::{Cues, Style, Word, spelled_as};

/// What a cue tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// A frequent word, by which a language is known.
    Common,
    /// A word of requirements that names no skill.
    Generic,
    /// A word between two clauses.
    Conjunction,
    /// A line the program writes.
    Service,
    /// A speaker who is nobody in particular.
    Unnamed,
    /// The candidate, by role.
    RoleCandidate,
    /// The interviewer, by role.
    RoleInterviewer,
    /// A name that is also a word.
    EverydayName,
    /// A question about motivation.
    AskMotivation,
    /// A question about the career so far.
    AskBackground,
    /// A question about notice and start.
    AskNotice,
    /// A question about pay.
    AskSalary,
    /// A question about the place.
    AskLocation,
    /// A question about languages.
    AskLanguages,
    /// A question that stays with the topic.
    AskMore,
    /// An invitation to tell something, with or without a question mark.
    AskTell,
    /// The speaker.
    Own,
    /// A number in words.
    Number,
    /// No experience.
    Lacking,
    /// Little of it.
    Weak,
    /// The first word of an answer that says no.
    No,
    /// That somebody applied, and says why.
    Applied,
    /// What somebody was or is by profession.
    Career,
    /// Notice.
    Notice,
    /// A start.
    Start,
    /// A time: weeks, months, names of months, at once.
    Period,
    /// Pay, or a currency.
    Pay,
    /// An expectation.
    Expect,
    /// What somebody earns or earned.
    PayHistory,
    /// Where somebody lives.
    Lives,
    /// The place of work.
    Place,
    /// The name of a language.
    LanguageName,
    /// How well somebody speaks.
    LanguageAbility,
    /// Protected: age.
    Age,
    /// Protected: family.
    Family,
    /// Protected: health.
    Health,
    /// Protected: origin.
    Origin,
    /// Protected: religion.
    Religion,
    /// Protected: orientation and identity.
    Orientation,
    /// Protected: union and politics.
    Conviction,
    /// A feeling read from voice or face.
    Emotion,
    /// How somebody sounds.
    Accent,
}

impl Cue {
    /// What nobody may be judged by, and where its name stands in the texts.
    pub(super) const PROTECTED: [(Self, &'static str); 9] = [
        (Self::Age, "candidate.protected.age"),
        (Self::Family, "candidate.protected.family"),
        (Self::Health, "candidate.protected.health"),
        (Self::Origin, "candidate.protected.origin"),
        (Self::Religion, "candidate.protected.religion"),
        (Self::Orientation, "candidate.protected.orientation"),
        (Self::Conviction, "candidate.protected.conviction"),
        (Self::Emotion, "candidate.protected.emotion"),
        (Self::Accent, "candidate.protected.accent"),
    ];
}

/// The cues that a sentence has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(u64);

impl Marks {
    pub(super) fn has(self, cue: Cue) -> bool {
        self.0 & (1 << cue as u64) != 0
    }

    pub(super) fn is_protected(self) -> bool {
        Cue::PROTECTED.iter().any(|(cue, _)| self.has(*cue))
    }
}

/// The languages that count, in the order of [`Language::ALL`].
pub(crate) type Spoken = [bool; 5];

include!(concat!(env!("OUT_DIR"), "/interview.rs"));

impl Cue {
    /// Whether a text is exactly this cue, apart from case and a number: "Speaker 1".
    pub(crate) fn is(self, text: &str) -> bool {
        if text.len() > 120 {
            return false;
        }
        let text = text.to_lowercase();
        let numbered = self == Self::Unnamed;
        let text = text.trim().trim_end_matches(|letter: char| {
            numbered && (letter.is_numeric() || letter.is_whitespace() || letter == '#')
        });
        WRITTEN[self as usize].contains(&text)
    }

    /// Whether a text ends with this cue.
    pub(crate) fn ends(self, text: &str) -> bool {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        WRITTEN[self as usize].iter().any(|known| text.ends_with(known))
    }
}

/// All cues of all languages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexicon(Cues<'static>);

/// A place where a cue stands.
struct Place {
    cue: Cue,
    language: usize,
    first: usize,
    last: usize,
}

impl Lexicon {
    /// The built-in cues.
    pub(crate) const fn get() -> Self {
        Self(Cues::of(include_bytes!(concat!(env!("OUT_DIR"), "/interview.cues"))))
    }

    /// What the words of a text tell, in the languages that count.
    pub(super) fn marks(self, words: &[Word<'_>], spoken: Spoken) -> Marks {
        let places = self.places(words).filter(|place| spoken[place.language]);
        Marks(places.fold(0, |marks, place| marks | 1 << place.cue as u64))
    }

    /// The first words of a text that say one of these, as they are written.
    pub(super) fn first(
        self,
        (text, words): (&str, &[Word<'_>]),
        wanted: impl Fn(Cue) -> bool,
        spoken: Spoken,
    ) -> Option<(Cue, String)> {
        let found = self.places(words).find(|place| spoken[place.language] && wanted(place.cue))?;
        let written = words.get(found.first..=found.last)?.iter().map(|word| word.written(text));
        Some((found.cue, written.collect::<Vec<_>>().join(" ")))
    }

    fn places(self, words: &[Word<'_>]) -> impl Iterator<Item = Place> {
        // No cue of an interview has a capital letter, so the text does not matter.
        self.0.all("", words).into_iter().filter_map(|hit| {
            let (cue, language) = (*CUES.get(hit.id % CUES.len())?, hit.id / CUES.len());
            Some(Place { cue, language, first: hit.first, last: hit.last })
        })
    }

    /// The languages a text is in, by its frequent words; all of them when it has none. Danish and Norwegian are close
    /// enough to count together.
    pub(super) fn languages(self, words: &[Word<'_>]) -> Spoken {
        let mut counts = [0_usize; 5];
        let words = words.get(..20_000).unwrap_or(words);
        for place in self.places(words).filter(|place| place.cue == Cue::Common) {
            counts[place.language] += 1;
        }
        let most = counts.into_iter().max().unwrap_or(0);
        if most == 0 { [true; 5] } else { counts.map(|count| count * 5 >= most * 2) }
    }
}

/// The words of a text. `C++`, `C#` and `don't` are words; a hyphen parts them.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    spelled_as(text, Style::Signs)
}

/// The beginning of a text, so many characters at most.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn every_cue_has_its_list() {
        for (at, cue) in CUES.iter().enumerate() {
            assert_eq!(*cue as usize, at, "{cue:?}");
        }
    }

    #[test]
    fn the_language_of_speech_is_known_by_its_frequent_words() {
        let check = |text: &str, language: Language| {
            let spoken = Lexicon::get().languages(&words(text));
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
