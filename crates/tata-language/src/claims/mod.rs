//! Does a text say only what its sources say?
//!
//! Each sentence is held against the best one to three sentences of the sources. Numbers, dates, names, benefits, pay,
//! promises, superlatives, traits and the strength of a requirement must stand there; other words must be covered by
//! their form, a stem, the parts of a compound or a synonym, or say nothing by themselves. Negation and doubt count.
//! Nothing here understands a sentence: it finds what is not proven, for a person or a model to look at.

mod cover;
mod index;
mod judge;
mod pick;
mod reading;
mod rules;
mod vocabulary;

use tata_phrases::named;

use self::{index::Index, judge::Judge};
use crate::{
    detect::{Detected, detect, detect_within},
    language::Language,
    sentences::sentences,
    spans::Span,
    tokens::{Token, tokens},
};

/// A sentence of the text and what was found about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence<'t> {
    /// As it stands.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
    /// The parts that no source proves; empty for a supported sentence.
    pub unproven: Vec<Unproven<'t>>,
    /// The sentences of the sources that prove the rest.
    pub evidence: Vec<Evidence>,
    /// Whether the evidence is in another language, so that only numbers, dates and names were checked.
    pub translated: bool,
}

impl Sentence<'_> {
    /// Whether all of it is proven.
    pub fn supported(&self) -> bool {
        self.unproven.is_empty()
    }
}

/// A part of a sentence that no source proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproven<'t> {
    /// As it stands.
    pub text: &'t str,
    /// Its place in the text.
    pub span: Span,
    /// What is missing.
    pub reason: Reason,
}

/// Where a sentence of a source stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence {
    /// Which source, counted from 0.
    pub source: usize,
    /// Its place there.
    pub span: Span,
}

named! {
    /// Why a part is not proven.
    pub enum Reason {
        /// A number or a date that no source has.
        Value = "value",
        /// A name, a place or a product.
        Name = "name",
        /// A benefit.
        Benefit = "benefit",
        /// Something about pay.
        Pay = "pay",
        /// A promise.
        Promise = "promise",
        /// A superlative.
        Superlative = "superlative",
        /// What people are like.
        Trait = "trait",
        /// Words in quotation marks that nobody said like that.
        Quotation = "quotation",
        /// Another word.
        Word = "word",
        /// The source says the opposite.
        Negation = "negation",
        /// The source is less certain.
        Doubt = "doubt",
        /// A plus became a must, or the other way round.
        Strength = "strength",
        /// "At least" became "up to", or "about" was lost.
        Bound = "bound",
        /// Each part stands somewhere, but not together.
        Combined = "combined",
    }
}

impl Reason {
    /// In plain words.
    pub fn explained(self) -> &'static str {
        match self {
            Self::Value => "no source has this number or date",
            Self::Name => "no source has this name",
            Self::Benefit => "no source speaks of this benefit",
            Self::Pay => "no source says this about pay",
            Self::Promise => "no source promises this",
            Self::Superlative => "no source says so",
            Self::Trait => "no source describes people like this",
            Self::Quotation => "no source has these words",
            Self::Word => "not in a source",
            Self::Negation => "the source says the opposite",
            Self::Doubt => "the source is less certain",
            Self::Strength => "a must in one is a plus in the other",
            Self::Bound => "the source limits this number otherwise",
            Self::Combined => "the sources do not say this together",
        }
    }
}

/// Holds each sentence of a text against its sources: name and text of each.
pub fn check<'t>(language: Language, text: &'t str, sources: &[(&str, &str)]) -> Vec<Sentence<'t>> {
    let found = tokens(text);
    let mut judges = Judges::new(language, sources);
    let mut checked = Vec::new();
    for range in sentences(language, &found) {
        let piece = found.get(range).unwrap_or_default();
        let (Some(first), Some(last)) = (piece.first(), piece.last()) else { continue };
        let words = text.get(first.byte..last.byte + last.text.len()).unwrap_or_default();
        let spoken = judges.language_of(piece);
        let mut sentence = Sentence {
            text: words,
            span: Span::new(first.span.start, last.span.end),
            unproven: Vec::new(),
            evidence: Vec::new(),
            translated: false,
        };
        judges.judge(spoken, text, piece, &mut sentence);
        checked.push(sentence);
    }
    checked
}

/// One judge for each language of the sources.
struct Judges {
    language: Language,
    own: Vec<(Language, Judge)>,
}

impl Judges {
    fn new(language: Language, sources: &[(&str, &str)]) -> Self {
        let mut groups: Vec<(Language, Index)> = vec![(language, Index::new(language))];
        for (source, (_, text)) in sources.iter().enumerate() {
            let found = tokens(text);
            let whole = match detect(text, &found) {
                Detected::Known(known) => Some(known),
                Detected::Unsure => Some(language),
                Detected::Foreign => None,
            };
            // Where sentences end depends little on the language.
            let ranges = sentences(whole.unwrap_or(language), &found);
            for range in ranges {
                let spoken = spoken(found.get(range.clone()).unwrap_or_default(), whole, language);
                if !groups.iter().any(|(group, _)| *group == spoken) {
                    groups.push((spoken, Index::new(spoken)));
                }
                if let Some((_, index)) = groups.iter_mut().find(|(group, _)| *group == spoken) {
                    index.add(source, &found, range);
                }
            }
        }
        let own = groups.into_iter().map(|(language, index)| (language, Judge::new(index))).collect();
        Self { language, own }
    }

    /// The language of a sentence of the text: as announced, unless its small words say otherwise.
    fn language_of(&self, piece: &[Token<'_>]) -> Language {
        if self.own.len() < 2 {
            return self.language;
        }
        detect_within(self.language, piece)
    }

    fn judge<'t>(
        &mut self,
        spoken: Language,
        text: &'t str,
        piece: &[Token<'t>],
        sentence: &mut Sentence<'t>,
    ) {
        let own = self.own.iter_mut().find(|(language, _)| *language == spoken);
        let checked = own.map(|(_, judge)| judge.judge(text, piece, sentence)).is_some();
        if checked && sentence.supported() {
            return;
        }
        let all: usize = self.own.iter().map(|(_, judge)| judge.sentences()).sum();
        let others = self.own.iter_mut().filter(|(language, _)| *language != spoken);
        // A stray foreign line is no source for everything.
        let others = others.filter(|(_, judge)| judge.sentences() * 4 >= all && judge.sentences() > 0);
        let tried = others.map(|(_, judge)| {
            let mut tried = Sentence { translated: true, ..sentence.clone() };
            judge.judge_translated(spoken, text, piece, &mut tried);
            tried
        });
        match tried.min_by_key(|tried| tried.unproven.len()) {
            Some(best) => *sentence = best,
            None if checked => {}
            None => Judge::new(Index::new(spoken)).judge(text, piece, sentence),
        }
    }
}

/// The language of a sentence of a source. One in no language of ours is put to another than the text's: its numbers and
/// names can still be read.
fn spoken(piece: &[Token<'_>], whole: Option<Language>, language: Language) -> Language {
    match whole {
        Some(whole) => detect_within(whole, piece),
        None => Language::ALL.into_iter().find(|other| *other != language).unwrap_or(language),
    }
}
