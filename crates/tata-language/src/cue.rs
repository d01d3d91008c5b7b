//! What the lists may say of a word: shared with the build, which writes it down.

use tata_phrases::named;

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

/// A set of cues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CueSet(pub(crate) u32);

impl CueSet {
    pub(crate) fn of(cue: Cue) -> Self {
        Self(1 << cue as u8)
    }

    pub(crate) fn has(self, cue: Cue) -> bool {
        self.0 & Self::of(cue).0 != 0
    }

    pub(crate) fn any(self) -> bool {
        self.0 != 0
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn remove(&mut self, cue: Cue) {
        self.0 &= !Self::of(cue).0;
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
pub(crate) type Phrase = (&'static [&'static str], CueSet);

/// What is said of a word.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Whether it says nothing by itself.
    pub(crate) ordinary: bool,
    pub(crate) cues: CueSet,
    /// The cues of several words that may begin with it.
    pub(crate) phrases: &'static [Phrase],
    pub(crate) critical: Option<Critical>,
    pub(crate) numeral: Option<Numeral>,
}

/// What is said of all words of a stem.
#[derive(Debug, Default)]
pub(crate) struct Kin {
    /// Whether they say nothing by themselves.
    pub(crate) ordinary: bool,
    pub(crate) critical: Option<Critical>,
    /// The sets of synonyms that they belong to.
    pub(crate) synonyms: &'static [u32],
}
