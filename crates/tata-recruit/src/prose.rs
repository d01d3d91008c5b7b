//! Prose that a model wrote, held against what people brought, sentence by sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::claims::{self, Reason};

use crate::{Language, Texts};

/// Marks a source that is only a name: of the company, the position, the candidate.
pub(crate) const NAME: &str = "name";

/// A part of a text that no source proves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unproven {
    /// Where it stands, by the name of the part of the document.
    pub part: String,
    /// The sentence.
    pub sentence: String,
    /// The words in it that nothing proves.
    pub words: String,
    /// Why, as the name of a text.
    pub reason: String,
}

impl Unproven {
    /// For people.
    pub(crate) fn shown(&self, texts: &Texts) -> String {
        let reason = texts.get(&format!("project.unproven.reasons.{}", self.reason));
        texts.say(
            "project.unproven.one",
            &[("sentence", &self.sentence), ("words", &self.words), ("reason", reason)],
        )
    }
}

/// What a person does with a statement that is not proven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofChoice {
    /// It stays, on the person's word.
    Keep,
    /// It is worded otherwise, in the person's words.
    Edit,
    /// It goes.
    #[default]
    Delete,
}

/// The parts of a text that no source proves.
pub(crate) fn unproven(
    language: Language,
    part: &str,
    text: &str,
    sources: &[(&str, &str)],
) -> Vec<Unproven> {
    find(language, part, text, sources, |_| true)
}

/// The same for a text that judges or invites: only the facts in it must stand in the sources.
pub(crate) fn unproven_facts(
    language: Language,
    part: &str,
    text: &str,
    sources: &[(&str, &str)],
) -> Vec<Unproven> {
    find(language, part, text, sources, |reason| {
        matches!(
            reason,
            Reason::Value
                | Reason::Name
                | Reason::Pay
                | Reason::Benefit
                | Reason::Promise
                | Reason::Quotation
        )
    })
}

fn find(
    language: Language,
    part: &str,
    text: &str,
    sources: &[(&str, &str)],
    counts: fn(Reason) -> bool,
) -> Vec<Unproven> {
    let language = tata_language::Language::find(language.code()).unwrap_or(tata_language::Language::En);
    // A name proves itself and nothing else.
    let (names, sources): (Vec<_>, Vec<_>) = sources.iter().copied().partition(|(kind, _)| *kind == NAME);
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let known: Vec<String> = names.iter().flat_map(|(_, name)| words(name)).collect();
    // A genitive is still the name.
    let is_known = |word: &String| {
        known.contains(word)
            || word == "s"
            || word.strip_suffix('s').is_some_and(|bare| known.iter().any(|name| name == bare))
    };
    let is_name = |text: &str| words(text).iter().all(is_known);
    let checked = claims::check(language, text, &sources);
    let all = checked.iter().filter_map(|sentence| {
        // One reason is enough to look at a sentence; the first is where it begins to be wrong.
        let first = sentence.unproven.iter().find(|one| counts(one.reason) && !is_name(one.text))?;
        Some(Unproven {
            part: part.to_owned(),
            sentence: sentence.text.to_owned(),
            words: first.text.to_owned(),
            reason: name(first.reason).to_owned(),
        })
    });
    all.collect()
}

fn name(reason: Reason) -> &'static str {
    match reason {
        Reason::Value => "value",
        Reason::Name => "name",
        Reason::Benefit => "benefit",
        Reason::Pay => "pay",
        Reason::Promise => "promise",
        Reason::Superlative => "superlative",
        Reason::Trait => "trait",
        Reason::Quotation => "quotation",
        Reason::Word => "word",
        Reason::Negation => "negation",
        Reason::Doubt => "doubt",
        Reason::Strength => "strength",
        Reason::Bound => "bound",
        Reason::Combined => "combined",
    }
}
