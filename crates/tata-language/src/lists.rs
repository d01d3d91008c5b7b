//! The word lists, read at first use. `data/README.md` says what they are for; a test says which line is wrong.

use std::sync::OnceLock;

use crate::{
    hash::{Map, Set},
    language::Language,
    named,
    stem::{Endings, stem},
};

named! {
    /// What a word or a phrase does to the words around it.
    #[repr(u8)]
    pub(crate) enum Cue {
        /// "Not": negates its clause.
        Negation = "negation",
        /// "No", "without": negates what comes after it in its clause.
        No = "no",
        /// Who asks: "we".
        We = "we",
        /// "Can": enough where a source is limited.
        Can = "can",
        /// Holds a negation that is none: "not only".
        Neutral = "neutral",
        /// "Perhaps": a source that says it proves no plain statement.
        Hedge = "hedge",
        /// "Sometimes", "a chance": the statement is limited.
        Soft = "soft",
        /// "Required".
        Must = "must",
        /// "An advantage".
        Plus = "plus",
        /// "Nice": says less than a plus, and yet no must.
        Wish = "wish",
        /// Begins a condition.
        If = "if",
        /// Begins a clause of its own.
        But = "but",
        /// Joins words or clauses.
        And = "and",
        /// A pronoun that a verb belongs to.
        Subject = "subject",
        /// What stands before a verb.
        Modal = "modal",
        /// "Every".
        Every = "every",
        /// Between the ends of a range.
        To = "to",
        /// "Per cent".
        Percent = "percent",
        /// Ends in a point that ends no sentence.
        Abbreviation = "abbreviation",
        /// "At least".
        AtLeast = "atleast",
        /// "Up to".
        UpTo = "upto",
        /// "About".
        About = "about",
        /// "We are looking for".
        Seek = "seek",
        /// "Experience", "knowledge": proven where a source speaks of requirements at all.
        Skill = "skill",
    }
}

/// A set of cues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cues(u32);

impl Cues {
    pub(crate) fn has(self, cue: Cue) -> bool {
        self.0 & (1 << cue as u8) != 0
    }

    pub(crate) fn any(self) -> bool {
        self.0 != 0
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn remove(&mut self, cue: Cue) {
        self.0 &= !(1 << cue as u8);
    }

    fn of(cue: Cue) -> Self {
        Self(1 << cue as u8)
    }
}

named! {
    /// What a word claims that must stand in a source in so many words.
    pub(crate) enum Critical {
        Benefit = "benefit",
        Pay = "pay",
        Promise = "promise",
        Superlative = "superlative",
        Trait = "trait",
    }
}

/// A word for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numeral {
    /// "Five".
    Count(u64),
    /// "Fifth".
    Order(u64),
    /// "Other", as in "every other".
    Turn(u64),
    /// "Thousand".
    Scale(u64),
    /// "March".
    Month(u8),
}

/// A cue of several words: the words after the first.
pub(crate) type Phrase = (Vec<&'static str>, Cues);

/// The lists of one language.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) language: Language,
    endings: Endings,
    ordinary: Set<&'static str>,
    ordinary_stems: Set<String>,
    cues: Map<&'static str, Cues>,
    phrases: Map<&'static str, Vec<Phrase>>,
    critical: Map<&'static str, Critical>,
    critical_stems: Map<String, Critical>,
    synonyms: Map<String, Vec<u32>>,
    numbers: Map<&'static str, Numeral>,
}

struct Files {
    ordinary: &'static str,
    cues: &'static str,
    critical: &'static str,
    synonyms: &'static str,
    endings: &'static str,
    numbers: &'static str,
}

macro_rules! files {
    ($code:literal) => {
        Files {
            ordinary: include_str!(concat!("../data/", $code, "/ordinary.txt")),
            cues: include_str!(concat!("../data/", $code, "/cues.txt")),
            critical: include_str!(concat!("../data/", $code, "/critical.txt")),
            synonyms: include_str!(concat!("../data/", $code, "/synonyms.txt")),
            endings: include_str!(concat!("../data/", $code, "/endings.txt")),
            numbers: include_str!(concat!("../data/", $code, "/numbers.txt")),
        }
    };
}

static FILES: [Files; 5] = [files!("en"), files!("sv"), files!("da"), files!("no"), files!("de")];

impl Lists {
    /// The lists of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static LISTS: [OnceLock<Lists>; 5] = [const { OnceLock::new() }; 5];
        let (cell, files) = (&LISTS[language.index()], &FILES[language.index()]);
        cell.get_or_init(|| Self::read(language, files))
    }

    fn read(language: Language, files: &'static Files) -> Self {
        let mut lists = Self {
            language,
            endings: Endings::new(entries(files.endings).map(|(_, entry)| entry)),
            ordinary: entries(files.ordinary).map(|(_, entry)| entry).collect(),
            ordinary_stems: Set::default(),
            cues: Map::default(),
            phrases: Map::default(),
            critical: Map::default(),
            critical_stems: Map::default(),
            synonyms: Map::default(),
            numbers: Map::default(),
        };
        // A short stem says too little about its kin.
        let stems = lists.ordinary.iter().map(|word| lists.stem(word));
        lists.ordinary_stems = stems.filter(|stem| stem.chars().count() > 4).collect();
        lists.read_cues(files.cues);
        for (section, entry) in entries(files.critical) {
            if let Some(critical) = Critical::find(section) {
                lists.critical.insert(entry, critical);
                if critical != Critical::Superlative {
                    lists.critical_stems.insert(lists.stem(entry), critical);
                }
            }
        }
        for (group, (_, line)) in (0_u32..).zip(entries(files.synonyms)) {
            for word in line.split(' ') {
                let groups = lists.synonyms.entry(lists.stem(word)).or_default();
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        }
        lists.numbers = entries(files.numbers)
            .filter_map(|(_, entry)| entry.split_once(" = "))
            .filter_map(|(word, value)| Some((word, number(value)?)))
            .collect();
        lists
    }

    fn read_cues(&mut self, text: &'static str) {
        for (section, entry) in entries(text) {
            let Some(cue) = Cue::find(section) else { continue };
            let mut words = entry.split(' ');
            let first = words.next().unwrap_or(entry);
            let rest: Vec<&str> = words.collect();
            if rest.is_empty() {
                self.cues.entry(first).or_default().add(Cues::of(cue));
            } else {
                self.phrases.entry(first).or_default().push((rest, Cues::of(cue)));
            }
        }
    }

    pub(crate) fn stem(&self, norm: &str) -> String {
        stem(self.language, &self.endings, norm)
    }

    /// Whether a word says nothing by itself.
    pub(crate) fn ordinary(&self, norm: &str, stem: &str) -> bool {
        self.ordinary.contains(norm) || self.ordinary_stems.contains(stem)
    }

    /// Whether this very form is on the list of ordinary words.
    pub(crate) fn listed(&self, norm: &str) -> bool {
        self.ordinary.contains(norm)
    }

    pub(crate) fn cue(&self, norm: &str) -> Cues {
        self.cues.get(norm).copied().unwrap_or_default()
    }

    /// The phrases that begin with a word.
    pub(crate) fn phrases(&self, norm: &str) -> &[Phrase] {
        self.phrases.get(norm).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn critical(&self, norm: &str, stem: &str) -> Option<Critical> {
        let kin = || self.critical_stems.get(stem).filter(|_| stem.len() > 3 && !self.listed(norm));
        self.critical.get(norm).or_else(kin).copied()
    }

    /// The sets of synonyms that a stem belongs to.
    pub(crate) fn synonyms(&self, stem: &str) -> &[u32] {
        self.synonyms.get(stem).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn numeral(&self, norm: &str) -> Option<Numeral> {
        self.numbers.get(norm).copied()
    }
}

fn number(text: &str) -> Option<Numeral> {
    if let Some(scale) = text.strip_prefix('x') {
        scale.parse().ok().map(Numeral::Scale)
    } else if let Some(month) = text.strip_prefix('m') {
        month.parse().ok().map(Numeral::Month)
    } else if let Some(order) = text.strip_suffix('.') {
        order.parse().ok().map(Numeral::Order)
    } else if let Some(turn) = text.strip_suffix('?') {
        turn.parse().ok().map(Numeral::Turn)
    } else {
        text.parse().ok().map(Numeral::Count)
    }
}

/// The entries of a file, each with the section it stands in: `[section]`, then its entries, one a line.
pub fn entries(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut section = "";
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(
        move |line| {
            let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
            if let Some(heading) = heading {
                section = heading;
                return None;
            }
            Some((section, line))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folded;

    /// The entries of each section are in order and stand there once.
    fn sorted(name: &str, text: &'static str) {
        let all: Vec<_> = entries(text).collect();
        for pair in all.windows(2) {
            assert!(pair[0].0 != pair[1].0 || pair[0].1 < pair[1].1, "{name}: {pair:?}");
        }
        for (_, entry) in all {
            assert_eq!(folded(entry), entry, "{name}: not in its normalised form");
        }
    }

    #[test]
    fn lists_are_sorted_whole_and_known() {
        for (language, files) in Language::ALL.into_iter().zip(&FILES) {
            let code = language.code();
            for (name, text) in [
                ("ordinary", files.ordinary),
                ("cues", files.cues),
                ("critical", files.critical),
                ("synonyms", files.synonyms),
                ("endings", files.endings),
                ("numbers", files.numbers),
            ] {
                sorted(&format!("{code}/{name}"), text);
            }
            assert!(entries(files.cues).all(|(section, _)| Cue::find(section).is_some()), "{code}/cues");
            for section in Cue::ALL.map(Cue::name).into_iter().filter(|name| *name != "percent") {
                assert!(
                    entries(files.cues).any(|(found, _)| found == section),
                    "{code}/cues lacks {section}"
                );
            }
            assert!(
                entries(files.critical).all(|(section, _)| Critical::find(section).is_some()),
                "{code}/critical"
            );
            for (_, line) in entries(files.synonyms) {
                assert!(line.split(' ').count() > 1, "{code}/synonyms: {line:?} is no set");
            }
            for (_, line) in entries(files.numbers) {
                let value = line.split_once(" = ").and_then(|(_, value)| number(value));
                assert!(value.is_some(), "{code}/numbers: {line:?}");
            }
        }
    }

    #[test]
    fn no_word_is_both_ordinary_and_critical() {
        for language in Language::ALL {
            let lists = Lists::of(language);
            let both: Vec<_> =
                lists.ordinary.iter().filter(|word| lists.critical.contains_key(*word)).collect();
            assert!(both.is_empty(), "{}: {both:?}", language.code());
        }
    }
}
