//! The names of the sections of `data/cues` and `data/critical`, which the build reads too.

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
