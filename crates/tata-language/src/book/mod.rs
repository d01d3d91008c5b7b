//! The word lists of a language (`data/`), made into tables by `build.rs`, and one matcher for all of them.

mod kinds;
mod titles;

use tata_phrases::{Hit, Matcher, Word, longest};

use crate::Language;
pub use kinds::{AdSection, Category, Element, Family, Scope, Severity};
pub use titles::{Noun, Stands, Titles};

include!(concat!(env!("OUT_DIR"), "/book.rs"));

/// The lists of a language, and how they are found in a text.
#[derive(Debug)]
pub struct Book {
    tables: &'static Tables,
    matcher: Matcher<'static>,
}

#[derive(Debug)]
struct Tables {
    inclusion: &'static [Flag],
    banned: &'static [Banned],
    vague: &'static [Vague],
    signs: &'static [Sign],
    graph: &'static [u8],
}

/// A phrase that shuts people out.
#[derive(Debug)]
pub struct Flag {
    /// Its name, the same in every report.
    pub rule: &'static str,
    /// As a dictionary has it.
    pub term: &'static str,
    /// Whom it shuts out.
    pub category: Category,
    /// How bad it is.
    pub severity: Severity,
    /// Why, as a name in the texts.
    pub reason: &'static str,
    /// Better words.
    pub alternatives: &'static [&'static str],
}

/// A phrase that never reaches candidates.
#[derive(Debug)]
pub struct Banned {
    /// As a dictionary has it.
    pub term: &'static str,
    /// Why.
    pub family: Family,
    /// Where.
    pub scope: Scope,
    /// Better words.
    pub suggestion: &'static str,
}

/// A phrase that says little.
#[derive(Debug)]
pub struct Vague {
    /// As a dictionary has it.
    pub term: &'static str,
    /// What says more.
    pub alternatives: &'static [&'static str],
}

/// German nouns for persons.
pub fn titles() -> &'static Titles {
    &TITLES
}

/// What the words of a text are found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
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
pub struct ListHits {
    /// What shuts people out, overlaps merged to the longest.
    pub flags: Vec<(&'static Flag, Hit)>,
    /// What never reaches candidates, overlaps merged to the longest.
    pub banned: Vec<(&'static Banned, Hit)>,
    /// What says little, overlaps merged to the longest.
    pub vague: Vec<(&'static Vague, Hit)>,
    /// Everything else.
    pub signs: Vec<(Sign, Hit)>,
}

impl Book {
    /// The word lists of a language. Nothing is loaded: they are read where the program has them.
    pub fn of(language: Language) -> &'static Self {
        static ALL: [Book; 5] =
            [Book::new(&EN), Book::new(&SV), Book::new(&DA), Book::new(&NO), Book::new(&DE)];
        &ALL[language as usize]
    }

    const fn new(tables: &'static Tables) -> Self {
        Self { tables, matcher: Matcher::of(tables.graph) }
    }

    /// Everything that the lists find, in one pass.
    pub fn read(&self, words: &[Word<'_>]) -> ListHits {
        let Tables { inclusion, banned, vague, signs: all_signs, .. } = self.tables;
        let [mut flags, mut bans, mut empty] = [const { Vec::new() }; 3];
        let mut signs = Vec::new();
        let (bans_from, vague_from) = (inclusion.len(), inclusion.len() + banned.len());
        let signs_from = vague_from + vague.len();
        for hit in self.matcher.all(words) {
            match hit.id {
                id if id < bans_from => flags.push(hit),
                id if id < vague_from => bans.push(hit),
                id if id < signs_from => empty.push(hit),
                id => signs.extend(all_signs.get(id - signs_from).map(|sign| (*sign, hit))),
            }
        }
        signs.sort_by_key(|(_, hit)| (hit.first, hit.last));
        ListHits {
            flags: entries(flags, inclusion, 0),
            banned: entries(bans, banned, bans_from),
            vague: entries(empty, vague, vague_from),
            signs,
        }
    }

    /// Everything that shuts people out.
    pub fn flags(&self) -> &'static [Flag] {
        self.tables.inclusion
    }

    /// The banned words of a text, in order; of overlapping ones the longest.
    pub fn banned(&self, words: &[Word<'_>]) -> Vec<(&'static Banned, Hit)> {
        self.read(words).banned
    }
}

/// The longest hits of a list, with their entries.
fn entries<T>(hits: Vec<Hit>, list: &'static [T], from: usize) -> Vec<(&'static T, Hit)> {
    let hits = longest(hits).into_iter();
    hits.filter_map(|hit| Some((list.get(hit.id.checked_sub(from)?)?, hit))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tata_phrases::spelled;

    fn read(book: &Book, text: &str) -> ListHits {
        let words = spelled(text);
        book.read(&words)
    }

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
                let found = read(book, flag.term).flags;
                assert!(
                    !found.is_empty(),
                    "{language:?}: the forms of {} do not find {:?}",
                    flag.rule,
                    flag.term
                );
            }
            for entry in book.tables.banned {
                let found = read(book, entry.term).banned;
                assert!(!found.is_empty(), "{language:?}: the forms of {:?} do not find it", entry.term);
            }
            for entry in book.tables.vague {
                let found = read(book, entry.term).vague;
                assert!(!found.is_empty(), "{language:?}: the forms of {:?} do not find it", entry.term);
            }
        }
    }

    #[test]
    fn rules_have_one_name() {
        for language in Language::ALL {
            let flags = Book::of(language).tables.inclusion;
            let mut rules: Vec<&str> = flags.iter().map(|flag| flag.rule).collect();
            rules.sort_unstable();
            rules.dedup();
            assert_eq!(rules.len(), flags.len(), "{language:?}: a rule stands twice");
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
                let reading = crate::review::Reading::new(text, language);
                let flags = crate::review::places(&reading, crate::review::TitleForm::default());
                let flags = flags.into_iter().map(|place| place.rule);
                let bans = reading.found.banned.iter().map(|(entry, _)| entry.term.to_owned());
                wrong.extend(flags.chain(bans).map(|by| format!("{language:?}: {text:?} for {of:?}: {by}")));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
