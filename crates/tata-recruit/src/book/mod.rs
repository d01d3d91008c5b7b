//! The word lists of a language (`data/`), made into tables by `build.rs`, and one matcher for all of them.

mod order;

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Language,
    phrases::{Graph, Hit, Matcher, Word, longest},
};
use order::{ELEMENTS, SECTIONS};

include!(concat!(env!("OUT_DIR"), "/book.rs"));

/// The lists of a language, and how they are found in a text.
#[derive(Debug)]
pub(crate) struct Book {
    tables: &'static Tables,
    matcher: Matcher,
}

#[derive(Debug)]
struct Tables {
    inclusion: &'static [Flag],
    banned: &'static [Banned],
    vague: &'static [Vague],
    graph: &'static [u8],
}

/// A phrase that shuts people out.
#[derive(Debug)]
pub(crate) struct Flag {
    /// Its name, the same in every report.
    pub(crate) rule: &'static str,
    /// As a dictionary has it.
    #[cfg_attr(not(test), expect(dead_code, reason = "for people who edit the lists, and for tests"))]
    pub(crate) term: &'static str,
    /// Whom it shuts out.
    pub(crate) category: Category,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// Why, as a name in the texts.
    pub(crate) reason: &'static str,
    /// Better words.
    pub(crate) alternatives: &'static [&'static str],
}

/// A phrase that never reaches candidates.
#[derive(Debug)]
pub(crate) struct Banned {
    /// As a dictionary has it.
    #[cfg_attr(not(test), expect(dead_code, reason = "for people who edit the lists, and for tests"))]
    pub(crate) term: &'static str,
    /// Why.
    pub(crate) family: Family,
    /// Where.
    pub(crate) scope: Scope,
    /// Better words.
    pub(crate) suggestion: &'static str,
}

/// A phrase that says little.
#[derive(Debug)]
pub(crate) struct Vague {
    /// As a dictionary has it.
    #[cfg_attr(not(test), expect(dead_code, reason = "for people who edit the lists, and for tests"))]
    pub(crate) term: &'static str,
    /// What says more.
    pub(crate) alternatives: &'static [&'static str],
}

/// German nouns for persons.
#[derive(Debug)]
pub(crate) struct Titles {
    /// Masculine nouns.
    pub(crate) nouns: &'static [Noun],
    /// Words that end like them and are no persons, with their forms; sorted.
    pub(crate) not_persons: &'static [&'static str],
    /// English titles that mean everybody; sorted.
    pub(crate) english_words: &'static [&'static str],
    /// English titles of several words; sorted.
    pub(crate) english_phrases: &'static [&'static str],
    /// What stands right behind a noun that means all: ":in".
    pub(crate) attached: &'static [&'static str],
    /// What stands in brackets: "m/w/d".
    pub(crate) complete: &'static [&'static str],
    /// What stands in brackets and leaves some out: "m/w".
    pub(crate) incomplete: &'static [&'static str],
    /// Words that say the same.
    pub(crate) meant_for_all: &'static [&'static str],
    /// How far behind its noun a sign may stand.
    pub(crate) within_words: usize,
    /// How far apart the halves of "Kundinnen und Kunden" may stand.
    pub(crate) between_words: usize,
}

/// A masculine noun for persons.
#[derive(Debug)]
pub(crate) struct Noun {
    /// The singular.
    pub(crate) masculine: &'static str,
    /// The feminine noun.
    pub(crate) feminine: &'static str,
    /// All its forms; the first is the singular.
    pub(crate) forms: &'static [&'static str],
    /// Words for all.
    pub(crate) neutral: &'static [&'static str],
    /// What can take its place at the end of a compound.
    pub(crate) neutral_end: Option<&'static str>,
    /// Where in a word it counts.
    pub(crate) stands: Stands,
    /// Whether it is a family name too.
    pub(crate) surname: bool,
}

/// Where in a word a noun counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stands {
    /// At the end.
    End,
    /// Only as the whole word.
    Word,
    /// Only at the end of a longer word.
    Compound,
}

/// German nouns for persons.
pub(crate) fn titles() -> &'static Titles {
    &TITLES
}

/// Why a word is banned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// It promises more than anybody can check.
    Hype,
    /// It tells some people that they are not meant.
    Exclusionary,
}

/// Where a word is banned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In all texts for candidates.
    All,
    /// In messages to people who did not apply.
    Headhunting,
}

/// Whom a phrase shuts out, or what else an inclusion review scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Titles, pronouns, phrases that mean one gender.
    Gender,
    /// Youth and old age.
    Age,
    /// Disability and health.
    Disability,
    /// Mother tongue, accent, origin, citizenship.
    Nationality,
    /// Ethnicity and skin color.
    Ethnicity,
    /// Religion and belief.
    Religion,
    /// Marriage, children, pregnancy.
    Family,
    /// Sexual orientation and gender identity.
    Orientation,
    /// Money, class, car, elite schools.
    Socioeconomic,
    /// German titles that mean men only.
    GermanTitle,
    /// Demands that are higher than the work is.
    Requirements,
    /// Where somebody must live.
    Location,
    /// How hard the text is to read.
    Readability,
    /// What the ad does not say.
    MissingElements,
}

impl Category {
    /// All, in the order of a report.
    pub const ALL: [Self; 14] = [
        Self::Gender,
        Self::Age,
        Self::Disability,
        Self::Nationality,
        Self::Ethnicity,
        Self::Religion,
        Self::Family,
        Self::Orientation,
        Self::Socioeconomic,
        Self::GermanTitle,
        Self::Requirements,
        Self::Location,
        Self::Readability,
        Self::MissingElements,
    ];

    /// Its name in the word lists, in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gender => "gender",
            Self::Age => "age",
            Self::Disability => "disability",
            Self::Nationality => "nationality",
            Self::Ethnicity => "ethnicity",
            Self::Religion => "religion",
            Self::Family => "family",
            Self::Orientation => "orientation",
            Self::Socioeconomic => "socioeconomic",
            Self::GermanTitle => "german_title",
            Self::Requirements => "requirements",
            Self::Location => "location",
            Self::Readability => "readability",
            Self::MissingElements => "missing_elements",
        }
    }

    /// Twice what it counts in the whole: halves are whole numbers then.
    pub(crate) fn weight(self) -> u32 {
        match self {
            Self::Gender
            | Self::Age
            | Self::Disability
            | Self::Ethnicity
            | Self::Religion
            | Self::Orientation => 4,
            Self::Nationality | Self::Family => 3,
            Self::Socioeconomic | Self::GermanTitle => 2,
            Self::Requirements | Self::Location | Self::Readability | Self::MissingElements => 1,
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth a thought.
    Low,
    /// Should be changed.
    Medium,
    /// Must be changed.
    High,
    /// The ad should not be published like this.
    Critical,
}

/// What an ad says that a good ad says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    /// What is paid.
    Pay,
    /// That the process can be adapted.
    Accommodation,
    /// That everybody is welcome.
    EqualOpportunity,
    /// Whom to ask.
    Contact,
    /// Until when to apply.
    Deadline,
    /// Permanent, full time.
    Contract,
    /// Where the work is done.
    Workplace,
}

/// A part of an ad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdSection {
    /// The first line.
    Headline,
    /// What catches the reader.
    Intro,
    /// What the job is.
    RoleDescription,
    /// What is to be done.
    Responsibilities,
    /// What is required.
    Requirements,
    /// What sort of person.
    SoftSkills,
    /// What is welcome.
    GoodToHaves,
    /// With whom.
    Team,
    /// For whom.
    Company,
    /// What is offered.
    Benefits,
    /// How it goes on.
    Process,
    /// What to do now.
    CallToAction,
}

/// What the words of a text are found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// More typical of men, readers think.
    Agentic,
    /// More typical of women, readers think.
    Communal,
    /// Understood by insiders.
    Jargon,
    /// Names a trait to welcome people.
    Welcoming,
    /// What follows is not asked for.
    WaivedBefore,
    /// What came before is not asked for.
    WaivedAfter,
    /// Something a good ad says.
    Element(Element),
    /// The heading of a part.
    Heading(AdSection),
    /// A sentence of a part.
    Cue(AdSection),
}

/// All that the lists find in a text, each list by itself in order.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// What shuts people out, overlaps merged to the longest.
    pub(crate) flags: Vec<(&'static Flag, Hit)>,
    /// What never reaches candidates, overlaps merged to the longest.
    pub(crate) banned: Vec<(&'static Banned, Hit)>,
    /// What says little, overlaps merged to the longest.
    pub(crate) vague: Vec<(&'static Vague, Hit)>,
    /// Everything else.
    pub(crate) signs: Vec<(Sign, Hit)>,
}

impl Book {
    /// The word lists of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Book>; 5] = [const { OnceLock::new() }; 5];
        static TABLES: [&Tables; 5] = [&EN, &SV, &DA, &NO, &DE];
        ALL[language as usize].get_or_init(|| {
            let tables = TABLES[language as usize];
            let graph = Graph::from_bytes(tables.graph).unwrap_or_default();
            // A test finds every term by every matcher, so none of them is ever empty here.
            Self { tables, matcher: Matcher::of(graph).unwrap_or_default() }
        })
    }

    /// Everything that the lists find, in one pass.
    pub(crate) fn read(&self, words: &[Word]) -> Found {
        let Tables { inclusion, banned, vague, .. } = self.tables;
        let [mut flags, mut bans, mut empty] = [const { Vec::new() }; 3];
        let mut signs = Vec::new();
        let (bans_from, vague_from) = (inclusion.len(), inclusion.len() + banned.len());
        let signs_from = vague_from + vague.len();
        for hit in self.matcher.all(words) {
            match hit.id {
                id if id < bans_from => flags.push(hit),
                id if id < vague_from => bans.push(hit),
                id if id < signs_from => empty.push(hit),
                id => signs.extend(Sign::nth(id - signs_from).map(|sign| (sign, hit))),
            }
        }
        signs.sort_by_key(|(_, hit)| (hit.first, hit.last));
        Found {
            flags: entries(flags, inclusion, 0),
            banned: entries(bans, banned, bans_from),
            vague: entries(empty, vague, vague_from),
            signs,
        }
    }

    /// The banned words of a text, in order; of overlapping ones the longest.
    pub(crate) fn banned(&self, words: &[Word]) -> Vec<(&'static Banned, Hit)> {
        self.read(words).banned
    }
}

/// The longest hits of a list, with their entries.
fn entries<T>(hits: Vec<Hit>, list: &'static [T], from: usize) -> Vec<(&'static T, Hit)> {
    let hits = longest(hits).into_iter();
    hits.filter_map(|hit| Some((list.get(hit.id.checked_sub(from)?)?, hit))).collect()
}

impl Sign {
    /// By its number in the tables.
    fn nth(at: usize) -> Option<Self> {
        const FIRST: [Sign; 6] = [
            Sign::Agentic,
            Sign::Communal,
            Sign::Jargon,
            Sign::Welcoming,
            Sign::WaivedBefore,
            Sign::WaivedAfter,
        ];
        if let Some(sign) = FIRST.get(at) {
            return Some(*sign);
        }
        let at = at - FIRST.len();
        if let Some(element) = Element::ALL.get(at) {
            return Some(Self::Element(*element));
        }
        // The headline has neither headings nor cues.
        let at = at - ELEMENTS.len();
        let section = |at: usize| AdSection::ALL.get(at + 1).copied();
        if at < SECTIONS.len() {
            section(at).map(Self::Heading)
        } else {
            section(at - SECTIONS.len()).map(Self::Cue)
        }
    }
}

impl Severity {
    /// Its name in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl Element {
    /// All, in the order of the word lists.
    pub const ALL: [Self; 7] = [
        Self::Pay,
        Self::Accommodation,
        Self::EqualOpportunity,
        Self::Contact,
        Self::Deadline,
        Self::Contract,
        Self::Workplace,
    ];

    /// Its name in the word lists, in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::Accommodation => "accommodation",
            Self::EqualOpportunity => "equal_opportunity",
            Self::Contact => "contact",
            Self::Deadline => "deadline",
            Self::Contract => "contract",
            Self::Workplace => "workplace",
        }
    }
}

impl AdSection {
    /// All, in the order in which a reader expects them.
    pub const ALL: [Self; 12] = [
        Self::Headline,
        Self::Intro,
        Self::RoleDescription,
        Self::Responsibilities,
        Self::Requirements,
        Self::SoftSkills,
        Self::GoodToHaves,
        Self::Team,
        Self::Company,
        Self::Benefits,
        Self::Process,
        Self::CallToAction,
    ];
    /// Its name in reports and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Intro => "intro",
            Self::RoleDescription => "role_description",
            Self::Responsibilities => "responsibilities",
            Self::Requirements => "requirements",
            Self::SoftSkills => "soft_skills",
            Self::GoodToHaves => "good_to_haves",
            Self::Team => "team",
            Self::Company => "company",
            Self::Benefits => "benefits",
            Self::Process => "process",
            Self::CallToAction => "call_to_action",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::spelled;

    #[test]
    fn every_list_is_rich() {
        for language in Language::ALL {
            let Tables { inclusion, banned, vague, .. } = Book::of(language).tables;
            let hype = banned.iter().filter(|entry| entry.family == Family::Hype).count();
            let headhunting = banned.iter().filter(|entry| entry.scope == Scope::Headhunting).count();
            assert!(inclusion.len() >= 300 && vague.len() >= 40, "{language:?}");
            assert!(hype >= 25 && banned.len() - hype >= 20 && headhunting >= 4, "{language:?}");
        }
    }

    #[test]
    fn every_entry_finds_its_own_term() {
        for language in Language::ALL {
            let book = Book::of(language);
            for flag in book.tables.inclusion {
                let found = book.read(&spelled(flag.term)).flags;
                assert!(
                    !found.is_empty(),
                    "{language:?}: the forms of {} do not find {:?}",
                    flag.rule,
                    flag.term
                );
            }
            for entry in book.tables.banned {
                let found = book.read(&spelled(entry.term)).banned;
                assert!(!found.is_empty(), "{language:?}: the forms of {:?} do not find it", entry.term);
            }
            for entry in book.tables.vague {
                let found = book.read(&spelled(entry.term)).vague;
                assert!(!found.is_empty(), "{language:?}: the forms of {:?} do not find it", entry.term);
            }
        }
    }

    #[test]
    fn rules_have_one_name_and_known_reasons() {
        for language in Language::ALL {
            let flags = Book::of(language).tables.inclusion;
            let mut rules: Vec<&str> = flags.iter().map(|flag| flag.rule).collect();
            rules.sort_unstable();
            rules.dedup();
            assert_eq!(rules.len(), flags.len(), "{language:?}: a rule stands twice");
            for flag in flags {
                for voice in crate::Voice::ALL {
                    let key = format!("review.reasons.{}.{}", flag.category.name(), flag.reason);
                    assert_ne!(crate::Texts::of(voice).get(&key), key, "{language:?} {}", flag.rule);
                }
            }
        }
    }

    /// Properties 7, 26 and 32: every entry has better words, and none of them is itself flagged or banned.
    #[test]
    fn no_better_word_is_flagged_or_banned() {
        let mut wrong = Vec::new();
        for language in Language::ALL {
            let Tables { inclusion, banned, .. } = Book::of(language).tables;
            let better =
                inclusion.iter().flat_map(|flag| flag.alternatives.iter().map(|text| (flag.rule, *text)));
            let better = better.chain(banned.iter().map(|entry| (entry.term, entry.suggestion)));
            for (of, text) in better {
                assert!(text.chars().any(char::is_alphanumeric), "{language:?}: {of} has no better word");
                let reading = crate::review::reading::Reading::new(text, language);
                let flags = crate::review::findings::places(&reading, crate::TitleForm::default());
                let flags = flags.into_iter().map(|place| place.rule);
                let bans = reading.found.banned.iter().map(|(entry, _)| entry.term.to_owned());
                wrong.extend(flags.chain(bans).map(|by| format!("{language:?}: {text:?} for {of:?}: {by}")));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_sign_has_a_place_in_the_tables() {
        let all = 6 + ELEMENTS.len() + 2 * SECTIONS.len();
        assert!((0..all).all(|at| Sign::nth(at).is_some()));
        assert!(Sign::nth(all).is_none());
        for (element, name) in Element::ALL.iter().zip(ELEMENTS) {
            assert_eq!(element.name(), name);
        }
    }
}
