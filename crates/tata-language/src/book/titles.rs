//! German nouns for persons, found by how a word ends.

use tata_phrases::Trie;

/// German nouns for persons.
#[derive(Debug)]
pub struct Titles {
    /// Masculine nouns.
    pub nouns: &'static [Noun],
    /// Their forms, and words that end like them and are no persons, by their letters from the last to the first.
    pub(super) by_ending: &'static [u8],
    /// What each of these is: the nouns, and which form of each; or none, if it is no person.
    pub(super) endings: &'static [&'static [(u16, u16)]],
    /// English titles that mean everybody; sorted.
    pub english_words: &'static [&'static str],
    /// English titles of several words; sorted.
    pub english_phrases: &'static [&'static str],
    /// What stands right behind a noun that means all: ":in".
    pub attached: &'static [&'static str],
    /// What stands in brackets: "m/w/d".
    pub complete: &'static [&'static str],
    /// What stands in brackets and leaves some out: "m/w".
    pub incomplete: &'static [&'static str],
    /// Words that say the same.
    pub meant_for_all: &'static [&'static str],
    /// Nouns for those whom the work is done for, by their singular: never the title of an applicant.
    pub customers: &'static [&'static str],
    /// How far behind its noun a sign may stand.
    pub within_words: usize,
    /// How far apart the halves of "Kundinnen und Kunden" may stand.
    pub between_words: usize,
}

/// A masculine noun for persons.
#[derive(Debug)]
pub struct Noun {
    /// The singular.
    pub masculine: &'static str,
    /// The feminine noun.
    pub feminine: &'static str,
    /// All its forms; the first is the singular.
    pub forms: &'static [&'static str],
    /// Words for all.
    pub neutral: &'static [&'static str],
    /// What can take its place at the end of a compound.
    pub neutral_end: Option<&'static str>,
    /// Where in a word it counts.
    pub stands: Stands,
    /// Whether it is a family name too.
    pub surname: bool,
}

/// Where in a word a noun counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// At the end.
    End,
    /// Only as the whole word.
    Word,
    /// Only at the end of a longer word.
    Compound,
}

impl Titles {
    /// The noun a word ends with, and the form of it that stands here.
    pub fn noun_of(&self, word: &str) -> Option<(&'static Noun, &'static str)> {
        let mut found = None;
        let trie = Trie::of(self.by_ending);
        trie.along(word.bytes().rev(), |ending, length| {
            let of = self.endings.get(ending as usize).copied().unwrap_or_default();
            let mut fits = of.iter().filter_map(|(noun, form)| {
                let noun = self.nouns.get(usize::from(*noun))?;
                let stands = match noun.stands {
                    Stands::End => true,
                    Stands::Word => word.len() == length,
                    Stands::Compound => word.len() > length,
                };
                stands.then_some((noun, *noun.forms.get(usize::from(*form))?))
            });
            // The longest ending counts, and what is no person counts as much.
            found = if of.is_empty() { None } else { fits.next_back().or(found) };
        });
        found
    }
}
