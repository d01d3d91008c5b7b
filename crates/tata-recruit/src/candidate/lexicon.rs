//! Cue words of interviews, in `data/interview/<language>.yaml`: how people ask, answer, decline and digress.
//!
//! A cue is a word or a short phrase. `word*` stands for every word that begins so. Cues decide where a sentence
//! belongs and whether it may be quoted; how many there are never decides a rating.

use std::{collections::BTreeMap, sync::OnceLock};

use serde::Deserialize;
use tata_core::from_yaml;
use unicode_normalization::UnicodeNormalization;

use crate::{Language, lists::FREQUENT};

const FILES: [(Language, &str); 5] = [
    (Language::En, include_str!("../../data/interview/en.yaml")),
    (Language::Sv, include_str!("../../data/interview/sv.yaml")),
    (Language::Da, include_str!("../../data/interview/da.yaml")),
    (Language::No, include_str!("../../data/interview/no.yaml")),
    (Language::De, include_str!("../../data/interview/de.yaml")),
];

/// What a cue tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// All cues of all languages.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    /// Phrases by their first word.
    whole: BTreeMap<String, Vec<Phrase>>,
    /// Phrases whose first word is only a beginning.
    begun: BTreeMap<String, Vec<Phrase>>,
    /// Phrases as they are written.
    lists: BTreeMap<Cue, Vec<String>>,
}

#[derive(Debug)]
struct Phrase {
    cue: Cue,
    language: Language,
    rest: Vec<String>,
}

impl Lexicon {
    /// The built-in cues.
    pub(crate) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(|| {
            let mut lexicon = Lexicon::default();
            for (language, text) in FILES {
                // A test reads every file, so none of them is ever wrong here.
                lexicon.take(language, from_yaml("data/interview", text).unwrap_or_default());
            }
            lexicon
        })
    }

    fn take(&mut self, language: Language, cues: BTreeMap<Cue, Vec<String>>) {
        for (cue, phrases) in cues {
            for phrase in phrases {
                let spaced = phrase.replace('*', "* ");
                let mut tokens = spaced.split_whitespace().map(str::to_lowercase);
                let Some(first) = tokens.next() else { continue };
                let rest = tokens.collect();
                let (map, first) = match first.strip_suffix('*') {
                    Some(stem) => (&mut self.begun, stem.to_owned()),
                    None => (&mut self.whole, first),
                };
                map.entry(first).or_default().push(Phrase { cue, language, rest });
                self.lists.entry(cue).or_default().push(phrase.to_lowercase());
            }
        }
    }

    /// Whether a text is exactly such a cue, apart from case and a number: "Speaker 1".
    pub(crate) fn is(&self, cue: Cue, text: &str) -> bool {
        if text.len() > 120 {
            return false;
        }
        let text = text.to_lowercase();
        let numbered = cue == Cue::Unnamed;
        let text = text.trim().trim_end_matches(|letter: char| {
            numbered && (letter.is_numeric() || letter.is_whitespace() || letter == '#')
        });
        self.lists.get(&cue).is_some_and(|list| list.iter().any(|known| known == text))
    }

    /// Whether a text ends with such a cue.
    pub(crate) fn ends_with(&self, cue: Cue, text: &str) -> bool {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        self.lists.get(&cue).is_some_and(|list| list.iter().any(|known| text.ends_with(known.as_str())))
    }

    /// What the words of a text tell, in the languages that count.
    pub(super) fn marks(&self, words: &[Word], spoken: Spoken) -> Marks {
        let mut marks = Marks::default();
        self.visit(words, |phrase, _, _| {
            if spoken[phrase.language as usize] {
                marks.0 |= 1 << phrase.cue as u64;
            }
        });
        marks
    }

    /// The first words that say one of these, as they are written.
    pub(super) fn first(
        &self,
        words: &[Word],
        wanted: impl Fn(Cue) -> bool,
        spoken: Spoken,
    ) -> Option<(Cue, String)> {
        let mut found: Option<(usize, usize, Cue)> = None;
        self.visit(words, |phrase, from, to| {
            if spoken[phrase.language as usize] && wanted(phrase.cue) && found.is_none() {
                found = Some((from, to, phrase.cue));
            }
        });
        let (from, to, cue) = found?;
        let written: Vec<&str> = words.get(from..to)?.iter().map(|word| word.written.as_str()).collect();
        Some((cue, written.join(" ")))
    }

    fn visit<'a>(&'a self, words: &[Word], mut visit: impl FnMut(&'a Phrase, usize, usize)) {
        for (at, word) in words.iter().enumerate() {
            let exact = self.whole.get(&word.plain).into_iter().flatten();
            let stems = word.plain.char_indices().take(24).map(|(end, letter)| end + letter.len_utf8());
            let begun = stems.filter_map(|end| self.begun.get(word.plain.get(..end)?)).flatten();
            for phrase in exact.chain(begun) {
                let end = at + 1 + phrase.rest.len();
                let fits = words.get(at + 1..end).is_some_and(|words| {
                    words.iter().zip(&phrase.rest).all(|(word, wanted)| match wanted.strip_suffix('*') {
                        Some(stem) => word.plain.starts_with(stem),
                        None => word.plain == *wanted,
                    })
                });
                if fits {
                    visit(phrase, at, end);
                }
            }
        }
    }

    /// The languages a text is in, by its frequent words; all of them when it has none. Danish and Norwegian are close
    /// enough to count together.
    pub(super) fn languages(&self, words: &[Word]) -> Spoken {
        let mut counts = [0_usize; 5];
        self.visit(words.get(..20_000).unwrap_or(words), |phrase, _, _| {
            if phrase.cue == Cue::Common {
                counts[phrase.language as usize] += 1;
            }
        });
        let most = counts.into_iter().max().unwrap_or(0);
        if most == 0 { [true; 5] } else { counts.map(|count| count * 5 >= most * 2) }
    }
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// In lower case, composed, with a plain apostrophe.
    pub(super) plain: String,
    /// As it is written.
    pub(super) written: String,
    /// Its first character in the text.
    pub(super) start: usize,
    /// The character after its last.
    pub(super) end: usize,
}

impl Word {
    /// Whether it is so frequent that it names nothing.
    pub(super) fn is_frequent(&self) -> bool {
        FREQUENT.binary_search(&self.plain.as_str()).is_ok()
    }

    /// Whether it is this word, in small letters.
    pub(super) fn is(&self, plain: &str) -> bool {
        self.plain == plain
    }

    /// In small letters.
    pub(super) fn lower(&self) -> &str {
        &self.plain
    }
}

/// The words of a text. `C++`, `C#` and `don't` are words; a hyphen parts them.
pub(super) fn words(text: impl IntoIterator<Item = char>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for (at, letter) in text.into_iter().enumerate() {
        let joins = open && matches!(letter, '\'' | '’' | '+' | '#' | '\u{AD}' | '\u{300}'..='\u{36F}');
        if letter.is_alphanumeric() || joins {
            if !open {
                words.push(Word { plain: String::new(), written: String::new(), start: at, end: at });
            }
            if let Some(word) = words.last_mut() {
                word.written.push(letter);
                word.end = at + 1;
            }
            open = true;
        } else {
            open = false;
        }
    }
    for word in &mut words {
        let plain: String =
            word.written.nfc().flat_map(char::to_lowercase).filter(|letter| *letter != '\u{AD}').collect();
        plain.replace('’', "'").trim_end_matches('\'').clone_into(&mut word.plain);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read_and_has_every_cue() {
        let mut first: Option<Vec<Cue>> = None;
        for (language, text) in FILES {
            let cues: BTreeMap<Cue, Vec<String>> = from_yaml(language.code(), text)
                .unwrap_or_else(|error| panic!("{}: {error}", language.code()));
            assert!(cues.values().all(|list| !list.is_empty()), "{}", language.code());
            let keys: Vec<Cue> = cues.into_keys().collect();
            assert_eq!(first.get_or_insert_with(|| keys.clone()), &keys, "{}", language.code());
        }
    }

    #[test]
    fn the_language_of_speech_is_known_by_its_frequent_words() {
        let check = |text: &str, language: Language| {
            let spoken = Lexicon::get().languages(&words(text.chars()));
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
