//! The country of a job, told from where the work is: its law is cited, and its rules about pay are named.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::{identify::identify_words, named};
use tata_phrases::{Case, Gap, Word, spelled};

use crate::{
    Language, Texts, Voice,
    lists::{
        COUNTRIES_DENMARK, COUNTRIES_ELSEWHERE, COUNTRIES_GERMAN_WORDS, COUNTRIES_GERMANY, COUNTRIES_NORWAY,
        COUNTRIES_SHARED, COUNTRIES_SWEDEN,
    },
};

/// The most words of a name: "Frankfurt am Main".
const LONGEST_NAME: usize = 4;

named! {
    /// The country of a job.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Country {
        /// Sweden.
        Sweden = "sweden",
        /// Denmark.
        Denmark = "denmark",
        /// Norway.
        Norway = "norway",
        /// Germany.
        Germany = "germany",
        /// Another one, or one that nobody has named.
        Elsewhere = "elsewhere",
    }
}

impl Country {
    /// Where a text in this language is most likely from. English is written everywhere.
    pub(crate) fn of_language(language: Language) -> Self {
        match language {
            Language::En => Self::Elsewhere,
            Language::Sv => Self::Sweden,
            Language::Da => Self::Denmark,
            Language::No => Self::Norway,
            Language::De => Self::Germany,
        }
    }

    /// The country of a place as somebody names it: "Havneholmen, Copenhagen". None where no town or country is known, or
    /// where there are several.
    pub(crate) fn of_place(place: &str) -> Option<Self> {
        only(&spelled(place), |_, _| true)
    }

    /// The country of the four that is called so in one of the languages.
    pub(crate) fn called(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let is_called = |country: &Self| {
            Voice::ALL.into_iter().any(|voice| country.display(Texts::of(voice)).to_lowercase() == name)
        };
        Self::ALL.into_iter().filter(|country| *country != Self::Elsewhere).find(is_called)
    }

    /// The one country that a whole text speaks of, by the names of countries and of towns that nothing else is called.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let words = spelled(text);
        let german = identify_words(&words).is_some_and(|found| found.language == Language::De);
        only(&words, |name, first| {
            let is_word = german && COUNTRIES_GERMAN_WORDS.binary_search(&name).is_ok();
            first.case != Case::Lower && !is_word && COUNTRIES_SHARED.binary_search(&name).is_err()
        })
    }

    /// Where its law holds, in a sentence behind "in".
    pub(crate) fn display(self, texts: &Texts) -> &str {
        texts.get(group!("review.countries").key(self.name()))
    }

    /// What people call it where a job is.
    pub(crate) fn label(self, texts: &Texts) -> &str {
        if self == Self::Elsewhere { texts.get(key!("profile.other_country")) } else { self.display(texts) }
    }

    /// What applicants are to be told of the pay there.
    pub fn pay_rule(self, texts: &Texts) -> &str {
        texts.get(match self {
            Self::Norway => key!("review.pay_rule.norway"),
            Self::Sweden | Self::Denmark | Self::Germany | Self::Elsewhere => key!("review.pay_rule.eu"),
        })
    }
}

/// The one country whose names stand among words. A name may have several words; `counts` is asked with the name and its
/// first word.
fn only(words: &[Word<'_>], counts: impl Fn(&str, &Word<'_>) -> bool) -> Option<Country> {
    let mut found = None;
    let mut next = 0;
    while let Some(word) = words.get(next) {
        let longest = (1..=LONGEST_NAME).rev().find_map(|count| {
            let name = name_of(words.get(next..next + count)?)?;
            let country = named(&name).filter(|_| counts(&name, word))?;
            Some((country, count))
        });
        next += longest.map_or(1, |(_, count)| count);
        match (found, longest) {
            (_, None) => {}
            (None, Some((country, _))) => found = Some(country),
            (Some(known), Some((country, _))) if known == country => {}
            (Some(_), Some(_)) => return None,
        }
    }
    found
}

/// Words as one name, where nothing but blanks and hyphens stands between them.
fn name_of(words: &[Word<'_>]) -> Option<String> {
    let joined = words.iter().skip(1).all(|word| word.gap <= Gap::Blank);
    joined.then(|| words.iter().map(|word| &*word.text).collect::<Vec<_>>().join(" "))
}

/// The country that has this name, or has a town of this name.
fn named(name: &str) -> Option<Country> {
    Country::ALL.into_iter().find(|country| {
        let names: &[&str] = match country {
            Country::Sweden => &COUNTRIES_SWEDEN,
            Country::Denmark => &COUNTRIES_DENMARK,
            Country::Norway => &COUNTRIES_NORWAY,
            Country::Germany => &COUNTRIES_GERMANY,
            Country::Elsewhere => &COUNTRIES_ELSEWHERE,
        };
        names.binary_search(&name).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Country::{Denmark, Elsewhere, Germany, Norway, Sweden};

    #[test]
    fn a_town_or_a_country_tells_where_the_job_is() {
        let check = |place: &str, expected: Option<Country>| {
            assert_eq!(Country::of_place(place), expected, "{place}");
        };
        check("Havneholmen, Copenhagen, three days a week", Some(Denmark));
        check("Malmö (with travel to Lund)", Some(Sweden));
        check("fornebu", Some(Norway));
        check("Mo i Rana", Some(Norway));
        check("Sitzt in Essen", Some(Germany));
        check("Frankfurt am Main", Some(Germany));
        check("Norge", Some(Norway));
        check("Tyskland", Some(Germany));
        check("Helsinki", Some(Elsewhere));
        check("Malmö or Copenhagen", None);
        check("Remote", None);
        check("", None);
    }

    /// A capital is not enough: "Essen" is food, and Anna Lund is nobody's town.
    #[test]
    fn a_text_tells_its_country_where_it_names_one() {
        let check = |text: &str, expected: Option<Country>| {
            assert_eq!(Country::of_text(text), expected, "{text}");
        };
        check("We look for a salesman in Oslo. Norwegian is a plus.", Some(Norway));
        check("You are young.\nLocation: Bergen\nCall Anna Lund.", Some(Norway));
        check("Wir suchen einen jungen Kollegen. Es gibt Essen und Ausflüge zu den Bergen.", None);
        check("We connect Stockholm, Oslo and Hamburg.", None);
        check("a moss green car in a halle", None);
        check("We are a young team.", None);
    }

    #[test]
    fn no_name_belongs_to_two_countries() {
        let lists: [&[&str]; 5] = [
            &COUNTRIES_SWEDEN,
            &COUNTRIES_DENMARK,
            &COUNTRIES_NORWAY,
            &COUNTRIES_GERMANY,
            &COUNTRIES_ELSEWHERE,
        ];
        let mut all: Vec<&str> = lists.concat();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{all:?}");
        let longest = all.iter().map(|name| name.split(' ').count()).max();
        assert!(longest <= Some(LONGEST_NAME));
        for (_, office) in crate::offices() {
            let at: Vec<_> = office.names.iter().map(|name| Country::of_place(name)).collect();
            assert!(at.iter().all(|country| country.is_some() && *country == at[0]), "{:?}", office.names);
        }
    }
}
