//! The words that show what a note is about, one file per language that a linguist can edit (`data/cues`).
//!
//! All languages are read at once: Nordic notes are full of English headings, and an old ad may be in another language.

use std::{collections::BTreeMap, sync::OnceLock};

use serde::Deserialize;
use tata_core::{FileError, from_yaml};

use super::{Category, words::Phrases};
use crate::PayPeriod;

const FILES: [(&str, &str); 5] = [
    ("en", include_str!("../../data/cues/en.yaml")),
    ("sv", include_str!("../../data/cues/sv.yaml")),
    ("da", include_str!("../../data/cues/da.yaml")),
    ("no", include_str!("../../data/cues/no.yaml")),
    ("de", include_str!("../../data/cues/de.yaml")),
];

/// What a phrase announces, by the place where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Roles {
    /// As a heading, or before a colon.
    pub(super) heading: Option<Category>,
    /// Before what it marks: "must have X".
    pub(super) before: Option<Category>,
    /// After what it marks: "X is a must".
    pub(super) after: Option<Category>,
    /// Short, at the end of a clause or in brackets: "X (must)".
    pub(super) tag: Option<Category>,
}

/// The cues of all languages.
#[derive(Debug, Default)]
pub(super) struct Cues {
    pub(super) roles: Phrases<Roles>,
    pub(super) modals: Phrases<Option<Category>>,
    pub(super) or: Phrases<()>,
    pub(super) strong: Phrases<()>,
    pub(super) candidates: Phrases<()>,
    pub(super) abilities: Phrases<()>,
    pub(super) says: Phrases<()>,
    pub(super) remarks: Phrases<()>,
    pub(super) finite: Phrases<()>,
    pub(super) strikes: Phrases<()>,
    /// A question that only asks to go on: "anything else?"
    pub(super) more: Phrases<()>,
    /// A question that asks for a decision: "Must we …?"
    pub(super) asks: Phrases<()>,
    /// How somebody is: "patient", "ordningsam".
    pub(super) qualities: Phrases<()>,
    /// "somebody who is": a quality after it says how the person should be.
    pub(super) sought: Phrases<()>,
    /// Small words between those two.
    pub(super) links: Phrases<()>,
    /// "type", "Mensch": what a quality may stand before.
    pub(super) types: Phrases<()>,
    /// German verbs that close a requirement and are no part of it; a task needs them.
    pub(super) verb_tails: Phrases<()>,
    /// "what", "hva som": a question inside a sentence.
    pub(super) what: Phrases<()>,
    /// "since" at the beginning of a clause.
    pub(super) reasons: Phrases<()>,
    /// "then", after "and".
    pub(super) then: Phrases<()>,
    /// "four things": what a sentence counts before it lists it.
    pub(super) things: Phrases<()>,
    /// "before", "senast": what follows is a date.
    pub(super) times: Phrases<()>,
    /// "no", "nein": takes back what was said.
    pub(super) refusals: Phrases<()>,
    /// "Without" in a heading: what stands under it is required.
    pub(super) without: Phrases<()>,
    /// Verbs of necessity on their own: "must", "må".
    pub(super) musts: Phrases<()>,
    /// Who speaks or acts in a sentence that says nothing of the candidate.
    pub(super) subjects: Phrases<()>,
    /// What the recruiter still has to do.
    pub(super) todos: Phrases<()>,
    /// Verbs that say how somebody is or what somebody gets, not what somebody does.
    pub(super) states: Phrases<()>,
    pub(super) adverbs: Phrases<()>,
    pub(super) negations: Phrases<()>,
    pub(super) and: Phrases<()>,
    pub(super) but: Phrases<()>,
    pub(super) because: Phrases<()>,
    pub(super) heads: Phrases<()>,
    pub(super) joins: Phrases<()>,
    pub(super) prepositions: Phrases<()>,
    pub(super) together: Phrases<()>,
    pub(super) fillers: Phrases<()>,
    pub(super) tails: Phrases<()>,
    pub(super) abbreviations: Phrases<()>,
    pub(super) junk: Phrases<()>,
    pub(super) undecided: Phrases<()>,
    pub(super) mail_headers: Phrases<()>,
    pub(super) wrote: Phrases<()>,
    pub(super) greetings: Phrases<()>,
    pub(super) sign_offs: Phrases<()>,
    pub(super) footers: Phrases<()>,
    pub(super) postscripts: Phrases<()>,
    pub(super) team: Phrases<()>,
    pub(super) people: Phrases<()>,
    pub(super) years: Phrases<()>,
    pub(super) at_least: Phrases<()>,
    pub(super) numbers: Phrases<Option<u32>>,
    pub(super) pay_words: Phrases<()>,
    /// Words that open a remark about pay if a number follows: "base", "Paket".
    pub(super) pay_leads: Phrases<()>,
    pub(super) periods: Phrases<Option<PayPeriod>>,
    pub(super) currencies: Phrases<String>,
}

type Lists = BTreeMap<Category, Vec<String>>;
type Place = fn(&mut Roles) -> &mut Option<Category>;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    headings: Lists,
    before: Lists,
    after: Lists,
    tags: Lists,
    modals: Lists,
    or: Vec<String>,
    strong: Vec<String>,
    candidates: Vec<String>,
    abilities: Vec<String>,
    says: Vec<String>,
    remarks: Vec<String>,
    finite: Vec<String>,
    strikes: Vec<String>,
    more: Vec<String>,
    asks: Vec<String>,
    qualities: Vec<String>,
    sought: Vec<String>,
    links: Vec<String>,
    types: Vec<String>,
    verb_tails: Vec<String>,
    what: Vec<String>,
    reasons: Vec<String>,
    then: Vec<String>,
    things: Vec<String>,
    times: Vec<String>,
    refusals: Vec<String>,
    without: Vec<String>,
    musts: Vec<String>,
    subjects: Vec<String>,
    todos: Vec<String>,
    states: Vec<String>,
    adverbs: Vec<String>,
    negations: Vec<String>,
    and: Vec<String>,
    but: Vec<String>,
    because: Vec<String>,
    heads: Vec<String>,
    joins: Vec<String>,
    prepositions: Vec<String>,
    together: Vec<String>,
    fillers: Vec<String>,
    tails: Vec<String>,
    abbreviations: Vec<String>,
    junk: Vec<String>,
    undecided: Vec<String>,
    mail_headers: Vec<String>,
    wrote: Vec<String>,
    greetings: Vec<String>,
    sign_offs: Vec<String>,
    footers: Vec<String>,
    postscripts: Vec<String>,
    team: Vec<String>,
    people: Vec<String>,
    years: Vec<String>,
    at_least: Vec<String>,
    numbers: BTreeMap<String, u32>,
    pay_words: Vec<String>,
    pay_leads: Vec<String>,
    periods: BTreeMap<PayPeriod, Vec<String>>,
    currencies: BTreeMap<String, Vec<String>>,
}

impl Cues {
    /// The built-in cues.
    pub(super) fn get() -> &'static Self {
        static CUES: OnceLock<Cues> = OnceLock::new();
        // The built-in files are read by a test, so none of them is ever wrong here.
        CUES.get_or_init(|| Self::read().unwrap_or_default())
    }

    fn read() -> Result<Self, FileError> {
        let mut cues = Self::default();
        for (code, text) in FILES {
            cues.take(from_yaml(&format!("data/cues/{code}.yaml"), text)?);
        }
        Ok(cues)
    }

    fn take(&mut self, file: File) {
        // The first language that knows a phrase decides; a test says which ones disagree.
        let places: [(Lists, Place); 4] = [
            (file.headings, |roles| &mut roles.heading),
            (file.before, |roles| &mut roles.before),
            (file.after, |roles| &mut roles.after),
            (file.tags, |roles| &mut roles.tag),
        ];
        for (lists, place) in places {
            for (category, phrases) in lists {
                for phrase in phrases {
                    self.roles.add(&phrase, |roles| {
                        place(roles).get_or_insert(category);
                    });
                }
            }
        }
        for (category, phrases) in file.modals {
            for phrase in phrases {
                self.modals.add(&phrase, |value| *value = Some(category));
            }
        }
        let sets = [
            (file.or, &mut self.or),
            (file.strong, &mut self.strong),
            (file.candidates, &mut self.candidates),
            (file.abilities, &mut self.abilities),
            (file.says, &mut self.says),
            (file.remarks, &mut self.remarks),
            (file.finite, &mut self.finite),
            (file.strikes, &mut self.strikes),
            (file.more, &mut self.more),
            (file.asks, &mut self.asks),
            (file.qualities, &mut self.qualities),
            (file.sought, &mut self.sought),
            (file.links, &mut self.links),
            (file.types, &mut self.types),
            (file.verb_tails, &mut self.verb_tails),
            (file.what, &mut self.what),
            (file.reasons, &mut self.reasons),
            (file.then, &mut self.then),
            (file.things, &mut self.things),
            (file.times, &mut self.times),
            (file.refusals, &mut self.refusals),
            (file.without, &mut self.without),
            (file.musts, &mut self.musts),
            (file.subjects, &mut self.subjects),
            (file.todos, &mut self.todos),
            (file.states, &mut self.states),
            (file.adverbs, &mut self.adverbs),
            (file.negations, &mut self.negations),
            (file.and, &mut self.and),
            (file.but, &mut self.but),
            (file.because, &mut self.because),
            (file.heads, &mut self.heads),
            (file.joins, &mut self.joins),
            (file.prepositions, &mut self.prepositions),
            (file.together, &mut self.together),
            (file.fillers, &mut self.fillers),
            (file.tails, &mut self.tails),
            (file.abbreviations, &mut self.abbreviations),
            (file.junk, &mut self.junk),
            (file.undecided, &mut self.undecided),
            (file.mail_headers, &mut self.mail_headers),
            (file.wrote, &mut self.wrote),
            (file.greetings, &mut self.greetings),
            (file.sign_offs, &mut self.sign_offs),
            (file.footers, &mut self.footers),
            (file.postscripts, &mut self.postscripts),
            (file.team, &mut self.team),
            (file.people, &mut self.people),
            (file.years, &mut self.years),
            (file.at_least, &mut self.at_least),
            (file.pay_words, &mut self.pay_words),
            (file.pay_leads, &mut self.pay_leads),
        ];
        for (phrases, set) in sets {
            for phrase in phrases {
                set.add(&phrase, |()| ());
            }
        }
        for (word, number) in file.numbers {
            self.numbers.add(&word, |value| *value = Some(number));
        }
        for (period, phrases) in file.periods {
            for phrase in phrases {
                self.periods.add(&phrase, |value| *value = Some(period));
            }
        }
        for (code, phrases) in file.currencies {
            for phrase in phrases {
                self.currencies.add(&phrase, |value| value.clone_from(&code));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read() {
        Cues::read().unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn no_phrase_means_two_things() {
        let mut known: BTreeMap<(u8, String), (Category, &str)> = BTreeMap::new();
        for (code, text) in FILES {
            let file: File = from_yaml(code, text).unwrap();
            for (place, lists) in [(0, file.headings), (1, file.before), (2, file.after), (3, file.tags)] {
                for (category, phrases) in lists {
                    let mut expanded: Phrases<Vec<String>> = Phrases::default();
                    for phrase in &phrases {
                        expanded.add(phrase, |_| ());
                    }
                    for phrase in expanded.all() {
                        let entry = known.entry((place, phrase.clone())).or_insert((category, code));
                        assert_eq!(entry.0, category, "{phrase:?} in {} and {code}", entry.1);
                    }
                }
            }
        }
    }
}
